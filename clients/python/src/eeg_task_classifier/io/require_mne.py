"""Import of MNE, which is an optional dependency."""

from __future__ import annotations

from typing import Any


def require_mne() -> Any:
    """Import MNE.

    Returns
    -------
    module

    Raises
    ------
    ImportError
        If MNE is not installed. The message contains the command that installs it.
    """
    try:
        import mne
    except ImportError as error:
        raise ImportError("Reading recordings needs MNE. Install it: pip install './clients/python[mne]'") from error
    return mne
