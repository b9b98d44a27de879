"""Real recordings, the command line and the README, with a running service.

Needs EEG_BASE_URL, EEG_TEST_KEY, EEG_LIVE_KEY, and EEG_DATA: the folder that contains `eegmmidb`.
"""

from __future__ import annotations

import gc
import json
import os
import re
import subprocess
import sys
from decimal import Decimal
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from sklearn.model_selection import cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer

from eeg_task_classifier import (
    InvalidRequestError,
    NotFoundError,
    PaymentNotAllowedError,
    TaskClassifier,
    epoch_labels,
    load_model,
    spending,
)
from eeg_task_classifier.cli.main import main
from eeg_task_classifier.connection import Connection
from eeg_task_classifier.io import read_epochs
from eeg_task_classifier.service import Service

pytestmark = pytest.mark.server

DATA = Path(os.environ.get("EEG_DATA", ".")) / "eegmmidb" / "1.0.0" / "S001"
RUNS = [DATA / f"S001R{run}.edf" for run in ("04", "08", "12")]
WHAT = "motor imagery: left or right fist"
ARRAY = {"channels": ["O1", "Oz", "O2"], "sampling_rate_hz": 160, "units": "uV"}
README = Path(__file__).parent.parent / "README.md"
SAMPLE = Path(__file__).parents[3] / "infra" / "recordings" / "sample"


@pytest.fixture(autouse=True)
def test_key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("EEG_API_KEY", os.environ["EEG_TEST_KEY"])


@pytest.fixture(scope="module")
def epochs() -> Any:
    read = read_epochs(RUNS, {"left": "T1", "right": "T2"}, (0, 4))
    return read.rename_channels(lambda name: name.strip("."))


@pytest.fixture(scope="module")
def fitted(epochs: Any) -> Any:
    key = os.environ["EEG_TEST_KEY"]
    with TaskClassifier(WHAT, api_key=key, name="MNE", expires_in_days=3, progress=False) as clf:
        yield clf.fit(epochs)


def alive() -> set[str]:
    return {each["id"] for each in Service(Connection()).models()}


def test_fit_and_predict_epochs_of_real_recordings(epochs: Any, fitted: Any) -> None:
    assert epochs.get_data().shape == (45, 64, 640)
    assert fitted.classes_.tolist() == ["left", "right"]
    assert fitted.report_.validation["kind"] == "sessions"
    assert 0 <= fitted.report_.balanced_accuracy <= 1
    assert fitted.report_.chance == 0.5
    assert fitted.cost_usd_ == 0
    chances = fitted.predict_proba(epochs)
    np.testing.assert_allclose(chances.sum(axis=1), 1, atol=1e-5)
    assert fitted.predict(epochs).tolist() == fitted.classes_[chances.argmax(axis=1)].tolist()
    assert fitted.score(epochs) > 0.8
    fitted.report_.plot()


def test_a_loaded_model_predicts_the_same_for_any_order_of_channels(epochs: Any, fitted: Any) -> None:
    loaded = load_model(fitted.model_id_)
    turned = epochs.copy().reorder_channels(epochs.ch_names[::-1])
    np.testing.assert_allclose(loaded.predict_proba(turned), fitted.predict_proba(epochs), atol=1e-9)
    x = epochs.get_data() * 1e6
    np.testing.assert_allclose(loaded.predict_proba(x[:5]), fitted.predict_proba(epochs[:5]), atol=1e-6)
    np.testing.assert_allclose(
        loaded.predict_proba(x[:5] / 1e6, units="V"), fitted.predict_proba(epochs[:5]), atol=1e-6
    )
    with pytest.raises(InvalidRequestError) as refused:
        loaded.predict(x[:5, :4], channels=["C3", "Cz", "C4", "Oz"])
    assert refused.value.field


def test_the_error_of_an_unknown_electrode_name_suggests_names() -> None:
    raw = read_epochs(RUNS[0], {"left": "T1", "right": "T2"}, (0, 4))
    raw.rename_channels({name: f"{name}." for name in raw.ch_names})
    with pytest.raises(InvalidRequestError) as refused:
        TaskClassifier(WHAT, progress=False).estimate(raw)
    names = refused.value.alternatives[0]["channels"]
    assert names[:2] == ["FC5", "FC3"]
    raw.rename_channels(dict(zip(raw.ch_names, names, strict=True)))
    assert TaskClassifier(WHAT, progress=False).estimate(raw).total_usd == 0


