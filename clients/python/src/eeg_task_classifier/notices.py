"""Sentences for the caller."""

from __future__ import annotations

import sys
import warnings

from .errors import DataNotice


def say(text: str, category: type[Warning] = DataNotice) -> None:
    """Warns at the first line outside of this package."""
    level, frame = 1, sys._getframe(0)
    while frame.f_back is not None and frame.f_globals.get("__name__", "").startswith(__package__ or "-"):
        frame = frame.f_back
        level += 1
    warnings.warn(text, category, stacklevel=level)
