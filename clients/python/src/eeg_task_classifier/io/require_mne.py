"""Import of MNE, which is an optional dependency."""

from __future__ import annotations

from typing import Any

from ..install import how_to_install


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
        raise ImportError(f"Reading recordings needs MNE. {how_to_install('mne')}") from error
    return mne
