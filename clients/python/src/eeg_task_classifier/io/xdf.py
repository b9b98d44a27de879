"""Reader of XDF files, the format of Lab Streaming Layer."""

from __future__ import annotations

import logging
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np

from ..data_notice import notify
from ..install import how_to_install
from .require_mne import require_mne

#: Size of each unit in volts, by the spellings in streams.
_VOLTS = {
    **dict.fromkeys(("v", "volt", "volts"), 1.0),
    **dict.fromkeys(("mv", "millivolt", "millivolts"), 1e-3),
    **dict.fromkeys(("uv", "µv", "μv", "microvolt", "microvolts"), 1e-6),
    **dict.fromkeys(("nv", "nanovolt", "nanovolts"), 1e-9),
}

#: A jump of the time stamps counts as lost samples if it is at least this many sample periods ...
_STEP_PERIODS = 0.8
#: ... measured over this many seconds before and after it.
_STEP_SECONDS = 1.0

_TYPES = {"eeg": "eeg", "eog": "eog", "ecg": "ecg", "ekg": "ecg", "emg": "emg", "stim": "stim", "trigger": "stim"}


def read_xdf(path: Path, stream: str | None) -> Any:
    """Read the EEG stream of an XDF file.

    Every marker of the other streams becomes an annotation at the sample nearest in time. Lost samples are annotated
    as ``BAD_gap``.

    Parameters
    ----------
    path : Path
    stream : str or None
        Name of the EEG stream; None takes the only one of type EEG.

    Returns
    -------
    mne.io.RawArray
        In volts.

    Raises
    ------
    ImportError
        If MNE or pyxdf is not installed.
    ValueError
        If there is not exactly one such stream, or it does not name its channels.
    """
    mne = require_mne()
    try:
        import pyxdf
    except ImportError as error:
        raise ImportError(f"Reading XDF needs pyxdf. {how_to_install('xdf')}") from error
    # No smoothing by pyxdf: it would distribute the time of lost samples over the trials around them.
    logger = logging.getLogger("pyxdf.pyxdf")
    level = logger.level
    logger.setLevel(logging.ERROR)
    try:
        streams, _ = pyxdf.load_xdf(str(path), dejitter_timestamps=False, verbose=None)
    finally:
        logger.setLevel(level)
    eeg = _eeg_stream(streams, stream, path.name)
    rate = float(eeg["info"]["nominal_srate"][0])
    times, gaps = _smoothed(np.asarray(eeg["time_stamps"], dtype=float), rate)
    names, types, volts = _channels(eeg, path.name)
    raw = mne.io.RawArray(
        (np.asarray(eeg["time_series"], dtype=float) * volts).T, mne.create_info(names, rate, types), verbose="ERROR"
    )
    marks = [mark for each in streams if each is not eeg for mark in _markers(each)]
    nearest = [int(np.abs(times - at).argmin()) for at, _ in marks]
    kept = [
        (float(at) / rate, name)
        for at, (seconds, name) in zip(nearest, marks, strict=True)
        if abs(times[at] - seconds) <= 1.5 / rate
    ]
    if len(kept) < len(marks):
        notify(f"{path.name}: {len(marks) - len(kept)} of {len(marks)} markers are left out: no signal at that time.")
    if len(gaps):
        lost = float(np.sum(times[gaps + 1] - times[gaps] - 1 / rate))
        places = f"{len(gaps)} place{'' if len(gaps) == 1 else 's'}, {lost:.3f} s in all"
        notify(f"{path.name}: samples are missing at {places}. Trials that contain such a place are left out.")
    raw.set_annotations(
        mne.Annotations(
            [at for at, _ in kept] + [float(gap) / rate for gap in gaps],
            [0.0] * len(kept) + [1.0 / rate] * len(gaps),
            [name for _, name in kept] + ["BAD_gap"] * len(gaps),
        ),
        verbose="ERROR",
    )
    return raw