def test_cross_validation_in_a_pipeline_leaves_no_model(epochs: Any) -> None:
    x, y = epochs.get_data(picks=["C3", "Cz", "C4"]) * 1e6, np.array(epoch_labels(epochs))
    clf = TaskClassifier(WHAT, channels=["C3", "Cz", "C4"], sampling_rate_hz=160, units="uV", progress=False)
    before = alive()
    scores = cross_val_score(make_pipeline(FunctionTransformer(), clf), x, y, cv=3, error_score="raise")
    assert scores.shape == (3,)
    gc.collect()
    assert alive() == before


def test_trials_beyond_one_request_are_fitted_in_batches(epochs: Any) -> None:
    x, y = epochs.get_data()[:, :40], np.array(epoch_labels(epochs))
    many = np.concatenate([x, x[:, ::-1], -x])
    with TaskClassifier(WHAT, channels=epochs.ch_names[:40], sampling_rate_hz=160, units="V", progress=False) as clf:
        estimate = clf.estimate(many, np.tile(y, 3))
        assert estimate.batches == 2
        clf.fit(many, np.tile(y, 3))
        assert clf.report_.trials == 135
        assert clf.predict(many).shape == (135,)


def test_a_live_fit_costs_its_estimate_and_the_second_needs_max_usd(
    epochs: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("EEG_API_KEY", os.environ["EEG_LIVE_KEY"])
    few = epochs.copy().pick(["C3", "Cz", "C4"])
    clf = TaskClassifier(WHAT, progress=False)
    assert clf.estimate(few).total_usd == Decimal("2.00")
    with clf.fit(few):
        assert clf.cost_usd_ == 2 == spending.usd
        assert clf.classify(few[:2]).cost_usd == Decimal("0.006")
        with pytest.raises(PaymentNotAllowedError, match=r"would cost \$2\.00"):
            TaskClassifier(WHAT, progress=False).fit(few)
        model_id = clf.model_id_
    with pytest.raises(NotFoundError) as gone:
        load_model(model_id)
    assert gone.value.details["status"] == "deleted"


def test_the_command_line_from_create_to_delete(capsys: pytest.CaptureFixture[str]) -> None:
    def run(*arguments: str, code: int = 0) -> str:
        assert main(arguments) == code
        out, err = capsys.readouterr()
        return out if code == 0 else err

    labelled = ["--events", "left=T1,right=T2", "--window", "0.5,4"]
    create = ["create", *map(str, RUNS[:2]), *labelled, "--description", WHAT]
    assert "Cx3" in run(*create, "--rename", "C3=Cx3", code=1)
    model = json.loads(run(*create, "--fix", "--json"))
    assert model["signal"]["samples_per_trial"] == 560
    rows = json.loads(run("predict", model["id"], str(RUNS[2]), *labelled, "--fix", "--json"))
    assert len(rows) == 15
    assert {row["label"] for row in rows} <= {"left", "right"}
    assert "of 15 correct" in run("predict", model["id"], str(RUNS[2]), *labelled, "--fix")
    assert model["id"] in run("models", "list")
    assert json.loads(run("models", "expire", model["id"], "--days", "2", "--json"))["expires_at"]
    assert int(json.loads(run("usage", "--json"))["month"]["requests"]) > 5
    run("models", "delete", model["id"], "--yes")
    assert "deleted" in run("models", "show", model["id"], code=1)


def test_the_command_is_installed() -> None:
    done = subprocess.run(["eeg-classifier", "usage", "--json"], capture_output=True, text=True, timeout=100)
    assert json.loads(done.stdout)["object"] == "usage", done.stderr


def test_a_zero_shot_model() -> None:
    seen = []
    clf = TaskClassifier("eyes closed versus eyes open at rest", align="batch", progress=False)
    clf.zero_shot(channels=["O1", "Oz", "O2"], sampling_rate_hz=160, trial_seconds=4, review=seen.append)
    assert set(seen[0]["explanation"]) == set(clf.classes_)
    assert clf.predict_proba(np.random.default_rng(0).standard_normal((4, 3, 640)), **ARRAY).shape == (4, 2)
    clf.delete()


def test_the_snippets_of_the_readme_run(tmp_path: Path) -> None:
    code = "\n".join(re.findall(r"```python\n(.*?)```", README.read_text(), re.DOTALL))
    for path in SAMPLE.glob("*.edf"):
        (tmp_path / path.name).symlink_to(path)
    done = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, timeout=150)
    assert done.returncode == 0, done.stderr
    assert "['feet' 'fists']" in done.stdout
    assert (tmp_path / "report.png").stat().st_size > 10_000
    assert "INVALID_REQUEST channels[1]" in done.stdout
