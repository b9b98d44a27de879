"""Files as MNE Raw."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from .require_mne import require_mne
from .xdf import read_xdf


def read_recording(path: str | os.PathLike[str], *, stream: str | None = None) -> Any:
    """A continuous recording as ``mne.io.Raw``, loaded, in volts; names of channels are as in the file.

    Parameters
    ----------
    path : path-like
        EDF, BDF, FIF, EEGLAB ``.set``, BrainVision ``.vhdr`` and whatever else MNE reads, or XDF.
    stream : str, optional
        Of XDF with several EEG streams, the name of the one to read.
    """
    mne = require_mne()
    file = Path(path)
    if not file.exists():
        raise FileNotFoundError(f"There is no file {file}.")
    if file.suffix.lower() in (".xdf", ".xdfz") or file.name.lower().endswith(".xdf.gz"):
        return read_xdf(file, stream)
    return mne.io.read_raw(file, preload=True, verbose="ERROR")
