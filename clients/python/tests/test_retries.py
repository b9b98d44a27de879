"""Retries and errors, with a fake clock."""

from __future__ import annotations

import httpx
import pytest
from conftest import LIVE_KEY, array_classifier, two_classes
from fake_service import FakeService, Refusal
from sklearn.base import clone
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer

from eeg_task_classifier import (
    BillingError,
    ConflictError,
    ConnectionFailedError,
    DataNotice,
    InvalidRequestError,
    RateLimitError,
    ServiceFaultError,
    ServiceUnavailableError,
    spending,
)
from eeg_task_classifier.connection import Connection
from eeg_task_classifier.service import Service


def usage(service: FakeService, *script: object) -> object:
    service.script["usage"] = list(script)
    return Service(Connection()).usage()


def refusal(status: int, code: str, kind: str = "api_error", **more: object) -> Refusal:
    return Refusal(status, kind, code, "no", **more)


@pytest.mark.parametrize(
    ("status", "code"),
    [
        (409, "CONFLICT"),
        (429, "RATE_LIMITED"),
        (429, "CONCURRENCY_LIMITED"),
        (500, "INTERNAL"),
        (502, "BACKEND_FAILURE"),
        (503, "POOL_UNAVAILABLE"),
        (503, "BILLING_UNAVAILABLE"),
    ],
)
def test_retries_after_1_2_4_and_8_seconds_with_at_most_5_attempts(
    service: FakeService, status: int, code: str
) -> None:
    usage(service, *[refusal(status, code)] * 4)
    assert service.pauses == [1, 2, 4, 8]
    service.pauses.clear()
    with pytest.raises(Exception, match=code):
        usage(service, *[refusal(status, code)] * 5)
    assert service.pauses == [1, 2, 4, 8]
    assert len(service.requests) == 10


@pytest.mark.parametrize(
    ("status", "code"),
    [
        (401, "UNAUTHENTICATED"),
        (402, "INSUFFICIENT_CREDIT"),
        (402, "BUDGET_EXCEEDED"),
        (403, "SCOPE_MISSING"),
        (404, "CLASSIFIER_NOT_FOUND"),
        (413, "PAYLOAD_TOO_LARGE"),
        (422, "INVALID_REQUEST"),
        (429, "USAGE_CAP_EXCEEDED"),
    ],
)
def test_never_retried(service: FakeService, status: int, code: str) -> None:
    with pytest.raises(Exception, match=code):
        usage(service, refusal(status, code, retry_after=7))
    assert service.pauses == []
    assert len(service.requests) == 1


def test_retry_after_sets_the_wait(service: FakeService) -> None:
    usage(service, refusal(503, "SERVING_DISABLED", retry_after=60), refusal(429, "RATE_LIMITED", retry_after=0))
    assert service.pauses == [60, 0]


@pytest.mark.parametrize(
    "error", [httpx.ConnectError("down"), httpx.ReadTimeout("slow"), httpx.RemoteProtocolError("cut")]
)
def test_connection_errors_and_timeouts_are_retried(service: FakeService, error: Exception) -> None:
    usage(service, error, error)
    assert service.pauses == [1, 2]
    with pytest.raises(ConnectionFailedError, match="5 attempts"):
        usage(service, *[error] * 5)


def test_all_attempts_of_a_request_have_one_idempotency_key(service: FakeService) -> None:
    x, y = two_classes()
    service.script["create"] = [refusal(503, "POOL_SATURATED"), httpx.ReadTimeout("slow")]
    service.script["predictions"] = [refusal(500, "INTERNAL")]
    clf = array_classifier().fit(x, y)
    clf.predict(x)
    clf.predict(x)
    creates, predictions = service.keys("create"), service.keys("predictions")
    assert len(creates) == 3
    assert len(set(creates)) == 1
    assert [len(set(predictions)), len(predictions)] == [2, 3]
    assert None not in [*creates, *predictions]


def test_a_409_is_repeated_until_the_timeout_of_an_answer(service: FakeService) -> None:
    x, y = two_classes()
    running = refusal(409, "CONFLICT", "conflict_error", retry_after=30)
    service.script["create"] = [httpx.ReadError("cut"), *[running] * 12]
    array_classifier(timeout=600).fit(x, y)
    assert service.pauses == [1, *[30] * 12]
    service.script["create"] = [running] * 30
    service.pauses.clear()
    with pytest.raises(ConflictError) as caught:
        array_classifier(timeout=600).fit(x, y)
    assert len(service.pauses) == 19
    assert caught.value.idempotency_key == service.keys("create")[-1]


