"""Cross-validation and searches cost nothing before they are priced and allowed."""

from __future__ import annotations

import copy
import gc
import pickle
from decimal import Decimal

import numpy as np
import pytest
from conftest import LIVE_KEY, TEST_KEY, array_classifier, two_classes
from fake_service import FakeService
from joblib import Parallel, delayed
from sklearn.base import clone
from sklearn.model_selection import GridSearchCV, LeaveOneGroupOut, RandomizedSearchCV, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer

from eeg_task_classifier import PaymentNotAllowedError, TaskClassifier, estimate_cv, spending
from eeg_task_classifier.cross_validation_plan import CrossValidationPlan
from eeg_task_classifier.spending_limit import Spending

X, Y = two_classes()


def live(**parameters: object) -> TaskClassifier:
    return array_classifier(api_key=LIVE_KEY, **parameters)


def validate(clf: object, cv: int = 3) -> np.ndarray:
    return cross_val_score(clf, X, Y, cv=cv, scoring="balanced_accuracy", error_score="raise")


@pytest.mark.parametrize("max_usd", [None, 20])
@pytest.mark.parametrize("copied", [clone, copy.deepcopy])
def test_the_fit_of_a_clone_is_refused_before_the_search_is_priced(
    service: FakeService, max_usd: float | None, copied: object
) -> None:
    with pytest.raises(PaymentNotAllowedError, match=r"EEG_TEST_KEY.*estimate_cv"):
        copied(live(max_usd=max_usd)).fit(X, Y)  # type: ignore[operator]
    with pytest.raises(PaymentNotAllowedError, match="is a clone"):
        validate(live(max_usd=max_usd))
    assert service.requests == []
    assert spending.usd == 0


def test_a_priced_search_needs_max_usd_for_all_of_its_fits(service: FakeService) -> None:
    clf = live(max_usd=5)
    price = estimate_cv(clf, 3, X, Y)
    assert (price.fits, price.fit_usd, price.predictions, price.predict_usd) == (3, 2, 20, Decimal("0.060"))
    assert price.total_usd == price.max_usd == Decimal("6.060")
    assert "3 fits of $2.00" in str(price)
    with pytest.raises(PaymentNotAllowedError, match=r"whole search costs \$6\.06 .*max_usd=6\.060"):
        validate(clf)
    assert service.models == {}
    assert validate(clf.set_params(max_usd=price.max_usd)).mean() > 0.8
    gc.collect()
    assert service.alive() == []
    assert (len(service.models), spending.usd, spending.fits) == (3, 6, 3)
    with pytest.raises(PaymentNotAllowedError, match="All 3 fits"):
        validate(clf)
    assert estimate_cv(clf, 3).max_usd == 12


def test_clones_use_the_test_key_of_the_environment(service: FakeService, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("EEG_TEST_KEY", TEST_KEY)
    clf = live()
    assert estimate_cv(clf, 3).total_usd == 0
    assert validate(clf).mean() > 0.8
    twin = clone(clf).fit(X, Y)
    twin.predict(X)
    assert spending.usd == 0
    assert {headers["authorization"] for *_, headers in service.requests} == {f"Bearer {TEST_KEY}"}
    clf.fit(X, Y)
    assert service.requests[-1][3]["authorization"] == f"Bearer {LIVE_KEY}"
    monkeypatch.setenv("EEG_TEST_KEY", LIVE_KEY)
    with pytest.raises(ValueError, match="EEG_TEST_KEY is not a test key"):
        clone(clf).fit(X, Y)


def test_searches_in_and_around_pipelines_are_counted(service: FakeService) -> None:
    clf = live()
    pipe = make_pipeline(FunctionTransformer(), clf)
    grid = GridSearchCV(pipe, {"taskclassifier__priors": ["balanced", "as_sent"]}, cv=2, error_score="raise")
    assert estimate_cv(pipe, 4).fits == 4
    assert estimate_cv(grid).fits == 5
    assert estimate_cv(grid, 3).fits == 15
    assert estimate_cv(RandomizedSearchCV(clf, {"priors": ["a"]}, n_iter=4, cv=3, refit=False)).fits == 12
    assert estimate_cv(clf, LeaveOneGroupOut(), X, Y, groups=np.repeat([1, 2, 3, 4], 5)).fits == 4
    assert estimate_cv(clf, fits=7).total_usd == 14
    price = estimate_cv(grid, X=X, y=Y)
    assert price.predictions == 40
    clf.set_params(max_usd=price.max_usd)
    grid.fit(X, Y)
    assert spending.fits == 5
    for wrong in ({"cv": LeaveOneGroupOut()}, {}):
        with pytest.raises(ValueError, match=r"needs the trials|folds is missing"):
            estimate_cv(clf, **wrong)
    with pytest.raises(ValueError, match="no TaskClassifier"):
        estimate_cv(FunctionTransformer(), 3)


def test_a_refused_fold_does_not_count(service: FakeService) -> None:
    clf = live(max_usd=2)
    estimate_cv(clf, fits=1)
    with pytest.raises(ValueError, match="TOO_FEW"):
        clone(clf).fit(X[:6], Y[:6])
    clone(clf).fit(X, Y)
    assert (spending.fits, spending.usd) == (1, 2)


def test_a_fold_of_several_requests_must_be_priced_with_its_trials(service: FakeService) -> None:
    x, y = two_classes(120, 64, 640)
    clf = live(channels=[f"E{i}" for i in range(64)], sampling_rate_hz=160, max_usd=9)
    estimate_cv(clf, 2)
    with pytest.raises(PaymentNotAllowedError, match="several requests"):
        clone(clf).fit(x, y)
    assert estimate_cv(clf, 2, x, y).fit_usd == Decimal("2.360")
    clone(clf).fit(x, y)


def test_worker_processes_share_the_count_of_the_search(service: FakeService) -> None:
    account = Spending()
    clf = live()
    price = estimate_cv(clf, fits=3)
    account.add_plan(clf._plan)
    outcomes = Parallel(n_jobs=2)(delayed(_reserve)(clone(clf)) for _ in range(5))
    assert sorted(outcomes) == ["all begun"] * 2 + ["paid"] * 3
    assert account.usd == price.total_usd
    assert pickle.loads(pickle.dumps(clf))._plan.fits == 3


def test_the_folder_of_the_count_is_removed_with_the_plan_but_not_with_its_copies(service: FakeService) -> None:
    plan = CrossValidationPlan(1, Decimal(2), Decimal(2), Decimal(0))
    folder = plan._folder
    copied = pickle.loads(pickle.dumps(plan))
    del copied
    gc.collect()
    plan.reserve(Decimal(2), 2, spending)
    assert len([*folder.iterdir()]) == 1
    del plan
    gc.collect()
    assert not folder.exists()


def _reserve(clf: TaskClassifier) -> str:
    try:
        clf._plan.reserve(Decimal(2), 1000, spending)
        return "paid"
    except PaymentNotAllowedError as error:
        return "all begun" if "have begun" in str(error) else str(error)
