"""Golden numbers for ml/linalg, ml/signal, ml/geometry and ml/features.

python test/ml/golden/make_numerics.py   (numpy 2.4.6, scipy 1.17.1, scikit-learn 1.9.1, pyriemann 0.12)
"""

import json
import math
import pathlib

import numpy as np
import scipy.linalg
import scipy.signal
import scipy.stats
from pyriemann.geometry.covariance import covariances
from pyriemann.geometry.distance import distance_riemann
from pyriemann.geometry.mean import mean_logeuclid, mean_riemann
from pyriemann.geometry.tangentspace import tangent_space


def noise(count, seed):
    """Linear congruential noise in [-0.5, 0.5); test/ml/noise.ts makes the same."""
    out = np.empty(count)
    state = seed
    for i in range(count):
        state = (1664525 * state + 1013904223) % 2**32
        out[i] = state / 2**32 - 0.5
    return out


def recording(trials, channels, samples, seed):
    """Mixed noise with a 10 Hz rhythm, float32, [trials, channels, samples]."""
    x = noise(trials * channels * samples, seed).reshape(trials, channels, samples)
    time = np.arange(samples) / 256
    for c in range(1, channels):
        x[:, c] += 0.6 * x[:, c - 1]
    x = 10 * x + (5 * np.sin(2 * np.pi * 10 * time))[None, None] * (1 + np.arange(channels))[None, :, None] / channels
    return x.astype(np.float32)


def upper(c):
    return c[..., *np.triu_indices(c.shape[-1])]


def fold(sets):
    return {key: np.asarray(value, dtype=float).ravel().tolist() for key, value in sets.items()}


def butter(low, high, order, rate):
    edges, kind = ((low, high), "bandpass") if low and high else ((low, "highpass") if low else (high, "lowpass"))
    return scipy.signal.butter(order, edges, kind, output="sos", fs=rate)


golden = {}

filters = [(8, 32, 4, 256), (1, 40, 4, 256), (4, 8, 4, 256), (12.5, 13.5, 2, 256), (None, 24, 4, 256), (0.4, 30, 2, 100),
           (1, None, 3, 160), (None, 30, 5, 128), (8, 32, 3, 250), (36, 40, 4, 256), (30, 45, 1, 100)]
golden["butter"] = [{"low": l, "high": h, "order": o, "rate": r, "sos": butter(l, h, o, r).ravel().tolist()} for l, h, o, r in filters]

x = recording(1, 3, 90, 7)[0]
golden["filtfilt"] = [
    {"low": l, "high": h, "order": o, "rate": r, "y": scipy.signal.sosfiltfilt(butter(l, h, o, r), x.astype(float), axis=-1).ravel().tolist()}
    for l, h, o, r in filters[:6]
]


def resampled(row, to, rate):
    """resample_poly with its own Kaiser design, the taps of each phase scaled to sum to 1."""
    divisor = math.gcd(to, rate)
    up, down = to // divisor, rate // divisor
    if up == down:
        return row
    slowest = max(up, down)
    h = scipy.signal.firwin(20 * slowest + 1, 1 / slowest, window=("kaiser", 5.0))
    for phase in range(up):
        h[phase::up] /= h[phase::up].sum() * up
    return scipy.signal.resample_poly(row, up, down, axis=-1, window=h, padtype="line")


golden["resample"] = []
for rate, samples in [(250, 75), (160, 48), (512, 120), (1000, 200), (500, 60), (128, 40), (300, 61), (2048, 500), (256, 20), (100, 3)]:
    row = recording(1, 2, samples, 11)[0].astype(float)
    ratio = resampled(row, 256, rate)
    golden["resample"].append({"rate": rate, "samples": samples, "length": ratio.shape[1], "y": ratio.ravel().tolist()})

row = recording(1, 2, 200, 5)[0].astype(float)
golden["detrend"] = {kind: scipy.signal.detrend(row, axis=-1, type=kind).ravel().tolist() for kind in ("linear", "constant")}
golden["periodogram"] = scipy.signal.periodogram(row, 256, axis=-1)[1].ravel().tolist()
golden["welch"] = [
    {"segment": s, "average": a, "window": w, "y": scipy.signal.welch(row, 256, window=w, nperseg=s, average=a, axis=-1)[1].ravel().tolist()}
    for s, a, w in [(64, "mean", "hamming"), (50, "median", "hamming"), (200, "mean", "hann"), (33, "median", "boxcar")]
]

x = recording(6, 5, 60, 3)
c = covariances(x.astype(float), "oas")
golden["covariances"] = fold({kind: upper(covariances(x.astype(float), kind)) for kind in ("scm", "oas")})
mean = mean_riemann(c)
weights = np.arange(1, 7.0)
golden["geometry"] = fold({
    "meanRiemann": mean,
    "meanWeighted": mean_riemann(c, sample_weight=weights),
    "meanLogEuclid": mean_logeuclid(c),
    "tangent": tangent_space(c, mean),
    "distances": [[distance_riemann(a, b) for b in c[:2]] for a in c],
})

a, b = c[0], c[1]
values, vectors = scipy.linalg.eigh(a, b)
golden["linalg"] = fold({
    "eigenvalues": np.linalg.eigvalsh(a), "general": values, "projectors": [np.outer(v, v) for v in vectors.T],
    "inverse": np.linalg.inv(a), "cholesky": np.linalg.cholesky(a),
    "solved": np.linalg.solve(x[0, :, :5].astype(float), x[0, :, 5:7].astype(float)),
})


