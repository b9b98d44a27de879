"""Reader of XDF files, the format of Lab Streaming Layer."""

from __future__ import annotations

import logging
from pathlib import Path
from typing import Any

import numpy as np

from ..data_notice import notify
from ..errors import RecordingError
from ..install import how_to_install
from .given_names import given_names
from .read_options import ReadOptions
from .reader_rules import MICROVOLTS_PER_UNIT
from .require_mne import require_mne
from .smooth_times import measured_rate, smooth_times, undo_jumps_back

#: A rate that differs from the declared one by more than this share is said.
_RATE_TOLERANCE = 0.005
#: Markers of one stream that go back by less than so many seconds are only stamped late.
_LEAST_MARKER_STEP = 0.05

_TYPES = {"eeg": "eeg", "eog": "eog", "ecg": "ecg", "ekg": "ecg", "emg": "emg", "stim": "stim", "trigger": "stim"}


def read_xdf(path: Path, options: ReadOptions) -> Any:
    """Read the EEG stream of an XDF file.

    Every marker of the other streams becomes an annotation at the sample nearest in time. Lost samples are annotated
    as ``BAD_gap``. A clock that jumps back is corrected, because samples follow each other.

    Parameters
    ----------
    path : Path
    options : ReadOptions
        `stream` names the EEG stream; None takes the only one of type EEG.

    Returns
    -------
    mne.io.RawArray
        In volts.

    Raises
    ------
    ImportError
        If MNE or pyxdf is not installed.
    RecordingError
        If there is not exactly one such stream, it is damaged, or it has neither names of channels nor a rate.
    """
    mne = require_mne()
    try:
        import pyxdf
    except ImportError as error:
        raise ImportError(f"Reading XDF needs pyxdf. {how_to_install('xdf')}") from error
    if path.suffix.lower() == ".xdf":
        with path.open("rb") as file:
            if file.read(4) not in (b"XDF:", b"\x1f\x8b\x08\x08", b"\x1f\x8b\x08\x00"):
                raise RecordingError(path.name, "this is no XDF file", "Record it again with LabRecorder.")
    # No smoothing by pyxdf: it would distribute the time of lost samples over the trials around them.
    logger = logging.getLogger("pyxdf.pyxdf")
    level = logger.level
    logger.setLevel(logging.ERROR)
    try:
        streams, _ = pyxdf.load_xdf(str(path), dejitter_timestamps=False, verbose=None)
    except Exception as error:
        why = " ".join(str(error).split())[:300].rstrip(".") or type(error).__name__
        raise RecordingError(path.name, f"pyxdf cannot read it ({why})", "Record it again, or convert it.") from error
    finally:
        logger.setLevel(level)
    eeg = _eeg_stream(streams, options.stream, path.name)
    stamps = np.asarray(eeg["time_stamps"], dtype=float)
    rate = _declared_rate(eeg, stamps, options, path.name)
    stamps, jumps = undo_jumps_back(stamps, rate)
    times, gaps = smooth_times(stamps, rate)
    _say_clock(path.name, rate, times, gaps, jumps)
    names, types, volts = _channels(eeg, options, path.name)
    raw = mne.io.RawArray(
        (np.asarray(eeg["time_series"], dtype=float) * volts).T, mne.create_info(names, rate, types), verbose="ERROR"
    )
    marks = [mark for each in streams if each is not eeg for mark in _markers(each, jumps)]
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
            [at for at, _ in kept] + [float(gap + 1) / rate for gap in gaps],
            [0.0] * (len(kept) + len(gaps)),
            [name for _, name in kept] + ["BAD_gap"] * len(gaps),
        ),
        verbose="ERROR",
    )
    return raw


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
        kind = "of type EEG" if wanted is None else f"named {wanted!r}"
        raise RecordingError(
            file,
            f"it has {len(found)} streams {kind}, and one is needed",
            f"Choose one with stream= (--stream): {', '.join(all_names)}.",
        )
    return found[0]


def _declared_rate(eeg: Any, stamps: Any, options: ReadOptions, file: str) -> float:
    rate = options.rate or float(_first(eeg["info"], "nominal_srate") or 0)
    if rate > 0:
        return rate
    steps = np.diff(stamps)
    guess = f" Its stamps give about {1 / float(np.median(steps)):.4g} Hz." if np.median(steps) > 0 else ""
    raise RecordingError(file, "its EEG stream declares no sampling rate", f"Say it in Hz: rate= (--rate).{guess}")


def _say_clock(file: str, rate: float, times: Any, gaps: Any, jumps: list[tuple[int, float]]) -> None:
    for at, seconds in jumps:
        notify(
            f"{file}: the clock of the EEG jumps back by {seconds:.3f} s after {at / rate:.1f} s. The jump is undone, "
            "so that markers stay with their samples."
        )
    found = measured_rate(times, gaps)
    if found is not None and abs(found / rate - 1) > _RATE_TOLERANCE:
        notify(
            f"{file}: it declares {rate:g} Hz, and its time stamps give {found:.2f} Hz. It is read at {rate:g} Hz; say "
            "another rate with rate= (--rate)."
        )


def _channels(eeg: Any, options: ReadOptions, file: str) -> tuple[list[str], list[str], Any]:
    count = int(_first(eeg["info"], "channel_count"))
    described = _first(eeg["info"], "desc", "channels") or {}
    rows = described.get("channel") or []
    if len(rows) != count:
        if options.channels is None or isinstance(options.channels, (str, dict)):
            raise RecordingError(
                file,
                f"it names {len(rows)} of its {count} channels",
                "Name all channels in their order with channels= (--channels).",
            )
        rows = [{}] * count
    types = [_TYPES.get(str(_first(row, "type") or "eeg").lower(), "misc") for row in rows]
    labels = [str(_first(row, "label") or f"Channel {at + 1}") for at, row in enumerate(rows)]
    names = given_names(labels, options.channels, file, [at for at, kind in enumerate(types) if kind == "eeg"])
    units = [str(_first(row, "unit") or "").strip().lower() for row in rows]
    strange = [
        name
        for name, kind, unit in zip(names, types, units, strict=True)
        if kind == "eeg" and unit not in MICROVOLTS_PER_UNIT
    ]
    if strange and options.microvolts is None:
        notify(f"{file} gives no unit of voltage for {', '.join(strange)}, so they are read as microvolts.")
    microvolts = [
        options.microvolts
        if kind == "eeg" and options.microvolts is not None
        else MICROVOLTS_PER_UNIT.get(unit, 1.0 if kind == "eeg" else 1e6)
        for unit, kind in zip(units, types, strict=True)
    ]
    return names, types, np.array(microvolts) * 1e-6


def _markers(stream: Any, jumps: list[tuple[int, float]]) -> list[tuple[float, str]]:
    """Return time in seconds and name of each marker: texts, or irregular numbers in one channel.

    Markers whose own clock goes back while the clock of the EEG jumps are corrected like the EEG.
    """
    info = stream["info"]
    is_text = _first(info, "channel_format") == "string"
    if not is_text and (float(_first(info, "nominal_srate")) > 0 or int(_first(info, "channel_count")) != 1):
        return []
    names = [row[0] if is_text else f"{float(row[0]):g}" for row in stream["time_series"]]
    stamps = np.asarray(stream["time_stamps"], dtype=float).copy()
    for (_, seconds), at in zip(jumps, np.flatnonzero(np.diff(stamps) < -_LEAST_MARKER_STEP) + 1, strict=False):
        stamps[at:] += seconds
    return [(float(at), str(name)) for at, name in zip(stamps, names, strict=True) if str(name)]
