"""Progress bar on standard error, for terminals and notebooks."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

Advance = Callable[[int], None]


@contextmanager
def progress_bar(what: str, total: int | None, enabled: bool) -> Iterator[Advance]:
    """Show a progress bar during a ``with`` statement.

    Parameters
    ----------
    what : str
        Text before the bar.
    total : int or None
        Number of steps; None shows a spinner without a bar.
    enabled : bool
        False shows nothing.

    Yields
    ------
    callable
        Advances the bar by a number of steps.
    """
    console = Console(stderr=True)
    if not enabled or not (console.is_terminal or console.is_jupyter):
        yield lambda steps: None
        return
    columns = [SpinnerColumn(), TextColumn("{task.description}"), TimeElapsedColumn()]
    if total is not None:
        columns[2:2] = [BarColumn(), MofNCompleteColumn()]
    with Progress(*columns, console=console, transient=True) as progress:
        task = progress.add_task(what, total=total)
        yield lambda steps: progress.advance(task, steps)
