"""Reader of text files: OpenBCI, Muse (Mind Monitor, muse-lsl), and tables with one column per channel."""

from __future__ import annotations

import csv
import re
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np

from ..data_notice import notify
from ..errors import RecordingError
from ..install import how_to_install
from .electrode_names import channel_meanings
from .given_names import given_names
from .read_options import ReadOptions
from .reader_rules import ENCODINGS, MICROVOLTS_PER_UNIT
from .require_mne import require_mne
from .smooth_times import smooth_times
from .unit_guess import unit_guess

_SUFFIXES = (".txt", ".csv", ".tsv")
_TIME = re.compile(r"^(unix ?)?(time|times|timestamps?|time ?stamp|seconds|t)( ?[\[(].*[\])])?$", re.IGNORECASE)
_MARKER = re.compile(
    r"^(markers?( channel)?( ?\d)?|events?|triggers?|stim|labels?|class|annotations?|elements)$", re.IGNORECASE
)
_OPENBCI = re.compile(r"^exg channel \d+$", re.IGNORECASE)
_UNIT_IN_NAME = re.compile(r"\s*[\[(]([^\])]*)[\])]$")
#: Longer steps between time stamps, in seconds, are no sampling intervals.
_LEAST_PAUSE = 0.3
_USUAL_RATES = (100, 125, 128, 160, 200, 220, 250, 256, 300, 400, 500, 512, 1000, 1024, 2000, 2048)


@dataclass(frozen=True)
class _Table:
    """Cells of a file: `frame` is a pandas.DataFrame of texts, `about` are the lines before it."""

    frame: Any
    about: str
    is_openbci: bool


def is_text_recording(path: Path) -> bool:
    """Return whether a file is a table of text, by its name."""
    return path.name.lower().endswith(_SUFFIXES)


def read_text_recording(path: Path, options: ReadOptions) -> Any:
    """Read a table of samples.

    The columns of EEG are those of OpenBCI (``EXG Channel 0``), those of Mind Monitor (``RAW_TP9``), and those with the
    name of an electrode; with `options.channels` those that it names. A column of markers becomes annotations.

    Parameters
    ----------
    path : Path
    options : ReadOptions

    Returns
    -------
    mne.io.RawArray
        In volts.

    Raises
    ------
    ImportError
        If MNE or pandas is not installed.
    RecordingError
        If there is no column of EEG, or rate or unit are unknown.
    """
    mne = require_mne()
    table = _table(path, options)
    frame = table.frame
    names = [str(name) for name in frame.columns]
    raw_muse = [name for name in names if re.match(r"^raw_(tp|af)", name, re.IGNORECASE)]
    openbci = [name for name in names if _OPENBCI.match(name)]
    bare = [_UNIT_IN_NAME.sub("", name).strip() for name in names]
    if raw_muse or openbci:
        chosen = raw_muse or openbci
        labels = [name[4:] for name in raw_muse] if raw_muse else openbci
    else:
        spoken = given_names(bare, options.channels, path.name) if isinstance(options.channels, (str, dict)) else bare
        chosen = [name for name, each in zip(names, channel_meanings(spoken), strict=True) if each.electrode]
        labels = [_UNIT_IN_NAME.sub("", name).strip() for name in chosen]
        if not chosen and options.channels is not None:
            chosen = [
                name for name in names if not _TIME.match(name) and not _MARKER.match(name) and _is_numeric(frame[name])
            ]
            labels = list(chosen)
    if not chosen:
        raise RecordingError(
            path.name,
            f"no column has the name of an electrode ({', '.join(names[:12])})",
            "Name the columns of EEG in their order with channels= (--channels).",
        )
    labels = given_names(labels, options.channels, path.name)
    numbers = np.column_stack([_numbers(frame[name]) for name in chosen])
    present = ~np.isnan(numbers).all(axis=1)
    if not present.any():
        raise RecordingError(path.name, "its columns of EEG have no numbers", "Export the file again.")
    stamps = _stamps(frame, present)
    rate = _rate(path, table, options, stamps)
    microvolts = _microvolts(path, options, bool(raw_muse or openbci or table.is_openbci), chosen, numbers[present])
    data = numbers[present]
    spans = _marker_spans(frame, present)
    if np.isnan(data).any():
        lost = np.isnan(data).any(axis=1)
        data = _filled(data)
        spans += [(begin, end - begin, "BAD_missing") for begin, end in _runs(lost)]
        notify(f"{path.name}: {int(lost.sum())} samples have no number. Trials that contain one are left out.")
    raw = mne.io.RawArray((data * microvolts * 1e-6).T, mne.create_info(labels, rate, "eeg"), verbose="ERROR")
    gaps = smooth_times(stamps, rate)[1] if stamps is not None and options.rate is None else np.empty(0, int)
    if len(gaps):
        notify(
            f"{path.name}: samples are missing at {len(gaps)} places. Trials that contain such a place are left out."
        )
    spans += [(int(gap) + 1, 0, "BAD_gap") for gap in gaps]
    made = mne.Annotations(
        [begin / rate for begin, _, _ in spans], [count / rate for _, count, _ in spans], [text for *_, text in spans]
    )
    return raw.set_annotations(made, verbose="ERROR")


