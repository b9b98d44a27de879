"""MNE Epochs as trials. MNE itself is not imported: a caller with Epochs has imported it."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Sequence
from typing import Any

import numpy as np

from .limits import BASELINE_SECONDS
from .trials import Trials

#: FIFF code of volts, in which MNE holds EEG.
_VOLT = 107

_LEGACY = {"t3": "t7", "t4": "t8", "t5": "p7", "t6": "p8"}


def is_epochs(data: object) -> bool:
    """Whether `data` is MNE Epochs, or a list of such: what scikit-learn makes of Epochs when it takes some of them."""
    mne = sys.modules.get("mne")
    if mne is None:
        return False
    if isinstance(data, list):
        return bool(data) and all(isinstance(each, mne.BaseEpochs) for each in data)
    return isinstance(data, mne.BaseEpochs)


def epoch_labels(epochs: Any, tags: Sequence[str] | None = None) -> list[str]:
    """The class of every epoch, from ``epochs.event_id``: the name of its event.

    With `tags`, the one of them that is a part of the hierarchical name (``"left"`` of ``"auditory/left"``).
    Raises ValueError where an event has no name, two of them, or not exactly one of `tags`.
    """
    labels: list[str] = []
    for one in _parts(epochs):
        names: dict[int, list[str]] = {}
        for name, code in one.event_id.items():
            names.setdefault(int(code), []).append(str(name))
        known = {code: _one_name(code, found, tags) for code, found in names.items()}
        labels += [known[int(code)] for code in one.events[:, 2]]
    return labels


def _one_name(code: int, names: list[str], tags: Sequence[str] | None) -> str:
    if tags is None:
        if len(names) > 1:
            raise ValueError(f"event_id gives event {code} the names {names}: one class needs one name.")
        return names[0]
    found = sorted({tag for name in names for tag in tags if tag in name.split("/")})
    if len(found) != 1:
        raise ValueError(f"Event {names[0]!r} has {len(found)} of the tags {list(tags)}, where it needs exactly one.")
    return found[0]


def trials_from_epochs(epochs: Any, fitted_channels: Sequence[str] | None = None) -> Trials:
    """The EEG of Epochs in microvolts, with sessions of ``epochs.metadata["session"]`` where it has them.

    Channels are picked by type ``eeg``; those marked as bad are left out. With `fitted_channels`, those of the fit are
    taken instead, bad or not. What is left out stands in ``notes``.
    """
    parts = _parts(epochs)
    first = parts[0]
    notes: list[str] = []
    names = _fit_channels(first, notes) if fitted_channels is None else _same_channels(first, fitted_channels, notes)
    if len(parts) == 1 and not isinstance(epochs, list):
        notes += _rejected(first)
    rate = float(first.info["sfreq"])
    if any(each.info["sfreq"] != rate or len(each.times) != len(first.times) for each in parts):
        raise ValueError("The Epochs of one call must have one sampling rate and one length.")
    microvolts = [np.asarray(each.get_data(picks=names) * 1e6, dtype=np.float32) for each in parts]
    before_cue = -float(first.tmin)
    return Trials(
        x=np.concatenate(microvolts),
        channels=names,
        rate_hz=rate,
        units="uV",
        sessions=_sessions(parts),
        baseline_seconds=before_cue if _is_baseline(before_cue, float(first.tmax)) else None,
        notes=tuple(notes),
    )


def _parts(epochs: Any) -> list[Any]:
    """Epochs as a list, each without those that are rejected only when their data is looked at."""
    parts = list(epochs) if isinstance(epochs, list) else [epochs]
    return [each if each.preload else each.copy().load_data() for each in parts]


def _is_baseline(before_cue: float, after_cue: float) -> bool:
    return BASELINE_SECONDS[0] <= before_cue <= BASELINE_SECONDS[1] and after_cue > 0


def _fit_channels(epochs: Any, notes: list[str]) -> list[str]:
    types = dict(zip(epochs.ch_names, epochs.get_channel_types(), strict=True))
    eeg = [name for name, kind in types.items() if kind == "eeg"]
    if not eeg:
        counted = ", ".join(f"{count} {kind}" for kind, count in Counter(types.values()).items())
        raise ValueError(f"These Epochs have no channel of type eeg ({counted}): see epochs.set_channel_types().")
    other = [f"{name} ({kind})" for name, kind in types.items() if kind != "eeg"]
    bad = [name for name in eeg if name in epochs.info["bads"]]
    if other:
        notes.append(f"Left out, since their type is not eeg: {', '.join(other)}.")
    if bad:
        notes.append(f"Left out, since they are marked as bad: {', '.join(bad)}. Interpolate them to keep them.")
    if unapplied := [proj["desc"] for proj in epochs.info["projs"] if not proj["active"]]:
        notes.append(f"Projections that are not applied: {', '.join(unapplied)}.")
    kept = [name for name in eeg if name not in bad]
    if not kept:
        raise ValueError("Every EEG channel of these Epochs is marked as bad.")
    _require_volts(epochs, kept)
    return kept


def _same_channels(epochs: Any, fitted: Sequence[str], notes: list[str]) -> list[str]:
    here = {_read_as(name): name for name in epochs.ch_names}
    wanted = [here[_read_as(name)] for name in fitted if _read_as(name) in here]
    if len(wanted) < len(fitted):
        # The service names those that are missing.
        return _fit_channels(epochs, notes)
    if bad := [name for name in wanted if name in epochs.info["bads"]]:
        notes.append(f"Sent although they are marked as bad, since the model was fitted on them: {', '.join(bad)}.")
    if other := [name for name in epochs.ch_names if name not in wanted]:
        notes.append(f"Left out, since the model was not fitted on them: {', '.join(other)}.")
    _require_volts(epochs, wanted)
    return wanted


def _read_as(name: str) -> str:
    plain = name.strip().casefold()
    return _LEGACY.get(plain, plain)


def _require_volts(epochs: Any, names: Sequence[str]) -> None:
    units = {channel["ch_name"]: int(channel["unit"]) for channel in epochs.info["chs"]}
    if strange := [name for name in names if units[name] != _VOLT]:
        raise ValueError(f"These channels are not in volts, as MNE holds EEG: {', '.join(strange)}.")


def _rejected(epochs: Any) -> list[str]:
    reasons = [reason for reason in epochs.drop_log if reason and reason != ("IGNORED",)]
    if not reasons:
        return []
    counted = Counter(name for reason in reasons for name in reason).most_common(6)
    return [
        f"{len(reasons)} epochs were rejected before ("
        + ", ".join(f"{name}: {count}" for name, count in counted)
        + f"); {len(epochs)} are left."
    ]


def _sessions(parts: list[Any]) -> list[str] | None:
    if any(each.metadata is None or "session" not in each.metadata for each in parts):
        return None
    return [str(name) for each in parts for name in each.metadata["session"]]
