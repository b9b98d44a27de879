"""What fits of this process may cost: counted for all threads and classifiers together."""

from __future__ import annotations

import multiprocessing
import threading
from collections.abc import Callable
from decimal import Decimal
from typing import NamedTuple

from .errors import PaymentNotAllowedError
from .limits import CREATE_USD, HOSTING_USD


class Price(NamedTuple):
    """What a fit costs, in US dollars, and of what that consists, in words."""

    usd: Decimal
    words: str


class Reservation:
    """Room for one fit. `settle` with what was paid, or `release` where nothing was."""

    def __init__(self, spending: Spending, usd: Decimal) -> None:
        self._spending = spending
        self._usd = usd
        self._open = True

    def settle(self, usd: Decimal | None, paid: Decimal | None = None) -> None:
        """The fit has cost `usd`; None where that is not known, which counts as what was reserved, `paid` at least."""
        if self._open:
            self._open = False
            cost = max(self._usd, paid or Decimal(0)) if usd is None else usd
            self._spending._change(0, cost - self._usd)

    def release(self) -> None:
        """Nothing was paid."""
        if self._open:
            self._open = False
            self._spending._change(-1, -self._usd)


class Spending:
    """The first paid fit is free to go; any other one needs `max_usd`, the most that all of them may cost together."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._fits = 0
        self._usd = Decimal(0)

    @property
    def usd(self) -> Decimal:
        """What paid fits of this process cost so far, those that are under way included."""
        return self._usd

    @property
    def fits(self) -> int:
        """Paid fits so far, those that are under way included."""
        return self._fits

    def reserve(self, max_usd: float | None, price: Callable[[], Price]) -> Reservation:
        """Room for a fit, or `PaymentNotAllowedError`. `price` is asked only where it matters."""
        if max_usd is None and not _is_child_process():
            with self._lock:
                if self._fits == 0:
                    self._fits = 1
                    self._usd += CREATE_USD + HOSTING_USD
                    return Reservation(self, CREATE_USD + HOSTING_USD)
        cost = price()
        allowed = None if max_usd is None else Decimal(str(max_usd))
        with self._lock:
            if allowed is None or self._usd + cost.usd > allowed:
                raise PaymentNotAllowedError(self._refusal(cost, allowed), cost.usd, self._usd, allowed)
            self._fits += 1
            self._usd += cost.usd
            return Reservation(self, cost.usd)

    def _change(self, fits: int, usd: Decimal) -> None:
        with self._lock:
            self._fits += fits
            self._usd += usd

    def _refusal(self, cost: Price, allowed: Decimal | None) -> str:
        before = f"{self._fits} paid fit{'' if self._fits == 1 else 's'} of this process cost {self._usd} USD so far"
        why = (
            "every paid fit of a child process needs max_usd"
            if allowed is None and self._fits == 0
            else "only the first paid fit of a process goes without max_usd"
            if allowed is None
            else f"max_usd is {allowed}"
        )
        return (
            f"This fit would cost {cost.usd} USD ({cost.words}). {before}, and {why}. Nothing was sent that is paid "
            f"for. To allow it: max_usd={self._usd + cost.usd} or more, the most that all fits of this process may "
            "cost together; or a test key, with which nothing costs anything."
        )


def _is_child_process() -> bool:
    """Workers of joblib and multiprocessing count apart, so that none of them has a fit for nothing."""
    return multiprocessing.parent_process() is not None


#: The account of this process.
spending = Spending()
