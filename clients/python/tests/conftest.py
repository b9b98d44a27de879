from __future__ import annotations

import gc
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from fake_service import FakeService

from eeg_task_classifier import TaskClassifier, connection, spending
from eeg_task_classifier.spending_limit import Spending

TEST_KEY = "eeg_test_" + "a" * 16 + "_" + "b" * 48
LIVE_KEY = "eeg_live_" + "a" * 16 + "_" + "b" * 48
ADDRESS = "http://127.0.0.1:1"


@pytest.fixture
def service(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[FakeService]:
    """A fake service behind every connection, and no fit paid yet; `pauses` lists the waits in seconds."""
    fake = FakeService(**getattr(request, "param", {}))
    pauses: list[float] = []
    monkeypatch.setattr(fake, "pauses", pauses, raising=False)
    monkeypatch.setattr(connection, "open_client", fake.client)
    monkeypatch.setattr(connection, "_clients", {})
    monkeypatch.setattr(connection, "Clock", lambda: _clock(pauses))
    monkeypatch.setattr(spending, "_fits", 0)
    monkeypatch.setattr(spending, "_usd", Spending().usd)
    monkeypatch.setattr(spending, "_plans", [])
    monkeypatch.delenv("EEG_TEST_KEY", raising=False)
    monkeypatch.setenv("EEG_BASE_URL", ADDRESS)
    monkeypatch.setenv("EEG_API_KEY", TEST_KEY)
    yield fake
    gc.collect()


def _clock(pauses: list[float]) -> Any:
    from eeg_task_classifier.retry import Clock

    return Clock(sleep=pauses.append, monotonic=lambda: sum(pauses))


def two_classes(trials: int = 20, channels: int = 3, samples: int = 50, seed: int = 0) -> tuple[Any, Any]:
    """Trials of two classes that their means separate: x in microvolts [trials x channels x samples], and y."""
    random = np.random.default_rng(seed)
    y = np.array(["right", "left"] * (trials // 2))
    x = random.standard_normal((trials, channels, samples))
    x[y == "left", 0] += 2
    return x, y


def array_classifier(**parameters: Any) -> TaskClassifier:
    given = {"channels": ["C3", "Cz", "C4"], "sampling_rate_hz": 50.0, "units": "uV", "progress": False, **parameters}
    return TaskClassifier("motor imagery: left or right hand", **given)
