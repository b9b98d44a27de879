"""From trials to a hosted task model: at once where one request holds them, else collected in batches."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

from .allowance import Price, Reservation, spending
from .batches import stratified_batches, trials_per_request
from .errors import ConnectionFailedError, EEGTaskClassifierError, ServiceError, kept_model
from .limits import windows_per_trial
from .progress import progress_bar
from .service import Json, Service, is_known
from .trials import Trials


def usd(answer: Json) -> Decimal:
    """What the request behind an answer cost."""
    return Decimal(str((answer.get("cost") or {}).get("usd", "0")))


def estimate_trials(service: Service, trials: Trials, create: Json) -> Json:
    """The estimate for these trials; for those of several requests that of the first batch.

    Adds ``batches`` and ``total_usd``: what fitting costs in all, a month of hosting included.
    """
    labels = trials.labels or []
    largest = trials_per_request(trials)
    if len(trials) <= largest:
        answer = service.estimate({**create, **trials.labelled()}).body
        windows, batches = 0, 1
    else:
        divided = stratified_batches(labels, largest)
        first = trials[divided[0]]
        answer = service.estimate({**create, **first.labelled(), "defer_fit": True}).body
        windows, batches = windows_per_trial(trials.x.shape[2], trials.rate_hz) * len(trials), len(divided)
    total = Decimal(answer["create_usd"]) + Decimal(answer["hosting_usd_per_month"])
    if windows:
        total += Decimal(answer["batch_usd"]) * windows / max(1, int(answer["windows"]))
    return {**answer, "batches": batches, "total_usd": total}


def price_of(estimate: Json) -> Price:
    """The price of a fit by its estimate, in words too."""
    words = f"{estimate['create_usd']} for the create, {estimate['hosting_usd_per_month']} for the first month"
    total = Decimal(estimate["total_usd"])
    batches = total - Decimal(estimate["create_usd"]) - Decimal(estimate["hosting_usd_per_month"])
    return Price(total, f"{words}, {batches.normalize():f} for {estimate['batches']} batches" if batches else words)


def fit_trials(service: Service, trials: Trials, create: Json, max_usd: float | None, progress: bool) -> Json:
    """The active task model. What was begun and not finished is deleted, unless money was paid into it."""
    largest = trials_per_request(trials)
    body = {**create, **trials.labelled()}
    if len(trials) <= largest and service.is_unanswered(body):
        reservation = None  # Counted when it was sent first.
    else:
        reservation = reserve(service, max_usd, lambda: price_of(estimate_trials(service, trials, create)))
    if len(trials) > largest:
        return _fit_in_batches(service, trials, create, largest, progress, reservation)
    with settled(reservation) as account, progress_bar("Fitting", None, progress):
        model = service.create(body).body
        account.paid = usd(model)
    return model


def reserve(service: Service, max_usd: float | None, price: Any) -> Reservation | None:
    """Room for a fit in what this process may spend; None with a test key, which spends nothing."""
    return None if service.connection.is_test else spending.reserve(max_usd, price)


class settled:
    """Closes a reservation with what was paid: nothing after a refusal, what was reserved where no answer tells."""

    def __init__(self, reservation: Reservation | None) -> None:
        self.reservation = reservation
        self.paid: Decimal | None = None

    def __enter__(self) -> settled:
        return self

    def __exit__(self, _type: object, error: BaseException | None, _trace: object) -> None:
        if self.reservation is None:
            return
        known = error is None or (isinstance(error, ServiceError) and is_known(error))
        if error is not None and known and not self.paid:
            self.reservation.release()
        elif known:
            self.reservation.settle(self.paid)
        else:
            self.reservation.settle(None, self.paid)


def _fit_in_batches(
    service: Service, trials: Trials, create: Json, largest: int, progress: bool, reservation: Reservation | None
) -> Json:
    batches = stratified_batches(trials.labels or [], largest)
    model_id: str | None = None
    with settled(reservation) as account:
        try:
            with progress_bar("Sending trials", len(trials), progress) as advance:
                for index in batches:
                    batch = trials[index].labelled()
                    if model_id is None:
                        answer = service.create({**create, **batch, "defer_fit": True}).body
                        model_id = str(answer["id"])
                    else:
                        answer = service.add_trials(model_id, batch)
                    account.paid = (account.paid or Decimal(0)) + usd(answer)
                    advance(len(index))
            assert model_id is not None
            with progress_bar("Fitting", None, progress):
                model = service.fit(model_id)
            account.paid = (account.paid or Decimal(0)) + usd(model)
            return model
        except BaseException as error:
            if model_id is not None:
                _end_or_name(service, model_id, account.paid or Decimal(0), error)
            raise


def _end_or_name(service: Service, model_id: str, paid: Decimal, error: BaseException) -> None:
    """Deletes a collecting model that nothing was paid into; else the exception names it."""
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
        error.args = (*error.args, kept_model(model_id))
