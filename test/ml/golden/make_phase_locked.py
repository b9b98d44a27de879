"""Golden numbers of class templates and ensemble TRCA, from NumPy and SciPy.

    python test/ml/golden/make_phase_locked.py > test/ml/golden/phase-locked.json

Trials are written beside the results. Templates are made from all trials but the last of each class, which are correlated with them.
"""
import json

import numpy as np
from scipy.fft import dct
from scipy.linalg import eigh
from scipy.signal import detrend

RATE, CHANNELS, SAMPLES, PER_CLASS = 256, 4, 192, 6
BANDS = [(1, 8), (1, np.inf), (6, np.inf), (14, np.inf), (22, np.inf), (30, np.inf)]


def trials(classes, rng):
    labels = np.arange(classes * PER_CLASS) % classes
    codes = rng.standard_normal((classes, SAMPLES))
    topography = rng.standard_normal((classes, CHANNELS))
    mixing = np.eye(CHANNELS) + 0.4 * rng.standard_normal((CHANNELS, CHANNELS))
    noise = np.einsum("cd,nds->ncs", mixing, rng.standard_normal((len(labels), CHANNELS, SAMPLES)))
    x = noise + 0.5 * topography[labels][:, :, None] * codes[labels][:, None, :] + np.linspace(0, 2, SAMPLES)
    return np.round(10 * x, 3), labels


def coefficients(x, top=60):
    count = int(2 * SAMPLES / RATE * top)
    return dct(detrend(x, axis=-1), type=2, norm="ortho", axis=-1)[..., 1 : count + 1]


def ensemble(means, powers, count, span, classes):
    """Sum of w·wᵀ over the first task-related components of every class."""
    metric = np.zeros((CHANNELS, CHANNELS))
    trust = count * span / (count * span + CHANNELS)
    for mean, power in zip(means, powers):
        _, w = eigh(mean @ mean.T, trust * power + (1 - trust) * np.mean(powers, axis=0))
        w = w[:, -max(1, min(3, 8 // classes)) :]
        metric += w @ w.T
    return metric


def common(means, powers, count, span, classes):
    evoked = sum(m @ m.T for m in means)
    ratio, v = eigh(evoked, sum(powers) - evoked)
    trust = np.maximum(0, 1 - 1 / (ratio * (count - 1)))
    trust[-1] = 1
    return (v * trust) @ v.T


def correlations(x, labels, classes, metric_of):
    """[held-out trials × classes × bands]"""
    z = coefficients(x)
    held = np.arange(len(labels)) >= classes * (PER_CLASS - 1)
    out = np.zeros((held.sum(), classes, len(BANDS)))
    edge = lambda hz: int(min(z.shape[-1], max(0, np.ceil(2 * SAMPLES * hz / RATE) - 1))) if np.isfinite(hz) else z.shape[-1]
    for m, (low, high) in enumerate(BANDS):
        band = z[..., edge(low) : edge(high)]
        own = [band[~held & (labels == k)] for k in range(classes)]
        means = [part.mean(axis=0) for part in own]
        powers = [np.einsum("ncs,nds->cd", part, part) / len(part) for part in own]
        metric = metric_of(means, powers, len(own[0]), band.shape[-1], classes)
        for i, trial in enumerate(band[held]):
            for k, mean in enumerate(means):
                inner = lambda a, b: np.sum(a * (metric @ b))
                out[i, k, m] = inner(trial, mean) / np.sqrt(inner(trial, trial) * inner(mean, mean))
    return out


def dataset(classes, seed):
    x, labels = trials(classes, np.random.default_rng(seed))
    methods = {"ensemble-trca": ensemble, "class-templates": common}
    return {
        "classes": classes,
        "perClass": PER_CLASS,
        "channels": CHANNELS,
        "samples": SAMPLES,
        "x": x.ravel().tolist(),
        "coefficients": np.round(coefficients(x[:1]), 9).ravel().tolist(),
        "correlations": {id: np.round(correlations(x, labels, classes, of), 9).ravel().tolist() for id, of in methods.items()},
    }


print(json.dumps([dataset(3, 5), dataset(12, 6)]))