def test_a_repeated_fit_with_unknown_outcome_keeps_its_key_and_is_paid_and_counted_once(
    service: FakeService,
) -> None:
    x, y = two_classes()
    fake_handle, down = service.handle, [True]

    def lossy(request: httpx.Request) -> httpx.Response:
        answer = fake_handle(request)
        if down:
            raise httpx.ReadError("gone")
        return answer

    service.handle = lossy  # type: ignore[method-assign]
    clf = array_classifier(api_key=LIVE_KEY)
    with pytest.raises(ConnectionFailedError) as caught:
        clf.fit(x, y)
    assert (spending.fits, spending.usd) == (1, 2)
    down.clear()
    clf.fit(x, y)
    assert {*service.keys("create")} == {caught.value.idempotency_key}
    assert (len(service.models), spending.fits, spending.usd) == (1, 1, 2)
    with pytest.warns(DataNotice, match="previous fit"):
        clf.set_params(max_usd=9).fit(x, y)
    assert len(service.models) == 2


def test_a_lost_answer_is_not_paid_again(service: FakeService) -> None:
    x, y = two_classes()
    fake_handle, lost = service.handle, []

    def lossy(request: httpx.Request) -> httpx.Response:
        answer = fake_handle(request)
        if request.url.path == "/v1/task-models" and not lost:
            lost.append(answer)
            raise httpx.ReadError("gone")
        return answer

    service.handle = lossy  # type: ignore[method-assign]
    array_classifier().fit(x, y)
    assert len(service.models) == 1


@pytest.mark.parametrize(
    ("status", "kind", "code", "expected"),
    [
        (402, "billing_error", "BUDGET_EXCEEDED", BillingError),
        (409, "conflict_error", "CONFLICT", ConflictError),
        (422, "invalid_request_error", "TASK_UNSUPPORTED", InvalidRequestError),
        (429, "rate_limit_error", "USAGE_CAP_EXCEEDED", RateLimitError),
        (500, "api_error", "INTERNAL", ServiceFaultError),
        (503, "service_unavailable_error", "POOL_SATURATED", ServiceUnavailableError),
    ],
)
def test_errors_have_a_class_and_all_fields_of_the_service(
    service: FakeService, status: int, kind: str, code: str, expected: type[Exception]
) -> None:
    details = {"request_id": "req_7", "errors": [{"field": "units", "message": "no"}]}
    planned = [
        refusal(status, code, kind, field="units", alternatives=[{"units": "uV"}, {"units": "V"}], details=details)
    ] * 5
    with pytest.raises(expected) as caught:
        usage(service, *planned)
    error = caught.value
    assert (error.code, error.message, error.field, error.status) == (code, "no", "units", status)
    assert (error.alternatives, error.request_id) == ([{"units": "uV"}, {"units": "V"}], "req_7")
    assert error.details["errors"][0]["field"] == "units"
    assert all(part in str(error) for part in (code, "units", "uV", "req_7"))


def test_the_answer_of_a_proxy_is_an_error(service: FakeService) -> None:
    with pytest.raises(ServiceFaultError, match="HTTP_502"):
        usage(service, *[httpx.Response(502, text="<h1>Bad gateway</h1>")] * 5)
    with pytest.raises(Exception, match="Check base_url"):
        usage(service, httpx.Response(200, text="<h1>Welcome</h1>"))


@pytest.mark.parametrize("url", ["http://eeg.example.org", "ftp://127.0.0.1", "nowhere"])
def test_a_key_is_not_sent_unencrypted_to_another_machine(url: str) -> None:
    with pytest.raises(ValueError, match="base_url"):
        Connection("k", url)


def test_the_key_is_never_shown(service: FakeService) -> None:
    clf = array_classifier(api_key="eeg_live_0123456789abcdef_" + "s" * 48)
    for shown in (repr(clf), clf._repr_html_(), repr(clf._service().connection)):
        assert "sss" not in shown
        assert "eeg_live_" in shown
    pipe = make_pipeline(FunctionTransformer(), clf)
    for holder in (pipe, GridSearchCV(pipe, {}), clone(pipe)):
        assert "sss" not in repr(holder) + holder._repr_html_()
    assert clone(clf).api_key == clf.api_key


def test_a_key_with_invalid_characters_is_refused_and_not_shown(service: FakeService) -> None:
    for key in ("eeg_live_sécret", "eeg_live_a\nx: y", "eeg live"):
        with pytest.raises(ValueError, match="API key") as caught:
            Connection(key)
        assert key not in str(caught.value)
