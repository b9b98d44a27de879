"""The commands of `models`."""

from __future__ import annotations

import argparse
import math
from datetime import datetime, timedelta, timezone
from typing import Any

from ..report import Report
from ..service import Json
from .confirm import confirm
from .output import print_json, print_table, print_warnings, utc_text
from .service_options import service_of


def list_models(options: argparse.Namespace) -> None:
    """Print every collecting and active task model, newest first."""
    models = list(service_of(options).models())
    if options.json:
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
                utc_text(each["created"]),
                utc_text(each["expires_at"]),
            )
            for each in models
        ],
    )


def show_model(options: argparse.Namespace) -> None:
    """Print one task model with its training report."""
    _print_model(options, service_of(options).model(options.model_id))


def rename(options: argparse.Namespace) -> None:
    """Rename a task model."""
    _print_model(options, service_of(options).change(options.model_id, {"name": options.name}))


def expire(options: argparse.Namespace) -> None:
    """Set or clear the expiry of a task model."""
    if options.days is not None:
        if not (math.isfinite(options.days) and 0 < options.days <= 36_500):
            raise ValueError(f"--days {options.days} is out of range. It must be more than 0 and at most 36500.")
        expires_at: str | None = (datetime.now(timezone.utc) + timedelta(days=options.days)).isoformat(
            timespec="seconds"
        )
    else:
        expires_at = None if options.never else options.at
    _print_model(options, service_of(options).change(options.model_id, {"expires_at": expires_at}))


def delete(options: argparse.Namespace) -> None:
    """Delete a task model."""
    confirm(options, f"This deletes task model {options.model_id} for good.")
    _print_model(options, service_of(options).delete(options.model_id))


def _score(model: Json) -> str:
    report: dict[str, Any] | None = model.get("training_report")
    return "-" if report is None else f"{report['balanced_accuracy']:.3f} (chance {report['chance']:.3f})"


def _print_model(options: argparse.Namespace, model: Json) -> None:
    if options.json:
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
            ("Created (UTC)", utc_text(model["created"])),
            ("Expires", utc_text(model["expires_at"])),
            *(report.rows() if report else []),
        ],
    )
    print_warnings([*(model.get("warnings") or []), *(report.warnings if report else [])])
