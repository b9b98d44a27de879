"""Ctrl-C during a paid call: what the exception says, and how its result is fetched."""

from __future__ import annotations

from decimal import Decimal

import httpx
import numpy as np
import pytest
from conftest import LIVE_KEY, array_classifier, two_classes
from fake_service import FakeService

from eeg_task_classifier import ConnectionFailedError, PaidCallInterrupted, TaskClassifier, spending

X, Y = two_classes()
LONG_X, LONG_Y = two_classes(120, 64, 640)


def live(**parameters: object) -> TaskClassifier:
    return array_classifier(api_key=LIVE_KEY, **parameters)


def large(**parameters: object) -> TaskClassifier:
    return live(channels=[f"E{i}" for i in range(64)], sampling_rate_hz=160, **parameters)


class Interrupting:
    """Lets the service handle the requests of one operation, and interrupts before the answer arrives."""

    def __init__(self, service: FakeService, operation: str, after: int = 0) -> None:
        self.left, self.operation, self.after, self.handle = 1, operation, after, service.handle
        service.handle = self  # type: ignore[method-assign]
        self.service = service

    def __call__(self, request: httpx.Request) -> httpx.Response:
        answer = self.handle(request)
        if self.service.requests[-1][0] == self.operation:
            self.after -= 1
            if self.left and self.after < 0:
                self.left = 0
                raise KeyboardInterrupt
        return answer


def test_an_interrupted_fit_names_its_key_and_price_and_a_repeat_fetches_its_result(service: FakeService) -> None:
    Interrupting(service, "create")
    clf = live()
    with pytest.raises(PaidCallInterrupted) as caught:
        clf.fit(X, Y)
    error = caught.value
    assert isinstance(error, KeyboardInterrupt)
    assert not isinstance(error, Exception)
    assert (error.idempotency_key, error.model_id, error.cost_usd) == (service.keys("create")[0], None, 2)
    for part in ("$2.00", error.idempotency_key, "Repeat the same call", "delete_model"):
        assert part in str(error)
    clf.fit(X, Y)
    assert (len(service.models), service.credit, spending.usd) == (1, 98, 2)
    assert clf.model_id_ in service.models


def test_another_process_fetches_the_result_with_the_key(service: FakeService) -> None:
    Interrupting(service, "create")
    with pytest.raises(PaidCallInterrupted) as caught:
        live().fit(X, Y)
    again = live(max_usd=9).fit(X, Y, idempotency_key=caught.value.idempotency_key)
    assert service.alive() == [again.model_id_]
    assert service.credit == 98


@pytest.mark.parametrize(("operation", "after"), [("create", 0), ("trials", 0), ("fit", 0)])
def test_an_interrupted_fit_in_batches_continues_where_it_stopped(
    service: FakeService, operation: str, after: int
) -> None:
    Interrupting(service, operation, after)
    clf = large()
    with pytest.raises(PaidCallInterrupted) as caught:
        clf.fit(LONG_X, LONG_Y)
    if operation != "create":
        assert caught.value.model_id in service.alive()
        assert caught.value.model_id in str(caught.value)
    assert caught.value.cost_usd == Decimal("2.360")
    clf.fit(LONG_X, LONG_Y)
    assert service.alive() == [clf.model_id_] == list(service.models)
    assert service.credit == 100 - Decimal("2.360")
    assert clf.cost_usd_ == 2
    assert spending.usd == Decimal("2.360")


def test_an_interrupted_prediction_is_fetched_and_paid_once(service: FakeService) -> None:
    Interrupting(service, "predictions")
    clf = live().fit(X, Y)
    with pytest.raises(PaidCallInterrupted, match=clf.model_id_) as caught:
        clf.predict(X)
    assert caught.value.cost_usd == Decimal("0.060")
    before = service.credit
    assert clf.predict(X).shape == (20,)
    assert service.credit == before
    clf.predict(X)
    assert service.credit == before - Decimal("0.060")
    assert len(set(service.keys("predictions"))) == 2


def test_an_interruption_before_the_first_request_says_that_nothing_is_paid(service: FakeService) -> None:
    service.script["estimate"] = [KeyboardInterrupt()]
    clf = live(max_usd=9)
    with pytest.raises(KeyboardInterrupt) as caught:
        clf.fit(X, Y)
    assert not isinstance(caught.value, PaidCallInterrupted)
    assert spending.usd == 0
    assert clf._pending_keys == {}


def test_a_lost_connection_in_the_middle_of_the_batches_keeps_the_model_and_a_repeat_continues(
    service: FakeService,
) -> None:
    clf = large(max_retries=0)
    service.script["trials"] = [httpx.ReadError("gone")]
    with pytest.raises(ConnectionFailedError, match="Repeat the same call") as caught:
        clf.fit(LONG_X, LONG_Y)
    assert service.alive()[0] in str(caught.value)
    clf.fit(LONG_X, LONG_Y)
    assert list(service.models) == [clf.model_id_]
    assert service.credit == 100 - Decimal("2.360")


def test_the_same_model_is_not_deleted_when_its_fit_is_repeated(service: FakeService) -> None:
    clf = array_classifier(keep=False).fit(X, Y, idempotency_key="mine")
    clf.fit(X, Y, idempotency_key="mine")
    assert service.alive() == [clf.model_id_]
    np.testing.assert_array_equal(np.unique(clf.predict(X)), ["left", "right"])
