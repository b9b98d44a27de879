"""Options of the command line that name the service and the API key."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Any

from ..connection import Connection
from ..service import Service


def api_key(options: argparse.Namespace) -> str | None:
    """Return the key from `--api-key-file` or `--api-key`; None takes the one of the environment."""
    if options.api_key_file is None:
        return str(options.api_key) if options.api_key else None
    text = sys.stdin.read() if options.api_key_file == "-" else Path(options.api_key_file).read_text()
    if not text.strip():
        raise ValueError(f"{options.api_key_file} contains no API key. Write the key into it.")
    return text.strip()


def service_of(options: argparse.Namespace) -> Service:
    """Return the service for a command."""
    return Service(Connection(api_key(options), options.base_url, options.timeout))


def parameters_of(options: argparse.Namespace) -> dict[str, Any]:
    """Return the parameters of `TaskClassifier` that name the service."""
    return {"api_key": api_key(options), "base_url": options.base_url, "timeout": options.timeout}
