"""One recording in files of every format. XDF and GDF are written by hand, the others by MNE, edfio, pybv and eeglabio.

The recording has C3, Cz and C4 for 40 s at 160 Hz. It has 20 markers, one every 1.5 s from 2 s on: T1 and T2 in
turn, or 1 and 2 in a trigger channel. After each T1, C3 is 20 microvolts higher for one second.
"""

from __future__ import annotations

import struct
from pathlib import Path
from typing import Any

import edfio
import mne
import numpy as np
import pybv
from eeglabio.raw import export_set

RATE, SECONDS = 160, 40
NAMES = ["C3", "Cz", "C4"]
ONSETS = 2 + 1.5 * np.arange(20)
MARKERS = ["T1", "T2"] * 10


def volts() -> Any:
    """The signal in volts, [channels x samples]."""
    data = np.random.default_rng(0).standard_normal((3, RATE * SECONDS)) * 3e-6
    for onset, marker in zip(ONSETS, MARKERS, strict=True):
        if marker == "T1":
            start = round(onset * RATE)
            data[0, start : start + RATE] += 2e-5
    return data


def triggers() -> Any:
    """The trigger channel, [samples]: 1 for T1, 2 for T2, during 10 samples from each marker."""
    values = np.zeros(RATE * SECONDS)
    for onset, marker in zip(ONSETS, MARKERS, strict=True):
        start = round(onset * RATE)
        values[start : start + 10] = int(marker[1])
    return values


def raw(stim: bool = False, first_samp: int = 0) -> Any:
    names, types = [*NAMES, *(["STI 014"] if stim else [])], ["eeg"] * 3 + (["stim"] if stim else [])
    data = np.vstack([volts(), triggers()]) if stim else volts()
    made = mne.io.RawArray(data, mne.create_info(names, RATE, types), first_samp=first_samp, verbose="ERROR")
    return made if stim else made.set_annotations(mne.Annotations(ONSETS, 0.0, MARKERS))


def write_fif(folder: Path) -> Path:
    path = folder / "rec_raw.fif"
    raw(first_samp=800).save(path, verbose="ERROR")
    return path


def write_fif_stim(folder: Path) -> Path:
    path = folder / "stim_raw.fif"
    raw(stim=True, first_samp=800).save(path, verbose="ERROR")
    return path


def write_edf(folder: Path) -> Path:
    path = folder / "rec.edf"
    rows = zip(volts(), NAMES, strict=True)
    signals = [edfio.EdfSignal(row * 1e6, RATE, label=name, physical_dimension="uV") for row, name in rows]
    marks = [edfio.EdfAnnotation(float(at), None, name) for at, name in zip(ONSETS, MARKERS, strict=True)]
    edfio.Edf(signals, annotations=marks).write(path)
    return path


def write_bdf(folder: Path) -> Path:
    path = folder / "rec.bdf"
    rows = zip(volts(), NAMES, strict=True)
    signals = [edfio.BdfSignal(row * 1e6, RATE, label=name, physical_dimension="uV") for row, name in rows]
    status = edfio.BdfSignal(
        triggers(), RATE, label="Status", physical_range=(-8388608, 8388607), digital_range=(-8388608, 8388607)
    )
    edfio.Bdf([*signals, status]).write(path)
    return path


def write_eeglab(folder: Path) -> Path:
    path = folder / "rec.set"
    export_set(str(path), volts(), RATE, NAMES, annotations=[MARKERS, ONSETS, np.zeros(20)])
    return path


def write_brainvision(folder: Path) -> Path:
    samples = np.round(ONSETS * RATE).astype(int)
    events = [
        {"onset": int(at), "duration": 1, "description": int(name[1]), "type": "Stimulus"}
        for at, name in zip(samples, MARKERS, strict=True)
    ]
    pybv.write_brainvision(data=volts(), sfreq=RATE, ch_names=NAMES, fname_base="rec", folder_out=folder, events=events)
    return folder / "rec.vhdr"


def write_gdf(folder: Path, unit: int = 4275) -> Path:
    """Write GDF 2.20: one second a record, float64 samples in microvolts, T1 and T2 as the events 769 and 770.

    `unit` is the code of the unit that the file names; 0 names none.
    """
    path = folder / "rec.gdf"
    count = len(NAMES)
    size = 256 * (1 + count)
    head = b"GDF 2.20".ljust(168, b"\0") + struct.pack("<QQH", 0, 0, 1 + count)
    head = head.ljust(236, b"\0") + struct.pack("<qIIHH", SECONDS, 1, 1, count, 0)
    columns = [
        *(name.encode().ljust(16, b"\0") for name in NAMES),
        bytes((80 + 6) * count),
        struct.pack("<H", unit) * count,
        *(struct.pack("<d", bound) * count for bound in (-1000, 1000, -1000, 1000)),
        bytes((68 + 12) * count),
        *(struct.pack("<i", number) * count for number in (RATE, 17)),
        bytes((12 + 20) * count),
    ]
    header = head + b"".join(columns)
    assert len(header) == size
    records = (volts() * 1e6).reshape(count, SECONDS, RATE).transpose(1, 0, 2).astype("<f8").tobytes()
    codes = [768 + int(name[1]) for name in MARKERS]
    table = b"\x01" + len(codes).to_bytes(3, "little") + struct.pack("<f", RATE)
    samples = np.round(ONSETS * RATE).astype("<u4") + 1
    path.write_bytes(header + records + table + samples.tobytes() + np.array(codes, "<u2").tobytes())
    return path


