"""Golden numbers of gradient-boosted trees, from LightGBM and scikit-learn.

    python test/ml/golden/make_boosted_trees.py > test/ml/golden/boosted-trees.json

`exact`: LightGBM on features of few levels, so that both sides cut them at the same places; every tree with its splits,
and scores of all trials. `counted`: scikit-learn on continuous features, with leaves of four trials or more; it does
not raise curvatures by K / (K - 1), but the same trees come of a penalty and a rate divided by that (with two classes,
where it grows one tree a round, of the penalty alone). Seeds: no two splits part the trials alike (in a tie the sides
choose differently, and scores differ by up to 6 %), and LightGBM, which guesses the trials of a leaf from their
curvature, passes no split over.
"""
import json

import lightgbm as lgb
import numpy as np
from sklearn.ensemble import HistGradientBoostingClassifier


def train(x, y, weights, rounds, **more):
    settings = dict(
        objective="multiclass", num_class=int(y.max()) + 1, lambda_l2=1.0, min_data_in_bin=1,
        boost_from_average=False, feature_pre_filter=False, deterministic=True, num_threads=1, verbose=-1, **more,
    )
    return lgb.train(settings, lgb.Dataset(x, y, weight=weights, params=settings), rounds)


def nodes(tree):
    """Splits [feature, threshold] and leaves [value], each node before its left and then its right child."""
    if "split_feature" not in tree:
        return [[tree["leaf_value"]]]
    return [[tree["split_feature"], tree["threshold"]], *nodes(tree["left_child"]), *nodes(tree["right_child"])]


def exact(classes, seed, trials=60, dimension=5):
    rng = np.random.default_rng(seed)
    y = rng.permutation(np.arange(trials) % classes)
    shift = 2.5 * np.eye(classes, dimension)[y]
    x = 1 + np.clip(np.round(3 + shift + 1.5 * rng.standard_normal((trials, dimension))), 0, 7)
    weights = np.round(rng.uniform(0.5, 1.5, trials), 3)
    settings = dict(learning_rate=0.2, num_leaves=5, max_depth=3, min_data_in_leaf=0)
    fitted = train(x, y, weights, 6, **settings)
    trees = [nodes(info["tree_structure"]) for info in fitted.dump_model()["tree_info"]]
    return {
        "classes": classes, "dimension": dimension, "rounds": 6, "rate": 0.2, "leaves": 5, "depth": 3, "labels": y.tolist(),
        "x": x.astype(int).ravel().tolist(), "weights": weights.tolist(), "trees": [[np.round(n, 9).tolist() for n in t] for t in trees],
        "scores": np.round(fitted.predict(x, raw_score=True), 7).ravel().tolist(),
    }


def counted(classes, seed, trials=50, dimension=6):
    """Classes of unequal size, fitted with the settings of the method `sleep-trees` but for the draw of columns."""
    rng = np.random.default_rng(seed)
    y = rng.choice(classes, trials, p=np.arange(classes, 0, -1) / np.arange(1, classes + 1).sum())
    x = np.round(10 + rng.standard_normal((trials, dimension)) + 1.2 * np.eye(classes, dimension)[y], 2)
    share = (classes - 1) / classes
    fitted = HistGradientBoostingClassifier(
        max_iter=80, learning_rate=0.1 * (1 if classes == 2 else share), l2_regularization=share, max_leaf_nodes=16, max_depth=5,
        min_samples_leaf=4, max_bins=64, early_stopping=False, class_weight="balanced",
    ).fit(x, y)
    scores = fitted.decision_function(x)
    scores = np.stack([-scores / 2, scores / 2], axis=1) if classes == 2 else scores - scores.mean(axis=1, keepdims=True)
    return {
        "classes": classes, "dimension": dimension, "labels": y.tolist(), "x": x.ravel().tolist(),
        "scores": np.round(scores, 6).ravel().tolist(),
    }


print(json.dumps({"exact": [exact(2, 1), exact(3, 2), exact(4, 21, 80)], "counted": [counted(2, 5), counted(3, 3), counted(5, 1)]}, separators=(",", ":")))
