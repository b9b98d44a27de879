"""Settings of the connection, warnings of the service, and models of the account."""

from __future__ import annotations

import time
from collections.abc import Iterator

import anyio
import httpx
import numpy as np
import pytest
from conftest import ADDRESS, LIVE_KEY, array_classifier, two_classes
from fake_service import FakeService, Refusal
from sklearn.base import clone
from sklearn.model_selection import cross_val_score

from eeg_task_classifier import (
    AsyncTaskClassifier,
    ConnectionFailedError,
    NotFoundError,
    ServiceUnavailableError,
    ServiceWarning,
    close_connections,
    connection,
    delete_model,
    list_models,
)
from eeg_task_classifier.connection import Connection
from eeg_task_classifier.retry import Clock

X, Y = two_classes()


def unavailable(**more: object) -> Refusal:
    return Refusal(503, "service_unavailable_error", "POOL_SATURATED", "busy", **more)


def test_max_retries_counts_the_attempts_after_the_first_one(service: FakeService) -> None:
    for retries in (0, 2):
        service.script["create"] = [httpx.ConnectError("down")] * 9
        with pytest.raises(ConnectionFailedError, match=f"in {retries + 1} attempt"):
            array_classifier(max_retries=retries).fit(X, Y)
        assert len(service.sent("create")) == retries + 1
        service.requests.clear()
    for wrong in ({"max_retries": -1}, {"max_retries": 1.5}, {"timeout": 0}):
        with pytest.raises(ValueError, match=next(iter(wrong))):
            array_classifier(**wrong).fit(X, Y)


def test_timeout_limits_all_attempts_and_waits_together(service: FakeService) -> None:
    service.script["create"] = [unavailable(retry_after=20)] * 9
    with pytest.raises(ServiceUnavailableError):
        array_classifier(timeout=50, max_retries=9).fit(X, Y)
    assert service.pauses == [20, 20]


class Trickle(httpx.SyncByteStream):
    def __iter__(self) -> Iterator[bytes]:
        for _ in range(100):
            time.sleep(0.02)
            yield b" "


def test_an_answer_that_trickles_does_not_outlast_the_timeout(monkeypatch: pytest.MonkeyPatch) -> None:
    client = httpx.Client(transport=httpx.MockTransport(lambda _: httpx.Response(200, stream=Trickle())))
    begun = time.monotonic()
    with client, pytest.raises(ConnectionFailedError, match="too slowly"):
        Connection("k", ADDRESS, 0.1, Clock(), 0, client).exchange("GET", "/v1/usage")
    assert time.monotonic() - begun < 1


def test_an_http_client_of_the_caller_sends_all_requests_and_clones_share_it(service: FakeService) -> None:
    with httpx.Client(transport=httpx.MockTransport(service.handle), headers={"x-mine": "1"}) as client:
        clf = array_classifier(http_client=client).fit(X, Y)
        assert clone(clf).http_client is client
        assert cross_val_score(clf, X, Y, cv=2, error_score="raise").shape == (2,)
        with array_classifier(http_client=client, keep=False) as other:
            other.fit(X, Y)
        assert list_models(http_client=client)[0].id
    assert {headers.get("x-mine") for *_, headers in service.requests} == {"1"}
    assert connection._clients == {}


def test_the_shared_client_is_closed_and_opened_again(service: FakeService) -> None:
    clf = array_classifier().fit(X, Y)
    (used,) = connection._clients.values()
    close_connections()
    assert used.is_closed
    clf.predict(X)


def test_warnings_of_the_service_are_python_warnings(service: FakeService) -> None:
    with pytest.warns(ServiceWarning, match=r"Few trials\.") as said:
        clf = array_classifier().fit(X, Y)
    assert said[0].filename == __file__
    service.signal_warnings = ["Line noise."]
    for call in (clf.predict, clf.predict_proba, clf.predict_log_proba, lambda x: clf.score(x, Y)):
        with pytest.warns(ServiceWarning, match=r"Line noise\."):
            call(X)


def test_log_probabilities(service: FakeService) -> None:
    clf = array_classifier().fit(X, Y)
    np.testing.assert_allclose(np.exp(clf.predict_log_proba(X)), clf.predict_proba(X))


def test_models_of_the_account_are_listed_and_deleted(service: FakeService) -> None:
    fitted = array_classifier(name="mine").fit(X, Y)
    (found,) = list_models()
    assert (found.id, found.name, found.status, found.classes) == (
        fitted.model_id_,
        "mine",
        "active",
        ("right", "left"),
    )
    assert (found.balanced_accuracy, found.is_test, found.created.year) == (0.8, True, 2026)
    delete_model(found.id)
    assert list_models() == []
    with pytest.raises(NotFoundError):
        delete_model("clf_" + "0" * 32)


def test_the_asynchronous_classifier_fits_and_predicts(service: FakeService) -> None:
    async def work() -> None:
        async with AsyncTaskClassifier(classifier=array_classifier()) as clf:
            assert (await clf.estimate(X, Y)).total_usd == 0
            await clf.fit(X, Y)
            async with anyio.create_task_group() as group:
                for _ in range(4):
                    group.start_soon(clf.predict_proba, X)
            assert (await clf.predict(X)).shape == (20,)
            assert await clf.score(X, Y) > 0.9
            loaded = await AsyncTaskClassifier.load(clf.model_id_)
            assert loaded.classes_.tolist() == ["left", "right"]
            assert service.alive() == [clf.model_id_]
        assert service.alive() == []

    anyio.run(work)


def test_a_cancelled_call_is_fetched_by_a_repeated_one_and_paid_once(service: FakeService) -> None:
    fake_handle = service.handle

    def slow(request: httpx.Request) -> httpx.Response:
        time.sleep(0.2)
        return fake_handle(request)

    service.handle = slow  # type: ignore[method-assign]

    async def work() -> None:
        clf = AsyncTaskClassifier(classifier=array_classifier(api_key=LIVE_KEY))
        with anyio.move_on_after(0.05):
            await clf.fit(X, Y)
        await anyio.sleep(0.4)
        await clf.fit(X, Y)

    anyio.run(work)
    assert (len(service.models), service.credit) == (1, 98)
