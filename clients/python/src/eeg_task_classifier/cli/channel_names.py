"""Channel names of recordings: renamed, left out, or replaced by the names that the service suggests."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from typing import Any, TypeVar

from ..data_notice import notify
from ..errors import InvalidRequestError

T = TypeVar("T")


def with_named_channels(options: argparse.Namespace, epochs: Any) -> Any:
    """Apply `--drop` and `--rename` to epochs."""
    dropped = [name.strip() for name in options.drop.split(",") if name.strip()]
    pairs = [part.split("=", 1) for part in options.rename.split(",") if part.strip()]
    if wrong := ["=".join(pair) for pair in pairs if len(pair) != 2]:
        raise ValueError(f"--rename {', '.join(wrong)} must have the form OLD=NEW.")
    if unknown := {*dropped, *(old for old, _ in pairs)} - set(epochs.ch_names):
        raise ValueError(f"No such channel: {', '.join(sorted(unknown))}. There are {', '.join(epochs.ch_names)}.")
    kept = epochs.drop_channels(dropped) if dropped else epochs
    return kept.rename_channels({old: new for old, new in pairs}) if pairs else kept


def with_suggested_channels(options: argparse.Namespace, epochs: Any, send: Callable[[Any], T]) -> tuple[T, Any]:
    """Send epochs. If the service refuses their channel names and `--fix` is given, send its suggested names.

    Parameters
    ----------
    options : argparse.Namespace
    epochs : mne.Epochs
    send : callable
        Sends epochs and returns the answer.

    Returns
    -------
    answer
    epochs : mne.Epochs
        As they were accepted.

    Raises
    ------
    InvalidRequestError
        If the service refuses the epochs and `--fix` cannot help.
    """
    try:
        return send(epochs), epochs
    except InvalidRequestError as error:
        suggested: list[str] = next((each["channels"] for each in error.alternatives if _names_channels(each)), [])
        types = zip(epochs.ch_names, epochs.get_channel_types(), strict=True)
        eeg = [name for name, kind in types if kind == "eeg" and name not in epochs.info["bads"]]
        if not options.fix or len(suggested) != len(eeg):
            raise
    new = {old: name for old, name in zip(eeg, suggested, strict=True) if old != name}
    notify(f"Renamed channels as the service suggests: {', '.join(f'{old} to {name}' for old, name in new.items())}.")
    renamed = epochs.rename_channels(new)
    return send(renamed), renamed


def _names_channels(alternative: object) -> bool:
    return isinstance(alternative, dict) and set(alternative) == {"channels"}
