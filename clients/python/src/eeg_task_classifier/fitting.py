"""Fit of a hosted task model: in one request if the trials fit, otherwise in several batches."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from decimal import Decimal

from .batches import stratified_batches, trials_per_request
from .errors import ConnectionFailedError, EEGTaskClassifierError, ServiceError, kept_model_advice
from .limits import CREATE_USD, HOSTING_USD, windows_per_trial
from .progress import progress_bar
from .service import Json, Service, is_final
from .spending_limit import Price, Reservation, spending
from .trials import Trials


def cost_usd(answer: Json) -> Decimal:
    """Return the cost of a request in US dollars, from its answer."""
    return Decimal(str((answer.get("cost") or {}).get("usd", "0")))


def estimate_trials(service: Service, trials: Trials, create: Json) -> Json:
    """Estimate a fit on these trials.

    Parameters
    ----------
    service : Service
    trials : Trials
        Labelled trials. If they need several requests, the service estimates the first batch.
    create : dict
        Fields of the create besides the trials.

    Returns
    -------
    dict
        The answer of the service, with ``batches`` (number of requests) and ``total_usd`` (price of the whole fit,
        a month of hosting included).
    """
    labels = trials.labels or []
    largest = trials_per_request(trials)
    if len(trials) <= largest:
        answer = service.estimate({**create, **trials.labelled_fields()}).body
        windows, batches = 0, 1
    else:
        divided = stratified_batches(labels, largest)
        first = trials[divided[0]]
        answer = service.estimate({**create, **first.labelled_fields(), "defer_fit": True}).body
        windows, batches = windows_per_trial(trials.x.shape[2], trials.rate_hz) * len(trials), len(divided)
    total = Decimal(answer["create_usd"]) + Decimal(answer["hosting_usd_per_month"])
    if windows:
        total += Decimal(answer["batch_usd"]) * windows / max(1, int(answer["windows"]))
    return {**answer, "batches": batches, "total_usd": total}


def price_of(estimate: Json) -> Price:
    """Return the price of a fit from its estimate (see `estimate_trials`)."""
    words = f"{estimate['create_usd']} for the create, {estimate['hosting_usd_per_month']} for the first month"
    total = Decimal(estimate["total_usd"])
    batches = total - Decimal(estimate["create_usd"]) - Decimal(estimate["hosting_usd_per_month"])
    return Price(total, f"{words}, {batches.normalize():f} for {estimate['batches']} batches" if batches else words)


def fit_trials(service: Service, trials: Trials, create: Json, max_usd: float | None, progress: bool) -> Json:
    """Fit and host a task model.

    Parameters
    ----------
    service : Service
    trials : Trials
        Labelled trials.
    create : dict
        Fields of the create besides the trials.
    max_usd : float or None
        Limit on the total cost of all fits of this process, in US dollars.
    progress : bool
        Whether to show a progress bar.

    Returns
    -------
    dict
        The active task model.

    Raises
    ------
    PaymentNotAllowedError
        If the fit would exceed `max_usd`.
    ServiceError, ConnectionFailedError
        If the fit fails. An unfinished model is deleted, unless its batches are paid: then the error names it.
    """
    largest = trials_per_request(trials)
    body = {**create, **trials.labelled_fields()}
    if len(trials) <= largest and service.is_pending(body):
        reservation = None  # The first call with this request has reserved the amount.
    else:
        reservation = reserve(service, max_usd, lambda: price_of(estimate_trials(service, trials, create)))
    if len(trials) > largest:
        return _fit_in_batches(service, trials, create, largest, progress, reservation)
    with Payment(reservation) as payment, progress_bar("Fitting", None, progress):
        model = service.create(body).body
        payment.paid = cost_usd(model)
    return model


def fit_collecting(service: Service, model_id: str, max_usd: float | None, ignore_classes: Sequence[str] = ()) -> Json:
    """Fit a collecting model whose batches are paid, and return it (see `fit_trials`)."""
    words = f"{CREATE_USD} for the create, {HOSTING_USD} for the first month"
    with Payment(reserve(service, max_usd, lambda: Price(CREATE_USD + HOSTING_USD, words))) as payment:
        model = service.fit(model_id, ignore_classes)
        payment.paid = cost_usd(model)
    return model


def reserve(service: Service, max_usd: float | None, price: Callable[[], Price]) -> Reservation | None:
    """Reserve the amount for one fit (see `Spending.reserve`); None with a test key, whose fits cost nothing."""
    return None if service.connection.is_test else spending.reserve(max_usd, price)


class Payment:
    """Context manager that closes a reservation when the fit ends.

    A fit that the service refused costs the amount paid so far, which may be nothing. A fit with an unknown outcome
    costs the reserved amount, or the amount paid if that is larger.

    Attributes
    ----------
    paid : Decimal or None
        The amount paid so far; the body of the ``with`` statement sets it.
    """

    def __init__(self, reservation: Reservation | None) -> None:
        self.reservation = reservation
        self.paid: Decimal | None = None

    def __enter__(self) -> Payment:
        return self

    def __exit__(self, _type: object, error: BaseException | None, _trace: object) -> None:
        if self.reservation is None:
            return
        final = error is None or (isinstance(error, ServiceError) and is_final(error))
        if error is not None and final and not self.paid:
            self.reservation.release()
        elif final:
            self.reservation.settle(self.paid)
        else:
            self.reservation.settle(None, self.paid)


def _fit_in_batches(
    service: Service, trials: Trials, create: Json, largest: int, progress: bool, reservation: Reservation | None
) -> Json:
    batches = stratified_batches(trials.labels or [], largest)
    model_id: str | None = None
    with Payment(reservation) as payment:
        try:
            with progress_bar("Sending trials", len(trials), progress) as advance:
                for index in batches:
                    batch = trials[index].labelled_fields()
                    if model_id is None:
                        answer = service.create({**create, **batch, "defer_fit": True}).body
                        model_id = str(answer["id"])
                    else:
                        answer = service.add_trials(model_id, batch)
                    payment.paid = (payment.paid or Decimal(0)) + cost_usd(answer)
                    advance(len(index))
            assert model_id is not None
            with progress_bar("Fitting", None, progress):
                model = service.fit(model_id)
            payment.paid = (payment.paid or Decimal(0)) + cost_usd(model)
            return model
        except BaseException as error:
            if model_id is not None:
                _delete_or_name(service, model_id, payment.paid or Decimal(0), error)
            raise


def _delete_or_name(service: Service, model_id: str, paid: Decimal, error: BaseException) -> None:
    """Delete an unfinished model that nothing was paid for. Otherwise add its id to the exception."""
    unknown = isinstance(error, (ConnectionFailedError, KeyboardInterrupt)) and not service.connection.is_test
    if paid == 0 and not unknown:
        try:
            service.delete(model_id)
            return
        except EEGTaskClassifierError:
            pass
    if isinstance(error, ServiceError):
        error.model_id = model_id
    else:
        error.args = (*error.args, kept_model_advice(model_id))
