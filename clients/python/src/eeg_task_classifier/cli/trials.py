"""Commands that read recordings: create, estimate, predict."""

from __future__ import annotations

import argparse
from typing import Any

from ..classifier import TaskClassifier
from ..errors import EEGTaskClassifierError
from ..estimates import Estimate
from ..from_epochs import epoch_labels
from ..io.epoching import epochs_of, read_epochs, windows_of
from ..limits import WINDOW_USD, windows_per_trial
from ..loading import load_model
from ..predictions import Predictions
from .electrodes import fixed, renamed
from .screen import print_json, print_table, print_warnings
from .session import agree, parameters_of

Row = dict[str, Any]


def estimate(asked: argparse.Namespace) -> None:
    """Prints what a create would cost."""
    found, _ = _estimated(asked, _classifier(asked))
    if asked.json:
        print_json({**found.raw, "total_usd": str(found.total_usd)})
        return
    print_table(["", ""], found.rows())
    print_warnings(found.warnings)


def create(asked: argparse.Namespace) -> None:
    """Estimates, asks, fits, prints the report."""
    clf = _classifier(asked)
    found, epochs = _estimated(asked, clf)
    if not asked.json:
        print_table(["", ""], found.rows())
        print_warnings(found.warnings)
    if found.total_usd > 0:
        agree(asked, f"This costs {found.total_usd} USD now, and {found.hosting_usd_per_month} USD for each month.")
    clf.fit(epochs)
    if asked.json:
        print_json(clf.model_)
        return
    print_table(["", ""], [("Task model", clf.model_id_), ("Cost", f"{clf.cost_usd_} USD"), *clf.report_.rows()])
    best = [(each["title"], f"{each['balanced_accuracy']:.3f}") for each in clf.report_.scored[:8]]
    print_table(["Method", "Balanced accuracy"], best)
    print_warnings(clf.report_.warnings)


def predict(asked: argparse.Namespace) -> None:
    """Prints a label and probabilities for each trial; with classes in `--events`, how many are right."""
    if (asked.every is None) == (asked.events is None):
        raise ValueError("Say where the trials are: --events with --window, or --every SECONDS.")
    if asked.events and asked.window is None:
        raise ValueError("Trials at --events need --window BEGIN,END in seconds.")
    clf = load_model(asked.model_id, **parameters_of(asked), align=asked.align)
    parts = _new_trials(asked)
    windows = sum(len(each) * windows_per_trial(len(each.times), each.info["sfreq"]) for each, _ in parts)
    if not clf._service().connection.is_test:
        agree(asked, f"{windows} windows are predicted, at {WINDOW_USD} USD each: {windows * WINDOW_USD} USD.")
    answers: list[Predictions] = []
    failed: EEGTaskClassifierError | None = None
    for epochs, _ in parts:
        try:
            answers.append(fixed(asked, epochs, clf.classify)[0])
        except EEGTaskClassifierError as error:
            failed = error
            if error.predictions is not None:
                answers.append(error.predictions)
            break
    if answers or failed is None:
        _print_predictions(asked, clf, parts, answers)
    if failed is not None:
        raise failed


def _print_predictions(
    asked: argparse.Namespace, clf: TaskClassifier, parts: list[tuple[Any, Any]], answers: list[Predictions]
) -> None:
    """All that was answered: where a request failed, that is less than was asked."""
    rows = [
        row
        for path, (epochs, seconds), answer in zip(asked.recording, parts, answers, strict=False)
        for row in _rows(path, epochs, seconds, answer, clf.class_names_, "=" in (asked.events or ""))
    ]
    if asked.json:
        print_json(rows)
    else:
        shown = [[*list(row.values())[:3], *(f"{p:.3f}" for p in row["probabilities"].values())] for row in rows]
        print_table(["Recording", "Seconds", "Label", *clf.class_names_], shown)
        if scored := [row for row in rows if "sent" in row]:
            print(f"{sum(row['label'] == row['sent'] for row in scored)} of {len(scored)} right")
    print_warnings(dict.fromkeys(text for answer in answers for text in answer.warnings))


def _rows(path: str, epochs: Any, seconds: Any, answer: Predictions, names: list[str], scored: bool) -> list[Row]:
    """One row for each trial: where it is, what it is taken for, and what was sent where classes were named."""
    trials = zip(seconds, answer.labels, answer.probabilities, epoch_labels(epochs), strict=False)
    return [
        {
            "recording": path,
            "seconds": round(float(at), 3),
            "label": str(label),
            "probabilities": dict(zip(names, chances.tolist(), strict=True)),
            **({"sent": sent} if scored else {}),
        }
        for at, label, chances, sent in trials
    ]


def _new_trials(asked: argparse.Namespace) -> list[tuple[Any, Any]]:
    if asked.every is not None:
        parts = [windows_of(path, asked.every, asked.stream) for path in asked.recording]
    else:
        parts = epochs_of(asked.recording, _markers(asked.events), asked.window, asked.stim_channel, asked.stream)
    return [(renamed(asked, epochs), seconds) for epochs, seconds in parts]


def _estimated(asked: argparse.Namespace, clf: TaskClassifier) -> tuple[Estimate, Any]:
    """The estimate for the labelled trials of the recordings, and these."""
    if "=" not in asked.events:
        raise ValueError(f"--events {asked.events!r} names no classes: left=T1,right=T2.")
    paths = asked.recording[0] if len(asked.recording) == 1 else asked.recording
    epochs = read_epochs(
        paths, _markers(asked.events), asked.window, stim_channel=asked.stim_channel, stream=asked.stream
    )
    return fixed(asked, renamed(asked, epochs), clf.estimate)


def _markers(text: str) -> dict[str, list[str]]:
    """``left=T1+T3,right=T2`` as classes and their markers; a marker without a class is one of its own name."""
    events: dict[str, list[str]] = {}
    for name, _, markers in (part.partition("=") for part in text.split(",") if part.strip()):
        events.setdefault(name.strip(), []).extend((markers or name).strip().split("+"))
    return events


def _classifier(asked: argparse.Namespace) -> TaskClassifier:
    return TaskClassifier(
        asked.description,
        name=asked.name,
        priors=asked.priors,
        expires_in_days=asked.expires_in_days,
        max_usd=getattr(asked, "max_usd", None),
        **parameters_of(asked),
    )
