"""Rules of the readers on small files: names, units, rates, events, encodings, clocks and text files."""

from __future__ import annotations

import json
import warnings
from pathlib import Path
from typing import Any

import edfio
import mne
import numpy as np
import pytest
import recordings
import scipy.io

from eeg_task_classifier import DataNotice, RecordingError, epoch_labels
from eeg_task_classifier.cli.recording_options import markers_of
from eeg_task_classifier.io import read_epochs, read_recording, read_windows
from eeg_task_classifier.io.edf_annotations import read_edf_annotations
from eeg_task_classifier.io.edf_header import read_edf_header
from eeg_task_classifier.io.electrode_names import channel_meanings
from eeg_task_classifier.io.events import find_events, with_whole_names
from eeg_task_classifier.io.record_gaps import RecordClock
from eeg_task_classifier.io.smooth_times import undo_jumps_back
from eeg_task_classifier.io.triggers import trigger_events

mne.set_log_level("ERROR")
EVENTS = {"left": "T1", "right": "T2"}


def edf(
    folder: Path,
    labels: list[str],
    marks: list[tuple[float, float | None, str]],
    unit: str = "uV",
    seconds: int = 40,
    name: str = "made.edf",
) -> Path:
    random = np.random.default_rng(1)
    signals = [
        edfio.EdfSignal(random.standard_normal(64 * seconds) * 9, 64, label=label, physical_dimension=unit)
        for label in labels
    ]
    edfio.Edf(signals, annotations=[edfio.EdfAnnotation(*mark) for mark in marks]).write(folder / name)
    return folder / name


def notices(call: Any) -> tuple[Any, str]:
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always", DataNotice)
        result = call()
    return result, " | ".join(str(each.message) for each in said)


@pytest.mark.parametrize(
    ("label", "electrode", "reference"),
    [
        ("EEG Fp1-Ref", "Fp1", "Ref"),
        ("POL C3", "C3", None),
        ("Fc5.", "FC5", None),
        ("C4:A1", "C4", "A1"),
        ("EEG Pz_REF", "Pz", "REF"),
        ("C3-(A1+A2)/2", "C3", "(A1+A2)/2"),
        ("EEG T3 - LE", "T7", "LE"),
        ("EEG O1-A1A2", "O1", "A1A2"),
    ],
)
def test_prefixes_and_common_references_are_taken_off(label: str, electrode: str, reference: str | None) -> None:
    (found,) = channel_meanings([label])
    assert (found.electrode, found.reference, found.pair) == (electrode, reference, False)


def test_a_bipolar_pair_stays_and_an_electrode_behind_every_name_is_the_reference() -> None:
    assert [each.pair for each in channel_meanings(["Fp1-F7", "F7-T3", "C3-M2"])] == [True, True, False]
    assert [each.electrode for each in channel_meanings(["C3-Fz", "C4-Fz"]) if not each.pair] == ["C3", "C4"]
    assert [each.kind for each in channel_meanings(["EOG left", "ECG", "M1", "SaO2", "C3"])] == [
        *["eog", "ecg", "misc", "misc", "eeg"]
    ]


def test_bipolar_pairs_are_asked_about_and_named_by_the_caller(tmp_path: Path) -> None:
    path = edf(tmp_path, ["EEG Fpz-Cz", "EEG Pz-Oz"], [])
    raw, text = notices(lambda: read_recording(path))
    assert raw.ch_names == ["EEG Fpz-Cz", "EEG Pz-Oz"]
    assert "bipolar pairs" in text and "--rename" in text
    raw, text = notices(lambda: read_recording(path, channels={"EEG Fpz-Cz": "Fpz", "EEG Pz-Oz": "Pz"}))
    assert (raw.ch_names, text) == (["Fpz", "Pz"], "")
    assert read_recording(path, channels=["C3", "C4"]).ch_names == ["C3", "C4"]
    with pytest.raises(RecordingError, match="3 channel names are given for 2 channels"):
        read_recording(path, channels=["C3", "C4", "Cz"])


