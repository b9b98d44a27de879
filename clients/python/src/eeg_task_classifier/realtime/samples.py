"""Samples as a source delivers them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

Float64 = npt.NDArray[np.float64]


@dataclass(frozen=True)
class SampleFormat:
    """Description of the samples of a source.

    Attributes
    ----------
    channels : tuple of str
        Electrode name of each column.
    rate_hz : float
        Nominal sampling rate in Hz.
    units : str
        ``"uV"``, ``"mV"`` or ``"V"``.
    gap_seconds : float
        A longer step between two sample times, beyond the sampling period, is a gap.
    """

    channels: tuple[str, ...]
    rate_hz: float
    units: str
    gap_seconds: float


@dataclass(frozen=True)
class Samples:
    """Consecutive samples.

    Attributes
    ----------
    values : ndarray of float32, shape (samples, channels)
    times : ndarray of float, shape (samples,), or None
        Time of each sample in seconds, by the clock of the source.
    """

    values: npt.NDArray[np.float32]
    times: Float64 | None


class SampleIterator:
    """Iterator over the samples of any iterable.

    Parameters
    ----------
    items : iterable
        Each item is one sample, shape (channels,), or several, shape (samples, channels). Or a pair of these and their
        times in seconds: one per sample, or the time of the last one. None marks an interruption.
    channels : int
        Number of channels.
    rate_hz : float
        Sampling rate in Hz.
    """

    def __init__(self, items: Any, channels: int, rate_hz: float) -> None:
        self._items = iter(items)
        self._channels = channels
        self._rate_hz = rate_hz

    def __iter__(self) -> Iterator[Samples | None]:
        for item in self._items:
            yield None if item is None else self._samples(item)

    def close(self) -> None:
        """Close a generator."""
        if hasattr(self._items, "close"):
            self._items.close()

    def _samples(self, item: Any) -> Samples:
        pair = isinstance(item, tuple) and len(item) == 2 and np.ndim(item[0]) >= 1
        values, times = item if pair else (item, None)
        block = np.atleast_2d(np.asarray(values, dtype=np.float32))
        if block.ndim != 2 or block.shape[1] != self._channels:
            hint = " Transpose it: rows are samples." if block.ndim == 2 and block.shape[0] == self._channels else ""
            raise ValueError(
                f"An item of the source has the shape {np.shape(values)}, but needs {self._channels} channels: one "
                f"sample (channels,), or several (samples, channels).{hint}"
            )
        if times is None:
            return Samples(block, None)
        stamps = np.asarray(times, dtype=np.float64)
        if stamps.ndim == 0:
            stamps = stamps - np.arange(len(block) - 1, -1, -1) / self._rate_hz
        if stamps.shape != (len(block),):
            raise ValueError(
                f"An item of the source has {len(block)} samples, but times of the shape {stamps.shape}. Give one time "
                "per sample, or the time of the last one."
            )
        return Samples(block, stamps)


def columns_of(wanted: Sequence[str], channels: Sequence[str], normalized: Any) -> list[int]:
    """Return the column of each wanted channel.

    Raises
    ------
    ValueError
        If the source lacks channels of the model.
    """
    here = {normalized(name): at for at, name in enumerate(channels)}
    missing = [name for name in wanted if normalized(name) not in here]
    if missing:
        raise ValueError(
            f"The source lacks channels of the model: {', '.join(missing)}. It has {', '.join(channels)}. If it names "
            "them otherwise, pass channels=[…] in the order of the source."
        )
    return [here[normalized(name)] for name in wanted]
