"""What is printed: tables for people, JSON for programs."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from datetime import datetime, timezone
from typing import Any

from rich.console import Console
from rich.table import Table
from rich.text import Text


def errors() -> Console:
    """Standard error."""
    return Console(stderr=True)


def print_json(value: object) -> None:
    """One JSON document on standard output."""
    print(json.dumps(value, ensure_ascii=False, indent=2, default=str))


def print_table(columns: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
    """A table; texts of the service are printed as they are, never as markup."""
    table = Table(box=None, show_header=any(columns), pad_edge=False, padding=(0, 2, 0, 0))
    for at, name in enumerate(columns):
        table.add_column(name, no_wrap=at == 0)
    for row in rows:
        table.add_row(*(Text(str(cell)) for cell in row))
    console = Console()
    # A pipe is no screen: nothing is cut there.
    (console if console.is_terminal else Console(width=400)).print(table)


def print_warnings(texts: Iterable[str]) -> None:
    """Sentences to mind, on standard error."""
    for text in texts:
        errors().print(f"! {text}", markup=False, highlight=False, soft_wrap=True)


def date(seconds: Any) -> str:
    """A time of the service for a reader, in UTC."""
    if seconds is None:
        return "-"
    return datetime.fromtimestamp(int(seconds), timezone.utc).strftime("%Y-%m-%d %H:%M")
