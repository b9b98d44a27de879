"""Reader of EDF, EDF+, BDF and BDF+ files."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np

from ..data_notice import notify
from ..errors import RecordingError
from .edf_annotations import EdfTimes, read_edf_annotations
from .edf_header import EdfHeader, EdfSignal, read_edf_header
from .electrode_names import ChannelMeaning, channel_meanings
from .given_names import given_names
from .mne_notices import mne_notices
from .read_options import DIGITAL, ReadOptions
from .reader_rules import ENCODINGS, MICROVOLTS_PER_UNIT
from .record_gaps import RecordClock
from .require_mne import require_mne
from .stage_lengths import clip_annotations
from .unit_guess import unit_guess

_COVERED = ("Number of records", "Physical range is not", "Omitted", "Limited", "Channel names are not unique")


def read_edf(path: Path, options: ReadOptions) -> Any:
    """Read the channels that have the rate of the electrodes, and all annotations.

    Parameters
    ----------
    path : Path
    options : ReadOptions

    Returns
    -------
    mne.io.Raw
        In volts. Pauses of a discontinuous file are annotated as ``BAD_gap``.

    Raises
    ------
    RecordingError
        If the header is damaged, there are no samples, or the unit or the range of the electrodes is missing.
    """
    mne = require_mne()
    header = read_edf_header(path, options.encoding)
    times = read_edf_annotations(path, header, [options.encoding] if options.encoding else ENCODINGS)
    signals = [signal for signal in header.signals if not signal.holds_annotations]
    if not signals:
        raise RecordingError(
            path.name,
            f"it holds {len(times.annotations)} annotations and no signal",
            "Read the recording that they belong to, and name this file with annotations= (--annotations).",
        )
    if header.records == 0:
        raise RecordingError(path.name, "it holds no complete data record", "Export the recording again.")
    if header.record_seconds == 0 and options.rate is None:
        raise RecordingError(
            path.name, "its data records last 0 s, so it has no sampling rate", "Say it in Hz: rate= (--rate)."
        )
    _say_missing_records(path, header)
    volts = [at for at, signal in enumerate(signals) if signal.unit.lower() in MICROVOLTS_PER_UNIT]
    names = given_names([signal.label for signal in signals], options.channels, path.name, volts)
    meanings = channel_meanings(names)
    kept = _of_one_rate(path, header, signals, meanings, options)
    left = [signal.label for signal, keep in zip(signals, kept, strict=True) if not keep]
    reader = mne.io.read_raw_bdf if header.sample_bytes == 3 else mne.io.read_raw_edf
    with mne_notices(path.name, _COVERED):
        raw = reader(path, exclude=sorted(set(left)), preload=True, encoding="latin-1", verbose="WARNING")
    pairs = [(signal, each) for signal, each, keep in zip(signals, meanings, kept, strict=True) if keep]
    if len(pairs) != len(raw.ch_names):
        raise RecordingError(
            path.name, "its channels differ in rate but not in name", "Give each channel its own name."
        )
    _scale(path, raw, header, pairs, options)
    if options.channels is not None:
        new = [name for name, keep in zip(names, kept, strict=True) if keep]
        if len(set(new)) < len(new):
            raise RecordingError(path.name, "two channels have one name", "Give each channel its own name.")
        raw.rename_channels(dict(zip(raw.ch_names, new, strict=True)), verbose="ERROR")
    if options.encoding is None and times.encoding != ENCODINGS[0]:
        notify(
            f"{path.name}: its annotations are not in {ENCODINGS[0]}, so they are read as {times.encoding}. Say "
            "another encoding with encoding= (--encoding)."
        )
    return _annotated(mne, path, raw, header, times)


def _say_missing_records(path: Path, header: EdfHeader) -> None:
    declared, present = header.declared_records, header.records
    if declared > present:
        seconds = f"{present * header.record_seconds:g} of {declared * header.record_seconds:g} s"
        notify(
            f"{path.name}: its header promises {declared} data records, and {present} are there. What is there is read "
            f"({seconds})."
        )
    elif 0 <= declared < present:
        notify(f"{path.name}: its header promises {declared} data records, and {present} are there. All are read.")


def _of_one_rate(
    path: Path, header: EdfHeader, signals: list[EdfSignal], meanings: list[ChannelMeaning], options: ReadOptions
) -> list[bool]:
    """Return which signals have the rate of the electrodes (the most common one, then the highest)."""
    named = [signal for signal, each in zip(signals, meanings, strict=True) if each.electrode and signal.per_record]
    measured = [signal for signal in signals if signal.unit.lower() in MICROVOLTS_PER_UNIT and signal.per_record]
    counts = Counter(signal.per_record for signal in named or measured or signals)
    per_record = max(counts, key=lambda size: (counts[size], size))
    kept = [
        signal.per_record == per_record
        or (signal.label == options.stim_channel and 0 < signal.per_record <= per_record)
        for signal in signals
    ]
    if not all(kept):
        rate = per_record / header.record_seconds if header.record_seconds else per_record
        others = ", ".join(
            f"{signal.label} ({header.rate_of(signal):g} Hz)"
            for signal, keep in zip(signals, kept, strict=True)
            if not keep
        )
        notify(f"{path.name}: the electrodes have {rate:g} Hz. Channels of other rates are left out: {others}.")
    return kept


def _scale(
    path: Path, raw: Any, header: EdfHeader, pairs: list[tuple[EdfSignal, ChannelMeaning]], options: ReadOptions
) -> None:
    """Set the type of every channel, and bring the electrodes to volts."""
    types: dict[str, str] = {}
    triggers: dict[str, str] = {}
    rows: list[int] = []
    for at, (name, (signal, each)) in enumerate(zip(raw.ch_names, pairs, strict=True)):
        known = signal.unit.lower() in MICROVOLTS_PER_UNIT
        if each.kind == "stim" or name == options.stim_channel or raw.get_channel_types([at])[0] == "stim":
            raw._data[at] = _triggers(path, header, signal, raw.n_times)
            triggers[name] = "stim"
            continue
        if raw.get_channel_types([at])[0] != "eeg" or each.kind != "eeg":
            continue
        if each.electrode or known or options.unit or not any(other.electrode for _, other in pairs):
            rows.append(at)
        else:
            types[name] = "misc"
    unknown = list(types)
    ranges = [at for at in rows if pairs[at][0].gain is None]
    if ranges and options.unit != DIGITAL:
        names = ", ".join(pairs[at][0].label for at in ranges)
        reason = f"the physical range of {names} is unusable (minimum = maximum)"
        if len(ranges) == len(rows):
            raise RecordingError(
                path.name,
                reason,
                f"Read the digital values with unit='{DIGITAL}' (--unit {DIGITAL}); their scale is unknown.",
            )
        notify(f"{path.name}: {reason}. These channels are left out.")
        types |= dict.fromkeys((raw.ch_names[at] for at in ranges), "misc")
        rows = [at for at in rows if at not in ranges]
    blank = [at for at in rows if pairs[at][0].unit.lower() not in MICROVOLTS_PER_UNIT]
    if blank and options.unit is None:
        _ask_unit(path, raw, pairs, blank)
    for at in rows:
        if options.unit == DIGITAL:
            raw._data[at] = _digital(path, header, pairs[at][0]) * 1e-6
            continue
        read_as = str(raw._orig_units.get(raw.ch_names[at], "")).lower()
        wanted = options.microvolts or MICROVOLTS_PER_UNIT[pairs[at][0].unit.lower()]
        raw._data[at] *= wanted / MICROVOLTS_PER_UNIT.get(read_as, 1e6)
    if options.unit == DIGITAL and rows:
        notify(f"{path.name}: one digital step counts as 1 µV. The true scale is unknown.")
    if unknown:
        notify(f"{path.name}: neither an electrode nor a unit of voltage, so not read as EEG: {', '.join(unknown)}.")
    if types := types | triggers:
        raw.set_channel_types(types, on_unit_change="ignore", verbose="ERROR")


def _ask_unit(path: Path, raw: Any, pairs: list[tuple[EdfSignal, ChannelMeaning]], rows: list[int]) -> None:
    names = ", ".join(pairs[at][0].label for at in rows[:6]) + (", …" if len(rows) > 6 else "")
    units = ", ".join(sorted({repr(pairs[at][0].unit) for at in rows}))
    guess, reason = unit_guess(raw.get_data(rows))
    raise RecordingError(
        path.name,
        f"the unit of {len(rows)} channels is {units}, which is no unit of voltage ({names})",
        f"Say it with unit= (--unit). {reason}" + (f": unit='{guess}' (--unit {guess})." if guess else "."),
    )


def _digital(path: Path, header: EdfHeader, signal: EdfSignal) -> Any:
    """Return the digital values of a signal, shape (samples,)."""
    size = header.sample_bytes
    data = np.memmap(path, np.uint8, "r", header.header_bytes, (header.records, header.record_bytes))
    block = np.asarray(data[:, signal.offset : signal.offset + signal.per_record * size]).reshape(-1, size)
    wide = np.zeros((len(block), 4), np.uint8)
    wide[:, 4 - size :] = block
    return (wide.view("<i4")[:, 0] >> (8 * (4 - size))).astype(float)


def _triggers(path: Path, header: EdfHeader, signal: EdfSignal, samples: int) -> Any:
    """Return the values of a trigger channel as the file gives them, shape (samples,).

    MNE keeps the lowest 17 bits of some trigger channels, and divides others by their unit. The status channel of BDF
    consists of bits, so its values are digital.
    """
    values = _digital(path, header, signal)
    if signal.gain is not None and not (header.sample_bytes == 3 and signal.label.lower() == "status"):
        values = values * signal.gain + signal.base
    return values[np.arange(samples) * len(values) // samples]


def _annotated(mne: Any, path: Path, raw: Any, header: EdfHeader, times: EdfTimes) -> Any:
    rate = float(raw.info["sfreq"])
    clock = RecordClock(times.record_onsets if header.discontinuous else None, header.record_seconds, rate)
    if header.discontinuous and times.record_onsets is None and header.records > 1:
        raise RecordingError(
            path.name,
            "it is discontinuous (EDF+D or BDF+D) and its data records have no times",
            "Export it as a continuous recording (EDF+C).",
        )
    kept = [(at, each) for each in times.annotations if (at := clock.sample_seconds(each.onset)) is not None]
    if clock.gaps:
        lost = len(times.annotations) - len(kept)
        notify(
            f"{path.name}: the recording pauses {len(clock.gaps)} time{'' if len(clock.gaps) == 1 else 's'}, "
            f"{clock.paused:g} s in all, first after {clock.gaps[0]:g} s of signal. Each trial is cut from its own "
            f"stretch; trials across a pause are left out; {lost} annotations lie in a pause."
        )
    rows = [(at, clock.signal_length(each.onset, each.duration), each.text) for at, each in kept]
    rows = clip_annotations(rows, raw.n_times / rate, path.name) + [(gap, 0.0, "BAD_gap") for gap in clock.gaps]
    begins, lengths, texts = zip(*rows, strict=True) if rows else ((), (), ())
    with mne_notices(path.name, _COVERED):
        raw.set_annotations(mne.Annotations(begins, lengths, texts, raw.annotations.orig_time), verbose="ERROR")
    return raw
