"""What can go wrong, as exceptions. All of them are `EEGTaskClassifierError`."""

from __future__ import annotations

import json
from decimal import Decimal
from typing import Any


class EEGTaskClassifierError(Exception):
    """Base of every exception of this package.

    Attributes
    ----------
    idempotency_key : str or None
        Under which the request was sent. The same classifier uses it again for the same request while the outcome is
        not known.
    predictions : Predictions or None
        Where a later request of several failed: what the earlier ones, which are paid, have predicted.
    """

    idempotency_key: str | None = None
    predictions: Any = None


class DataNotice(UserWarning):
    """Says what of the data is not sent, or is sent otherwise than it came."""


class ServiceError(EEGTaskClassifierError):
    """The service refused a request or failed.

    Attributes
    ----------
    code : str
        Stable identifier to switch on, such as ``"TOO_FEW_TRIALS"``; ``"HTTP_502"`` where something between
        client and service answered.
    message : str
        What is wrong, with the numbers involved.
    field : str or None
        The part of the request at fault.
    alternatives : list
        Fixes, most useful first: values for `field`, or objects to merge into the request.
    details : dict
        Always holds ``request_id``; ``errors`` lists every failing field of an INVALID_REQUEST.
    request_id : str or None
        To quote when asking about the request.
    status : int
        HTTP status.
    model_id : str or None
        A collecting task model that is kept, since money was paid into it.
    """

    def __init__(self, status: int, body: dict[str, Any]) -> None:
        self.status = status
        self.code = str(body.get("code", f"HTTP_{status}"))
        self.message = str(body.get("message", f"The service answered with status {status}."))
        field = body.get("field")
        self.field = None if field is None else str(field)
        self.alternatives: list[Any] = list(body.get("alternatives") or [])
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
            text += f" Alternatives: {'; '.join(in_short(each) for each in self.alternatives[:3])}."
        if self.request_id:
            text += f" [{self.request_id}]"
        if self.model_id:
            text += f" {kept_model(self.model_id)}"
        return text


class AuthenticationError(ServiceError):
    """No key, a mistyped, revoked or expired key (401)."""


class PermissionDeniedError(ServiceError):
    """The key lacks the permission, the address is not allowed or the account is paused (403)."""


class BillingError(ServiceError):
    """The balance is too low, or a spending cap is reached (402). Needs a person; never repeated by itself."""


class NotFoundError(ServiceError):
    """No such task model: never there, expired or deleted (``details["status"]``), or no such endpoint (404)."""


class ConflictError(ServiceError):
    """The same request is still running (409) and was not done after the last attempt."""


class InvalidRequestError(ServiceError, ValueError):
    """The request cannot be used as it is, or a quota of the account is full (413, 422).

    ``details["quota"]`` names that quota. Also a `ValueError`, as scikit-learn expects of bad input.
    """


class RateLimitError(ServiceError):
    """Too many requests, or a usage cap is reached (429)."""


class ServiceFaultError(ServiceError):
    """A fault of the service (500, 502). Nothing was charged."""


class ServiceUnavailableError(ServiceError):
    """The service is starting, busy or paused (503)."""


class ConnectionFailedError(EEGTaskClassifierError, ConnectionError):
    """The service could not be reached, or did not answer in time, in any attempt. What was asked may go on: the same
    call on the same object asks for its outcome (`idempotency_key`)."""


class PreparationError(EEGTaskClassifierError):
    """Reference recordings for a zero-shot model could not be prepared."""


class PaymentNotAllowedError(EEGTaskClassifierError):
    """A fit would cost more than was allowed. Nothing was sent that is paid for.

    Attributes
    ----------
    cost_usd, spent_usd, max_usd : Decimal (`max_usd` may be None)
        What this fit would cost, what fits of this process cost so far, and what was allowed.
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
    """The exception for an answer that is no success; `body` may be anything that a proxy writes."""
    fields = body if isinstance(body, dict) and "code" in body else {}
    kind = _BY_TYPE.get(str(fields.get("type"))) or _BY_STATUS.get(status) or ServiceError
    return kind(status, fields)


def kept_model(model_id: str) -> str:
    """What to do about a collecting model that money was paid into."""
    return (
        f"The collecting task model {model_id} is kept, since its batches are paid for: once the cause is mended, "
        f"finish_fit({model_id!r}) fits it within 7 days; DELETE ends it."
    )


def in_short(value: object, characters: int = 200) -> str:
    """A value as JSON, cut where it is long."""
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return text if len(text) <= characters else f"{text[:characters]}…"
