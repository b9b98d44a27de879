"""Recordings of every format, cut into trials."""

from __future__ import annotations

from pathlib import Path

import mne
import numpy as np
import pytest
import recordings

from eeg_task_classifier import DataNotice, epoch_labels
from eeg_task_classifier.io import find_events, read_epochs, read_recording, read_windows
from eeg_task_classifier.io.events import EventKind, samples_of

mne.set_log_level("ERROR")


@pytest.mark.parametrize("form", recordings.WRITERS)
def test_every_format_gives_the_same_trials(form: str, tmp_path: Path) -> None:
    path = recordings.WRITERS[form](tmp_path)
    left, right = recordings.EVENTS.get(form, ("T1", "T2"))
    epochs = read_epochs(path, {"left": left, "right": right}, (0.5, 1.25))
    assert epoch_labels(epochs) == ["left", "right"] * 10
    eeg = epochs.get_data(picks=recordings.NAMES)
    assert eeg.shape == (20, 3, 120)
    whole = recordings.volts()
    for trial, onset in zip(eeg, recordings.ONSETS, strict=True):
        start = round((onset + 0.5) * recordings.RATE)
        np.testing.assert_allclose(trial, whole[:, start : start + 120], atol=2e-9)


@pytest.mark.parametrize(("window", "samples"), [((0, 4), 640), ((0.5, 4), 560), ((-0.2, 0.8), 160), ((0, 0.1), 16)])
def test_windows_are_half_open(window: tuple[float, float], samples: int, tmp_path: Path) -> None:
    epochs = read_epochs(recordings.write_edf(tmp_path), {"left": "T1", "right": "T2"}, window)
    assert len(epochs.times) == samples
    assert epochs.times[0] == window[0]


def test_a_notice_counts_trials_beyond_the_recording(tmp_path: Path) -> None:
    with pytest.warns(DataNotice, match="1 of 20 trials are left out"):
        epochs = read_epochs(recordings.write_edf(tmp_path), {"left": "T1", "right": "T2"}, (0, 9.6))
    assert len(epochs) == 19
    with pytest.raises(ValueError, match="none of 20 trials"):
        read_epochs(recordings.write_edf(tmp_path), {"left": "T1", "right": "T2"}, (0, 60))


def test_the_error_of_a_missing_event_lists_the_events(tmp_path: Path) -> None:
    path = recordings.write_edf(tmp_path)
    with pytest.raises(ValueError, match=r"no event 'T9'. There are: 'T1' \(10\), 'T2' \(10\)"):
        read_epochs(path, {"left": "T1", "right": "T9"}, (0, 1))
    with pytest.raises(ValueError, match="to two classes"):
        read_epochs(path, {"left": "T1", "right": ["T1", "T2"]}, (0, 1))
    with pytest.raises(ValueError, match="no sample"):
        read_epochs(path, {"left": "T1", "right": "T2"}, (1, 1))
    with pytest.raises(FileNotFoundError):
        read_epochs(tmp_path / "none.edf", {}, (0, 1))
    assert set(read_epochs(path, None, (0, 1)).event_id) == {"T1", "T2"}


def test_a_class_of_several_markers_and_a_session_per_file(tmp_path: Path) -> None:
    epochs = read_epochs([recordings.write_edf(tmp_path), recordings.write_fif(tmp_path)], {"go": ["T1", "T2"]}, (0, 1))
    assert epoch_labels(epochs) == ["go"] * 40
    assert epochs.metadata["session"].tolist() == ["rec"] * 20 + ["rec_raw"] * 20


def test_triggers_of_a_named_channel(tmp_path: Path) -> None:
    path = tmp_path / "plain_raw.fif"
    recordings.raw(stim=True).set_channel_types({"STI 014": "misc"}).save(path, verbose="ERROR")
    epochs = read_epochs(path, {"left": 1, "right": 2}, (0, 1), stim_channel="STI 014")
    assert len(epochs) == 20


def test_only_the_lower_16_bits_of_a_bdf_status_channel_are_triggers(tmp_path: Path) -> None:
    path = recordings.write_bdf(tmp_path)
    assert [(kind.name, len(kind.samples)) for kind in find_events(read_recording(path))] == [("1", 10), ("2", 10)]


def test_xdf_trials_with_lost_samples_are_left_out(tmp_path: Path) -> None:
    with pytest.warns(DataNotice) as said:
        epochs = read_epochs(recordings.write_xdf(tmp_path, gap=True), {"left": "T1", "right": "T2"}, (0, 1))
    texts = " ".join(str(each.message) for each in said)
    assert "missing at 1 place" in texts
    assert "2 of 20 markers" in texts
    whole = recordings.volts()
    onsets = [onset for onset in recordings.ONSETS if not 9 < onset < 13]
    for trial, onset in zip(epochs.get_data(), onsets, strict=True):
        start = round(onset * recordings.RATE)
        np.testing.assert_allclose(trial, whole[:, start : start + 160], atol=2e-9)
    assert epoch_labels(epochs) == [
        {"T1": "left", "T2": "right"}[name]
        for name, onset in zip(recordings.MARKERS, recordings.ONSETS, strict=True)
        if not 9 < onset < 13
    ]


