"""Sets of electrodes: those that are scored, and random ones to train on."""

import json
from pathlib import Path

import numpy as np

from constants import SITES

TEMPLATE = Path(__file__).parents[3] / "channels/template.json"


def mirror_of(site: str) -> str:
    """The site on the other side of the head: `C3` for `C4`, `Cz` for `Cz`."""
    stem = site.rstrip("0123456789")
    number = site[len(stem) :]
    if not number:
        return site
    return f"{stem}{int(number) + (1 if int(number) % 2 else -1)}"


MIRROR = np.array([SITES.index(mirror_of(site)) for site in SITES])

def smoothness(metres: float) -> np.ndarray:
    """[sites × sites]: a filter weight at one site counts at its neighbours, exp(−d² / 2 metres²), rows of length 1."""
    electrodes = json.loads(TEMPLATE.read_text())["electrodes"]
    places = np.array([electrodes[site] for site in SITES])
    squared = ((places[:, None] - places[None]) ** 2).sum(-1)
    kernel = np.exp(-squared / (2 * metres**2))
    return (kernel / np.linalg.norm(kernel, axis=1, keepdims=True)).astype(np.float32)


# The order in which a caller's electrodes are used: a third of the head's 10-20 sites first, motor cortex between.
PREFERENCE = (
    "C3 C4 Cz P3 P4 F3 F4 T7 T8 P7 P8 O1 O2 Pz Fz F7 F8 CP3 CP4 FC3 FC4 C1 C2 CPz FCz CP5 CP6 FC5 FC6 C5 C6 CP1 CP2 FC1 FC2 "
    "PO7 PO8 P5 P6 P1 P2 F1 F2 F5 F6 TP7 TP8 FT7 FT8 PO3 PO4 POz AF3 AF4 AFz Oz"
).split()
MOST_SITES = 24

SCORED = {
    "all": PREFERENCE,
    "cap32": (
        "F7 F3 Fz F4 F8 FC5 FC1 FC2 FC6 T7 C3 Cz C4 T8 CP5 CP1 CP2 CP6 P7 P3 Pz P4 P8 O1 Oz O2"
    ).split(),
    "fixed19": "F7 F3 Fz F4 F8 T7 C3 Cz C4 T8 P7 P3 Pz P4 P8 O1 O2".split(),
    "central21": "FC5 FC3 FC1 FCz FC2 FC4 FC6 C5 C3 C1 Cz C2 C4 C6 CP5 CP3 CP1 CPz CP2 CP4 CP6".split(),
    "headset14": "AF3 F7 F3 FC5 T7 P7 O1 O2 P8 T8 FC6 F4 F8 AF4".split(),
    "other16": "F5 F6 FC1 FC2 FT7 FT8 C5 C6 CP1 CP2 P5 P6 PO3 PO4 POz AFz".split(),
    "central8": "FC3 FC4 C5 C3 C4 C6 CP3 CP4".split(),
    "central3": "C3 Cz C4".split(),
    "central2": "C3 C4".split(),
}


def used(sites: list[str], most: int = MOST_SITES) -> np.ndarray:
    """Indices among SITES of the electrodes that are read."""
    return np.array([SITES.index(site) for site in PREFERENCE if site in sites][:most])


def random_montage(random: np.random.Generator, most: int = MOST_SITES) -> np.ndarray:
    """One montage for a batch: usual ones as they are or with losses, and random ones of 3 to `most` sites."""
    kind = random.random()
    if kind < 0.3:
        sites = used(PREFERENCE, most)
    elif kind < 0.75:
        name = random.choice(["fixed19", "central21", "headset14", "headset14", "central8", "central8", "central3", "central2"])
        sites = used(SCORED[name], most)
    else:
        size = int(random.integers(4, most + 1))
        return np.sort(random.choice(len(SITES), size, replace=False))
    if len(sites) > 8 and random.random() < 0.5:
        sites = random.permutation(sites)[: len(sites) - int(random.integers(1, 1 + len(sites) // 6))]
    return sites
