"""Conversion of the caller's data (arrays, tables, MNE Epochs) to trials and class names."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import validate_data

from .epochs import epoch_labels, is_epochs, refuse_other_mne_objects, trials_from_epochs
from .trials import Trials


@dataclass(frozen=True)
class ArrayFormat:
    """Description of the numbers of an array. Epochs contain this themselves.

    Attributes
    ----------
    channels : sequence of str, or None
        Electrode name of each row.
    rate_hz : float or None
        Sampling rate in Hz.
    units : str or None
        ``"uV"``, ``"mV"`` or ``"V"``.
    """

    channels: Sequence[str] | None
    rate_hz: float | None
    units: str | None


@dataclass(frozen=True)
class Targets:
    """Classes of the caller and their names in the service.

    Attributes
    ----------
    classes : ndarray, shape (classes,)
        Sorted values of ``y``.
    names : list of str, length (classes,)
        Name of each class in the service.
    labels : list of str, length (trials,)
        Name of the class of each trial.
    """

    classes: npt.NDArray[Any]
    names: list[str]
    labels: list[str]


def read_targets(y: Any) -> Targets:
    """Find the classes of `y`. The name of a class is its ``str``, in the Unicode form NFC.

    Parameters
    ----------
    y : array-like, shape (trials,)

    Returns
    -------
    Targets

    Raises
    ------
    ValueError
        If two classes differ only in their Unicode form.
    """
    check_classification_targets(y)
    classes, index = np.unique(np.asarray(y), return_inverse=True)
    names = [unicodedata.normalize("NFC", str(each)) for each in classes]
    twice = next((name for at, name in enumerate(names) if name in names[:at]), None)
    if twice is not None:
        raise ValueError(f"Two classes of y differ only in their Unicode form: {twice!r}. Use one form.")
    return Targets(classes, names, [names[i] for i in index])


def labelled_trials(
    estimator: Any, data: Any, y: Any, array_format: ArrayFormat, sessions: Any, tags: Sequence[str] | None
) -> tuple[Trials, Targets]:
    """Convert the arguments of `fit` to labelled trials.

    Sets ``estimator.n_features_in_``, which scikit-learn requires, and ``estimator._fitted_on_rows``: whether the
    trials were flattened.

    Parameters
    ----------
    estimator : TaskClassifier
    data : mne.Epochs, or array of shape (trials, channels, samples) or (trials, channels x samples)
    y : array-like of shape (trials,), or None
        None for Epochs: their events are the classes.
    array_format : ArrayFormat
        Description of an array; Epochs do not need it.
    sessions : sequence of str, or None
        Session of each trial.
    tags : sequence of str, or None
        See `epoch_labels`.

    Raises
    ------
    ValueError
        If the data has another shape, is not described, or does not have one label and one session per trial.
    """
    refuse_other_mne_objects(data)
    estimator._fitted_on_rows = False
    if is_epochs(data):
        trials = trials_from_epochs(data)
        estimator.n_features_in_ = len(trials.channels)
        labels = epoch_labels(data, tags) if y is None else y
    else:
        x, labels = validate_data(
            estimator, data, y, ensure_2d=False, allow_nd=True, dtype="numeric", ensure_min_samples=1
        )
        trials = _array_trials(x, array_format)
        estimator.n_features_in_ = int(x.shape[1])
        estimator._fitted_on_rows = x.ndim == 2
    targets = read_targets(labels)
    if len(targets.labels) != len(trials):
        raise ValueError(f"There are {len(trials)} trials, but {len(targets.labels)} labels. Give one label per trial.")
    return replace(trials, labels=targets.labels, sessions=_checked_sessions(trials, sessions)), targets


def unlabelled_trials(
    estimator: Any, data: Any, array_format: ArrayFormat, sessions: Any, fitted_channels: Sequence[str]
) -> Trials:
    """Convert the arguments of a prediction to trials (see `labelled_trials`).

    A 2-D array is accepted only by a model that was fitted on one, with rows of the same length. Otherwise nothing
    tells a single trial or a continuous recording from flattened trials.
    """
    refuse_other_mne_objects(data)
    if is_epochs(data):
        trials = trials_from_epochs(data, fitted_channels)
    else:
        x = validate_data(estimator, data, reset=False, ensure_2d=False, allow_nd=True, dtype="numeric")
        if x.ndim == 2 and not getattr(estimator, "_fitted_on_rows", False):
            raise ValueError(_two_dimensional(x, fitted_channels))
        if x.ndim == 2 and x.shape[1] != estimator.n_features_in_:
            # scikit-learn's own checks require these words.
            raise ValueError(
                f"X has {x.shape[1]} features, but {type(estimator).__name__} is expecting "
                f"{estimator.n_features_in_} features as input"
            )
        trials = _array_trials(x, array_format)
    return replace(trials, labels=None, sessions=_checked_sessions(trials, sessions))


def _two_dimensional(x: npt.NDArray[Any], channels: Sequence[str]) -> str:
    """Return the refusal of a 2-D array by a model that was fitted on 3-D trials."""
    rows, columns = x.shape
    if rows == len(channels):
        fix = (
            f"If its {rows} rows are the channels of one trial, pass X[np.newaxis]. If it is a continuous recording, "
            f"cut it into trials of n samples: X[:, :{columns} // n * n].reshape({rows}, -1, n).swapaxes(0, 1)."
        )
    elif columns % len(channels) == 0:
        fix = (
            f"If each row is a trial flattened from (channels, samples), pass X.reshape(len(X), {len(channels)}, -1). "
            "If it is a continuous recording, cut it into trials."
        )
    else:
        fix = "Cut the recording into trials of the length of the fit."
    return (
        f"X has the shape ({rows}, {columns}), but the model was fitted on trials of (channels, samples): X needs 3 "
        f"dimensions, (trials, channels, samples). {fix}"
    )


def _checked_sessions(trials: Trials, sessions: Any) -> list[str] | None:
    names = trials.sessions if sessions is None else [str(name) for name in sessions]
    if names is not None and len(names) != len(trials):
        raise ValueError(
            f"There are {len(trials)} trials, but {len(names)} sessions. Give one session per trial. In "
            "cross_val_score pass params={'sessions': …}, so that scikit-learn divides them with the trials."
        )
    return names


def _array_trials(x: npt.NDArray[Any], array_format: ArrayFormat) -> Trials:
    if x.ndim not in (2, 3):
        # scikit-learn's own checks require "Reshape your data".
        raise ValueError(
            f"X has {x.ndim} dimensions. It needs 3: (trials, channels, samples). Reshape your data: "
            "X[np.newaxis] makes an array of a single trial."
        )
    channels, rate_hz, units = array_format.channels, array_format.rate_hz, array_format.units
    if channels is None or rate_hz is None or units is None:
        given = {"channels": channels, "sampling_rate_hz": rate_hz, "units": units}
        missing = ", ".join(name for name, value in given.items() if value is None)
        raise ValueError(f"The array needs {missing}. Pass them to TaskClassifier, or together with the array.")
    names = [str(name) for name in channels]
    if x.ndim == 2:
        if x.shape[1] % len(names):
            raise ValueError(
                f"A row of {x.shape[1]} numbers cannot be divided into {len(names)} channels. Pass an array of shape "
                "(trials, channels, samples), or flatten each trial from (channels, samples)."
            )
        x = x.reshape(len(x), len(names), -1)
    with np.errstate(over="ignore"):
        numbers = np.asarray(x, dtype=np.float32)
    if not np.isfinite(numbers).all():
        raise ValueError("X contains numbers that are too large for float32. The client sends float32.")
    return Trials(numbers, names, float(rate_hz), str(units))
