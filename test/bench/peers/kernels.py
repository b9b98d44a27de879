"""Time of single numeric steps in NumPy, SciPy and pyRiemann: `python kernels.py OUT.json`; least milliseconds of several runs."""

import json
import sys
import time

import numpy as np
import scipy.signal
from pyriemann.geometry.covariance import covariances
from pyriemann.geometry.mean import mean_riemann
from pyriemann.geometry.tangentspace import tangent_space
from pyriemann.geometry.base import logm


def least(work, runs):
    work()
    times = []
    for _ in range(runs):
        start = time.process_time()
        work()
        times.append(time.process_time() - start)
    return 1e3 * min(times)


def trials(n, channels, samples):
    return np.random.default_rng(1).uniform(-10, 10, (n, channels, samples))


out = {}
for channels, samples in [(22, 1024), (64, 1024), (64, 256)]:
    x = trials(20, channels, samples)
    out[f"covariance {channels} × {samples}"] = least(lambda: [y @ y.T for y in x], 20) / 20
    sos = scipy.signal.butter(4, (8, 32), "bandpass", output="sos", fs=256)
    out[f"filter {channels} × {samples}"] = least(lambda: scipy.signal.sosfiltfilt(sos, x, axis=-1), 5) / 20
for side in (8, 22, 64):
    c = covariances(trials(20, side, 256), "scm")
    out[f"eigenvectors {side}"] = least(lambda: np.linalg.eigh(c), 20) / 20
    out[f"logarithm {side}"] = least(lambda: logm(c), 20) / 20
for side in (22, 64):
    c = covariances(trials(200, side, 256), "oas")
    out[f"mean and tangent vectors 200 × {side}"] = least(lambda: tangent_space(c, mean_riemann(c)), 3)
    out[f"tangent vectors 200 × {side}"] = least(lambda: tangent_space(c, c[0]), 3)
a = trials(1, 200, 2080)[0]
out["Gram matrix 200 × 2080"] = least(lambda: a @ a.T, 10)
x = trials(130, 13, 1000)
out["resample 130 × 13 × 1000"] = least(lambda: scipy.signal.resample_poly(x, 128, 125, axis=-1, window=("kaiser", 5.0), padtype="line"), 5)

with open(sys.argv[1], "w") as file:
    json.dump(out, file)
