"""Annotations and record times of EDF+ and BDF+ files."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from ..errors import RecordingError
from .edf_header import EdfHeader

#: Some recorders leave out the sign, and some write a decimal comma.
_STAMP = re.compile(rb"([+-]?\d+(?:[.,]\d*)?)(?:\x15(\d*(?:[.,]\d*)?))?")


@dataclass(frozen=True)
class EdfAnnotation:
    """An annotation: onset and duration in seconds from the first sample, and its text."""

    onset: float
    duration: float
    text: str


@dataclass(frozen=True)
class EdfTimes:
    """Annotations of a file and the times of its data records.

    Attributes
    ----------
    annotations : list of EdfAnnotation
        By onset, in true time.
    encoding : str
        Encoding of their texts.
    record_onsets : list of float, or None
        Begin of each data record in seconds from the first one; None if the file does not say.
    """

    annotations: list[EdfAnnotation]
    encoding: str
    record_onsets: list[float] | None


def read_edf_annotations(path: Path, header: EdfHeader, encodings: Sequence[str]) -> EdfTimes:
    """Read every annotation of a file.

    Parameters
    ----------
    path : Path
    header : EdfHeader
    encodings : sequence of str
        Encodings of the texts, in the order in which they are tried; the first one that fits all texts is used.

    Raises
    ------
    RecordingError
        If no encoding fits.
    """
    found: list[tuple[float, float, bytes]] = []
    onsets: list[float | None] = []
    lists = [signal for signal in header.signals if signal.holds_annotations]
    data: Any = np.zeros(0, np.uint8)
    if lists and header.records:
        data = np.memmap(path, np.uint8, "r", header.header_bytes)
    for record in range(header.records if lists else 0):
        for at, signal in enumerate(lists):
            begin = record * header.record_bytes + signal.offset
            block = bytes(data[begin : begin + signal.per_record * header.sample_bytes])
            for first, (onset, duration, texts) in enumerate(_lists(block)):
                if at == 0 and first == 0:
                    onsets.append(onset)
                found += [(onset, duration, text) for text in texts if text.strip()]
        if len(onsets) <= record:
            onsets.append(None)
    start = next((each for each in onsets if each is not None), 0.0) if onsets and onsets[0] is not None else 0.0
    encoding, decoded = _decoded(path, [text for _, _, text in found], encodings)
    annotations = [
        EdfAnnotation(onset - start, duration, text.strip())
        for (onset, duration, _), text in zip(found, decoded, strict=True)
    ]
    known = [each - start for each in onsets if each is not None]
    complete = bool(onsets) and len(known) == len(onsets)
    return EdfTimes(sorted(annotations, key=lambda each: each.onset), encoding, known if complete else None)


def _lists(block: bytes) -> Iterator[tuple[float, float, list[bytes]]]:
    """Return onset, duration and texts of each list in the annotations of a data record."""
    for each in block.split(b"\0"):
        stamp, *texts = each.split(b"\x14")
        match = _STAMP.fullmatch(stamp) if texts else None
        if match:
            onset, duration = (float((part or b"0").replace(b",", b".") or b"0") for part in match.groups())
            yield onset, duration, texts


def _decoded(path: Path, texts: Sequence[bytes], encodings: Sequence[str]) -> tuple[str, list[str]]:
    for encoding in encodings:
        try:
            return encoding, [text.decode(encoding) for text in texts]
        except UnicodeDecodeError:
            continue
    tried = ", ".join(encodings)
    raise RecordingError(
        path.name, f"its annotations are not in {tried}", "Say their encoding with encoding= (--encoding), such as gbk."
    )
