"""Trials and the request fields that contain them."""

from __future__ import annotations

import base64
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from .recording_info import RecordingInfo

Float32 = npt.NDArray[np.float32]


@dataclass(frozen=True)
class Trials:
    """Trials of one length.

    Attributes
    ----------
    x : ndarray of float32, shape (trials, channels, samples)
        Signal in `units`.
    channels : list of str, length (channels,)
        Electrode names.
    rate_hz : float
        Sampling rate in Hz.
    units : str
        ``"uV"``, ``"mV"`` or ``"V"``.
    labels : list of str, length (trials,), or None
        Class names.
    sessions : list of str, length (trials,), or None
        Session names.
    baseline_seconds : float or None
        Time before the cue in each trial, in seconds.
    notes : tuple of str
        Data that was left out or changed.
    recording : RecordingInfo or None
        Filters, reference and projections; None for arrays, which do not say.
    """

    x: Float32
    channels: list[str]
    rate_hz: float
    units: str
    labels: list[str] | None = None
    sessions: list[str] | None = None
    baseline_seconds: float | None = None
    notes: tuple[str, ...] = field(default=())
    recording: RecordingInfo | None = None

    def __len__(self) -> int:
        return int(self.x.shape[0])

    def __getitem__(self, index: Sequence[int] | npt.NDArray[np.intp]) -> Trials:
        def pick(names: list[str] | None) -> list[str] | None:
            return None if names is None else [names[i] for i in index]

        return replace(self, x=self.x[np.asarray(index)], labels=pick(self.labels), sessions=pick(self.sessions))

    def signal_fields(self) -> dict[str, Any]:
        """Return the signal fields of a request; `x` is base64 of little-endian float32."""
        return {
            "x": base64.b64encode(np.ascontiguousarray(self.x, dtype="<f4").tobytes()).decode(),
            "shape": [int(size) for size in self.x.shape],
            "sampling_rate_hz": self.rate_hz,
            "units": self.units,
            "channels": self.channels,
        }

    def labelled_fields(self) -> dict[str, Any]:
        """Return the fields of a batch: signal, labels, and sessions if there are any."""
        sessions = {} if self.sessions is None else {"sessions": self.sessions}
        return {**self.signal_fields(), "labels": self.labels, **sessions}
