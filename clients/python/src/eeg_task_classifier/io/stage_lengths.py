"""Epochs of scored sleep: their length, and stages at the edges of a recording."""

from __future__ import annotations

import math
from collections.abc import Sequence

from ..data_notice import notify
from .reader_rules import STAGE_LENGTHS, stage_of

#: Onset and duration in seconds, and text.
Row = tuple[float, float, str]

_TINY = 1e-6
#: Lengths differ from whole epochs by the rounding of the file, in seconds.
SLACK_SECONDS = 0.05


def stage_length(stages: Sequence[tuple[float, float]]) -> float:
    """Return the length of the epochs that sleep stages were scored in, in seconds.

    Parameters
    ----------
    stages : sequence of (float, float)
        Onset and duration of each stage in seconds. The last one may be cut by the end of the recording, so it does not
        count.

    Returns
    -------
    float
        The most usual length of which every stage is a whole multiple; 30 if none fits.
    """
    stages = [(onset, duration) for onset, duration in stages if duration > 0]
    last = max((onset for onset, _ in stages), default=0.0)
    whole = [duration for onset, duration in stages if onset < last or len(stages) == 1]
    return next((length for length in STAGE_LENGTHS if all(_fits(each, length) for each in whole)), STAGE_LENGTHS[0])


def _fits(duration: float, length: float) -> bool:
    epochs = round(duration / length)
    return epochs >= 1 and abs(duration - epochs * length) < SLACK_SECONDS


def clip_annotations(rows: Sequence[Row], seconds: float, file: str) -> list[Row]:
    """Leave out annotations outside of a recording, and clip those that begin before it.

    A stage of sleep loses whole epochs, so that the others stay where they were scored. Both are counted in a notice.

    Parameters
    ----------
    rows : sequence of Row
        Onsets count from the first sample.
    seconds : float
        Length of the recording.
    file : str
        Name of the file with the annotations, for the notice.
    """
    length = stage_length([(onset, duration) for onset, duration, text in rows if stage_of(text)])
    kept: list[Row] = []
    clipped, lost = 0, 0.0
    for onset, duration, text in rows:
        if -_TINY <= onset < seconds - _TINY:
            kept.append((max(0.0, onset), duration, text))
            continue
        is_stage = stage_of(text) is not None
        early = math.ceil((-onset - SLACK_SECONDS) / length) * length if is_stage else -onset
        rest = duration - early
        if onset < 0 and rest >= (length - SLACK_SECONDS if is_stage else _TINY):
            clipped, lost = clipped + 1, lost + early
            kept.append((max(0.0, onset + early), rest, text))
    if outside := len(rows) - len(kept):
        lie, are = ("annotation lies", "is") if outside == 1 else ("annotations lie", "are")
        notify(f"{file}: {outside} {lie} outside of the recording and {are} left out.")
    if clipped:
        begin = "annotation begins" if clipped == 1 else "annotations begin"
        notify(f"{file}: {clipped} {begin} before the recording: {lost:g} s before it are left out.")
    return kept
