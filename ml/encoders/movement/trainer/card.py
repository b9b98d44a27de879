"""The model card and the golden outputs."""

import base64
import hashlib
import json
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from safetensors.numpy import save
from scipy.optimize import minimize_scalar
from scipy.stats import t as student

from bank import Bank, covariances, design
from constants import BANDS, BLOCKS, RATE_HZ, SITES
from fit import Settings
from folds import FoldAnswers
from montages import MOST_SITES, PREFERENCE, SCORED, used
from network import HEADS, SIDED, Network, unpack
from people import sketch
from recordings import catalogue
from score import balanced
from trials import OWN_WEIGHT, Contexts, Task, centre_of, recentring, tasks_of

# Reference tasks of the catalogue that a head answers, each with the class of positive log-odds.
TASKS = {
    "left_right_imagined": {"left-right-fist-imagined": "right_fist_imagined"},
    "left_right_executed": {"left-right-fist-executed": "right_fist_executed"},
    "movement_rest": {
        "movement-rest-imagined": "movement_imagined",
        "movement-rest-executed": "movement_executed",
    },
    "fists_feet_imagined": {"fists-feet-imagined": "both_feet_imagined"},
}
LEAST_PEOPLE = 20
# What recentres a trial: the mean of its recording, that of the training people and the trial itself, or the mean of the
# person's first 15 or 30 trials.
WAYS = ("batch", "alone", "own15", "own30")


def over_people(scores: list[float], trials: int) -> dict:
    """Mean over people with its limits, as `overPeople` of ml/reference-fits for second moments."""
    values = np.array(scores)
    n, mean = len(values), values.mean()
    adjusted = (mean * trials + 1) / (trials + 2)
    error = np.sqrt(max(values.var(ddof=1) / n, adjusted * (1 - adjusted) / trials))
    common = np.sqrt(1 + 2 / np.pi)
    half = max(student.ppf(0.975, n - 1), 1.959964 * common) * error
    lower = max(student.ppf(0.95, n - 1), 1.644854 * common) * error
    whole = student.ppf(0.975, n - 1) * error * np.sqrt(n + 1)

    def rounded(*numbers: float) -> list[float]:
        return [round(float(min(1, max(0, number))), 4) for number in numbers]

    return {
        "balancedAccuracy": rounded(mean)[0],
        "standardError": round(float(error), 4),
        "interval95": rounded(mean - half, mean + half),
        "onePerson95": rounded(mean - whole, mean + whole),
        "lowerBound95": rounded(mean - lower)[0],
        "quartiles": rounded(*np.quantile(values, [0.25, 0.5, 0.75])),
    }


@dataclass(frozen=True)
class LeftOut:
    """Trials of people who were left out: log-odds, labels and person of each."""

    odds: np.ndarray
    labels: np.ndarray
    person: np.ndarray


def left_out(task: Task, answers: list[FoldAnswers], way: str, montage: str | None = None) -> LeftOut:
    """Answers about all people, each by the network that did not see them; `montage` None: of all montages."""
    found = [
        (odds, task.labels[rows], task.person[rows])
        for each in answers
        for (name, which, how), (rows, odds) in each.odds.items()
        if name == task.name and how == way and montage in (None, which)
    ]
    return LeftOut(*(np.concatenate(column) for column in zip(*found))) if found else LeftOut(*(np.array([]),) * 3)


def class_weights(labels: np.ndarray) -> np.ndarray:
    """Weights of trials that sum to 1, the same for both classes."""
    return np.where(labels > 0.5, 0.5 / (labels > 0.5).sum(), 0.5 / (labels < 0.5).sum())


def log_loss(trials: LeftOut, temperature: float) -> float:
    return float(class_weights(trials.labels) @ np.logaddexp(0, (1 - 2 * trials.labels) * trials.odds / temperature))


