"""Compare a hosted model with a pipeline of pyRiemann on the same held-out trials."""

from __future__ import annotations

from typing import Any

import numpy as np
from pyriemann.classification import TSClassifier
from pyriemann.estimation import Covariances
from sklearn.base import clone
from sklearn.metrics import balanced_accuracy_score
from sklearn.model_selection import train_test_split
from sklearn.pipeline import make_pipeline

from eeg_task_classifier import TaskClassifier


def compare(clf: TaskClassifier, X: Any, y: Any) -> dict[str, float]:
    """Return the balanced accuracy of both on a quarter of the trials.

    Parameters
    ----------
    clf : TaskClassifier
        With channels, sampling rate and units. One clone of it is fitted: set EEG_TEST_KEY, or price it with
        ``estimate_cv(clf, fits=1)``.
    X : ndarray, shape (trials, channels, samples)
    y : ndarray, shape (trials,)
    """
    train, test = train_test_split(np.arange(len(y)), test_size=0.25, stratify=y, random_state=0)
    pipelines = {
        "tangent space (pyRiemann)": make_pipeline(Covariances("oas"), TSClassifier()),
        "EEG task classifier": clone(clf),
    }
    return {
        name: float(balanced_accuracy_score(y[test], pipeline.fit(X[train], y[train]).predict(X[test])))
        for name, pipeline in pipelines.items()
    }
