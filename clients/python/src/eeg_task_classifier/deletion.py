"""Deletion of a task model together with the Python object that made it."""

from __future__ import annotations

import threading
import warnings
import weakref

from .connection import Connection
from .errors import EEGTaskClassifierError
from .limits import ENDPOINTS


def delete_with(owner: object, connection: Connection, model_id: str) -> weakref.finalize[[Connection, str], object]:
    """Delete the model when `owner` is garbage-collected, or when the interpreter ends.

    Returns
    -------
    weakref.finalize
        Call it to delete the model now; its `detach` cancels the deletion.
    """
    return weakref.finalize(owner, delete_or_warn, connection, model_id)


def delete_or_warn(connection: Connection, model_id: str) -> None:
    """Delete the model. A failure is a warning, because no caller could catch an exception of a finalizer.

    The caller's own HTTP client is used in a thread of its own: a finalizer may run inside a request of this client,
    and would wait for it forever.
    """
    if connection.http_client is not None:
        try:
            threading.Thread(target=_delete, args=(connection, model_id)).start()
            return
        except RuntimeError:
            pass  # The interpreter ends and starts no more threads. No request is under way then.
    _delete(connection, model_id)


def _delete(connection: Connection, model_id: str) -> None:
    method, path = ENDPOINTS["deleteTaskModel"]
    try:
        connection.exchange_separately(method, path.replace("{model_id}", model_id))
    except EEGTaskClassifierError as error:
        warnings.warn(
            f"Task model {model_id} could not be deleted, so it stays hosted. Delete it later: "
            f"delete_model({model_id!r}). {error}",
            stacklevel=3,
        )
