"""Zero-shot models: fitted on reference recordings of other people, without trials of the caller."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from typing import Any

from rich.console import Console

from .errors import PreparationError
from .fitting import Payment, Reserve, cost_usd, price_of, reservation_of
from .progress import progress_bar
from .service import Json, Service

#: Called with the estimate before the create. If it returns False, nothing is created.
Review = Callable[[Json], Any]

#: Seconds between two requests if the service names no time.
_PAUSE_SECONDS = 10.0


def fit_zero_shot(
    service: Service,
    body: Json,
    reserve: Reserve,
    review: Review | None,
    max_wait_seconds: float,
    progress: bool,
) -> tuple[Json, Json] | None:
    """Create a zero-shot model with the reference classes of its estimate.

    Parameters
    ----------
    service : Service
    body : dict
        Fields of the create.
    reserve : callable
        Reserves the amount for the fit.
    review : callable or None
        Called with the estimate. None shows the estimate instead.
    max_wait_seconds : float
        Longest wait for reference recordings, in seconds.
    progress : bool
        Whether to show progress.

    Returns
    -------
    tuple of (dict, dict), or None
        The model and its estimate; None if `review` returned False.

    Raises
    ------
    PreparationError
        If the reference recordings cannot be prepared, or not in time.
    PaymentNotAllowedError
        If `reserve` does not allow the fit.
    ServiceError, ConnectionFailedError
        If the service refuses the task or fails.
    """
    preparation_wait = PreparationWait(service, max_wait_seconds)
    estimate = ready_estimate(service, body, preparation_wait, progress)
    verdict = (review or show_explanation)(estimate)
    if verdict is not None and not verdict:
        return None
    total = Decimal(estimate["create_usd"]) + Decimal(estimate["hosting_usd_per_month"])
    price = {**estimate, "total_usd": total, "batches": 1}
    create = {**body, "classes": estimate["classes"], "reference_classes": estimate["reference_classes"]}
    with service.paid_call("The fit", "zero_shot", create) as call:
        call.price_usd = Decimal(0) if service.connection.is_test else total
        reservation = reservation_of(call, reserve, lambda: price_of(price))
        with Payment(reservation, call), progress_bar("Fitting", None, progress):
            while True:
                answer = service.create(create)
                if answer.status != 202:
                    call.paid_usd += cost_usd(answer.body)
                    return answer.body, estimate
                preparation_wait.pause(answer.body["preparation"], answer.retry_after)


def ready_estimate(service: Service, body: Json, preparation_wait: PreparationWait, progress: bool) -> Json:
    """Repeat the estimate until its reference recordings are prepared, and return it."""
    with progress_bar("Preparing reference recordings", None, progress):
        while True:
            answer = service.estimate(body)
            if answer.body.get("ready") is not False:
                return answer.body
            preparation_wait.pause(answer.body["preparation"], answer.retry_after)


class PreparationWait:
    """Time left to wait for reference recordings. Estimates and creates use it together.

    Parameters
    ----------
    service : Service
    max_seconds : float
        Longest total wait in seconds.
    """

    def __init__(self, service: Service, max_seconds: float) -> None:
        self._sleep = service.connection.clock.sleep
        self._left = max_seconds

    def pause(self, preparation: Json, retry_after: float | None) -> None:
        """Wait before the next request.

        Parameters
        ----------
        preparation : dict
            State of the preparation, from the answer.
        retry_after : float or None
            Seconds that the service asks for; None waits 10 s.

        Raises
        ------
        PreparationError
            If the preparation has failed for good, or no time is left.
        """
        status, reason = preparation["status"], preparation.get("reason") or "The service gave no reason."
        if status in ("failed", "required") and not preparation["retryable"]:
            raise PreparationError(f"The reference recordings cannot be prepared (status {status}). {reason}")
        if self._left <= 0:
            raise PreparationError(
                f"The reference recordings are not prepared yet (status {status}, about "
                f"{preparation['estimated_seconds']} s left). Try again later, or raise max_wait_seconds."
            )
        pause = min(_PAUSE_SECONDS if retry_after is None else retry_after, self._left)
        self._left -= max(pause, 0.01)
        self._sleep(pause)


def show_explanation(estimate: Json) -> None:
    """Print what the participant does for each class, and the score on people who were left out of the fit."""
    console = Console(stderr=True)
    for name, text in estimate["explanation"].items():
        console.print(f"{name}: {text}", markup=False, highlight=False)
    evidence = estimate.get("evidence")
    if evidence:
        low, high = evidence["one_person_95"]
        console.print(
            f"Balanced accuracy with align='batch': {evidence['balanced_accuracy']:.3f} (chance "
            f"{evidence['chance']:.3f}), tested on {evidence['people']} people who were left out of the fit in turn. "
            f"A new person would probably score between {low:.2f} and {high:.2f}.",
            markup=False,
            highlight=False,
        )
    for text in estimate["warnings"]:
        console.print(text, markup=False, highlight=False)
