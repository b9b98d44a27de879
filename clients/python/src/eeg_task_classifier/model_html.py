"""A fitted model as notebooks show it."""

from __future__ import annotations

from .html import bullet_list, picture, table
from .plots import plot_confusion
from .report import Report
from .service import Json


def model_html(model: Json, report: Report | None) -> str:
    """Return a table of a hosted model and the picture of its confusion matrix, as HTML.

    Parameters
    ----------
    model : dict
        The model as the service describes it.
    report : Report or None
    """
    rows = [
        ("Task model", str(model["id"])),
        ("Task", str(model["description"])),
        ("Classes", ", ".join(model["classes"])),
        ("Channels", ", ".join(model["channels"])),
        ("Key", "test key: costs nothing" if model.get("test") else "live key: charged each month until deleted"),
    ]
    if report is None:
        return table(rows)
    shown = picture(lambda: plot_confusion(report), "Confusion matrix")
    return table([*rows, *report.rows()]) + shown + bullet_list(report.warnings)
