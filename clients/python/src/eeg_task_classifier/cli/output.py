"""Output of commands: tables for people, JSON for programs."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from datetime import datetime, timezone
from typing import Any

from rich.console import Console
from rich.table import Table
from rich.text import Text


def stderr_console() -> Console:
    """Return a console on standard error."""
    return Console(stderr=True)


def print_json(value: object) -> None:
    """Print one JSON document on standard output."""
    print(json.dumps(value, ensure_ascii=False, indent=2, default=str))


def print_table(columns: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
    """Print a table on standard output. Texts of the service are not read as markup."""
    table = Table(box=None, show_header=any(columns), pad_edge=False, padding=(0, 2, 0, 0))
    for at, name in enumerate(columns):
        table.add_column(name, no_wrap=at == 0)
    for row in rows:
        table.add_row(*(Text(str(cell)) for cell in row))
    console = Console()
    # In a pipe or a file the lines must not be wrapped at the width of a terminal.
    (console if console.is_terminal else Console(width=400)).print(table)


def print_warnings(texts: Iterable[str]) -> None:
    """Print warnings on standard error."""
    for text in texts:
        stderr_console().print(f"! {text}", markup=False, highlight=False, soft_wrap=True)


def utc_text(seconds: Any) -> str:
    """Return a time, in seconds since 1970, as date and time in UTC; "-" for None."""
    if seconds is None:
        return "-"
    return datetime.fromtimestamp(int(seconds), timezone.utc).strftime("%Y-%m-%d %H:%M")
