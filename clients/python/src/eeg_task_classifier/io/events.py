"""Markers of a recording: annotations, and values of trigger channels."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from .recordings import require_mne

#: What stands for a class: a marker, a value of the trigger channel, or several of these.
Marker = str | int
Events = Mapping[str, Marker | Sequence[Marker]]

#: BioSemi's status channel holds triggers in its lower 16 bits.
_BDF_MASK = 2**16 - 1


@dataclass(frozen=True)
class Found:
    """One kind of marker: its name, whether it is of a trigger channel, and samples counted from the file's begin."""

    name: str
    is_trigger: bool
    samples: tuple[int, ...]


def find_events(raw: Any, stim_channel: str | None = None) -> list[Found]:
    """Every kind of marker of a recording, most frequent first."""
    mne = require_mne()
    samples: dict[tuple[str, bool], list[int]] = {}
    names = sorted({str(mark) for mark in raw.annotations.description})
    if names:
        codes = {name: code for code, name in enumerate(names, start=1)}
        array, known = mne.events_from_annotations(raw, codes, verbose="ERROR")
        by_code = {code: name for name, code in known.items()}
        for sample, _, code in array:
            samples.setdefault((by_code[int(code)], False), []).append(int(sample) - int(raw.first_samp))
    channels = [stim_channel] if stim_channel else [raw.ch_names[i] for i in mne.pick_types(raw.info, stim=True)]
    if channels:
        mask = {"mask": _BDF_MASK, "mask_type": "and"} if str(raw.filenames[0] or "").lower().endswith(".bdf") else {}
        found = mne.find_events(
            raw, stim_channel=channels, shortest_event=1, initial_event=False, verbose="ERROR", **mask
        )
        for sample, _, value in found:
            samples.setdefault((str(value), True), []).append(int(sample) - int(raw.first_samp))
    kinds = [Found(name, trigger, tuple(sorted(at))) for (name, trigger), at in samples.items()]
    return sorted(kinds, key=lambda kind: -len(kind.samples))


def samples_of(marker: Marker, found: Sequence[Found]) -> tuple[int, ...]:
    """Where a marker is: by its exact name, else by a trigger's value, else by its end without blanks (``"S1"`` of
    ``"Stimulus/S  1"``). ValueError, with all there are, where there is none or more than one such kind."""
    wanted = str(marker)
    ways = [
        [kind for kind in found if not kind.is_trigger and kind.name == wanted and not isinstance(marker, int)],
        [kind for kind in found if kind.is_trigger and kind.name == wanted],
        [kind for kind in found if not kind.is_trigger and _end(kind.name) == _end(wanted)],
    ]
    for matches in ways:
        if len(matches) == 1:
            return matches[0].samples
        if matches:
            raise ValueError(f"{wanted!r} may be {', '.join(repr(kind.name) for kind in matches)}.")
    raise ValueError(f"There is no event {wanted!r}. There are: {described(found)}.")


def described(found: Sequence[Found]) -> str:
    """Kinds of markers in a sentence."""
    return ", ".join(f"{kind.name!r} ({len(kind.samples)})" for kind in found[:30]) or "none at all"


def event_array(events: Events, found: Sequence[Found]) -> tuple[Any, dict[str, int]]:
    """Events as MNE has them, shape (events, 3), samples counted from the file's begin, and ``event_id``."""
    event_id = {name: code for code, name in enumerate(events, start=1)}
    rows: list[tuple[int, int, int]] = []
    for name, markers in events.items():
        several = [markers] if isinstance(markers, (str, int)) else list(markers)
        rows += [(sample, 0, event_id[name]) for marker in several for sample in samples_of(marker, found)]
    twice = [sample for sample, count in Counter(row[0] for row in rows).items() if count > 1]
    if twice:
        raise ValueError(f"{len(twice)} events are of two classes, the first at sample {twice[0]}.")
    return np.array(sorted(rows), dtype=int).reshape(-1, 3), event_id


def _end(name: str) -> str:
    return re.sub(r"\s+", "", name.rsplit("/", 1)[-1])
