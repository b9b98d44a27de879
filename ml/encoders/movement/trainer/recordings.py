"""Recordings of the EEG Motor Movement/Imagery Database, from a folder in PhysioNet's own layout."""

import hashlib
import json
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import unquote, urlparse

import numpy as np

CATALOGUE = Path(__file__).parents[4] / "infra/contract/reference-data/eegmmidb.json"

# People whose recordings the networks may learn from. S001 is the sample recording, and people above S060 are kept for
# measurements from outside.
FIRST_PERSON, LAST_PERSON = 2, 60


@dataclass(frozen=True)
class Recording:
    """One EDF+ file. `data`: [channels × samples] in microvolts. `events`: (seconds, text) in order of time."""

    channels: list[str]
    rate_hz: float
    data: np.ndarray
    events: list[tuple[float, str]]


def catalogue() -> dict:
    return json.loads(CATALOGUE.read_text())


def folder_of(address: str) -> Path:
    """The folder behind `REFERENCE_DATA_URL`: `file:/folder` or a path."""
    parts = urlparse(address)
    if parts.scheme in ("http", "https"):
        raise SystemExit(
            f"{address} is not a folder. Download the recordings first (npm run reference -- prepare) and give "
            "their folder as file:/folder."
        )
    return Path(unquote(parts.path) if parts.scheme == "file" else address)


def training_files(address: str, runs: set[str]) -> list[tuple[str, str, Path]]:
    """(person, run, path) of the recordings that are present, checked against the catalogue's SHA-256."""
    data_set = catalogue()
    bad = {each["person"] for each in data_set["excluded"]}
    found = []
    for person, run, _, sha256 in data_set["files"]:
        if run not in runs or person in bad or not FIRST_PERSON <= int(person[1:]) <= LAST_PERSON:
            continue
        path = folder_of(address) / data_set["folder"] / person / f"{person}R{run}.edf"
        if not path.exists():
            continue
        if hashlib.sha256(path.read_bytes()).hexdigest() != sha256:
            raise SystemExit(f"{path} is not the published file: its SHA-256 differs from the catalogue's.")
        found.append((person, run, path))
    if not found:
        raise SystemExit(f"{folder_of(address)} holds none of the recordings of S{FIRST_PERSON:03} to S{LAST_PERSON:03}.")
    return found


def read_edf(path: Path) -> Recording:
    """Reads an EDF+ file whose signals share one rate (Kemp & Olivan 2003)."""
    raw = path.read_bytes()
    count = int(raw[252:256])
    records, seconds = int(raw[236:244]), float(raw[244:252])
    at = 256

    def fields(width: int) -> list[str]:
        nonlocal at
        values = [raw[at + i * width : at + (i + 1) * width].decode("ascii").strip() for i in range(count)]
        at += width * count
        return values

    labels = fields(16)
    fields(80)
    fields(8)
    physical_low, physical_high, digital_low, digital_high = (np.array(fields(8), float) for _ in range(4))
    fields(80)
    samples = np.array(fields(8), int)
    fields(32)
    body = np.frombuffer(raw, "<i2", offset=at).reshape(records, samples.sum())
    starts = np.concatenate([[0], np.cumsum(samples)])
    is_signal = [label != "EDF Annotations" for label in labels]
    gain = (physical_high - physical_low) / (digital_high - digital_low)
    rows, names, texts = [], [], []
    for i, label in enumerate(labels):
        part = body[:, starts[i] : starts[i + 1]]
        if is_signal[i]:
            rows.append((part.reshape(-1) - digital_low[i]) * gain[i] + physical_low[i])
            names.append(label)
        else:
            texts.append(part.tobytes())
    rate = float(samples[is_signal.index(True)] / seconds)
    return Recording(names, rate, np.array(rows, np.float32), _events(b"".join(texts)))


def _events(block: bytes) -> list[tuple[float, str]]:
    events = []
    for entry in block.split(b"\x00"):
        fields = entry.split(b"\x14")
        onset = fields[0].split(b"\x15")[0]
        events += [(float(onset), text.decode("utf-8")) for text in fields[1:] if text]
    return sorted(events)


def site_names(channels: list[str], electrodes: list[str]) -> list[str]:
    """Canonical names of the file's channels: `Fc5.` is `FC5`."""
    known = {name.upper(): name for name in electrodes}
    return [known[name.strip(".").upper()] for name in channels]
