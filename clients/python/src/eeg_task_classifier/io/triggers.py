"""Events of trigger channels."""

from __future__ import annotations

from typing import Any

import numpy as np

from .reader_rules import TRIGGERS


def trigger_events(values: Any) -> list[tuple[int, str]]:
    """Find the changes of a trigger channel to a value other than its resting value.

    The resting value is 0, or the most frequent value if there is no 0. The value of the first sample is no event.

    Parameters
    ----------
    values : ndarray, shape (samples,)
        Values in the unit of the file.

    Returns
    -------
    list of (int, str)
        Sample and value of each event. Empty if the channel is a signal: too many different values, or too many
        changes.
    """
    whole = np.round(values)
    values = np.where(np.abs(values - whole) < TRIGGERS["wholeWithin"], whole, np.round(values, 2))
    kinds, counts = np.unique(values, return_counts=True)
    changes = np.flatnonzero(np.diff(values)) + 1
    if len(kinds) > TRIGGERS["mostValues"] or len(changes) > TRIGGERS["mostChangesPerSample"] * len(values):
        return []
    resting = 0.0 if 0 in kinds else kinds[counts.argmax()]
    return [(int(at), _text(values[at])) for at in changes if values[at] != resting]


def _text(value: float) -> str:
    return str(int(value)) if value == int(value) else f"{value:.2f}".rstrip("0")
