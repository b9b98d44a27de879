"""Cross-validates pipelines on trials and folds that the bench wrote: `python crossvalidate.py JOB.json OUT.json`.

JOB: { data: float32 file, trials, channels, samples, labels, folds: [[test rows]], kind, pipelines: [ids], jobs }; folds may repeat a trial (several passes)
OUT: { pipelines: { id: { seconds, inputSeconds, foldSeconds, balancedAccuracy over all folds } }, wholeSeconds, separateSeconds, refitSeconds, and the same in CPU seconds }
Inputs (filters, covariances) are computed once for all pipelines and folds; `separate…` counts them for each pipeline, still once for all
folds, which is kinder than MOABB's own loop.
Folds run in parallel on `jobs` processes with one BLAS thread each; imports and process start are not timed.
"""

import json
import sys
import time
import warnings

import numpy as np
from joblib import Parallel, delayed
from sklearn.metrics import balanced_accuracy_score

from pipelines import shape_of
from signals import INPUTS
from twins import pipelines_of

warnings.filterwarnings("ignore")


def one_fold(kind, pipeline, shape, inputs, labels, test):
    warnings.filterwarnings("ignore")
    started = time.process_time()
    train = np.setdiff1d(np.arange(len(labels)), test)
    fitted = pipelines_of(kind)[pipeline][1](shape).fit(inputs[train], labels[train])
    return fitted.predict(inputs[test]), time.process_time() - started


def refit(kind, pipeline, shape, inputs, labels):
    pipelines_of(kind)[pipeline][1](shape).fit(inputs, labels)


def warm(_):
    import estimators, lightgbm, mne, pyriemann  # noqa: E401, F401

    return np.linalg.eigh(np.eye(3))


def main(job_path, out_path):
    with open(job_path) as file:
        job = json.load(file)
    x = np.fromfile(job["data"], dtype="<f4").reshape(job["trials"], job["channels"], job["samples"]).astype(np.float64)
    labels = np.array(job["labels"])
    folds = [np.array(rows) for rows in job["folds"]]
    shape, kind = shape_of(x, labels), job["kind"]
    shape["frequencies"] = shape["frequencies"] or [13.0, 17.0, 21.0]
    out, inputs = {}, {}
    with Parallel(n_jobs=job["jobs"]) as parallel:
        parallel(delayed(warm)(i) for i in range(8 * job["jobs"]))
        for pipeline in job["pipelines"]:
            key = pipelines_of(kind)[pipeline][0]
            if key not in inputs:
                started = time.perf_counter()
                cpu = time.process_time()
                value = INPUTS[key](x, shape["frequencies"])
                inputs[key] = value, time.perf_counter() - started, time.process_time() - cpu
            value, input_seconds, input_cpu = inputs[key]
            started = time.perf_counter()
            predictions = parallel(delayed(one_fold)(kind, pipeline, shape, value, labels, test) for test in folds)
            fold_seconds = time.perf_counter() - started
            score = balanced_accuracy_score(labels[np.concatenate(folds)], np.concatenate([answer for answer, _ in predictions]))
            out[pipeline] = {
                "seconds": round(input_seconds + fold_seconds, 4),
                "inputSeconds": round(input_seconds, 4),
                "foldSeconds": round(fold_seconds, 4),
                "cpuSeconds": round(input_cpu + sum(cpu for _, cpu in predictions), 4),
                "foldCpuSeconds": round(sum(cpu for _, cpu in predictions), 4),
                "balancedAccuracy": round(float(score), 4),
            }
            print(f"  {pipeline}: {out[pipeline]['seconds']:.2f} s, {score:.3f}", file=sys.stderr, flush=True)
    best = max(out, key=lambda p: out[p]["balancedAccuracy"])
    started = time.perf_counter()
    refit(kind, best, shape, inputs[pipelines_of(kind)[best][0]][0], labels)
    refit_seconds = time.perf_counter() - started
    whole_cpu = sum(value[2] for value in inputs.values()) + sum(p["foldCpuSeconds"] for p in out.values()) + refit_seconds
    whole = sum(value[1] for value in inputs.values()) + sum(p["foldSeconds"] for p in out.values()) + refit_seconds
    keys = [pipelines_of(kind)[p][0] for p in out]
    separate = sum(inputs[k][1] for k in keys) + sum(p["foldSeconds"] for p in out.values()) + refit_seconds
    separate_cpu = sum(inputs[k][2] for k in keys) + sum(p["foldCpuSeconds"] for p in out.values()) + refit_seconds
    with open(out_path, "w") as file:
        json.dump({"pipelines": out, "separateSeconds": round(separate, 4), "separateCpuSeconds": round(separate_cpu, 4), "wholeSeconds": round(whole, 4), "wholeCpuSeconds": round(whole_cpu, 4), "refitSeconds": round(refit_seconds, 4)}, file)


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2])
