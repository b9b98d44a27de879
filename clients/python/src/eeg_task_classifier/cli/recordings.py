"""The commands that read recordings: `create`, `estimate` and `predict`."""

from __future__ import annotations

import argparse
import uuid
from typing import Any

from ..classifier import TaskClassifier
from ..dollars import dollars
from ..epochs import epoch_labels
from ..errors import EEGTaskClassifierError
from ..estimate import Estimate
from ..io.epochs import epochs_by_recording, read_epochs, windows_of
from ..limits import WINDOW_USD, windows_per_trial
from ..loading import load_model
from ..predictions import Predictions
from .channel_names import with_named_channels, with_suggested_channels
from .confirm import confirm
from .output import print_json, print_table, print_warnings
from .recording_options import markers_of, read_options_of
from .service_options import parameters_of

Row = dict[str, Any]


def estimate(options: argparse.Namespace) -> None:
    """Print the estimate of a create."""
    found, _ = _estimated(options, _classifier(options))
    if options.json:
        print_json({**found.raw, "total_usd": str(found.total_usd)})
        return
    print_table(["", ""], found.rows())
    print_warnings(found.warnings)


def create(options: argparse.Namespace) -> None:
    """Estimate, ask for confirmation, fit, and print the report."""
    clf = _classifier(options)
    found, epochs = _estimated(options, clf)
    if not options.json:
        print_table(["", ""], found.rows())
        print_warnings(found.warnings)
    if found.total_usd > 0:
        confirm(
            options,
            f"This costs {dollars(found.total_usd)} now, and then {dollars(found.hosting_usd_per_month)} a month.",
        )
    clf.fit(epochs, idempotency_key=options.idempotency_key)
    if options.json:
        print_json(clf.model_)
        return
    print_table(["", ""], [("Task model", clf.model_id_), ("Cost", dollars(clf.cost_usd_)), *clf.report_.rows()])
    best = [(each["title"], f"{each['balanced_accuracy']:.3f}") for each in clf.report_.scored[:8]]
    print_table(["Method", "Balanced accuracy"], best)
    print_warnings(clf.report_.warnings)


def predict(options: argparse.Namespace) -> None:
    """Print label and probabilities of each trial; if `--events` has classes, also the number of correct labels."""
    if options.every is None and not options.events:
        raise ValueError("Choose the trials: --events with --window, or --every SECONDS for the whole recording.")
    clf = load_model(options.model_id, **parameters_of(options), align=options.align)
    parts = _new_trials(options)
    windows = sum(len(each) * windows_per_trial(len(each.times), each.info["sfreq"]) for each, _ in parts)
    if not clf._service().connection.is_test:
        confirm(
            options, f"This predicts {windows} windows at {dollars(WINDOW_USD)} each: {dollars(windows * WINDOW_USD)}."
        )
    answers: list[Predictions] = []
    failed: EEGTaskClassifierError | None = None
    # One key for the whole command, so that a repeated command pays no recording twice.
    options.idempotency_key = options.idempotency_key or str(uuid.uuid4())
    for at, (epochs, _) in enumerate(parts):
        key = f"{options.idempotency_key}-{at}"

        def classify(trials: Any, key: str = key) -> Predictions:
            return clf.classify(trials, idempotency_key=key)

        try:
            answers.append(with_suggested_channels(options, epochs, classify)[0])
        except EEGTaskClassifierError as error:
            failed = error
            if error.predictions is not None:
                answers.append(error.predictions)
            break
    if answers or failed is None:
        _print_predictions(options, clf, parts, answers)
    if failed is not None:
        raise failed


def _print_predictions(
    options: argparse.Namespace, clf: TaskClassifier, parts: list[tuple[Any, Any]], answers: list[Predictions]
) -> None:
    """Print the answers. If a request has failed, there are fewer answers than trials."""
    rows = [
        row
        for path, (epochs, seconds), answer in zip(options.recording, parts, answers, strict=False)
        for row in _rows(
            path, epochs, seconds, answer, clf.class_names_, any("=" in each for each in options.events or [])
        )
    ]
    if options.json:
        print_json(rows)
    else:
        shown = [[*list(row.values())[:3], *(f"{p:.3f}" for p in row["probabilities"].values())] for row in rows]
        print_table(["Recording", "Seconds", "Label", *clf.class_names_], shown)
        if scored := [row for row in rows if "sent" in row]:
            print(f"{sum(row['label'] == row['sent'] for row in scored)} of {len(scored)} correct")
    print_warnings(dict.fromkeys(text for answer in answers for text in answer.warnings))


def _rows(path: str, epochs: Any, seconds: Any, answer: Predictions, names: list[str], scored: bool) -> list[Row]:
    """Return one row per trial: its place, its predicted label and, if `scored`, its true class (`sent`)."""
    trials = zip(seconds, answer.labels, answer.probabilities, epoch_labels(epochs), strict=False)
    return [
        {
            "recording": path,
            "seconds": round(float(at), 3),
            "label": str(label),
            "probabilities": dict(zip(names, probabilities.tolist(), strict=True)),
            **({"sent": true} if scored else {}),
        }
        for at, label, probabilities, true in trials
    ]


def _new_trials(options: argparse.Namespace) -> list[tuple[Any, Any]]:
    if options.events:
        parts = epochs_by_recording(
            options.recording,
            markers_of(options.events),
            options.window,
            read_options_of(options),
            options.annotations,
            options.every,
        )
    else:
        parts = [windows_of(path, options.every, read_options_of(options)) for path in options.recording]
    return [(with_named_channels(options, epochs), seconds) for epochs, seconds in parts]


def _estimated(options: argparse.Namespace, clf: TaskClassifier) -> tuple[Estimate, Any]:
    """Return the estimate for the labelled trials of the recordings, and the trials."""
    if without := [each for each in options.events if "=" not in each]:
        raise ValueError(f"--events {without[0]!r} has no classes. Write them as left=T1,right=T2.")
    read = read_options_of(options)
    paths = options.recording[0] if len(options.recording) == 1 else options.recording
    epochs = read_epochs(
        paths,
        markers_of(options.events),
        options.window,
        every=options.every,
        annotations=options.annotations,
        stim_channel=read.stim_channel,
        stream=read.stream,
        unit=read.unit,
        encoding=read.encoding,
        channels=read.channels,
        rate=read.rate,
    )
    return with_suggested_channels(options, with_named_channels(options, epochs), clf.estimate)


def _classifier(options: argparse.Namespace) -> TaskClassifier:
    return TaskClassifier(
        options.description,
        name=options.name,
        priors=options.priors,
        expires_in_days=options.expires_in_days,
        max_usd=getattr(options, "max_usd", None),
        **parameters_of(options),
    )
