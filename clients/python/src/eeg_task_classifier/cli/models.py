"""The commands of `models`."""

from __future__ import annotations

import argparse
import math
from datetime import datetime, timedelta, timezone
from typing import Any

from ..report import Report
from ..service import Json
from .screen import date, print_json, print_table, print_warnings
from .session import agree, service_of


def list_models(asked: argparse.Namespace) -> None:
    """Prints every collecting and active task model, newest first."""
    models = list(service_of(asked).models())
    if asked.json:
        print_json(models)
        return
    print_table(
        ["Task model", "Name", "Status", "Classes", "Score", "Created (UTC)", "Expires"],
        [
            (
                each["id"],
                each.get("name") or each["description"],
                each["status"],
                ", ".join(each["classes"]),
                _score(each),
                date(each["created"]),
                date(each["expires_at"]),
            )
            for each in models
        ],
    )


def show_model(asked: argparse.Namespace) -> None:
    """Prints one task model with its training report."""
    _print_model(asked, service_of(asked).model(asked.model_id))


def rename(asked: argparse.Namespace) -> None:
    """Gives a task model another name."""
    _print_model(asked, service_of(asked).change(asked.model_id, {"name": asked.name}))


def expire(asked: argparse.Namespace) -> None:
    """Sets or clears when a task model ends."""
    if asked.days is not None:
        if not (math.isfinite(asked.days) and 0 < asked.days <= 36_500):
            raise ValueError(f"--days {asked.days} must be more than 0 and at most 36500.")
        ends: str | None = (datetime.now(timezone.utc) + timedelta(days=asked.days)).isoformat(timespec="seconds")
    else:
        ends = None if asked.never else asked.at
    _print_model(asked, service_of(asked).change(asked.model_id, {"expires_at": ends}))


def remove(asked: argparse.Namespace) -> None:
    """Ends a task model."""
    agree(asked, f"Task model {asked.model_id} is deleted for good.")
    _print_model(asked, service_of(asked).delete(asked.model_id))


def _score(model: Json) -> str:
    report: dict[str, Any] | None = model.get("training_report")
    return "-" if report is None else f"{report['balanced_accuracy']:.3f} (chance {report['chance']:.3f})"


def _print_model(asked: argparse.Namespace, model: Json) -> None:
    if asked.json:
        print_json(model)
        return
    report = Report(model["training_report"]) if "training_report" in model else None
    print_table(
        ["", ""],
        [
            ("Task model", model["id"]),
            ("Name", model.get("name") or "-"),
            ("Description", model["description"]),
            ("Status", model["status"]),
            ("Classes", ", ".join(model["classes"])),
            ("Channels", ", ".join(model["channels"])),
            ("Created (UTC)", date(model["created"])),
            ("Expires", date(model["expires_at"])),
            *(report.rows() if report else []),
        ],
    )
    print_warnings([*(model.get("warnings") or []), *(report.warnings if report else [])])
