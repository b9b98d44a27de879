"""Golden outputs of LaBraM's encoder, from braindecode (BSD-3) and PyTorch, with seeded random weights.

    pip install torch==2.11.0 torchaudio==2.11.0 braindecode==1.8.1
    python test/ml/golden/make_labram.py > test/ml/golden/labram.json

Weights and inputs are not stored: `seeded` makes them, here and in test/ml/labram-weights.ts, from the name of the tensor and the index of the
number in it. Their names are those of the published checkpoint (`student.`), which `renamed` turns into braindecode's.
"""
import json
import zlib

import numpy as np
import torch
from braindecode.models import Labram
from braindecode.models.labram import LABRAM_CHANNEL_ORDER
from scipy.signal import butter, sosfiltfilt

WIDTH, HEADS, HIDDEN, PATCH, ROWS, TIMES = 200, 10, 800, 200, 129, 16
EVERY = 5  # every EVERY-th number of the sites is stored
SITES19 = "FP1 FP2 F7 F3 FZ F4 F8 T7 C3 CZ C4 T8 P7 P3 PZ P4 P8 O1 O2".split()
CASES = [
    {"depth": 2, "channels": SITES19, "patches": 4, "trials": 2},
    {"depth": 2, "channels": ["C3", "CZ", "C4"], "patches": 1, "trials": 2},
    {"depth": 2, "channels": ["OZ"], "patches": 16, "trials": 1},
    {"depth": 12, "channels": SITES19, "patches": 4, "trials": 2},
    {"depth": 12, "channels": ["C3", "CZ", "C4"], "patches": 1, "trials": 2},
]


def seeded(name, count):
    """Numbers in [-1, 1): MurmurHash3's finaliser of CRC-32 of the name plus the index times 0x9e3779b9."""
    h = (np.uint32(zlib.crc32(name.encode())) + np.arange(count, dtype=np.uint64) * 0x9E3779B9).astype(np.uint32)
    for shift, factor in ((16, 0x85EBCA6B), (13, 0xC2B2AE35)):
        h = (h ^ (h >> np.uint32(shift))) * np.uint32(factor)
    return (h ^ (h >> np.uint32(16))).astype(np.float64) / 2**31 - 1


def shapes(depth):
    """Name and shape of every tensor of the encoder in the published checkpoint."""
    conv = {f"patch_embed.conv{i}": [8, 1 if i == 1 else 8, 1, 15 if i == 1 else 3] for i in (1, 2, 3)}
    yield from ((f"{name}.weight", shape) for name, shape in conv.items())
    yield from ((f"{name}.bias", [8]) for name in conv)
    yield from ((f"patch_embed.norm{i}.{part}", [8]) for i in (1, 2, 3) for part in ("weight", "bias"))
    yield from (("cls_token", [1, 1, WIDTH]), ("pos_embed", [1, ROWS, WIDTH]), ("time_embed", [1, TIMES, WIDTH]))
    for i in range(depth):
        yield from ((f"blocks.{i}.{name}", shape) for name, shape in {
            "gamma_1": [WIDTH], "gamma_2": [WIDTH],
            "norm1.weight": [WIDTH], "norm1.bias": [WIDTH], "norm2.weight": [WIDTH], "norm2.bias": [WIDTH],
            "attn.qkv.weight": [3 * WIDTH, WIDTH],
            "attn.q_norm.weight": [WIDTH // HEADS], "attn.q_norm.bias": [WIDTH // HEADS],
            "attn.k_norm.weight": [WIDTH // HEADS], "attn.k_norm.bias": [WIDTH // HEADS],
            "attn.proj.weight": [WIDTH, WIDTH], "attn.proj.bias": [WIDTH],
            "mlp.fc1.weight": [HIDDEN, WIDTH], "mlp.fc1.bias": [HIDDEN],
            "mlp.fc2.weight": [WIDTH, HIDDEN], "mlp.fc2.bias": [WIDTH],
        }.items())
    yield from (("norm.weight", [WIDTH]), ("norm.bias", [WIDTH]))


def tensor(name, shape):
    """Scales of norms are near 1, of layers near 0.5, matrices keep the size of what they multiply."""
    numbers = seeded(f"student.{name}", int(np.prod(shape)))
    if "gamma" in name:
        numbers = 0.5 + 0.25 * numbers
    elif "norm" in name and name.endswith("weight"):
        numbers = 1 + 0.25 * numbers
    elif name.endswith("bias") or "embed" in name.split(".")[0] and len(shape) == 3 or name == "cls_token":
        numbers = 0.25 * numbers
    else:
        numbers = np.sqrt(3 / np.prod(shape[1:])) * numbers
    return torch.from_numpy(numbers.astype(np.float32).reshape(shape))


def renamed(name):
    for old, new in {"patch_embed.": "patch_embed.temporal_conv.", "pos_embed": "position_embedding",
                     "time_embed": "temporal_embedding", "mlp.fc1": "mlp.0", "mlp.fc2": "mlp.2"}.items():
        name = name.replace(old, new) if old in name else name
    return name


def reference(depth, channels, patches, trials):
    model = Labram(n_times=PATCH * patches, n_chans=len(channels), n_outputs=1, sfreq=200, num_layers=depth)
    state = {renamed(name): tensor(name, shape) for name, shape in shapes(depth)}
    rows = torch.zeros(1, patches + 1, WIDTH)  # braindecode holds one row more than it reads
    rows[:, :patches] = state["temporal_embedding"][:, :patches]
    report = model.load_state_dict({**state, "temporal_embedding": rows}, strict=False)
    assert not report.unexpected_keys and all(key.startswith("final_layer") for key in report.missing_keys), report
    x = seeded(f"x {len(channels)} x {patches}", trials * len(channels) * patches * PATCH).astype(np.float32)
    with torch.no_grad():
        tokens = model.eval().forward_features(
            torch.from_numpy(x.reshape(trials, len(channels), patches * PATCH)),
            input_chans=torch.tensor([0] + [LABRAM_CHANNEL_ORDER.index(name) + 1 for name in channels]),
            return_patch_tokens=True,
        )
    return tokens.reshape(trials, len(channels), patches, WIDTH)


def shown(values, every=1):
    return [float(f"{value:.7g}") for value in np.asarray(values, dtype=np.float64).ravel()[::every]]


def filtered():
    """What the service does to a trial at 200 Hz before the graph, in SciPy: mean, 75 Hz, 50 Hz, tenths of a millivolt."""
    x = 50 * seeded("trial", 2 * 400).reshape(2, 400).astype(np.float32).astype(np.float64)
    beta = np.tan(np.pi / 2 / 25 / 2)
    notch = np.array([[1 / (1 + beta), 0, 1 / (1 + beta), 1, 0, 2 / (1 + beta) - 1]])
    sos = np.vstack([butter(4, 75, output="sos", fs=200), notch])
    return sosfiltfilt(sos, x - x.mean(axis=1, keepdims=True), padtype="odd", padlen=100) / 100


def main():
    cases = []
    for case in CASES:
        tokens = reference(**case)
        cases.append({
            **case,
            "every": EVERY,
            "sites": shown(tokens.mean(2), EVERY),
            "pooled": shown(tokens.mean((1, 2))),
        })
    print(json.dumps({"cases": cases, "filtered": shown(filtered(), 3)}))


main()
