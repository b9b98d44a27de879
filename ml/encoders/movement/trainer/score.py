"""Scores of people whom the network did not see."""

import numpy as np
import torch

from bank import Bank
from fit import take
from network import HEADS, Network
from trials import Task, recentring


@torch.no_grad()
def log_odds(network: Network, bank: Bank, task: Task, rows: np.ndarray, means: torch.Tensor, context: np.ndarray,
             sites: np.ndarray, shrinkage: float) -> np.ndarray:
    """Log-odds of trials `rows` of a task, each recentred by its `context` (index into `means`)."""
    unique, place = np.unique(context, return_inverse=True)
    recentres = recentring(means[torch.as_tensor(unique)], sites, shrinkage)
    out = []
    for part in np.array_split(np.arange(len(rows)), max(1, len(rows) // 128)):
        covariance = take(bank, task.rows[rows[part]], sites)
        odds = network(covariance, recentres[torch.as_tensor(place[part])], torch.as_tensor(sites))
        out.append(odds[:, HEADS.index(task.name)].numpy())
    return np.concatenate(out)


def balanced(labels: np.ndarray, odds: np.ndarray) -> float:
    right = (odds > 0) == (labels > 0.5)
    return float(np.mean([right[labels == k].mean() for k in np.unique(labels)]))


def by_person(task: Task, rows: np.ndarray, odds: np.ndarray) -> dict[int, float]:
    person = task.person[rows]
    return {int(who): balanced(task.labels[rows][person == who], odds[person == who]) for who in np.unique(person)}


def summary(scores: dict[int, float]) -> tuple[float, float, int]:
    values = np.array(list(scores.values()))
    return float(values.mean()), float(values.std(ddof=1) / len(values) ** 0.5), len(values)
