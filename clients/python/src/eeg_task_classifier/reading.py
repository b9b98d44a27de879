"""What callers hand over, as trials: arrays, tables, MNE Epochs."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import validate_data

from .from_epochs import epoch_labels, is_epochs, trials_from_epochs
from .trials import Trials


@dataclass(frozen=True)
class How:
    """How the numbers of an array are to be read; without meaning for Epochs, which say it themselves."""

    channels: Sequence[str] | None
    rate_hz: float | None
    units: str | None


@dataclass(frozen=True)
class Targets:
    """Classes as the caller writes them, and as the service does, in one order."""

    classes: npt.NDArray[Any]
    names: list[str]
    labels: list[str]


def read_targets(y: Any) -> Targets:
    """Classes of `y`, sorted; the service knows each by ``str`` of it, in the Unicode form NFC.

    Raises ValueError where two classes differ in nothing but their Unicode form.
    """
    check_classification_targets(y)
    classes, index = np.unique(np.asarray(y), return_inverse=True)
    names = [unicodedata.normalize("NFC", str(each)) for each in classes]
    twice = next((name for at, name in enumerate(names) if name in names[:at]), None)
    if twice is not None:
        raise ValueError(f"Two classes of y differ only in their Unicode form: {twice!r}. Write them alike.")
    return Targets(classes, names, [names[i] for i in index])


def read_fit(
    estimator: Any, data: Any, y: Any, how: How, sessions: Any, tags: Sequence[str] | None
) -> tuple[Trials, Targets]:
    """Labelled trials. Sets what scikit-learn wants to know of the features (`n_features_in_`)."""
    if is_epochs(data):
        trials = trials_from_epochs(data)
        estimator.n_features_in_ = len(trials.channels)
        labels = epoch_labels(data, tags) if y is None else y
    else:
        x, labels = validate_data(
            estimator, data, y, ensure_2d=False, allow_nd=True, dtype="numeric", ensure_min_samples=1
        )
        trials = _array_trials(x, how)
        estimator.n_features_in_ = int(x.shape[1])
    targets = read_targets(labels)
    if len(targets.labels) != len(trials):
        raise ValueError(f"There are {len(trials)} trials, but {len(targets.labels)} labels.")
    return _with(trials, targets.labels, sessions), targets


def read_new(estimator: Any, data: Any, how: How, sessions: Any, fitted_channels: Sequence[str]) -> Trials:
    """Trials to be predicted."""
    if is_epochs(data):
        return _with(trials_from_epochs(data, fitted_channels), None, sessions)
    x = validate_data(estimator, data, reset=False, ensure_2d=False, allow_nd=True, dtype="numeric")
    expected = getattr(estimator, "n_features_in_", None)
    if x.ndim == 2 and expected not in (None, len(fitted_channels), x.shape[1]):
        raise ValueError(
            f"X has {x.shape[1]} features, but {type(estimator).__name__} is expecting {expected} features as input"
        )
    return _with(_array_trials(x, how), None, sessions)


def _with(trials: Trials, labels: list[str] | None, sessions: Any) -> Trials:
    names = trials.sessions if sessions is None else [str(name) for name in sessions]
    if names is not None and len(names) != len(trials):
        raise ValueError(
            f"There are {len(trials)} trials, but {len(names)} sessions. In cross_val_score give them as "
            "params={'sessions': …}, so that they are divided with the trials."
        )
    return Trials(
        trials.x, trials.channels, trials.rate_hz, trials.units, labels, names, trials.baseline_seconds, trials.notes
    )


def _array_trials(x: npt.NDArray[Any], how: How) -> Trials:
    if x.ndim not in (2, 3):
        raise ValueError(
            f"Expected trials as (trials, channels, samples), got {x.ndim}D. Reshape your data, a single trial "
            "with X[np.newaxis]."
        )
    if how.channels is None or how.rate_hz is None or how.units is None:
        missing = [
            name
            for name, value in [("channels", how.channels), ("sampling_rate_hz", how.rate_hz), ("units", how.units)]
            if value is None
        ]
        raise ValueError(f"Arrays do not say {', '.join(missing)}: give them to TaskClassifier, or with the array.")
    channels = [str(name) for name in how.channels]
    if x.ndim == 2:
        if x.shape[1] % len(channels):
            raise ValueError(
                f"Rows of {x.shape[1]} numbers cannot be {len(channels)} channels of like length: send "
                "(trials, channels, samples), or each trial flattened from that."
            )
        x = x.reshape(len(x), len(channels), -1)
    with np.errstate(over="ignore"):
        numbers = np.asarray(x, dtype=np.float32)
    if not np.isfinite(numbers).all():
        raise ValueError("X holds numbers that are too large for float32, in which they are sent.")
    return Trials(numbers, channels, float(how.rate_hz), str(how.units))
