"""The priced fits of a cross-validation or a search, and the ones that have begun, counted over all processes."""

from __future__ import annotations

import os
import shutil
import tempfile
import weakref
from decimal import Decimal
from pathlib import Path

from .dollars import dollars
from .errors import PaymentNotAllowedError
from .limits import CREATE_USD, HOSTING_USD
from .spending_limit import Reservation, Spending

#: The three ways to pay for fits of clones, for messages.
_WAYS = (
    "Set the environment variable EEG_TEST_KEY: clones then use this test key, and cost nothing. Or price the whole "
    "search first, print(estimate_cv(clf, cv, X, y)), and allow it: clf.set_params(max_usd=…) with the printed total."
)


class CrossValidationPlan:
    """Fits that `estimate_cv` has priced. Clones of the classifier reserve them one by one.

    A fit in a worker process of joblib reserves a file in a folder of this machine, so all processes share one count.

    Parameters
    ----------
    fits : int
        Number of fits.
    fit_usd : Decimal
        Most that one of them may cost, in US dollars.
    total_usd : Decimal
        Price of all fits and predictions.
    spent_usd : Decimal
        Cost of the paid fits of this process before the search.
    """

    def __init__(self, fits: int, fit_usd: Decimal, total_usd: Decimal, spent_usd: Decimal) -> None:
        self.fits = fits
        self.fit_usd = fit_usd
        self.total_usd = total_usd
        self.spent_usd = spent_usd
        self._folder = Path(tempfile.mkdtemp(prefix="eeg-cross-validation-"))
        # Only this object has the finalizer. Pickled copies in worker processes do not remove the folder.
        weakref.finalize(self, _remove_folder, self._folder, os.getpid())

    def __deepcopy__(self, _memo: object) -> CrossValidationPlan:
        return self

    def reserve(self, usd: Decimal, max_usd: float | None, spending: Spending) -> Reservation:
        """Reserve one fit.

        Parameters
        ----------
        usd : Decimal
            Its price in US dollars.
        max_usd : float or None
            Limit on the cost of all paid fits of the process that made the plan, this whole search included.
        spending : Spending
            The paid fits of this process.

        Raises
        ------
        PaymentNotAllowedError
            If `max_usd` is less than the price of the whole search, all fits have begun, or this fit costs more than
            planned.
        """
        needed = self.spent_usd + self.total_usd
        allowed = None if max_usd is None else Decimal(str(max_usd))
        if allowed is None or needed > allowed:
            limit = "max_usd is not set" if allowed is None else f"your max_usd is {allowed}"
            raise PaymentNotAllowedError(
                f"The whole search costs {dollars(self.total_usd)} for {self.fits} fits, and {limit}. "
                f"Nothing was paid. This process has paid {dollars(self.spent_usd)} before. "
                f"Set max_usd={needed} or more to allow the search. "
                "Or set EEG_TEST_KEY: clones then use this test key, and cost nothing.",
                self.total_usd,
                self.spent_usd,
                allowed,
            )
        if usd > self.fit_usd:
            raise PaymentNotAllowedError(
                f"This fit costs {dollars(usd)}, because its trials need several requests, but the search was priced "
                f"with {dollars(self.fit_usd)} per fit. Nothing was paid for it. Pass X and y to estimate_cv.",
                usd,
                spending.usd,
                allowed,
            )
        if not self._folder.is_dir():
            raise PaymentNotAllowedError(
                "The search was priced by a process that has ended or runs on another machine. Nothing was paid. "
                f"{_WAYS}",
                usd,
                spending.usd,
                allowed,
            )
        slot = self._take_slot()
        if slot is None:
            raise PaymentNotAllowedError(
                f"All {self.fits} fits of the priced search have begun, and this is one more. Nothing was paid for it. "
                "Call estimate_cv again for the next search; it counts the candidates and the refit of a search if you "
                "pass the search itself.",
                usd,
                spending.usd,
                allowed,
            )
        return spending.reserve_in_plan(usd, lambda: slot.unlink(missing_ok=True))

    def paid_elsewhere(self) -> Decimal:
        """Return the reserved cost of the fits in other processes, in US dollars."""
        own = str(os.getpid())
        return self.fit_usd * sum(_owner(slot) != own for slot in self._folder.glob("fit-*"))

    def _take_slot(self) -> Path | None:
        """Reserve the first free fit: a file that only one process can make."""
        for number in range(self.fits):
            slot = self._folder / f"fit-{number}"
            try:
                with slot.open("x") as file:
                    file.write(str(os.getpid()))
            except FileExistsError:
                continue
            return slot
        return None


def _owner(slot: Path) -> str:
    """Return the id of the process that reserved a fit; empty if the fit was released just now."""
    try:
        return slot.read_text()
    except FileNotFoundError:
        return str(os.getpid())


def _remove_folder(folder: Path, owner: int) -> None:
    """Remove the folder of a plan. A forked process has the finalizer too, and keeps the folder."""
    if os.getpid() == owner:
        shutil.rmtree(folder, ignore_errors=True)


def refusal_of_clones(spending: Spending, max_usd: float | None) -> PaymentNotAllowedError:
    """Return the refusal of a paid fit of a clone whose search is not priced."""
    price = CREATE_USD + HOSTING_USD
    return PaymentNotAllowedError(
        "This classifier is a clone, as cross_val_score, GridSearchCV and MOABB make them. With a live key each fit of "
        f"a clone costs {dollars(price)} for a model that is deleted at once. Nothing was paid. {_WAYS}",
        price,
        spending.usd,
        None if max_usd is None else Decimal(str(max_usd)),
    )
