"""Golden numbers of recentring, from pyriemann.transfer and scikit-learn.

    python test/ml/golden/make_transfer.py > test/ml/golden/transfer.json

Training trials of three sessions and a batch that is decided. TLCenter moves a session's mean to the identity; here it
lands on the mean of the training trials, and a session of n trials goes n / (n + 8) of the way (on the geodesic), as
few trials place their mean badly. Log powers are moved by TLCenter of vectors, and what sleep is read from by
RobustScaler; scales go that part of the way as a power. TLScale has no twin: spread of matrices stays.
"""
import json

import numpy as np
from pyriemann.geometry.base import sqrtm
from pyriemann.geometry.geodesic import geodesic_riemann
from pyriemann.transfer import TLCenter, encode_domains
from sklearn.preprocessing import RobustScaler

CHANNELS, WIDTH, PRIOR = 4, 3, 8
SESSIONS = [9, 14, 5]


def centre_of(x, metric):
    """Mean of matrices as TLCenter holds it."""
    whitening = TLCenter("all", metric=metric).fit(x, encode_domains(x, np.zeros(len(x), int), np.full(len(x), "all"))[1]).centers_["all"]
    return whitening.inv_filters_.T @ whitening.inv_filters_


def matrices(x, centre, metric):
    trust = len(x) / (len(x) + PRIOR)
    reached = geodesic_riemann(centre, centre_of(x, metric), trust)
    whitened = TLCenter("part").fit(reached[None], encode_domains(reached[None], [0], ["part"])[1]).transform(x)
    return sqrtm(centre) @ whitened @ sqrtm(centre)


def vectors(x, centre):
    trust = len(x) / (len(x) + PRIOR)
    domains = encode_domains(x, np.zeros(len(x), int), np.full(len(x), "part"))[1]
    return trust * (TLCenter("part").fit_transform(x, domains) + centre) + (1 - trust) * x


def scaler(x):
    return RobustScaler(quantile_range=(5, 95)).fit(x)


def scaled(x, centre):
    trust = len(x) / (len(x) + PRIOR)
    own = scaler(x)
    place = trust * centre.center_ + (1 - trust) * own.center_
    return place + own.transform(x) * own.scale_ ** (1 - trust) * centre.scale_**trust


def covariances(count, rng):
    mixing = np.eye(CHANNELS) + 0.5 * rng.standard_normal((CHANNELS, CHANNELS))
    x = mixing @ rng.standard_normal((count, CHANNELS, 30))
    return np.round(np.einsum("ncs,nds->ncd", x, x) / 30, 4)


def main():
    rng = np.random.default_rng(11)
    counts = [*SESSIONS, 41]
    cov = np.concatenate([covariances(n, rng) for n in counts])
    table = np.concatenate([rng.standard_normal(WIDTH) + np.exp(rng.standard_normal(WIDTH)) * rng.standard_normal((n, WIDTH)) for n in counts])
    table = np.round(table, 4)
    edges = np.cumsum([0, *counts])
    groups = [slice(i, j) for i, j in zip(edges, edges[1:])]
    train = slice(0, edges[3])
    centres = {metric: centre_of(cov[train], metric) for metric in ("riemann", "euclid")}
    upper = lambda c: np.round(c[..., *np.triu_indices(CHANNELS)], 6).ravel().tolist()
    each = lambda move: np.concatenate([move(group) for group in groups])
    print(json.dumps({
        "channels": CHANNELS, "sessions": SESSIONS, "cov/8-32": upper(cov), "table": table.ravel().tolist(),
        "moved": {
            "riemannian": upper(each(lambda g: matrices(cov[g], centres["riemann"], "riemann"))),
            "euclidean": upper(each(lambda g: matrices(cov[g], centres["euclid"], "euclid"))),
            "logpower": np.round(each(lambda g: vectors(table[g], table[train].mean(axis=0))), 6).ravel().tolist(),
            "sleep": np.round(each(lambda g: scaled(table[g], scaler(table[train]))), 6).ravel().tolist(),
        },
    }, separators=(",", ":")))


main()
