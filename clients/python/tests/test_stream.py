"""Predictions in real time: windows, gaps, drift, money, failures, LSL."""

from __future__ import annotations

import itertools
import sys
import types
from collections.abc import Iterator
from decimal import Decimal
from typing import Any

import httpx
import numpy as np
import pytest
from conftest import LIVE_KEY, array_classifier, two_classes
from fake_service import FakeService, Refusal

from eeg_task_classifier import (
    ConnectionFailedError,
    DataNotice,
    PaymentNotAllowedError,
    TaskClassifier,
    stream,
)
from eeg_task_classifier.realtime import lsl as lsl_module
from eeg_task_classifier.realtime.lsl import StreamLostError
from eeg_task_classifier.realtime.ring_buffer import RingBuffer
from eeg_task_classifier.realtime.samples import Samples
from eeg_task_classifier.realtime.window_cutter import WindowCutter

X, Y = two_classes()
RATE = 50.0


def fitted(**parameters: Any) -> TaskClassifier:
    return array_classifier(**parameters).fit(X, Y)


def samples(count: int, rate: float = RATE, start: float = 0.0) -> Iterator[tuple[Any, float]]:
    """Single samples of three channels; channel 0 counts them."""
    for at in range(count):
        yield np.array([at, 0.0, 0.0]), start + at / rate


def cutter(step: float = 10, length: int = 20, gap: float = 0.03) -> WindowCutter:
    return WindowCutter(1, length, step, RATE, gap)


def block(times: Any) -> Samples:
    times = np.asarray(times, dtype=float)
    return Samples((times * RATE).astype(np.float32)[:, None], times)


def test_the_ring_buffer_keeps_the_newest_samples() -> None:
    ring = RingBuffer(1, 5)
    signal = np.arange(40, dtype=np.float32)[:, None]
    at = 0
    for size in (3, 1, 5, 12, 2, 7):
        ring.push(signal[at : at + size])
        at += size
        if at >= 5:
            assert ring.newest()[0].tolist() == signal[at - 5 : at, 0].tolist()


@pytest.mark.parametrize("size", [1, 7, 20, 1000])
def test_windows_do_not_depend_on_the_size_of_the_chunks(size: int) -> None:
    cut, times = cutter(step=6.25), np.arange(200) / RATE
    windows = [each for at in range(0, 200, size) for each in cut.push(block(times[at : at + size]))]
    ends = [round(each.time * RATE) for each in windows]
    assert ends[:5] == [19, 25, 31, 38, 44]
    assert len(windows) == 29
    for each in windows:
        np.testing.assert_array_equal(np.diff(each.values[0]), 1)


def test_no_window_contains_a_gap_or_a_step_of_the_clock() -> None:
    cut = cutter()
    times = np.concatenate([np.arange(50), np.arange(55, 100), np.arange(20, 60)]) / RATE
    windows = cut.push(block(times))
    assert cut.gaps == 2
    assert cut.lost_seconds == pytest.approx(0.1)
    for each in windows:
        np.testing.assert_allclose(np.diff(each.values[0]), 1)
    assert [round(each.time * RATE) for each in windows] == [19, 29, 39, 49, 74, 84, 94, 39, 49, 59]


def test_a_number_that_is_not_finite_is_a_gap() -> None:
    cut = cutter()
    values = block(np.arange(60) / RATE)
    values.values[30] = np.nan
    assert [round(each.time * RATE) for each in cut.push(values)] == [19, 29, 50]


@pytest.mark.parametrize("ppm", [-300, 300])
def test_a_clock_that_drifts_makes_no_gap_and_no_window_late(ppm: int) -> None:
    cut = cutter()
    times = np.arange(int(3600 * RATE)) / RATE * (1 + ppm * 1e-6)
    windows = [each for at in range(0, len(times), 500) for each in cut.push(block(times[at : at + 500]))]
    assert cut.gaps == 0
    assert len(windows) == (len(times) - 20) // 10 + 1
    assert windows[-1].time == pytest.approx(times[-1], abs=0.01)
    assert cut.measured_rate_hz == pytest.approx(RATE / (1 + ppm * 1e-6), rel=1e-6)


