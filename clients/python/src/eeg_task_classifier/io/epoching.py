"""Recordings cut into trials."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from ..notices import say
from .events import Events, Found, described, event_array, find_events, in_one_at_least
from .recordings import read_recording, require_mne

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
    """Trials of one or several recordings as ``mne.Epochs``.

    Parameters
    ----------
    path : path-like, or several
        With several, every file is a session: ``metadata["session"]`` holds its name.
    events : dict or None
        The markers of each class in the recording, such as ``{"left": "T1", "right": ["T2", 7]}``:
        descriptions of annotations, values of trigger channels, markers of XDF. None: every annotation is a class.
    window : (float, float)
        Seconds from the event, the end not included: (0, 4) at 160 Hz are 640 samples.
    stim_channel : str, optional
        The trigger channel, where MNE does not know it by its type.
    stream : str, optional
        The EEG stream of an XDF file with several.

    Notes
    -----
    Nothing is filtered, re-referenced or renamed, no projection is applied and no baseline subtracted. With several
    files a marker must be in one of them at least. Trials that reach beyond the
    recording or into a span annotated as bad are left out, and a `DataNotice` says how many.
    """
    mne = require_mne()
    paths = [path] if isinstance(path, (str, os.PathLike)) else list(path)
    parts = epochs_of(paths, events, window, stim_channel, stream)
    return _joined(mne, [epochs for epochs, _ in parts], paths)


def read_windows(path: PathLike, seconds: float, *, stream: str | None = None) -> Any:
    """A recording cut into trials of one length, one after another, as ``mne.Epochs``; the rest is left out."""
    return windows_of(path, seconds, stream)[0]


def epochs_of(
    paths: Sequence[PathLike],
    events: Events | None,
    window: tuple[float, float],
    stim_channel: str | None,
    stream: str | None,
) -> list[tuple[Any, Seconds]]:
    """Trials of each recording, and when their events are, in seconds from its begin. A class has one code in all."""
    raws = [read_recording(path, stream=stream) for path in paths]
    found = [find_events(raw, stim_channel) for raw in raws]
    names = [Path(path).name for path in paths]
    marks = sorted({kind.name for kinds in found for kind in kinds if not kind.is_trigger and not _is_mark(kind.name)})
    asked = events or {name: name for name in marks}
    if not asked:
        raise ValueError(f"{', '.join(names)}: no annotations: say which events are which class.")
    try:
        wanted = in_one_at_least(asked, found)
    except ValueError as error:
        raise ValueError(f"{', '.join(names)}: {error}") from None
    return [_trials_of(*each, window) for each in zip(raws, wanted, found, names, strict=True)]


def _trials_of(
    raw: Any, events: Events, found: Sequence[Found], name: str, window: tuple[float, float]
) -> tuple[Any, Seconds]:
    try:
        array, event_id = event_array(events, found)
        if not len(array):
            raise ValueError(f"there is none of the events. There are: {described(found)}.")
    except ValueError as error:
        raise ValueError(f"{name}: {error}") from None
    return _cut(raw, array, event_id, window, name)


def windows_of(path: PathLike, seconds: float, stream: str | None) -> tuple[Any, Seconds]:
    """Trials of one length that cover a recording, and when they begin, in seconds."""
    raw = read_recording(path, stream=stream)
    samples = _samples(seconds, float(raw.info["sfreq"]))
    starts = np.arange(0, raw.n_times - samples + 1, samples)
    array = np.column_stack([starts, np.zeros_like(starts), np.ones_like(starts)])
    return _cut(raw, array, {"window": 1}, (0.0, seconds), Path(path).name)


def _samples(seconds: float, rate: float) -> int:
    return round(seconds * rate)


def _is_mark(name: str) -> bool:
    return name.lower().startswith(("bad", "edge")) or name == "New Segment/"


def _cut(raw: Any, array: Any, event_id: dict[str, int], window: tuple[float, float], name: str) -> tuple[Any, Seconds]:
    mne = require_mne()
    rate = float(raw.info["sfreq"])
    begin, end = _samples(window[0], rate), _samples(window[1], rate)
    if end - begin < 1:
        raise ValueError(f"The window {window[0]} to {window[1]} s holds no sample at {rate:g} Hz.")
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
        raise ValueError(f"{name}: none of {len(array)} trials lies within the recording.")
    if len(epochs) < len(array):
        why = sorted({reason for reasons in epochs.drop_log for reason in reasons})
        say(f"{name}: {len(array) - len(epochs)} of {len(array)} trials are left out ({', '.join(why)}).")
    return epochs, array[epochs.selection, 0] / rate


def _joined(mne: Any, parts: list[Any], paths: Sequence[PathLike]) -> Any:
    if len(parts) == 1:
        return parts[0]
    if any(part.ch_names != parts[0].ch_names or part.info["sfreq"] != parts[0].info["sfreq"] for part in parts):
        raise ValueError("These recordings differ in their channels or sampling rates.")
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
        raise ImportError("Sessions of several files need pandas: pip install './clients/python[mne]'") from error
    return DataFrame(columns)
