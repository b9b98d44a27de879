"""Creates and fits that run as jobs, because they take longer than a connection should stay open."""

from __future__ import annotations

import pytest
from conftest import array_classifier, two_classes
from fake_service import FakeService

from eeg_task_classifier import InvalidRequestError


def test_a_long_fit_is_read_as_a_job_until_it_has_ended(service: FakeService) -> None:
    service.job_reads = 3
    x, y = two_classes()
    classifier = array_classifier().fit(x, y)
    assert classifier.model_id_ in service.models
    (headers,) = [headers for name, _, _, headers in service.requests if name == "create"]
    assert headers["prefer"] == "respond-async, wait=30"
    assert headers["idempotency-key"]
    assert len(service.sent("job")) == 3
    assert service.pauses == [3, 5, 5]
    assert (classifier.predict(x) == y).mean() > 0.9


def test_the_error_of_a_job_is_raised_as_that_of_the_request(service: FakeService) -> None:
    service.job_reads = 1
    service.fewest = 1_000
    x, y = two_classes()
    with pytest.raises(InvalidRequestError, match="TOO_FEW_TRIALS") as caught:
        array_classifier().fit(x, y)
    assert (caught.value.status, caught.value.request_id) == (422, "req_2")