def test_positions_of_a_biosemi_cap_are_asked_about_and_mapped(tmp_path: Path) -> None:
    path = edf(tmp_path, [f"A{at}" for at in range(1, 33)], [], seconds=4)
    _, text = notices(lambda: read_recording(path))
    assert "channels='biosemi32'" in text
    assert read_recording(path, channels="biosemi32").ch_names[:3] == ["Fp1", "AF3", "F7"]
    with pytest.raises(ValueError, match="cap 'other' is not known"):
        read_recording(path, channels="other")


def test_a_missing_unit_is_asked_with_a_guess_and_said_by_the_caller(tmp_path: Path) -> None:
    path = edf(tmp_path, ["C3", "C4"], [], unit="")
    with pytest.raises(RecordingError, match=r"made.edf: the unit of 2 channels is ''.*unit='uV'"):
        read_recording(path)
    data = read_recording(path, unit="uV").get_data()
    assert 5e-6 < data.std() < 2e-5
    np.testing.assert_allclose(read_recording(path, unit="mV").get_data(), data * 1000)
    with pytest.raises(ValueError, match="unit 'pt' is not known"):
        read_recording(path, unit="pt")


def test_stages_bad_spans_long_spans_and_a_hypnogram(tmp_path: Path) -> None:
    stages = [(0.0, 90.0, "Sleep stage W"), (90.0, 60.0, "Sleep stage N2")]
    path = edf(tmp_path, ["C3", "C4"], stages, seconds=150)
    epochs, text = notices(lambda: read_epochs(path, {"W": "Sleep stage W", "N2": "Sleep stage N2"}))
    assert epoch_labels(epochs) == ["W"] * 3 + ["N2"] * 2
    assert "cut into 5 epochs of 30 s" in text
    plain = edf(tmp_path, ["C3", "C4"], [], seconds=150, name="plain.edf")
    alone = tmp_path / "hypnogram.tsv"
    alone.write_text("onset\tduration\ttrial_type\n0\t90\tSleep stage W\n90\t60\tSleep stage N2\n")
    joined = read_epochs(plain, {"W": "Sleep stage W", "N2": "Sleep stage N2"}, annotations=alone)
    assert epoch_labels(joined) == epoch_labels(epochs)
    spans = [(2.0, 12.0, "closed"), (20.0, 12.0, "open"), (22.0, 1.0, "BAD_move")]
    path = edf(tmp_path, ["C3", "C4"], spans, name="spans.edf")
    asked = {"closed": "closed", "open": "open"}
    epochs, text = notices(lambda: read_epochs(path, asked, every=4))
    assert epoch_labels(epochs) == ["closed"] * 3 + ["open"] * 2
    assert "1 of 6 trials are left out: 1 in a span marked BAD_move" in text
    _, text = notices(lambda: read_epochs(path, asked, (0, 1)))
    assert "--every 1" in text


@pytest.mark.parametrize(
    ("stages", "seconds", "begins"),
    [
        ([(0.0, 40.0, "W"), (40.0, 20.0, "N2"), (60.0, 60.0, "W")], 120, [0, 20, 40, 60, 80, 100]),
        ([(0.0, 20.0, "W"), (20.0, 20.0, "N2"), (40.0, 20.0, "W")], 60, [0, 20, 40]),
        ([(0.0, 10.0, "W"), (10.0, 50.0, "N2")], 60, [0, 10, 20, 30, 40, 50]),
        ([(0.0, 90.0, "W"), (90.0, 60.0, "N2")], 150, [0, 30, 60, 90, 120]),
        ([(0.0, 37.0, "W"), (37.0, 71.0, "N2"), (108.0, 30.0, "N2")], 150, [0, 37, 67, 108]),
    ],
)
def test_stages_become_epochs_of_their_own_length(
    stages: list[tuple[float, float, str]], seconds: int, begins: list[float], tmp_path: Path
) -> None:
    path = edf(tmp_path, ["C3", "C4"], stages, seconds=seconds)
    epochs = read_epochs(path, {"W": "W", "N2": "N2"})
    assert sorted((epochs.events[:, 0] / 64).tolist()) == begins
    assert len(epochs.times) == 64 * (begins[1] - begins[0] if begins[1] < 30 else 30)


