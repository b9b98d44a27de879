"""Limit on the cost of all fits of this process, counted over all threads and classifiers."""

from __future__ import annotations

import multiprocessing
import threading
from collections.abc import Callable
from decimal import Decimal
from typing import NamedTuple, Protocol

from .dollars import dollars
from .errors import PaymentNotAllowedError
from .limits import CREATE_USD, HOSTING_USD


class Price(NamedTuple):
    """Price of a fit.

    Attributes
    ----------
    usd : Decimal
        US dollars.
    words : str
        The items that the price consists of, for a message.
    """

    usd: Decimal
    words: str


class Plan(Protocol):
    """Fits of a cross-validation, some of which other processes run."""

    def paid_elsewhere(self) -> Decimal: ...


class Reservation:
    """Amount reserved for one fit.

    Call `settle` with the amount paid, `release` if nothing was paid, or `hold` while the outcome is unknown.
    """

    def __init__(self, spending: Spending, usd: Decimal, on_release: Callable[[], None] | None = None) -> None:
        self._spending = spending
        self._usd = usd
        self._on_release = on_release
        self._open = True

    def settle(self, usd: Decimal) -> None:
        """Replace the reserved amount by the cost of the fit in US dollars."""
        if self._open:
            self._open = False
            self._spending._change(0, usd - self._usd)

    def hold(self, paid: Decimal) -> None:
        """Keep the reservation, because the cost is unknown. At least the amount paid so far is counted."""
        if self._open and paid > self._usd:
            self._spending._change(0, paid - self._usd)
            self._usd = paid

    def release(self) -> None:
        """Cancel the reservation: nothing was paid."""
        if self._open:
            self._open = False
            self._spending._change(-1, -self._usd)
            if self._on_release is not None:
                self._on_release()


class Spending:
    """Paid fits of this process and their total cost.

    The first paid fit needs no permission. Every further one needs `max_usd`, a limit on the total cost of all of them.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._fits = 0
        self._usd = Decimal(0)
        self._plans: list[Plan] = []

    @property
    def usd(self) -> Decimal:
        """Total cost of the paid fits of this process in US dollars, running fits included.

        Fits that its worker processes run for a cross-validation are included.
        """
        return self._usd + sum((plan.paid_elsewhere() for plan in self._plans), Decimal(0))

    @property
    def fits(self) -> int:
        """Number of paid fits of this process, running fits included."""
        return self._fits

    def reserve(self, max_usd: float | None, price: Callable[[], Price]) -> Reservation:
        """Reserve the amount for one fit.

        Parameters
        ----------
        max_usd : float or None
            Limit on the total cost of all fits of this process, in US dollars.
        price : callable
            Returns the price of this fit. It is called only if the decision depends on the price.

        Returns
        -------
        Reservation

        Raises
        ------
        PaymentNotAllowedError
            If the total would exceed `max_usd`, or `max_usd` is missing and this is not the first fit.
        """
        if max_usd is None and not _is_child_process():
            with self._lock:
                if self._fits == 0:
                    self._fits = 1
                    self._usd += CREATE_USD + HOSTING_USD
                    return Reservation(self, CREATE_USD + HOSTING_USD)
        cost = price()
        allowed = None if max_usd is None else Decimal(str(max_usd))
        with self._lock:
            if allowed is None or self.usd + cost.usd > allowed:
                raise PaymentNotAllowedError(self._refusal(cost, allowed), cost.usd, self.usd, allowed)
            self._fits += 1
            self._usd += cost.usd
            return Reservation(self, cost.usd)

    def add_plan(self, plan: Plan) -> None:
        """Count the fits of a cross-validation that other processes run."""
        self._plans.append(plan)

    def reserve_in_plan(self, usd: Decimal, on_release: Callable[[], None]) -> Reservation:
        """Reserve the amount for a fit that the plan of a cross-validation allows.

        Parameters
        ----------
        usd : Decimal
            US dollars.
        on_release : callable
            Called if nothing was paid.
        """
        self._change(1, usd)
        return Reservation(self, usd, on_release)

    def _change(self, fits: int, usd: Decimal) -> None:
        with self._lock:
            self._fits += fits
            self._usd += usd

    def _refusal(self, cost: Price, allowed: Decimal | None) -> str:
        reason = (
            "Every paid fit of a child process needs max_usd."
            if allowed is None and self._fits == 0
            else "Only the first paid fit of a process needs no max_usd."
            if allowed is None
            else f"Your max_usd is {allowed}."
        )
        return (
            f"This fit would cost {dollars(cost.usd)} ({cost.words}), and nothing was paid for it. {reason} "
            f"This process has run {self._fits} paid fit{'' if self._fits == 1 else 's'} for {dollars(self.usd)} "
            f"in all. To allow this fit, set max_usd={self.usd + cost.usd} or more: the limit on the total cost of "
            "all fits of this process. Or use a test key: its fits cost nothing."
        )


def _is_child_process() -> bool:
    """Workers of joblib and multiprocessing count their fits separately, so none of them gets a free first fit."""
    return multiprocessing.parent_process() is not None


#: The paid fits of this process.
spending = Spending()
