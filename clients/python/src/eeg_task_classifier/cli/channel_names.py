"""Channel names of recordings: renamed, left out, or replaced by the names that the service suggests."""

from __future__ import annotations

import argparse
import re
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
        if not options.fix:
            raise
        if len(suggested) != len(eeg):
            _list_the_rest(error, eeg)
            raise
    new = {old: name for old, name in zip(eeg, suggested, strict=True) if old != name}
    notify(f"Renamed channels as the service suggests: {', '.join(f'{old} to {name}' for old, name in new.items())}.")
    renamed = epochs.rename_channels(new)
    return send(renamed), renamed


def _list_the_rest(error: InvalidRequestError, eeg: list[str]) -> None:
    """Raise an error that lists the channels that `--fix` cannot mend, and the options that mend the others.

    Raises
    ------
    ValueError
        If the service refuses single channels.
    """
    mended: list[str] = []
    rest: dict[str, str] = {}
    for each in error.details.get("errors") or []:
        found = re.fullmatch(r"channels\[(\d+)\]", str(each.get("field", "")))
        if found is None or int(found.group(1)) >= len(eeg):
            continue
        name = eeg[int(found.group(1))]
        certain = [new for new in each.get("alternatives") or [] if isinstance(new, str)]
        if len(certain) == 1:
            mended.append(f"{name}={certain[0]}")
        else:
            rest[name] = str(each.get("message", ""))
    if not rest:
        return
    reasons = " ".join(rest.values())
    renames = f" --rename {','.join(mended)} mends the others." if mended else ""
    raise ValueError(
        f"--fix cannot mend {len(rest)} of {len(eeg)} channels: {', '.join(rest)}. Leave them out with --drop "
        f"{','.join(rest)}, or name them with --rename OLD=NEW.{renames} {reasons}"
    ) from error


def _names_channels(alternative: object) -> bool:
    return isinstance(alternative, dict) and set(alternative) == {"channels"}
