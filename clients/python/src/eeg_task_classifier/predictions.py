"""Predictions of any number of trials: in as many requests as they need, in the order of the trials."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal

import numpy as np
import numpy.typing as npt

from .batches import trials_per_request
from .data_notice import notify
from .errors import EEGTaskClassifierError
from .fitting import cost_usd
from .limits import WINDOW_USD, windows_per_trial
from .progress import progress_bar
from .service import Json, Service
from .trials import Trials


@dataclass(frozen=True)
class Predictions:
    """Predicted labels and probabilities, with their cost.

    Attributes
    ----------
    labels : ndarray, shape (trials,)
        Values of ``classes_``.
    probabilities : ndarray of float, shape (trials, classes)
        Columns in the order of ``classes_``.
    cost_usd : Decimal
        Cost in US dollars.
    windows : int
        Number of windows charged.
    warnings : tuple of str
        Problems of these trials.
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
    key: str | None = None,
    keyless: bool = False,
) -> Predictions:
    """Predict trials with a hosted model.

    Parameters
    ----------
    service : Service
    model_id : str
    trials : Trials
    names : list of str, length (classes,)
        Class names of the model, in the order of `classes`.
    classes : ndarray, shape (classes,)
        The caller's classes.
    align : {"none", "batch"}
        ``"batch"``: the trials of each request are recentred together.
    progress : bool
        Whether to show a progress bar if there are several requests.
    key : str, optional
        Idempotency key of an earlier call with the same arguments.
    keyless : bool, default=False
        Send no key, for predictions whose late answer nobody needs.

    Returns
    -------
    Predictions

    Raises
    ------
    ServiceError, ConnectionFailedError
        If a request fails. ``predictions`` has the answers to the requests before it, which are paid.
    PaidCallInterrupted
        After Ctrl-C.
    """
    largest = trials_per_request(trials, names)
    starts = range(0, len(trials), largest)
    if align == "batch" and len(starts) > 1:
        notify(
            f"{len(trials)} trials need {len(starts)} requests. align='batch' recentres the trials of each request "
            "separately."
        )
    answers: list[Json] = []
    bar = progress_bar("Predicting", len(trials), progress and len(starts) > 1)
    with service.paid_call("The prediction", "predict", [model_id, align], trials, key) as call, bar as advance:
        call.model_id = model_id
        windows = windows_per_trial(trials.x.shape[2], trials.rate_hz) * len(trials)
        call.price_usd = Decimal(0) if service.connection.is_test else windows * WINDOW_USD
        for start in starts:
            part = trials[range(start, min(start + largest, len(trials)))]
            recordings = {"dataset_id": None, "subject_uid": None, "session_id": part.sessions}
            grouped = {"normalization_context": recordings} if align == "batch" and part.sessions else {}
            body = {**part.signal_fields(), "align": align, **grouped}
            try:
                answers.append(service.predict(model_id, body, keyless=keyless))
            except EEGTaskClassifierError as error:
                if answers:
                    error.predictions = _joined(answers, names, classes)
                raise
            call.paid_usd += cost_usd(answers[-1])
            advance(len(part))
    return _joined(answers, names, classes)


def _joined(answers: list[Json], names: list[str], classes: npt.NDArray[np.generic]) -> Predictions:
    """Join the answers to several requests."""
    column = {name: i for i, name in enumerate(names)}
    data = [each for answer in answers for each in answer["data"]]
    probabilities = np.array([[each["probabilities"][name] for name in names] for each in data], dtype=np.float64)
    return Predictions(
        labels=classes[[column[each["label"]] for each in data]],
        probabilities=probabilities.reshape(len(data), len(names)),
        cost_usd=sum((cost_usd(answer) for answer in answers), Decimal(0)),
        windows=sum(int((answer.get("cost") or {}).get("windows", 0)) for answer in answers),
        warnings=tuple(dict.fromkeys(text for answer in answers for text in answer["signal"]["warnings"])),
    )
