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
    """One kind of marker: its name, its samples counted from the file's begin, and the trigger channel it is of."""

    name: str
    is_trigger: bool
    samples: tuple[int, ...]
    channel: str | None = None


class NoSuchEvent(ValueError):
    """A marker that a recording does not have."""


def find_events(raw: Any, stim_channel: str | None = None) -> list[Found]:
    """Every kind of marker of a recording, most frequent first."""
    mne = require_mne()
    samples: dict[tuple[str, str | None], list[int]] = {}
    names = sorted({str(mark) for mark in raw.annotations.description})
    if names:
        codes = {name: code for code, name in enumerate(names, start=1)}
        array, known = mne.events_from_annotations(raw, codes, verbose="ERROR")
        by_code = {code: name for name, code in known.items()}
        for sample, _, code in array:
            samples.setdefault((by_code[int(code)], None), []).append(int(sample) - int(raw.first_samp))
    channels = [stim_channel] if stim_channel else [raw.ch_names[i] for i in mne.pick_types(raw.info, stim=True)]
    for channel in channels:
        mask = {"mask": _BDF_MASK, "mask_type": "and"} if str(raw.filenames[0] or "").lower().endswith(".bdf") else {}
        found = mne.find_events(
            raw,
            stim_channel=channel,
            consecutive=True,  # Triggers that follow one another without a zero between them.
            shortest_event=1,
            initial_event=False,
            verbose="ERROR",
            **mask,
        )
        for sample, _, value in found:
            if value:
                samples.setdefault((str(value), channel), []).append(int(sample) - int(raw.first_samp))
    kinds = [Found(name, of is not None, tuple(sorted(at)), of) for (name, of), at in samples.items()]
    return sorted(kinds, key=lambda kind: -len(kind.samples))


def samples_of(marker: Marker, found: Sequence[Found]) -> tuple[int, ...]:
    """Where a marker is: by its exact name, else by a trigger's value, else by its end without blanks (``"S1"`` of
    ``"Stimulus/S  1"``). ValueError, with all there are, where there is none or more than one such kind."""
    wanted = str(marker)
    ways = [
        [kind for kind in found if not kind.is_trigger and kind.name == wanted and not isinstance(marker, int)],
        [kind for kind in found if kind.is_trigger and kind.name == wanted],
        [kind for kind in found if not kind.is_trigger and _plain(kind.name) == _plain(wanted)],
        [kind for kind in found if not kind.is_trigger and "/" not in wanted and _end(kind.name) == _end(wanted)],
    ]
    for matches in ways:
        if len({kind.samples for kind in matches}) == 1:
            return matches[0].samples
        if matches and matches[0].is_trigger:
            where = ", ".join(f"{kind.channel} ({len(kind.samples)})" for kind in matches)
            raise ValueError(f"{wanted!r} is in several trigger channels, {where}: say stim_channel= (--stim-channel).")
        if matches:
            raise ValueError(f"{wanted!r} may be {', '.join(repr(kind.name) for kind in matches)}.")
    raise NoSuchEvent(f"There is no event {wanted!r}. There are: {described(found)}.")


def described(found: Sequence[Found]) -> str:
    """Kinds of markers in a sentence."""
    return ", ".join(f"{kind.name!r} ({len(kind.samples)})" for kind in found[:30]) or "none at all"


def event_array(events: Events, found: Sequence[Found]) -> tuple[Any, dict[str, int]]:
    """Events as MNE has them, shape (events, 3), samples counted from the file's begin, and ``event_id``."""
    event_id = {name: code for code, name in enumerate(events, start=1)}
    rows = {
        (sample, 0, event_id[name])
        for name, markers in events.items()
        for marker in several(markers)
        for sample in samples_of(marker, found)
    }
    twice = [sample for sample, count in Counter(row[0] for row in rows).items() if count > 1]
    if twice:
        raise ValueError(f"{len(twice)} events are of two classes, the first at sample {twice[0]}.")
    return np.array(sorted(rows), dtype=int).reshape(-1, 3), event_id


def several(markers: Marker | Sequence[Marker]) -> list[Marker]:
    """The markers of a class, as a list."""
    return [markers] if isinstance(markers, (str, int)) else list(markers)


def in_one_at_least(events: Events, recordings: Sequence[Sequence[Found]]) -> list[dict[str, list[Marker]]]:
    """The same events for each recording, without markers that it does not have. `NoSuchEvent` for a marker that none
    of them has; ValueError for a recording with none of the events."""
    each: list[dict[str, list[Marker]]] = [{name: [] for name in events} for _ in recordings]
    for name, markers in events.items():
        for marker in several(markers):
            missing: NoSuchEvent | None = None
            for kept, found in zip(each, recordings, strict=True):
                try:
                    samples_of(marker, found)
                    kept[name].append(marker)
                except NoSuchEvent as error:
                    missing = missing or error
            if missing and not any(marker in kept[name] for kept in each):
                raise missing
    return each


def _plain(name: str) -> str:
    return re.sub(r"\s+", "", name)


def _end(name: str) -> str:
    return _plain(name.rsplit("/", 1)[-1])
