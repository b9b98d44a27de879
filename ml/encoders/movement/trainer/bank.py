"""The part of a trial that the network reads: covariances per band and window of time."""

import hashlib
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from scipy.signal import butter, firwin, resample_poly, sosfiltfilt

from constants import BANDS, BLOCKS, RATE_HZ, SECONDS, SITES
from recordings import catalogue, read_edf, site_names, training_files

# Runs of each task (see the catalogue), and the annotation that begins its trials.
RUNS = {
    "left_right_imagined": ("04", "08", "12"),
    "left_right_executed": ("03", "07", "11"),
    "fists_feet_imagined": ("06", "10", "14"),
    "fists_feet_executed": ("05", "09", "13"),
}


@dataclass(frozen=True)
class Bank:
    """
    Trials of all people. `values`: [trials × bands × blocks × packed], the upper triangle of each block's second
    moments in square microvolts. `event`: 0 rest (T0), 1 (T1), 2 (T2).
    """

    key: str
    values: np.ndarray
    person: np.ndarray
    run: np.ndarray
    event: np.ndarray
    order: np.ndarray


def design(rate_hz: float, samples: int) -> np.ndarray:
    """
    The filters of all bands as one matrix [bands · steps × samples]: resampled to the service's rate, then zero-phase
    Butterworth, of order 2 under 4 Hz of width and else 4, as `filterOf` of ml/features. Both are linear, so the matrix
    is their answer to unit impulses.
    """
    up, down = (1, 1) if rate_hz == RATE_HZ else _ratio(rate_hz)
    impulses = np.eye(samples)
    resampled = resample_line(impulses, up, down)
    parts = []
    for low, high in BANDS:
        sos = butter(2 if high - low < 4 else 4, [low, high], btype="bandpass", output="sos", fs=RATE_HZ)
        parts.append(sosfiltfilt(sos, resampled, axis=1).T)
    return np.concatenate(parts).astype(np.float32)


def _ratio(rate_hz: float) -> tuple[int, int]:
    from fractions import Fraction

    fraction = Fraction(RATE_HZ / rate_hz).limit_denominator(4096)
    return fraction.numerator, fraction.denominator


def resample_line(rows: np.ndarray, up: int, down: int) -> np.ndarray:
    """`resample` of ml/signal: polyphase, Kaiser 5.0, each phase of the filter scaled to sum to 1, ends along a line."""
    if up == down:
        return rows
    rate = max(up, down)
    half = 10 * rate
    window = firwin(2 * half + 1, 1 / rate, window=("kaiser", 5.0))
    for phase in range(up):
        window[phase::up] /= window[phase::up].sum()
    # resample_poly multiplies the taps by `up`; phases that sum to 1 need no gain.
    return resample_poly(rows, up, down, axis=1, window=window / up, padtype="line")


def covariances(trials: np.ndarray, matrix: np.ndarray, blocks: int = BLOCKS) -> np.ndarray:
    """[trials × sites × samples] → [trials × bands × blocks × packed]."""
    count, sites, _ = trials.shape
    upper = np.triu_indices(sites)
    steps = matrix.shape[0] // len(BANDS)
    edges = np.round(np.arange(blocks + 1) * steps / blocks).astype(int)
    out = np.empty((count, len(BANDS), blocks, len(upper[0])), np.float32)
    for i, trial in enumerate(trials):
        filtered = (matrix @ trial.T).reshape(len(BANDS), steps, sites)
        for b in range(blocks):
            part = filtered[:, edges[b] : edges[b + 1]]
            out[i, :, b] = (part.transpose(0, 2, 1) @ part / part.shape[1])[:, upper[0], upper[1]]
    return out


def run_trials(
    path: Path, electrodes: list[str], shift: float = 0.0, with_average: bool = False
) -> tuple[np.ndarray, list[int], float]:
    """
    Trials [trials × sites × samples] of one recording and their events; those that end after it are left out.
    `with_average`: the mean of all electrodes is one more row.
    """
    recording = read_edf(path)
    names = site_names(recording.channels, electrodes)
    data = recording.data[[names.index(site) for site in SITES]]
    if with_average:
        data = np.concatenate([data, recording.data.mean(0, keepdims=True)])
    samples = round(SECONDS * recording.rate_hz)
    starts = [(round((onset + shift) * recording.rate_hz), text) for onset, text in recording.events]
    total = recording.data.shape[1]
    kept = [(at, text) for at, text in starts if text in ("T0", "T1", "T2") and 0 <= at and at + samples <= total]
    trials = np.stack([data[:, at : at + samples] for at, _ in kept])
    return trials, [int(text[1]) for _, text in kept], recording.rate_hz


def load_bank(address: str, cache: Path, people: int | None = None) -> Bank:
    """The bank of all training recordings (of the first `people`), computed once and kept in `cache`."""
    runs = {run for of_task in RUNS.values() for run in of_task}
    files = training_files(address, runs)
    if people is not None:
        first = sorted({who for who, _, _ in files})[:people]
        files = [each for each in files if each[0] in first]
    key = repr([[(person, run) for person, run, _ in files], SITES, BANDS, BLOCKS, SECONDS, RATE_HZ])
    key = hashlib.sha256(key.encode()).hexdigest()[:12]
    stem = cache / f"bank-{key}"
    if not stem.with_suffix(".npz").exists():
        _write(stem, files)
    index = np.load(stem.with_suffix(".npz"))
    columns = {name: index[name] for name in index.files}
    # The file has room for 34 trials a recording; the unused end is empty.
    return Bank(key, np.load(stem.with_suffix(".npy"), mmap_mode="r")[: len(columns["person"])], **columns)


def _write(stem: Path, files: list[tuple[str, str, Path]]) -> None:
    stem.parent.mkdir(parents=True, exist_ok=True)
    electrodes = catalogue()["electrodes"]
    packed = len(SITES) * (len(SITES) + 1) // 2
    shape = (34 * len(files), len(BANDS), BLOCKS, packed)
    partial = stem.with_suffix(".partial.npy")
    values = np.lib.format.open_memmap(partial, "w+", np.float32, shape)
    person, run, event, order = [], [], [], []
    matrices: dict[float, np.ndarray] = {}
    at = 0
    for count, (who, which, path) in enumerate(files):
        trials, events, rate_hz = run_trials(path, electrodes)
        if rate_hz not in matrices:
            matrices[rate_hz] = design(rate_hz, trials.shape[2])
        own = covariances(trials, matrices[rate_hz])
        values[at : at + len(own)] = own
        person += [int(who[1:])] * len(own)
        run += [int(which)] * len(own)
        event += events
        order += range(len(own))
        at += len(own)
        if count % 20 == 19: print(f"{count + 1} of {len(files)} recordings", flush=True)
    print()
    values.flush()
    partial.rename(stem.with_suffix(".npy"))
    names = {"person": person, "run": run, "event": event, "order": order}
    np.savez(stem.with_suffix(".npz"), **{name: np.array(each, np.int16) for name, each in names.items()})
