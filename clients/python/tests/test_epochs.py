"""Fits and predictions of MNE Epochs and arrays."""

from __future__ import annotations

import base64
from typing import Any

import mne
import numpy as np
import pandas as pd
import pytest
from conftest import array_classifier
from fake_service import FakeService
from sklearn.model_selection import cross_val_score

from eeg_task_classifier import DataNotice, InvalidRequestError, TaskClassifier, epoch_labels

mne.set_log_level("ERROR")


def make_epochs(
    event_id: dict[str, int] | None = None,
    names: tuple[str, ...] = ("C3", "Cz", "EOG1", "C4", "STI"),
    types: tuple[str, ...] = ("eeg", "eeg", "eog", "eeg", "stim"),
    count: int = 24,
    tmin: float = 0.0,
    **more: Any,
) -> mne.BaseEpochs:
    event_id = event_id or {"left": 7, "right": 3}
    codes = np.resize(list(event_id.values()), count)
    data = np.random.default_rng(0).standard_normal((count, len(names), 50)) * 1e-5
    data[codes == min(codes), 0] += 2e-5
    events = np.column_stack([np.arange(count) * 100, np.zeros(count, int), codes])
    info = mne.create_info(list(names), 50.0, list(types))
    return mne.EpochsArray(data, info, events, tmin, event_id, **more)


def quiet(**parameters: Any) -> TaskClassifier:
    return TaskClassifier("motor imagery: left or right hand", progress=False, **parameters)


def test_event_names_are_classes_eeg_channels_are_sent_and_volts_become_microvolts(
    service: FakeService,
) -> None:
    epochs = make_epochs()
    with pytest.warns(DataNotice, match=r"type is not eeg: EOG1 \(eog\), STI \(stim\)"):
        clf = quiet().fit(epochs)
    body = service.sent("create")[0]
    assert body["channels"] == ["C3", "Cz", "C4"] == clf.channels_
    assert (body["units"], body["sampling_rate_hz"], body["shape"]) == ("uV", 50.0, [24, 3, 50])
    sent = np.frombuffer(base64.b64decode(body["x"]), "<f4").reshape(body["shape"])
    np.testing.assert_allclose(sent, epochs.get_data(picks=["C3", "Cz", "C4"]) * 1e6, rtol=1e-6)
    assert body["labels"][:2] == ["left", "right"]
    assert clf.classes_.tolist() == ["left", "right"]
    assert clf.notes_ == ["Left out channels whose type is not eeg: EOG1 (eog), STI (stim)."]
    with pytest.warns(DataNotice):
        labels, chances = clf.predict(epochs), clf.predict_proba(epochs)
    assert labels.tolist() == [clf.classes_[i] for i in chances.argmax(axis=1)]
    with pytest.warns(DataNotice):
        assert clf.score(epochs) == np.mean(labels == epoch_labels(epochs)) > 0.9


def test_the_class_of_a_hierarchical_event_is_its_name_or_a_tag(service: FakeService) -> None:
    epochs = make_epochs({"cue/left": 1, "cue/right": 2, "word/left": 3, "word/right": 4}, count=40)
    assert set(epoch_labels(epochs)) == {"cue/left", "cue/right", "word/left", "word/right"}
    assert epoch_labels(epochs, ["left", "right"]) == ["left", "right"] * 20
    with pytest.warns(DataNotice):
        assert quiet(tags=["left", "right"]).fit(epochs).classes_.tolist() == ["left", "right"]
    with pytest.raises(ValueError, match="2 of the tags"):
        epoch_labels(epochs, ["cue", "left"])
    with pytest.raises(ValueError, match="0 of the tags"):
        epoch_labels(epochs, ["other"])
    epochs.event_id["also"] = 1
    with pytest.raises(ValueError, match="Keep one name"):
        epoch_labels(epochs)


def test_notices_list_bad_channels_and_rejected_epochs(service: FakeService) -> None:
    epochs = make_epochs(names=("C3", "Cz", "C4"), types=("eeg",) * 3)
    epochs.info["bads"] = ["Cz"]
    epochs.drop([0, 5], reason="BLINK")
    with pytest.warns(DataNotice) as said:
        clf = quiet().fit(epochs)
    texts = [str(each.message) for each in said]
    assert any("marked as bad: Cz" in text for text in texts)
    assert any("Rejected epochs are not sent: 2 (BLINK: 2); 22 are left" in text for text in texts)
    assert service.sent("create")[0]["channels"] == ["C3", "C4"]
    other = make_epochs(names=("C4", "C3", "Oz"), types=("eeg",) * 3)
    other.info["bads"] = ["C4"]
    with pytest.warns(DataNotice, match="fitted on") as said:
        clf.predict(other)
    assert service.sent("predictions")[0]["channels"] == ["C3", "C4"]
    assert "left out channels that the model was not fitted on: oz." in str([str(e.message) for e in said]).lower()


def test_an_estimate_gives_notice_of_channels_left_out(service: FakeService) -> None:
    with pytest.warns(DataNotice, match="EOG1"):
        quiet().estimate(make_epochs())


