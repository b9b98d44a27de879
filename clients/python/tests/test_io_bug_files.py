"""Recordings that people really have, as the Python client reads them: one row for each file, printed as a table.

The files are made by the scripts in the folder that EEG_BUG_INPUTS names (default: shared/bug-inputs beside the
repository). Without it the table is skipped, and says so.
"""

from __future__ import annotations

import os
import subprocess
import sys
import warnings
from collections import Counter
from pathlib import Path
from typing import Any

import mne
import numpy as np
import pytest

from eeg_task_classifier import DataNotice, RecordingError, epoch_labels
from eeg_task_classifier.io import read_epochs

mne.set_log_level("ERROR")
SCRIPTS = Path(os.environ.get("EEG_BUG_INPUTS", Path(__file__).parents[4] / "shared" / "bug-inputs"))
T = {"left": "T1", "right": "T2"}
STAGES = {"W": "Sleep stage W", "N2": "Sleep stage N2", "N3": "Sleep stage N3"}
ALL = ["C3", "C4", "Cz"]
Row = tuple[str, dict[str, Any], "dict[str, int] | None", "list[str] | None", str]
ACCENTS = {"left": "é", "right": "è"}
HANDS = {"left": "main serrée", "right": "main relâchée"}
SUFFIXES = ["Fp1", "F3", "C3", "P3", "O1", "F4", "C4", "T7", "Fp2", "Pz", "Cz"]
EVEN = {"left": 12, "right": 12}

#: File, arguments, trials of each class (None: refused), EEG channels (None: any), words of a notice or of the error.
ROWS: list[Row] = [
    ("b01_edf_d_gap.edf", {"events": T}, {"left": 12, "right": 12}, ALL, "pauses 1 time, 11 s"),
    ("b01_edf_d_nogap.edf", {"events": T}, EVEN, ALL, ""),
    ("b02_latin1.edf", {"events": HANDS}, EVEN, ALL, "read as latin-1"),
    ("b02_latin1_twins.edf", {"events": ACCENTS}, EVEN, ALL, "read as latin-1"),
    ("b02_utf8.edf", {"events": {"left": "左手", "right": "右手"}}, EVEN, ALL, ""),
    ("b03_psg_rates.edf", {"events": T}, EVEN, ["C3", "C4"], "have 256 Hz"),
    ("b03_psg_rates_plain.edf", {"events": T}, EVEN, ["C3", "C4"], "have 256 Hz"),
    ("b04_suffixes.edf", {"events": T}, EVEN, SUFFIXES, "taken off"),
    ("b05_nul_numbers.edf", {"events": T}, EVEN, ALL, ""),
    ("b06_unit_blank.edf", {"events": T}, None, None, "unit='uV'"),
    ("b06_unit_blank.edf", {"events": T, "unit": "uV"}, EVEN, ALL, ""),
    ("b06_unit_dotV.edf", {"events": T}, None, None, "unit='uV'"),
    ("b06_unit_dotV.edf", {"events": T, "unit": "uV"}, EVEN, ALL, ""),
    ("b06_unit_micro_latin1.edf", {"events": T}, EVEN, ALL, ""),
    ("b07_records_2s.edf", {"events": T}, EVEN, ALL, ""),
    ("b07_records_08s.edf", {"events": T}, EVEN, ALL, ""),
    ("b07_rate_250_00025.edf", {"events": T}, EVEN, ALL, ""),
    ("b08_records_unknown.edf", {"events": T}, EVEN, ALL, ""),
    ("b08_records_too_many.edf", {"events": T}, EVEN, ALL, "promises 600 data records, and 54"),
    ("b09_physical_equal.edf", {"events": T}, None, None, "range of C3, C4, Cz is unusable"),
    ("b09_physical_equal.edf", {"events": T, "unit": "digital"}, EVEN, ALL, "digital step"),
    ("b09_physical_reversed.edf", {"events": T}, EVEN, ALL, ""),
    ("b11_biosemi.bdf", {"events": {"left": 1, "right": 257}}, EVEN, ALL, ""),
    ("b12_no_duration.edf", {"events": T}, EVEN, ALL, ""),
    ("b12_no_sign.edf", {"events": T}, EVEN, ALL, ""),
    ("b13_subsecond_start.edf", {"events": T}, EVEN, ALL, ""),
    ("b14_emotiv_offset.edf", {"events": T}, EVEN, ["AF3", "F7", "F3"], "COUNTER (misc)"),
    ("b15_others.edf", {"events": T}, EVEN, ["C3", "C4"], "EOG left (eog), ECG (ecg)"),
    (
        "b16_stage_runs.edf",
        {"events": STAGES, "window": None},
        {"N2": 43, "N3": 13, "W": 24},
        ["C3", "C4"],
        "80 epochs",
    ),
    ("b16_stage_epochs.edf", {"events": STAGES, "window": None}, {"N2": 43, "N3": 13, "W": 24}, ["C3", "C4"], ""),
    ("b16_psg_alone.edf", {"events": STAGES, "window": None}, None, None, "no event 'Sleep stage W'"),
    ("b17_plus.edf", {"events": {"left": "CS+", "right": "CS-"}}, EVEN, ALL, ""),
    ("b18_bad_span.edf", {"events": T}, {"left": 10, "right": 10}, ALL, "4 of 24 trials are left out: 4 in a span"),
    ("b21_trigger_channel.edf", {"events": {"left": 1, "right": 2}}, EVEN, ALL, ""),
    ("b21_trigger_channel.edf", {"events": None}, {"1": 12, "2": 12}, ALL, "every trigger is a class: 1, 2"),
    ("b22_declared_mV.edf", {"events": T}, EVEN, ALL, ""),
    ("b23_common_reference.edf", {"events": T}, EVEN, ["C3", "C4", "Cz", "Pz"], "reference (CPz) was taken off"),
    ("b23_common_fz.edf", {"events": T}, EVEN, ["C3", "C4", "Cz", "Pz"], "reference (Fz) was taken off"),
    ("s1_epochs.set", {"events": None, "window": None}, EVEN, ALL, ""),
    ("x0_plain.xdf", {"events": None}, EVEN, ALL, ""),
    ("x1_jump_back.xdf", {"events": None}, EVEN, ALL, "jumps back by"),
    ("x2_jump_200000.xdf", {"events": None}, {"left": 7, "right": 6}, ALL, "markers are left out"),
    ("x4_effective_124.xdf", {"events": None}, EVEN, ALL, "time stamps give 124.00 Hz"),
    ("x6_lost_2s.xdf", {"events": None}, {"left": 12, "right": 11}, ALL, "samples are missing"),
    ("bv1.vhdr", {"events": {"left": "S1", "right": "S2"}}, EVEN, ALL, ""),
]


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> Path:
    if not (SCRIPTS / "make_files.py").exists():
        text = f"SKIPPED: the table of bug files, because {SCRIPTS} has no make_files.py. Set EEG_BUG_INPUTS."
        print(text, file=sys.__stderr__)
        pytest.skip(text)
    folder = tmp_path_factory.mktemp("bugs")
    for name in ("make_files", "make_more", "make_xdf", "make_set"):
        subprocess.run([sys.executable, str(SCRIPTS / f"{name}.py"), str(folder)], check=True, capture_output=True)
    return folder


