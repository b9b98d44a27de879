"""Trials that do not fit into one request."""

from __future__ import annotations

from collections import Counter
from decimal import Decimal

import numpy as np
import pytest
from conftest import LIVE_KEY, array_classifier, two_classes
from fake_service import FakeService, invalid

from eeg_task_classifier import DataNotice, InvalidRequestError
from eeg_task_classifier.batches import stratified_batches, trials_per_request
from eeg_task_classifier.trials import Trials

CHANNELS = [f"E{i}" for i in range(64)]


def trials(count: int, rows: int, samples: int, rate: float) -> Trials:
    return Trials(np.zeros((count, rows, samples), np.float32), CHANNELS[:rows], rate, "uV")


@pytest.mark.parametrize(
    ("rows", "samples", "rate", "expected"),
    [
        (64, 2000, 500, 31),  # 4,000,000 numbers as sent
        (64, 640, 160, 60),  # 1,024 samples at 256 Hz, and one for rounding
        (1, 8, 250, 4096),  # the limit of windows
        (1, 300, 10, 520),  # 30 s are seven windows, and 7,681 samples
        (64, 100_000, 100, 1),  # at least one
    ],
)
def test_largest_number_of_trials_per_request(rows: int, samples: int, rate: float, expected: int) -> None:
    assert trials_per_request(trials(1, rows, samples, rate)) == expected


def test_bodies_of_many_long_names_stay_below_64_mib() -> None:
    few = Trials(np.zeros((1, 1, 1), np.float32), ["Cz"], 1.0, "uV", ["\x7f" * 20_000])
    assert trials_per_request(few) < 4096


def test_answers_of_many_classes_stay_below_32_mib() -> None:
    assert trials_per_request(trials(1, 1, 8, 250), ["k" * 199 + str(i) for i in range(64)]) < 4096


def test_batches_are_shuffled_and_stratified_and_contain_every_trial_once() -> None:
    labels = ["a"] * 70 + ["b"] * 30 + ["c"] * 20
    batches = stratified_batches(labels, 33)
    assert sorted(np.concatenate(batches)) == list(range(120))
    assert [len(batch) for batch in batches] == [30] * 4
    for batch in batches:
        counts = Counter(labels[i] for i in batch)
        assert 17 <= counts["a"] <= 18
        assert counts["b"] in (7, 8)
        assert counts["c"] == 5
        assert list(batch) != sorted(batch)


def test_a_fit_in_batches_sends_every_trial_with_its_label_and_session(service: FakeService) -> None:
    x, y = two_classes(150, 64, 640)
    x[:, 1, 0] = np.arange(150)
    sessions = [f"s{i % 3}" for i in range(150)]
    clf = array_classifier(channels=CHANNELS, sampling_rate_hz=160, name="big", expires_in_days=9, priors="as_sent")
    clf.fit(x, y, sessions=sessions)
    operations = [name for name, *_ in service.requests]
    assert operations == ["create", "trials", "trials", "fit"]
    bodies = service.sent("create") + service.sent("trials")
    seen = []
    for body in bodies:
        sent = service._x(body)
        for trial, label, session in zip(sent, body["labels"], body["sessions"], strict=True):
            index = int(trial[1, 0])
            seen.append(index)
            assert (label, session) == (y[index], sessions[index])
    assert sorted(seen) == list(range(150))
    assert bodies[0]["defer_fit"] is True
    assert bodies[0]["parameters"] == {"priors": "as_sent"}
    assert {"description", "name", "parameters", "expires_in_days", "defer_fit"} & set(bodies[1]) == set()
    assert len(set(service.keys("create") + service.keys("trials") + service.keys("fit"))) == 4
    assert clf.predict(x[:4]).tolist() == y[:4].tolist()


def test_predictions_in_several_requests_keep_the_order(service: FakeService) -> None:
    x, y = two_classes(100, 64, 640)
    clf = array_classifier(channels=CHANNELS, sampling_rate_hz=160, align="batch").fit(x[:40], y[:40])
    with pytest.warns(DataNotice, match="2 requests"):
        answer = clf.classify(x, sessions=["one"] * 50 + ["two"] * 50)
    assert (answer.labels == y).mean() > 0.9
    bodies = service.sent("predictions")
    assert [body["shape"][0] for body in bodies] == [60, 40]
    assert bodies[1]["normalization_context"]["session_id"] == ["two"] * 40
    assert answer.windows == 100


def test_the_error_of_a_later_request_has_the_paid_predictions(service: FakeService) -> None:
    x, y = two_classes(100, 64, 640)
    clf = array_classifier(channels=CHANNELS, sampling_rate_hz=160).fit(x[:40], y[:40])
    service.script["predictions"] = [None, invalid("INVALID_REQUEST", "no")]
    with pytest.raises(InvalidRequestError) as caught:
        clf.predict(x)
    assert len(caught.value.predictions.labels) == 60
    assert caught.value.predictions.windows == 60


def test_the_estimate_includes_the_price_of_all_batches(service: FakeService) -> None:
    x, y = two_classes(150, 64, 640)
    estimate = array_classifier(channels=CHANNELS, sampling_rate_hz=160, api_key=LIVE_KEY).estimate(x, y)
    assert estimate.batches == 3
    assert estimate.total_usd == Decimal(2) + 150 * Decimal("0.003")
    assert service.models == {}
    clf = array_classifier(channels=CHANNELS, sampling_rate_hz=160, api_key=LIVE_KEY, max_usd=2.45).fit(x, y)
    assert clf.classes_.tolist() == ["left", "right"]
