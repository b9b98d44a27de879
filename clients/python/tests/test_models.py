"""Reports, hosted models, zero-shot."""

from __future__ import annotations

import copy
import pickle
from decimal import Decimal

import matplotlib
import numpy as np
import pytest
import sklearn
from conftest import LIVE_KEY, array_classifier, two_classes
from fake_service import FakeService

from eeg_task_classifier import (
    InvalidRequestError,
    NotFoundError,
    PaymentNotAllowedError,
    PreparationError,
    Report,
    TaskClassifier,
    load_model,
)
from eeg_task_classifier.trials import Trials

matplotlib.use("Agg")
X, Y = two_classes()


def test_the_report_has_attributes_warnings_and_a_table(service: FakeService) -> None:
    report = array_classifier().fit(X, Y).report_
    assert (report.balanced_accuracy, report.chance, report.log_loss, report.p_value) == (0.8, 0.5, 0.4, 0.01)
    assert report["log_loss"] == 0.4
    assert report.warnings == ["Few trials."]
    assert [each["id"] for each in report.scored] == ["mean", "other"]
    np.testing.assert_array_equal(report.confusion, [[8, 2], [1, 9]])
    assert "&lt;mean&gt;" in report._repr_html_()
    assert "<mean>" not in report._repr_html_()
    assert "Few trials." in repr(report)
    assert "log_loss" in dir(report)
    with pytest.raises(AttributeError, match="log_loss"):
        _ = report.no_such_number
    assert isinstance(copy.deepcopy(report), Report)


def test_jupyter_shows_the_fitted_model_above_the_diagram_of_scikit_learn(service: FakeService) -> None:
    clf = array_classifier()
    assert "Task model" not in clf._repr_mimebundle_()["text/html"]
    clf.fit(X, Y)
    for shown in (clf._repr_mimebundle_()["text/html"], clf._repr_html_()):
        assert shown.index(clf.model_id_) < shown.index("data:image/png") < shown.index("sk-top-container")
    with sklearn.config_context(display="text"):
        assert [*clf._repr_mimebundle_()] == ["text/plain"]
        assert not hasattr(clf, "_repr_html_")


def test_the_report_is_plotted(service: FakeService, tmp_path: object) -> None:
    figure = array_classifier().fit(X, Y).report_.plot()
    scores, confusion, curve, calibration = figure.axes
    assert [label.get_text() for label in scores.get_yticklabels()] == ["Other", "<mean>"]
    assert any(line.get_xdata()[0] == 0.5 == line.get_xdata()[-1] for line in scores.lines)
    assert [text.get_text() for text in confusion.texts] == ["8", "2", "1", "9"]
    assert list(curve.lines[0].get_xdata()) == [5.0]
    assert len(calibration.collections) == 1
    figure.savefig(f"{tmp_path}/report.png")


def test_load_model_gives_a_fitted_classifier_that_keeps_its_model(service: FakeService) -> None:
    fitted = array_classifier(name="mine").fit(X, Y)
    loaded = load_model(fitted.model_id_)
    assert loaded.classes_.tolist() == ["left", "right"]
    assert loaded.report_.balanced_accuracy == 0.8
    np.testing.assert_array_equal(loaded.predict_proba(X), fitted.predict_proba(X))
    assert loaded.predict(X[:, ::-1], channels=["C4", "Cz", "C3"]).tolist() == fitted.predict(X).tolist()
    del loaded
    assert service.alive() == [fitted.model_id_]
    fitted.delete()
    with pytest.raises(NotFoundError) as caught:
        load_model(service.requests[0][1] or next(iter(service.models)))
    assert caught.value.details["status"] == "deleted"


def test_keep_false_deletes_a_loaded_or_finished_model_with_its_object(service: FakeService) -> None:
    loaded = load_model(array_classifier().fit(X, Y).model_id_, keep=False)
    assert service.alive() == [loaded.model_id_]
    del loaded
    assert service.alive() == []
    begun = array_classifier()._service().create({**_labelled(), "description": "d", "defer_fit": True}).body["id"]
    finished = TaskClassifier(api_key=LIVE_KEY, keep=False).finish_fit(begun)
    assert (finished.cost_usd_, finished.n_features_in_, service.alive()) == (Decimal(2), 3, [begun])
    del finished
    assert service.alive() == []


