"""Trials of each task, and the means that they are recentred by."""

from dataclasses import dataclass

import numpy as np
import torch

from bank import RUNS, Bank
from constants import SITES
from network import inverse_root, unpack

# Weight of the trial's own covariance in the mean that recentres it where nothing else is known of its person.
OWN_WEIGHT = 0.1


@dataclass(frozen=True)
class Task:
    """`rows`: trials in the bank. `labels`: 0 or 1. `context`: recording of each, as an index into `contexts`."""

    name: str
    rows: np.ndarray
    labels: np.ndarray
    person: np.ndarray
    run: np.ndarray
    context: np.ndarray


class Contexts:
    """
    Mean covariances [contexts × bands × sites × sites], one for each recording and set of events: those of a task with
    rest hold the rest as well.
    """

    def __init__(self, bank: Bank):
        self.bank = bank
        self.keys: dict[tuple[int, int, bool], int] = {}
        self.means: list[np.ndarray] = []

    def of(self, person: int, run: int, rest: bool) -> int:
        key = (person, run, rest)
        if key not in self.keys:
            own = (self.bank.person == person) & (self.bank.run == run)
            rows = np.flatnonzero(own if rest else own & (self.bank.event > 0))
            self.keys[key] = len(self.means)
            self.means.append(mean_covariance(self.bank, rows))
        return self.keys[key]

    def table(self) -> torch.Tensor:
        return torch.from_numpy(np.stack(self.means))


def mean_covariance(bank: Bank, rows: np.ndarray) -> np.ndarray:
    return unpack(bank.values[rows].mean((0, 2)), len(SITES))


def trial_means(bank: Bank, rows: np.ndarray) -> torch.Tensor:
    """Mean covariance of each trial [n × bands × sites × sites]."""
    return torch.from_numpy(unpack(bank.values[rows].mean(2), len(SITES)))


def centre_of(bank: Bank, people: list[int]) -> np.ndarray:
    """Mean over people of their mean covariances [bands × sites × sites], each in units of its mean variance."""
    means = []
    for who in people:
        mean = mean_covariance(bank, np.flatnonzero(bank.person == who))
        means.append(mean / np.trace(mean, axis1=1, axis2=2)[:, None, None] * mean.shape[1])
    return np.mean(means, 0)


def mixed(own: torch.Tensor, centre: torch.Tensor, sites: np.ndarray, weight: float) -> torch.Tensor:
    """weight · own + (1 − weight) · centre, the centre at the level of the trial on the used sites."""
    at = torch.as_tensor(sites)

    def level(matrix: torch.Tensor) -> torch.Tensor:
        return matrix.diagonal(dim1=-2, dim2=-1)[..., at].mean(-1)[..., None, None]

    return weight * own + (1 - weight) * centre * (level(own) / level(centre))


def recentring(means: torch.Tensor, sites: np.ndarray, shrinkage: float) -> torch.Tensor:
    at = torch.as_tensor(sites)
    return inverse_root(means[..., at[:, None], at[None, :]], shrinkage)


def tasks_of(bank: Bank, contexts: Contexts) -> dict[str, Task]:
    moved = bank.event > 0

    def task(name: str, chosen: np.ndarray, labels: np.ndarray, rest: bool) -> Task:
        rows = np.flatnonzero(chosen)
        context = [contexts.of(int(bank.person[r]), int(bank.run[r]), rest) for r in rows]
        return Task(name, rows, labels[rows].astype(np.float32), bank.person[rows], bank.run[rows], np.array(context))

    def runs(name: str) -> np.ndarray:
        return np.isin(bank.run, [int(run) for run in RUNS[name]])

    second = bank.event == 2
    names = ("left_right_imagined", "left_right_executed", "fists_feet_imagined")
    found = {name: task(name, moved & runs(name), second, False) for name in names}
    found["movement_rest"] = task("movement_rest", bank.run > 0, moved, True)
    return found
