"""Times of samples without the jitter of their stamps."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np

#: A jump of the time stamps counts as lost samples if it is at least this many sample periods ...
_STEP_PERIODS = 0.8
#: ... measured over this many seconds before and after it.
_STEP_SECONDS = 1.0
#: A clock that goes back by less than so many seconds only corrects an earlier delay.
_LEAST_JUMP_BACK = 0.05
#: A measured sampling rate is meaningful from this many seconds on.
_LEAST_RATE_SECONDS = 10.0


def undo_jumps_back(stamps: Any, rate: float) -> tuple[Any, list[tuple[int, float]]]:
    """Undo jumps of a clock to an earlier time. Samples follow each other, so the later ones belong later.

    Parameters
    ----------
    stamps : ndarray, shape (samples,)
        Seconds.
    rate : float
        Sampling rate in Hz.

    Returns
    -------
    stamps : ndarray, shape (samples,)
        Seconds of the clock before its first jump.
    jumps : list of tuple of (int, float)
        Index of the first sample after each jump, and how far the clock went back in seconds.
    """
    fixed = stamps.copy()
    width = max(2, round(_STEP_SECONDS * rate))
    jumps: list[tuple[int, float]] = []
    for at in (int(each) + 1 for each in np.flatnonzero(np.diff(stamps) < -_LEAST_JUMP_BACK)):
        late = (
            fixed[max(0, at - width) : at + width] - np.arange(max(0, at - width), min(len(fixed), at + width)) / rate
        )
        split = at - max(0, at - width)
        step = float(np.median(late[split:]) - np.median(late[:split]))
        if step < -_LEAST_JUMP_BACK:
            fixed[at:] -= step
            jumps.append((at, -step))
    return fixed, jumps


def measured_rate(times: Any, gaps: Any) -> float | None:
    """Return the sampling rate in Hz that smoothed times show; None for less than 10 s.

    Parameters
    ----------
    times : ndarray, shape (samples,)
        Seconds.
    gaps : ndarray of int
        Index of the last sample before each gap.
    """
    edges = [0, *(int(gap) + 1 for gap in gaps), len(times)]
    parts = [
        (end - begin - 1, float(times[end - 1] - times[begin])) for begin, end in pairwise(edges) if end - begin > 1
    ]
    seconds = sum(part for _, part in parts)
    return sum(count for count, _ in parts) / seconds if seconds >= _LEAST_RATE_SECONDS else None


def smooth_times(stamps: Any, rate: float) -> tuple[Any, Any]:
    """Remove the jitter from time stamps, and find lost samples.

    After a late chunk the stamps soon return to the expected times. After lost samples all stamps stay later.

    Parameters
    ----------
    stamps : ndarray, shape (samples,)
        Seconds.
    rate : float
        Sampling rate in Hz.

    Returns
    -------
    times : ndarray, shape (samples,)
        Seconds.
    gaps : ndarray of int, shape (gaps,)
        Index of the last sample before each gap.
    """
    late = stamps - np.arange(len(stamps)) / rate
    width = max(2, round(_STEP_SECONDS * rate))
    steps = np.diff(late)
    found: dict[int, float] = {}
    for at in np.flatnonzero(steps > 0.5 / rate):
        before, after = late[max(0, at + 1 - width) : at + 1], late[at + 1 : at + 1 + width]
        step = float(np.median(after) - np.median(before))
        if step > _STEP_PERIODS / rate and steps[at] > step / 2:
            found[int(at)] = step
    # A late stamp near lost samples looks like a smaller gap.
    gaps = [at for at, step in found.items() if not any(abs(at - one) <= width and found[one] > step for one in found)]
    times = np.empty_like(stamps)
    edges = [0, *(gap + 1 for gap in gaps), len(stamps)]
    for begin, end in pairwise(edges):
        index = np.arange(end - begin)
        line = np.polyfit(index, stamps[begin:end], 1) if end - begin > 2 * width else [1 / rate, 0.0]
        drift = index * line[0]
        times[begin:end] = drift + np.median(stamps[begin:end] - drift)
    return times, np.array(gaps, dtype=int)
