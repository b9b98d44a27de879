"""The recipes, with a running service (EEG_BASE_URL and EEG_TEST_KEY). They need moabb, pyriemann and mne-bids."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

mne = pytest.importorskip("mne")
moabb = pytest.importorskip("moabb")
from moabb.datasets.base import BaseDataset  # noqa: E402
from moabb.evaluations import CrossSessionEvaluation, CrossSubjectEvaluation, WithinSessionEvaluation  # noqa: E402
from moabb.paradigms import LeftRightImagery  # noqa: E402

from eeg_task_classifier import TaskClassifier, list_models  # noqa: E402

pytestmark = pytest.mark.server
RECIPES = Path(__file__).parent.parent / "recipes"
sys.path[:0] = [str(RECIPES), str(RECIPES / "moabb")]
RATE, CHANNELS = 128.0, ["C3", "Cz", "C4"]


@pytest.fixture(autouse=True)
def test_key(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("EEG_API_KEY", os.environ["EEG_TEST_KEY"])
    monkeypatch.setenv("MNE_DATA", str(tmp_path))
    mne.set_log_level("ERROR")


def simulated_raw(seed: int, trials: int = 24) -> Any:
    """A recording with a rhythm of 11 Hz that is weaker over one hand area in each trial."""
    random = np.random.default_rng(seed)
    samples = int((trials * 3 + 4) * RATE)
    signal = random.standard_normal((3, samples)) * 6
    time = np.arange(samples) / RATE
    onsets = 2 + 3 * np.arange(trials)
    texts = ["left_hand" if at % 2 else "right_hand" for at in range(trials)]
    size = np.full((3, samples), 10.0)
    for onset, text in zip(onsets, texts, strict=True):
        size[2 if text == "left_hand" else 0, int(onset * RATE) : int((onset + 2) * RATE)] = 3
    signal += size * np.sin(2 * np.pi * 11 * time + random.uniform(0, 6, (3, 1)))
    raw = mne.io.RawArray(signal * 1e-6, mne.create_info(CHANNELS, RATE, "eeg"))
    return raw.set_annotations(mne.Annotations(onsets, 2.0, texts))


class LocalDataset(BaseDataset):  # type: ignore[misc]
    """Two people with two sessions each, made up."""

    def __init__(self) -> None:
        super().__init__(
            subjects=[1, 2],
            sessions_per_subject=2,
            events={"left_hand": 1, "right_hand": 2},
            code="LocalImagery",
            interval=[0, 2],
            paradigm="imagery",
        )

    def _get_single_subject_data(self, subject: int) -> dict[str, dict[str, Any]]:
        return {str(session): {"0": simulated_raw(10 * subject + session)} for session in range(2)}

    def data_path(self, *_args: Any, **_options: Any) -> list[str]:
        return []


@pytest.mark.parametrize(
    ("evaluation", "rows"), [(WithinSessionEvaluation, 4), (CrossSessionEvaluation, 4), (CrossSubjectEvaluation, 4)]
)
def test_an_evaluation_of_moabb_fits_clones_with_the_test_key(evaluation: Any, rows: int, tmp_path: Path) -> None:
    from eeg_task_classifier_pipeline import PIPELINE

    paradigm = LeftRightImagery(channels=CHANNELS, resample=RATE, fmin=4, fmax=40)
    runner = evaluation(
        paradigm=paradigm, datasets=[LocalDataset()], overwrite=True, hdf5_path=str(tmp_path), error_score="raise"
    )
    scores = runner.process({PIPELINE["name"]: PIPELINE["pipeline"]})
    assert len(scores) == rows
    assert scores["score"].mean() > 0.8


def test_the_benchmark_of_moabb_loads_the_pipeline() -> None:
    from moabb.pipelines.utils import parse_pipelines_from_directory

    found = parse_pipelines_from_directory(str(RECIPES / "moabb"))
    assert [each["name"] for each in found] == ["EEG task classifier"]
    assert isinstance(found[0]["pipeline"][-1], TaskClassifier)


def test_pyriemann_is_compared_on_the_same_trials() -> None:
    from pyriemann_comparison import compare

    raw = simulated_raw(1, 40)
    events, codes = mne.events_from_annotations(raw)
    epochs = mne.Epochs(raw, events, codes, 0, 2 - 1 / RATE, baseline=None, preload=True)
    y = np.where(epochs.events[:, 2] == codes["left_hand"], "left", "right")
    clf = TaskClassifier("motor imagery: left or right hand", channels=CHANNELS, sampling_rate_hz=RATE, units="uV")
    scores = compare(clf, epochs.get_data() * 1e6, y)
    assert min(scores.values()) > 0.8


def test_a_study_in_bids_is_fitted_with_its_runs_as_sessions(tmp_path: Path) -> None:
    from mne_bids import BIDSPath, write_raw_bids
    from mne_bids_study import epochs_of_study

    for run in ("01", "02"):
        raw = simulated_raw(int(run))
        raw.info["line_freq"] = 50
        path = BIDSPath(subject="01", task="imagery", run=run, root=tmp_path, datatype="eeg")
        write_raw_bids(raw, path, allow_preload=True, format="BrainVision", verbose="ERROR")
    epochs = epochs_of_study(str(tmp_path), "imagery", {"left": "left_hand", "right": "right_hand"}, (0, 2))
    with TaskClassifier("motor imagery: left or right hand", progress=False) as clf:
        clf.fit(epochs)
        assert clf.report_.validation["kind"] == "sessions"
        assert clf.score(epochs) > 0.8
    assert list_models() == []


def test_windows_of_braindecode_become_trials() -> None:
    from braindecode_windows import trials_of

    raw = simulated_raw(3)

    class Recording:
        """What the recipe reads of a data set of braindecode."""

        def __init__(self) -> None:
            self.raw = raw

        def __len__(self) -> int:
            return 12

        def __getitem__(self, at: int) -> tuple[Any, int, list[int]]:
            return raw.get_data(start=at * 100, stop=at * 100 + 256), at % 2, [0, 0, 0]

    windows = type("Windows", (), {"datasets": [Recording(), Recording()]})()
    data = trials_of(windows, {"left": 0, "right": 1})
    assert data["X"].shape == (24, 3, 256)
    clf = TaskClassifier("motor imagery: left or right hand", progress=False)
    assert clf.estimate(**data).total_usd == 0
