"""Predictions in as many requests as they need, in the order of the trials."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal

import numpy as np
import numpy.typing as npt

from .batches import trials_per_request
from .errors import DataNotice, EEGTaskClassifierError
from .fitting import usd
from .notices import say
from .progress import progress_bar
from .service import Json, Service
from .trials import Trials


@dataclass(frozen=True)
class Predictions:
    """What the service answered.

    Attributes
    ----------
    labels : ndarray, shape (trials,)
        Values of ``classes_``.
    probabilities : ndarray of float, shape (trials, classes)
        Columns in the order of ``classes_``.
    cost_usd : Decimal
    windows : int
        What was paid, and for how many windows.
    warnings : tuple of str
        What the service says of these trials.
    """

    labels: npt.NDArray[np.generic]
    probabilities: npt.NDArray[np.float64]
    cost_usd: Decimal
    windows: int
    warnings: tuple[str, ...]


def predict_trials(
    service: Service,
    model_id: str,
    trials: Trials,
    names: list[str],
    classes: npt.NDArray[np.generic],
    align: str,
    progress: bool,
) -> Predictions:
    """Predictions; `names` are the class names of the service in the order of `classes`. Where a later one of several
    requests fails, the error has the answers to those before as `predictions`: they are paid."""
    largest = trials_per_request(trials, names)
    starts = range(0, len(trials), largest)
    if align == "batch" and len(starts) > 1:
        say(
            f"{len(trials)} trials need {len(starts)} requests, and align='batch' recentres those of each by itself.",
            DataNotice,
        )
    answers: list[Json] = []
    with progress_bar("Predicting", len(trials), progress and len(starts) > 1) as advance:
        for start in starts:
            part = trials[range(start, min(start + largest, len(trials)))]
            recordings = {"dataset_id": None, "subject_uid": None, "session_id": part.sessions}
            grouped = {"normalization_context": recordings} if align == "batch" and part.sessions else {}
            try:
                answers.append(service.predict(model_id, {**part.signal(), "align": align, **grouped}))
            except EEGTaskClassifierError as error:
                if answers:
                    error.predictions = _joined(answers, names, classes)
                raise
            advance(len(part))
    return _joined(answers, names, classes)


def _joined(answers: list[Json], names: list[str], classes: npt.NDArray[np.generic]) -> Predictions:
    """Answers to several requests as one."""
    column = {name: i for i, name in enumerate(names)}
    data = [each for answer in answers for each in answer["data"]]
    probabilities = np.array([[each["probabilities"][name] for name in names] for each in data], dtype=np.float64)
    return Predictions(
        labels=classes[[column[each["label"]] for each in data]],
        probabilities=probabilities.reshape(len(data), len(names)),
        cost_usd=sum((usd(answer) for answer in answers), Decimal(0)),
        windows=sum(int((answer.get("cost") or {}).get("windows", 0)) for answer in answers),
        warnings=tuple(dict.fromkeys(text for answer in answers for text in answer["signal"]["warnings"])),
    )