def test_lines_of_stages_fill_the_recording(tmp_path: Path) -> None:
    path = edf(tmp_path, ["C3", "C4"], [], seconds=130)
    (tmp_path / "stages.txt").write_text("W\n" * 3 + "N2\n" * 3)
    epochs, text = notices(lambda: read_epochs(path, {"W": "W", "N2": "N2"}, annotations=tmp_path / "stages.txt"))
    assert (epochs.events[:, 0] / 64).tolist() == [0, 20, 40, 60, 80, 100]
    assert "6 lines fill 130 s, so each is an epoch of 20 s" in text


@pytest.mark.parametrize("of_its_own", [False, True])
def test_annotations_that_begin_before_the_recording_are_clipped_and_counted(of_its_own: bool, tmp_path: Path) -> None:
    marks = [
        *((-75.0, 120.0, "Sleep stage W"), (45.0, 60.0, "Sleep stage N2"), (105.0, 30.0, "Sleep stage W")),
        *((-2.0, 3.0, "BAD_move"), (-9.0, 3.0, "early"), (200.0, 1.0, "late")),
    ]
    path = edf(tmp_path, ["C3", "C4"], [] if of_its_own else marks, seconds=135)
    table = tmp_path / "stages.tsv"
    table.write_text("onset\tduration\ttrial_type\n" + "\n".join("\t".join(map(str, mark)) for mark in marks))
    raw, text = notices(lambda: read_recording(path, annotations=table if of_its_own else None))
    assert "2 annotations lie outside of the recording and are left out" in text
    assert "2 annotations begin before the recording: 92 s before it are left out" in text
    found = [(onset, duration) for onset, duration in zip(raw.annotations.onset, raw.annotations.duration, strict=True)]
    assert found == [(0, 1), (15, 30), (45, 60), (105, 30)]
    epochs = read_epochs(path, {"W": "Sleep stage W"}, annotations=table if of_its_own else None)
    assert (epochs.events[:, 0] / 64).tolist() == [15, 105]


def test_the_meaning_of_an_event_differs_per_file(tmp_path: Path) -> None:
    paths = [edf(tmp_path, ["C3", "C4"], [(2.0, None, "T1"), (5.0, None, "T2")], name=f"{at}.edf") for at in (1, 2)]
    epochs = read_epochs(paths, [EVENTS, {"fists": "T1", "feet": "T2"}], (0, 1))
    assert epoch_labels(epochs) == ["left", "right", "fists", "feet"]
    with pytest.raises(ValueError, match="2 recordings, but 3 sets of events"):
        read_epochs(paths, [EVENTS] * 3, (0, 1))


@pytest.mark.parametrize("label", ["TRIGGER", "Trig", "STI 014", "DIG DTRIG"])
@pytest.mark.parametrize(("unit", "resting"), [("uV", 0.0), ("uV", -1.0), ("", 0.0), ("Boolean", -1.0)])
def test_triggers_have_the_values_of_the_file(label: str, unit: str, resting: float, tmp_path: Path) -> None:
    triggers = np.full(640, resting)
    triggers[100:110], triggers[300:310], triggers[600:] = 5, 7, 9
    signals = [
        edfio.EdfSignal(np.random.default_rng(1).standard_normal(640) * 9, 64, label="C3", physical_dimension="uV"),
        edfio.EdfSignal(
            triggers,
            64,
            label=label,
            physical_dimension=unit,
            physical_range=(-32_768, 32_767),
            digital_range=(-32_768, 32_767),
        ),
    ]
    edfio.Edf(signals).write(tmp_path / "made.edf")
    found = find_events(read_recording(tmp_path / "made.edf"))
    assert {kind.name: kind.samples for kind in found} == {"5": (100,), "7": (300,), "9": (600,)}


def test_a_signal_is_no_trigger_channel() -> None:
    noise = np.random.default_rng(1).standard_normal(5000)
    assert trigger_events(noise) == []
    assert trigger_events(np.arange(5000) % 2) == []
    assert trigger_events(np.repeat([1.0, 2.5, 1.0, 3.0], 9)) == [(9, "2.5"), (27, "3")]


def test_a_plus_in_the_text_of_an_event(tmp_path: Path) -> None:
    path = edf(tmp_path, ["C3"], [(2.0, None, "CS+"), (5.0, None, "CS-"), (8.0, None, "a+b")])
    kinds = [find_events(read_recording(path))]
    asked = markers_of(["x=CS+,y=CS-,z=a+b,u=CS++CS-,v=T1+T2"])
    found = with_whole_names(asked, kinds)
    assert found == {"x": ["CS+"], "y": ["CS-"], "z": ["a+b"], "u": ["CS+", "CS-"], "v": ["T1", "T2"]}


