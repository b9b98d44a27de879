"""Fit a model on windows of braindecode, as `braindecode.preprocessing.create_windows_from_events` makes them."""

from __future__ import annotations

from typing import Any

import numpy as np


def trials_of(windows: Any, classes: dict[str, int]) -> dict[str, Any]:
    """Return arguments of `TaskClassifier.fit` for a data set of windows.

    Parameters
    ----------
    windows : braindecode.datasets.BaseConcatDataset
        Windows of one length. Each of its data sets is a recording. braindecode keeps the volts of MNE, unless you
        have multiplied them by 1e6 as its tutorials do: then change ``units`` to ``"uV"``.
    classes : dict
        Target number of each class, the `mapping` of the windows.

    Returns
    -------
    dict
        ``X`` (trials, channels, samples), ``y``, ``sessions``, ``channels``, ``sampling_rate_hz`` and ``units``.
    """
    names = {number: name for name, number in classes.items()}
    items = [(at, recording[i]) for at, recording in enumerate(windows.datasets) for i in range(len(recording))]
    info = getattr(windows.datasets[0], "raw", None) or windows.datasets[0].windows
    return {
        "X": np.stack([np.asarray(item[0]) for _, item in items]),
        "y": np.array([names[int(item[1])] for _, item in items]),
        "sessions": [f"recording {at}" for at, _ in items],
        "channels": list(info.ch_names),
        "sampling_rate_hz": float(info.info["sfreq"]),
        "units": "V",
    }
