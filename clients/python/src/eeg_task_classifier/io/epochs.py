"""Recordings cut into trials."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from ..data_notice import notify
from ..install import how_to_install
from .events import EventKind, Events, event_array, events_by_recording, find_events, listed
from .recordings import read_recording
from .require_mne import require_mne

PathLike = str | os.PathLike[str]
Seconds = npt.NDArray[np.float64]


def read_epochs(
    path: PathLike | Sequence[PathLike],
    events: Events | None,
    window: tuple[float, float],
    *,
    stim_channel: str | None = None,
    stream: str | None = None,
) -> Any:
    """Read one or several recordings and cut trials at their events.

    Parameters
    ----------
    path : path-like, or sequence of path-like
        With several files, each one is a session: ``metadata["session"]`` contains its name.
    events : dict or None
        Markers of each class, such as ``{"left": "T1", "right": ["T2", 7]}``: texts of annotations, values of trigger
        channels, markers of XDF. One of the files must have each marker. None: every annotation is a class.
    window : tuple of (float, float)
        Begin and end of a trial in seconds from the event. The end is not included: (0, 4) at 160 Hz gives 640
        samples.
    stim_channel : str, optional
        The trigger channel, if MNE does not recognise its type.
    stream : str, optional
        Name of the EEG stream, for an XDF file with several.

    Returns
    -------
    mne.Epochs
        In volts.

    Raises
    ------
    FileNotFoundError
        If there is no such file.
    ImportError
        If MNE is not installed, or pyxdf for XDF, or pandas for several files.
    ValueError
        If a marker is missing or ambiguous, the window contains no sample, no trial is inside the recording, or the
        files differ in channels or sampling rate.

    Warns
    -----
    DataNotice
        Number of trials left out: they reach beyond the recording or into a span annotated as bad.

    Notes
    -----
    Nothing is filtered, re-referenced or renamed. No projection is applied and no baseline is subtracted.
    """
    mne = require_mne()
    paths = [path] if isinstance(path, (str, os.PathLike)) else list(path)
    parts = epochs_by_recording(paths, events, window, stim_channel, stream)
    return _joined(mne, [epochs for epochs, _ in parts], paths)


def read_windows(path: PathLike, seconds: float, *, stream: str | None = None) -> Any:
    """Read a recording and cut it into consecutive trials; a shorter rest at the end is left out.

    Parameters
    ----------
    path : path-like
    seconds : float
        Length of a trial in seconds.
    stream : str, optional
        Name of the EEG stream, for an XDF file with several.

    Returns
    -------
    mne.Epochs
        In volts.

    Raises
    ------
    FileNotFoundError, ImportError, ValueError
        As `read_epochs`.
    """
    return windows_of(path, seconds, stream)[0]


def epochs_by_recording(
    paths: Sequence[PathLike],
    events: Events | None,
    window: tuple[float, float],
    stim_channel: str | None,
    stream: str | None,
) -> list[tuple[Any, Seconds]]:
    """Cut trials from each recording (see `read_epochs`).

    Returns
    -------
    list of tuple of (mne.Epochs, ndarray of shape (trials,))
        Trials of each recording, and the times of their events in seconds from its beginning. A class has the same
        code in all recordings.
    """
    raws = [read_recording(path, stream=stream) for path in paths]
    found = [find_events(raw, stim_channel) for raw in raws]
    names = [Path(path).name for path in paths]
    texts = sorted({kind.name for kinds in found for kind in kinds if not kind.is_trigger and _is_event(kind.name)})
    asked = events or {name: name for name in texts}
    if not asked:
        raise ValueError(f"{', '.join(names)}: there are no annotations. Name the events of each class.")
    try:
        wanted = events_by_recording(asked, found)
    except ValueError as error:
        raise ValueError(f"{', '.join(names)}: {error}") from None
    return [_trials_of(*each, window) for each in zip(raws, wanted, found, names, strict=True)]


def _trials_of(
    raw: Any, events: Events, kinds: Sequence[EventKind], name: str, window: tuple[float, float]
) -> tuple[Any, Seconds]:
    try:
        array, event_id = event_array(events, kinds)
        if not len(array):
            raise ValueError(f"The recording has none of the events. There are: {listed(kinds)}.")
    except ValueError as error:
        raise ValueError(f"{name}: {error}") from None
    return _cut(raw, array, event_id, window, name)


def windows_of(path: PathLike, seconds: float, stream: str | None) -> tuple[Any, Seconds]:
    """Cut a recording into consecutive trials (see `read_windows`).

    Returns
    -------
    epochs : mne.Epochs
    starts : ndarray, shape (trials,)
        Begin of each trial in seconds from the beginning of the recording.
    """
    raw = read_recording(path, stream=stream)
    samples = _samples(seconds, float(raw.info["sfreq"]))
    starts = np.arange(0, raw.n_times - samples + 1, samples)
    array = np.column_stack([starts, np.zeros_like(starts), np.ones_like(starts)])
    return _cut(raw, array, {"window": 1}, (0.0, seconds), Path(path).name)


def _samples(seconds: float, rate: float) -> int:
    return round(seconds * rate)


def _is_event(name: str) -> bool:
    """Return whether an annotation is an event, not a note of MNE or BrainVision about the signal."""
    return not name.lower().startswith(("bad", "edge")) and name != "New Segment/"


def _cut(raw: Any, array: Any, event_id: dict[str, int], window: tuple[float, float], name: str) -> tuple[Any, Seconds]:
    mne = require_mne()
    rate = float(raw.info["sfreq"])
    begin, end = _samples(window[0], rate), _samples(window[1], rate)
    if end - begin < 1:
        raise ValueError(f"The window from {window[0]} to {window[1]} s contains no sample at {rate:g} Hz.")
    shifted = array.copy()
    shifted[:, 0] += int(raw.first_samp)
    epochs = mne.Epochs(
        raw,
        shifted,
        event_id,
        tmin=begin / rate,
        tmax=(end - 1) / rate,
        baseline=None,
        proj=False,
        preload=True,
        on_missing="ignore",
        verbose="ERROR",
    )
    if not len(epochs):
        raise ValueError(f"{name}: none of {len(array)} trials is inside the recording.")
    if len(epochs) < len(array):
        reasons = sorted({reason for reasons in epochs.drop_log for reason in reasons})
        notify(f"{name}: {len(array) - len(epochs)} of {len(array)} trials are left out ({', '.join(reasons)}).")
    return epochs, array[epochs.selection, 0] / rate


def _joined(mne: Any, parts: list[Any], paths: Sequence[PathLike]) -> Any:
    if len(parts) == 1:
        return parts[0]
    if any(part.ch_names != parts[0].ch_names or part.info["sfreq"] != parts[0].info["sfreq"] for part in parts):
        raise ValueError("These recordings differ in channels or sampling rate. Read them one at a time.")
    joined = mne.concatenate_epochs(parts, on_mismatch="ignore", verbose="ERROR")
    names = [Path(each).stem for each in paths]
    if len(set(names)) < len(names):
        names = [str(each) for each in paths]
    with mne.utils.use_log_level("ERROR"):
        joined.metadata = _table({"session": np.repeat(names, [len(part) for part in parts])})
    return joined


def _table(columns: dict[str, Any]) -> Any:
    try:
        from pandas import DataFrame
    except ImportError as error:
        raise ImportError(f"Several files need pandas for their sessions. {how_to_install('mne')}") from error
    return DataFrame(columns)
