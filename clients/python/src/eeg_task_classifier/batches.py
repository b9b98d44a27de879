"""How trials are divided where one request cannot hold them."""

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

#: Bytes of a request beside the trials: up to 1,024 channel names and the few other fields.
_OTHER_BYTES = 512 * 1024


def trials_per_request(trials: Trials, classes: list[str] | None = None) -> int:
    """Most of these trials that one request holds; with `classes`, whose predictions one answer holds. At least 1."""
    rows, samples = (int(size) for size in trials.x.shape[1:])
    resampled = math.ceil(samples * WORKING_RATE_HZ / trials.rate_hz) + 1
    numbers = rows * max(samples, resampled)
    longest = max((_bytes(name) for name in [*(trials.labels or []), *(trials.sessions or [])]), default=0)
    fitting = [
        NUMBERS_PER_REQUEST // numbers,
        WINDOWS_PER_REQUEST // windows_per_trial(samples, trials.rate_hz),
        (BODY_BYTES - _OTHER_BYTES) // (4 * rows * samples * 4 // 3 + 2 * longest + 16),
    ]
    if classes:
        each = 120 + max(map(_bytes, classes)) + sum(_bytes(name) + 30 for name in classes)
        fitting.append((ANSWER_BYTES - _OTHER_BYTES) // each)
    return max(1, min(fitting))


def stratified_batches(labels: list[str], largest: int, seed: int = 0) -> list[npt.NDArray[np.intp]]:
    """Indices of shuffled trials in as few batches as hold them, of like sizes, each with every class.

    A class of fewer trials than there are batches is in as many batches as it has trials.
    """
    random = np.random.default_rng(seed)
    names = np.asarray(labels, dtype=object)
    by_class = [random.permutation(np.flatnonzero(names == name)) for name in dict.fromkeys(labels)]
    dealt = np.concatenate(by_class)
    count = math.ceil(len(dealt) / largest)
    return [random.permutation(dealt[start::count]) for start in range(count)]


def _bytes(name: str) -> int:
    return len(json.dumps(name).encode())
