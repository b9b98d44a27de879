"""Golden numbers of the forward pass of attention heads, from NumPy in float64.

    python test/ml/golden/make_attention.py > test/ml/golden/attention.json

Attention pooling as in Ilse, Tomczak & Welling 2018 (equation 8), one dense layer on the pooled token, log-softmax.
"""
import json

import numpy as np


def case(rng, rows, tokens, width, hidden, classes):
    def drawn(*shape):
        return np.round(rng.standard_normal(shape), 3)

    x = drawn(rows, tokens, width)
    attend, shift, score = drawn(hidden, width), drawn(hidden), 2 * drawn(hidden)
    weights, bias = drawn(classes, width), drawn(classes)
    scores = np.tanh(np.einsum("ntw,hw->nth", x, attend) + shift) @ score
    share = np.exp(scores - scores.max(axis=1, keepdims=True))
    share /= share.sum(axis=1, keepdims=True)
    logits = np.einsum("nt,ntw->nw", share, x) @ weights.T + bias
    top = logits.max(axis=1, keepdims=True)
    logs = logits - top - np.log(np.exp(logits - top).sum(axis=1, keepdims=True))
    named = dict(x=x, attend=attend, shift=shift, score=score, weights=weights, bias=bias, logs=logs)
    return dict(width=width, tokens=tokens, **{name: value.ravel().tolist() for name, value in named.items()})


random = np.random.default_rng(20181)
print(json.dumps([case(random, 4, 3, 5, 4, 2), case(random, 3, 1, 6, 2, 3), case(random, 2, 19, 4, 8, 5)]))
