"""Files that hold epochs: EEGLAB ``.set`` and ``-epo.fif``."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from ..errors import RecordingError
from .channel_names import name_electrodes
from .eeglab_dat import readable_set
from .events import EventKind
from .given_names import given_names
from .mne_notices import mne_notices
from .read_options import ReadOptions
from .require_mne import require_mne


def read_epochs_file(path: Path, options: ReadOptions) -> Any:
    """Read all epochs of a file.

    Parameters
    ----------
    path : Path
    options : ReadOptions
        `channels` names the channels.

    Returns
    -------
    mne.Epochs
        In volts.

    Raises
    ------
    RecordingError
        If MNE cannot read the file.
    """
    mne = require_mne()
    with mne_notices(path.name, ("The events passed to the Epochs constructor are not chron",)):
        if path.name.lower().endswith(".set"):
            with readable_set(path) as readable:
                epochs = mne.io.read_epochs_eeglab(readable, verbose="WARNING").load_data()
        else:
            epochs = mne.read_epochs(path, proj=False, preload=True, verbose="WARNING")
    if options.channels is not None:
        kinds = epochs.get_channel_types()
        eeg = [at for at, kind in enumerate(kinds) if kind == "eeg"]
        new = given_names(epochs.ch_names, options.channels, path.name, eeg)
        epochs.rename_channels(dict(zip(epochs.ch_names, new, strict=True)), verbose="ERROR")
    name_electrodes(epochs, path.name)
    return epochs


def kinds_of_epochs(epochs: Any) -> list[EventKind]:
    """Return the names of epochs as kinds of events; the sample is the index of an epoch."""
    return [
        EventKind(str(name), False, tuple(at for at, each in enumerate(epochs.events[:, 2]) if each == code))
        for name, code in epochs.event_id.items()
    ]


def select_epochs(
    epochs: Any, rows: Any, event_id: dict[str, int], window: tuple[float, float] | None, file: str
) -> Any:
    """Return some epochs of a file, with new classes.

    Parameters
    ----------
    epochs : mne.Epochs
    rows : ndarray of int, shape (trials, 3)
        Index of an epoch, 0, and the code of its class.
    event_id : dict
        Code of each class.
    window : tuple of (float, float), or None
        Part of each epoch, in seconds from its event, without the end; None: the whole epoch.
    file : str
        Name of the file, for the error.

    Raises
    ------
    RecordingError
        If the window is not inside the epochs.
    """
    mne = require_mne()
    rate = float(epochs.info["sfreq"])
    begin, end, tmin = 0, len(epochs.times), float(epochs.times[0])
    if window is not None:
        begin, end = (round((edge - tmin) * rate) for edge in window)
        if begin < 0 or end > len(epochs.times) or begin >= end:
            raise RecordingError(
                file,
                f"its epochs last from {tmin:g} to {tmin + len(epochs.times) / rate:g} s, and {window[0]:g} to "
                f"{window[1]:g} s is asked for",
                "Choose a window inside of that, or none.",
            )
    events = rows.copy()
    events[:, 0] = rows[:, 0] * len(epochs.times)
    used = {name: code for name, code in event_id.items() if code in events[:, 2]}
    data = epochs.get_data(copy=True)[rows[:, 0]][:, :, begin:end]
    return mne.EpochsArray(data, epochs.info, events, tmin + begin / rate, used, proj=False, verbose="ERROR")
