"""Class names in the Unicode form NFC, data that is not trials, and recordings that differ from those of the fit."""

from __future__ import annotations

from typing import Any

import mne
import numpy as np
import pytest
from conftest import array_classifier, two_classes
from fake_service import FakeService

from eeg_task_classifier import DataNotice, TaskClassifier, load_model
from eeg_task_classifier.inputs import read_targets

mne.set_log_level("ERROR")
X, Y = two_classes()

COMPOSED, DECOMPOSED = "\u00e9", "e\u0301"


def test_decomposed_class_names_are_sent_and_matched_composed() -> None:
    targets = read_targets([DECOMPOSED, "rest", DECOMPOSED])
    assert list(targets.classes) == [DECOMPOSED, "rest"]
    assert targets.names == [COMPOSED, "rest"]
    assert targets.labels == [COMPOSED, "rest", COMPOSED]


def test_two_unicode_forms_of_one_class_are_refused() -> None:
    with pytest.raises(ValueError, match="differ only in their Unicode form"):
        read_targets([DECOMPOSED, COMPOSED])


def epochs_of(change: Any = None, rate: float = 50.0) -> Any:
    random = np.random.default_rng(0)
    raw = mne.io.RawArray(random.standard_normal((3, 4000)) * 1e-5, mne.create_info(["C3", "Cz", "C4"], rate, "eeg"))
    if change is not None:
        raw = change(raw)
    events = np.column_stack([np.arange(20) * 150 + 50, np.zeros(20, int), np.resize([1, 2], 20)])
    return mne.Epochs(raw, events, {"left": 1, "right": 2}, 0, 0.98, baseline=None, proj=False, preload=True)


def epochs_classifier() -> TaskClassifier:
    return TaskClassifier("motor imagery: left or right hand", progress=False)


@pytest.mark.parametrize("model", ["fitted", "loaded", "fitted on epochs"])
def test_two_dimensional_data_is_refused_after_a_fit_of_trials(service: FakeService, model: str) -> None:
    clf = array_classifier().fit(X, Y)
    if model == "loaded":
        clf = load_model(clf.model_id_)
    elif model == "fitted on epochs":
        clf = epochs_classifier().fit(epochs_of()).set_params(channels=["C3", "Cz", "C4"], units="uV")
        clf.set_params(sampling_rate_hz=50)
    with pytest.raises(ValueError, match=r"one trial, pass X\[np.newaxis\].*cut it into trials"):
        clf.predict(X[0])
    with pytest.raises(ValueError, match=r"X.reshape\(len\(X\), 3, -1\)"):
        clf.predict(X.reshape(len(X), -1))
    with pytest.raises(ValueError, match="Cut the recording"):
        clf.predict(X[:, 0, :49])
    assert service.sent("predictions") == []
    assert clf.predict(X[:1]).shape == (1,)


def test_rows_are_accepted_by_a_model_that_was_fitted_on_rows(service: FakeService) -> None:
    rows = X.reshape(len(X), -1)
    clf = array_classifier().fit(rows, Y)
    assert clf.predict(rows).shape == (20,)
    with pytest.raises(ValueError, match="expecting 150 features"):
        clf.predict(rows[:, :120])


def test_continuous_recordings_and_averages_are_refused_with_the_call_that_makes_epochs(service: FakeService) -> None:
    raw = mne.io.RawArray(np.zeros((3, 500)), mne.create_info(["C3", "Cz", "C4"], 50.0, "eeg"))
    clf = array_classifier().fit(X, Y)
    for call in (clf.predict, lambda data: clf.fit(data, ["a"]), lambda data: clf.estimate(data, ["a"])):
        for data in (raw, [raw, raw]):
            with pytest.raises(ValueError, match=r"continuous recording.*make_fixed_length_epochs"):
                call(data)
    with pytest.raises(ValueError, match="average"):
        clf.predict(epochs_of().average())


@pytest.mark.parametrize(
    ("change", "text"),
    [
        (lambda raw: raw.filter(1, None), "high-pass filter of these trials is 1 Hz; that of the fit was none"),
        (lambda raw: raw.filter(None, 20), "low-pass filter of these trials is 20 Hz; that of the fit was none"),
        (lambda raw: raw.set_eeg_reference(["Cz"]), "reference of these trials is changed; that of the fit was as rec"),
        (
            lambda raw: raw.set_eeg_reference("average", projection=True).apply_proj(),
            "reference of these trials is average",
        ),
        (
            lambda raw: raw.set_eeg_reference("average", projection=True).apply_proj(),
            "projections of these trials is Average EEG reference; that of the fit was empty",
        ),
    ],
)
def test_a_recording_that_differs_from_the_fit_is_noticed_at_prediction(
    service: FakeService, change: Any, text: str
) -> None:
    clf = epochs_classifier().fit(epochs_of())
    assert clf.recording_.reference == "as recorded"
    with pytest.warns(DataNotice) as said:
        clf.predict(epochs_of(change))
    assert any(text in str(each.message) for each in said)


def test_a_sampling_rate_that_differs_is_noticed_also_by_a_loaded_model(service: FakeService) -> None:
    fitted = array_classifier().fit(X, Y)
    for clf in (fitted, load_model(fitted.model_id_)):
        with pytest.warns(DataNotice, match=r"sampling rate of these trials is 100 Hz; that of the fit was 50 Hz"):
            clf.predict(X, sampling_rate_hz=100)


def test_the_same_recording_gives_no_notice(service: FakeService, recwarn: pytest.WarningsRecorder) -> None:
    epochs_classifier().fit(epochs_of()).predict(epochs_of())
    assert not [each for each in recwarn if each.category is DataNotice]
