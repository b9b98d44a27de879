"""Annotations in a file of their own, such as a hypnogram."""

from __future__ import annotations

import csv
from pathlib import Path
from typing import Any

from ..data_notice import notify
from ..errors import RecordingError
from .edf_annotations import read_edf_annotations
from .edf_header import read_edf_header
from .mne_notices import mne_notices
from .reader_rules import ENCODINGS, STAGE_LENGTHS
from .require_mne import require_mne
from .stage_lengths import Row, clip_annotations

#: Columns of tables that contain the text of an annotation, best first.
_TEXTS = ("trial_type", "description", "stage", "label", "text", "event", "value", "sleep_stage", "annotation")


def join_annotations(raw: Any, path: Path, recording: str, encoding: str | None) -> None:
    """Add the annotations of a file to a recording, in place.

    Parameters
    ----------
    raw : mne.io.Raw
    path : Path
        The file with the annotations (see `read_recording`).
    recording : str
        Name of the recording, for notices.
    encoding : str or None

    Raises
    ------
    RecordingError
        If the file has no annotations, or none of them lies inside the recording.
    """
    mne = require_mne()
    rows = _rows(path, encoding, raw)
    end = raw.n_times / float(raw.info["sfreq"])
    inside = clip_annotations(rows, end, path.name)
    if not inside:
        raise RecordingError(
            path.name,
            f"none of its {len(rows)} annotations lies in the {end:g} s of {recording}",
            "Check that it belongs to this recording; times count in seconds from its begin.",
        )
    found = raw.annotations
    rows = [
        *zip((found.onset - raw.first_time).tolist(), found.duration.tolist(), found.description.tolist(), strict=True),
        *inside,
    ]
    begins, lengths, texts = zip(*rows, strict=True)
    with mne_notices(path.name):
        raw.set_annotations(mne.Annotations(begins, lengths, texts), verbose="ERROR")


def _rows(path: Path, encoding: str | None, raw: Any) -> list[Row]:
    name = path.name.lower()
    if name.endswith((".edf", ".bdf", ".rec")):
        header = read_edf_header(path, encoding)
        times = read_edf_annotations(path, header, [encoding] if encoding else ENCODINGS)
        shift = 0.0
        begin = raw.info["meas_date"]
        if header.start and begin:
            seconds = (header.start - begin.replace(tzinfo=None)).total_seconds()
            if seconds and abs(seconds) < 86_400:
                shift = seconds
                notify(f"{path.name} begins {abs(shift):g} s {'after' if shift > 0 else 'before'} the recording.")
        rows = [(each.onset + shift, each.duration, each.text) for each in times.annotations]
    elif name.endswith((".tsv", ".csv", ".txt")) and not _is_of_mne(path):
        rows = _table(path, encoding) or _stage_lines(path, encoding, raw.n_times / float(raw.info["sfreq"]))
    else:
        with mne_notices(path.name, way_out="Save the annotations as a table with onset, duration and text."):
            found = require_mne().read_annotations(path)
        rows = [
            (float(at), float(length), str(text))
            for at, length, text in zip(found.onset, found.duration, found.description, strict=True)
        ]
    if not rows:
        raise RecordingError(
            path.name, "it holds no annotation", "Give a table with the columns onset, duration and trial_type."
        )
    return rows


def _is_of_mne(path: Path) -> bool:
    with path.open("rb") as file:
        start = file.read(200)
    return start.startswith(b"# MNE-Annotations")


def _lines(path: Path, encoding: str | None) -> list[str]:
    data = path.read_bytes()
    for each in [encoding] if encoding else ["utf-8-sig", *ENCODINGS]:
        try:
            return [line for line in data.decode(each).splitlines() if line.strip()]
        except (UnicodeDecodeError, LookupError):
            continue
    raise RecordingError(path.name, f"its text is not in {encoding}", "Say its encoding with encoding= (--encoding).")


def _table(path: Path, encoding: str | None) -> list[Row]:
    """Return the rows of a table with a column ``onset``; empty if there is none."""
    lines = _lines(path, encoding)
    separator = "\t" if lines and "\t" in lines[0] else ";" if lines and ";" in lines[0] else ","
    table = list(csv.reader(lines, delimiter=separator))
    head = [cell.strip().lower() for cell in table[0]] if table else []
    text = next((head.index(each) for each in _TEXTS if each in head), None)
    if "onset" not in head or text is None:
        return []
    onset, length = head.index("onset"), head.index("duration") if "duration" in head else None
    rows: list[Row] = []
    for line, cells in enumerate(table[1:], start=2):
        try:
            duration = 0.0 if length is None or cells[length].strip().lower() in ("n/a", "") else float(cells[length])
            rows.append((float(cells[onset]), duration, cells[text].strip()))
        except (ValueError, IndexError):
            raise RecordingError(
                path.name, f"line {line} has no onset and duration in seconds", "Write numbers with a decimal point."
            ) from None
    return [row for row in rows if row[2] and row[2].lower() != "n/a"]


def _stage_lines(path: Path, encoding: str | None, seconds: float) -> list[Row]:
    """Return one row for each line of a file that has one stage for each epoch of sleep.

    The length of an epoch is the most usual one with which the lines fill the `seconds` of the recording, else 30 s.
    """
    lines = [line.strip() for line in _lines(path, encoding)]
    if any(len(line) > 24 or "," in line or "\t" in line for line in lines):
        return []
    filling = [each for each in STAGE_LENGTHS if abs(len(lines) * each - seconds) < each]
    length = (filling or STAGE_LENGTHS)[0]
    if length != STAGE_LENGTHS[0]:
        notify(f"{path.name}: its {len(lines)} lines fill {seconds:g} s, so each is an epoch of {length:g} s.")
    return [(at * length, length, line) for at, line in enumerate(lines)]
