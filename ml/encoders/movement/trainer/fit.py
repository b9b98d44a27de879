"""Training of one network on some people."""

import time
from dataclasses import dataclass

import numpy as np
import torch
from torch.nn import functional

from bank import Bank
from constants import SITES
from montages import random_montage
from network import HEADS, Network, packed_index
from trials import OWN_WEIGHT, Task, mixed, recentring, trial_means


@dataclass(frozen=True)
class Settings:
    spatial: int = 24
    hidden: int = 16
    eps: float = 0.03
    dropout: float = 0.5
    windows: int = 1
    metres: float = 0.03
    shrinkage: float = 0.02
    epochs: int = 24
    batch: int = 64
    rate: float = 3e-3
    decay: float = 1e-2
    smoothing: float = 0.1
    montages: int = 48
    # Share of the batches of each task.
    shares: tuple[tuple[str, float], ...] = (
        ("left_right_imagined", 0.45),
        ("left_right_executed", 0.2),
        ("movement_rest", 0.3),
        ("fists_feet_imagined", 0.05),
    )
    # Share of the batches by what recentres a trial: the mean of its recording, that of another recording of the person,
    # or the mean of the training people.
    ways: tuple[tuple[str, float], ...] = (("batch", 0.6), ("other", 0.25), ("alone", 0.15))


def pick(random: np.random.Generator, shares: tuple[tuple[str, float], ...]) -> str:
    weights = np.array([share for _, share in shares])
    return shares[int(random.choice(len(shares), p=weights / weights.sum()))][0]


def take(bank: Bank, rows: np.ndarray, sites: np.ndarray) -> torch.Tensor:
    """Covariances [n × bands × blocks × packed] of `sites`."""
    return torch.from_numpy(np.take(bank.values[rows], packed_index(sites, len(SITES)), axis=-1))


def fit(bank: Bank, means: torch.Tensor, centre: torch.Tensor, tasks: dict[str, Task], people: set[int], settings: Settings,
        seed: int) -> Network:
    """`means`: of all contexts. Only trials of `people` are learned from."""
    torch.manual_seed(seed)
    random = np.random.default_rng(seed)
    network = Network(settings.spatial, settings.hidden, settings.eps, settings.dropout, settings.windows,
                      settings.metres)
    own = {name: np.flatnonzero(np.isin(tasks[name].person, list(people))) for name, _ in settings.shares}
    used = np.unique(np.concatenate([tasks[name].context[rows] for name, rows in own.items()]))
    place = np.full(len(means), -1)
    place[used] = np.arange(len(used))
    pool = []
    for _ in range(settings.montages):
        sites = random_montage(random)
        pool.append((sites, recentring(means[torch.as_tensor(used)], sites, settings.shrinkage)))
    first = settings.shares[0]
    steps = round(settings.epochs * len(own[first[0]]) / settings.batch / first[1])
    optimiser = torch.optim.AdamW(network.parameters(), lr=settings.rate, weight_decay=settings.decay)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimiser, settings.rate, total_steps=steps)
    of = {(name, who): np.unique(tasks[name].context[tasks[name].person == who]) for name in own for who in people}
    network.train()
    began = time.time()
    running = {}
    for step in range(steps):
        task = tasks[pick(random, settings.shares)]
        rows = own[task.name][random.integers(0, len(own[task.name]), settings.batch)]
        sites, recentres = pool[random.integers(len(pool))]
        covariance = take(bank, task.rows[rows], sites)
        way = pick(random, settings.ways)
        if way == "alone":
            recentre = recentring(mixed(trial_means(bank, task.rows[rows]), centre, sites, OWN_WEIGHT), sites, settings.shrinkage)
        else:
            context = task.context[rows] if way == "batch" else np.array([random.choice(of[task.name, who]) for who in task.person[rows]])
            recentre = recentres[torch.as_tensor(place[context])]
        odds = network(covariance, recentre, torch.as_tensor(sites))[:, HEADS.index(task.name)]
        target = torch.from_numpy(task.labels[rows]) * (1 - settings.smoothing) + settings.smoothing / 2
        loss = functional.binary_cross_entropy_with_logits(odds, target)
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
        schedule.step()
        running[task.name] = 0.98 * running.get(task.name, 0.69) + 0.02 * loss.item()
        if step % 200 == 199:
            text = ", ".join(f"{name} {value:.3f}" for name, value in running.items())
            print(f"  {step + 1} of {steps} steps, {time.time() - began:.0f} s: {text}", flush=True)
    return network.eval()
