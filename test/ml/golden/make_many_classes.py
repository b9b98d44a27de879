"""Golden numbers of 4 to 20 classes, from scikit-learn and pyRiemann.

    python test/ml/golden/make_many_classes.py > test/ml/golden/many-classes.json

The first fifth of each class is held out of every fit. Decisions are those of the held-out trials, less what all
classes share. The penalty of ridge is the one that RidgeCV finds by leaving one out; where classes are of one size,
RidgeClassifierCV finds the same.
"""
import json
import warnings

import numpy as np
from pyriemann.classification import MDM
from pyriemann.tangentspace import TangentSpace
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.linear_model import LogisticRegression, Ridge, RidgeClassifierCV, RidgeCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

warnings.filterwarnings("ignore")
CHANNELS, COLUMNS = 4, 10
SHARES = 10 ** np.arange(-3, 1.1, 0.5)


class Equal(LinearDiscriminantAnalysis):
    """Covariances pooled by the trials of each class, decided with equal priors."""

    def fit(self, x, y):
        super().fit(x, y)
        self.intercept_ = self.intercept_ - np.log(self.priors_)
        return self


class NearestRidge:
    """Ridge on class indicators that weigh classes alike; log-scores by the distance of the outputs to the class means."""

    def fit(self, x, y):
        n, classes = len(y), y.max() + 1
        counts = np.bincount(y)
        targets = ((np.arange(classes) == y[:, None]) * n / counts - 1) / classes
        alphas = SHARES * np.mean(np.sum((x - x.mean(axis=0)) ** 2, axis=1))
        found = RidgeCV(alphas, store_cv_results=True).fit(x, targets)
        errors = np.einsum("nka,n->a", found.cv_results_, 1 / counts[y])
        best = int(np.argmin(errors))
        if len(set(counts)) == 1:
            assert found.alpha_ == alphas[best] == RidgeClassifierCV(alphas, class_weight="balanced").fit(x, y).alpha_
        self.share = SHARES[best]
        self.ridge = Ridge(alphas[best]).fit(x, targets)
        outputs = self.ridge.predict(x)
        self.means = np.stack([outputs[y == k].mean(axis=0) for k in range(classes)])
        self.variance = errors[best] / classes**2
        return self

    def decision_function(self, x):
        away = self.ridge.predict(x)[:, None] - self.means
        return -np.sum(away**2, axis=2) / 2 / self.variance


class Distances(MDM):
    """Minimum distance to mean, its log-scores minus the squared distance."""

    def decision_function(self, x):
        return -self.transform(x) ** 2


class RidgeOn(NearestRidge):
    """The same on what `first` makes of the trials."""

    def __init__(self, first):
        self.first = first

    def fit(self, x, y):
        return super().fit(self.first.fit_transform(x), y)

    def decision_function(self, x):
        return super().decision_function(self.first.transform(x))


def trials(labels, spread, rng):
    """Covariances [n × 4 × 4] whose sources gain power with the class, and vectors [n × 10] around a point of the class."""
    classes = labels.max() + 1
    mixing = np.eye(CHANNELS) + 0.3 * rng.standard_normal((CHANNELS, CHANNELS))
    gains = np.exp(0.4 * rng.standard_normal((classes, CHANNELS)))
    x = np.einsum("cd,nds->ncs", mixing, gains[labels][:, :, None] * rng.standard_normal((len(labels), CHANNELS, 40)))
    points = spread * rng.standard_normal((classes, COLUMNS)) * np.linspace(0.3, 2, COLUMNS)
    vectors = points[labels] + rng.standard_normal((len(labels), COLUMNS)) * np.linspace(2, 0.5, COLUMNS)
    return np.round(np.einsum("ncs,nds->ncd", x, x) / 40, 4), np.round(vectors, 3)


def decisions(pipeline, x, labels, held):
    values = pipeline.fit(x[~held], labels[~held]).decision_function(x[held])
    return np.round(values - values.mean(axis=1, keepdims=True), 5).ravel().tolist()


def dataset(counts, spread, seed):
    rng = np.random.default_rng(seed)
    labels = rng.permutation(np.repeat(np.arange(len(counts)), counts))
    cov, vectors = trials(labels, spread, rng)
    within = [np.sum(labels[:i] == label) for i, label in enumerate(labels)]
    held = np.array(within) < np.array(counts)[labels] // 5
    logistic = lambda: LogisticRegression(class_weight="balanced", tol=1e-9, max_iter=20000)
    ridge, tangent = RidgeOn(StandardScaler()), RidgeOn(TangentSpace())
    upper = cov[:, *np.triu_indices(CHANNELS)]
    results = {
        "windowed-means-lda": decisions(Equal(solver="lsqr", shrinkage="auto"), vectors, labels, held),
        "log-power-logistic": decisions(make_pipeline(StandardScaler(), logistic()), vectors, labels, held),
        "log-power-ridge": decisions(ridge, vectors, labels, held),
        "mdm": decisions(Distances(), cov, labels, held),
        "tangent-logistic": decisions(make_pipeline(TangentSpace(), logistic()), cov, labels, held),
        "tangent-ridge": decisions(tangent, cov, labels, held),
    }
    return {
        "classes": len(counts), "channels": CHANNELS, "labels": labels.tolist(), "train": np.flatnonzero(~held).tolist(),
        "cov/8-32": upper.ravel().tolist(), "vectors": vectors.ravel().tolist(),
        "penalties": {"log-power-ridge": ridge.share, "tangent-ridge": tangent.share}, "results": results,
    }


print(json.dumps([dataset([8] * 4, 0.6, 1), dataset([14, 9, 6, 6, 5], 0.6, 2), dataset([6] * 10, 1, 3), dataset([5] * 20, 1.2, 4)], separators=(",", ":")))
