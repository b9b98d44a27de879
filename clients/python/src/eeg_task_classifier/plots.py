"""Plots of a training report, with matplotlib."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
import numpy.typing as npt

from .install import how_to_install
from .report_fields import MethodScore

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_METHODS_SHOWN = 12


class PlottedReport(Protocol):
    """The fields of a training report that the plots read."""

    @property
    def chance(self) -> float: ...
    @property
    def scored(self) -> list[MethodScore]: ...
    @property
    def labels(self) -> list[str]: ...
    @property
    def confusion(self) -> npt.NDArray[np.float64]: ...
    @property
    def raw(self) -> dict[str, Any]: ...


def plot_report(report: PlottedReport) -> Figure:
    """Draw a training report.

    Returns
    -------
    matplotlib.figure.Figure
        Four panels: scores of the methods, confusion matrix, learning curve, calibration. It is not shown or saved.

    Raises
    ------
    ImportError
        If matplotlib is not installed.
    """
    drawn = _new_figure((11, 8))
    axes = drawn.subplots(2, 2)
    _scores(axes[0, 0], report)
    _confusion(axes[0, 1], report)
    _learning_curve(axes[1, 0], report)
    _calibration(axes[1, 1], report)
    return drawn


def plot_confusion(report: PlottedReport) -> Figure:
    """Draw the confusion matrix of a training report alone (see `plot_report`)."""
    drawn = _new_figure((4.5, 4))
    _confusion(drawn.subplots(), report)
    return drawn


def _new_figure(inches: tuple[float, float]) -> Figure:
    try:
        from matplotlib.pyplot import figure
    except ImportError as error:
        raise ImportError(f"Plots need matplotlib. {how_to_install('plot')}") from error
    return figure(figsize=inches, layout="constrained")


def _scores(axis: Axes, report: PlottedReport) -> None:
    shown = report.scored[:_METHODS_SHOWN][::-1]
    for row, each in enumerate(shown):
        score = each["balanced_accuracy"] or 0.0
        low, high = (np.nan if end is None else end for end in each["interval_95"])
        chosen = each["id"] == report.raw.get("method")
        axis.plot([low, high], [row, row], color="C0", lw=3 if chosen else 1.2)
        axis.plot(score, row, "o", color="C0", ms=8 if chosen else 5)
    axis.axvline(report.chance, color="0.4", ls="--", label="chance")
    axis.set_yticks(range(len(shown)), [str(each["title"])[:48] for each in shown], fontsize=7)
    axis.set(xlim=(0, 1), xlabel="balanced accuracy, 95 % interval", title="Methods")
    axis.legend(loc="lower left", fontsize=8)


def _confusion(axis: Axes, report: PlottedReport) -> None:
    counts, labels = report.confusion, report.labels
    rates = counts / np.maximum(counts.sum(axis=1, keepdims=True), 1e-12)
    axis.imshow(rates, vmin=0, vmax=1, cmap="Blues")
    for row, column in np.ndindex(*counts.shape):
        color = "white" if rates[row, column] > 0.6 else "black"
        axis.text(column, row, f"{counts[row, column]:g}", ha="center", va="center", color=color)
    axis.set_xticks(range(len(labels)), labels, rotation=30, ha="right")
    axis.set_yticks(range(len(labels)), labels)
    axis.set(xlabel="predicted", ylabel="true", title="Confusion matrix")


def _learning_curve(axis: Axes, report: PlottedReport) -> None:
    curve = [
        (float(each["trials_per_class"]), float(each["balanced_accuracy"]))
        for each in report.raw.get("learning_curve") or []
        if each["balanced_accuracy"] is not None
    ]
    if curve:
        axis.plot(*zip(*curve, strict=True), "o-")
    axis.axhline(report.chance, color="0.4", ls="--")
    axis.set(ylim=(0, 1.02), xlabel="trials per class", ylabel="balanced accuracy", title="Learning curve")


def _calibration(axis: Axes, report: PlottedReport) -> None:
    bins = report.raw.get("calibration_bins") or []
    axis.plot([0, 1], [0, 1], color="0.4", ls="--", label="perfectly calibrated")
    if bins:
        sizes = [20 + 200 * float(each["weight"]) for each in bins]
        predicted = [float(each["mean_probability"]) for each in bins]
        axis.scatter(predicted, [float(each["accuracy"]) for each in bins], sizes)
    axis.set(
        xlim=(0, 1.02), ylim=(0, 1.02), xlabel="mean predicted probability", ylabel="accuracy", title="Calibration"
    )
    axis.legend(loc="lower right", fontsize=8)
