"""Fit of a hosted task model: in one request if the trials fit, otherwise in several batches."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from decimal import Decimal

from .batches import stratified_batches, trials_per_request
from .dollars import dollars
from .errors import EEGTaskClassifierError, ServiceError, kept_model_advice
from .limits import CREATE_USD, HOSTING_USD, WINDOW_USD, windows_per_trial
from .paid_call import PaidCall, is_final
from .progress import progress_bar
from .service import Json, Service
from .spending_limit import Price, Reservation
from .trials import Trials

#: Reserves the amount for one fit: called with a function that returns its price. None: the fit costs nothing.
Reserve = Callable[[Callable[[], Price]], "Reservation | None"]


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


def list_price(trials: Trials) -> Price:
    """Return the price of a fit on these trials by the price list, without a request."""
    largest = trials_per_request(trials)
    words = f"{dollars(CREATE_USD)} for the create, {dollars(HOSTING_USD)} for the first month"
    if len(trials) <= largest:
        return Price(CREATE_USD + HOSTING_USD, words)
    batches = windows_per_trial(trials.x.shape[2], trials.rate_hz) * len(trials) * WINDOW_USD
    return Price(CREATE_USD + HOSTING_USD + batches, f"{words}, {dollars(batches)} for the batches")


def fit_trials(
    service: Service, trials: Trials, create: Json, reserve: Reserve, progress: bool, key: str | None = None
) -> Json:
    """Fit and host a task model.

    Parameters
    ----------
    service : Service
    trials : Trials
        Labelled trials.
    create : dict
        Fields of the create besides the trials.
    reserve : callable
        Reserves the amount for the fit.
    progress : bool
        Whether to show a progress bar.
    key : str, optional
        Idempotency key of an earlier call with the same arguments.

    Returns
    -------
    dict
        The active task model.

    Raises
    ------
    PaymentNotAllowedError
        If `reserve` does not allow the fit.
    ServiceError, ConnectionFailedError
        If the fit fails. An unfinished model is deleted, unless its batches are paid or a repeated call continues it:
        then the error names it.
    PaidCallInterrupted
        After Ctrl-C.
    """
    largest = trials_per_request(trials)
    with service.paid_call("The fit", "fit", create, trials, key) as call:
        call.price_usd = Decimal(0) if service.connection.is_test else list_price(trials).usd

        def price() -> Price:
            return price_of(estimate_trials(service, trials, create))

        reservation = reservation_of(call, reserve, price)
        if len(trials) > largest:
            return _fit_in_batches(service, call, trials, create, largest, progress, reservation)
        with Payment(reservation, call), progress_bar("Fitting", None, progress):
            model = service.create({**create, **trials.labelled_fields()}).body
            call.paid_usd += cost_usd(model)
        return model


def fit_collecting(
    service: Service, model_id: str, reserve: Reserve, ignore_classes: Sequence[str] = (), key: str | None = None
) -> Json:
    """Fit a collecting model whose batches are paid, and return it (see `fit_trials`)."""
    price = Price(
        CREATE_USD + HOSTING_USD, f"{dollars(CREATE_USD)} for the create, {dollars(HOSTING_USD)} for the first month"
    )
    with service.paid_call("The fit", "finish_fit", [model_id, *ignore_classes], None, key) as call:
        call.model_id = model_id
        call.price_usd = Decimal(0) if service.connection.is_test else price.usd
        with Payment(reservation_of(call, reserve, lambda: price), call):
            model = service.fit(model_id, ignore_classes)
            call.paid_usd += cost_usd(model)
        return model


#: Reservations of calls that run or whose outcome is unknown, by the key of the call. A repeated call has the same one.
_unsettled: dict[str, Reservation] = {}


def reservation_of(call: PaidCall, reserve: Reserve, price: Callable[[], Price]) -> Reservation | None:
    """Return the reservation of a repeated call, or reserve the amount. None: the fit costs nothing."""
    reservation = _unsettled.get(call.key) or reserve(price)
    if reservation is not None:
        _unsettled[call.key] = reservation
    return reservation


class Payment:
    """Context manager that closes a reservation when the fit ends.

    A fit that the service refused costs the amount paid so far, which may be nothing. A fit with an unknown outcome
    counts the reserved amount, or the amount paid if that is larger.

    Parameters
    ----------
    reservation : Reservation or None
    call : PaidCall
        Its ``paid_usd`` is the amount paid so far.
    """

    def __init__(self, reservation: Reservation | None, call: PaidCall) -> None:
        self.reservation = reservation
        self.call = call

    def __enter__(self) -> Payment:
        return self

    def __exit__(self, _type: object, error: BaseException | None, _trace: object) -> None:
        if self.reservation is None:
            return
        if self.call.is_abandoned or not (error is None or is_final(error)):
            self.reservation.hold(self.call.paid_usd)
            return
        _unsettled.pop(self.call.key, None)
        if error is not None and not self.call.paid_usd:
            self.reservation.release()
        else:
            self.reservation.settle(self.call.paid_usd)


def _fit_in_batches(
    service: Service,
    call: PaidCall,
    trials: Trials,
    create: Json,
    largest: int,
    progress: bool,
    reservation: Reservation | None,
) -> Json:
    batches = stratified_batches(trials.labels or [], largest)
    with Payment(reservation, call):
        try:
            with progress_bar("Sending trials", len(trials), progress) as advance:
                for index in batches:
                    batch = trials[index].labelled_fields()
                    if call.model_id is None:
                        answer = service.create({**create, **batch, "defer_fit": True}).body
                        call.model_id = str(answer["id"])
                    else:
                        answer = service.add_trials(call.model_id, batch)
                    call.paid_usd += cost_usd(answer)
                    advance(len(index))
            assert call.model_id is not None
            with progress_bar("Fitting", None, progress):
                model = service.fit(call.model_id)
            call.paid_usd += cost_usd(model)
            return model
        except EEGTaskClassifierError as error:
            if call.model_id is not None:
                _delete_or_name(service, call, call.model_id, error)
            raise


def _delete_or_name(service: Service, call: PaidCall, model_id: str, error: EEGTaskClassifierError) -> None:
    """Delete an unfinished model that nothing was paid for. Otherwise add its id to the exception."""
    final = is_final(error)
    if final and call.paid_usd == 0:
        try:
            service.delete(model_id)
            return
        except EEGTaskClassifierError:
            pass
    if isinstance(error, ServiceError):
        error.model_id = model_id
        error.repeat_continues = not final
    else:
        error.args = (f"{error} {kept_model_advice(model_id, repeat_continues=True)}",)
