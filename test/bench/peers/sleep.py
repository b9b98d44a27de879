"""Features of the YASA class per channel and epoch (Vallat & Walker 2021), resampled to 100 Hz, 0.4–30 Hz."""

import math

import numpy as np
from scipy.signal import butter, resample_poly, sosfiltfilt, welch
from scipy.stats import iqr, kurtosis, skew

BANDS = {"sdelta": (0.4, 1), "fdelta": (1, 4), "theta": (4, 8), "alpha": (8, 12), "sigma": (12, 16), "beta": (16, 30)}


def sleep_features(x, rate):
    """[trials × channels × samples] → [trials × (channels × features)]"""
    y = resample_poly(x, 100, rate, axis=-1, padtype="line")
    y = sosfiltfilt(butter(4, [0.4, 30], btype="bandpass", fs=100, output="sos"), y, axis=-1)
    return np.concatenate([time_domain(y), spectral(y)], axis=-1).reshape(len(x), -1)


def time_domain(y):
    first, second = np.diff(y, axis=-1), np.diff(y, n=2, axis=-1)
    mobility = np.sqrt(first.var(-1) / y.var(-1))
    complexity = np.sqrt(second.var(-1) / first.var(-1)) / mobility
    crossings = (np.diff(np.signbit(y), axis=-1) != 0).sum(-1)
    columns = [y.std(-1, ddof=1), iqr(y, axis=-1), skew(y, axis=-1), kurtosis(y, axis=-1), crossings, mobility, complexity]
    columns += [permutation_entropy(y), higuchi(y), petrosian(y, first)]
    return np.stack(columns, axis=-1)


def spectral(y):
    f, p = welch(y, 100, window="hamming", nperseg=min(500, y.shape[-1]), average="median", axis=-1)
    wide = (f >= 0.4) & (f <= 30)
    step = f[1] - f[0]
    total = p[..., wide].sum(-1) * step
    power = {name: p[..., (f >= low) & (f <= high)].sum(-1) * step / total for name, (low, high) in BANDS.items()}
    delta = power["sdelta"] + power["fdelta"]
    floor = 1e-9
    ratios = [delta / (power[b] + floor) for b in ("theta", "sigma", "beta")] + [power["alpha"] / (power["theta"] + floor)]
    return np.stack([*power.values(), *ratios, total], axis=-1)


def permutation_entropy(y, order=3):
    windows = np.lib.stride_tricks.sliding_window_view(y, order, axis=-1)
    codes = (windows.argsort(-1) * order ** np.arange(order)).sum(-1)
    entropy = np.zeros(y.shape[:-1])
    for code in np.unique(codes):
        share = (codes == code).mean(-1)
        entropy -= np.where(share > 0, share * np.log2(np.maximum(share, 1e-300)), 0)
    return entropy / math.log2(math.factorial(order))


def higuchi(y, kmax=10):
    n = y.shape[-1]
    lengths = []
    for k in range(1, kmax + 1):
        curves = []
        for start in range(k):
            steps = (n - start - 1) // k
            path = np.abs(np.diff(y[..., start : start + steps * k + 1 : k], axis=-1)).sum(-1)
            curves.append(path * (n - 1) / (steps * k) / k)
        lengths.append(np.log(np.mean(curves, axis=0)))
    slope_x = np.log(1 / np.arange(1, kmax + 1))
    centred = slope_x - slope_x.mean()
    return np.tensordot(centred, np.stack(lengths), axes=1) / (centred**2).sum()


def petrosian(y, first):
    n = y.shape[-1]
    changes = (np.diff(np.signbit(first), axis=-1) != 0).sum(-1)
    return math.log10(n) / (math.log10(n) + np.log10(n / (n + 0.4 * changes)))
