"""Channel names that the caller gives: by hand, in order, or by the map of a cap."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ..errors import RecordingError
from .read_options import ChannelNames
from .reader_rules import CAP_MAPS


def given_names(labels: Sequence[str], channels: ChannelNames | None, file: str, eeg: Sequence[int] = ()) -> list[str]:
    """Replace names of channels.

    Parameters
    ----------
    labels : sequence of str
        Names in the file.
    channels : str, sequence of str, mapping, or None
        Name of a cap; new names of all channels, or of the EEG channels, in order; or old and new names.
    file : str
        Name of the file, for errors.
    eeg : sequence of int
        Index of each EEG channel. Default: all channels.

    Returns
    -------
    list of str, length (labels,)

    Raises
    ------
    RecordingError
        If the number of names is wrong, an old name is missing, or no channel has a name of the cap.
    """
    if channels is None:
        return list(labels)
    if isinstance(channels, str):
        cap = {position.lower(): name for position, name in CAP_MAPS[channels.lower()].items()}
        if not any(label.strip().lower() in cap for label in labels):
            raise RecordingError(
                file,
                f"no channel has a name of the cap {channels}",
                f"It has {', '.join(labels[:12])}. Name them by hand.",
            )
        return [cap.get(label.strip().lower(), label) for label in labels]
    if isinstance(channels, Mapping):
        if unknown := [old for old in channels if old not in labels]:
            raise RecordingError(
                file, f"there is no channel {', '.join(unknown)}", f"There are {', '.join(labels[:60])}."
            )
        return [channels.get(label, label) for label in labels]
    if len(channels) == len(labels):
        return list(channels)
    if len(channels) == len(eeg):
        new = dict(zip(eeg, channels, strict=True))
        return [new.get(at, label) for at, label in enumerate(labels)]
    counts = f"{len(labels)} channels" + (f", {len(eeg)} of them EEG" if eeg else "")
    raise RecordingError(
        file,
        f"{len(channels)} channel names are given for {counts}",
        "Give one name for each channel, in the order of the file.",
    )
