"""Training report: the scores of a fit, measured on held-out trials of the caller."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from .plots import plot_report
from .service import Json

if TYPE_CHECKING:
    from matplotlib.figure import Figure


class Report:
    """Training report of a fit.

    Every field of the service's report is an attribute and an item: ``report.log_loss``, ``report["log_loss"]``.

    Attributes
    ----------
    balanced_accuracy : float
        Balanced accuracy of the chosen method on held-out trials.
    chance : float
        Balanced accuracy of guessing.
    corrected : dict or None
        The score corrected for the choice among many methods: ``balanced_accuracy`` and ``interval_95``.
    methods : list of dict
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
        self.corrected: dict[str, Any] | None = raw.get("corrected")
        self.methods: list[dict[str, Any]] = list(raw.get("methods") or [])
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
    def scored(self) -> list[dict[str, Any]]:
        """The methods that have a score, best first."""
        return sorted(
            (each for each in self.methods if each["status"] == "scored"),
            key=lambda each: -float(each["balanced_accuracy"]),
        )

    def rows(self) -> list[tuple[str, str]]:
        """Return the main fields as pairs of name and text."""
        low, high = self.raw.get("interval_95") or (None, None)
        rows = [
            ("Method", str(self.raw.get("method_title", ""))),
            ("Balanced accuracy", f"{self.balanced_accuracy:.3f}{_interval(low, high)}, chance {self.chance:.3f}"),
        ]
        if self.corrected and self.corrected["balanced_accuracy"] is not None:
            rows.append(
                (
                    "Corrected for the choice",
                    f"{self.corrected['balanced_accuracy']:.3f}{_interval(*self.corrected['interval_95'])}",
                )
            )
        if self.raw.get("p_value") is not None:
            rows.append(("p-value (permuted labels)", f"{self.raw['p_value']:.3g}"))
        if validation := self.raw.get("validation"):
            rows.append(("Validation", str(validation["description"])))
        return rows

    def __repr__(self) -> str:
        lines = [f"{name}: {text}" for name, text in self.rows()] + [f"! {text}" for text in self.warnings]
        return "Training report\n  " + "\n  ".join(lines)

    def _repr_html_(self) -> str:
        rows = "".join(f"<tr><th>{escape(name)}</th><td>{escape(text)}</td></tr>" for name, text in self.rows())
        methods = "".join(
            f"<tr><td>{escape(str(each['title']))}</td><td>{float(each['balanced_accuracy']):.3f}</td></tr>"
            for each in self.scored[:10]
        )
        warnings = "".join(f"<li>{escape(text)}</li>" for text in self.warnings)
        return (
            f"<table>{rows}</table><table><tr><th>Method</th><th>Balanced accuracy</th></tr>{methods}</table>"
            f"<ul>{warnings}</ul>"
        )

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


def _interval(low: float | None, high: float | None) -> str:
    return "" if low is None or high is None else f" [{low:.3f}, {high:.3f}]"