def _smoothed(stamps: Any, rate: float) -> tuple[Any, Any]:
    """Remove the jitter from time stamps, and find lost samples.

    After a late chunk the stamps soon return to the expected times. After lost samples all stamps stay later.

    Parameters
    ----------
    stamps : ndarray, shape (samples,)
        Seconds.
    rate : float
        Sampling rate in Hz.

    Returns
    -------
    times : ndarray, shape (samples,)
        Seconds.
    gaps : ndarray of int, shape (gaps,)
        Index of the last sample before each gap.
    """
    late = stamps - np.arange(len(stamps)) / rate
    width = max(2, round(_STEP_SECONDS * rate))
    steps = np.diff(late)
    found: dict[int, float] = {}
    for at in np.flatnonzero(steps > 0.5 / rate):
        before, after = late[max(0, at + 1 - width) : at + 1], late[at + 1 : at + 1 + width]
        step = float(np.median(after) - np.median(before))
        if step > _STEP_PERIODS / rate and steps[at] > step / 2:
            found[int(at)] = step
    # A late stamp near lost samples looks like a smaller gap.
    gaps = [at for at, step in found.items() if not any(abs(at - one) <= width and found[one] > step for one in found)]
    times = np.empty_like(stamps)
    edges = [0, *(gap + 1 for gap in gaps), len(stamps)]
    for begin, end in pairwise(edges):
        index = np.arange(end - begin)
        line = np.polyfit(index, stamps[begin:end], 1) if end - begin > 2 * width else [1 / rate, 0.0]
        drift = index * line[0]
        times[begin:end] = drift + np.median(stamps[begin:end] - drift)
    return times, np.array(gaps, dtype=int)


def _first(node: Any, *path: str) -> Any:
    """Return the first element at a path of pyxdf's nested lists, or None."""
    for step in path:
        node = node.get(step) if isinstance(node, dict) else None
        node = node[0] if isinstance(node, list) and node else None
    return node


def _eeg_stream(streams: list[Any], wanted: str | None, file: str) -> Any:
    all_names = [f"{_first(each['info'], 'name')} ({_first(each['info'], 'type')})" for each in streams]
    key, value = ("type", "eeg") if wanted is None else ("name", wanted.lower())
    found = [
        each for each in streams if str(_first(each["info"], key)).lower() == value and len(each["time_stamps"]) > 1
    ]
    if len(found) != 1:
        raise ValueError(
            f"{file} has {len(found)} streams {'of type EEG' if wanted is None else f'named {wanted!r}'}. Needed: 1. "
            f"Choose one with stream= (--stream): {', '.join(all_names)}."
        )
    return found[0]


def _channels(eeg: Any, file: str) -> tuple[list[str], list[str], Any]:
    count = int(_first(eeg["info"], "channel_count"))
    described = _first(eeg["info"], "desc", "channels") or {}
    rows = described.get("channel") or []
    if len(rows) != count:
        raise ValueError(
            f"{file} names {len(rows)} of its {count} channels. Record the stream with a name for each channel."
        )
    types = [_TYPES.get(str(_first(row, "type") or "eeg").lower(), "misc") for row in rows]
    units = [str(_first(row, "unit") or "").strip().lower() for row in rows]
    strange = [
        str(_first(row, "label"))
        for row, kind, unit in zip(rows, types, units, strict=True)
        if kind == "eeg" and unit not in _VOLTS
    ]
    if strange:
        notify(f"{file} gives no unit of voltage for {', '.join(strange)}, so they are read as microvolts.")
    volts = np.array(
        [_VOLTS.get(unit, 1e-6 if kind == "eeg" else 1.0) for unit, kind in zip(units, types, strict=True)]
    )
    return [str(_first(row, "label")) for row in rows], types, volts


def _markers(stream: Any) -> list[tuple[float, str]]:
    """Return time in seconds and name of each marker: texts, or irregular numbers in one channel."""
    info = stream["info"]
    is_text = _first(info, "channel_format") == "string"
    if not is_text and (float(_first(info, "nominal_srate")) > 0 or int(_first(info, "channel_count")) != 1):
        return []
    names = [row[0] if is_text else f"{float(row[0]):g}" for row in stream["time_series"]]
    return [(float(at), str(name)) for at, name in zip(stream["time_stamps"], names, strict=True) if str(name)]