def test_files_of_epochs(tmp_path: Path) -> None:
    epochs = read_epochs(recordings.write_fif(tmp_path), EVENTS, (0, 1))
    epochs.save(tmp_path / "some-epo.fif", verbose="ERROR")
    again = read_epochs(tmp_path / "some-epo.fif", {"l": "left", "r": "right"}, (0.25, 0.75))
    assert epoch_labels(again) == ["l", "r"] * 10
    np.testing.assert_allclose(again.get_data(), epochs.get_data()[:, :, 40:120], atol=1e-9)
    with pytest.raises(RecordingError, match="holds epochs"):
        read_recording(tmp_path / "some-epo.fif")
    with pytest.raises(RecordingError, match="0 to 2 s is asked for"):
        read_epochs(tmp_path / "some-epo.fif", None, (0, 2))


def test_a_pause_maps_true_time_to_samples() -> None:
    clock = RecordClock([0, 1, 2, 10, 11], 1.0, 100)
    assert (clock.gaps, clock.paused) == ([3.0], 7.0)
    assert [clock.sample_seconds(at) for at in (0.5, 2.9, 5.0, 10.0, 11.5)] == [0.5, 2.9, None, 3.0, 4.5]
    assert RecordClock([0.0, 166.0], 100.0, 10.0).signal_length(0.0, 180.0) == pytest.approx(114.0)


def test_annotations_without_a_sign_and_in_another_encoding(tmp_path: Path) -> None:
    path = edf(tmp_path, ["C3"], [(2.0, None, "xxxx")])
    path.write_bytes(path.read_bytes().replace(b"+2\x14xxxx", b"2,5\x14\xd7\xf3\x14"))
    found = read_edf_annotations(path, read_edf_header(path), ["gbk"])
    assert [(each.onset, each.text) for each in found.annotations] == [(2.5, "左")]
    with pytest.raises(ValueError, match="encoding 'nothing' is not known"):
        read_recording(path, encoding="nothing")


def test_a_damaged_file_is_one_sentence_with_a_way_out(tmp_path: Path) -> None:
    for name in ("a.edf", "b.vhdr", "c.set", "d_raw.fif", "e.gdf", "f.xdf", "g.csv"):
        (tmp_path / name).write_bytes(b"\x07nonsense" * 40)
        with pytest.raises(RecordingError, match=f"^{name}: ") as caught:
            read_recording(tmp_path / name)
        assert caught.value.way_out.endswith(".")


@pytest.mark.parametrize(("code", "factor"), [(4275, 1.0), (4274, 1e3), (4276, 1e-3), (4256, 1e6)])
def test_the_unit_of_gdf_is_that_of_its_header_or_of_the_caller(tmp_path: Path, code: int, factor: float) -> None:
    path = recordings.write_gdf(tmp_path, code)
    np.testing.assert_allclose(read_recording(path).get_data(), recordings.volts() * factor, rtol=1e-9)
    np.testing.assert_allclose(read_recording(path, unit="uV").get_data(), recordings.volts(), rtol=1e-9)


@pytest.mark.parametrize(("unit", "factor"), [("uV", 1.0), ("mV", 1e3), ("V", 1e6)])
def test_the_unit_of_gdf_1_is_a_text(tmp_path: Path, unit: str, factor: float) -> None:
    path = recordings.write_gdf_1(tmp_path, unit)
    np.testing.assert_allclose(read_recording(path).get_data(), recordings.volts() * factor, rtol=1e-9)


@pytest.mark.parametrize("code", [0, 512, 4288])
def test_gdf_without_a_unit_of_voltage_asks_for_it(tmp_path: Path, code: int) -> None:
    path = recordings.write_gdf(tmp_path, code)
    with pytest.raises(RecordingError, match="the unit of 3 channels is no unit of voltage") as caught:
        read_recording(path)
    assert caught.value.way_out.endswith("unit='uV' (--unit uV).")
    np.testing.assert_allclose(read_recording(path, unit="uV").get_data(), recordings.volts(), rtol=1e-9)