def test_an_estimate_refuses_an_unknown_keyword(service: FakeService) -> None:
    with pytest.raises(TypeError, match="sampling_rate"):
        quiet().estimate(make_epochs(), sampling_rate=50)


def test_an_unknown_electrode_name_gives_the_error_of_the_service_with_alternatives(service: FakeService) -> None:
    epochs = make_epochs(names=("C3.", "Cz", "C4"), types=("eeg",) * 3)
    with pytest.raises(InvalidRequestError, match="not an electrode") as caught:
        quiet().fit(epochs)
    assert caught.value.alternatives == [{"channels": ["C3", "Cz", "C4"]}]


def test_sessions_come_from_metadata_or_the_argument_and_the_baseline_from_tmin(service: FakeService) -> None:
    metadata = pd.DataFrame({"session": ["one"] * 12 + ["two"] * 12})
    epochs = make_epochs(names=("C3", "Cz", "C4"), types=("eeg",) * 3, metadata=metadata, tmin=-0.2)
    quiet().fit(epochs)
    quiet(sessions=["s"] * 12 + ["t"] * 12).fit(epochs)
    quiet(baseline_seconds=0.4).fit(epochs, sessions=["u", "v"] * 12)
    bodies = service.sent("create")
    assert [body["sessions"][0] for body in bodies] == ["one", "s", "u"]
    assert [body["parameters"]["baseline_seconds"] for body in bodies] == [0.2, 0.2, 0.4]
    with pytest.raises(ValueError, match="3 sessions"):
        quiet().fit(epochs, sessions=["a"] * 3)


def test_epochs_without_eeg_in_volts_are_refused(service: FakeService) -> None:
    with pytest.raises(ValueError, match="no channel of type eeg"):
        quiet().fit(make_epochs(names=("A", "B"), types=("misc", "misc")))
    epochs = make_epochs(names=("C3", "Cz"), types=("eeg", "eeg"))
    epochs.info["bads"] = ["C3", "Cz"]
    with pytest.raises(ValueError, match="Every EEG channel"):
        quiet().fit(epochs)
    strange = make_epochs(names=("C3", "Cz"), types=("eeg", "eeg"))
    strange.info["chs"][0]["unit"] = 201
    with pytest.raises(ValueError, match="volts"):
        quiet().fit(strange)


def test_epochs_rejected_while_loading_lose_their_labels_too(service: FakeService) -> None:
    raw = mne.io.RawArray(
        np.random.default_rng(1).standard_normal((2, 3000)) * 1e-6, mne.create_info(["C3", "C4"], 50.0, "eeg")
    )
    raw._data[0, 130:135] = 1e-3
    events = np.column_stack([np.arange(100, 2800, 100), np.zeros(27, int), np.resize([1, 2], 27)])
    epochs = mne.Epochs(raw, events, {"a": 1, "b": 2}, 0, 0.98, baseline=None, reject={"eeg": 1e-4}, preload=False)
    with pytest.warns(DataNotice, match="Rejected epochs are not sent: 1"):
        quiet().fit(epochs)
    assert service.sent("create")[0]["labels"] == ["b", "a"] * 13


def test_cross_validation_of_epochs(service: FakeService) -> None:
    epochs = make_epochs(names=("C3", "Cz", "C4"), types=("eeg",) * 3)
    assert cross_val_score(quiet(), epochs, epoch_labels(epochs), cv=3, error_score="raise").mean() > 0.9
    assert cross_val_score(quiet(), epochs, cv=3, error_score="raise").mean() > 0.9


def test_a_model_fitted_on_epochs_predicts_arrays(service: FakeService) -> None:
    clf = quiet().fit(make_epochs(names=("C3", "T7"), types=("eeg",) * 2))
    x = np.zeros((3, 2, 50))
    assert clf.predict(x, channels=["C3", "T7"], sampling_rate_hz=50, units="V").shape == (3,)
    with pytest.raises(ValueError, match="channels, sampling_rate_hz, units"):
        clf.predict(x)


def test_numeric_classes_stay_numeric(service: FakeService) -> None:
    x = np.random.default_rng(0).standard_normal((20, 3, 50))
    clf = array_classifier().fit(x, np.resize([5, 2], 20))
    assert clf.classes_.tolist() == [2, 5]
    assert set(clf.predict(x)) <= {2, 5}
    assert service.sent("create")[0]["labels"][:2] == ["5", "2"]
    with pytest.raises(ValueError, match="Reshape your data"):
        clf.predict(x[0, 0])
    with pytest.raises(InvalidRequestError, match="UNITS"):
        array_classifier(units="unknown").fit(x, np.resize([5, 2], 20))
    with pytest.raises(ValueError, match="float32"):
        array_classifier().fit(x * 1e300, np.resize([5, 2], 20))
    with pytest.raises(ValueError, match="description is missing"):
        TaskClassifier(channels=["C3", "Cz", "C4"], sampling_rate_hz=50, units="uV").fit(x, np.resize([5, 2], 20))
