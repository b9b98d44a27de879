"""What can be said on the command line."""

from __future__ import annotations

import argparse

from .models import expire, list_models, remove, rename, show_model
from .trials import create, estimate, predict
from .usage import usage

_EVENTS = "classes and their markers: left=T1,right=T2; several markers of a class: left=T1+T3"


def parser() -> argparse.ArgumentParser:
    """The whole command line."""
    top = argparse.ArgumentParser(
        prog="eeg-classifier",
        description="EEG task classifiers: made from labelled recordings, hosted, asked.",
        epilog="Exit codes: 0 done; 1 refused or failed; 2 wrong command line; 3 about money; 4 no connection.",
    )
    commands = top.add_subparsers(required=True, metavar="COMMAND")

    def command(name: str, text: str, act: object, into: object = commands) -> argparse.ArgumentParser:
        made: argparse.ArgumentParser = into.add_parser(name, help=text, description=text)  # type: ignore[attr-defined]
        made.set_defaults(act=act)
        _connection(made)
        return made

    for name, text, act in [
        ("create", "Fit a task model on recordings and host it.", create),
        ("estimate", "Say what a create would cost and warn of; nothing is fitted.", estimate),
    ]:
        made = command(name, text, act)
        _recordings(made)
        made.add_argument("--events", required=True, help=_EVENTS)
        made.add_argument("--description", required=True, help="what the task is, what each class means")
        made.add_argument("--name", help="your own name for the model")
        made.add_argument("--priors", choices=["balanced", "as_sent"])
        made.add_argument("--expires-in-days", type=int, metavar="DAYS")
        if name == "create":
            made.add_argument("--max-usd", type=float, help="refuse where the fit costs more")
            _yes(made)

    made = command("predict", "Label the trials of recordings with a hosted model.", predict)
    made.add_argument("model_id")
    _recordings(made, window=False)
    made.add_argument("--events", help="markers of the trials: T1,T2; or with the classes, to score: left=T1,right=T2")
    made.add_argument("--every", type=float, metavar="SECONDS", help="instead of --events: trials one after another")
    made.add_argument("--align", choices=["none", "batch"], default="none")
    _yes(made)

    command("usage", "What was used, and the limits.", usage)

    models = commands.add_parser("models", help="List, show, rename, expire, delete task models.")
    several = models.add_subparsers(required=True, metavar="COMMAND")
    command("list", "Collecting and active task models.", list_models, several)
    one = [
        command("show", "One task model with its training report.", show_model, several),
        command("rename", "Give a task model another name.", rename, several),
        command("expire", "Set or clear when a task model ends.", expire, several),
        command("delete", "End a task model.", remove, several),
    ]
    for each in one:
        each.add_argument("model_id")
    one[1].add_argument("name")
    when = one[2].add_mutually_exclusive_group(required=True)
    when.add_argument("--days", type=float, help="days from now")
    when.add_argument("--at", help="ISO 8601 date or date-time")
    when.add_argument("--never", action="store_true")
    _yes(one[3])
    return top


def _connection(command: argparse.ArgumentParser) -> None:
    command.add_argument("--json", action="store_true", help="print JSON instead of tables")
    command.add_argument("--base-url", help="address of the service; else EEG_BASE_URL")
    command.add_argument("--api-key", help="else EEG_API_KEY; a file keeps it out of the shell's history")
    command.add_argument("--api-key-file", metavar="FILE", help="file that holds the key; - is standard input")
    command.add_argument("--timeout", type=float, default=900.0, metavar="SECONDS")


def _recordings(command: argparse.ArgumentParser, window: bool = True) -> None:
    command.add_argument("recording", nargs="+", help="EDF, BDF, FIF, EEGLAB, BrainVision, XDF…; each is a session")
    command.add_argument(
        "--window",
        type=_window,
        required=window,
        metavar="BEGIN,END",
        help="seconds from the marker, the end not included: 0.5,4",
    )
    command.add_argument("--stim-channel", help="the trigger channel, where its type does not say so")
    command.add_argument("--stream", help="the EEG stream of an XDF file with several")
    command.add_argument("--drop", default="", metavar="NAMES", help="channels to leave out: EOG,ECG,Status")
    command.add_argument("--rename", default="", metavar="OLD=NEW,…", help="names of channels to change")
    command.add_argument(
        "--fix", action="store_true", help="take the electrode names that the service offers instead of refused ones"
    )


def _yes(command: argparse.ArgumentParser) -> None:
    command.add_argument("--yes", "-y", action="store_true", help="do not ask")


def _window(text: str) -> tuple[float, float]:
    try:
        begin, end = (float(part) for part in text.split(","))
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is not BEGIN,END in seconds, such as 0.5,4") from None
    if end <= begin:
        raise argparse.ArgumentTypeError(f"{text!r}: the end must come after the begin")
    return begin, end