def write_gdf_1(folder: Path, unit: str = "uV") -> Path:
    """Write GDF 1.25 with the same samples and events as `write_gdf`."""
    path = folder / "rec1.gdf"
    count = len(NAMES)
    size = 256 * (1 + count)
    head = b"GDF 1.25".ljust(168) + b"2020010100000000" + struct.pack("<q", size)
    head = head.ljust(236, b"\0") + struct.pack("<qIII", SECONDS, 1, 1, count)
    columns = [
        *(name.encode().ljust(16, b"\0") for name in NAMES),
        bytes(80 * count),
        unit.encode().ljust(8) * count,
        *(struct.pack("<d", bound) * count for bound in (-1000, 1000)),
        *(struct.pack("<q", bound) * count for bound in (-1000, 1000)),
        bytes(80 * count),
        *(struct.pack("<i", number) * count for number in (RATE, 17)),
        bytes(32 * count),
    ]
    records = (volts() * 1e6).reshape(count, SECONDS, RATE).transpose(1, 0, 2).astype("<f8").tobytes()
    codes = [768 + int(name[1]) for name in MARKERS]
    table = b"\x01" + RATE.to_bytes(3, "little") + struct.pack("<I", len(codes))
    samples = np.round(ONSETS * RATE).astype("<u4") + 1
    path.write_bytes(head + b"".join(columns) + records + table + samples.tobytes() + np.array(codes, "<u2").tobytes())
    return path


def _chunk(tag: int, content: bytes) -> bytes:
    body = struct.pack("<H", tag) + content
    return b"\x04" + struct.pack("<I", len(body)) + body


def _header(stream: int, name: str, kind: str, form: str, count: int, rate: float, channels: str = "") -> bytes:
    text = (
        f"<info><name>{name}</name><type>{kind}</type><channel_count>{count}</channel_count>"
        f"<nominal_srate>{rate}</nominal_srate><channel_format>{form}</channel_format>"
        f"<created_at>1</created_at><desc>{channels}</desc></info>"
    )
    return _chunk(2, struct.pack("<I", stream) + f'<?xml version="1.0"?>{text}'.encode())


def _samples(stream: int, stamped: list[tuple[float, bytes]]) -> bytes:
    rows = b"".join(b"\x08" + struct.pack("<d", at) + row for at, row in stamped)
    return _chunk(3, struct.pack("<I", stream) + b"\x04" + struct.pack("<I", len(stamped)) + rows)


def _footer(stream: int) -> bytes:
    return _chunk(6, struct.pack("<I", stream) + b'<?xml version="1.0"?><info></info>')


def write_xdf(folder: Path, gap: bool = False, unit: str = "microvolts", lost: float = 3, jitter: float = 0) -> Path:
    """Write XDF whose clock starts at 1000 s.

    With `gap`, the samples of `lost` seconds from 10 s on are missing. Every tenth stamp is `jitter` seconds late.
    """
    path = folder / ("gap.xdf" if gap else "rec.xdf")
    rows = "".join(f"<channel><label>{name}</label><type>EEG</type><unit>{unit}</unit></channel>" for name in NAMES)
    times = 1000 + np.arange(RATE * SECONDS) / RATE
    data = [
        (at + (0 if index % 10 else jitter), row.astype("<f4").tobytes())
        for index, (at, row) in enumerate(zip(times, volts().T * 1e6, strict=True))
        if not (gap and 1010 <= at < 1010 + lost)
    ]
    marks = [
        (1000 + float(at), b"\x01" + struct.pack("<B", len(name)) + name.encode())
        for at, name in zip(ONSETS, MARKERS, strict=True)
    ]
    path.write_bytes(
        b"XDF:"
        + _chunk(1, b'<?xml version="1.0"?><info><version>1.0</version></info>')
        + _header(1, "Amp", "EEG", "float32", 3, RATE, f"<channels>{rows}</channels>")
        + _header(2, "Cues", "Markers", "string", 1, 0)
        + _samples(1, data)
        + _samples(2, marks)
        + _footer(1)
        + _footer(2)
    )
    return path


WRITERS = {
    "edf": write_edf,
    "bdf": write_bdf,
    "fif": write_fif,
    "fif with triggers": write_fif_stim,
    "eeglab": write_eeglab,
    "brainvision": write_brainvision,
    "gdf": write_gdf,
    "gdf 1": write_gdf_1,
    "xdf": write_xdf,
}
#: Names of T1 and T2 in the formats that write numbers.
EVENTS = {
    "bdf": (1, 2),
    "gdf": (769, "770"),
    "gdf 1": (769, 770),
    "fif with triggers": (1, "2"),
    "brainvision": ("S1", "Stimulus/S  2"),
}
