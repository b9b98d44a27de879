"""Endpoints of the service, one method each. Bodies and answers are dictionaries as in its OpenAPI document."""

from __future__ import annotations

import hashlib
import json
import uuid
from collections.abc import Iterator, Sequence
from typing import Any

from .connection import Answer, Connection
from .errors import ServiceError
from .jobs import ended_job
from .limits import ENDPOINTS, PATIENCE_SECONDS
from .retry import is_retried

Json = dict[str, Any]


def is_final(error: ServiceError) -> bool:
    """Return whether the request had no effect and will have none."""
    return 400 <= error.status < 500 and not is_retried(error.status, error.code)


def _content(body: Json | None) -> bytes | None:
    return None if body is None else json.dumps(body, allow_nan=False).encode()


def _digest(path: str, content: bytes | None) -> str:
    return hashlib.sha256(path.encode() + b" " + (content or b"")).hexdigest()


class Service:
    """Endpoints of the service over one connection.

    Parameters
    ----------
    connection : Connection
    pending_keys : dict, optional
        Idempotency-Key of each request whose outcome is unknown, by the hash of the request. Its next attempt uses
        the same key, so the service runs and charges it once.
    """

    def __init__(self, connection: Connection, pending_keys: dict[str, str] | None = None) -> None:
        self.connection = connection
        self.pending_keys = {} if pending_keys is None else pending_keys

    def _call(
        self,
        operation: str,
        body: Json | None = None,
        *,
        model_id: str = "",
        query: Json | None = None,
    ) -> Answer:
        method, path = ENDPOINTS[operation]
        path = path.replace("{model_id}", model_id)
        return self.connection.exchange(method, path, _content(body), query=query)

    def _call_once(self, operation: str, body: Json | None = None, *, model_id: str = "", fits: bool = False) -> Answer:
        """Send a request with an Idempotency-Key, which `pending_keys` keeps until the outcome is known.

        With `fits`, a request that takes long runs as a job, which is read until it has ended.
        """
        method, path = ENDPOINTS[operation]
        path = path.replace("{model_id}", model_id)
        content = _content(body)
        digest = _digest(path, content)
        key = self.pending_keys.pop(digest, None) or str(uuid.uuid4())
        final = False
        try:
            prefer = f"respond-async, wait={PATIENCE_SECONDS}" if fits else None
            answer = self.connection.exchange(method, path, content, idempotency_key=key, prefer=prefer)
            if answer.body.get("object") == "job":
                answer = ended_job(self.connection, answer)
            final = answer.status != 202
            return answer
        except ServiceError as error:
            final = is_final(error)
            raise
        finally:
            if not final:
                self.pending_keys[digest] = key

    def is_pending(self, body: Json) -> bool:
        """Return whether this create was sent before and its outcome is unknown."""
        return bool(self.pending_keys) and _digest(ENDPOINTS["createTaskModel"][1], _content(body)) in self.pending_keys

    def usage(self) -> Json:
        """Return the usage of today and of this month, and the limits of the account."""
        return self._call("getUsage").body

    def models(self) -> Iterator[Json]:
        """Yield every collecting and active task model, newest first."""
        before: str | None = None
        while True:
            query: Json = {"limit": 100} if before is None else {"limit": 100, "before": before}
            page = self._call("listTaskModels", query=query).body
            yield from page["data"]
            before = page.get("next_before")
            if not before:
                return

    def model(self, model_id: str) -> Json:
        """Return one task model with its training report."""
        return self._call("getTaskModel", model_id=model_id).body

    def change(self, model_id: str, changes: Json) -> Json:
        """Change `name` or `expires_at` of a task model; None clears the field."""
        return self._call("updateTaskModel", changes, model_id=model_id).body

    def delete(self, model_id: str) -> Json:
        """Delete a task model. Deleting it again is no error."""
        return self._call("deleteTaskModel", model_id=model_id).body

    def estimate(self, body: Json) -> Answer:
        """Estimate the price and the warnings of a create. Nothing is fitted or charged."""
        return self._call("createTaskModel", {**body, "dry_run": True})

    def create(self, body: Json) -> Answer:
        """Create a task model.

        Returns
        -------
        Answer
            The model: fitted, or collecting with ``defer_fit``. Status 202: the service still prepares reference
            recordings; repeat the same create later.
        """
        return self._call_once("createTaskModel", body, fits=not body.get("defer_fit"))

    def add_trials(self, model_id: str, body: Json) -> Json:
        """Add a batch of trials to a collecting model."""
        return self._call_once("addTrials", body, model_id=model_id).body

    def fit(self, model_id: str, ignore_classes: Sequence[str] = ()) -> Json:
        """Fit a collecting model, without the trials of `ignore_classes`."""
        body = {"ignore_classes": list(ignore_classes)} if ignore_classes else None
        return self._call_once("fitTaskModel", body, model_id=model_id, fits=True).body

    def predict(self, model_id: str, body: Json) -> Json:
        """Predict labels and probabilities of new trials."""
        return self._call_once("predict", body, model_id=model_id).body
