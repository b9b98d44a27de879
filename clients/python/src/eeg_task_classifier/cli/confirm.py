"""Confirmation before a command that costs money or deletes a model."""

from __future__ import annotations

import argparse
import sys

from .output import stderr_console


class Declined(Exception):
    """The user did not confirm."""


def confirm(options: argparse.Namespace, consequence: str) -> None:
    """Ask the user on the terminal. `--yes` confirms without a question.

    Parameters
    ----------
    options : argparse.Namespace
    consequence : str
        Sentence about what the command will do.

    Raises
    ------
    Declined
        If the answer is not yes, or there is neither a terminal nor `--yes`.
    """
    if options.yes:
        return
    if not sys.stdin.isatty() or options.api_key_file == "-":
        raise Declined(f"{consequence} Nothing was done, because there is no terminal to ask on. Confirm with --yes.")
    stderr_console().print(f"{consequence} [y/N] ", end="", markup=False, highlight=False)
    if sys.stdin.readline().strip().lower() not in ("y", "yes"):
        raise Declined("Nothing was done.")
