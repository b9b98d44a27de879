"""Golden numbers of the calibration error, from scikit-learn and NumPy.

    python test/ml/golden/make_calibration.py > test/ml/golden/calibration.json

Ten bins of equal size over the probability of the predicted class. Where classes are of one size, means and accuracies
are those of scikit-learn's calibration_curve on quantiles; else every trial weighs 1 / (K · trials of its class).
"""
import json

import numpy as np
from sklearn.calibration import calibration_curve


def dataset(counts, seed):
    rng = np.random.default_rng(seed)
    y = rng.permutation(np.repeat(np.arange(len(counts)), counts))
    logits = rng.standard_normal((len(y), len(counts))) + 1.2 * np.eye(len(counts))[y]
    p = np.exp(1.5 * logits)
    p = np.round(p / p.sum(axis=1, keepdims=True), 5)
    confidence, right = p.max(axis=1), (p.argmax(axis=1) == y).astype(float)
    assert len(set(confidence)) == len(y)
    weights = 1 / len(counts) / np.array(counts)[y]
    bins = np.array_split(np.argsort(confidence), 10)
    of = lambda values: np.array([np.average(values[b], weights=weights[b]) for b in bins])
    probability, accuracy, weight = of(confidence), of(right), np.array([weights[b].sum() for b in bins])
    if len(set(counts)) == 1:
        theirs = calibration_curve(right, confidence, n_bins=10, strategy="quantile")
        assert np.allclose(theirs, [accuracy, probability])
    return {
        "labels": y.tolist(), "classes": len(counts), "probabilities": p.ravel().tolist(), "error": float(weight @ np.abs(probability - accuracy)),
        "bins": [{"probability": a, "accuracy": b, "weight": c} for a, b, c in zip(probability, accuracy, weight)],
    }


print(json.dumps([dataset([60, 60], 1), dataset([75, 30, 15], 2), dataset([30] * 4, 3)], separators=(",", ":")))
