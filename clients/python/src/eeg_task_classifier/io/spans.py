"""Events that last: stages of sleep and long spans become several events, and bad spans leave trials out."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from itertools import accumulate
from typing import Any

import numpy as np

from ..data_notice import notify
from .events import EventKind, annotation_samples
from .reader_rules import BAD_PREFIX, stage_of
from .stage_lengths import SLACK_SECONDS, stage_length

#: A trial that takes less than this share of a span, which lasts at least so many seconds, is worth a notice.
_SHORT_SHARE, _LONG_SECONDS = 0.5, 10.0


def without_long_stages(kinds: Sequence[EventKind], rate: float, file: str) -> list[EventKind]:
    """Replace each stage of sleep of more than one epoch by one event for each of its epochs.

    Parameters
    ----------
    kinds : sequence of EventKind
    rate : float
        Sampling rate in Hz.
    file : str
        Name of the file, for the notice.
    """
    stages = [kind for kind in kinds if not kind.is_trigger and stage_of(kind.name)]
    length = length_of_stages(stages, rate)
    if not any(seconds >= 2 * length - SLACK_SECONDS for kind in stages for seconds in kind.seconds):
        return list(kinds)
    cut = {kind.name: windows_of_spans(kind, length, rate) for kind in stages}
    notify(
        f"{file}: {sum(len(kind.samples) for kind in stages)} annotations of sleep stages were cut into "
        f"{sum(len(kind.samples) for kind in cut.values())} epochs of {length:g} s."
    )
    return [cut.get(kind.name, kind) if not kind.is_trigger else kind for kind in kinds]


def length_of_stages(kinds: Sequence[EventKind], rate: float) -> float:
    """Return the length of the epochs of stages of sleep in seconds."""
    return stage_length(
        [(at / rate, long) for kind in kinds for at, long in zip(kind.samples, kind.seconds, strict=False)]
    )


def windows_of_spans(kind: EventKind, seconds: float, rate: float) -> EventKind:
    """Replace the events of a kind by the begins of the consecutive windows that fit into them.

    Parameters
    ----------
    kind : EventKind
    seconds : float
        Length of a window.
    rate : float
        Sampling rate in Hz.
    """
    samples: list[int] = []
    for begin, length in zip(kind.samples, kind.seconds, strict=False):
        samples += [begin + round(at * seconds * rate) for at in range(int((length + SLACK_SECONDS) // seconds))]
    return replace(kind, samples=tuple(samples), seconds=(seconds,) * len(samples))


def say_long_spans(kinds: Sequence[EventKind], window: tuple[float, float], file: str) -> None:
    """Give notice of events that last much longer than their trials."""
    wanted = window[1] - window[0]
    for kind in kinds:
        length = float(np.median(kind.seconds)) if kind.seconds else 0.0
        if length >= _LONG_SECONDS and wanted < _SHORT_SHARE * length and not stage_of(kind.name):
            notify(
                f"{file}: {kind.name!r} lasts {length:g} s, and a trial takes {wanted:g} s of it. every={wanted:g} "
                f"(--every {wanted:g}) cuts it into {int(length // wanted)} trials."
            )


class BadSpans:
    """Spans and points of a recording that no trial may contain.

    Parameters
    ----------
    raw : mne.io.Raw
        Annotations whose text begins with ``bad`` are spans; those of no duration, the borders of joined segments
        (``boundary``, ``New Segment/``) and ``BAD_gap`` are points between two samples.
    """

    def __init__(self, raw: Any) -> None:
        rate = float(raw.info["sfreq"])
        found = raw.annotations
        places = annotation_samples(raw)
        self._spans: list[tuple[int, int, str]] = []
        for text, begin, seconds in zip(found.description, places, found.duration, strict=True):
            lower = str(text).strip().lower()
            is_border = lower.startswith(("boundary", "new segment", "edge"))
            if is_border or lower.startswith(BAD_PREFIX):
                length = 0 if is_border or lower == "bad_gap" else round(float(seconds) * rate)
                name = "across a gap" if is_border or lower == "bad_gap" else f"in a span marked {text}"
                self._spans.append((int(begin), int(begin) + length, name))
        self._spans.sort()
        self._begins = [begin for begin, _, _ in self._spans]
        #: Last sample of all spans up to each one: a search backwards ends where none reaches further.
        self._reach = list(accumulate((end for _, end, _ in self._spans), max))

    def reason(self, begin: int, end: int) -> str | None:
        """Return why the samples from `begin` to `end`, without the end, are no trial; None if they are one."""
        for at in range(bisect_left(self._begins, end) - 1, -1, -1):
            if self._reach[at] <= begin:
                return None
            first, last, name = self._spans[at]
            if (begin < first < end) if first == last else (first < end and last > begin):
                return name
        return None


def counted(reasons: Sequence[str]) -> str:
    """Return reasons with their counts, for a notice."""
    return ", ".join(f"{count} {reason}" for reason, count in Counter(reasons).items())
