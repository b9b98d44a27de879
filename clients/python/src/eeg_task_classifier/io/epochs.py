"""Recordings cut into trials."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from ..data_notice import notify
from ..errors import RecordingError
from ..install import how_to_install
from .epochs_files import kinds_of_epochs, read_epochs_file, select_epochs
from .events import EventKind, Events, event_array, events_by_recording, find_events, listed, with_whole_names
from .read_options import ChannelNames, ReadOptions
from .reader_rules import marks_no_trial, stage_of
from .recordings import PathLike, existing, holds_epochs, read_with
from .require_mne import require_mne
from .spans import BadSpans, counted, length_of_stages, say_long_spans, windows_of_spans, without_long_stages

Seconds = npt.NDArray[np.float64]
Window = tuple[float, float]


def read_epochs(
    path: PathLike | Sequence[PathLike],
    events: Events | Sequence[Events] | None = None,
    window: Window | None = None,
    *,
    every: float | None = None,
    annotations: PathLike | Sequence[PathLike | None] | None = None,
    stim_channel: str | None = None,
    stream: str | None = None,
    unit: str | None = None,
    encoding: str | None = None,
    channels: ChannelNames | None = None,
    rate: float | None = None,
) -> Any:
    """Read one or several recordings and cut trials at their events.

    Parameters
    ----------
    path : path-like, or sequence of path-like
        With several files, each one is a session: ``metadata["session"]`` contains its name. A file may also hold
        epochs (EEGLAB ``.set``, ``-epo.fif``).
    events : dict, sequence of dict, or None
        Markers of each class, such as ``{"left": "T1", "right": ["T2", 7]}``: texts of annotations, values of trigger
        channels, markers of XDF, names of epochs. One of the files must have each marker. A sequence has the markers
        of each file, if their meaning differs. None: every annotation that marks a trial is a class; without
        annotations, every trigger.
    window : tuple of (float, float), optional
        Begin and end of a trial in seconds from the event. The end is not included: (0, 4) at 160 Hz gives 640
        samples. Not needed with `every`, for files that hold epochs, and for stages of sleep (30 s).
    every : float, optional
        Cut the span of each event into consecutive trials of this length in seconds, such as eyes closed for 60 s.
    annotations : path-like, or sequence of path-like or None, optional
        For each recording a file with its annotations, such as a hypnogram (see `read_recording`).
    stim_channel, stream, unit, encoding, channels, rate
        Facts that the files lack (see `read_recording`).

    Returns
    -------
    mne.Epochs
        In volts, shape (trials, channels, samples).

    Raises
    ------
    FileNotFoundError
        If there is no such file.
    ImportError
        If MNE is not installed, or pyxdf for XDF, or pandas for several files.
    RecordingError
        If a file cannot be read as it is; a `ValueError`.
    ValueError
        If a marker is missing or ambiguous, the window contains no sample, no trial is inside the recording, or the
        files differ in channels or sampling rate.

    Warns
    -----
    DataNotice
        What is left out, renamed or assumed, with counts. Trials are left out if they reach beyond the recording, into
        a span annotated as bad, or across a gap.

    Notes
    -----
    Nothing is filtered or re-referenced. No projection is applied and no baseline is subtracted. A stage of sleep that
    lasts several epochs of 30 s becomes as many trials.
    """
    mne = require_mne()
    paths = [path] if isinstance(path, (str, os.PathLike)) else list(path)
    options = ReadOptions(stream, stim_channel, unit, encoding, channels, rate)
    parts = epochs_by_recording(paths, events, window, options, annotations, every)
    return _joined(mne, [epochs for epochs, _ in parts], paths)


def read_windows(
    path: PathLike,
    seconds: float,
    *,
    stream: str | None = None,
    unit: str | None = None,
    encoding: str | None = None,
    channels: ChannelNames | None = None,
    rate: float | None = None,
) -> Any:
    """Read a recording and cut it into consecutive trials; a shorter rest at the end is left out.

    Parameters
    ----------
    path : path-like
    seconds : float
        Length of a trial in seconds.
    stream, unit, encoding, channels, rate
        Facts that the file lacks (see `read_recording`).

    Returns
    -------
    mne.Epochs
        In volts, shape (trials, channels, samples).

    Raises
    ------
    FileNotFoundError, ImportError, ValueError
        As `read_epochs`.
    """
    options = ReadOptions(stream, None, unit, encoding, channels, rate)
    return windows_of(path, seconds, options)[0]


def epochs_by_recording(
    paths: Sequence[PathLike],
    events: Events | Sequence[Events] | None,
    window: Window | None,
    options: ReadOptions,
    annotations: PathLike | Sequence[PathLike | None] | None = None,
    every: float | None = None,
) -> list[tuple[Any, Seconds]]:
    """Cut trials from each recording (see `read_epochs`).

    Returns
    -------
    list of tuple of (mne.Epochs, ndarray of shape (trials,))
        Trials of each recording, and the times of their events in seconds from its beginning. A class has the same
        code in all recordings.
    """
    names = [Path(path).name for path in paths]
    beside = _one_each(annotations, len(paths), "annotations")
    sources = [_Source(path, options, each) for path, each in zip(paths, beside, strict=True)]
    found = [source.kinds(every) for source in sources]
    try:
        wanted = _wanted(events, found, names)
    except RecordingError:
        raise
    except ValueError as error:
        raise ValueError(f"{', '.join(names)}: {error}") from None
    return [
        source.trials(each, kinds, window, every) for source, each, kinds in zip(sources, wanted, found, strict=True)
    ]


def _one_each(given: Any, count: int, what: str) -> list[Any]:
    """Return one value for each recording."""
    values = [given] if given is None or isinstance(given, (str, os.PathLike)) else list(given)
    if len(values) == 1 and (count == 1 or values[0] is None):
        return values * count
    if len(values) != count:
        raise ValueError(f"There are {count} recordings, but {len(values)} {what}. Give one for each recording.")
    return values


def _wanted(
    events: Events | Sequence[Events] | None, found: Sequence[Sequence[EventKind]], names: Sequence[str]
) -> list[dict[str, Any]]:
    """Return the markers of each class in each recording."""
    if events and not isinstance(events, Mapping):
        several = (
            _one_each(list(events), len(found), "sets of events") if len(events) > 1 else list(events) * len(found)
        )
        classes = list(dict.fromkeys(name for each in several for name in each))
        result = []
        for each, kinds in zip(several, found, strict=True):
            own = events_by_recording(with_whole_names(each, [kinds]), [kinds])[0]
            result.append({name: own.get(name, []) for name in classes})
        return result
    if events:
        assert isinstance(events, Mapping)
        return list(events_by_recording(with_whole_names(events, found), found))
    texts = Counter(kind.name for kinds in found for kind in kinds if not kind.is_trigger for _ in kind.samples)
    asked = {name: name for name in sorted(texts) if not marks_no_trial(name)}
    left = [f"{name!r} ({count})" for name, count in texts.items() if marks_no_trial(name) and not _is_note(name)]
    if left and asked:
        notify(f"{', '.join(names)}: left out, because they mark no trial: {', '.join(left)}. events= can name them.")
    if not asked:
        asked = {kind.name: kind.name for kinds in found for kind in kinds if kind.is_trigger}
        if asked:
            notify(f"{', '.join(names)}: there are no annotations, so every trigger is a class: {', '.join(asked)}.")
    if not asked:
        raise RecordingError(
            ", ".join(names),
            "there are no events",
            "Name the trigger channel with stim_channel= (--stim-channel), or a file of annotations with annotations= "
            "(--annotations).",
        )
    return list(events_by_recording(asked, found))


def _is_note(name: str) -> bool:
    """Return whether an annotation is a note of MNE or BrainVision about the signal."""
    return name.lower().startswith(("bad", "edge", "boundary", "new segment"))


class _Source:
    """A file from which trials are cut: a continuous recording, or epochs."""

    def __init__(self, path: PathLike, options: ReadOptions, annotations: PathLike | None) -> None:
        file = existing(path)
        self.name = file.name
        self._options = options
        self._is_epochs = holds_epochs(file)
        self._data = read_epochs_file(file, options) if self._is_epochs else read_with(file, options, annotations)

    def kinds(self, every: float | None) -> list[EventKind]:
        if self._is_epochs:
            return kinds_of_epochs(self._data)
        rate = float(self._data.info["sfreq"])
        kinds = find_events(self._data, self._options.stim_channel)
        if every is None:
            return without_long_stages(kinds, rate, self.name)
        cut = [windows_of_spans(kind, every, rate) for kind in kinds if not kind.is_trigger]
        return [kind for kind in cut if kind.samples] or cut

    def trials(
        self, events: Events, kinds: Sequence[EventKind], window: Window | None, every: float | None
    ) -> tuple[Any, Seconds]:
        try:
            array, event_id = event_array(events, kinds)
            if not len(array):
                hint = "" if every is None else f" None of them lasts {every:g} s or longer."
                raise ValueError(f"The recording has none of the events. There are: {listed(kinds)}.{hint}")
        except ValueError as error:
            raise ValueError(f"{self.name}: {error}") from None
        if self._is_epochs:
            chosen = select_epochs(self._data, array, event_id, window, self.name)
            return chosen, self._data.events[array[:, 0], 0] / float(self._data.info["sfreq"])
        used = [kind for kind in kinds if set(kind.samples) & set(array[:, 0].tolist())]
        if every is not None:
            window = (0.0, every)
        elif window is None and all(stage_of(kind.name) for kind in used):
            window = (0.0, length_of_stages(used, float(self._data.info["sfreq"])))
        if window is None:
            raise ValueError(f"{self.name}: give the window of a trial in seconds from its event: window= (--window).")
        say_long_spans(used, window, self.name)
        return _cut(self._data, array, event_id, window, self.name)


def windows_of(path: PathLike, seconds: float, options: ReadOptions) -> tuple[Any, Seconds]:
    """Cut a recording into consecutive trials (see `read_windows`).

    Returns
    -------
    epochs : mne.Epochs
    starts : ndarray, shape (trials,)
        Begin of each trial in seconds from the beginning of the recording.
    """
    raw = read_with(path, options)
    samples = _samples(seconds, float(raw.info["sfreq"]))
    if samples < 1:
        raise ValueError(f"A trial of {seconds:g} s contains no sample at {raw.info['sfreq']:g} Hz.")
    starts = np.arange(0, raw.n_times - samples + 1, samples)
    array = np.column_stack([starts, np.zeros_like(starts), np.ones_like(starts)])
    return _cut(raw, array, {"window": 1}, (0.0, seconds), Path(path).name)


def _samples(seconds: float, rate: float) -> int:
    return round(seconds * rate)


def _cut(raw: Any, array: Any, event_id: dict[str, int], window: Window, name: str) -> tuple[Any, Seconds]:
    mne = require_mne()
    rate = float(raw.info["sfreq"])
    begin, end = _samples(window[0], rate), _samples(window[1], rate)
    if end - begin < 1:
        raise ValueError(f"The window from {window[0]} to {window[1]} s contains no sample at {rate:g} Hz.")
    bad = BadSpans(raw)
    reasons = [
        "beyond the recording" if at + begin < 0 or at + end > raw.n_times else bad.reason(at + begin, at + end)
        for at in array[:, 0].tolist()
    ]
    left = [reason for reason in reasons if reason is not None]
    kept = array[[reason is None for reason in reasons]]
    if not len(kept):
        if set(left) <= {"beyond the recording"}:
            raise ValueError(f"{name}: none of {len(array)} trials is inside the recording.")
        raise RecordingError(
            name,
            f"none of {len(array)} trials can be used ({counted(left)})",
            "Choose a shorter window, or other events.",
        )
    if left:
        notify(f"{name}: {len(left)} of {len(array)} trials are left out: {counted(left)}.")
    shifted = kept.copy()
    shifted[:, 0] += int(raw.first_samp)
    with mne.utils.use_log_level("ERROR"):
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
            reject_by_annotation=False,
            verbose="ERROR",
        )
    return epochs, kept[epochs.selection, 0] / rate


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
