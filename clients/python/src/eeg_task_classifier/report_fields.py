"""Types of the fields of a training report. At run time they are dictionaries and lists, as the service sends them."""

from __future__ import annotations

from typing import Literal, TypedDict

#: Ends of a 95 % interval: [lower, upper]; None where the data cannot tell.
Interval = list[float | None]


class CorrectedScore(TypedDict, total=False):
    """The score without the luck of choosing the best of many methods."""

    balanced_accuracy: float | None
    interval_95: Interval
    resamples: int
    resampled: Literal["sessions", "trials"]
    nested: bool
    trials_per_class: int
    explanation: str


class MethodPrior(TypedDict):
    """How far a method was behind on other people (`log_loss_behind`, nats), before any trial of the request.

    ``people`` is the number of people on whom it was measured; 0 means published results.
    """

    log_loss_behind: float | None
    sd: float | None
    people: int


class MethodScore(TypedDict, total=False):
    """A method, with its score or the reason why it has none (`status`).

    ``expected_log_loss_behind`` weighs the trials and the prior. It is 0 for the chosen method, and None where the
    trials show that the method is worse.
    """

    id: str
    version: str
    title: str
    status: Literal["scored", "failed", "dropped", "skipped"]
    balanced_accuracy: float | None
    interval_95: Interval
    fold_scores: list[float | None]
    log_loss: float | None
    prior: MethodPrior
    expected_log_loss_behind: float | None
    temperature: float | None
    seconds: float
    reason: str | None


class Validation(TypedDict):
    """The trials that were held out."""

    kind: Literal["sessions", "stratified", "within_sessions", "blocks", "people"]
    description: str
    folds: int
    repeats: int
    held_out_sessions: list[list[str]]


class LearningCurvePoint(TypedDict):
    """Score of the chosen method when it is fitted on part of the trials."""

    trials_per_class: float
    balanced_accuracy: float | None


class CalibrationBin(TypedDict):
    """Held-out trials of similar probability, and how often their label was right."""

    lowest_probability: float
    mean_probability: float
    highest_probability: float
    accuracy: float
    trials: float
    weight: float


class Control(TypedDict):
    """A score without the brain: from the eyes, the muscles, or the time before the cue."""

    id: Literal["eyes", "muscles", "baseline"]
    title: str
    balanced_accuracy: float | None
    interval_95: Interval | None
    p_value: float | None
    status: Literal["scored", "failed", "not_measured"]
    reason: str | None
