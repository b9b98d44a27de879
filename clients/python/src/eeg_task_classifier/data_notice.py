"""Warnings of the client about data that it leaves out or changes, and warnings of the service."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Iterable


class DataNotice(UserWarning):
    """Part of the data is left out or changed before it is sent."""


class ServiceWarning(UserWarning):
    """A warning of the service: a problem of the data, or a limit of the scores."""


def notify(text: str, category: type[Warning] = DataNotice) -> None:
    """Issue a warning that points to the caller's line, the first one outside of this package."""
    level, frame = 1, sys._getframe(0)
    while frame.f_back is not None and frame.f_globals.get("__name__", "").startswith(__package__ or "-"):
        frame = frame.f_back
        level += 1
    warnings.warn(text, category, stacklevel=level)


def notify_all(texts: Iterable[str], category: type[Warning] = DataNotice) -> None:
    """Issue a warning for each text."""
    for text in dict.fromkeys(texts):
        notify(text, category)