def _table(path: Path, options: ReadOptions) -> _Table:
    try:
        import pandas
    except ImportError as error:
        raise ImportError(f"Text files need pandas. {how_to_install('mne')}") from error
    content = path.read_bytes()
    for encoding in [options.encoding] if options.encoding else ["utf-8-sig", *ENCODINGS]:
        try:
            lines = content.decode(encoding).splitlines()
            break
        except (UnicodeDecodeError, LookupError):
            continue
    else:
        raise RecordingError(
            path.name, f"its text is not in {options.encoding}", "Say its encoding with encoding= (--encoding)."
        )
    about = [line for line in lines[:100] if line.startswith(("%", "#"))]
    rows = [line for line in lines if line.strip() and not line.startswith(("%", "#"))]
    if len(rows) < 2:
        raise RecordingError(
            path.name, "it has no table of samples", "Export one row per sample, with names of columns."
        )
    separator = next((each for each in ("\t", ";", ",") if each in rows[0]), None)
    if separator is None:
        raise RecordingError(path.name, "its lines have no columns", "Separate columns by commas, semicolons or tabs.")
    cells = _cells(path, rows, separator)
    has_names = any(not _is_number(cell) for cell in cells[0] if cell and ":" not in cell)
    is_openbci = any("openbci" in line.lower() for line in about)
    if has_names:
        names, cells = cells[0], cells[1:]
    else:
        count = re.search(r"number of channels\s*=\s*(\d+)", " ".join(about), re.IGNORECASE)
        eeg = int(count.group(1)) if count else len(cells[0]) if not is_openbci else 8
        names = [f"Column {at + 1}" for at in range(len(cells[0]))]
        if is_openbci:
            names = ["Sample Index", *(f"EXG Channel {at}" for at in range(eeg)), *names[eeg + 1 :]]
    names = [name or f"Column {at + 1}" for at, name in enumerate(names)]
    width = len(names)
    frame = pandas.DataFrame([(row + [""] * width)[:width] for row in cells], columns=names)
    return _Table(frame, "\n".join(about), is_openbci)


def _cells(path: Path, rows: list[str], separator: str) -> list[list[str]]:
    """Split the lines of a table. Some programs write decimal commas, and a comma and a blank between columns."""
    has_names = re.search(r"[a-z]{2}", rows[0], re.IGNORECASE) is not None
    first, numbers = rows[0], rows[1] if has_names else rows[0]
    if separator != ",":
        return _split(rows, separator)
    count = len(re.split(r",\s+", numbers))
    if re.search(r"\d,\d", numbers) and count > 2 and (not has_names or count == len(first.split(","))):
        return [[cell.strip().strip('"') for cell in re.split(r",\s+", row)] for row in rows]
    cells = _split(rows, separator)
    if has_names and len(cells[1]) >= 2 * len(cells[0]) - 1 > 1:
        raise RecordingError(
            path.name,
            f"its lines have {len(cells[1])} values and its heading names {len(cells[0])} columns: commas separate "
            "columns and decimals",
            "Export it with decimal points, or with semicolons between the columns.",
        )
    return cells


def _split(rows: list[str], separator: str) -> list[list[str]]:
    cells = csv.reader(rows, delimiter=separator, skipinitialspace=True) if any('"' in row for row in rows) else None
    return [[cell.strip().strip('"') for cell in row] for row in cells or (row.split(separator) for row in rows)]


def _number(text: str) -> float:
    return float(text.replace(",", "."))


def _is_number(text: str) -> bool:
    try:
        _number(text)
    except ValueError:
        return False
    return True


def _is_numeric(column: Any) -> bool:
    return all(_is_number(text) for text in column[:50] if text)


def _numbers(column: Any) -> Any:
    import pandas

    texts = column.str.replace(",", ".", regex=False)
    return np.asarray(pandas.to_numeric(texts, errors="coerce"), dtype=float)