def test_a_stream_predicts_every_window_and_says_that_a_test_key_costs_nothing(service: FakeService) -> None:
    said: list[str] = []
    with stream(fitted(), samples(150), per_second=5, announce=said.append) as predictions:
        found = list(predictions)
    assert "costs nothing" in said[0]
    assert [round(each.time * RATE) for each in found] == list(range(49, 150, 10))
    assert found[0].label in ("left", "right")
    assert found[0].probabilities.sum() == pytest.approx(1)
    assert 0 < predictions.latency_seconds() < 1
    sent = service.sent("predictions")[0]
    assert (sent["shape"], sent["units"], sent["channels"]) == ([1, 3, 50], "uV", ["C3", "Cz", "C4"])


def test_a_stream_of_a_live_key_needs_max_usd_and_ends_there(service: FakeService) -> None:
    clf = fitted(api_key=LIVE_KEY)
    with pytest.raises(PaymentNotAllowedError, match=r"\$1\.44 per minute.*needs max_usd"):
        stream(clf, samples(500))
    said: list[str] = []
    predictions = stream(clf, samples(500), max_usd=0.1, announce=said.append)
    assert said == ["This stream costs $1.44 per minute. It ends at $0.10, after 0.1 minutes."]
    with pytest.warns(DataNotice, match=r"cost \$0\.099, and max_usd is 0\.1"):
        assert len(list(predictions)) == 33
    assert predictions.usd == Decimal("0.099")
    with pytest.raises(ValueError, match="at most 8"):
        stream(clf, samples(10), per_second=9, max_usd=1)


def test_the_price_is_printed_before_the_first_prediction(
    service: FakeService, capsys: pytest.CaptureFixture[str]
) -> None:
    stream(fitted(api_key=LIVE_KEY), samples(1), max_usd=5)
    assert "$1.44 per minute" in capsys.readouterr().err


def test_the_source_may_have_more_channels_in_another_order_and_chunks_with_one_time(service: FakeService) -> None:
    chunks = ((np.ones((25, 4)) * [1, 2, 3, 4], (at + 1) / 2) for at in range(8))
    found = list(stream(fitted(), chunks, per_second=1, channels=["C4", "EOG", "cz", "C3"], announce=None))
    assert len(found) == 4
    clf = fitted()
    for wrong, text in (
        (dict(source=[np.zeros(3)], channels=["C3", "Cz", "Oz"]), "lacks channels of the model: C4"),
        (dict(source=[np.zeros((3, 8))]), "Transpose it"),
        (dict(source=[(np.zeros((8, 3)), [1.0, 2.0])]), "8 samples, but times"),
    ):
        with pytest.raises(ValueError, match=text):
            list(stream(clf, **wrong, announce=None))


def test_an_interruption_begins_anew(service: FakeService) -> None:
    source = itertools.chain(([np.zeros(3)] * 60), [None], ([np.zeros(3)] * 60))
    predictions = stream(fitted(), source, per_second=5, announce=None)
    assert len(list(predictions)) == 4
    assert predictions.gaps == 1


def test_a_rate_that_differs_from_the_declared_one_is_noticed(service: FakeService) -> None:
    with pytest.warns(DataNotice, match=r"delivers 49\.00 samples per second, but declares 50 Hz"):
        list(stream(fitted(), samples(800, rate=49.0), per_second=1, announce=None))


def failing(service: FakeService, count: int) -> None:
    service.script["predictions"] = [Refusal(503, "service_unavailable_error", "POOL_SATURATED", "busy")] * count


