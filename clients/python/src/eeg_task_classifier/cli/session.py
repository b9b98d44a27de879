"""The caller, and whether they agree to pay."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Any

from ..connection import Connection
from ..service import Service
from .screen import errors


class Declined(Exception):
    """Nobody agreed."""


def api_key(asked: argparse.Namespace) -> str | None:
    """The key of the command line, of a file or of standard input; None: that of the environment."""
    if asked.api_key_file is None:
        return str(asked.api_key) if asked.api_key else None
    text = sys.stdin.read() if asked.api_key_file == "-" else Path(asked.api_key_file).read_text()
    if not text.strip():
        raise ValueError(f"{asked.api_key_file} holds no API key.")
    return text.strip()


def service_of(asked: argparse.Namespace) -> Service:
    """The service that a command speaks with."""
    return Service(Connection(api_key(asked), asked.base_url, asked.timeout))


def parameters_of(asked: argparse.Namespace) -> dict[str, Any]:
    """The same for `TaskClassifier`."""
    return {"api_key": api_key(asked), "base_url": asked.base_url, "timeout": asked.timeout}


def agree(asked: argparse.Namespace, question: str) -> None:
    """Asks on a terminal; elsewhere `--yes` must say it. Raises `Declined`."""
    if asked.yes:
        return
    if not sys.stdin.isatty() or asked.api_key_file == "-":
        raise Declined(f"{question} Nothing was done: this is no terminal to ask on, so say it with --yes.")
    errors().print(f"{question} [y/N] ", end="", markup=False, highlight=False)
    if sys.stdin.readline().strip().lower() not in ("y", "yes"):
        raise Declined("Nothing was done.")
