"""Public EDF and BDF files of pyedflib, edfio, EDF.jl and MNE, as the Python client reads them, printed as a table.

The files are not part of the repository. ``npm run public-recordings`` fetches them into the user's cache folder;
without them the table is skipped, and says so.
"""

from __future__ import annotations

import hashlib
import json
import os
import sys
import warnings
from pathlib import Path, PurePosixPath
from typing import Any

import mne
import pytest

from eeg_task_classifier import RecordingError
from eeg_task_classifier.io import read_recording
from eeg_task_classifier.io.electrode_names import channel_meanings
from eeg_task_classifier.io.events import find_events

mne.set_log_level("ERROR")
TABLE = Path(__file__).parents[3] / "test" / "support" / "public-recordings.json"
FOLDER = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "eeg-task-classifier" / "public-recordings"
KEYS = ("electrodes", "rateHz", "seconds", "events", "first")


def files() -> list[tuple[Path, dict[str, Any]]]:
    """Return the path of each file of the table on this machine, and its row."""
    if not TABLE.exists():
        return []
    sources = json.loads(TABLE.read_text(encoding="utf-8"))["sources"]
    return [
        (FOLDER / source["repository"] / row["sha256"][:16] / PurePosixPath(row["path"]).name, row)
        for source in sources
        for row in source["files"]
    ]


def read(path: Path) -> dict[str, Any]:
    """Read a file as the table describes it; `refused` is the error."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            raw = read_recording(path)
        except RecordingError as error:
            return {"refused": str(error)}
        kinds = find_events(raw)
    found: dict[str, Any] = {}
    meanings = zip(raw.ch_names, raw.get_channel_types(), channel_meanings(raw.ch_names), strict=True)
    electrodes = [name for name, kind, each in meanings if kind == "eeg" and each.electrode and not each.pair]
    if electrodes:
        found["first"] = [electrodes[0], float(raw.get_data([electrodes[0]]).std() * 1e6)]
    return found | {
        "electrodes": len(electrodes),
        "rateHz": float(raw.info["sfreq"]),
        "seconds": float(raw.n_times) / float(raw.info["sfreq"]),
        "events": sum(len(kind.samples) for kind in kinds),
    }


def is_expected(found: dict[str, Any], row: dict[str, Any]) -> bool:
    if "refused" in row or "refused" in found:
        return row.get("refused", {}).get("python", "no error") in found.get("refused", "")
    wanted = {key: row[key] for key in KEYS if key in row} | {"events": row["events"]["python"]}
    name, size = wanted.pop("first", [None, 0.0])
    found_name, found_size = found.pop("first", [None, 0.0])
    return found == wanted and name == found_name and found_size == pytest.approx(size, rel=1e-3)


def test_every_public_file_is_read_or_refused_in_one_sentence(capfd: pytest.CaptureFixture[str]) -> None:
    present = [(path, row) for path, row in files() if path.exists()]
    if len(present) < max(1, len(files())):
        text = (
            f"SKIPPED: {len(files()) - len(present)} of {len(files())} public EDF and BDF files, because they are not "
            f"in {FOLDER}. Fetch them: npm run public-recordings"
        )
        print(text, file=sys.__stderr__)
        if not present:
            pytest.skip(text)
    table, wrong = [], []
    for path, row in present:
        assert hashlib.sha256(path.read_bytes()).hexdigest() == row["sha256"]
        found = read(path)
        shown = f"{row['path']}: {found}"
        table.append(shown)
        if not is_expected(found, row):
            wrong.append(shown)
    with capfd.disabled():
        print("\n" + "\n".join(table))
    assert not wrong, "\n".join(wrong)
