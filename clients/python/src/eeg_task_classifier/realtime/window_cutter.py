"""Windows of a running signal: when one is complete, and which ones a gap makes unusable."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from .ring_buffer import RingBuffer
from .samples import Float64, Samples

#: Seconds of uninterrupted signal after which its sampling rate is measured.
_MEASURED_SECONDS = 10.0


@dataclass(frozen=True)
class Window:
    """The newest samples at one moment.

    Attributes
    ----------
    values : ndarray of float32, shape (channels, samples)
    time : float
        Time of the last sample in seconds, by the clock of the source.
    """

    values: npt.NDArray[np.float32]
    time: float


class WindowCutter:
    """Cuts windows from a running signal.

    Windows end at fixed numbers of samples, so a clock that runs slightly fast or slow never makes them late. No window
    contains a gap, a step of the clock, or a number that is not finite: the next one begins after it.

    Parameters
    ----------
    channels : int
    samples : int
        Length of a window in samples.
    step : float
        Samples from one window to the next.
    rate_hz : float
        Nominal sampling rate in Hz.
    gap_seconds : float
        A longer step between two sample times, beyond the sampling period, is a gap.

    Attributes
    ----------
    gaps : int
        Number of gaps, steps of the clock and interruptions so far.
    lost_seconds : float
        Total length of the gaps.
    """

    def __init__(self, channels: int, samples: int, step: float, rate_hz: float, gap_seconds: float) -> None:
        self._buffer = RingBuffer(channels, samples)
        self._length, self._step = samples, step
        self._rate_hz, self._gap_seconds = rate_hz, gap_seconds
        self._since_break = 0
        self._next_end = float(samples)
        self._last_time: float | None = None
        self._segment_begin: float | None = None
        self.gaps = 0
        self.lost_seconds = 0.0

    @property
    def measured_rate_hz(self) -> float | None:
        """Sampling rate by the clock of the source since the last gap, in Hz; None before 10 s."""
        if self._segment_begin is None or self._last_time is None:
            return None
        seconds = self._last_time - self._segment_begin
        return None if seconds < _MEASURED_SECONDS else (self._since_break - 1) / seconds

    def interrupt(self) -> None:
        """Begin anew: the samples before and after do not belong together."""
        if self._since_break:
            self.gaps += 1
        self._since_break = 0
        self._next_end = float(self._length)
        self._segment_begin = None

    def push(self, samples: Samples) -> list[Window]:
        """Add samples and return the windows that they complete, oldest first."""
        times = self._times(samples)
        finite: npt.NDArray[np.bool_] = np.asarray(np.isfinite(samples.values).all(axis=1))
        steps = np.diff(times, prepend=times[0] - 1 / self._rate_hz if self._last_time is None else self._last_time)
        limit = 1 / self._rate_hz + self._gap_seconds
        broken = np.flatnonzero((steps > limit) | (steps < -self._gap_seconds) | ~finite)
        windows: list[Window] = []
        begin = 0
        for at in broken.tolist():
            windows += self._append(samples.values[begin:at], times[begin:at])
            self.interrupt()
            self.lost_seconds += max(0.0, float(steps[at]) - 1 / self._rate_hz) if finite[at] else 1 / self._rate_hz
            # A sample that is not finite is left out.
            begin = at if finite[at] else at + 1
        windows += self._append(samples.values[begin:], times[begin:])
        self._last_time = float(times[-1])
        return windows

    def _times(self, samples: Samples) -> Float64:
        if samples.times is not None:
            return samples.times
        first = 0.0 if self._last_time is None else self._last_time + 1 / self._rate_hz
        return first + np.arange(len(samples.values)) / self._rate_hz

    def _append(self, values: npt.NDArray[np.float32], times: Float64) -> list[Window]:
        windows: list[Window] = []
        at = 0
        if len(values) and self._segment_begin is None:
            self._segment_begin = float(times[0])
        while at < len(values):
            taken = min(len(values) - at, max(1, round(self._next_end) - self._since_break))
            self._buffer.push(values[at : at + taken])
            self._since_break += taken
            at += taken
            if self._since_break >= round(self._next_end):
                windows.append(Window(self._buffer.newest(), float(times[at - 1])))
                self._next_end += self._step
        return windows