def _stamps(frame: Any, present: Any) -> Any:
    """Return the time of each sample in seconds, or None if there is no column of times."""
    import pandas

    for name in [name for name in frame.columns if _TIME.match(str(name))]:
        numbers = _numbers(frame[name])[present]
        if np.isnan(numbers).any():
            dates = pandas.to_datetime(
                frame[name][present].str.replace(",", ".", regex=False), errors="coerce", format="mixed"
            )
            if dates.isna().any():
                continue
            numbers = (dates - dates.iloc[0]).dt.total_seconds().to_numpy()
        if len(numbers) > 1 and numbers[-1] > numbers[0]:
            step = (numbers[-1] - numbers[0]) / (len(numbers) - 1)
            # EEG has 20 to 100000 samples a second: longer steps are in ms, still longer ones in µs.
            numbers = numbers / (1.0 if step < 0.05 else 1e3 if step < 50 else 1e6)
            return numbers - numbers[0]
    return None


def _rate(path: Path, table: _Table, options: ReadOptions, stamps: Any) -> float:
    if options.rate is not None:
        return options.rate
    declared = re.search(r"sample rate\s*=\s*([\d.]+)", table.about, re.IGNORECASE)
    if declared and float(declared.group(1)) > 0:
        return float(declared.group(1))
    if stamps is None:
        raise RecordingError(
            path.name, "it has no sampling rate and no column of times", "Say the rate in Hz: rate= (--rate)."
        )
    steps = np.diff(stamps)
    short = steps[(steps >= 0) & (steps <= _LEAST_PAUSE)]
    # A gap lengthens the mean of all steps. Stamps in whole milliseconds change the most usual step.
    counted = short if len(short) > 0.9 * len(steps) and short.sum() > 0 else steps
    measured = len(counted) / float(counted.sum())
    usual = min(_USUAL_RATES, key=lambda each: abs(each - measured))
    rate = float(usual) if abs(usual / measured - 1) < 0.02 else round(measured, 3)
    notify(
        f"{path.name}: its times give {measured:.2f} Hz, so it is read at {rate:g} Hz. Say another rate with rate= "
        "(--rate)."
    )
    return rate


def _microvolts(path: Path, options: ReadOptions, is_known: bool, chosen: list[str], numbers: Any) -> float:
    """Return the microvolts in one unit of the file."""
    if options.microvolts is not None:
        return options.microvolts
    if is_known or re.search(r"muse|tp9.*af7|af7.*tp9", " ".join(chosen), re.IGNORECASE):
        return 1.0
    units = {match.group(1).strip().lower() for name in chosen if (match := _UNIT_IN_NAME.search(name))}
    if len(units) == 1 and (unit := units.pop()) in MICROVOLTS_PER_UNIT:
        return MICROVOLTS_PER_UNIT[unit]
    guess, reason = unit_guess(np.nan_to_num(numbers.T))
    raise RecordingError(
        path.name,
        "it does not say the unit of its columns",
        f"Say it with unit= (--unit). {reason}" + (f": unit='{guess}' (--unit {guess})." if guess else "."),
    )


def _marker_spans(frame: Any, present: Any) -> list[tuple[int, int, str]]:
    """Return first sample, length in samples and text of each run of one marker. 0 and blanks are no marker."""
    position = np.cumsum(present) - present
    spans: list[tuple[int, int, str]] = []
    for name in [name for name in frame.columns if _MARKER.match(str(name))]:
        texts = [str(text).strip() for text in frame[name]]
        marks = [f"{_number(text):g}" if _is_number(text) else text for text in texts]
        edges = [0, *(at for at in range(1, len(marks)) if marks[at] != marks[at - 1]), len(marks)]
        for begin, end in pairwise(edges):
            if marks[begin] in ("", "0", "nan", "-1"):
                continue
            first, last = int(position[begin]), int(position[end - 1]) + int(present[end - 1])
            spans.append((first, last - first if end - begin > 1 else 0, marks[begin].removeprefix("/Marker/")))
    return [span for span in spans if span[0] < int(present.sum())]


def _runs(mask: Any) -> list[tuple[int, int]]:
    edges = np.flatnonzero(np.diff(np.concatenate([[False], mask, [False]]).astype(int)))
    return [(int(begin), int(end)) for begin, end in zip(edges[::2], edges[1::2], strict=True)]


def _filled(data: Any) -> Any:
    """Return samples whose missing numbers are interpolated, channel by channel."""
    filled = data.copy()
    at = np.arange(len(data))
    for column in filled.T:
        known = ~np.isnan(column)
        column[~known] = np.interp(at[~known], at[known], column[known]) if known.any() else 0.0
    return filled