# Feature sets: the recipe of each spelled out with scipy, scikit-learn and pyRiemann.
x = recording(3, 4, 384, 21).astype(float)
band = lambda low, high, y=x: scipy.signal.sosfiltfilt(butter(low, high, 2 if low and high - low < 4 else 4, 256), y, axis=-1)
bank = [(f, f + 4) for f in range(4, 40, 4)]
lagged = lambda y: np.concatenate([y[:, :, 8 * k:384 - 8 * (3 - k)] for k in range(4)], axis=1)
erp = band(None, 24, scipy.signal.detrend(x, axis=-1))


def windows(y, count):
    """Means of `count` consecutive windows, edges rounded half up."""
    edges = np.floor(np.arange(count + 1) * y.shape[-1] / count + 0.5).astype(int)
    return np.stack([y[:, :, i:j].mean(axis=-1) for i, j in zip(edges, edges[1:])], axis=-1)


frequency, power = scipy.signal.welch(x, 256, window="hamming", nperseg=256, axis=-1)
steps = [1, 2, 4, 6, 8, 10, 12, 14, 17, 20, 25, 30, 35, 40, 45]


def correlations(trial, hz, harmonics=2):
    time = np.arange(384) / 256
    y = np.array([f(2 * np.pi * hz * h * time) for h in range(1, harmonics + 1) for f in (np.sin, np.cos)])
    centre = lambda z: z - z.mean(axis=1, keepdims=True)
    qx, qy = (np.linalg.qr(centre(z).T)[0] for z in (trial, y))
    return np.linalg.svd(qx.T @ qy, compute_uv=False)[:2]


golden["features"] = fold({
    "cov/8-32": upper(covariances(band(8, 32), "oas")),
    "cov/1-40": upper(covariances(band(1, 40), "oas")),
    "fbcov": np.stack([upper(covariances(band(*edge), "oas")) for edge in bank], axis=1),
    "acm/8-32": upper(covariances(lagged(band(8, 32)), "oas")),
    "ssvep/13,17": upper(covariances(np.concatenate([band(f - 0.5, f + 0.5) for f in (13, 17)], axis=1), "oas")),
    "cca/13,17": [[correlations(trial, f) for f in (13, 17)] for trial in band(3, 45)],
    "fbcca/13,17": np.stack([[[correlations(trial, f, 3)[0] for f in (13, 17)] for trial in band(low, 90)] for low in (11, 24, 37)], axis=1),
    "erp/windows": windows(erp, 20),
    "erp/windows/40": windows(erp, round(40 * 384 / 256)),
    "logpower": np.log(np.stack([power[:, :, (frequency >= i) & (frequency < j)].mean(axis=-1) for i, j in zip(steps, steps[1:])], axis=-1)),
    "logspectrum": np.log(power[:, :, (frequency >= 1) & (frequency <= 45)]),
})


def sleep(trial):
    """Vallat & Walker (2021), formulas of each quantity from its paper."""
    slow = resampled(trial, 100, 256).astype(np.float32)
    y = scipy.signal.sosfiltfilt(butter(0.4, 30, 2, 100), slow.astype(float), axis=-1)
    f, p = scipy.signal.welch(y, 100, window="hamming", nperseg=500, average="median", axis=-1)
    out = []
    for row, density in zip(y, p):
        n = len(row)
        d1, d2 = np.diff(row), np.diff(row, 2)
        mobility = math.sqrt(d1.var() / row.var())
        complexity = math.sqrt(d2.var() / d1.var()) / mobility
        patterns = np.unique(np.argsort(np.lib.stride_tricks.sliding_window_view(row, 3), axis=-1, kind="stable"), axis=0, return_counts=True)[1]
        q = patterns / patterns.sum()
        lengths = [np.mean([np.abs(np.diff(row[m::k])).sum() * (n - 1) / (((n - m - 1) // k) * k) for m in range(k)]) / k for k in range(1, 11)]
        higuchi = np.polyfit(np.log(1 / np.arange(1, 11)), np.log(lengths), 1)[0]
        changes = np.sum(np.diff(np.signbit(d1)))
        petrosian = math.log10(n) / (math.log10(n) + math.log10(n / (n + 0.4 * changes)))
        area = lambda low, high: np.trapezoid(density[(f >= low - 1e-9) & (f <= high + 1e-9)], f[(f >= low - 1e-9) & (f <= high + 1e-9)])
        total = area(0.4, 30)
        s, dl, th, al, si, be = (area(i, j) / total for i, j in [(0.4, 1), (1, 4), (4, 8), (8, 12), (12, 16), (16, 30)])
        delta = s + dl
        out += [row.std(ddof=1), scipy.stats.iqr(row), scipy.stats.skew(row), scipy.stats.kurtosis(row), np.sum(np.diff(np.signbit(row))),
                mobility, complexity, -(q * np.log2(q)).sum() / math.log2(6), higuchi, petrosian,
                s, dl, th, al, si, be, delta / th, delta / si, delta / be, al / th, total]
    return out


golden["sleep"] = fold({"sleep": [sleep(trial) for trial in recording(1, 2, 2560, 9).astype(float)]})["sleep"]


def short(value):
    if isinstance(value, float):
        return float(f"{value:.12g}")
    if isinstance(value, list):
        return [short(v) for v in value]
    return {k: short(v) for k, v in value.items()} if isinstance(value, dict) else value


target = pathlib.Path(__file__).with_name("numerics.json")
target.write_text(json.dumps(short(golden), separators=(",", ":")) + "\n")
