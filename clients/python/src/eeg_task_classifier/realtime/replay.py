"""A recording as a source of samples, at the speed of its own clock or faster."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Any

import numpy as np
import numpy.typing as npt

Item = tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]


def replay(raw: Any, *, speed: float | None = 1.0, chunk_seconds: float = 0.05) -> Iterator[Item]:
    """Yield the samples of a recording when its clock says so, to try a stream without an amplifier.

    Parameters
    ----------
    raw : mne.io.Raw
    speed : float or None, default=1
        How many times faster than recorded. None: without waiting.
    chunk_seconds : float, default=0.05
        Seconds of signal in each item.

    Yields
    ------
    values : ndarray, shape (samples, channels)
        In volts.
    times : ndarray, shape (samples,)
        Seconds from the beginning of the recording.
    """
    rate = float(raw.info["sfreq"])
    step = max(1, round(chunk_seconds * rate))
    begun = time.monotonic()
    for start in range(0, raw.n_times, step):
        stop = min(start + step, raw.n_times)
        if speed is not None:
            time.sleep(max(0.0, begun + stop / rate / speed - time.monotonic()))
        yield raw.get_data(start=start, stop=stop).T, np.arange(start, stop) / rate
