"""One network for each fold of people, and its answers about the people of the fold, whom it did not see."""

from dataclasses import dataclass

import numpy as np
import torch

from bank import RUNS, Bank
from fit import Settings, fit
from montages import SCORED, used
from network import Network
from score import log_odds
from trials import OWN_WEIGHT, Contexts, Task, centre_of, mean_covariance, mixed, tasks_of, trial_means

FOLDS = 5


def folds_of(people: list[int], seed: int) -> list[list[int]]:
    order = np.random.default_rng(seed).permutation(sorted(people))
    return [sorted(int(who) for who in order[n::FOLDS]) for n in range(FOLDS)]


@dataclass
class FoldAnswers:
    """`odds`: log-odds by (task, montage, way of recentring), with the rows of the task that they answer."""

    network: Network
    odds: dict[tuple[str, str, str], tuple[np.ndarray, np.ndarray]]


def run_fold(bank: Bank, fold: list[int], settings: Settings, seed: int) -> FoldAnswers:
    contexts = Contexts(bank)
    tasks = tasks_of(bank, contexts)
    others = sorted(set(bank.person.tolist()) - set(fold))
    centre = torch.from_numpy(centre_of(bank, others))
    network = fit(bank, contexts.table(), centre, tasks, set(others), settings, seed)
    odds = {}
    for name, task in tasks.items():
        rows = np.flatnonzero(np.isin(task.person, fold))
        if not len(rows):
            continue
        ways = {"batch": (rows, contexts.table(), task.context[rows])}
        if name.startswith("left_right"):
            ways |= earlier_runs(bank, task, rows)
        for montage, names in SCORED.items():
            sites = used(names)
            for way, (asked, means, context) in ways.items():
                odds[name, montage, way] = asked, log_odds(network, bank, task, asked, means, context, sites, settings.shrinkage)
            odds[name, montage, "alone"] = rows, alone(network, bank, task, rows, centre, sites, settings.shrinkage)
    return FoldAnswers(network, odds)


def earlier_runs(bank: Bank, task: Task, rows: np.ndarray) -> dict:
    """Trials of the last run, recentred by the person's first run or by the first two: 15 or 30 trials of one's own."""
    runs = [int(run) for run in RUNS[task.name]]
    last = rows[task.run[rows] == runs[-1]]
    ways = {}
    for trials, count in ((15, 1), (30, 2)):
        means, context, asked = [], [], []
        for who in np.unique(task.person[last]):
            own = task.rows[(task.person == who) & np.isin(task.run, runs[:count])]
            if not len(own):
                continue
            mine = last[task.person[last] == who]
            asked.append(mine)
            context += [len(means)] * len(mine)
            means.append(mean_covariance(bank, own))
        if means:
            ways[f"own{trials}"] = np.concatenate(asked), torch.from_numpy(np.stack(means)), np.array(context)
    return ways


def alone(network: Network, bank: Bank, task: Task, rows: np.ndarray, centre: torch.Tensor, sites: np.ndarray,
          shrinkage: float) -> np.ndarray:
    """Log-odds of single trials of unknown people: recentred by the mean of the training people and the trial itself."""
    out = []
    for part in np.array_split(rows, max(1, len(rows) // 64)):
        means = mixed(trial_means(bank, task.rows[part]), centre, sites, OWN_WEIGHT)
        out.append(log_odds(network, bank, task, part, means, np.arange(len(part)), sites, shrinkage))
    return np.concatenate(out)
