"""Golden numbers of gradient-boosted trees, from LightGBM.

    python test/ml/golden/make_boosted_trees.py > test/ml/golden/boosted-trees.json

`exact`: features of few levels, so that both sides cut them at the same places; every tree with its splits, and scores of all trials.
The seeds are some where no two splits part the trials alike (a tie, where sides may differ) and where LightGBM finds the best split though it
guesses the trials of a leaf from their curvature.
`close`: continuous features, cut and drawn by each side in its own way; scores of trials held out.
"""
import json

import lightgbm as lgb
import numpy as np


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


def close(classes, seed, train_count=160, test_count=80, dimension=8):
    """Classes of unequal size, fitted with the settings of the method `sleep-trees`."""
    rng = np.random.default_rng(seed)
    share = np.arange(classes, 0, -1) / np.arange(1, classes + 1).sum()
    y = rng.choice(classes, train_count + test_count, p=share)
    x = np.round(10 + rng.standard_normal((len(y), dimension)) + 1.2 * np.eye(classes, dimension)[y], 2)
    counts = np.bincount(y[:train_count])
    weights = train_count / classes / counts[y[:train_count]]
    settings = dict(learning_rate=0.1, num_leaves=16, max_depth=5, min_data_in_leaf=4, max_bin=64, feature_fraction=0.35, seed=1)
    scores = train(x[:train_count], y[:train_count], weights, 80, **settings).predict(x[train_count:], raw_score=True)
    return {
        "classes": classes, "dimension": dimension, "train": train_count, "labels": y.tolist(), "x": x.ravel().tolist(),
        "scores": np.round(scores, 4).ravel().tolist(),
    }


print(json.dumps({"exact": [exact(2, 1), exact(3, 2), exact(4, 21, 80)], "close": [close(2, 4), close(5, 5)]}, separators=(",", ":")))
