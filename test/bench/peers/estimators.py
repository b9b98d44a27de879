"""The estimators that scikit-learn and pyRiemann do not hold ready-made."""

import numpy as np
from mne.decoding import CSP as MneCsp
from pyriemann.estimation import Covariances
from pyriemann.spatialfilters import CSP
from pyriemann.tangentspace import TangentSpace
from scipy.linalg import eigh
from sklearn.base import BaseEstimator, ClassifierMixin, TransformerMixin
from sklearn.cross_decomposition import CCA


class PerBand(TransformerMixin, BaseEstimator):
    """One copy of a transformer per band of [trials × bands × …]; outputs side by side."""

    def __init__(self, make):
        self.make = make

    def fit(self, x, y=None):
        self.parts_ = [self.make().fit(x[:, band], y) for band in range(x.shape[1])]
        return self

    def transform(self, x):
        return np.concatenate([part.transform(x[:, band]) for band, part in enumerate(self.parts_)], axis=1)


def bank_csp():
    return PerBand(lambda: CSP(nfilter=4, metric="euclid", log=True))


def bank_tangent():
    return PerBand(lambda: TangentSpace(metric="riemann"))


def mne_csp():
    return MneCsp(n_components=6, reg="oas", log=True)


class Augmented(TransformerMixin, BaseEstimator):
    """Covariances of the signal stacked with delayed copies of itself (Carrara & Papadopoulo 2023)."""

    def __init__(self, order=2, lag=4):
        self.order = order
        self.lag = lag

    def fit(self, x, y=None):
        return self

    def transform(self, x):
        reach = (self.order - 1) * self.lag
        length = x.shape[-1] - reach
        stacked = np.concatenate([x[..., i * self.lag : i * self.lag + length] for i in range(self.order)], axis=1)
        return Covariances(estimator="oas").transform(stacked)


class CcaFeatures(TransformerMixin, BaseEstimator):
    """Canonical correlation of each trial with sines and cosines of every stimulation frequency and its harmonics."""

    def __init__(self, frequencies, harmonics=3, rate=256):
        self.frequencies = frequencies
        self.harmonics = harmonics
        self.rate = rate

    def fit(self, x, y=None):
        return self

    def transform(self, x):
        t = np.arange(x.shape[-1]) / self.rate
        out = np.zeros((len(x), len(self.frequencies)))
        for j, f in enumerate(self.frequencies):
            waves = [g(2 * np.pi * h * f * t) for h in range(1, self.harmonics + 1) for g in (np.sin, np.cos)]
            reference = orthonormal(np.stack(waves, axis=1))
            for i, trial in enumerate(x):
                out[i, j] = np.linalg.svd(orthonormal(trial.T).T @ reference, compute_uv=False)[0]
        return out


def orthonormal(columns):
    return np.linalg.qr(columns - columns.mean(axis=0))[0]


class CcaArgmax(ClassifierMixin, BaseEstimator):
    """The classic: the frequency with the greatest correlation (Lin 2006); labels without a frequency are never answered."""

    def __init__(self, frequencies, labels):
        self.frequencies = frequencies
        self.labels = labels

    def fit(self, x, y):
        self.classes_ = np.unique(y)
        return self

    def predict(self, x):
        return np.array(self.labels)[CcaFeatures(self.frequencies).transform(x).argmax(axis=1)]


def weights(bands, a=1.25, b=0.25):
    """Weights of the sub-bands as published (Chen 2015)."""
    return np.arange(1, bands + 1) ** -a + b


class FilterBankCca(ClassifierMixin, BaseEstimator):
    """Squared correlations of the sub-bands, weighted and summed; the largest wins (Chen 2015). `bands`: how many of those given are used."""

    def __init__(self, frequencies, labels, bands=5, harmonics=5):
        self.frequencies = frequencies
        self.labels = labels
        self.bands = bands
        self.harmonics = harmonics

    def fit(self, x, y):
        self.classes_ = np.unique(y)
        return self

    def predict(self, x):
        features = CcaFeatures(self.frequencies, self.harmonics)
        rho = np.stack([features.transform(x[:, m]) ** 2 for m in range(min(self.bands, x.shape[1]))])
        return np.array(self.labels)[np.tensordot(weights(len(rho)), rho, axes=1).argmax(axis=1)]


class Trca(ClassifierMixin, BaseEstimator):
    """Task-related component analysis of each sub-band (Nakanishi 2018); `ensemble`: the filters of all classes together."""

    def __init__(self, ensemble=True, bands=5):
        self.ensemble = ensemble
        self.bands = bands

    def fit(self, x, y):
        self.classes_ = np.unique(y)
        self.used_ = min(self.bands, x.shape[1])
        centred = x - x.mean(axis=-1, keepdims=True)
        self.templates_ = np.stack([centred[y == k].mean(axis=0) for k in self.classes_])
        self.filters_ = np.stack([[task_related(centred[y == k, m]) for k in self.classes_] for m in range(self.used_)])
        return self

    def predict(self, x):
        scores = np.zeros((len(x), len(self.classes_)))
        for m, weight in enumerate(weights(self.used_)):
            for k in range(len(self.classes_)):
                w = self.filters_[m] if self.ensemble else self.filters_[m, k : k + 1]
                template = (w @ self.templates_[k, m]).ravel()
                for i, trial in enumerate(x):
                    r = np.corrcoef((w @ trial[m]).ravel(), template)[0, 1]
                    scores[i, k] += weight * np.sign(r) * r**2
        return self.classes_[scores.argmax(axis=1)]


def task_related(trials):
    """The direction of space in which trials [trials × channels × samples] agree most."""
    total = trials.sum(axis=0)
    within = np.einsum("ncs,nds->cd", trials, trials)
    within = within + 1e-9 * np.trace(within) / len(within) * np.eye(len(within))
    return eigh(total @ total.T - within, within)[1][:, -1]
