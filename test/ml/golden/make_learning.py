"""Golden numbers of whole candidates from scikit-learn and pyRiemann, on folds i mod 5.

    python test/ml/golden/make_learning.py > test/ml/golden/learning.json

Inputs are written beside the results, so that both sides read the same features.
"""
import json
import warnings

import numpy as np
from pyriemann.classification import FgMDM, MDM
from pyriemann.estimation import ERPCovariances, XdawnCovariances
from pyriemann.spatialfilters import CSP
from pyriemann.tangentspace import TangentSpace
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import balanced_accuracy_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC
from sklearn.utils.class_weight import compute_sample_weight

warnings.filterwarnings("ignore")
rng = np.random.default_rng(7)


def covariances(labels, channels, strength, rng=rng):
    """Wishart matrices whose sources gain power with the class, mixed."""
    mixing = np.eye(channels) + 0.3 * rng.standard_normal((channels, channels))
    out = []
    for label in labels:
        gain = np.ones(channels)
        gain[label] *= strength
        x = mixing @ (gain[:, None] * rng.standard_normal((channels, 60)))
        out.append(x @ x.T / 60)
    return np.round(np.array(out), 8)


def packed(c):
    i, j = np.triu_indices(c.shape[-1])
    return c[..., i, j]


def balanced(c=1.0, **more):
    return LogisticRegression(C=c, class_weight="balanced", tol=1e-8, max_iter=20000, **more)


class Machines(ClassifierMixin, BaseEstimator):
    """One machine per class against the rest, trials weighted by the balance of all classes."""

    def fit(self, x, y):
        self.classes_ = np.unique(y)
        weights = compute_sample_weight("balanced", y)
        self.parts = [SVC(kernel="linear", C=1, tol=1e-6).fit(x, y == k, sample_weight=weights) for k in self.classes_]
        return self

    def predict(self, x):
        return self.classes_[np.argmax([part.decision_function(x) for part in self.parts], axis=0)]


def machine(classes):
    return SVC(kernel="linear", C=1, class_weight="balanced", tol=1e-6) if classes == 2 else Machines()


class Bank(TangentSpace):
    """Tangent vectors of several blocks side by side."""

    def fit(self, x, y=None):
        self.parts = [TangentSpace().fit(x[:, b]) for b in range(x.shape[1])]
        return self

    def transform(self, x):
        return np.hstack([part.transform(x[:, b]) for b, part in enumerate(self.parts)])

    def fit_transform(self, x, y=None):
        return self.fit(x).transform(x)


def score(pipeline, x, y):
    predicted = np.empty_like(y)
    values = []
    for fold in range(5):
        test = np.arange(len(y)) % 5 == fold
        fitted = clone(pipeline).fit(x[~test], y[~test])
        predicted[test] = fitted.predict(x[test])
        if fold == 0 and hasattr(fitted, "decision_function"):
            values = np.asarray(fitted.decision_function(x[test])).ravel().tolist()
    return {"balancedAccuracy": balanced_accuracy_score(y, predicted), "decision": np.round(values, 8).tolist()}


class Equal(LinearDiscriminantAnalysis):
    """Covariances pooled by the trials of each class, decided with equal priors."""

    def fit(self, x, y):
        super().fit(x, y)
        shift = np.log(self.priors_)
        self.intercept_ = self.intercept_ - (shift[1] - shift[0] if len(shift) == 2 else shift)
        return self


class TunedCsp(ClassifierMixin, BaseEstimator):
    """2 to 8 filters, as many as lose least where trial i of a class is left out with those of the same i mod 4."""

    def fit(self, x, y):
        part = np.empty(len(y), int)
        for k in np.unique(y):
            part[y == k] = np.arange(np.sum(y == k)) % 4
        weights = compute_sample_weight("balanced", y)
        losses = [sum(self.loss(n, x, y, weights, part == held) for held in range(4)) for n in (2, 4, 6, 8)]
        self.best = self.made((2, 4, 6, 8)[int(np.argmin(losses))]).fit(x, y)
        self.classes_ = self.best.classes_
        return self

    def made(self, n):
        return make_pipeline(CSP(nfilter=n), Equal())

    def loss(self, n, x, y, weights, held):
        fitted = self.made(n).fit(x[~held], y[~held])
        true = fitted.predict_proba(x[held])[np.arange(held.sum()), np.searchsorted(fitted.classes_, y[held])]
        return -np.sum(weights[held] * np.log(true))

    def predict(self, x):
        return self.best.predict(x)