def temperature_of(trials: LeftOut) -> float:
    """Temperature with the least log-loss, classes weighted alike."""
    found = minimize_scalar(lambda log: log_loss(trials, np.exp(log)), bounds=(-2, 3), method="bounded")
    return round(float(np.exp(found.x)), 3)


def calibration_error(trials: LeftOut, temperature: float) -> float:
    """Expected calibration error over ten bins of equal size, as `calibration` of ml/evidence (Naeini et al. 2015)."""
    probability = 1 / (1 + np.exp(-np.abs(trials.odds) / temperature))
    right = (trials.odds > 0) == (trials.labels > 0.5)
    weight = class_weights(trials.labels)
    order = np.argsort(probability, kind="stable")
    bins = np.array_split(order, max(1, min(10, len(order) // 10)))
    return float(sum(abs(weight[b] @ (probability[b] - right[b])) for b in bins))


def scores_of(tasks: dict[str, Task], answers: list[FoldAnswers]) -> list[dict]:
    rows = []
    for name, task in tasks.items():
        temperatures = {way: temperature_of(left_out(task, answers, way)) for way in ("batch", "alone")}
        for montage in SCORED:
            for way in WAYS:
                trials = left_out(task, answers, way, montage)
                people = np.unique(trials.person)
                if len(people) < 3:
                    continue
                at = temperatures["alone" if way == "alone" else "batch"]
                scores = [balanced(trials.labels[trials.person == who], trials.odds[trials.person == who]) for who in people]
                says = trials.odds > 0
                rows.append(
                    {
                        "head": name,
                        "montage": montage,
                        "electrodes": [SITES[site] for site in used(SCORED[montage])],
                        "align": way,
                        "people": len(people),
                        "trials": len(trials.odds),
                        **over_people(scores, len(trials.odds)),
                        "confusion": [[int(((trials.labels == k) & (says == j)).sum()) for j in (0, 1)] for k in (0, 1)],
                        "logLoss": round(log_loss(trials, at), 4),
                        "calibrationError": round(calibration_error(trials, at), 4),
                    }
                )
    return rows


def tensors_of(networks: list[Network], heads: list[str], centre: np.ndarray) -> dict[str, np.ndarray]:
    tensors = {"centre": centre.astype(np.float32)}
    for n, network in enumerate(networks):
        tensors |= {
            f"{n}.filters": network.filters.detach().numpy(),
            f"{n}.scale": network.scale.detach().numpy()[:, 0],
            f"{n}.shift": network.shift.detach().numpy()[:, 0],
            f"{n}.dense.weight": network.dense.weight.detach().numpy(),
            f"{n}.dense.bias": network.dense.bias.detach().numpy(),
        }
        for head in heads:
            at = HEADS.index(head)
            tensors[f"{n}.{head}.weight"] = network.heads.weight.detach().numpy()[at : at + 1]
            bias = 0 * network.heads.bias[at : at + 1] if SIDED[head] else network.heads.bias[at : at + 1]
            tensors[f"{n}.{head}.bias"] = bias.detach().numpy()
    return {name: np.ascontiguousarray(each) for name, each in tensors.items()}


@torch.no_grad()
def golden(networks: list[Network], heads: list[str], settings: Settings) -> dict:
    """Log-odds and sketch of noise with rhythms, in whole microvolts; recentred by the mean of some of its trials."""
    random = np.random.default_rng(29)
    cases = []
    for channels, trials, samples in ((["C3", "C4", "Cz", "FC5", "Pz", "O2", "F7", "CP4"], 3, 1024), (["C4", "C3", "P3"], 2, 768)):
        times = np.arange(samples) / RATE_HZ
        noise = random.normal(0, 8, (trials, len(channels), samples))
        waves = random.normal(0, 6, (trials, len(channels), 4))
        waves = sum(waves[..., i : i + 1] * np.sin(2 * np.pi * hz * times) for i, hz in enumerate((6, 10, 13, 22)))
        signal = np.round(noise + waves).astype("<i2")
        sites = used(channels)
        order = [channels.index(SITES[site]) for site in sites]
        matrix = design(RATE_HZ, samples)
        bank = torch.from_numpy(covariances(signal[:, order].astype(np.float32), matrix))
        in_order = covariances(signal[:, [channels.index(SITES[site]) for site in sorted(sites)]].astype(np.float32), matrix)
        centres = list(range(trials - 1))
        mean = torch.from_numpy(unpack(bank[centres].mean((0, 2)).numpy(), len(sites)))
        recentre = recentring(mean, np.arange(len(sites)), settings.shrinkage).expand(trials, -1, -1, -1)
        odds = torch.stack([network(bank, recentre, torch.as_tensor(sites)) for network in networks]).mean(0)
        cases.append({
            "channels": channels,
            "samples": samples,
            "trials": trials,
            "signal": base64.b64encode(signal.tobytes()).decode(),
            "centres": centres,
            "logOdds": {head: [round(v, 6) for v in odds[:, HEADS.index(head)].tolist()] for head in heads},
            "sketch": [round(v, 6) for v in sketch(in_order).reshape(-1).tolist()],
        })
    return {"signal": "base64 of int16, [trials × channels × samples], microvolts at 256 Hz", "cases": cases}


def write(out: Path, people: dict, bank: Bank, folds: list[list[int]], answers: list[FoldAnswers], settings: Settings, seed: int) -> None:
    """`people`: the entry of `write_people`."""
    tasks = tasks_of(bank, Contexts(bank))
    scores = scores_of(tasks, answers)
    bound = {row["head"]: row["lowerBound95"] for row in reversed(scores) if row["align"] == "batch" and row["montage"] == "all"}
    counts = {name: len(np.unique(task.person)) for name, task in tasks.items()}
    heads = [name for name in HEADS if counts[name] >= LEAST_PEOPLE or bound.get(name, 0) > 0.5]
    networks = [each.network for each in answers]
    weights = save(tensors_of(networks, heads, centre_of(bank, sorted(set(bank.person.tolist())))))
    (out / "weights.safetensors").write_bytes(weights)
    data = catalogue()
    card = {
        "version": "1",
        "sha256": hashlib.sha256(weights).hexdigest(),
        "bytes": len(weights),
        "parameters": sum(p.numel() for p in networks[0].parameters()) * len(networks),
        "sites": SITES,
        "preference": PREFERENCE,
        "mostSites": MOST_SITES,
        "bands": BANDS,
        "windows": [[b / BLOCKS, (b + 1) / BLOCKS] for b in range(BLOCKS)],
        "frame": settings.windows,
        "seconds": [2, 8],
        "networks": len(networks),
        "filters": settings.spatial,
        "eps": settings.eps,
        "lambda": settings.shrinkage,
        "ownWeight": OWN_WEIGHT,
        "layers": [{"name": "dense", "activation": "linear"}],
        "heads": {
            name: {
                "tasks": TASKS[name],
                "mirrored": SIDED[name],
                "people": counts[name],
                "trials": len(tasks[name].rows),
                "temperature": {way: temperature_of(left_out(tasks[name], answers, way)) for way in ("batch", "alone")},
            }
            for name in heads
        },
        "folds": [[f"S{who:03}" for who in fold] for fold in folds],
        "people": people,
        "data": {
            "name": data["name"],
            "version": data["version"],
            "home": data["home"],
            "licence": data["licence"],
            "citations": data["citations"],
            "people": len(np.unique(bank.person)),
            "recordings": len(np.unique(bank.person.astype(int) * 100 + bank.run)),
            "trials": len(bank.person),
        },
        "training": {"seed": seed, "settings": {key: value for key, value in vars(settings).items()}},
        "scores": scores,
    }
    (out / "card.json").write_text(json.dumps(card, indent=1, ensure_ascii=False) + "\n")
    (out / "golden.json").write_text(json.dumps(golden(networks, heads, settings), indent=1, ensure_ascii=False) + "\n")
