"""Models without trials: fitted on reference recordings of other people."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from typing import Any

from rich.console import Console

from .errors import PreparationError
from .fitting import price_of, reserve, settled, usd
from .progress import progress_bar
from .service import Json, Service

#: What is asked before the create: the estimate; False ends it.
Review = Callable[[Json], Any]

#: Seconds between two questions where the service names none.
_PAUSE = 10.0


def fit_zero_shot(
    service: Service,
    body: Json,
    max_usd: float | None,
    review: Review | None,
    max_wait_seconds: float,
    progress: bool,
) -> tuple[Json, Json] | None:
    """Estimate until ready, review, create with `reference_classes` unchanged: (model, estimate); None if declined."""
    waited = Waiting(service, max_wait_seconds)
    estimate = ready_estimate(service, body, waited, progress)
    verdict = (review or show_explanation)(estimate)
    if verdict is not None and not verdict:
        return None
    total = Decimal(estimate["create_usd"]) + Decimal(estimate["hosting_usd_per_month"])
    price = {**estimate, "total_usd": total, "batches": 1}
    create = {**body, "classes": estimate["classes"], "reference_classes": estimate["reference_classes"]}
    reservation = None if service.is_unanswered(create) else reserve(service, max_usd, lambda: price_of(price))
    with settled(reservation) as account, progress_bar("Fitting", None, progress):
        while True:
            answer = service.create(create)
            if answer.status != 202:
                account.paid = usd(answer.body)
                return answer.body, estimate
            waited.for_preparation(answer.body["preparation"], answer.retry_after)


def ready_estimate(service: Service, body: Json, waited: Waiting, progress: bool) -> Json:
    """The same estimate again and again until its reference recordings are prepared."""
    with progress_bar("Preparing reference recordings", None, progress):
        while True:
            answer = service.estimate(body)
            if answer.body.get("ready") is not False:
                return answer.body
            waited.for_preparation(answer.body["preparation"], answer.retry_after)


class Waiting:
    """How long was waited, for estimates and creates together."""

    def __init__(self, service: Service, most_seconds: float) -> None:
        self._sleep = service.connection.clock.sleep
        self._left = most_seconds

    def for_preparation(self, preparation: Json, retry_after: float | None) -> None:
        """Waits before the next question; `PreparationError` where that is in vain or has taken too long."""
        status, reason = preparation["status"], preparation.get("reason") or "no reason given"
        if status in ("failed", "required") and not preparation["retryable"]:
            raise PreparationError(f"Reference recordings cannot be prepared ({status}): {reason}")
        if self._left <= 0:
            raise PreparationError(
                f"Reference recordings are still being prepared ({status}, about "
                f"{preparation['estimated_seconds']} s more): call again later, or with a larger max_wait_seconds."
            )
        pause = min(_PAUSE if retry_after is None else retry_after, self._left)
        self._left -= max(pause, 0.01)
        self._sleep(pause)


def show_explanation(estimate: Json) -> None:
    """Prints what the participant does for each class, and the score on other people."""
    console = Console(stderr=True)
    for name, text in estimate["explanation"].items():
        console.print(f"{name}: {text}", markup=False, highlight=False)
    evidence = estimate.get("evidence")
    if evidence:
        low, high = evidence["one_person_95"]
        console.print(
            f"{evidence['people']} people left out in turn: balanced accuracy {evidence['balanced_accuracy']:.3f} "
            f"with align='batch' (chance {evidence['chance']:.3f}; one person to come {low:.2f} to {high:.2f}).",
            markup=False,
            highlight=False,
        )
    for text in estimate["warnings"]:
        console.print(text, markup=False, highlight=False)