def test_a_live_stream_survives_a_short_failure_and_counts_the_windows_left_out(service: FakeService) -> None:
    failing(service, 4)
    predictions = stream(fitted(), samples(150), per_second=5, live=True, announce=None)
    with pytest.warns(DataNotice, match=r"does not answer|answers again"):
        assert len(list(predictions)) == 7
    assert predictions.skipped == 4
    assert set(service.keys("predictions")) == {None}


def test_a_recorded_stream_raises_the_failure(service: FakeService) -> None:
    service.script["predictions"] = [httpx.ConnectError("down")] * 9
    with pytest.raises(ConnectionFailedError):
        list(stream(fitted(), samples(150), per_second=5, announce=None))


class Channel:
    def __init__(self, rows: list[dict[str, str]]) -> None:
        self.rows = rows

    def child(self, _name: str) -> Channel:
        return self

    def child_value(self, name: str) -> str:
        return self.rows[0].get(name, "")

    def next_sibling(self) -> Channel:
        return Channel(self.rows[1:])

    def empty(self) -> bool:
        return not self.rows


class Inlet:
    """A stream of LSL that is lost after some samples, and comes back."""

    opened = 0

    def __init__(self, _info: Any, processing_flags: int = 0) -> None:
        Inlet.opened += 1
        self.at, self.begin = 0, 100.0 * Inlet.opened

    def info(self) -> Any:
        rows = [{"label": name, "unit": "microvolts", "type": "EEG"} for name in ("C3", "Cz", "C4")]
        return types.SimpleNamespace(
            name=lambda: "Amp", nominal_srate=lambda: RATE, channel_count=lambda: 3, desc=lambda: Channel(rows)
        )

    def pull_sample(self, timeout: float) -> tuple[Any, Any]:
        if self.at == 100:
            if Inlet.opened >= 2:
                raise KeyboardInterrupt
            raise sys.modules["pylsl"].LostError
        self.at += 1
        return [1.0, 2.0, 3.0], self.begin + self.at / RATE

    def pull_chunk(self, timeout: float) -> tuple[list[Any], list[float]]:
        first, self.at = self.at, min(self.at + 4, 100)
        stamps = [self.begin + (at + 1) / RATE for at in range(first, self.at)]
        return [[1.0, 2.0, 3.0]] * len(stamps), stamps

    def close_stream(self) -> None:
        pass


@pytest.fixture
def pylsl(monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.setattr(Inlet, "opened", 0)
    module = types.SimpleNamespace(
        LostError=type("LostError", (RuntimeError,), {}),
        StreamInlet=Inlet,
        proc_clocksync=1,
        resolve_byprop=lambda _key, name, timeout: ["info"] if name == "Amp" else [],
    )
    monkeypatch.setitem(sys.modules, "pylsl", module)
    return module


def test_a_stream_of_lsl_declares_its_format_and_reconnects(service: FakeService, pylsl: Any) -> None:
    predictions = stream(fitted(), "Amp", per_second=5, announce=None)
    found = []
    with pytest.warns(DataNotice, match="'Amp' delivers no samples"), pytest.raises(KeyboardInterrupt):
        for each in predictions:
            found.append(each)
    assert Inlet.opened == 2
    assert predictions.gaps == 1
    assert len(found) == 12
    assert found[-1].time > 200
    with pytest.raises(StreamLostError, match="no LSL stream named 'Other'"):
        stream(fitted(), "Other", announce=None)


def test_a_stream_of_lsl_without_a_unit_is_refused(
    service: FakeService, pylsl: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lsl_module, "_UNITS", {})
    with pytest.raises(ValueError, match="does not declare its unit"):
        stream(fitted(), "Amp", announce=None)
    assert stream(fitted(), "Amp", units="uV", announce=None).usd_per_minute == 0


def test_pylsl_is_optional(service: FakeService, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pylsl", None)
    with pytest.raises(ImportError, match=r"eeg-task-classifier\[lsl\]"):
        stream(fitted(), "Amp", announce=None)
