"""The network: quadratic in the signal up to the logarithm, so that it can be read from covariances alone."""

import numpy as np
import torch
from torch import nn

from constants import BANDS, BLOCKS, SITES
from montages import MIRROR, smoothness

# Tasks whose classes change places in the mirror. The others read the same in both.
SIDED = {"left_right_imagined": True, "left_right_executed": True, "movement_rest": False, "fists_feet_imagined": False}
HEADS = list(SIDED)


def packed_pairs(count: int) -> tuple[np.ndarray, np.ndarray]:
    return np.triu_indices(count)


def packed_index(sites: np.ndarray, of: int) -> np.ndarray:
    """Places of the upper triangle of `sites` in the packed upper triangle of `of` sites."""
    i, j = (sites[each] for each in packed_pairs(len(sites)))
    low, high = np.minimum(i, j), np.maximum(i, j)
    return low * of - low * (low - 1) // 2 + high - low


def unpack(packed: np.ndarray, count: int) -> np.ndarray:
    """Packed upper triangles [… × packed] as symmetric matrices [… × count × count]."""
    i, j = packed_pairs(count)
    out = np.empty((*packed.shape[:-1], count, count), packed.dtype)
    out[..., i, j] = packed
    out[..., j, i] = packed
    return out


def inverse_root(mean: torch.Tensor, shrinkage: float) -> torch.Tensor:
    """
    Recentring matrices [… × c × c] of mean covariances: shrunk towards the mean variance, then the symmetric inverse
    square root.
    """
    count = mean.shape[-1]
    level = mean.diagonal(dim1=-2, dim2=-1).mean(-1)[..., None, None]
    eye = torch.eye(count, dtype=mean.dtype)
    values, vectors = torch.linalg.eigh((1 - shrinkage) * mean / level + shrinkage * eye)
    return (vectors * values.clamp_min(1e-6).rsqrt()[..., None, :]) @ vectors.mT / level.sqrt()


@torch.no_grad()
def recentred(covariance: torch.Tensor, recentre: torch.Tensor) -> torch.Tensor:
    """R C R of packed covariances [n × bands × blocks × packed], packed again."""
    count = recentre.shape[-1]
    i, j = packed_pairs(count)
    place = np.empty((count, count), np.int64)
    place[i, j] = place[j, i] = np.arange(len(i))
    n, bands, blocks, _ = covariance.shape
    full = covariance[..., torch.from_numpy(place).flatten()].reshape(n, bands, blocks * count, count)
    half = (full @ recentre).reshape(n, bands, blocks, count, count).mT.reshape(n, bands, blocks * count, count)
    whole = (half @ recentre).reshape(n, bands, blocks, count * count)
    return whole[..., torch.from_numpy(i * count + j)]


class Network(nn.Module):
    """
    `filters`: [bands × spatial × sites]. Features of a trial and of its mirror image have the same weights; a head takes
    their difference where the mirror exchanges the classes, else their sum.
    """

    def __init__(self, spatial: int, hidden: int, eps: float, dropout: float, windows: int = 1,
                 metres: float = 0.03):
        super().__init__()
        self.eps = eps
        self.windows = windows
        bands, frames = len(BANDS), BLOCKS - windows + 1
        first = torch.randn(1, spatial, len(SITES)) / 24**0.5
        self.weights = nn.Parameter(first + 0.3 * torch.randn(bands, spatial, len(SITES)) / 24**0.5)
        self.register_buffer("smooth", torch.from_numpy(smoothness(metres)) if metres else torch.eye(len(SITES)))
        self.scale = nn.Parameter(torch.ones(bands, 1, spatial))
        self.shift = nn.Parameter(torch.zeros(bands, 1, spatial))
        self.drop = nn.Dropout(dropout)
        self.dense = nn.Linear(bands * frames * spatial, hidden)
        self.heads = nn.Linear(hidden, len(HEADS))

    @property
    def filters(self) -> torch.Tensor:
        return self.weights @ self.smooth

    def log_power(self, covariance: torch.Tensor, recentre: torch.Tensor, sites: torch.Tensor) -> torch.Tensor:
        """
        `covariance` [n × bands × blocks × packed] and `recentre` [n × bands × c × c] on the c `sites` → log power
        [n × 2 × bands × frames × spatial] of the trial and of its mirror image, relative to the context.
        """
        filters = self.filters
        own = filters[:, :, sites]
        mirrored = filters[:, :, torch.as_tensor(MIRROR)[sites]]
        both = torch.cat([own, mirrored], 1)
        norm = both.square().sum(-1)
        i, j = (torch.as_tensor(each) for each in packed_pairs(len(sites)))
        pairs = both[..., i] * both[..., j] * torch.where(i == j, 1.0, 2.0)
        power = recentred(covariance, recentre) @ pairs.mT
        frames = power.unfold(2, self.windows, 1).mean(-1)
        logs = torch.log((frames + self.eps) / (norm[None, :, None] + self.eps))
        n, bands, count, _ = logs.shape
        return logs.reshape(n, bands, count, 2, -1).permute(0, 3, 1, 2, 4)

    def hidden(self, logs: torch.Tensor) -> torch.Tensor:
        """Log power → the last hidden layer [n × 2 × hidden]."""
        return self.dense(self.drop((logs * self.scale + self.shift).flatten(2)))

    def forward(self, covariance: torch.Tensor, recentre: torch.Tensor, sites: torch.Tensor) -> torch.Tensor:
        """Log-odds [n × heads] of the second class of each task."""
        hidden = self.hidden(self.log_power(covariance, recentre, sites))
        sided = torch.tensor(list(SIDED.values()))
        plain, mirrored = nn.functional.linear(hidden, self.heads.weight).unbind(1)
        return torch.where(sided, (plain - mirrored) / 2, (plain + mirrored) / 2 + self.heads.bias)