@pytest.mark.parametrize("jitter", [0, 0.02])
@pytest.mark.parametrize("lost", [0.05, 0.4])
def test_a_few_lost_xdf_samples_shift_no_trial(lost: float, jitter: float, tmp_path: Path) -> None:
    path = recordings.write_xdf(tmp_path, gap=True, lost=lost, jitter=jitter)
    with pytest.warns(DataNotice) as said:
        epochs = read_epochs(path, {"left": "T1", "right": "T2"}, (0, 1))
    assert any(f"missing at 1 place, {lost:.2f}" in str(each.message) for each in said)
    whole = recordings.volts()
    onsets = [onset for onset in recordings.ONSETS if not 9 < onset < 10 + lost]
    for trial, onset in zip(epochs.get_data(), onsets, strict=True):
        start = round(onset * recordings.RATE)
        np.testing.assert_allclose(trial, whole[:, start : start + 160], atol=2e-9)


@pytest.mark.filterwarnings("error::eeg_task_classifier.DataNotice")
def test_jitter_of_xdf_time_stamps_is_not_lost_samples(tmp_path: Path) -> None:
    assert len(read_epochs(recordings.write_xdf(tmp_path, jitter=0.02), {"a": "T1", "b": "T2"}, (0, 1))) == 20


def test_triggers_without_a_zero_between_them_and_one_value_in_two_channels() -> None:
    long, brief = np.zeros(1600), np.zeros(1600)
    long[100:300], long[300:500], brief[700:710] = 1, 2, 1
    info = mne.create_info(["C3", "STI 1", "STI 2"], 160, ["eeg", "stim", "stim"])
    raw = mne.io.RawArray(np.vstack([np.zeros(1600), long, brief]), info)
    found = find_events(raw)
    assert samples_of(2, found) == (300,)
    with pytest.raises(ValueError, match=r"STI 1 \(1\), STI 2 \(1\)\. Choose one with stim_channel="):
        samples_of(1, found)
    assert samples_of(1, find_events(raw, "STI 2")) == (700,)


def test_projections_are_not_applied(tmp_path: Path) -> None:
    raw = recordings.raw().set_eeg_reference(projection=True)
    raw.save(tmp_path / "proj_raw.fif")
    epochs = read_epochs(tmp_path / "proj_raw.fif", {"left": "T1", "right": "T2"}, (0, 1))
    assert [each["active"] for each in epochs.info["projs"]] == [False]
    start = round(recordings.ONSETS[0] * recordings.RATE)
    np.testing.assert_allclose(epochs.get_data()[0], recordings.volts()[:, start : start + 160], atol=1e-9)


def test_a_whole_name_matches_before_its_last_part() -> None:
    found = [
        EventKind("Stimulus/S  1", False, (1,)),
        EventKind("Response/S  1", False, (2,)),
        EventKind("Stimulus/S  2", False, (3,)),
    ]
    assert samples_of("Stimulus/S1", found) == (1,)
    assert samples_of("S2", found) == (3,)
    with pytest.raises(ValueError, match="matches"):
        samples_of("S1", found)
    with pytest.raises(ValueError, match="no event"):
        samples_of("Response/S2", found)


def test_classes_come_from_all_files(tmp_path: Path) -> None:
    paths = []
    for name, marks in [("one", ["rest", "left", "left"]), ("two", ["right", "rest"]), ("three", ["left", "right"])]:
        raw = recordings.raw().set_annotations(mne.Annotations(recordings.ONSETS[: len(marks)], 0.0, marks))
        paths.append(tmp_path / f"{name}_raw.fif")
        raw.save(paths[-1])
    whole = ["rest", "left", "left", "right", "rest", "left", "right"]
    with pytest.warns(DataNotice, match=r"mark no trial: 'rest' \(2\)"):
        assert epoch_labels(read_epochs(paths, None, (0, 1))) == [name for name in whole if name != "rest"]
    asked = {name: name for name in ("left", "rest", "right")}
    assert epoch_labels(read_epochs(paths, asked, (0, 1))) == whole
    some = {"right": "right", "left": "left"}
    assert epoch_labels(read_epochs(paths, some, (0, 1))) == [name for name in whole if name != "rest"]
    with pytest.raises(ValueError, match="no event 'feet'"):
        read_epochs(paths, {**some, "feet": "feet"}, (0, 1))
    twice = recordings.raw().set_annotations(mne.Annotations([2.0, 2.0, 5.0], 0.0, ["left", "left", "right"]))
    twice.save(tmp_path / "twice_raw.fif")
    assert epoch_labels(read_epochs(tmp_path / "twice_raw.fif", some, (0, 1))) == ["left", "right"]


def test_xdf_without_a_unit_is_read_as_microvolts_with_a_notice(tmp_path: Path) -> None:
    with pytest.warns(DataNotice, match="microvolts"):
        raw = read_recording(recordings.write_xdf(tmp_path, unit=""))
    np.testing.assert_allclose(raw.get_data(), recordings.volts(), atol=2e-9)
    with pytest.raises(ValueError, match=r"Amp \(EEG\), Cues \(Markers\)"):
        read_recording(recordings.write_xdf(tmp_path), stream="Other")


def test_a_recording_cut_into_consecutive_windows(tmp_path: Path) -> None:
    epochs = read_windows(recordings.write_fif(tmp_path), 3)
    assert epochs.get_data().shape == (13, 3, 480)
    np.testing.assert_allclose(np.hstack(list(epochs.get_data())), recordings.volts()[:, : 13 * 480], atol=1e-12)