def test_a_clock_that_jumps_back_is_undone() -> None:
    true = np.arange(2000) / 100
    stamps = true - 3.0 * (np.arange(2000) >= 1000)
    fixed, jumps = undo_jumps_back(stamps, 100)
    np.testing.assert_allclose(fixed, true, atol=1e-9)
    assert [(at, round(by, 6)) for at, by in jumps] == [(1000, 3.0)]


def test_text_files_of_openbci_muse_and_tables(tmp_path: Path) -> None:
    values = np.random.default_rng(2).standard_normal((1000, 4)) * 8
    openbci = tmp_path / "OpenBCI-RAW.txt"
    head = "%OpenBCI Raw EXG Data\n%Number of channels = 4\n%Sample Rate = 250 Hz\n%Board = Ganglion\n"
    names = ", ".join(["Sample Index", *(f"EXG Channel {at}" for at in range(4)), "Marker Channel", "Timestamp"])
    rows = [
        ", ".join([str(at % 256), *map(str, row), "1.0" if at == 500 else "0.0", f"{1e9 + at / 250:.4f}"])
        for at, row in enumerate(values)
    ]
    openbci.write_text(head + names + "\n" + "\n".join(rows))
    raw = read_recording(openbci, channels=["C3", "C4", "O1", "O2"])
    assert (raw.info["sfreq"], raw.ch_names) == (250, ["C3", "C4", "O1", "O2"])
    np.testing.assert_allclose(raw.get_data(), values.T * 1e-6, atol=1e-12)
    assert [(kind.name, kind.samples) for kind in find_events(raw)] == [("1", (500,))]
    muse = tmp_path / "muse.csv"
    lines = [",".join([f"{1.6e9 + at / 256:.5f}", *map(str, row), "0.0"]) for at, row in enumerate(values)]
    muse.write_text("timestamps,TP9,AF7,AF8,TP10,Right AUX\n" + "\n".join(lines))
    raw, text = notices(lambda: read_recording(muse))
    assert (raw.info["sfreq"], raw.ch_names) == (256, ["TP9", "AF7", "AF8", "TP10"])
    assert "256 Hz" in text
    table = tmp_path / "table.csv"
    table.write_text("C3;C4;event\n" + "\n".join(f"{a:.3f};{b:.3f};".replace(".", ",") for a, b in values[:, :2]))
    with pytest.raises(RecordingError, match="no sampling rate"):
        read_recording(table)
    with pytest.raises(RecordingError, match="unit='uV'"):
        read_recording(table, rate=100)
    assert read_windows(table, 1, rate=100, unit="uV").get_data().shape == (10, 2, 100)


def table_of(style: str, names: list[str], values: Any) -> str:
    """Return a table with decimal commas, in one of the styles in which programs write them."""
    separator = {"semicolon": ";", "tab": "\t", "blank": ", ", "quoted": ","}[style]
    cells = [[str(round(float(value), 3)).replace(".", ",") for value in row] for row in values]
    if style == "quoted":
        cells = [[f'"{cell}"' for cell in row] for row in cells]
    return "\n".join(separator.join(row) for row in [names, *cells]) + "\n"


@pytest.mark.parametrize("style", ["semicolon", "tab", "blank", "quoted"])
@pytest.mark.parametrize("program", ["openbci", "muse", "table"])
def test_decimal_commas(program: str, style: str, tmp_path: Path) -> None:
    electrodes = ["TP9", "AF7", "AF8", "TP10"]
    names = {
        "openbci": ["Sample Index", *(f"EXG Channel {at}" for at in range(4)), "Marker Channel", "Timestamp"],
        "muse": ["index", *electrodes, "Marker", "timestamps"],
        "table": ["index", *(f"{name} (uV)" for name in ("C3", "C4", "Cz", "Pz")), "Marker", "time"],
    }[program]
    at = np.arange(512)
    values = np.random.default_rng(1).standard_normal((512, 4)) * 9
    marks = np.where(at % 128 == 64, 1.5, 0.0)
    content = table_of(style, names, np.column_stack([at % 256, values, marks, at / 256]))
    head = "%OpenBCI Raw EXG Data\n%Number of channels = 4\n%Sample Rate = 256 Hz\n" if program == "openbci" else ""
    path = tmp_path / ("OpenBCI-RAW.txt" if program == "openbci" else "a.csv")
    path.write_text(head + content)
    raw = read_recording(path)
    np.testing.assert_allclose(raw.get_data(picks=raw.ch_names[:4]).T * 1e6, values, atol=6e-4)
    assert raw.info["sfreq"] == 256
    assert {kind.name: kind.samples for kind in find_events(raw)} == {"1.5": (64, 192, 320, 448)}


