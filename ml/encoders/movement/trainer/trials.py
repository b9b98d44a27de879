"""Trials of each task, and the means that they are recentred by."""

from dataclasses import dataclass

import numpy as np
import torch

from bank import RUNS, Bank
from constants import SITES
from network import inverse_root, unpack


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
