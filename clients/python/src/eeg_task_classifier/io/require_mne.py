"""MNE, which is an optional dependency."""

from __future__ import annotations

from typing import Any


def require_mne() -> Any:
    """MNE, or ImportError that says how to get it."""
    try:
        import mne
    except ImportError as error:
        raise ImportError("Reading recordings needs MNE: pip install './clients/python[mne]'") from error
    return mne
