"""Rules of all readers: names, units, texts of events. The dashboard reads the same file."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

_rules: dict[str, Any] = json.loads(Path(__file__).with_name("reader_rules.json").read_text(encoding="utf-8"))

#: Microvolts in one unit, by the lower-case spelling of the unit.
MICROVOLTS_PER_UNIT: dict[str, float] = _rules["unitsToMicrovolts"]

#: Microvolts that are probably meant by a spelling that is no unit, in lower case. They are offered, not used.
UNIT_GUESSES: dict[str, float] = _rules["unitGuesses"]

#: Words before an electrode's name, in lower case.
PREFIXES: list[str] = [each.lower() for each in _rules["prefixes"]]

#: Linked, common, average and mastoid references behind an electrode's name, in lower case.
COMMON_REFERENCES: frozenset[str] = frozenset(each.lower() for each in _rules["commonReferences"])

#: An electrode behind at least so many names, and behind every name, is the common reference.
SHARED_REFERENCE_ELECTRODES: int = _rules["sharedReferenceElectrodes"]

#: Beginnings, in lower case, of texts that mark no trial.
NOT_EVENTS: tuple[str, ...] = tuple(_rules["notEvents"])

#: Texts, in lower case, that mark no trial.
NOT_EVENTS_EXACT: frozenset[str] = frozenset(_rules["notEventsExact"])

#: Beginning, in lower case, of texts of spans that contain no usable signal.
BAD_PREFIX: str = _rules["badPrefix"]

#: Stage of sleep by the text that marks it, in lower case.
STAGES: dict[str, str] = _rules["stagePattern"]

#: Usual lengths of a scored epoch of sleep in seconds, the most usual one first.
STAGE_LENGTHS: list[float] = _rules["stageLengths"]

#: A trigger channel has at most ``mostValues`` different values and changes in at most the share
#: ``mostChangesPerSample`` of its samples. A value is whole if a whole number is nearer than ``wholeWithin``.
TRIGGERS: dict[str, float] = _rules["triggers"]

#: Encodings of texts, in the order in which they are tried.
ENCODINGS: list[str] = _rules["encodings"]

#: Electrode at each position of a cap, by the name of the cap in lower case.
CAP_MAPS: dict[str, dict[str, str]] = {name.lower(): cap for name, cap in _rules["capMaps"].items()}


def marks_no_trial(text: str) -> bool:
    """Return whether the text of an event marks something other than a trial, such as a pause."""
    lower = text.strip().lower()
    return lower.startswith(NOT_EVENTS) or lower in NOT_EVENTS_EXACT


def stage_of(text: str) -> str | None:
    """Return the stage of sleep that a text marks (W, N1, N2, N3, R), or None."""
    return STAGES.get(text.strip().lower())
