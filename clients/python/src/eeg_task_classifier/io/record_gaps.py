"""Pauses of discontinuous EDF+ and BDF+ files."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence


class RecordClock:
    """Clock of a file whose data records may be apart in time.

    Parameters
    ----------
    onsets : sequence of float, or None
        Begin of each data record in seconds; None if they follow each other.
    record_seconds : float
        Length of a data record.
    rate : float
        Sampling rate in Hz. Differences of less than a sample are no pause.

    Attributes
    ----------
    gaps : list of float
        Position of each pause, in seconds of signal from the first sample.
    paused : float
        Length of all pauses in seconds.
    """

    def __init__(self, onsets: Sequence[float] | None, record_seconds: float, rate: float) -> None:
        self._seconds = record_seconds
        self._slack = max(1e-3, 1 / rate)
        #: Begin of each stretch in true time, and in seconds of signal.
        self._true, self._signal = [0.0], [0.0]
        self.paused = 0.0
        for at in range(1, len(onsets) if onsets else 0):
            assert onsets is not None
            expected = self._true[-1] + at * record_seconds - self._signal[-1]
            if abs(onsets[at] - expected) > self._slack:
                self.paused += max(0.0, onsets[at] - expected)
                self._true.append(onsets[at])
                self._signal.append(at * record_seconds)
        self.gaps = self._signal[1:]
        #: Stretches in the order of their true time.
        self._order = sorted(range(len(self._true)), key=lambda stretch: self._true[stretch])
        self._begins = [self._true[each] for each in self._order]

    def sample_seconds(self, onset: float) -> float | None:
        """Convert true time to seconds of signal from the first sample; None inside a pause."""
        if not self.gaps:
            return onset
        place = max(0, bisect_right(self._begins, onset + 1e-9) - 1)
        stretch = self._order[place]
        seconds = self._signal[stretch] + onset - self._true[stretch]
        last = stretch + 1 == len(self._signal)
        return seconds if last or seconds < self._signal[stretch + 1] - 1e-9 else None

    def signal_length(self, onset: float, duration: float) -> float:
        """Return the seconds of signal in a span of true time that begins at `onset`."""
        if not self.gaps or duration <= 0:
            return duration
        begin, end = self._before(onset), self._before(onset + duration)
        return max(0.0, end - begin)

    def _before(self, onset: float) -> float:
        """Return the seconds of signal before a true time; in a pause, those before the pause."""
        stretch = self._order[max(0, bisect_right(self._begins, onset + 1e-9) - 1)]
        seconds = self._signal[stretch] + onset - self._true[stretch]
        return seconds if stretch + 1 == len(self._signal) else min(seconds, self._signal[stretch + 1])
