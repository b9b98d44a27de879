"""Hosted task models of the account: list them, delete one."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime, timezone
from typing import Any

import httpx

from .connection import DEFAULT_TIMEOUT, Connection
from .service import Json, Service


@dataclass(frozen=True)
class ModelSummary:
    """A hosted task model.

    Attributes
    ----------
    id : str
        ``clf_`` and 32 hexadecimal digits.
    name : str or None
        Your own name for it.
    description : str
        The task.
    status : str
        ``"active"`` or ``"collecting"``.
    classes, channels : tuple of str
        Class names and electrode names.
    created : datetime
        In UTC.
    expires_at : datetime or None
        In UTC; None: it stays until you delete it, and is charged each month.
    balanced_accuracy : float or None
        Score on held-out trials; None before the fit.
    is_test : bool
        Whether a test key made it, so that it costs nothing.
    raw : dict
        The model as the service describes it.
    """

    id: str
    name: str | None
    description: str
    status: str
    classes: tuple[str, ...]
    channels: tuple[str, ...]
    created: datetime
    expires_at: datetime | None
    balanced_accuracy: float | None
    is_test: bool
    raw: Json = field(repr=False, compare=False)


def list_models(
    *,
    api_key: str | None = None,
    base_url: str | None = None,
    timeout: float = DEFAULT_TIMEOUT,
    http_client: httpx.Client | None = None,
) -> list[ModelSummary]:
    """Return every collecting and active task model of the account, newest first.

    Parameters
    ----------
    api_key, base_url : str, optional
        Default: the environment variables EEG_API_KEY and EEG_BASE_URL. A live key lists live models, a test key those
        of test keys.
    timeout : float, default=900
        Seconds for each request.
    http_client : httpx.Client, optional
        Your own HTTP client.

    Raises
    ------
    ServiceError, ConnectionFailedError
        If the service refuses the request or fails.
    """
    service = Service(Connection(api_key, base_url, timeout, http_client=http_client))
    return [_summary(each) for each in service.models()]


def delete_model(
    model_id: str,
    *,
    api_key: str | None = None,
    base_url: str | None = None,
    timeout: float = DEFAULT_TIMEOUT,
    http_client: httpx.Client | None = None,
) -> None:
    """Delete a task model for good: nothing more is charged. Deleting it again is no error.

    Parameters
    ----------
    model_id : str
        ``clf_`` and 32 hexadecimal digits.
    api_key, base_url, timeout, http_client
        See `list_models`.

    Raises
    ------
    NotFoundError
        If there is no such model.
    ServiceError, ConnectionFailedError
        If the service refuses the request or fails.
    """
    Service(Connection(api_key, base_url, timeout, http_client=http_client)).delete(model_id)


def _summary(model: Json) -> ModelSummary:
    report: dict[str, Any] = model.get("training_report") or {}
    score = report.get("balanced_accuracy")
    return ModelSummary(
        id=str(model["id"]),
        name=model.get("name"),
        description=str(model["description"]),
        status=str(model["status"]),
        classes=tuple(model["classes"]),
        channels=tuple(model["channels"]),
        created=datetime.fromtimestamp(int(model["created"]), timezone.utc),
        expires_at=None
        if model.get("expires_at") is None
        else datetime.fromtimestamp(int(model["expires_at"]), timezone.utc),
        balanced_accuracy=None if score is None else float(score),
        is_test=bool(model.get("test")),
        raw=model,
    )
