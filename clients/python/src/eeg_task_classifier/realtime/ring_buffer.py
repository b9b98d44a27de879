"""Ring buffer of the newest samples."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt


class RingBuffer:
    """The newest samples of all channels.

    Every sample is written twice, one capacity apart, so that the newest ones are always one contiguous block.

    Parameters
    ----------
    channels : int
    capacity : int
        Number of samples to keep.
    """

    def __init__(self, channels: int, capacity: int) -> None:
        self._data = np.zeros((channels, 2 * capacity), dtype=np.float32)
        self._capacity = capacity
        self._written = 0

    def push(self, samples: npt.NDArray[np.float32]) -> None:
        """Append samples.

        Parameters
        ----------
        samples : ndarray, shape (samples, channels)
        """
        newest = samples[-self._capacity :]
        skipped = len(samples) - len(newest)
        places = (self._written + skipped + np.arange(len(newest))) % self._capacity
        self._data[:, places] = newest.T
        self._data[:, places + self._capacity] = newest.T
        self._written += len(samples)

    def newest(self) -> npt.NDArray[np.float32]:
        """Return a copy of the newest samples, shape (channels, capacity), oldest first."""
        start = self._written % self._capacity
        return self._data[:, start : start + self._capacity].copy()
