"""Golden numbers of filter-bank common spatial patterns, from MNE, pyRiemann, SciPy and scikit-learn.

    python test/ml/golden/make_filter_bank.py > test/ml/golden/filter-bank.json

Trials i mod 4 = 0 are held out. Two classes: the filters of MNE, and pyRiemann's give the same log-variances. More
classes: each against the mean of the others, by SciPy. The information of each feature is that of Parzen windows
(SciPy's density with the width of Ang et al. 2008), where classes weigh alike; ten features go to scikit-learn's LDA.
"""
import json

import mne
import numpy as np
from pyriemann.spatialfilters import CSP
from scipy.linalg import eigh
from scipy.stats import gaussian_kde
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis

mne.set_log_level("error")
CHANNELS, SAMPLES, BANDS, FILTERS, KEPT = 4, 50, 4, 4, 10


def signals(labels, rng):
    """[trials × bands × channels × samples], each channel without its mean; sources gain power with the class in some bands."""
    classes = labels.max() + 1
    gains = np.exp(np.array([0.1, 0.5, 0.3, 0])[:, None] * rng.standard_normal((classes, BANDS, CHANNELS)))
    mixing = np.eye(CHANNELS) + 0.4 * rng.standard_normal((BANDS, CHANNELS, CHANNELS))
    x = np.einsum("bcd,nbds->nbcs", mixing, gains[labels][..., None] * rng.standard_normal((len(labels), BANDS, CHANNELS, SAMPLES)))
    return x - x.mean(axis=-1, keepdims=True)


def two(x, y, rows):
    """Log-variances of one band behind the filters of MNE."""
    csp = mne.decoding.CSP(n_components=FILTERS, reg=None, log=True, cov_est="epoch", component_order="mutual_info").fit(x[rows], y[rows])
    out = csp.transform(x)
    c = np.einsum("ncs,nds->ncd", x, x) / SAMPLES
    other = CSP(nfilter=FILTERS, metric="euclid", log=True).fit(c[rows], y[rows]).transform(c)
    constant = (out - other)[:1]
    assert np.allclose(out - other, constant, atol=1e-6), np.abs(out - other - constant).max()
    return out


def more(x, y, rows):
    c = np.einsum("ncs,nds->ncd", x, x) / SAMPLES
    means = np.stack([c[rows][y[rows] == k].mean(axis=0) for k in range(y.max() + 1)])
    filters = []
    for k, own in enumerate(means):
        values, vectors = eigh(own, own + np.delete(means, k, axis=0).mean(axis=0))
        order = np.argsort(-np.abs(values - 0.5))
        filters += list(vectors.T[order[: max(1, round(FILTERS / len(means)))]])
    w = np.array(filters)
    return np.log(np.einsum("fc,ncd,fd->nf", w, c, w))


def information(values, y):
    width = values.std() * (4 / 3 / len(values)) ** 0.2
    classes = np.unique(y)
    density = np.stack([gaussian_kde(values[y == k], bw_method=width / values[y == k].std(ddof=1))(values) for k in classes])
    posterior = density / density.sum(axis=0)
    weights = 1 / len(classes) / np.bincount(y)[y]
    return np.log(len(classes)) + np.sum(weights * posterior * np.log(posterior))


def dataset(counts, seed):
    rng = np.random.default_rng(seed)
    y = rng.permutation(np.repeat(np.arange(len(counts)), counts))
    x = signals(y, rng)
    held = np.arange(len(y)) % 4 == 0
    rows = np.flatnonzero(~held)
    features = np.concatenate([(two if len(counts) == 2 else more)(x[:, b], y, rows) for b in range(BANDS)], axis=1)
    scores = np.array([information(column, y[rows]) for column in features[rows].T])
    kept = np.argsort(-scores, kind="stable")[:KEPT]
    lda = LinearDiscriminantAnalysis(solver="lsqr", shrinkage="auto").fit(features[rows][:, kept], y[rows])
    decisions = features[held][:, kept] @ np.linalg.solve(lda.covariance_, lda.means_.T) - 0.5 * np.sum(lda.means_ * np.linalg.solve(lda.covariance_, lda.means_.T).T, axis=1)
    c = np.einsum("nbcs,nbds->nbcd", x, x) / SAMPLES
    return {
        "classes": len(counts), "channels": CHANNELS, "labels": y.tolist(), "fbcov": np.round(c[..., *np.triu_indices(CHANNELS)], 7).ravel().tolist(),
        "kept": kept.tolist(), "decisions": np.round(decisions - decisions.mean(axis=1, keepdims=True), 6).ravel().tolist(),
    }


print(json.dumps([dataset([18, 10], 1), dataset([7, 7, 14], 2)], separators=(",", ":")))
