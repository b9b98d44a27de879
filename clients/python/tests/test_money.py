"""Limit on the cost of all fits, and deletion of models."""

from __future__ import annotations

import gc
import threading
from decimal import Decimal

import pytest
from conftest import LIVE_KEY, TEST_KEY, array_classifier, two_classes
from fake_service import FakeService, invalid
from joblib import Parallel, delayed
from sklearn.base import clone
from sklearn.model_selection import GridSearchCV, cross_val_score, cross_validate
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer

from eeg_task_classifier import BillingError, DataNotice, PaymentNotAllowedError, connection, spending
from eeg_task_classifier.errors import EEGTaskClassifierError
from eeg_task_classifier.spending_limit import Price, Spending

X, Y = two_classes()


def live(**parameters: object) -> object:
    return array_classifier(api_key=LIVE_KEY, **parameters)


def test_the_first_paid_fit_needs_no_max_usd_and_the_second_does(service: FakeService) -> None:
    live().fit(X, Y)
    assert (spending.fits, spending.usd) == (1, 2)
    with pytest.raises(PaymentNotAllowedError) as caught:
        live().fit(X, Y)
    error = caught.value
    assert (error.cost_usd, error.spent_usd, error.max_usd) == (2, 2, None)
    for part in ("$2.00", "1 paid fit", "max_usd=4.00", "test key"):
        assert part in str(error)
    assert len(service.models) == 1
    with pytest.raises(PaymentNotAllowedError, match=r"max_usd is 3\.5"):
        live(max_usd=3.5).fit(X, Y)
    live(max_usd=4).fit(X, Y)
    assert (spending.fits, spending.usd, len(service.models)) == (2, 4, 2)


def test_max_usd_limits_the_first_fit_too(service: FakeService) -> None:
    with pytest.raises(PaymentNotAllowedError):
        live(max_usd=1.99).fit(X, Y)
    assert service.models == {}
    live(max_usd=2).fit(X, Y)


def test_test_keys_cost_nothing_and_need_no_max_usd(service: FakeService) -> None:
    for _ in range(3):
        array_classifier(api_key=TEST_KEY, max_usd=0).fit(X, Y)
    assert (spending.fits, spending.usd) == (0, 0)
    assert service.sent("estimate") == []


def test_a_refused_fit_does_not_count(service: FakeService) -> None:
    with pytest.raises(EEGTaskClassifierError, match="TOO_FEW"):
        live().fit(X[:6], Y[:6])
    assert spending.fits == 0
    live().fit(X, Y)