def dataset(classes, trials, unbalanced):
    y = np.arange(trials) % classes
    if unbalanced:
        y[: trials // 3] = 0
    y = y[rng.permutation(trials)]
    channels = 6
    cov = covariances(y, channels, 1.25)
    bank = np.stack([cov, covariances(y, channels, 1.15)], axis=1)
    vectors = np.round(rng.standard_normal((trials, 24)) * np.linspace(0.5, 3, 24) + 0.35 * np.eye(classes, 24)[y] * 3, 6)
    time = np.arange(32) / 32
    shapes = np.array([np.sin(2 * np.pi * (k + 1) * time) for k in range(classes)])
    epochs = rng.standard_normal((trials, 4, 32)) + 0.45 * shapes[y][:, None, :] * np.array([1, 0.5, -0.3, 0.1])[None, :, None]
    epochs = np.round(epochs, 5)
    own = np.random.default_rng(70 + classes + unbalanced)
    stacked = covariances(y, 12, 1.3, own)
    elastic = balanced(solver="saga", penalty="elasticnet", l1_ratio=0.7)
    results = {
        "tangent-logistic": score(make_pipeline(TangentSpace(), balanced()), cov, y),
        "tangent-elastic-net": score(make_pipeline(TangentSpace(), elastic), cov, y),
        "tangent-svm": score(make_pipeline(TangentSpace(), machine(classes)), cov, y),
        "fgmdm": score(FgMDM(), cov, y),
        "mdm": score(MDM(), cov, y),
        "filter-bank-tangent": score(make_pipeline(Bank(), balanced()), bank, y),
        "windowed-means-lda": score(Equal(solver="lsqr", shrinkage="auto"), vectors, y),
        "log-power-logistic": score(make_pipeline(StandardScaler(), balanced()), vectors, y),
        "xdawn-tangent-logistic": score(make_pipeline(XdawnCovariances(nfilter=8 // classes, estimator="oas"), TangentSpace(), balanced()), epochs, y),
        "erp-tangent-logistic": score(make_pipeline(ERPCovariances(estimator="oas"), TangentSpace(), balanced()), epochs, y),
    }
    results["tangent-wide-logistic"] = results["tangent-logistic"]
    results["augmented-tangent-logistic"] = score(make_pipeline(TangentSpace(), balanced()), stacked, y)
    results["augmented-tangent-svm"] = score(make_pipeline(TangentSpace(), machine(classes)), stacked, y)
    results["ssvep-tangent-logistic"] = score(make_pipeline(TangentSpace(), balanced()), stacked, y)
    results["ssvep-mdm"] = score(MDM(), stacked, y)
    results["log-spectrum-logistic"] = score(make_pipeline(StandardScaler(), balanced(0.01)), vectors, y)
    results["cca-lda"] = results["windowed-means-lda"]
    if classes == 2:
        results["csp-tuned-lda"] = score(TunedCsp(), cov, y)
        results["csp-lda"] = score(make_pipeline(CSP(nfilter=6), Equal()), cov, y)
    return {
        "classes": classes, "labels": y.tolist(), "channels": channels, "epochChannels": 4,
        "cov/8-32": packed(cov).ravel().tolist(), "fbcov": packed(bank).ravel().tolist(),
        "stacked": packed(stacked).ravel().tolist(), "vectors": vectors.ravel().tolist(), "erp/windows/40": epochs.ravel().tolist(), "results": results,
    }


print(json.dumps([dataset(2, 60, False), dataset(2, 60, True), dataset(3, 60, False)]))
