"""Samples of a stream of the Lab Streaming Layer, with pylsl."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from ..data_notice import notify
from ..errors import EEGTaskClassifierError
from ..install import how_to_install
from .samples import SampleFormat, Samples

#: Seconds that one wait for samples may last, so that Ctrl-C is answered.
_PULL_SECONDS = 0.2
#: Seconds without a sample after which the stream is looked for again.
_SILENCE_SECONDS = 3.0
#: Sample times of the network vary; a longer step is a gap.
_GAP_SECONDS = 0.1

_UNITS = {
    "uv": "uV",
    "µv": "uV",
    "μv": "uV",
    "microvolt": "uV",
    "microvolts": "uV",
    "mv": "mV",
    "millivolt": "mV",
    "millivolts": "mV",
    "v": "V",
    "volt": "V",
    "volts": "V",
}


class StreamLostError(EEGTaskClassifierError):
    """The source did not deliver samples, and it did not come back in time."""


class LslSource:
    """Samples of an LSL stream. It reconnects if the stream is lost, and marks the interruption.

    Parameters
    ----------
    stream : str or pylsl.StreamInlet
        Name of the stream, or an open inlet.
    channels : sequence of str, optional
        Electrode names in the order of the stream. Default: the labels that the stream declares.
    units : str, optional
        Unit of the samples. Default: the unit that the stream declares.
    gap_seconds : float, optional
        A longer step between two samples is a gap. Default: 0.1.
    reconnect_seconds : float, default=60
        Longest wait for the stream, at the start and after it was lost, in seconds.

    Raises
    ------
    ImportError
        If pylsl is not installed.
    StreamLostError
        If there is no such stream.
    ValueError
        If the stream has no fixed sampling rate, or declares no labels or no unit.
    """

    def __init__(
        self,
        stream: Any,
        channels: Sequence[str] | None = None,
        units: str | None = None,
        gap_seconds: float | None = None,
        reconnect_seconds: float = 60.0,
    ) -> None:
        try:
            import pylsl
        except (ImportError, RuntimeError) as error:
            raise ImportError(f"Streams of LSL need pylsl and its library. {how_to_install('lsl')}") from error
        self._lsl = pylsl
        self._reconnect_seconds = reconnect_seconds
        self._name = stream if isinstance(stream, str) else str(stream.info().name())
        self._inlet = self._open() if isinstance(stream, str) else stream
        self.format = self._format(channels, units, gap_seconds)

    def __iter__(self) -> Iterator[Samples | None]:
        last = time.monotonic()
        while True:
            try:
                samples = self._pull()
            except self._lsl.LostError:
                samples, last = None, -np.inf
            if samples is not None:
                last = time.monotonic()
                yield samples
            elif time.monotonic() - last > _SILENCE_SECONDS:
                notify(f"The stream {self._name!r} delivers no samples. Waiting for it to come back.")
                self._inlet.close_stream()
                self._inlet = self._open()
                last = time.monotonic()
                yield None

    def close(self) -> None:
        """Close the inlet."""
        self._inlet.close_stream()

    def _pull(self) -> Samples | None:
        """Wait for one sample, and return it with all that have arrived since."""
        sample, stamp = self._inlet.pull_sample(timeout=_PULL_SECONDS)
        if sample is None:
            return None
        more, stamps = self._inlet.pull_chunk(timeout=0.0)
        values = np.asarray([sample, *more], dtype=np.float32)
        return Samples(values, np.asarray([stamp, *stamps], dtype=np.float64))

    def _open(self) -> Any:
        found = self._lsl.resolve_byprop("name", self._name, timeout=self._reconnect_seconds)
        if not found:
            raise StreamLostError(
                f"There was no LSL stream named {self._name!r} for {self._reconnect_seconds:g} s. Start the recording "
                "software, or check the name and the network."
            )
        # Times in the clock of this machine. Not smoothed: smoothing distributes the time of lost samples.
        return self._lsl.StreamInlet(found[0], processing_flags=self._lsl.proc_clocksync)

    def _format(self, channels: Sequence[str] | None, units: str | None, gap_seconds: float | None) -> SampleFormat:
        info = self._inlet.info()
        rate = float(info.nominal_srate())
        if rate <= 0:
            raise ValueError(f"The stream {self._name!r} has no fixed sampling rate, so it cannot be cut into windows.")
        labels, declared = _declared(info)
        names = labels if channels is None else [str(name) for name in channels]
        if len(names) != info.channel_count():
            raise ValueError(
                f"The stream {self._name!r} has {info.channel_count()} channels, but {len(names)} names. Pass "
                "channels=[…], one name per channel in the order of the stream."
            )
        unit = units or (declared.pop() if len(declared) == 1 else None)
        if unit is None:
            raise ValueError(f"The stream {self._name!r} does not declare its unit. Pass units='uV', 'mV' or 'V'.")
        return SampleFormat(tuple(names), rate, unit, _GAP_SECONDS if gap_seconds is None else gap_seconds)


def _declared(info: Any) -> tuple[list[str], set[str]]:
    """Return the labels of a stream and the units of its channels of type EEG (or of all, if no type is declared)."""
    labels: list[str] = []
    units: list[tuple[str, str]] = []
    channel = info.desc().child("channels").child("channel")
    while not channel.empty():
        labels.append(str(channel.child_value("label")))
        units.append((str(channel.child_value("type")).lower(), str(channel.child_value("unit")).lower()))
        channel = channel.next_sibling()
    eeg = [unit for kind, unit in units if kind == "eeg"] or [unit for _, unit in units]
    return labels, {_UNITS[unit] for unit in eeg if unit in _UNITS}
