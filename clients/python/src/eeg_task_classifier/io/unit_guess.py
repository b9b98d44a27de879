"""Guess of the unit of a signal from its size."""

from __future__ import annotations

from typing import Any

import numpy as np

#: Usual size of changes within a second of EEG, in microvolts.
_EEG_MICROVOLTS = (0.5, 500.0)


def unit_guess(values: Any) -> tuple[str | None, str]:
    """Guess the unit of numbers that are probably EEG.

    Parameters
    ----------
    values : ndarray, shape (channels, samples)
        In their unknown unit.

    Returns
    -------
    unit : str or None
        ``"uV"``, ``"mV"`` or ``"V"``; None if none of them fits.
    reason : str
        Sentence with the number that the guess rests on, without a full stop.
    """
    finite = np.where(np.isfinite(values), values, 0.0)
    size = float(np.median(finite.std(axis=1)))
    for unit, microvolts in (("uV", 1.0), ("mV", 1e3), ("V", 1e6)):
        if _EEG_MICROVOLTS[0] <= size * microvolts <= _EEG_MICROVOLTS[1]:
            return unit, f"Its values vary by {size:.3g} (standard deviation), as EEG in {unit} does"
    return None, f"Its values vary by {size:.3g} (standard deviation), which fits EEG in no usual unit"
