"""The real sets as the peers see them: epochs at 256 Hz in microvolts, the split the bench uses."""

import os
import pathlib

import mne
import numpy as np
from scipy.signal import resample_poly

DATA = pathlib.Path(os.environ.get("EEG_DATA", pathlib.Path(__file__).parents[4] / "shared" / "data"))
RATE_HZ = 256
KINDS = {
    "eegmmidb_mi_left_right": "motor",
    "eegmmidb_mi_hands_feet": "motor",
    "eegmmidb_edf": "motor",
    "muse_visual_p300": "erp",
    "ssvep_exo": "ssvep",
    "muse_ssvep": "ssvep",
    "eegmmidb_eyes": "rest",
}


def names():
    """Every `set/subject` held as .npz."""
    return sorted(f"{path.parent.name}/{path.stem}" for path in DATA.glob("*/*.npz"))


def imagery_subjects():
    """EEGMMIDB subjects whose runs 4, 8 and 12 are there as EDF."""
    folders = sorted((DATA / "eegmmidb" / "1.0.0").glob("S*"))
    return [f.name for f in folders if all((f / f"{f.name}R{run:02d}.edf").exists() for run in (4, 8, 12))]


def at_256(x, rate):
    """Polyphase, Kaiser 5.0, line extension: what the service's intake does."""
    if rate == RATE_HZ:
        return np.asarray(x, dtype=np.float64)
    ratio = (RATE_HZ / np.gcd(int(rate), RATE_HZ), rate / np.gcd(int(rate), RATE_HZ))
    return resample_poly(x.astype(np.float64), int(ratio[0]), int(ratio[1]), axis=-1, window=("kaiser", 5.0), padtype="line")


def read(name):
    """`set/subject` → x [trials × channels × samples] at 256 Hz, labels, sessions, channels."""
    folder, subject = name.split("/")
    if folder == "eegmmidb_edf":
        return read_imagery(subject)
    with np.load(DATA / folder / f"{subject}.npz") as npz:
        return at_256(npz["x"], float(npz["sfreq"])), npz["labels"], npz["sessions"], list(npz["channels"])


def read_imagery(subject, runs=(4, 8, 12)):
    """Left/right imagery, 0–4 s after each cue, session = run."""
    x, labels, sessions = [], [], []
    for run in runs:
        raw = mne.io.read_raw_edf(DATA / "eegmmidb" / "1.0.0" / subject / f"{subject}R{run:02d}.edf", preload=True, verbose="error")
        rate, signal = raw.info["sfreq"], raw.get_data() * 1e6
        for note in raw.annotations:
            start = round(note["onset"] * rate)
            if note["description"] in ("T1", "T2") and start + 4 * rate <= signal.shape[1]:
                x.append(signal[:, start : start + int(4 * rate)])
                labels.append("left_hand" if note["description"] == "T1" else "right_hand")
                sessions.append(f"run{run:02d}")
    names = [c.replace(".", "").upper().replace("FP", "Fp").removesuffix("Z") + ("z" if c.replace(".", "").lower().endswith("z") else "") for c in raw.ch_names]
    return at_256(np.stack(x).astype(np.float32), rate), np.array(labels), np.array(sessions), names


def earlier_and_last(labels, sessions):
    """Train and test rows: all but the last session against the last; one session: the last third of each class."""
    held = sorted(set(sessions))
    if len(held) > 1:
        test = sessions == held[-1]
    else:
        test = np.zeros(len(labels), dtype=bool)
        for label in set(labels):
            rows = np.flatnonzero(labels == label)
            test[rows[(2 * len(rows)) // 3 :]] = True
    return np.flatnonzero(~test), np.flatnonzero(test)