def _labelled() -> dict[str, object]:
    x = X.astype(np.float32)
    return Trials(x, ["C3", "Cz", "C4"], 50.0, "uV", [str(name) for name in Y]).labelled_fields()


def test_a_collecting_model_cannot_be_loaded(service: FakeService) -> None:
    fitted = array_classifier().fit(X, Y)
    service.models[fitted.model_id_]["status"] = "collecting"
    with pytest.raises(ValueError, match="collecting"):
        load_model(fitted.model_id_)


def test_a_pickled_classifier_predicts_and_does_not_delete_the_model(service: FakeService) -> None:
    fitted = array_classifier(keep=False).fit(X, Y)
    copied = pickle.loads(pickle.dumps(fitted))
    assert copied.predict(X).tolist() == fitted.predict(X).tolist()
    del copied
    assert service.alive() == [fitted.model_id_]


ZERO_SHOT = {"channels": ["O1", "O2"], "sampling_rate_hz": 160, "trial_seconds": 4}


def preparing(status: str = "running", retryable: bool = True) -> dict[str, object]:
    return {"status": status, "retryable": retryable, "estimated_seconds": 30, "reason": "why"}


def zero_shot(**parameters: object) -> TaskClassifier:
    return TaskClassifier("eyes closed versus eyes open at rest", progress=False, **parameters)


def test_zero_shot_creates_with_the_reference_classes_of_the_estimate(
    service: FakeService, capsys: pytest.CaptureFixture[str]
) -> None:
    service.preparing = [preparing("queued"), preparing()]
    clf = zero_shot().zero_shot(**ZERO_SHOT, classes=["open", "closed"])
    assert "open: Does open." in capsys.readouterr().err
    assert service.pauses == [10, 10]
    assert len(service.sent("estimate")) == 3
    sent = service.sent("create")[0]
    assert list(sent["reference_classes"]["open"]) == ["data_set", "class", "z", "a"]
    assert sent["mode"] == "zero_shot"
    assert clf.classes_.tolist() == ["closed", "open"]
    assert clf.n_features_in_ == 2


def test_a_create_that_waits_for_recordings_is_repeated_with_the_same_key(service: FakeService) -> None:
    def review(estimate: dict[str, object]) -> None:
        service.preparing = [preparing(), preparing()]

    zero_shot().zero_shot(**ZERO_SHOT, review=review)
    assert len(service.sent("create")) == 3
    assert len(set(service.keys("create"))) == 1


def test_nothing_is_created_after_a_declined_review_or_a_failed_preparation(service: FakeService) -> None:
    declined = zero_shot().zero_shot(**ZERO_SHOT, review=lambda estimate: np.bool_(False))
    assert not hasattr(declined, "model_id_")
    service.preparing = [preparing("required", retryable=False)]
    with pytest.raises(PreparationError, match="why"):
        zero_shot().zero_shot(**ZERO_SHOT)
    service.preparing = [preparing()] * 9
    with pytest.raises(PreparationError, match="later"):
        zero_shot().zero_shot(**ZERO_SHOT, max_wait_seconds=25)
    assert service.models == {}


def test_zero_shot_counts_as_a_paid_fit(service: FakeService) -> None:
    zero_shot(api_key=LIVE_KEY).zero_shot(**ZERO_SHOT)
    with pytest.raises(PaymentNotAllowedError) as caught:
        zero_shot(api_key=LIVE_KEY).zero_shot(**ZERO_SHOT)
    assert caught.value.cost_usd == Decimal(2)


def test_given_reference_classes_are_sent_with_the_estimate(service: FakeService) -> None:
    mapping = {name: {"data_set": "d", "class": name, "z": 1, "a": [2]} for name in ("open", "closed")}
    zero_shot().zero_shot(**ZERO_SHOT, classes=["open", "closed"], reference_classes=mapping)
    assert [body["reference_classes"] for body in service.sent("estimate")] == [mapping]


def test_changed_reference_classes_are_refused(service: FakeService) -> None:
    def review(estimate: dict[str, dict[str, dict[str, str]]]) -> None:
        next(iter(estimate["reference_classes"].values()))["class"] = "other"

    with pytest.raises(InvalidRequestError, match="changed"):
        zero_shot().zero_shot(**ZERO_SHOT, review=review)
