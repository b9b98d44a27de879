"""Reader of recordings in any format."""

from __future__ import annotations

import os
from contextlib import nullcontext
from pathlib import Path
from typing import Any

from ..errors import RecordingError
from .annotation_files import join_annotations
from .channel_names import name_electrodes
from .edf import read_edf
from .eeglab_dat import readable_set
from .gdf import read_gdf
from .given_names import given_names
from .mne_notices import mne_notices
from .read_options import ChannelNames, ReadOptions
from .require_mne import require_mne
from .text_files import is_text_recording, read_text_recording
from .xdf import read_xdf

PathLike = str | os.PathLike[str]


def read_recording(
    path: PathLike,
    *,
    stream: str | None = None,
    unit: str | None = None,
    encoding: str | None = None,
    channels: ChannelNames | None = None,
    rate: float | None = None,
    stim_channel: str | None = None,
    annotations: PathLike | None = None,
) -> Any:
    """Read a continuous recording.

    Everything that is left out, renamed or assumed is said as a `DataNotice`.

    Parameters
    ----------
    path : path-like
        XDF, text of OpenBCI, Muse or a table with one column per channel, or any format that MNE reads: EDF, BDF, GDF,
        FIF, EEGLAB ``.set``, BrainVision ``.vhdr`` and others.
    stream : str, optional
        Name of the EEG stream, for an XDF file with several.
    unit : str, optional
        Unit of the EEG channels: ``"uV"``, ``"mV"``, ``"V"`` or ``"nV"``; it replaces the unit in the file.
        ``"digital"``: one digital step of an EDF or BDF file whose range is unusable counts as one microvolt.
    encoding : str, optional
        Encoding of the texts, such as ``"latin-1"`` or ``"gbk"``. Default: UTF-8 if it fits, else Latin-1.
    channels : str, sequence of str, or dict, optional
        ``"biosemi32"``, ``"biosemi64"`` or ``"biosemi128"``; the names of all channels (or of all EEG channels) in
        their order; or new names of some channels, such as ``{"Fp1-F7": "Fp1"}``.
    rate : float, optional
        Sampling rate in Hz, if the file has none or a wrong one.
    stim_channel : str, optional
        The trigger channel, if its type does not tell it.
    annotations : path-like, optional
        A file with the annotations of this recording, such as a hypnogram: EDF+, a table with the columns ``onset``,
        ``duration`` and a text (``.tsv``, ``.csv``), one stage per line for each 30 s (``.txt``), or a format of
        `mne.read_annotations`. Its times count from the begin of the recording.

    Returns
    -------
    mne.io.Raw
        Loaded, in volts. Electrodes have 10-05 names; prefixes (``EEG``) and a common reference behind a name are taken
        off. The sampling rate is that of the electrodes.

    Raises
    ------
    FileNotFoundError
        If there is no such file.
    ImportError
        If MNE is not installed, or pyxdf for XDF.
    RecordingError
        If the file cannot be read as it is; a `ValueError` with the file, the reason and the way out.
    """
    options = ReadOptions(stream, stim_channel, unit, encoding, channels, rate)
    return read_with(path, options, annotations)


def read_with(path: PathLike, options: ReadOptions, annotations: PathLike | None = None) -> Any:
    """Read a continuous recording (see `read_recording`)."""
    file = existing(path)
    name = file.name
    with mne_notices(name):
        raw, is_named, has_true_times = _read(file, options)
    if not is_named and options.channels is not None:
        kinds = raw.get_channel_types()
        new = given_names(raw.ch_names, options.channels, name, [at for at, kind in enumerate(kinds) if kind == "eeg"])
        _rename(raw, new, name)
    if options.stim_channel is not None:
        if options.stim_channel not in raw.ch_names:
            raise RecordingError(
                name, f"there is no channel {options.stim_channel!r}", f"There are {', '.join(raw.ch_names[:60])}."
            )
        raw.set_channel_types({options.stim_channel: "stim"}, on_unit_change="ignore", verbose="ERROR")
    name_electrodes(raw, name)
    if options.rate is not None and float(raw.info["sfreq"]) != options.rate:
        raw = _with_rate(raw, options.rate, has_true_times)
    if annotations is not None:
        join_annotations(raw, existing(annotations), name, options.encoding)
    return raw