def test_commas_that_separate_columns_and_decimals_are_refused(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("time,C3,C4\n0,0,1,5,2,5\n0,004,1,5,2,5\n")
    with pytest.raises(
        RecordingError, match=r"6 values and its heading names 3 columns.*Export it with decimal points"
    ):
        read_recording(tmp_path / "a.csv")


def test_every_position_of_a_cap_of_128_offers_its_map(tmp_path: Path) -> None:
    labels = [f"{bank}{at}" for bank in "ABCD" for at in range(1, 33)]
    _, text = notices(lambda: read_recording(edf(tmp_path, labels, [], seconds=2)))
    assert "128 channels have names of positions on a BioSemi cap" in text
    assert "channels='biosemi128' (--cap biosemi128)" in text
    _, text = notices(lambda: read_recording(edf(tmp_path, labels[:120], [], seconds=2)))
    assert "120 channels" in text and "channels='biosemi128'" in text
    raw = read_recording(edf(tmp_path, labels, [], seconds=2), channels="biosemi128")
    assert (raw.ch_names[0], raw.ch_names[-1]) == ("Cz", "P9h")


@pytest.mark.parametrize("trials", [1, 5])
def test_an_eeglab_data_set_with_its_signal_in_a_dat_file(trials: int, tmp_path: Path) -> None:
    data = np.random.default_rng(1).standard_normal((3, 100, trials)).astype("<f4") * 9
    labels = np.array([(name,) for name in ("C3", "C4", "Cz")], dtype=[("labels", object)])
    latencies = [(f"T{at % 2 + 1}", float(at * 100 + 11 if trials > 1 else at * 20 + 11), at + 1.0) for at in range(5)]
    events = np.array(latencies, dtype=[("type", object), ("latency", object), ("epoch", object)])
    epoch = np.array(
        [(f"T{at % 2 + 1}", 0.0, at + 1.0) for at in range(trials)],
        dtype=[("eventtype", object), ("eventlatency", object), ("event", object)],
    )
    data_set = {"nbchan": 3.0, "srate": 50.0, "pnts": 100.0, "trials": float(trials), "chanlocs": labels}
    data_set |= {"event": events, "data": "a.dat", "xmin": 0.0 if trials == 1 else -0.2, "xmax": 1.78, "setname": "a"}
    data_set |= {"epoch": epoch if trials > 1 else np.empty((0, 0)), "icawinv": np.empty((0, 0))}
    scipy.io.savemat(tmp_path / "a.set", {"EEG": data_set})
    with pytest.raises(RecordingError, match=r"its signal is in a\.dat, which is missing"):
        read_epochs(tmp_path / "a.set", None, (0, 0.2))
    data.transpose(0, 2, 1).tofile(tmp_path / "a.dat")
    if trials == 1:
        np.testing.assert_allclose(read_recording(tmp_path / "a.set").get_data() * 1e6, data[:, :, 0], rtol=1e-5)
    else:
        read = read_epochs(tmp_path / "a.set", None, None)
        np.testing.assert_allclose(read.get_data() * 1e6, data.transpose(2, 0, 1), rtol=1e-5)
    (tmp_path / "a.dat").write_bytes(b"1234")
    with pytest.raises(RecordingError, match=r"a\.dat has 4"):
        read_epochs(tmp_path / "a.set", None, (0, 0.2))


def test_the_rules_are_a_part_of_the_package() -> None:
    import eeg_task_classifier.io as package

    rules = json.loads((Path(package.__file__).parent / "reader_rules.json").read_text(encoding="utf-8"))
    assert {"unitsToMicrovolts", "prefixes", "commonReferences", "capMaps"} <= rules.keys()
