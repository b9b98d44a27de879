"""Writes weights.json: small files as torch and safetensors write them, and the numbers that torch has in them.

Made with torch 2.15 and safetensors 0.8: `python make_weights.py > weights.json`.
"""

import argparse
import base64
import gzip
import io
import json
import tarfile
from collections import OrderedDict

import torch
from safetensors.torch import save as save_safetensors


def saved(thing, is_zip):
    into = io.BytesIO()
    torch.save(thing, into, _use_new_zipfile_serialization=is_zip)
    return into.getvalue()


def tarred(files, form):
    into = io.BytesIO()
    with tarfile.open(fileobj=into, mode="w", format=form) as tar:
        for name, content in files.items():
            info = tarfile.TarInfo(name)
            info.size = len(content)
            tar.addfile(info, io.BytesIO(content))
    return into.getvalue()


grid = torch.arange(24, dtype=torch.float32).reshape(4, 6) / 7
awkward = [0.0, -0.0, 1.0, -2.5, 65504.0, 6e-8, 1e-5, float("inf"), float("-inf"), 0.1]
plain = OrderedDict(
    weight=grid.clone(),
    bias=torch.tensor([1.5, -2.25]),
    scalar=torch.tensor(3.25),
    empty=torch.zeros(0, 3),
)
views = OrderedDict(
    transposed=grid.t(),
    stepped=grid[1:, ::2],
    shared=grid[2],
    repeated=torch.tensor([[7.0], [8.0]]).expand(2, 3),
    turned=torch.arange(24.0).reshape(2, 3, 4).permute(2, 0, 1),
)
types = {
    "float64": torch.tensor([0.1, -1e300, 3.0], dtype=torch.float64),
    "float16": torch.tensor(awkward).half(),
    "bfloat16": torch.tensor(awkward).bfloat16(),
    "int64": torch.tensor([0, -1, 2**40 + 1, -(2**62)]),
    "int32": torch.tensor([0, -1, 2**31 - 1], dtype=torch.int32),
    "uint8": torch.tensor([0, 1, 255], dtype=torch.uint8),
    "bool": torch.tensor([True, False, True]),
}
model = torch.nn.Sequential(torch.nn.Linear(2, 3), torch.nn.BatchNorm1d(3))
torch.manual_seed(1)
for parameter in model.parameters():
    torch.nn.init.normal_(parameter)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)
model(torch.ones(4, 2)).sum().backward()
optimizer.step()
checkpoint = {
    "model": model.state_dict(),
    "optimizer": optimizer.state_dict(),
    "args": argparse.Namespace(rate=0.1, big=2**70, name="x", sizes=(1, 2), words=["a", b"b"], some={1, 2}),
    "epoch": 12,
}

held = {
    "plain": plain,
    "views": views,
    "types": types,
    "model": checkpoint["model"],
    "kept": {"kept": torch.tensor([4.0, 5.0])},
    "b": {"b": torch.ones(1)},
    "none": {},
}
cases = {}


def add(name, content, tensors, **options):
    packed = base64.b64encode(gzip.compress(content, mtime=0)).decode()
    cases[name] = {"options": options, "holds": tensors, "gzip": packed}


for kind, is_zip in (("stream", False), ("zip", True)):
    add(f"plain-{kind}", saved(plain, is_zip), "plain")
    add(f"views-{kind}", saved(views, is_zip), "views")
    add(f"types-{kind}", saved(types, is_zip), "types")
    add(f"checkpoint-{kind}", saved(checkpoint, is_zip), "model", under="model")
nested = {"a.b": {"c": {"kept": torch.nn.Parameter(torch.tensor([4.0, 5.0])), "epoch": 3, "none": None}}}
add("nested-stream", saved(nested, False), "kept", under="a.b.c")
add("int16-stream", saved({"a": torch.tensor([1, 2], dtype=torch.int16)}, False), "none")
add("sparse-stream", saved({"a": torch.eye(2).to_sparse(), "b": torch.ones(1)}, False), "b")
add("module-zip", saved(torch.nn.Linear(1, 1), True), "none")
add("plain-safetensors", save_safetensors(dict(plain)), "plain")
add("types-safetensors", save_safetensors(types, metadata={"format": "pt"}), "types")
files = {"notes.json": b"{}", "folder/state.torch": saved(plain, False)}
add("plain-ustar", tarred(files, tarfile.USTAR_FORMAT), "plain", member="folder/state.torch")
long = {"a" * 120 + "/é.torch": saved(plain, False)}
add("long-pax", tarred(long, tarfile.PAX_FORMAT), "plain", member=next(iter(long)))
add("long-gnu", tarred(long, tarfile.GNU_FORMAT), "plain", member=next(iter(long)))


def numbers(tensor):
    held = tensor.detach().float().contiguous().numpy().tobytes()
    return [list(tensor.shape), base64.b64encode(held).decode()]


def rows(table):
    lines = (f"{json.dumps(key)}:{json.dumps(value, ensure_ascii=False)}" for key, value in table.items())
    return "{" + ",\n".join(lines) + "}"


expected = {group: {name: numbers(tensor) for name, tensor in tensors.items()} for group, tensors in held.items()}
print(f'{{"held":{rows(expected)},\n"cases":{rows(cases)}}}')
