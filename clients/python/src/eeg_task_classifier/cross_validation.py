"""Price of a cross-validation or a search, before its first fit."""

from __future__ import annotations

import os
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

import numpy as np
from sklearn.model_selection import ParameterGrid, check_cv

from .classifier import TaskClassifier
from .cross_validation_plan import CrossValidationPlan
from .dollars import dollars
from .fitting import list_price
from .inputs import labelled_trials
from .limits import CREATE_USD, HOSTING_USD, WINDOW_USD, windows_per_trial
from .spending_limit import spending
from .trials import Trials


@dataclass(frozen=True)
class CrossValidationEstimate:
    """Price of a cross-validation or a search. Nothing is fitted or charged.

    Attributes
    ----------
    fits : int
        Number of fits: folds times candidates, and the refit of a search.
    fit_usd : Decimal
        Price of one fit in US dollars; of the largest one if they differ.
    predictions : int or None
        Number of predicted trials; None without `X`.
    predict_usd : Decimal
        Price of the predictions in US dollars; 0 without `X`.
    total_usd : Decimal
        Price of the whole search in US dollars: the least `max_usd` if nothing was paid before.
    max_usd : Decimal
        The least `max_usd` that allows the search: the total, and what this process has paid before.
    uses_test_key : bool
        Whether the fits use a test key, so that they cost nothing.
    """

    fits: int
    fit_usd: Decimal
    predictions: int | None
    predict_usd: Decimal
    total_usd: Decimal
    max_usd: Decimal
    uses_test_key: bool

    def __str__(self) -> str:
        if self.uses_test_key:
            return f"Cross-validation: {self.fits} fits with a test key. They cost nothing."
        predictions = (
            f"The predictions cost {dollars(WINDOW_USD)} per window more: pass X to count them."
            if self.predictions is None
            else f"{self.predictions} predictions: {dollars(self.predict_usd)}."
        )
        return (
            f"Cross-validation: {self.fits} fits of {dollars(self.fit_usd)} each. {predictions} "
            f"Total: {dollars(self.total_usd)}. Allow it with set_params(max_usd={self.max_usd})."
        )


def estimate_cv(
    estimator: Any,
    cv: Any = None,
    X: Any = None,
    y: Any = None,
    *,
    groups: Any = None,
    fits: int | None = None,
) -> CrossValidationEstimate:
    """Price a cross-validation or a search before its first fit, without a request.

    With a live key every fold is a paid fit. Folds begin only after this call, and only if the `max_usd` of the
    classifier allows the whole search. With `EEG_TEST_KEY` set, or a test key, folds cost nothing and need neither.

    Parameters
    ----------
    estimator : TaskClassifier, or an estimator that contains one
        The object that you then pass to `cross_val_score`, or the search that you then fit: a pipeline, a
        `GridSearchCV` or a `RandomizedSearchCV`.
    cv : int, cross-validation generator or iterable, optional
        The folds, as in `cross_val_score`. For a search it means folds around it; leave it out to price the search
        itself.
    X, y : optional
        The trials and their classes. With them the estimate includes the predictions, and batches of folds that need
        several requests. Splitters such as `LeaveOneGroupOut` need them.
    groups : array of shape (trials,), optional
        Groups of the trials, for splitters that need them.
    fits : int, optional
        Number of fits, instead of `cv`, for tools that fit clones in their own way, such as MOABB.

    Returns
    -------
    CrossValidationEstimate

    Raises
    ------
    ValueError
        If the estimator contains no `TaskClassifier`, or the number of fits cannot be counted.

    Examples
    --------
    >>> price = estimate_cv(clf, 5, X, y)  # doctest: +SKIP
    >>> cross_val_score(clf.set_params(max_usd=price.max_usd), X, y, cv=5)  # doctest: +SKIP
    """
    classifiers = _classifiers_in(estimator)
    if not classifiers:
        raise ValueError("The estimator contains no TaskClassifier. Pass the classifier, or a pipeline with it.")
    first = classifiers[0]
    trials = None if X is None else _trials_of(first, X, y)
    data = _Data(0 if trials is None else len(trials), None if trials is None else trials.labels, groups)
    count, predicted = _fits_and_predictions(estimator, data)
    if fits is not None:
        count, predicted = int(fits), data.trials
    elif cv is not None:
        folds = data.test_sizes(cv)
        count, predicted = len(folds) * count, sum(folds) + len(folds) * predicted
    elif not _is_search(estimator):
        raise ValueError("The number of folds is missing. Pass cv=5, a splitter, or fits=….")
    test_key = first._service().connection.is_test or bool(os.environ.get("EEG_TEST_KEY"))
    known = None if trials is None else predicted
    fit_usd, predict_usd = CREATE_USD + HOSTING_USD, Decimal(0)
    if trials is not None:
        fit_usd = list_price(trials).usd
        predict_usd = predicted * windows_per_trial(trials.x.shape[2], trials.rate_hz) * WINDOW_USD
    if test_key:
        zero = Decimal("0.00")
        return CrossValidationEstimate(count, zero, known, zero, zero, zero, True)
    total = count * fit_usd + predict_usd
    plan = CrossValidationPlan(count, fit_usd, total, spending.usd)
    spending.add_plan(plan)
    for each_classifier in classifiers:
        each_classifier._plan = plan
    return CrossValidationEstimate(count, fit_usd, known, predict_usd, total, plan.spent_usd + total, False)


