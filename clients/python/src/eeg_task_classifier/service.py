"""Endpoints of the service, one method each. Bodies and answers are dictionaries as in its OpenAPI document."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any

from .connection import Answer, Connection
from .jobs import ended_job
from .limits import ENDPOINTS, PATIENCE_SECONDS
from .paid_call import PaidCall, digest_of
from .trials import Trials

Json = dict[str, Any]


def _content(body: Json | None) -> bytes | None:
    return None if body is None else json.dumps(body, allow_nan=False).encode()


class Service:
    """Endpoints of the service over one connection.

    Parameters
    ----------
    connection : Connection
    pending_keys : dict, optional
        Key of each call whose outcome is unknown, by the hash of the call (see `PaidCall`).
    """

    def __init__(self, connection: Connection, pending_keys: dict[str, str] | None = None) -> None:
        self.connection = connection
        self.pending_keys = {} if pending_keys is None else pending_keys
        self._paid_call: PaidCall | None = None

    def paid_call(
        self, what: str, operation: str, fields: Any, trials: Trials | None = None, key: str | None = None
    ) -> PaidCall:
        """Begin a call whose requests are paid. Use it in a ``with`` statement around all of its requests.

        Parameters
        ----------
        what : str
            What the call does, for messages: ``"The fit"``.
        operation : str
            The method, such as ``"fit"``.
        fields : JSON value
            Fields of the requests besides the trials.
        trials : Trials, optional
        key : str, optional
            Key of an earlier call with the same arguments, whose outcome is wanted.
        """
        self._paid_call = PaidCall(what, self.pending_keys, digest_of(operation, fields, trials), key)
        return self._paid_call

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
        """Send a request with the next Idempotency-Key of the paid call, or of a call of its own.

        With `fits`, a request that takes long runs as a job, which is read until it has ended.
        """
        method, path = ENDPOINTS[operation]
        path = path.replace("{model_id}", model_id)
        content = _content(body)
        prefer = f"respond-async, wait={PATIENCE_SECONDS}" if fits else None
        if self._paid_call is not None:
            return self._exchange_once(self._paid_call, method, path, content, prefer)
        with PaidCall(f"{method} {path}", self.pending_keys, digest_of(path, body)) as call:
            answer = self._exchange_once(call, method, path, content, prefer)
            if answer.status == 202:
                call.keep()
            return answer

    def _exchange_once(
        self, call: PaidCall, method: str, path: str, content: bytes | None, prefer: str | None
    ) -> Answer:
        answer = self.connection.exchange(method, path, content, idempotency_key=call.request_key(), prefer=prefer)
        if answer.body.get("object") == "job":
            answer = ended_job(self.connection, answer)
        if answer.status != 202:
            call.answered()
        return answer

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

    def predict(self, model_id: str, body: Json, *, keyless: bool = False) -> Json:
        """Predict labels and probabilities of new trials.

        Parameters
        ----------
        model_id : str
        body : dict
        keyless : bool, default=False
            Send no Idempotency-Key, so the service stores no answer. A lost answer is lost then.
        """
        call = self._call if keyless else self._call_once
        return call("predict", body, model_id=model_id).body
