"""Exceptions of this package. All of them are subclasses of `EEGTaskClassifierError`."""

from __future__ import annotations

import json
from decimal import Decimal
from typing import Any


class EEGTaskClassifierError(Exception):
    """Base class of every exception of this package.

    Attributes
    ----------
    idempotency_key : str or None
        The Idempotency-Key of the request. While the outcome is unknown, the same classifier sends the same request
        with the same key.
    predictions : Predictions or None
        If predictions needed several requests and a later one failed: the answers of the earlier ones, which are paid.
    """

    idempotency_key: str | None = None
    predictions: Any = None


class RecordingError(EEGTaskClassifierError, ValueError):
    """A recording that cannot be read as it is.

    The message is one sentence with file and reason, and one with the way out.

    Attributes
    ----------
    file : str
        Name of the file.
    reason : str
        The problem, without the file.
    way_out : str
        What to do about it.
    """

    def __init__(self, file: str, reason: str, way_out: str) -> None:
        super().__init__(f"{file}: {reason}. {way_out}")
        self.file = file
        self.reason = reason
        self.way_out = way_out

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.file, self.reason, self.way_out)


class PaidCallInterrupted(KeyboardInterrupt):
    """Ctrl-C during a paid call. The service ends every request that it has received.

    Repeat the call on the same object to fetch its result; nothing is charged twice. In another process, pass
    ``idempotency_key`` with the same arguments, within 30 days. Like every `KeyboardInterrupt` it is no `Exception`.

    Attributes
    ----------
    idempotency_key : str
        Key of the call.
    model_id : str or None
        The task model, if it is known yet. `list_models` lists the models that an interrupted fit has made.
    cost_usd : Decimal
        Cost of the whole call in US dollars if it succeeds; 0 with a test key.
    """

    def __init__(self, message: str, idempotency_key: str, model_id: str | None, cost_usd: Decimal) -> None:
        super().__init__(message)
        self.idempotency_key = idempotency_key
        self.model_id = model_id
        self.cost_usd = cost_usd


class ServiceError(EEGTaskClassifierError):
    """The service refused a request or failed.

    Attributes
    ----------
    code : str
        Stable identifier for programs, such as ``"TOO_FEW_TRIALS"``. If a proxy answered, ``"HTTP_502"`` or alike.
    message : str
        The problem, with its numbers.
    field : str
        The part of the request that is wrong. Empty if no part is.
    alternatives : list of dict
        Fixes, most useful first: fields to merge into the request. None removes a field.
    details : dict
        Contains ``request_id``. For INVALID_REQUEST, ``errors`` lists every field that is wrong.
    request_id : str or None
        Quote it when you ask the operator about the request.
    status : int
        HTTP status.
    model_id : str or None
        A collecting task model that was not deleted, because its batches are paid or the call can continue.
    repeat_continues : bool
        Whether the outcome is unknown, so that a repeated call continues the model.
    """

    repeat_continues = False

    def __init__(self, status: int, body: dict[str, Any]) -> None:
        self.status = status
        self.code = str(body.get("code", f"HTTP_{status}"))
        self.message = str(body.get("message", f"The service answered with status {status}."))
        self.field = str(body.get("field") or "")
        self.alternatives: list[dict[str, Any]] = list(body.get("alternatives") or [])
        self.details: dict[str, Any] = dict(body.get("details") or {})
        request_id = self.details.get("request_id")
        self.request_id = None if request_id is None else str(request_id)
        self.model_id: str | None = None
        self.body = body
        super().__init__(status, body)

    def __str__(self) -> str:
        text = f"{self.code}: {self.message}"
        if self.field:
            text += f" (field: {self.field})"
        if self.alternatives:
            text += f" Alternatives: {'; '.join(shortened(each) for each in self.alternatives[:3])}."
        if self.request_id:
            text += f" [{self.request_id}]"
        if self.model_id:
            text += f" {kept_model_advice(self.model_id, self.repeat_continues)}"
        return text


class AuthenticationError(ServiceError):
    """The key is missing, mistyped, revoked or expired (401)."""


