"""Label-free inputs of the pipelines, from epochs [trials × channels × samples] at 256 Hz; filters run on the epochs."""

import numpy as np
from pyriemann.estimation import Covariances
from scipy.signal import butter, detrend, filtfilt, iirnotch, periodogram, sosfiltfilt

from estimators import Augmented
from sleep import sleep_features

RATE_HZ = 256
BANK = [(low, low + 4) for low in range(4, 40, 4)]
POWER_BANDS = [(1, 4), (4, 8), (8, 13), (13, 20), (20, 30), (30, 45)]


def bandpass(x, low, high, order=4):
    sos = butter(order, [low, high], btype="bandpass", fs=RATE_HZ, output="sos")
    return sosfiltfilt(sos, x, axis=-1)


def lowpass(x, high, order=4):
    return sosfiltfilt(butter(order, high, btype="lowpass", fs=RATE_HZ, output="sos"), x, axis=-1)


def covariances(x, estimator="oas"):
    return Covariances(estimator=estimator).transform(x)


def bank_covariances(x):
    return np.stack([covariances(bandpass(x, low, high)) for low, high in BANK], axis=1)


def erp_epochs(x):
    return lowpass(detrend(x, axis=-1), 24)


def windowed_means(x, seconds=0.05):
    """Mean amplitude of 50 ms windows after detrending and a 24 Hz low-pass."""
    y = erp_epochs(x)
    count = max(1, int(y.shape[-1] / (seconds * RATE_HZ)))
    return np.concatenate([part.mean(axis=-1) for part in np.array_split(y, count, axis=-1)], axis=1)


def log_spectrum(x):
    """Log periodogram 1–45 Hz in 1 Hz bins per channel."""
    f, p = periodogram(x, RATE_HZ, window="hann", detrend="linear", axis=-1)
    bins = [p[..., (f >= low) & (f < low + 1)].mean(axis=-1) for low in range(1, 45) if np.any((f >= low) & (f < low + 1))]
    return np.log(np.stack(bins, axis=-1) + 1e-12).reshape(len(x), -1)


def log_power(x):
    f, p = periodogram(x, RATE_HZ, window="hann", detrend="linear", axis=-1)
    bands = [p[..., (f >= low) & (f < high)].mean(axis=-1) for low, high in POWER_BANDS if np.any((f >= low) & (f < high))]
    return np.log(np.stack(bands, axis=-1) + 1e-12).reshape(len(x), -1)


def stacked_narrow_bands(x, frequencies, half_width=0.5):
    """Signals of f ± 0.5 Hz stacked as channels, then their covariance (Congedo 2013; MOABB's extended SSVEP signal)."""
    stacked = np.concatenate([bandpass(x, f - half_width, f + half_width, order=2) for f in frequencies], axis=1)
    return covariances(stacked)


def augmented(x, lag=8):
    """Covariances with delayed copies, as many as keep the matrix near 66 × 66 (2 to 4), as the service has it."""
    order = max(2, min(4, 66 // x.shape[1]))
    return Augmented(order, lag).transform(x)


def without_mains(x):
    """Notch at 50 or 60 Hz, whichever stands out more of its neighbours: the published SSVEP sets were recorded with one."""
    f, p = periodogram(x, RATE_HZ, axis=-1)
    p = p.mean(axis=(0, 1))
    stands_out = lambda hz: p[np.abs(f - hz) < 0.5].max() / np.median(p[np.abs(f - hz) < 5])
    return filtfilt(*iirnotch(max((50, 60), key=stands_out), 30, fs=RATE_HZ), x, axis=-1)


def harmonic_bank(x, frequencies, bands=5, top=90):
    """Sub-bands that begin below the harmonics of the lowest frequency and end at 90 Hz (Chen 2015); without frequencies, of 8 Hz."""
    x = without_mains(x)
    lowest = min(frequencies) if frequencies else 8
    starts = [m * lowest - 2 for m in range(1, bands + 1) if m * lowest + 6 < top]
    return np.stack([bandpass(x, low, top) for low in starts], axis=1).astype(np.float32)


INPUTS = {
    "sig/8-32": lambda x, _: bandpass(x, 8, 32),
    "cov/8-32": lambda x, _: covariances(bandpass(x, 8, 32)),
    "cov/1-40": lambda x, _: covariances(bandpass(x, 1, 40)),
    "cov/4-40": lambda x, _: covariances(bandpass(x, 4, 40)),
    "acm": lambda x, _: augmented(bandpass(x, 8, 32)),
    "fbcov": lambda x, _: bank_covariances(x),
    "fbsig": lambda x, _: np.stack([bandpass(x, low, high) for low, high in BANK], axis=1).astype(np.float32),
    "erp/signal": lambda x, _: erp_epochs(x),
    "erp/windows": lambda x, _: windowed_means(x),
    "logspectrum": lambda x, _: log_spectrum(x),
    "logpower": lambda x, _: log_power(x),
    "sleep": lambda x, _: sleep_features(x, RATE_HZ),
    "ssvep": stacked_narrow_bands,
    "harmonics": harmonic_bank,
    "raw/1-45": lambda x, _: bandpass(x, 1, 45),
}
