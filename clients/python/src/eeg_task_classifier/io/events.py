"""Events of a recording: annotations, and values of trigger channels."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from .require_mne import require_mne
from .triggers import trigger_events

#: An event in the recording: the text of an annotation, or the value of a trigger channel.
Marker = str | int
#: The marker of each class, or its several markers.
Events = Mapping[str, Marker | Sequence[Marker]]

#: BioSemi's status channel has triggers in its lower 16 bits.
_BDF_MASK = 2**16 - 1


@dataclass(frozen=True)
class EventKind:
    """All events of a recording that have the same name.

    Attributes
    ----------
    name : str
        Text of the annotation, or value of the trigger.
    is_trigger : bool
        Whether the events come from a trigger channel.
    samples : tuple of int
        Sample of each event, counted from the beginning of the file.
    channel : str or None
        The trigger channel; None for annotations.
    seconds : tuple of float
        Duration of each event; empty if the file gives none.
    """

    name: str
    is_trigger: bool
    samples: tuple[int, ...]
    channel: str | None = None
    seconds: tuple[float, ...] = ()


class NoSuchEventError(ValueError):
    """The recording does not have a marker."""


def find_events(raw: Any, stim_channel: str | None = None) -> list[EventKind]:
    """Find the events of a recording.

    Parameters
    ----------
    raw : mne.io.Raw
    stim_channel : str, optional
        The trigger channel. Default: every channel of type ``stim``.

    Returns
    -------
    list of EventKind
        The kind with the most events comes first.
    """
    mne = require_mne()
    samples: dict[tuple[str, str | None], list[tuple[int, float]]] = {}
    found = raw.annotations
    places = annotation_samples(raw)
    for text, sample, seconds in zip(found.description, places, found.duration, strict=True):
        if 0 <= sample < raw.n_times:
            samples.setdefault((str(text), None), []).append((int(sample), float(seconds)))
    channels = [stim_channel] if stim_channel else [raw.ch_names[i] for i in mne.pick_types(raw.info, stim=True)]
    is_bdf = str(raw.filenames[0] or "").lower().endswith(".bdf")
    for channel in channels:
        values = raw.get_data(picks=[channel])[0]
        for sample, value in trigger_events(values.astype(np.int64) & _BDF_MASK if is_bdf else values):
            samples.setdefault((value, channel), []).append((sample, 0.0))
    kinds = [
        EventKind(
            name, of is not None, tuple(at for at, _ in sorted(each)), of, tuple(long for _, long in sorted(each))
        )
        for (name, of), each in samples.items()
    ]
    return sorted(kinds, key=lambda kind: -len(kind.samples))


def annotation_samples(raw: Any) -> list[int]:
    """Return the first sample of each annotation, counted from the beginning of the file."""
    return [round((float(onset) - float(raw.first_time)) * float(raw.info["sfreq"])) for onset in raw.annotations.onset]


def samples_of(marker: Marker, kinds: Sequence[EventKind]) -> tuple[int, ...]:
    """Find the events of a marker.

    The marker matches, in this order: the exact text of an annotation, the value of a trigger, the text of an
    annotation without blanks, the last part of it (``"S1"`` matches ``"Stimulus/S  1"``).

    Parameters
    ----------
    marker : str or int
        An int matches triggers before annotations.
    kinds : sequence of EventKind

    Returns
    -------
    tuple of int
        Samples, counted from the beginning of the file.

    Raises
    ------
    NoSuchEventError
        If no kind matches. The message lists all of them.
    ValueError
        If several kinds match.
    """
    wanted = str(marker)
    ways = [
        [kind for kind in kinds if not kind.is_trigger and kind.name == wanted and not isinstance(marker, int)],
        [kind for kind in kinds if kind.is_trigger and kind.name == wanted],
        [kind for kind in kinds if not kind.is_trigger and _without_blanks(kind.name) == _without_blanks(wanted)],
        [kind for kind in kinds if not kind.is_trigger and "/" not in wanted and _end(kind.name) == _end(wanted)],
    ]
    for matches in ways:
        if len({kind.samples for kind in matches}) == 1:
            return matches[0].samples
        if matches and matches[0].is_trigger:
            where = ", ".join(f"{kind.channel} ({len(kind.samples)})" for kind in matches)
            raise ValueError(
                f"Event {wanted!r} is in several trigger channels: {where}. Choose one with stim_channel= "
                "(--stim-channel)."
            )
        if matches:
            names = ", ".join(repr(kind.name) for kind in matches)
            raise ValueError(f"Event {wanted!r} matches {names}. Write the whole name.")
    raise NoSuchEventError(f"There is no event {wanted!r}. There are: {listed(kinds)}.")


def listed(kinds: Sequence[EventKind]) -> str:
    """Return the first 30 kinds of events with their counts, for a message."""
    return ", ".join(f"{kind.name!r} ({len(kind.samples)})" for kind in kinds[:30]) or "none"


def event_array(events: Events, kinds: Sequence[EventKind]) -> tuple[Any, dict[str, int]]:
    """Make the event array of MNE.

    Parameters
    ----------
    events : dict
        Markers of each class.
    kinds : sequence of EventKind

    Returns
    -------
    array : ndarray of int, shape (events, 3)
        Sample counted from the beginning of the file, 0, code of the class.
    event_id : dict
        Code of each class.

    Raises
    ------
    ValueError
        If a marker is missing or ambiguous, or an event belongs to two classes.
    """
    event_id = {name: code for code, name in enumerate(events, start=1)}
    rows = {
        (sample, 0, event_id[name])
        for name, markers in events.items()
        for marker in marker_list(markers)
        for sample in samples_of(marker, kinds)
    }
    twice = [sample for sample, count in Counter(row[0] for row in rows).items() if count > 1]
    if twice:
        raise ValueError(f"{len(twice)} events belong to two classes, the first at sample {twice[0]}.")
    return np.array(sorted(rows), dtype=int).reshape(-1, 3), event_id


def marker_list(markers: Marker | Sequence[Marker]) -> list[Marker]:
    """Return the markers of a class as a list."""
    return [markers] if isinstance(markers, (str, int)) else list(markers)


def events_by_recording(events: Events, recordings: Sequence[Sequence[EventKind]]) -> list[dict[str, list[Marker]]]:
    """Remove from the events of each recording the markers that it does not have.

    Parameters
    ----------
    events : dict
        Markers of each class.
    recordings : sequence of sequence of EventKind
        Events of each recording.

    Returns
    -------
    list of dict
        Markers of each class in each recording.

    Raises
    ------
    NoSuchEventError
        If no recording has a marker.
    ValueError
        If a marker is ambiguous in a recording.
    """
    result: list[dict[str, list[Marker]]] = [{name: [] for name in events} for _ in recordings]
    for name, markers in events.items():
        for marker in marker_list(markers):
            missing: NoSuchEventError | None = None
            for kept, kinds in zip(result, recordings, strict=True):
                try:
                    samples_of(marker, kinds)
                    kept[name].append(marker)
                except NoSuchEventError as error:
                    missing = missing or error
            if missing and not any(marker in kept[name] for kept in result):
                raise missing
    return result


def _without_blanks(name: str) -> str:
    return re.sub(r"\s+", "", name)


def _end(name: str) -> str:
    return _without_blanks(name.rsplit("/", 1)[-1])


class JoinedMarkers(str):
    """Markers joined by ``+``, which may also be one marker whose text contains a plus."""


def with_whole_names(events: Events, recordings: Sequence[Sequence[EventKind]]) -> dict[str, list[Marker]]:
    """Split markers that are joined by ``+``. A plus at the end, or of a text that a recording has, is not split.

    Parameters
    ----------
    events : dict
        Markers of each class; `JoinedMarkers` are split.
    recordings : sequence of sequence of EventKind
        Events of each recording.
    """
    texts = {kind.name for kinds in recordings for kind in kinds}
    result: dict[str, list[Marker]] = {}
    for name, markers in events.items():
        for marker in marker_list(markers):
            whole = not isinstance(marker, JoinedMarkers)
            result.setdefault(name, []).extend(
                [marker] if whole else [str(marker)] if marker in texts else re.split(r"(?<=.)\+(?=[^+])", str(marker))
            )
    return result