class PermissionDeniedError(ServiceError):
    """The key lacks a permission, the IP address is not allowed, or the account is suspended (403)."""


class BillingError(ServiceError):
    """The balance is too low, or a spending cap is reached (402). Never retried: a person must add credit."""


class NotFoundError(ServiceError):
    """The task model or endpoint does not exist (404). ``details["status"]`` tells an expired or deleted model."""


class ConflictError(ServiceError):
    """The same request was still running after the last attempt (409)."""


class InvalidRequestError(ServiceError, ValueError):
    """The request is invalid, or a quota of the account is full (413, 422).

    ``details["quota"]`` names the full quota. It is also a `ValueError`, because scikit-learn expects one for bad
    input.
    """


class RateLimitError(ServiceError):
    """The account sent too many requests, or reached a usage cap (429)."""


class ServiceFaultError(ServiceError):
    """The service failed (500, 502). Nothing was charged."""


class ServiceUnavailableError(ServiceError):
    """The service is starting, busy or paused (503)."""


class ConnectionFailedError(EEGTaskClassifierError, ConnectionError):
    """No attempt got an answer in time.

    The service may still run the request. Repeat the call on the same object to get its outcome; it is charged once.
    """


class PreparationError(EEGTaskClassifierError):
    """Reference recordings for a zero-shot model could not be prepared."""


class PaymentNotAllowedError(EEGTaskClassifierError):
    """A fit would cost more than `max_usd` allows. Nothing was charged.

    Attributes
    ----------
    cost_usd : Decimal
        Price of this fit.
    spent_usd : Decimal
        Cost of the earlier paid fits of this process.
    max_usd : Decimal or None
        The limit; None if none was given.
    """

    def __init__(self, message: str, cost_usd: Decimal, spent_usd: Decimal, max_usd: Decimal | None) -> None:
        super().__init__(message)
        self.cost_usd = cost_usd
        self.spent_usd = spent_usd
        self.max_usd = max_usd


_BY_TYPE: dict[str, type[ServiceError]] = {
    "authentication_error": AuthenticationError,
    "billing_error": BillingError,
    "permission_error": PermissionDeniedError,
    "not_found_error": NotFoundError,
    "conflict_error": ConflictError,
    "invalid_request_error": InvalidRequestError,
    "rate_limit_error": RateLimitError,
    "service_unavailable_error": ServiceUnavailableError,
    "api_error": ServiceFaultError,
}

_BY_STATUS: dict[int, type[ServiceError]] = {
    401: AuthenticationError,
    402: BillingError,
    403: PermissionDeniedError,
    404: NotFoundError,
    409: ConflictError,
    413: InvalidRequestError,
    422: InvalidRequestError,
    429: RateLimitError,
    500: ServiceFaultError,
    502: ServiceFaultError,
    503: ServiceUnavailableError,
}


def service_error(status: int, body: object) -> ServiceError:
    """Return the exception for an unsuccessful answer.

    Parameters
    ----------
    status : int
        HTTP status.
    body : object
        The parsed JSON; None or anything else if a proxy answered.
    """
    fields = body if isinstance(body, dict) and "code" in body else {}
    kind = _BY_TYPE.get(str(fields.get("type"))) or _BY_STATUS.get(status) or ServiceError
    return kind(status, fields)


def kept_model_advice(model_id: str, repeat_continues: bool = False) -> str:
    """Return advice for a collecting model that was not deleted.

    Parameters
    ----------
    model_id : str
    repeat_continues : bool, default=False
        Whether a repeated call continues the model. Otherwise its batches are paid, and the service refused the next
        one.
    """
    if repeat_continues:
        return f"Task model {model_id} is kept. Repeat the same call: it continues, and pays nothing twice."
    return (
        f"Task model {model_id} is kept, because its batches are paid. Fix the problem, then call "
        f"finish_fit({model_id!r}) within 7 days. Or delete the model."
    )


def shortened(value: object, characters: int = 200) -> str:
    """Return a value as JSON, cut after a number of characters."""
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return text if len(text) <= characters else f"{text[:characters]}…"
