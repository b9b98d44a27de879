"""Recordings in; weights, sketches of the people, model card and golden outputs out. See README.md."""

import argparse
import hashlib
import os
import pickle
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from pathlib import Path

import torch

from bank import load_bank
from card import write
from fit import Settings
from folds import FoldAnswers, folds_of, run_fold
from people import write_people

HERE = Path(__file__).parent
# Files that decide what a fold answers: a change of them trains again.
LEARNING = {"bank.py", "constants.py", "fit.py", "folds.py", "montages.py", "network.py", "recordings.py", "score.py", "trials.py"}


def fold_answers(address: str, cache: str, people: int | None, settings: Settings, seed: int, n: int) -> FoldAnswers:
    """One fold, kept in the cache, so that training goes on where it stopped."""
    torch.set_num_threads(1)
    torch.use_deterministic_algorithms(True)
    bank = load_bank(address, Path(cache), people)
    code = b"".join(path.read_bytes() for path in sorted(HERE.glob("*.py")) if path.name in LEARNING)
    key = hashlib.sha256(code + repr((bank.key, settings, seed)).encode()).hexdigest()[:12]
    kept = Path(cache) / f"fold-{key}-{n}.pickle"
    if not kept.exists():
        folds = folds_of(sorted(set(bank.person.tolist())), seed)
        answers = run_fold(bank, folds[n], settings, seed * 100 + n)
        kept.write_bytes(pickle.dumps(answers))
    return pickle.loads(kept.read_bytes())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", default=os.environ.get("REFERENCE_DATA_URL"), help="folder of recordings; default: REFERENCE_DATA_URL")
    parser.add_argument("--out", type=Path, default=HERE.parent, help="folder of the results; default: the one above")
    parser.add_argument("--cache", type=Path, required=True, help="folder for intermediate files, about 2 GB, outside the repository")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--jobs", type=int, default=1, help="networks trained at the same time, one core each")
    parser.add_argument("--epochs", type=int, help="for a quick trial of the trainer")
    parser.add_argument("--people", type=int, help="the first so many people only; for a quick trial of the trainer")
    asked = parser.parse_args()
    if not asked.data:
        parser.error("say where the recordings are: --data FOLDER or REFERENCE_DATA_URL=file:/FOLDER")
    settings = replace(Settings(), epochs=asked.epochs) if asked.epochs else Settings()
    bank = load_bank(asked.data, asked.cache, asked.people)
    folds = folds_of(sorted(set(bank.person.tolist())), asked.seed)
    with ProcessPoolExecutor(asked.jobs) as pool:
        work = [pool.submit(fold_answers, asked.data, str(asked.cache), asked.people, settings, asked.seed, n) for n in range(len(folds))]
        answers = [each.result() for each in work]
    asked.out.mkdir(parents=True, exist_ok=True)
    people = write_people(asked.out, asked.data, asked.people)
    write(asked.out, people, bank, folds, answers, settings, asked.seed)


if __name__ == "__main__":
    main()
