"""Commands and options of the command line."""

from __future__ import annotations

import argparse

from .models import delete, expire, list_models, rename, show_model
from .recording_options import add_recording_options
from .recordings import create, estimate, predict
from .stream import run_stream
from .usage import usage

_EVENTS = (
    "classes and their markers: left=T1,right=T2; a class with several markers: left=T1+T3; repeat the option once for "
    "each recording if its markers mean something else there"
)
_EVERY = "instead of --window: consecutive trials of this length, cut from the span of each event"


def build_parser() -> argparse.ArgumentParser:
    """Return the parser of the whole command line."""
    top = argparse.ArgumentParser(
        prog="eeg-classifier",
        description="Fit EEG task classifiers on labelled recordings, and predict with them.",
        epilog="Exit codes: 0 done; 1 refused or failed; 2 wrong command line; 3 too little credit, too expensive, or "
        "not confirmed; 4 no connection; 130 interrupted.",
    )
    commands = top.add_subparsers(required=True, metavar="COMMAND")

    def command(name: str, text: str, run: object, parent: object = commands) -> argparse.ArgumentParser:
        made: argparse.ArgumentParser = parent.add_parser(name, help=text, description=text)  # type: ignore[attr-defined]
        made.set_defaults(run=run)
        _add_connection(made)
        return made

    for name, text, run in [
        ("create", "Fit a task model on recordings and host it.", create),
        ("estimate", "Estimate the price and the warnings of a create; nothing is fitted.", estimate),
    ]:
        made = command(name, text, run)
        _add_recordings(made)
        made.add_argument("--events", required=True, action="append", help=_EVENTS)
        made.add_argument("--every", type=_seconds, metavar="SECONDS", help=_EVERY)
        made.add_argument("--description", required=True, help="the task, and the meaning of each class")
        made.add_argument("--name", help="your own name for the model")
        made.add_argument(
            "--priors",
            choices=["balanced", "as_sent"],
            help="prior probabilities of the classes: equal (default), or as frequent as in the recordings",
        )
        made.add_argument("--expires-in-days", type=int, metavar="DAYS", help="delete the model after so many days")
        if name == "create":
            made.add_argument("--max-usd", type=float, help="refuse to fit if it costs more")
            _add_key(made)
            _add_yes(made)

    made = command("predict", "Label the trials of recordings with a hosted model.", predict)
    made.add_argument("model_id")
    _add_recordings(made)
    made.add_argument(
        "--events",
        action="append",
        help="markers of the trials: T1,T2; with classes the command also counts the correct labels: left=T1,right=T2",
    )
    made.add_argument(
        "--every",
        type=_seconds,
        metavar="SECONDS",
        help=f"{_EVERY}; without --events: of the whole recording",
    )
    made.add_argument(
        "--align", choices=["none", "batch"], default="none", help="batch: recentre the trials of a recording together"
    )
    _add_key(made)
    _add_yes(made)

    made = command("stream", "Predict a running signal, up to eight times a second.", run_stream)
    made.add_argument("model_id")
    made.add_argument("--lsl", metavar="NAME", help="name of a stream of the Lab Streaming Layer")
    made.add_argument("--replay", metavar="RECORDING", help="a recording, at the speed of its own clock")
    made.add_argument("--speed", type=float, help="with --replay: so many times faster than recorded; default: 1")
    made.add_argument("--per-second", type=float, default=8.0, help="predictions per second, at most 8; default: 8")
    made.add_argument("--max-usd", type=float, help="end when it has cost so much; required with a live key")
    made.add_argument("--seconds", type=float, help="end after so many seconds of waiting time")
    made.add_argument("--channels", metavar="NAMES", help="names of all channels of the source, in its order: C3,Cz,C4")
    made.add_argument("--units", choices=["uV", "mV", "V"], help="unit of the samples; default: as declared")
    _add_yes(made)

    command("list", "List the collecting and active task models.", list_models)
    command("usage", "Print the usage, the limits and the quotas of the account.", usage)

    models = commands.add_parser("models", help="List, show, rename, expire or delete task models.")
    model_commands = models.add_subparsers(required=True, metavar="COMMAND")
    command("list", "List the collecting and active task models.", list_models, model_commands)
    single = [
        command("show", "Show one task model with its training report.", show_model, model_commands),
        command("rename", "Rename a task model.", rename, model_commands),
        command("expire", "Set or clear the expiry of a task model.", expire, model_commands),
        command("delete", "Delete a task model.", delete, model_commands),
    ]
    for each in single:
        each.add_argument("model_id")
    single[1].add_argument("name")
    when = single[2].add_mutually_exclusive_group(required=True)
    when.add_argument("--days", type=float, help="expire after so many days")
    when.add_argument("--at", help="expire at this ISO 8601 date or date-time")
    when.add_argument("--never", action="store_true", help="do not expire")
    _add_yes(single[3])
    return top


def _add_connection(command: argparse.ArgumentParser) -> None:
    command.add_argument("--json", action="store_true", help="print JSON instead of tables")
    command.add_argument("--base-url", help="address of the service; default: EEG_BASE_URL")
    command.add_argument(
        "--api-key", help="default: EEG_API_KEY; --api-key-file keeps the key out of the shell's history"
    )
    command.add_argument("--api-key-file", metavar="FILE", help="file with the key; - is standard input")
    command.add_argument("--timeout", type=float, default=900.0, metavar="SECONDS", help="longest wait; default: 900")


def _add_recordings(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "recording",
        nargs="+",
        help="EDF, BDF, GDF, FIF, EEGLAB, BrainVision, XDF, OpenBCI, Muse, a table of samples or another format of "
        "MNE; each file is a session",
    )
    command.add_argument(
        "--window",
        type=_window,
        metavar="BEGIN,END",
        help="seconds from the marker, without the end: 0.5,4; not needed for files of epochs and stages of sleep",
    )
    add_recording_options(command)
    command.add_argument("--drop", default="", metavar="NAMES", help="channels to leave out: EOG,ECG,Status")
    command.add_argument("--rename", default="", metavar="OLD=NEW,…", help="channels to rename")
    command.add_argument(
        "--fix", action="store_true", help="use the electrode names that the service suggests for refused ones"
    )


def _add_key(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--idempotency-key",
        metavar="KEY",
        help="key of the same command that was interrupted: fetches its result, and pays nothing twice",
    )


def _add_yes(command: argparse.ArgumentParser) -> None:
    command.add_argument("--yes", "-y", action="store_true", help="confirm without a question")


def _seconds(text: str) -> float:
    try:
        seconds = float(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} must be a number of seconds, such as 4") from None
    if not 0 < seconds < 86_400:
        raise argparse.ArgumentTypeError(f"{text!r} must be more than 0 s and less than a day")
    return seconds


def _window(text: str) -> tuple[float, float]:
    try:
        begin, end = (float(part) for part in text.split(","))
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} must have the form BEGIN,END in seconds, such as 0.5,4") from None
    if end <= begin:
        raise argparse.ArgumentTypeError(f"{text!r} ends before it begins")
    return begin, end
