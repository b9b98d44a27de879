"""EEGLAB data sets whose signal is in a ``.dat`` file, which MNE does not read."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

from ..errors import RecordingError


@contextmanager
def readable_set(path: Path) -> Iterator[Path]:
    """Yield the path of a data set that MNE reads: the file itself, or a copy that holds the signal of its ``.dat``.

    A ``.dat`` file holds little-endian 32-bit floats, one channel after the other.

    Parameters
    ----------
    path : Path
        A ``.set`` file.

    Raises
    ------
    RecordingError
        If the ``.dat`` file is missing or of another size.
    """
    from scipy.io import loadmat, savemat  # type: ignore[import-untyped]

    try:
        variables: dict[str, Any] = loadmat(path, appendmat=False)
    except Exception:
        # MNE reads other forms of the file, and says what is wrong with a damaged one.
        yield path
        return
    fields = variables["EEG"][0, 0] if getattr(variables.get("EEG"), "dtype", None) is not None else variables
    name = _data_name(fields)
    if not name.lower().endswith(".dat"):
        yield path
        return
    shape = tuple(int(np.asarray(fields[key]).ravel()[0]) for key in ("nbchan", "pnts", "trials"))
    data = _read_dat(path, path.with_name(Path(name.replace("\\", "/")).name), shape)
    fields["data"] = data
    with TemporaryDirectory() as folder:
        copy = Path(folder) / path.name
        savemat(copy, {key: value for key, value in variables.items() if not key.startswith("__")}, appendmat=False)
        yield copy


def _data_name(fields: Any) -> str:
    names = fields.dtype.names if hasattr(fields, "dtype") else fields
    data = np.asarray(fields["data"]) if "data" in (names or ()) else np.empty(0)
    return str(data.ravel()[0]) if data.dtype.kind == "U" and data.size else ""


def _read_dat(path: Path, beside: Path, shape: tuple[int, ...]) -> Any:
    """Return the signal, shape (channels, samples) or (channels, samples, trials)."""
    found = next((each for each in (beside, path.with_suffix(".dat")) if each.exists()), None)
    if found is None:
        raise RecordingError(path.name, f"its signal is in {beside.name}, which is missing", "Keep both in one folder.")
    needed = 4 * int(np.prod(shape))
    if found.stat().st_size != needed:
        raise RecordingError(
            path.name,
            f"{shape[0]} channels of {shape[1]} samples and {shape[2]} trials need {needed} bytes, and {found.name} "
            f"has {found.stat().st_size}",
            "Save the data set again in EEGLAB.",
        )
    data = np.fromfile(found, "<f4").reshape(shape[0], shape[2], shape[1]).transpose(0, 2, 1)
    return data[:, :, 0] if shape[2] == 1 else data
