"""Names of channels, as the command line wants them."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from typing import Any, TypeVar

from ..errors import InvalidRequestError
from ..notices import say

T = TypeVar("T")


def renamed(asked: argparse.Namespace, epochs: Any) -> Any:
    """Epochs without the channels of `--drop`, and with the names of `--rename`."""
    dropped = [name.strip() for name in asked.drop.split(",") if name.strip()]
    pairs = [part.split("=", 1) for part in asked.rename.split(",") if part.strip()]
    if wrong := ["=".join(pair) for pair in pairs if len(pair) != 2]:
        raise ValueError(f"--rename {', '.join(wrong)} is not OLD=NEW.")
    if unknown := {*dropped, *(old for old, _ in pairs)} - set(epochs.ch_names):
        raise ValueError(f"No such channel: {', '.join(sorted(unknown))}. There are {', '.join(epochs.ch_names)}.")
    kept = epochs.drop_channels(dropped) if dropped else epochs
    return kept.rename_channels({old: new for old, new in pairs}) if pairs else kept


def fixed(asked: argparse.Namespace, epochs: Any, send: Callable[[Any], T]) -> tuple[T, Any]:
    """What `send` gives, and the epochs: with `--fix`, of the electrode names that the service offers instead."""
    try:
        return send(epochs), epochs
    except InvalidRequestError as error:
        offered: list[str] = next((each["channels"] for each in error.alternatives if _names_channels(each)), [])
        types = zip(epochs.ch_names, epochs.get_channel_types(), strict=True)
        eeg = [name for name, kind in types if kind == "eeg" and name not in epochs.info["bads"]]
        if not asked.fix or len(offered) != len(eeg):
            raise
    new = {old: name for old, name in zip(eeg, offered, strict=True) if old != name}
    say(f"Read as the service offers: {', '.join(f'{old} as {name}' for old, name in new.items())}.")
    fitting = epochs.rename_channels(new)
    return send(fitting), fitting


def _names_channels(alternative: object) -> bool:
    return isinstance(alternative, dict) and set(alternative) == {"channels"}
