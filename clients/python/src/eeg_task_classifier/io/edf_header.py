"""Header of EDF, EDF+, BDF and BDF+ files, as recorders really write it."""

from __future__ import annotations

import math
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from ..errors import RecordingError

_EDF_MAGIC, _BDF_MAGIC = b"0", b"\xffBIOSEMI"
_FIXED_BYTES = 256
#: Widths of the fields of every signal, in the order of the header.
_WIDTHS = (16, 80, 8, 8, 8, 8, 8, 80, 8, 32)


@dataclass(frozen=True)
class EdfSignal:
    """One signal of a file.

    Attributes
    ----------
    label : str
        As written in the file.
    unit : str
        As written in the file.
    per_record : int
        Samples in a data record.
    offset : int
        Bytes before it in a data record.
    gain, base : float or None, float
        Physical value = digital value * gain + base. `gain` is None if the physical and the digital minimum and maximum
        cannot scale the samples.
    holds_annotations : bool
        Whether it contains annotations, not samples.
    """

    label: str
    unit: str
    per_record: int
    offset: int
    gain: float | None
    base: float
    holds_annotations: bool


@dataclass(frozen=True)
class EdfHeader:
    """Header of a file.

    Attributes
    ----------
    signals : list of EdfSignal
    sample_bytes : int
        2 for EDF, 3 for BDF.
    discontinuous : bool
        Whether data records may be apart in time (EDF+D, BDF+D).
    header_bytes, record_bytes : int
    declared_records : int
        Data records by the header; -1 if the recorder did not know.
    records : int
        Complete data records in the file.
    record_seconds : float
    start : datetime or None
        Begin of the recording, if the header has a valid date.
    """

    signals: list[EdfSignal]
    sample_bytes: int
    discontinuous: bool
    header_bytes: int
    record_bytes: int
    declared_records: int
    records: int
    record_seconds: float
    start: datetime | None

    def rate_of(self, signal: EdfSignal) -> float:
        """Return the sampling rate of a signal in Hz; 0 if data records have no length."""
        return signal.per_record / self.record_seconds if self.record_seconds > 0 else 0.0


def read_edf_header(path: Path, encoding: str | None = None) -> EdfHeader:
    """Read the header of a file and compare it with the length of the file.

    Parameters
    ----------
    path : Path
    encoding : str, optional
        Encoding of names and units. Default: UTF-8 if it fits, else Latin-1.

    Raises
    ------
    RecordingError
        If it is no such file, or the header is damaged.
    """
    size = path.stat().st_size
    with path.open("rb") as file:
        fixed = file.read(_FIXED_BYTES)
        is_bdf = fixed[:8] == _BDF_MAGIC
        if len(fixed) < _FIXED_BYTES or not (is_bdf or fixed[:8].strip(b" \0") == _EDF_MAGIC):
            raise RecordingError(
                path.name, "this is no EDF or BDF file", "Export it as EDF+ from your recording software."
            )
        count = _whole(path, fixed[252:256], "the number of signals", 1)
        rest = file.read(_FIXED_BYTES * count)
    if len(rest) < _FIXED_BYTES * count:
        raise _damaged(path, f"{count} signals need {_FIXED_BYTES * (count + 1)} bytes and the file has {size}")
    columns = _columns(rest, count)
    sample_bytes = 3 if is_bdf else 2
    annotations = ("BDF" if is_bdf else "EDF") + " Annotations"
    signals: list[EdfSignal] = []
    offset = 0
    for at in range(count):
        label = _text(columns[0][at], encoding)
        per_record = _whole(path, columns[8][at], f"the samples in a data record of signal {at + 1}", 0)
        low, high, digital_low, digital_high = (_number(columns[field][at]) for field in (3, 4, 5, 6))
        gain, base = _scale_of(low, high, digital_low, digital_high)
        is_list = label == annotations
        signals.append(EdfSignal(label, _text(columns[2][at], encoding), per_record, offset, gain, base, is_list))
        offset += per_record * sample_bytes
    seconds = _number(fixed[244:252])
    if seconds is None or not 0 <= seconds <= 86_400:
        raise _damaged(path, f"a data record lasts {_shown(fixed[244:252])!r} s")
    declared = _number(fixed[236:244])
    header_bytes = _FIXED_BYTES * (count + 1)
    present = (size - header_bytes) // offset if offset else 0
    declared_records = -1 if declared is None else int(declared)
    return EdfHeader(
        signals,
        sample_bytes,
        fixed[192:197] in (b"EDF+D", b"BDF+D"),
        header_bytes,
        offset,
        declared_records,
        present,
        seconds,
        _start(fixed[168:184]),
    )


def _scale_of(
    low: float | None, high: float | None, digital_low: float | None, digital_high: float | None
) -> tuple[float | None, float]:
    if low is None or high is None or digital_low is None or digital_high is None:
        return None, 0.0
    if low == high or digital_low == digital_high:
        return None, 0.0
    gain = (high - low) / (digital_high - digital_low)
    return gain, low - digital_low * gain


def _columns(rest: bytes, count: int) -> list[list[bytes]]:
    columns, begin = [], 0
    for width in _WIDTHS:
        columns.append([rest[begin + at * width : begin + (at + 1) * width] for at in range(count)])
        begin += width * count
    return columns


def _text(field: bytes, encoding: str | None) -> str:
    field = field.split(b"\0")[0].strip()
    for each in (encoding, "utf-8") if encoding else ("utf-8",):
        try:
            return field.decode(each).strip()
        except UnicodeDecodeError:
            continue
    return field.decode("latin-1").strip()


def _number(field: bytes) -> float | None:
    """Return the number of a field, padded with blanks or NUL, with a decimal point or comma; None if it has none."""
    try:
        value = float(field.split(b"\0")[0].decode("latin-1").strip().replace(",", "."))
    except ValueError:
        return None
    return value if math.isfinite(value) else None


def _whole(path: Path, field: bytes, what: str, least: int) -> int:
    value = _number(field)
    if value is None or value != int(value) or value < least:
        raise _damaged(path, f"{what} is {_shown(field)!r}")
    return int(value)


def _shown(field: bytes) -> str:
    return field.decode("latin-1").strip(" \0")


def _damaged(path: Path, what: str) -> RecordingError:
    return RecordingError(
        path.name, f"its header is damaged: {what}", "Export the recording again, or repair the header."
    )


def _start(field: bytes) -> datetime | None:
    """Return the date and time of a header, whose years are 1985 to 2084."""
    try:
        day, month, year, hour, minute, second = (int(field[at : at + 2]) for at in (0, 3, 6, 8, 11, 14))
        return datetime(year + (1900 if year >= 85 else 2000), month, day, hour, minute, second)
    except ValueError:
        return None
