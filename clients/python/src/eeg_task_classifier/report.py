"""Training report: the scores of a fit, measured on held-out trials of the caller."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from .html import bullet_list, picture, table
from .plots import plot_report
from .report_fields import (
    CalibrationBin,
    Control,
    CorrectedScore,
    Interval,
    LearningCurvePoint,
    MethodScore,
    Validation,
)
from .service import Json

if TYPE_CHECKING:
    from matplotlib.figure import Figure


class Report:
    """Training report of a fit.

    Every field of the service's report is an item: ``report["log_loss"]``. The fields below are typed attributes; the
    other ones are attributes too.

    Attributes
    ----------
    balanced_accuracy : float
        Balanced accuracy of the chosen method on held-out trials.
    chance : float
        Balanced accuracy of guessing.
    interval_95 : list of float or None
        95 % interval of `balanced_accuracy`.
    corrected : CorrectedScore or None
        The score corrected for the choice among many methods: ``balanced_accuracy`` and ``interval_95``.
    p_value : float or None
        Probability of the score with permuted labels; None if it is not known.
    method, method_version, method_title : str
        The chosen method.
    validation : Validation or None
        The trials that were held out.
    trials : int
        Number of trials of the fit.
    trials_per_class : dict of str to int
    recall : dict of str to float or None
        Share of the trials of each class that were predicted correctly.
    log_loss, calibration_error : float or None
    learning_curve : list of LearningCurvePoint
    calibration_bins : list of CalibrationBin
    controls : list of Control
        Scores without the brain: eyes, muscles, the time before the cue.
    methods : list of MethodScore
        Every method with its score, or with the reason why it has none.
    confusion : ndarray of float, shape (classes, classes)
        Number of trials; rows: true class; columns: predicted class; in the order of ``labels``.
    warnings : list of str
        Problems of the data and limits of the scores.
    raw : dict
        The report of the service.
    """

    def __init__(self, raw: Json) -> None:
        self.raw = raw
        self.balanced_accuracy = float(raw["balanced_accuracy"])
        self.chance = float(raw["chance"])
        self.interval_95: Interval = list(raw.get("interval_95") or [None, None])
        self.corrected: CorrectedScore | None = raw.get("corrected")
        self.p_value: float | None = raw.get("p_value")
        self.method = str(raw.get("method", ""))
        self.method_version = str(raw.get("method_version", ""))
        self.method_title = str(raw.get("method_title", ""))
        self.validation: Validation | None = raw.get("validation")
        self.trials = int(raw.get("trials") or 0)
        self.trials_per_class: dict[str, int] = dict(raw.get("trials_per_class") or {})
        self.recall: dict[str, float | None] = dict(raw.get("recall") or {})
        self.log_loss: float | None = raw.get("log_loss")
        self.calibration_error: float | None = raw.get("calibration_error")
        self.learning_curve: list[LearningCurvePoint] = list(raw.get("learning_curve") or [])
        self.calibration_bins: list[CalibrationBin] = list(raw.get("calibration_bins") or [])
        self.controls: list[Control] = list(raw.get("controls") or [])
        self.methods: list[MethodScore] = list(raw.get("methods") or [])
        self.warnings: list[str] = list(raw.get("warnings") or [])

    def __getattr__(self, name: str) -> Any:
        raw = self.__dict__.get("raw", {})
        if name in raw:
            return raw[name]
        raise AttributeError(f"The report has no {name!r}. It has {', '.join(sorted(raw))}.")

    def __getitem__(self, name: str) -> Any:
        return self.raw[name]

    def __dir__(self) -> list[str]:
        return sorted({*super().__dir__(), *self.raw})

    @property
    def labels(self) -> list[str]:
        """Class names of the rows and columns of `confusion`."""
        return list(self.raw["confusion_matrix"]["labels"])

    @property
    def confusion(self) -> npt.NDArray[np.float64]:
        """Confusion matrix, shape (classes, classes): means over the repeats of the cross-validation."""
        return np.asarray(self.raw["confusion_matrix"]["counts"], dtype=np.float64)

    @property
    def scored(self) -> list[MethodScore]:
        """The methods that have a score, best first."""
        scored = (each for each in self.methods if each["status"] == "scored")
        return sorted(scored, key=lambda each: -(each["balanced_accuracy"] or 0.0))

    def rows(self) -> list[tuple[str, str]]:
        """Return the main fields as pairs of name and text."""
        rows = [
            ("Method", self.method_title),
            (
                "Balanced accuracy",
                f"{self.balanced_accuracy:.3f}{_interval(self.interval_95)}, chance {self.chance:.3f}",
            ),
        ]
        if self.corrected and self.corrected["balanced_accuracy"] is not None:
            score = f"{self.corrected['balanced_accuracy']:.3f}{_interval(self.corrected['interval_95'])}"
            rows.append(("Corrected for the choice", score))
        if self.p_value is not None:
            rows.append(("p-value (permuted labels)", f"{self.p_value:.3g}"))
        if self.validation:
            rows.append(("Validation", self.validation["description"]))
        return rows

    def __repr__(self) -> str:
        lines = [f"{name}: {text}" for name, text in self.rows()] + [f"! {text}" for text in self.warnings]
        return "Training report\n  " + "\n  ".join(lines)

    def _repr_html_(self) -> str:
        return table(self.rows()) + picture(self.plot, "Plots of the training report") + bullet_list(self.warnings)

    def plot(self) -> Figure:
        """Draw the report: scores of the methods, confusion matrix, learning curve, calibration.

        Returns
        -------
        matplotlib.figure.Figure

        Raises
        ------
        ImportError
            If matplotlib is not installed.
        """
        return plot_report(self)


def _interval(interval: Interval) -> str:
    low, high = interval
    return "" if low is None or high is None else f" [{low:.3f}, {high:.3f}]"
