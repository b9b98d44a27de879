"""Sketches of the training people, by which the service recognises their recordings."""

import hashlib
from pathlib import Path

import numpy as np
from safetensors.numpy import save

from bank import RUNS, covariances, design, run_trials
from constants import BANDS, SITES
from recordings import catalogue, training_files

# Directions in which the sketches of a person differ between recordings, and trials of a block of which they are learned.
RANK, BLOCK = 48, 8
FLOOR = 1e-30
# Least variance beside the directions, as a share of the mean variance.
LEAST = 0.05


def log_powers(moments: np.ndarray) -> np.ndarray:
    """
    Log power of the difference of each pair of electrodes, which no reference changes, then of each electrode.
    `moments`: packed second moments [trials × bands × windows × packed]. Returns [trials × bands × pairs + electrodes].
    """
    packed = moments.mean(2, dtype=np.float64)
    side = int((np.sqrt(8 * packed.shape[-1] + 1) - 1) / 2)
    full = np.empty((*packed.shape[:2], side, side))
    rows, columns = np.triu_indices(side)
    full[..., rows, columns] = full[..., columns, rows] = packed
    own = np.diagonal(full, axis1=2, axis2=3)
    a, b = np.triu_indices(side, 1)
    power = np.concatenate([own[..., a] + own[..., b] - 2 * full[..., a, b], own], 2)
    return np.log(np.maximum(power, FLOOR))


def sketch(moments: np.ndarray) -> np.ndarray:
    """Sketch of some trials [bands × pairs + electrodes]."""
    return log_powers(moments).mean(0)


def _with_average(powers: np.ndarray) -> np.ndarray:
    """
    From the log powers of the sites and of the mean of all electrodes as one more row: pairs of sites, sites as
    recorded, sites less the mean.
    """
    p = len(SITES)
    a, b = np.triu_indices(p + 1, 1)
    pairs, own = powers[..., : len(a)], powers[..., len(a) :]
    return np.concatenate([pairs[..., b < p], own[..., :p], pairs[..., b == p]], -1)


def _recordings(address: str, people: int | None) -> list[tuple[str, np.ndarray, np.ndarray]]:
    """(person, log powers of the trials, their events) of each recording."""
    files = training_files(address, {run for of_task in RUNS.values() for run in of_task})
    some = sorted({who for who, _, _ in files})[:people]
    electrodes = catalogue()["electrodes"]
    matrices: dict[tuple[float, int], np.ndarray] = {}
    found = []
    for who, _, path in files:
        if who not in some:
            continue
        trials, events, rate_hz = run_trials(path, electrodes, with_average=True)
        key = (rate_hz, trials.shape[2])
        if key not in matrices:
            matrices[key] = design(*key)
        found.append((who, _with_average(log_powers(covariances(trials, matrices[key]))), np.array(events)))
    return found


def _level(sketches: np.ndarray) -> np.ndarray:
    return sketches - sketches.mean((-2, -1), keepdims=True)


def _bytes_of(table: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """A table [rows × …] as 8-bit numbers, and of each row the value of 0 and of a step."""
    flat = table.reshape(len(table), -1)
    low = flat.min(1)
    step = np.maximum((flat.max(1) - low) / 255, 1e-9)
    return np.round((flat - low[:, None]) / step[:, None]).astype(np.uint8), np.stack([low, step], 1).astype(np.float32)


def write_people(out: Path, address: str, people: int | None = None) -> dict:
    """Writes `people.safetensors`. Returns its entry of the card."""
    recordings = _recordings(address, people)
    names = sorted({who for who, _, _ in recordings})
    own = {
        name: _level(np.mean([powers.mean(0) for who, powers, _ in recordings if who == name], 0)) for name in names
    }
    differences = []
    for who, powers, events in recordings:
        moved = powers[events > 0]
        for block in (moved[:BLOCK], moved[BLOCK:]):
            if len(block) >= BLOCK - 1:
                differences.append((_level(block.mean(0)) - own[who]).reshape(-1))
    table = np.array(differences)
    square = (table**2).mean(0)
    _, sizes, directions = np.linalg.svd(table / np.sqrt(len(table)), full_matrices=False)
    within = directions[:RANK] * sizes[:RANK, None]
    rest = np.maximum(square - (within**2).sum(0), LEAST * square.mean())
    vectors, of_vectors = _bytes_of(np.stack([own[name] for name in names]))
    factors, of_factors = _bytes_of(within)
    shape = (len(BANDS), len(SITES) * (len(SITES) - 1) // 2 + 2 * len(SITES))
    content = save({
        "people": vectors.reshape(len(names), *shape),
        "people.scale": of_vectors,
        "within": factors.reshape(len(factors), *shape),
        "within.scale": of_factors,
        "rest": rest.astype(np.float32).reshape(shape),
    })
    (out / "people.safetensors").write_bytes(content)
    return {"sha256": hashlib.sha256(content).hexdigest(), "bytes": len(content), "names": names}
