"""Command that installs the optional dependencies of this package."""

from __future__ import annotations

import os

from .limits import INTERFACE_VERSION


def how_to_install(extra: str) -> str:
    """Return the sentence that installs the optional dependencies of one kind, such as ``"mne"``.

    A hosted service serves this package itself, so the command names its address.
    """
    base_url = (os.environ.get("EEG_BASE_URL") or "$EEG_BASE_URL").rstrip("/")
    wheel = f"{base_url}/clients/eeg_task_classifier-{INTERFACE_VERSION}-py3-none-any.whl"
    return f"Install it: pip install 'eeg-task-classifier[{extra}] @ {wheel}'"
