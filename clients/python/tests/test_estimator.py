"""The estimator checks of scikit-learn, with a fake service that classifies by the nearest class mean."""

from __future__ import annotations

import pytest
from conftest import TEST_KEY
from fake_service import FakeService
from sklearn.utils.estimator_checks import parametrize_with_checks

from eeg_task_classifier import TaskClassifier

#: One channel: the checks pass 2-D arrays, whose rows are then trials of one electrode.
CHECKED = TaskClassifier(
    "two classes", api_key=TEST_KEY, channels=["Cz"], sampling_rate_hz=128, units="uV", progress=False
)


@pytest.mark.parametrize("service", [{"fewest": 1}], indirect=True)
@parametrize_with_checks([CHECKED])
def test_scikit_learn_checks(service: FakeService, estimator: TaskClassifier, check: object) -> None:
    check(estimator)  # type: ignore[operator]
