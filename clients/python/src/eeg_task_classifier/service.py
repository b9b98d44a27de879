"""The endpoints, one method each. Bodies and answers are the dictionaries of the interface description."""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from typing import Any

from .connection import Answer, Connection
from .limits import ENDPOINTS

Json = dict[str, Any]


def new_key() -> str:
    """An Idempotency-Key: one for each logical request."""
    return str(uuid.uuid4())


class Service:
    """Typed access to the endpoints over one connection."""

    def __init__(self, connection: Connection) -> None:
        self.connection = connection

    def _call(
        self,
        operation: str,
        body: Json | None = None,
        *,
        model_id: str = "",
        query: Json | None = None,
        key: str | None = None,
    ) -> Answer:
        method, path = ENDPOINTS[operation]
        path = path.replace("{model_id}", model_id)
        return self.connection.exchange(method, path, body, query=query, idempotency_key=key)

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

    def create(self, body: Json, key: str | None = None) -> Answer:
        """Makes a task model: fitted, collecting (`defer_fit`), or none yet (202; ask again with the same `key`)."""
        return self._call("createTaskModel", body, key=key or new_key())

    def add_trials(self, model_id: str, body: Json) -> Json:
        """Adds a batch to a collecting model."""
        return self._call("addTrials", body, model_id=model_id, key=new_key()).body

    def fit(self, model_id: str) -> Json:
        """Fits a collecting model."""
        return self._call("fitTaskModel", model_id=model_id, key=new_key()).body

    def predict(self, model_id: str, body: Json) -> Json:
        """Labels and probabilities of new trials."""
        return self._call("predict", body, model_id=model_id, key=new_key()).body
