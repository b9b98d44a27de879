"""Warnings about data that the client leaves out or changes."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Iterable


class DataNotice(UserWarning):
    """Part of the data is left out or changed before it is sent."""


def notify(text: str) -> None:
    """Issue a `DataNotice` that points to the caller's line, the first one outside of this package."""
    level, frame = 1, sys._getframe(0)
    while frame.f_back is not None and frame.f_globals.get("__name__", "").startswith(__package__ or "-"):
        frame = frame.f_back
        level += 1
    warnings.warn(text, DataNotice, stacklevel=level)


def notify_all(texts: Iterable[str]) -> None:
    """Issue a `DataNotice` for each text."""
    for text in texts:
        notify(text)