def test_only_one_of_many_threads_fits_without_max_usd(service: FakeService) -> None:
    outcomes: list[object] = []

    def work() -> None:
        try:
            live().fit(X, Y)
            outcomes.append("fitted")
        except PaymentNotAllowedError:
            outcomes.append("refused")

    threads = [threading.Thread(target=work) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(outcomes) == ["fitted"] + ["refused"] * 5
    assert len(service.models) == 1


def test_reservations_of_threads_never_exceed_the_limit() -> None:
    account = Spending()
    refused = []

    def work() -> None:
        try:
            account.reserve(6, lambda: Price(Decimal(2), "so")).settle(Decimal(2))
        except PaymentNotAllowedError:
            refused.append(1)

    threads = [threading.Thread(target=work) for _ in range(20)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert (account.usd, account.fits, len(refused)) == (6, 3, 17)


def test_clones_in_a_pipeline_or_a_search_delete_their_models_and_other_models_stay(
    service: FakeService,
) -> None:
    pipe = make_pipeline(FunctionTransformer(), array_classifier())
    assert cross_val_score(pipe, X, Y, cv=2, error_score="raise").mean() > 0.8
    kept = pipe.fit(X, Y)
    search = GridSearchCV(array_classifier(), {"priors": ["balanced", "as_sent"]}, cv=2, error_score="raise").fit(X, Y)
    gc.collect()
    best = search.best_estimator_
    assert set(service.alive()) == {kept[-1].model_id_, best.model_id_}
    best.keep_model()
    del search, best, kept
    gc.collect()
    assert len(service.alive()) == 2


def test_returned_estimators_keep_their_models_while_they_exist(service: FakeService) -> None:
    found = cross_validate(array_classifier(), X, Y, cv=2, return_estimator=True, error_score="raise")
    assert len(service.alive()) == 2
    assert found["estimator"][0].predict(X).shape == (20,)
    del found
    gc.collect()
    assert service.alive() == []


def test_a_clone_deletes_its_model_when_the_interpreter_ends(service: FakeService) -> None:
    twin = clone(array_classifier()).fit(X, Y)
    assert twin._finalizer.atexit
    twin._finalizer()
    assert service.alive() == []


def test_keep_false_a_with_statement_and_a_new_fit_delete_the_model(service: FakeService) -> None:
    clf = array_classifier(keep=False).fit(X, Y).fit(X, Y)
    assert service.alive() == [clf.model_id_]
    with array_classifier() as inside:
        inside.fit(X, Y)
        assert len(service.alive()) == 2
    assert service.alive() == [clf.model_id_]
    clf.delete()
    assert service.alive() == []
    assert not hasattr(clf, "model_id_")
    assert clf.report_.balanced_accuracy == 0.8


def test_a_second_fit_gives_notice_of_the_previous_model(service: FakeService) -> None:
    clf = live(max_usd=9).fit(X, Y)
    before = clf.model_id_
    with pytest.warns(DataNotice, match=before):
        clf.fit(X, Y)


def test_a_warning_names_a_model_that_cannot_be_deleted(service: FakeService, monkeypatch: pytest.MonkeyPatch) -> None:
    twin = clone(array_classifier()).fit(X, Y)
    service.script["delete"] = [invalid("INTERNAL", "no")]
    with pytest.warns(UserWarning, match=twin.model_id_):
        twin._finalizer()


def test_every_paid_fit_of_a_joblib_worker_needs_max_usd(service: FakeService, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("eeg_task_classifier.spending_limit._is_child_process", lambda: True)
    with pytest.raises(PaymentNotAllowedError, match="child process"):
        live().fit(X, Y)


def test_joblib_workers_are_child_processes() -> None:
    from eeg_task_classifier.spending_limit import _is_child_process

    assert Parallel(n_jobs=2)(delayed(_is_child_process)() for _ in range(2)) == [True, True]
    assert not _is_child_process()


@pytest.mark.parametrize("service", [{"credit": "0.25"}], indirect=True)
def test_a_402_after_paid_batches_keeps_the_model_and_names_it(service: FakeService) -> None:
    x, y = two_classes(120, 64, 640)
    with pytest.raises(BillingError) as caught:
        live(channels=CHANNELS, sampling_rate_hz=160).fit(x, y)
    model_id = caught.value.model_id
    assert model_id in service.alive()
    assert model_id in str(caught.value)
    assert spending.usd == Decimal("0.180")
    service.credit = Decimal(10)
    service.script["fit"] = []
    clf = live(max_usd=5).finish_fit(model_id, ignore_classes=["lefft"])
    assert service.sent("fit")[-1] == {"ignore_classes": ["lefft"]}
    assert clf.classes_.tolist() == ["left", "right"]
    assert spending.usd == Decimal("2.180")


def test_an_unpaid_unfinished_model_is_deleted(service: FakeService) -> None:
    x, y = two_classes(120, 64, 640)
    service.script["trials"] = [invalid("INVALID_REQUEST", "no")]
    with pytest.raises(EEGTaskClassifierError) as caught:
        array_classifier(channels=CHANNELS, sampling_rate_hz=160).fit(x, y)
    assert caught.value.model_id is None
    assert len(service.models) == 1
    assert service.alive() == []


CHANNELS = [f"E{i}" for i in range(64)]


def test_requests_use_one_http_client(service: FakeService) -> None:
    array_classifier().fit(X, Y).predict(X)
    assert len(connection._clients) == 1