def read(file: Path, arguments: dict[str, Any]) -> tuple[Any, str]:
    """Read a file; returns the epochs or None, and the notices or the error."""
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always", DataNotice)
        try:
            epochs = read_epochs(file, **{"window": (0, 1), **arguments})
        except ValueError as error:
            return None, f"{'' if isinstance(error, RecordingError) else 'ValueError '}{error}"
    return epochs, " | ".join(str(each.message) for each in said)


def test_every_bug_file_has_its_right_answer(files: Path, capfd: pytest.CaptureFixture[str]) -> None:
    table, wrong = [], []
    for name, arguments, expected, channels, words in ROWS:
        epochs, text = read(files / name, arguments)
        counts = None if epochs is None else dict(sorted(Counter(epoch_labels(epochs)).items()))
        names = None if epochs is None else [epochs.ch_names[at] for at in mne.pick_types(epochs.info, eeg=True)]
        is_right = (
            (counts is None) == (expected is None)
            and (expected is None or counts == expected)
            and (channels is None or [each.lower() for each in names or []] == [each.lower() for each in channels])
            and words in text
            and (epochs is None or _is_eeg(name, epochs))
        )
        shown = "refused" if epochs is None else f"{counts} {epochs.info['sfreq']:g} Hz {','.join(names or [])}"
        table.append(f"{'right' if is_right else 'WRONG':6}{name:28}{shown} {text[:160]}")
        if not is_right:
            wrong.append(f"{name}: {shown} {text}")
    with capfd.disabled():
        print("\n" + "\n".join(table))
    assert not wrong, "\n".join(wrong)


def _is_eeg(name: str, epochs: Any) -> bool:
    """Whether the 10 Hz rhythm of each class is at its own electrode: trials are cut where they belong."""
    if name.startswith("b16") or not {"left", "right"} <= set(epoch_labels(epochs)):
        return True
    data = epochs.get_data(picks=epochs.ch_names[:2])
    time = np.arange(data.shape[-1]) / epochs.info["sfreq"]
    power = np.abs((data * np.exp(-2j * np.pi * 10 * time)).mean(-1))
    first = np.array(epoch_labels(epochs)) == "left"
    share = np.mean((power[:, 0] > power[:, 1]) == first)
    return bool(share > 0.9)