@dataclass(frozen=True)
class _Data:
    """Number of trials (0: unknown), their classes and groups."""

    trials: int
    labels: list[str] | None
    groups: Any

    def test_sizes(self, cv: Any) -> list[int]:
        """Return the number of test trials of each fold; zeros if the trials are unknown."""
        splitter = check_cv(cv, self.labels, classifier=True)
        if self.trials == 0:
            try:
                return [0] * int(splitter.get_n_splits())
            except (TypeError, ValueError) as error:
                raise ValueError(
                    f"{type(splitter).__name__} needs the trials to count its folds. Pass X, y."
                ) from error
        return [len(test) for _, test in splitter.split(np.zeros(self.trials), self.labels, self.groups)]


def _fits_and_predictions(estimator: Any, data: _Data) -> tuple[int, int]:
    """Return the number of fits of `estimator.fit`, and the number of trials that it predicts."""
    if not _is_search(estimator):
        return 1, 0
    fits, predictions = _fits_and_predictions(estimator.estimator, data)
    folds, candidates = data.test_sizes(estimator.cv), _candidates(estimator)
    refits = 1 if estimator.refit else 0
    return (
        (candidates * len(folds) + refits) * fits,
        candidates * (sum(folds) + len(folds) * predictions) + refits * predictions,
    )


def _is_search(estimator: Any) -> bool:
    return hasattr(estimator, "estimator") and hasattr(estimator, "cv") and hasattr(estimator, "refit")


def _candidates(search: Any) -> int:
    if hasattr(search, "param_grid"):
        return len(ParameterGrid(search.param_grid))
    if hasattr(search, "param_distributions") and hasattr(search, "n_iter"):
        return int(search.n_iter)
    raise ValueError(f"The candidates of {type(search).__name__} cannot be counted before it runs. Pass fits=….")


def _classifiers_in(estimator: Any) -> list[TaskClassifier]:
    parts = [estimator, *estimator.get_params(deep=True).values()]
    return list({id(each): each for each in parts if isinstance(each, TaskClassifier)}.values())


def _trials_of(classifier: TaskClassifier, X: Any, y: Any) -> Trials:
    scratch = TaskClassifier(**classifier.get_params(deep=False))
    array_format = classifier._array_format(None, None, None)
    return labelled_trials(scratch, X, y, array_format, None, classifier.tags)[0]
