"""Interruptions of paid calls by a signal, and cross-validation with a live key, with a running service.

Needs EEG_BASE_URL, EEG_TEST_KEY and EEG_LIVE_KEY.
"""

from __future__ import annotations

import gc
import os
import signal
import threading
from collections.abc import Callable, Iterator
from decimal import Decimal
from typing import Any

import httpx
import pytest
from conftest import two_classes
from sklearn.model_selection import cross_val_score

from eeg_task_classifier import (
    PaidCallInterrupted,
    PaymentNotAllowedError,
    TaskClassifier,
    estimate_cv,
    list_models,
    spending,
)
from eeg_task_classifier.connection import Connection
from eeg_task_classifier.service import Service
from eeg_task_classifier.spending_limit import Spending

pytestmark = pytest.mark.server
X, Y = two_classes(24, 3, 160)


@pytest.fixture(autouse=True)
def live_key(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("EEG_API_KEY", os.environ["EEG_LIVE_KEY"])
    monkeypatch.delenv("EEG_TEST_KEY")
    monkeypatch.setattr(spending, "_fits", 0)
    monkeypatch.setattr(spending, "_usd", Spending().usd)
    monkeypatch.setattr(spending, "_plans", [])
    yield
    gc.collect()


def paid() -> Decimal:
    return Decimal(Service(Connection()).usage()["month"]["usd"])


def classifier(**parameters: Any) -> TaskClassifier:
    array = {"channels": ["C3", "Cz", "C4"], "sampling_rate_hz": 80, "units": "uV", "progress": False}
    return TaskClassifier("motor imagery: left or right hand", **{**array, **parameters})


class Interrupting(httpx.HTTPTransport):
    """Sends a signal to this process at one moment of the first paid request to a path."""

    def __init__(self, path: str, moment: str, seconds: float = 0.0) -> None:
        super().__init__()
        self.path, self.moment, self.seconds, self.is_armed = path, moment, seconds, True

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        is_it = self.is_armed and request.url.path.endswith(self.path) and "idempotency-key" in request.headers
        if not is_it:
            return super().handle_request(request)
        self.is_armed = False
        if self.moment == "before":
            interrupt()
        timer = threading.Timer(self.seconds, interrupt)
        if self.moment == "during":
            timer.start()
        answer = super().handle_request(request)
        timer.cancel()
        # Here the answer has come. A timer that has run by now has interrupted the line above.
        answer.read()
        interrupt()
        return answer


def interrupt() -> None:
    os.kill(os.getpid(), signal.SIGINT)


FIT, PREDICT = "/v1/task-models", "/predictions"
MOMENTS = [("before", 0.0), ("during", 0.0), ("during", 0.03), ("during", 0.3), ("after", 0.0)]


@pytest.mark.parametrize(("moment", "seconds"), MOMENTS)
@pytest.mark.parametrize("another_process", [False, True])
def test_an_interrupted_fit_is_fetched_and_paid_once(moment: str, seconds: float, another_process: bool) -> None:
    before, models = paid(), {each.id for each in list_models()}
    with httpx.Client(transport=Interrupting(FIT, moment, seconds)) as client:
        clf = classifier(http_client=client)
        with pytest.raises(PaidCallInterrupted) as caught:
            clf.fit(X, Y)
        assert caught.value.cost_usd == 2
        if another_process:
            clf = classifier(max_usd=9).fit(X, Y, idempotency_key=caught.value.idempotency_key)
        else:
            clf.fit(X, Y)
        assert paid() - before == 2
        assert {each.id for each in list_models()} - models == {clf.model_id_}
        assert clf.predict(X[:2]).shape == (2,)
        clf.delete()


@pytest.mark.parametrize(("moment", "seconds"), [MOMENTS[0], MOMENTS[1], MOMENTS[-1]])
def test_an_interrupted_prediction_is_fetched_and_paid_once(moment: str, seconds: float) -> None:
    with classifier().fit(X, Y) as clf, httpx.Client(transport=Interrupting(PREDICT, moment, seconds)) as client:
        before = paid()
        clf.set_params(http_client=client)
        call: Callable[[], Any] = lambda: clf.predict_proba(X)  # noqa: E731
        with pytest.raises(PaidCallInterrupted, match=clf.model_id_):
            call()
        assert call().shape == (24, 2)
        assert paid() - before == Decimal("0.072")
        clf.set_params(http_client=None)


def test_folds_cost_nothing_before_the_search_is_priced_and_nothing_with_a_test_key(
    monkeypatch: pytest.MonkeyPatch, test_key: str = os.environ.get("EEG_TEST_KEY", "")
) -> None:
    before = paid()
    clf = classifier(max_usd=7)
    with pytest.raises(PaymentNotAllowedError):
        cross_val_score(clf, X, Y, cv=2, error_score="raise")
    assert paid() == before
    price = estimate_cv(clf, 2, X, Y)
    cross_val_score(clf, X, Y, cv=2, error_score="raise")
    gc.collect()
    assert paid() - before == price.total_usd == Decimal("4.072")
    monkeypatch.setenv("EEG_TEST_KEY", test_key)
    cross_val_score(clf, X, Y, cv=2, error_score="raise")
    assert paid() - before == price.total_usd
    assert list_models() == []
