"""Conversion of MNE Epochs to trials. This module never imports MNE: a caller that has Epochs has imported it."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Sequence
from typing import Any

import numpy as np

from .limits import BASELINE_SECONDS
from .recording_info import recording_info
from .trials import Trials

#: FIFF code of the unit volt, the unit of EEG in MNE.
_VOLT = 107

#: Old 10-20 names and the names that replaced them.
_NEW_NAMES = {"t3": "t7", "t4": "t8", "t5": "p7", "t6": "p8"}


def is_epochs(data: object) -> bool:
    """Return whether `data` is MNE Epochs or a list of them.

    scikit-learn makes such a list when it takes a subset of Epochs.
    """
    mne = sys.modules.get("mne")
    if mne is None:
        return False
    if isinstance(data, list):
        return bool(data) and all(isinstance(each, mne.BaseEpochs) for each in data)
    return isinstance(data, mne.BaseEpochs)


def refuse_other_mne_objects(data: object) -> None:
    """Refuse objects of MNE that are not Epochs, with the call that makes Epochs of them.

    Raises
    ------
    ValueError
        For a continuous recording (`mne.io.Raw`) and an average (`mne.Evoked`).
    """
    mne = sys.modules.get("mne")
    if mne is None:
        return
    for each in data if isinstance(data, (list, tuple)) else [data]:
        if isinstance(each, mne.io.BaseRaw):
            raise ValueError(
                "X is a continuous recording (Raw), not trials. Cut it at its events: mne.Epochs(raw, events, "
                "event_id, tmin, tmax, baseline=None). Or cut it into windows of the length of the fit: "
                "mne.make_fixed_length_epochs(raw, duration=4)."
            )
        if isinstance(each, mne.Evoked):
            raise ValueError("X is an average (Evoked), not trials. Pass the Epochs before the average.")


def epoch_labels(epochs: Any, tags: Sequence[str] | None = None) -> list[str]:
    """Return the class of every epoch: the name of its event in ``epochs.event_id``.

    Parameters
    ----------
    epochs : mne.Epochs, or list of mne.Epochs
    tags : sequence of str, optional
        Classes of hierarchical event names. The class is the tag in the name: ``"left"`` for ``"auditory/left"``.

    Returns
    -------
    list of str, length (epochs,)

    Raises
    ------
    ValueError
        If an event has two names, or its name does not contain exactly one of `tags`.
    """
    labels: list[str] = []
    for part in _parts(epochs):
        names: dict[int, list[str]] = {}
        for name, code in part.event_id.items():
            names.setdefault(int(code), []).append(str(name))
        known = {code: _class_name(code, found, tags) for code, found in names.items()}
        labels += [known[int(code)] for code in part.events[:, 2]]
    return labels


def _class_name(code: int, names: list[str], tags: Sequence[str] | None) -> str:
    if tags is None:
        if len(names) > 1:
            raise ValueError(f"event_id has {len(names)} names for event {code}: {names}. Keep one name.")
        return names[0]
    found = sorted({tag for name in names for tag in tags if tag in name.split("/")})
    if len(found) != 1:
        raise ValueError(f"Event {names[0]!r} contains {len(found)} of the tags {list(tags)}. It must contain one.")
    return found[0]


def trials_from_epochs(epochs: Any, fitted_channels: Sequence[str] | None = None) -> Trials:
    """Convert the EEG channels of Epochs to trials in microvolts.

    Parameters
    ----------
    epochs : mne.Epochs, or list of mne.Epochs
        Sessions come from ``epochs.metadata["session"]`` if there is such a column.
    fitted_channels : sequence of str, optional
        Channels of a fitted model. They are taken even if they are marked as bad. Without them the channels of type
        ``eeg`` are taken, except those marked as bad.

    Returns
    -------
    Trials
        ``notes`` lists the channels and epochs that were left out.

    Raises
    ------
    ValueError
        If no EEG channel is left, a channel is not in volts, or the Epochs differ in sampling rate or length.
    """
    parts = _parts(epochs)
    first = parts[0]
    notes: list[str] = []
    names = _eeg_channels(first, notes) if fitted_channels is None else _same_channels(first, fitted_channels, notes)
    if len(parts) == 1 and not isinstance(epochs, list):
        notes += _rejection_notes(first)
    rate = float(first.info["sfreq"])
    if any(each.info["sfreq"] != rate or len(each.times) != len(first.times) for each in parts):
        raise ValueError("The Epochs differ in sampling rate or length. Pass Epochs of one rate and one length.")
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
        recording=recording_info(first.info),
    )


def _parts(epochs: Any) -> list[Any]:
    """Return loaded Epochs as a list. MNE rejects epochs only when it loads their data."""
    parts = list(epochs) if isinstance(epochs, list) else [epochs]
    return [each if each.preload else each.copy().load_data() for each in parts]


def _is_baseline(before_cue: float, after_cue: float) -> bool:
    return BASELINE_SECONDS[0] <= before_cue <= BASELINE_SECONDS[1] and after_cue > 0


def _eeg_channels(epochs: Any, notes: list[str]) -> list[str]:
    types = dict(zip(epochs.ch_names, epochs.get_channel_types(), strict=True))
    eeg = [name for name, kind in types.items() if kind == "eeg"]
    if not eeg:
        counts = ", ".join(f"{count} {kind}" for kind, count in Counter(types.values()).items())
        raise ValueError(
            f"These Epochs have no channel of type eeg ({counts}). Set the types with epochs.set_channel_types()."
        )
    other = [f"{name} ({kind})" for name, kind in types.items() if kind != "eeg"]
    bad = [name for name in eeg if name in epochs.info["bads"]]
    if other:
        notes.append(f"Left out channels whose type is not eeg: {', '.join(other)}.")
    if bad:
        notes.append(f"Left out channels marked as bad: {', '.join(bad)}. Interpolate them to keep them.")
    if unapplied := [proj["desc"] for proj in epochs.info["projs"] if not proj["active"]]:
        notes.append(f"These projections are not applied: {', '.join(unapplied)}.")
    kept = [name for name in eeg if name not in bad]
    if not kept:
        raise ValueError(f"Every EEG channel of these Epochs is marked as bad ({', '.join(bad)}). Interpolate them.")
    _require_volts(epochs, kept)
    return kept


def _same_channels(epochs: Any, fitted: Sequence[str], notes: list[str]) -> list[str]:
    here = {normalized_name(name): name for name in epochs.ch_names}
    wanted = [here[normalized_name(name)] for name in fitted if normalized_name(name) in here]
    if len(wanted) < len(fitted):
        # The error of the service names the missing channels.
        return _eeg_channels(epochs, notes)
    if bad := [name for name in wanted if name in epochs.info["bads"]]:
        notes.append(f"Sent channels marked as bad, because the model was fitted on them: {', '.join(bad)}.")
    if other := [name for name in epochs.ch_names if name not in wanted]:
        notes.append(f"Left out channels that the model was not fitted on: {', '.join(other)}.")
    _require_volts(epochs, wanted)
    return wanted


def normalized_name(name: str) -> str:
    """Return an electrode name in the form in which names are compared."""
    plain = name.strip().casefold()
    return _NEW_NAMES.get(plain, plain)


def _require_volts(epochs: Any, names: Sequence[str]) -> None:
    units = {channel["ch_name"]: int(channel["unit"]) for channel in epochs.info["chs"]}
    if strange := [name for name in names if units[name] != _VOLT]:
        raise ValueError(f"These channels are not in volts, the unit of EEG in MNE: {', '.join(strange)}.")


def _rejection_notes(epochs: Any) -> list[str]:
    reasons = [reason for reason in epochs.drop_log if reason and reason != ("IGNORED",)]
    if not reasons:
        return []
    counts = Counter(name for reason in reasons for name in reason).most_common(6)
    return [
        f"Rejected epochs are not sent: {len(reasons)} ("
        + ", ".join(f"{name}: {count}" for name, count in counts)
        + f"); {len(epochs)} are left."
    ]


def _sessions(parts: list[Any]) -> list[str] | None:
    if any(each.metadata is None or "session" not in each.metadata for each in parts):
        return None
    return [str(name) for each in parts for name in each.metadata["session"]]
