"""Fit a model on a study in BIDS: every run is a session."""

from __future__ import annotations

from typing import Any

import mne
import numpy as np
import pandas as pd
from mne_bids import BIDSPath, find_matching_paths, read_raw_bids


def epochs_of_study(root: str, task: str, events: dict[str, str], window: tuple[float, float]) -> Any:
    """Return the trials of all recordings of a task.

    Parameters
    ----------
    root : str
        Folder of the study.
    task : str
        Entity ``task`` of its recordings.
    events : dict
        Annotation (``trial_type``) of each class: ``{"left": "T1", "right": "T2"}``.
    window : tuple of (float, float)
        Begin and end of a trial in seconds from the event. The end is not included.

    Returns
    -------
    mne.Epochs
        ``metadata["session"]`` names the recording of each trial, so `TaskClassifier.fit` holds out whole recordings.
    """
    found = find_matching_paths(root, tasks=task, datatypes="eeg", extensions=[".vhdr", ".edf", ".bdf", ".set"])
    parts = [_epochs(path, events, window) for path in found]
    joined = mne.concatenate_epochs(parts, verbose="ERROR")
    joined.metadata = pd.DataFrame(
        {"session": np.repeat([path.basename for path in found], [len(part) for part in parts])}
    )
    return joined


def _epochs(path: BIDSPath, events: dict[str, str], window: tuple[float, float]) -> Any:
    raw = read_raw_bids(path, verbose="ERROR").load_data()
    codes = {marker: at + 1 for at, marker in enumerate(events.values())}
    array, _ = mne.events_from_annotations(raw, codes, verbose="ERROR")
    event_id = {name: codes[marker] for name, marker in events.items()}
    rate = raw.info["sfreq"]
    return mne.Epochs(
        raw, array, event_id, window[0], window[1] - 1 / rate, baseline=None, preload=True, proj=False, verbose="ERROR"
    )
