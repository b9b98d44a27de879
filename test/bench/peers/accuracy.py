"""Balanced accuracy of every pipeline, fit on the earlier sessions, tested on the last: `python accuracy.py OUT.json [set/subject …]`.

`--only A,B` runs these pipelines where they are meant for the set, and adds them to what OUT.json holds.
"""

import argparse
import json
import pathlib
import sys
import time
import warnings

from sklearn.metrics import balanced_accuracy_score

import sets
from pipelines import BY_KIND, shape_of
from signals import INPUTS

warnings.filterwarnings("ignore")


def rotations(name, labels, sessions):
    """The rows to fit and to test on; EDF imagery: each run held out once."""
    if not name.startswith("eegmmidb_edf/"):
        return {name: sets.earlier_and_last(labels, sessions)}
    parts = {}
    for held in sorted(set(sessions)):
        parts[f"{name}:{held}"] = ((sessions != held).nonzero()[0], (sessions == held).nonzero()[0])
    return parts


def evaluate(name, only=None):
    x, labels, sessions, _ = sets.read(name)
    shape = shape_of(x, labels)
    kind = sets.KINDS[name.split("/")[0]]
    inputs, results = {}, {}
    for part, (train, test) in rotations(name, labels, sessions).items():
        scores = {}
        for pipeline, (key, make) in BY_KIND[kind].items():
            if only and pipeline not in only:
                continue
            if key not in inputs:
                inputs[key] = INPUTS[key](x, shape["frequencies"])
            started = time.perf_counter()
            fitted = make(shape).fit(inputs[key][train], labels[train])
            score = balanced_accuracy_score(labels[test], fitted.predict(inputs[key][test]))
            scores[pipeline] = {"balancedAccuracy": round(float(score), 4), "seconds": round(time.perf_counter() - started, 3)}
        results[part] = {"kind": kind, "trials": len(train), "tested": len(test), "pipelines": scores}
        best = max(scores, key=lambda p: scores[p]["balancedAccuracy"])
        print(f"{part}: best {best} {scores[best]['balancedAccuracy']}", file=sys.stderr, flush=True)
    return results


def main(out, wanted, only):
    held = pathlib.Path(out)
    results = json.loads(held.read_text()) if only and held.exists() else {}
    for name in wanted or [*sets.names(), *(f"eegmmidb_edf/{s}" for s in sets.imagery_subjects())]:
        kind = sets.KINDS[name.split("/")[0]]
        if only and not set(only) & set(BY_KIND[kind]):
            continue
        for part, result in evaluate(name, only).items():
            earlier = results.get(part, {}).get("pipelines", {})
            results[part] = {**result, "pipelines": {**earlier, **result["pipelines"]}}
        held.write_text(json.dumps(results, indent=1))


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("out")
    parser.add_argument("wanted", nargs="*")
    parser.add_argument("--only", type=lambda text: text.split(","))
    given = parser.parse_args()
    main(given.out, given.wanted, given.only)
