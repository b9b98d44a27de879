"""Streams with a running service: the delay in real time, and an hour at more than 20 times speed.

Needs EEG_BASE_URL and EEG_TEST_KEY. EEG_STREAM_SECONDS is the length of the stream in real time.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from conftest import two_classes

from eeg_task_classifier import TaskClassifier, stream

pytestmark = pytest.mark.server
X, Y = two_classes(24, 3, 320)
RATE = 160.0


@pytest.fixture(scope="module")
def fitted() -> Iterator[TaskClassifier]:
    clf = TaskClassifier(
        "motor imagery: left or right hand",
        api_key=os.environ["EEG_TEST_KEY"],
        channels=["C3", "Cz", "C4"],
        sampling_rate_hz=RATE,
        units="uV",
        progress=False,
    )
    with clf.fit(X, Y):
        yield clf


def amplifier(seconds: float, speed: float, chunk_seconds: float, ppm: float = 0.0) -> Iterator[tuple[Any, Any]]:
    """Samples when a clock says so, which runs fast by `ppm`; after 30 minutes 2 s are lost."""
    random, begun, step = np.random.default_rng(0), time.monotonic(), round(chunk_seconds * RATE)
    for start in range(0, int(seconds * RATE), step):
        times = np.arange(start, start + step) / RATE * (1 + ppm * 1e-6)
        if not 1800 <= times[0] < 1802:
            time.sleep(max(0.0, begun + times[-1] / speed - time.monotonic()))
            yield random.standard_normal((step, 3)) * 10, times


def test_the_delay_from_the_last_sample_to_the_probability(fitted: TaskClassifier) -> None:
    seconds = float(os.environ.get("EEG_STREAM_SECONDS", "10"))
    predictions = stream(fitted, amplifier(seconds, 1, 0.025), live=True, announce=None)
    found = list(predictions)
    assert len(found) == pytest.approx((seconds - 2) * 8, abs=2)
    assert predictions.skipped == predictions.gaps == 0
    print(
        f"delay of {len(found)} windows: p50 {predictions.latency_seconds(0.5) * 1000:.1f} ms, "
        f"p95 {predictions.latency_seconds() * 1000:.1f} ms"
    )


def test_an_hour_at_more_than_20_times_speed_with_the_recorded_clock(fitted: TaskClassifier) -> None:
    predictions = stream(fitted, amplifier(3600, 40, 0.5, ppm=80), announce=None)
    begun, found = time.monotonic(), list(predictions)
    speed = 3600 / (time.monotonic() - begun)
    print(f"an hour of samples at {speed:.1f} times speed")
    assert speed > 20
    assert predictions.gaps == 1
    # 2 s are lost, and the first window after them needs 2 s.
    assert len(found) == pytest.approx((3600 - 2 - 2 - 2) * 8, abs=4)
    assert found[-1].time == pytest.approx(3600 * (1 + 80e-6), abs=0.2)
    steps = np.diff([each.time for each in found])
    assert np.median(steps) == pytest.approx(0.125, rel=1e-3)
    assert predictions.measured_rate_hz == pytest.approx(RATE / (1 + 80e-6), rel=1e-6)
