"""Reader of recordings in any format."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from .require_mne import require_mne
from .xdf import read_xdf


def read_recording(path: str | os.PathLike[str], *, stream: str | None = None) -> Any:
    """Read a continuous recording.

    Parameters
    ----------
    path : path-like
        XDF, or any format that MNE reads: EDF, BDF, FIF, EEGLAB ``.set``, BrainVision ``.vhdr`` and others.
    stream : str, optional
        Name of the EEG stream, for an XDF file with several.

    Returns
    -------
    mne.io.Raw
        Loaded, in volts, with the channel names of the file.

    Raises
    ------
    FileNotFoundError
        If there is no such file.
    ImportError
        If MNE is not installed, or pyxdf for XDF.
    ValueError
        If an XDF file has no EEG stream, or several and `stream` names none of them.
    """
    mne = require_mne()
    file = Path(path)
    if not file.exists():
        raise FileNotFoundError(f"There is no file {file}. Check the path.")
    if file.suffix.lower() in (".xdf", ".xdfz") or file.name.lower().endswith(".xdf.gz"):
        return read_xdf(file, stream)
    return mne.io.read_raw(file, preload=True, verbose="ERROR")
