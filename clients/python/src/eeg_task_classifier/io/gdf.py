"""GDF recordings: MNE reads their samples, this module their units."""

from __future__ import annotations

import struct
from pathlib import Path
from typing import Any

from ..errors import RecordingError
from .mne_notices import mne_notices
from .read_options import DIGITAL, ReadOptions
from .reader_rules import MICROVOLTS_PER_UNIT
from .require_mne import require_mne
from .unit_guess import unit_guess

#: Units of voltage by their code in GDF 2: ISO/IEEE 11073-10101, 4256 for volts plus a number for the decimal factor.
_UNITS = {4256: "V", 4274: "mV", 4275: "uV", 4276: "nV"}
#: Factor to volts by which MNE has multiplied, by version of GDF and unit; 1 for all others.
_READ_AS = {1: {"uV": 1e-6}, 2: {"uV": 1e-6, "mV": 1e-3}}


def read_gdf(path: Path, options: ReadOptions) -> Any:
    """Read a GDF recording (version 1 or 2) as an `mne.io.Raw` in volts.

    Raises
    ------
    RecordingError
        If MNE cannot read the file, or its channels have no unit of voltage and the caller says none.
    """
    encoding = {} if options.encoding is None else {"encoding": options.encoding}
    with mne_notices(path.name, ("Unsupported physical dimension",)):
        raw = require_mne().io.read_raw_gdf(path, preload=True, verbose="WARNING", **encoding)
        version, units = _units_of(path)
    if options.unit == DIGITAL:
        raise RecordingError(path.name, "digital values of GDF are not read", "Say its unit: uV, mV, V or nV.")
    rows = [at for at, kind in enumerate(raw.get_channel_types()) if kind == "eeg"]
    if options.microvolts is None and (unknown := [at for at in rows if units[at] not in _UNITS.values()]):
        names = ", ".join(raw.ch_names[at] for at in unknown[:6]) + (", …" if len(unknown) > 6 else "")
        guess, reason = unit_guess(raw.get_data(unknown))
        raise RecordingError(
            path.name,
            f"the unit of {len(unknown)} channels is no unit of voltage ({names})",
            f"Say it with unit= (--unit). {reason}" + (f": unit='{guess}' (--unit {guess})." if guess else "."),
        )
    for at in rows:
        microvolts = options.microvolts or MICROVOLTS_PER_UNIT[units[at].lower()]
        raw._data[at] *= microvolts * 1e-6 / _READ_AS[version].get(units[at], 1.0)
    return raw


def _units_of(path: Path) -> tuple[int, list[str]]:
    """Return the version of the file, and the unit of each channel: its text or code if it is no unit of voltage."""
    with path.open("rb") as file:
        fixed = file.read(256)
        version = 1 if float(fixed[4:8]) < 1.9 else 2
        count = struct.unpack_from("<I" if version == 1 else "<H", fixed, 252)[0]
        columns = file.read(256 * count)
    if version == 1:
        texts = (columns[at : at + 8] for at in range(96 * count, 104 * count, 8))
        return version, [text.decode("latin-1").strip(" \0") for text in texts]
    codes = struct.unpack_from(f"<{count}H", columns, 102 * count)
    return version, [_UNITS.get(code, str(code)) for code in codes]