def existing(path: PathLike) -> Path:
    """Return the path of an existing file.

    Raises
    ------
    FileNotFoundError
    """
    file = Path(path)
    if not file.exists():
        raise FileNotFoundError(f"There is no file {file}. Check the path.")
    return file


def holds_epochs(file: Path) -> bool:
    """Return whether a file contains epochs, not a continuous recording, by its name (FIF) or its content (EEGLAB)."""
    name = file.name.lower()
    if name.endswith((".fif", ".fif.gz")):
        return name.removesuffix(".gz").endswith(("-epo.fif", "_epo.fif")) or "-epo-" in name
    if name.endswith(".set"):
        mne = require_mne()
        try:
            with mne_notices(file.name, ("",)):
                return int(mne.io.eeglab.eeglab._check_load_mat(str(file), None).trials) > 1
        except RecordingError:
            return False
    return False


def _read(file: Path, options: ReadOptions) -> tuple[Any, bool, bool]:
    """Return a recording, whether `options.channels` are applied, and whether its events are in true time."""
    mne = require_mne()
    name = file.name.lower()
    if name.endswith((".xdf", ".xdfz", ".xdf.gz")):
        return read_xdf(file, options), True, False
    if name.endswith((".edf", ".bdf", ".rec")) and not file.is_dir():
        return read_edf(file, options), True, True
    if name.endswith(".gdf"):
        return read_gdf(file, options), False, False
    if is_text_recording(file):
        return read_text_recording(file, options), True, False
    if holds_epochs(file):
        raise RecordingError(
            file.name, "it holds epochs, not a continuous recording", "Read it with read_epochs, which needs no window."
        )
    encodings = {} if options.encoding is None else {"encoding": options.encoding}
    if not name.endswith((".set", ".cnt")):
        encodings = {}
    with mne_notices(file.name, way_out=_way_out(name)):
        with readable_set(file) if name.endswith(".set") else nullcontext(file) as readable:
            raw = mne.io.read_raw(readable, preload=True, verbose="WARNING", **encodings)
        if not float(raw.info["sfreq"]) > 0:
            raise RecordingError(file.name, "its sampling rate is 0", "Say it in Hz: rate= (--rate).")
    if options.microvolts is not None:
        rows = [at for at, kind in enumerate(raw.get_channel_types()) if kind == "eeg"]
        for at in rows:
            read_as = (raw._orig_units or {}).get(raw.ch_names[at], "V")
            factor = {"µV": 1.0, "uV": 1.0, "mV": 1e3, "nV": 1e-3}.get(str(read_as), 1e6)
            raw._data[at] *= options.microvolts / factor
    return raw, False, False


def _way_out(name: str) -> str:
    if name.endswith(".vhdr"):
        return "Keep the .vhdr, .vmrk and .eeg files in one folder under the names that the .vhdr gives."
    if name.endswith(".set"):
        return "Keep the .fdt or .dat file beside it, or save the data set again in EEGLAB."
    if name.endswith((".eeg", ".vmrk")):
        return "For BrainVision, name the .vhdr file. Convert other formats to EDF+."
    return "Convert the recording to EDF+ or FIF and read that file."


def _rename(raw: Any, new: list[str], file: str) -> None:
    if len(set(new)) < len(new):
        twice = sorted({name for name in new if new.count(name) > 1})
        raise RecordingError(file, f"two channels would be named {', '.join(twice)}", "Give each channel its own name.")
    raw.rename_channels(dict(zip(raw.ch_names, new, strict=True)), verbose="ERROR")


def _with_rate(raw: Any, rate: float, has_true_times: bool) -> Any:
    """Return the same samples at another sampling rate. Annotations keep their sample, or their time."""
    mne = require_mne()
    old = float(raw.info["sfreq"])
    info = mne.create_info(raw.ch_names, rate, raw.get_channel_types())
    made = mne.io.RawArray(raw.get_data(), info, verbose="ERROR")
    scale = 1.0 if has_true_times else old / rate
    found = raw.annotations
    begins = (found.onset - raw.first_time) * scale
    return made.set_annotations(mne.Annotations(begins, found.duration * scale, found.description), verbose="ERROR")
