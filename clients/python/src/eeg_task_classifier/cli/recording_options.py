"""Options of the command line that say what recordings contain."""

from __future__ import annotations

import argparse
from typing import Any

from ..io.events import JoinedMarkers
from ..io.read_options import ReadOptions
from ..io.reader_rules import CAP_MAPS


def add_recording_options(command: argparse.ArgumentParser) -> None:
    """Add the options that name what a file lacks (see `read_recording`)."""
    said = command.add_argument_group("what a recording lacks")
    said.add_argument("--stim-channel", help="the trigger channel, if its type does not tell it")
    said.add_argument("--stream", help="name of the EEG stream, for an XDF file with several")
    said.add_argument("--unit", help="unit of the EEG channels: uV, mV, V, nV; digital: one step counts as 1 µV")
    said.add_argument("--encoding", help="encoding of texts, such as latin-1 or gbk; default: UTF-8, else Latin-1")
    said.add_argument("--rate", type=float, metavar="HZ", help="sampling rate in Hz")
    names = said.add_mutually_exclusive_group()
    names.add_argument(
        "--channels", metavar="NAMES", help="names of all (or all EEG) channels in their order: C3,Cz,C4"
    )
    names.add_argument("--cap", choices=list(CAP_MAPS), help="the cap whose positions (A1, A2, …) are the names")
    said.add_argument(
        "--annotations",
        action="append",
        metavar="FILE",
        help="a file with the annotations of the recording, such as a hypnogram; once for each recording",
    )


def read_options_of(options: argparse.Namespace) -> ReadOptions:
    """Return what the command line says about the recordings."""
    given = [name.strip() for name in options.channels.split(",")] if options.channels else options.cap
    return ReadOptions(
        options.stream, options.stim_channel, options.unit, options.encoding, given or None, options.rate
    )


def markers_of(texts: list[str]) -> Any:
    """Return the markers of each class in ``left=T1+T3,right=T2``: for all recordings, or a list with one for each.

    A marker without a class names its own class.
    """
    found = [_markers(text) for text in texts]
    return found[0] if len(found) == 1 else found


def _markers(text: str) -> dict[str, list[str]]:
    events: dict[str, list[str]] = {}
    for name, _, markers in (part.partition("=") for part in text.split(",") if part.strip()):
        events.setdefault(name.strip(), []).append(JoinedMarkers((markers or name).strip()))
    return events
