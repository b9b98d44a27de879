"""XDF, as Lab Streaming Layer records it."""

from __future__ import annotations

import logging
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np

from ..notices import say
from .require_mne import require_mne

#: What one unit of a stream is in volts, by how streams write it.
_VOLTS = {
    **dict.fromkeys(("v", "volt", "volts"), 1.0),
    **dict.fromkeys(("mv", "millivolt", "millivolts"), 1e-3),
    **dict.fromkeys(("uv", "µv", "μv", "microvolt", "microvolts"), 1e-6),
    **dict.fromkeys(("nv", "nanovolt", "nanovolts"), 1e-9),
}

#: Samples are lost where the clock steps on by about one period or more, and stays there for this long.
_STEP_PERIODS, _STEP_SECONDS = 0.8, 1.0

_TYPES = {"eeg": "eeg", "eog": "eog", "ecg": "ecg", "ekg": "ecg", "emg": "emg", "stim": "stim", "trigger": "stim"}


def read_xdf(path: Path, stream: str | None) -> Any:
    """The EEG stream as RawArray in volts, every marker of the other streams as an annotation.

    Markers stand at the sample nearest in time. Where samples are missing, the span is annotated as ``BAD_gap``.
    """
    mne = require_mne()
    try:
        import pyxdf
    except ImportError as error:
        raise ImportError("Reading XDF needs pyxdf: pip install './clients/python[xdf]'") from error
    # Smoothing by pyxdf would spread lost samples over the trials around them.
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
        say(f"{path.name}: {len(marks) - len(kept)} of {len(marks)} markers stand where there is no signal: left out.")
    if len(gaps):
        lost = float(np.sum(times[gaps + 1] - times[gaps] - 1 / rate))
        places = f"at {len(gaps)} places, {lost:.3f} s in all"
        say(f"{path.name}: samples are missing {places}; trials across them are left out.")
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
    """Times of the samples without the jitter of their stamps, and after which of them samples are missing.

    A late chunk is caught up with soon; after lost samples all stamps stay later by as much.
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
    # A late stamp beside lost samples looks like a smaller step.
    gaps = [at for at, step in found.items() if not any(abs(at - one) <= width and found[one] > step for one in found)]
    times = np.empty_like(stamps)
    edges = [0, *(gap + 1 for gap in gaps), len(stamps)]
    for begin, end in pairwise(edges):
        index = np.arange(end - begin)
        line = np.polyfit(index, stamps[begin:end], 1) if end - begin > 2 * width else [1 / rate, 0.0]
        drift = index * line[0]
        times[begin:end] = drift + np.median(stamps[begin:end] - drift)
    return times, np.array(gaps, dtype=int)


def _one(node: Any, *path: str) -> Any:
    """The first element at a path of pyxdf's nested lists; None where there is none."""
    for step in path:
        node = node.get(step) if isinstance(node, dict) else None
        node = node[0] if isinstance(node, list) and node else None
    return node


def _eeg_stream(streams: list[Any], wanted: str | None, file: str) -> Any:
    all_names = [f"{_one(each['info'], 'name')} ({_one(each['info'], 'type')})" for each in streams]
    key, value = ("type", "eeg") if wanted is None else ("name", wanted.lower())
    found = [each for each in streams if str(_one(each["info"], key)).lower() == value and len(each["time_stamps"]) > 1]
    if len(found) != 1:
        raise ValueError(
            f"{file} has {len(found)} streams {'of type EEG' if wanted is None else repr(wanted)}, where one is "
            f"needed: say stream=…. There are: {', '.join(all_names)}."
        )
    return found[0]


def _channels(eeg: Any, file: str) -> tuple[list[str], list[str], Any]:
    count = int(_one(eeg["info"], "channel_count"))
    described = _one(eeg["info"], "desc", "channels") or {}
    rows = described.get("channel") or []
    if len(rows) != count:
        raise ValueError(f"{file} describes {len(rows)} of its {count} channels: their names are not known.")
    types = [_TYPES.get(str(_one(row, "type") or "eeg").lower(), "misc") for row in rows]
    units = [str(_one(row, "unit") or "").strip().lower() for row in rows]
    strange = [
        str(_one(row, "label"))
        for row, kind, unit in zip(rows, types, units, strict=True)
        if kind == "eeg" and unit not in _VOLTS
    ]
    if strange:
        say(f"{file} names no unit of volts for {', '.join(strange)}: read as microvolts.")
    volts = np.array(
        [_VOLTS.get(unit, 1e-6 if kind == "eeg" else 1.0) for unit, kind in zip(units, types, strict=True)]
    )
    return [str(_one(row, "label")) for row in rows], types, volts


def _markers(stream: Any) -> list[tuple[float, str]]:
    """Times and names of the markers of a stream: of strings, or of irregular numbers in one channel."""
    info = stream["info"]
    is_text = _one(info, "channel_format") == "string"
    if not is_text and (float(_one(info, "nominal_srate")) > 0 or int(_one(info, "channel_count")) != 1):
        return []
    names = [row[0] if is_text else f"{float(row[0]):g}" for row in stream["time_series"]]
    return [(float(at), str(name)) for at, name in zip(stream["time_stamps"], names, strict=True) if str(name)]
