"""Task models that end with the object that made them."""

from __future__ import annotations

import warnings
import weakref

from .connection import Connection
from .errors import EEGTaskClassifierError
from .limits import ENDPOINTS


def delete_with(owner: object, connection: Connection, model_id: str) -> weakref.finalize[[Connection, str], object]:
    """Deletes the model when `owner` is garbage-collected, at the latest when the interpreter ends."""
    return weakref.finalize(owner, delete_quietly, connection, model_id)


def delete_quietly(connection: Connection, model_id: str) -> bool:
    """Deletes a model where nobody could handle an exception; a warning says what stays. Whether it is gone."""
    method, path = ENDPOINTS["deleteTaskModel"]
    try:
        connection.exchange_apart(method, path.replace("{model_id}", model_id))
    except EEGTaskClassifierError as error:
        warnings.warn(f"Task model {model_id} could not be deleted and is hosted on: {error}", stacklevel=2)
        return False
    return True
