"""Electrode names and channel types of a recording."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..data_notice import notify
from .electrode_names import ChannelMeaning, cap_banks, channel_meanings
from .reader_rules import CAP_MAPS

#: A notice lists so many channels.
_LISTED = 12


def name_electrodes(raw: Any, file: str) -> None:
    """Rename the EEG channels of a recording to their electrodes, in place, and say what was done.

    A prefix and a linked, common, average or mastoid reference are taken off. A pair of electrodes keeps its name. A
    channel whose name is that of an eye, heart, muscle, trigger or other channel gets that type.

    Parameters
    ----------
    raw : mne.io.Raw, or mne.Epochs
    file : str
        Name of the file, for notices.
    """
    labels = [name for name, kind in zip(raw.ch_names, raw.get_channel_types(), strict=True) if kind == "eeg"]
    meanings = channel_meanings(labels)
    types = {label: each.kind for label, each in zip(labels, meanings, strict=True) if each.kind != "eeg"}
    new = {
        label: each.electrode
        for label, each in zip(labels, meanings, strict=True)
        if each.electrode and not each.pair and not each.duplicate and each.electrode.lower() != label.lower()
    }
    plain = {"t3": "T7", "t4": "T8", "t5": "P7", "t6": "P8"}
    new = {label: name for label, name in new.items() if plain.get(label.lower()) != name}
    others = set(raw.ch_names) - new.keys()
    new = {label: name for label, name in new.items() if name not in others}
    _say(file, labels, meanings, types, new)
    if types:
        raw.set_channel_types(types, on_unit_change="ignore", verbose="ERROR")
    if new:
        raw.rename_channels(new, verbose="ERROR")


def _say(
    file: str, labels: Sequence[str], meanings: Sequence[ChannelMeaning], types: dict[str, str], new: dict[str, str]
) -> None:
    by_label = dict(zip(labels, meanings, strict=True))
    referenced = [f"{label} to {name}" for label, name in new.items() if by_label[label].reference]
    if referenced:
        kinds = ", ".join(dict.fromkeys(str(by_label[label].reference) for label in new if by_label[label].reference))
        notify(
            f"{file}: the reference ({kinds}) was taken off {len(referenced)} channel names: {_listed(referenced)}. "
            "The signals are unchanged."
        )
    prefixed = [f"{label} to {name}" for label, name in new.items() if not by_label[label].reference]
    if prefixed:
        notify(f"{file}: renamed {len(prefixed)} channels: {_listed(prefixed)}.")
    if pairs := [label for label, each in by_label.items() if each.pair]:
        notify(
            f"{file}: {_listed(pairs)} {'is a bipolar pair' if len(pairs) == 1 else 'are bipolar pairs'}, the "
            "difference of two electrodes. Which electrode is meant is not guessed: name it with channels= "
            "(--rename OLD=NEW), or leave the channel out (--drop)."
        )
    if twice := [f"{label} ({each.electrode})" for label, each in by_label.items() if each.duplicate]:
        notify(f"{file}: {_listed(twice)} is an electrode that an earlier channel is already. It is not read as EEG.")
    if other := [f"{label} ({kind})" for label, kind in types.items() if not by_label[label].duplicate]:
        notify(f"{file}: no electrodes, and so not read as EEG: {_listed(other)}.")
    if banks := cap_banks(labels):
        positions = [label.upper() for label in labels if label[:1].upper() in banks and label[1:].isdigit()]
        cap = next((name for name, sites in CAP_MAPS.items() if sites.keys() >= set(positions)), None)
        guess = f" The smallest cap with all of them is channels='{cap}' (--cap {cap})." if cap else ""
        notify(
            f"{file}: {len(positions)} channels have names of positions on a BioSemi cap. Name the cap with channels= "
            f"(--cap): {', '.join(CAP_MAPS)}.{guess}"
        )


def _listed(texts: Sequence[str]) -> str:
    return ", ".join(texts[:_LISTED]) + (f" and {len(texts) - _LISTED} more" if len(texts) > _LISTED else "")
