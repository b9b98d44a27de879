"""Division of trials into batches that fit into one request."""

from __future__ import annotations

import json
import math

import numpy as np
import numpy.typing as npt

from .limits import (
    ANSWER_BYTES,
    BODY_BYTES,
    NUMBERS_PER_REQUEST,
    WINDOWS_PER_REQUEST,
    WORKING_RATE_HZ,
    windows_per_trial,
)
from .trials import Trials

#: Bytes reserved for the fields of a request besides the trials: up to 1,024 channel names and a few others.
_OTHER_BYTES = 512 * 1024


def trials_per_request(trials: Trials, classes: list[str] | None = None) -> int:
    """Largest number of these trials that one request can contain.

    Parameters
    ----------
    trials : Trials
        Their size, sampling rate and longest label count.
    classes : list of str, optional
        Class names of a model. With them, the predictions for the trials must also fit into one answer.

    Returns
    -------
    int
        At least 1: the service itself refuses a trial that is too large.
    """
    channels, samples = (int(size) for size in trials.x.shape[1:])
    resampled = math.ceil(samples * WORKING_RATE_HZ / trials.rate_hz) + 1
    numbers = channels * max(samples, resampled)
    longest = max((_json_bytes(name) for name in [*(trials.labels or []), *(trials.sessions or [])]), default=0)
    limits = [
        NUMBERS_PER_REQUEST // numbers,
        WINDOWS_PER_REQUEST // windows_per_trial(samples, trials.rate_hz),
        (BODY_BYTES - _OTHER_BYTES) // (4 * channels * samples * 4 // 3 + 2 * longest + 16),
    ]
    if classes:
        prediction = 120 + max(map(_json_bytes, classes)) + sum(_json_bytes(name) + 30 for name in classes)
        limits.append((ANSWER_BYTES - _OTHER_BYTES) // prediction)
    return max(1, min(limits))


def stratified_batches(labels: list[str], largest: int, seed: int = 0) -> list[npt.NDArray[np.intp]]:
    """Divide trials at random into batches that each contain every class.

    A class with fewer trials than there are batches is in as many batches as it has trials.

    Parameters
    ----------
    labels : list of str
        One label per trial.
    largest : int
        Largest number of trials in a batch.
    seed : int, default=0
        Seed of the random generator.

    Returns
    -------
    list of ndarray of int
        Indices of the trials of each batch. There are as few batches as possible; their sizes differ by at most one.
    """
    random = np.random.default_rng(seed)
    names = np.asarray(labels, dtype=object)
    by_class = np.concatenate([random.permutation(np.flatnonzero(names == name)) for name in dict.fromkeys(labels)])
    count = math.ceil(len(by_class) / largest)
    return [random.permutation(by_class[start::count]) for start in range(count)]


def _json_bytes(name: str) -> int:
    return len(json.dumps(name).encode())
