"""The endpoints, one method each. Bodies and answers are the dictionaries of the interface description."""

from __future__ import annotations

import hashlib
import json
import uuid
from collections.abc import Iterator
from typing import Any

from .connection import Answer, Connection
from .errors import ServiceError
from .limits import ENDPOINTS
from .retry import is_retried

Json = dict[str, Any]


def new_key() -> str:
    """An Idempotency-Key: one for each logical request."""
    return str(uuid.uuid4())


def is_known(error: ServiceError) -> bool:
    """Whether an error tells that nothing came of the request, and nothing will."""
    return 400 <= error.status < 500 and not is_retried(error.status, error.code)


def _content(body: Json | None) -> bytes | None:
    return None if body is None else json.dumps(body, allow_nan=False).encode()


def _digest(path: str, content: bytes | None) -> str:
    return hashlib.sha256(path.encode() + b" " + (content or b"")).hexdigest()


class Service:
    """Typed access to the endpoints over one connection.

    `unanswered` holds the Idempotency-Keys of requests whose outcome is not known, by a hash of each: the same request
    is sent under the same key again, so that what went on meanwhile is not done and paid twice.
    """

    def __init__(self, connection: Connection, unanswered: dict[str, str] | None = None) -> None:
        self.connection = connection
        self.unanswered = {} if unanswered is None else unanswered

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

    def _call_once(self, operation: str, body: Json | None = None, *, model_id: str = "") -> Answer:
        """The same, done and paid once under one key, which is kept until the outcome is known."""
        method, path = ENDPOINTS[operation]
        path = path.replace("{model_id}", model_id)
        content = _content(body)
        digest = _digest(path, content)
        key = self.unanswered.pop(digest, None) or new_key()
        known = False
        try:
            answer = self.connection.exchange(method, path, content, idempotency_key=key)
            known = answer.status != 202
            return answer
        except ServiceError as error:
            known = is_known(error)
            raise
        finally:
            if not known:
                self.unanswered[digest] = key

    def is_unanswered(self, body: Json) -> bool:
        """Whether this create was sent before, and its outcome is not known."""
        return bool(self.unanswered) and _digest(ENDPOINTS["createTaskModel"][1], _content(body)) in self.unanswered

    def usage(self) -> Json:
        """What was used today and this month, and the limits of the account."""
        return self._call("getUsage").body

    def models(self) -> Iterator[Json]:
        """Every collecting and active task model, newest first."""
        before: str | None = None
        while True:
            query: Json = {"limit": 100} if before is None else {"limit": 100, "before": before}
            page = self._call("listTaskModels", query=query).body
            yield from page["data"]
            before = page.get("next_before")
            if not before:
                return

    def model(self, model_id: str) -> Json:
        """One task model with its training report."""
        return self._call("getTaskModel", model_id=model_id).body

    def change(self, model_id: str, changes: Json) -> Json:
        """Changes `name` or `expires_at` (None clears)."""
        return self._call("updateTaskModel", changes, model_id=model_id).body

    def delete(self, model_id: str) -> Json:
        """Ends a task model; again is no error."""
        return self._call("deleteTaskModel", model_id=model_id).body

    def estimate(self, body: Json) -> Answer:
        """What a create would cost and warn of: nothing is made. Each call is answered anew."""
        return self._call("createTaskModel", {**body, "dry_run": True})

    def create(self, body: Json) -> Answer:
        """Makes a task model: fitted, collecting (`defer_fit`), or none yet (202; ask again for the same)."""
        return self._call_once("createTaskModel", body)

    def add_trials(self, model_id: str, body: Json) -> Json:
        """Adds a batch to a collecting model."""
        return self._call_once("addTrials", body, model_id=model_id).body

    def fit(self, model_id: str) -> Json:
        """Fits a collecting model."""
        return self._call_once("fitTaskModel", model_id=model_id).body

    def predict(self, model_id: str, body: Json) -> Json:
        """Labels and probabilities of new trials."""
        return self._call_once("predict", body, model_id=model_id).body
