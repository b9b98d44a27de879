"""Electrodes behind the channel names of recordings: one rule for prefixes, references and pairs."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

from .reader_rules import COMMON_REFERENCES, PREFIXES, SHARED_REFERENCE_ELECTRODES
from .require_mne import require_mne

_SEPARATOR = re.compile(r"\s*[-\u2013:/_]\s*|\s+")
_PREFIX = re.compile(rf"^(?:{'|'.join(map(re.escape, PREFIXES))})[\s:_.-]+", re.IGNORECASE)
_LEGACY = {"t3": "T7", "t4": "T8", "t5": "P7", "t6": "P8", "o9": "I1", "o10": "I2"}
_REFERENCE_SITES = {"a1", "a2", "m1", "m2"}
_CAP_LABEL = re.compile(r"^[A-DF-H]\d{1,2}$", re.IGNORECASE)
#: Types of MNE by the names of channels that are no electrodes. The first match counts.
_OTHER_TYPES = (
    ("eog", re.compile(r"eog|^roc\b|^loc\b|^e[12]$|^e[12][-_: ]|eye|blink", re.IGNORECASE)),
    ("ecg", re.compile(r"ecg|ekg|cardi|heart|pulse|\bhr\b|ppg|pleth", re.IGNORECASE)),
    ("emg", re.compile(r"emg|chin|^leg|tib|muscle|submental|masseter", re.IGNORECASE)),
    ("stim", re.compile(r"trig|^status$|^sti\b|^sti[ _]?\d|^stim|marker|^event|^din\d", re.IGNORECASE)),
    (
        "misc",
        re.compile(
            r"photic|photo|annot|^mkr|^dc\d|^tti|counter|timestamp|^time$|digi|^label|resp|thor|abdo|flow|snore|"
            r"spo2|sao2|temp|gsr|eda|^acc|accel|gyro|^aux|^ex[gt]?\d|misc|position|sound|mic$|audio|interpol|"
            r"^raw_?cq|^cq_|battery|^packet|^gnd$|ground|^cms$|^drl$|^ref\d*$|reference|^nose$|mastoid|^lm$|^rm$|"
            r"^[am][12]$|^[am][12][-_:/ ]|nasion|^nz$|^lpa$|^rpa$",
            re.IGNORECASE,
        ),
    ),
)


@dataclass(frozen=True)
class ChannelMeaning:
    """Meaning of a channel's name.

    Attributes
    ----------
    electrode : str or None
        Name in the 10-05 system.
    reference : str or None
        Reference behind the name, as written.
    pair : bool
        Whether the channel is the difference of two electrodes.
    kind : str
        Type of MNE: ``"eeg"`` for electrodes, pairs and unknown names.
    duplicate : bool
        Whether an earlier channel is the same electrode.
    """

    electrode: str | None
    reference: str | None = None
    pair: bool = False
    kind: str = "eeg"
    duplicate: bool = False


@cache
def _template() -> dict[str, str]:
    names = require_mne().channels.make_standard_montage("standard_1005").ch_names
    sites = {name.lower(): name for name in names if name.lower() not in _REFERENCE_SITES | _LEGACY.keys()}
    return sites | _LEGACY


def electrode_named(name: str) -> str | None:
    """Return the 10-05 name of an electrode, written in any case or by its old name; None if it is none."""
    return _template().get(name.strip().lower())


def cap_banks(labels: Sequence[str]) -> set[str]:
    """Return the banks (A, B, …) of a BioSemi cap that the labels come from; empty if fewer than three show it."""
    shown = [
        label
        for label in labels
        if _CAP_LABEL.match(label) and not electrode_named(label) and label.lower() not in _REFERENCE_SITES
    ]
    return {label[0].upper() for label in shown} if len(shown) >= 3 else set()


def channel_meanings(labels: Sequence[str]) -> list[ChannelMeaning]:
    """Find the electrodes of a recording.

    Parameters
    ----------
    labels : sequence of str
        Names of all channels.

    Returns
    -------
    list of ChannelMeaning
        A linked, common, average or mastoid reference behind a name is taken off; so is an electrode that stands
        behind every name. Other pairs of electrodes stay pairs.
    """
    banks = cap_banks([label.strip() for label in labels])
    has_net = any(re.fullmatch(r"e([3-9]|\d\d+)", label.strip(), re.IGNORECASE) for label in labels)
    twice = Counter(re.sub(r"-\d+$", "", label) for label in labels)
    found = [_meaning(_without_number(label, twice), banks, has_net) for label in labels]
    pairs = [each for each in found if each.electrode]
    behind = {(each.reference or "").lower() if each.pair else "" for each in pairs}
    if len(pairs) >= SHARED_REFERENCE_ELECTRODES and len(behind) == 1 and "" not in behind:
        found = [ChannelMeaning(each.electrode, each.reference) if each.pair else each for each in found]
    taken: set[str] = set()
    for at, each in enumerate(found):
        if each.electrode is None or each.pair:
            continue
        if each.electrode in taken:
            found[at] = ChannelMeaning(each.electrode, each.reference, kind="misc", duplicate=True)
        taken.add(each.electrode)
    return found


def _without_number(label: str, twice: Counter[str]) -> str:
    """Remove the number that MNE adds to names that occur twice: ``C3-0``, ``C3-1``."""
    bare = re.sub(r"-\d+$", "", label)
    return bare if bare != label and twice[bare] > 1 else label


def _meaning(label: str, banks: set[str], has_net: bool) -> ChannelMeaning:
    plain = unicodedata.normalize("NFKC", label).strip()
    if plain[:1].upper() in banks and re.fullmatch(r".\d+", plain):
        return ChannelMeaning(None)
    if has_net and re.fullmatch(r"e\d+", plain, re.IGNORECASE):
        return ChannelMeaning(None)
    bare = _PREFIX.sub("", plain).replace(".", "").strip()
    if site := electrode_named(bare):
        return ChannelMeaning(site)
    first, rest = (*_SEPARATOR.split(bare, maxsplit=1), "")[:2]
    site = electrode_named(first)
    if site and rest:
        if _is_reference(rest):
            return ChannelMeaning(site, rest)
        if electrode_named(rest):
            return ChannelMeaning(site, rest, pair=True)
    kind = next((kind for kind, pattern in _OTHER_TYPES if pattern.search(bare) or pattern.search(plain)), "eeg")
    return ChannelMeaning(None, kind=kind)


def _is_reference(text: str) -> bool:
    bare = re.sub(r"\s", "", text).lower()
    halves = re.sub(r"[()]|/2$", "", bare)
    spellings = {bare, halves, re.sub(r"[+/&_-]", "", halves)}
    return not spellings.isdisjoint(COMMON_REFERENCES)
