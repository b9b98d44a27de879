"""Writes recordings.json: small recordings in base64, and what MNE-Python reads from them.

    pip install mne==1.13.2 edfio==0.4.18
    python test/unit/golden/make_recordings.py
"""

import base64
import json
import tempfile
from datetime import datetime, timezone
from pathlib import Path

import edfio
import mne
import numpy as np

random = np.random.default_rng(20261122)
folder = Path(tempfile.mkdtemp())
mne.set_log_level("ERROR")


def edf_plus(path):
    """Two rates, three units, text beyond ASCII, and a first data record that begins 0.25 s after the start time."""
    signals = [
        edfio.EdfSignal(random.normal(0, 40, 96), 32, label="EEG Fpz-Cz", physical_dimension="uV", physical_range=(-200, 200)),
        edfio.EdfSignal(random.normal(0, 0.04, 96), 32, label="C3", physical_dimension="mV", physical_range=(-0.2, 0.3)),
        edfio.EdfSignal(random.normal(20, 1, 12), 4, label="Temp", physical_dimension="C", physical_range=(0, 40)),
    ]
    notes = [
        edfio.EdfAnnotation(0, None, "début"),
        edfio.EdfAnnotation(0.5, 1.25, "T1"),
        edfio.EdfAnnotation(0.5, 1.25, "左手"),
        edfio.EdfAnnotation(2.125, 0.5, "T2"),
    ]
    edfio.Edf(
        signals,
        starttime=datetime(2026, 1, 1, 12, 0, 0, 250_000).time(),
        annotations=notes,
        data_record_duration=1,
    ).write(path)


def bdf_plus(path):
    """As MNE exports it: 24 bits, annotations in a signal of their own."""
    info = mne.create_info(["Cz", "Pz"], 64, "eeg")
    raw = mne.io.RawArray(random.normal(0, 2e-5, (2, 192)), info)
    raw.set_meas_date(datetime(2026, 1, 1, tzinfo=timezone.utc))
    raw.set_annotations(mne.Annotations([0.25, 0.75, 1.5], [1, 1, 0], ["Target", "NonTarget", "Target"]))
    mne.export.export_raw(path, raw, overwrite=True)


def biosemi(path):
    """Two electrodes and the status channel of a BioSemi amplifier, with bits above the triggers set."""
    rate, records, count = 32, 3, 3
    column = lambda cells, width: "".join(str(cell)[:width].ljust(width) for cell in cells)
    head = b"\xffBIOSEMI" + "".join(
        text.ljust(width)
        for text, width in [
            ("", 80), ("", 80), ("01.01.26", 8), ("00.00.00", 8), (str(256 * (count + 1)), 8),
            ("24BIT", 44), (str(records), 8), ("1", 8), (str(count), 4),
        ]
    ).encode()
    head += (
        column(["A1", "A2", "Status"], 16) + column([""] * count, 80) + column(["uV", "uV", "Boolean"], 8)
        + column([-262144, -262144, -8388608], 8) + column([262143, 262143, 8388607], 8)
        + column([-8388608] * count, 8) + column([8388607] * count, 8) + column([""] * count, 80)
        + column([rate] * count, 8) + column([""] * count, 32)
    ).encode()
    samples = random.integers(-(2**23), 2**23, (2, rate * records))
    status = np.full(rate * records, 0)
    for first, last, value in [(0, 3, 7), (10, 14, 1), (20, 24, 2), (24, 28, 5), (40, 41, 65_535), (70, 96, 300)]:
        status[first:last] = value
    status = status + (1 << 20) + (1 << 22)
    data = b""
    for record in range(records):
        for row in [*samples, status]:
            for value in row[record * rate : (record + 1) * rate]:
                data += int(value).to_bytes(3, "little", signed=True)
    path.write_bytes(head + data)


def read(path, name):
    reader = mne.io.read_raw_bdf if path.suffix == ".bdf" else mne.io.read_raw_edf
    raw = reader(path, preload=True, stim_channel="auto", verbose="ERROR")
    picks = [ch for ch in raw.ch_names if ch not in ("Status", "Temp")]
    expected = {
        "rateHz": raw.info["sfreq"],
        "volts": {ch: [float(v) for v in raw.get_data([ch])[0][::7]] for ch in picks},
        "annotations": [
            [float(a["onset"]), float(a["duration"]), str(a["description"])] for a in raw.annotations
        ],
    }
    if "Status" in raw.ch_names:
        events = mne.find_events(raw, "Status", consecutive=True, shortest_event=1, mask=0xFFFF, mask_type="and")
        expected["events"] = [[int(sample), int(value)] for sample, _, value in events]
    return {"name": name, "base64": base64.b64encode(path.read_bytes()).decode(), "expected": expected}


files = []
for name, suffix, write in [("EDF+C", "edf", edf_plus), ("BDF+C", "bdf", bdf_plus), ("BDF with a status channel", "bdf", biosemi)]:
    path = folder / f"{write.__name__}.{suffix}"
    write(path)
    files.append(read(path, name))
out = {"mne": mne.__version__, "edfio": edfio.__version__, "files": files}

target = Path(__file__).with_name("recordings.json")
target.write_text(json.dumps(out, indent=1, ensure_ascii=False) + "\n")
print(target, target.stat().st_size)
