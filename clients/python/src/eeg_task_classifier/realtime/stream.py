"""Predictions in real time, from a stream of the Lab Streaming Layer or from any iterator of samples."""

from __future__ import annotations

import copy
import time
from collections import deque
from collections.abc import Callable, Generator, Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

import numpy as np
import numpy.typing as npt
from rich.console import Console

from ..classifier import TaskClassifier
from ..data_notice import notify
from ..dollars import dollars
from ..epochs import normalized_name
from ..errors import (
    ConnectionFailedError,
    EEGTaskClassifierError,
    PaymentNotAllowedError,
    RateLimitError,
    ServiceFaultError,
    ServiceUnavailableError,
)
from ..limits import PREDICTIONS_PER_SECOND, WINDOW_USD, windows_per_trial
from ..loading import load_model
from ..retry import RETRIED_429
from .lsl import LslSource
from .samples import SampleFormat, SampleIterator, Samples, columns_of
from .window_cutter import Window, WindowCutter

#: In real time a late probability is worthless, so a request waits no longer, and is not repeated. It has no
#: Idempotency-Key: the service would store every answer for 30 days.
_LIVE_TIMEOUT_SECONDS = 5.0
#: Windows that ended so long before the newest one are left out, if the service is slower than the source.
_LATEST_SECONDS = 1.0
#: Measured sampling rates that differ more from the declared one are reported.
_RATE_TOLERANCE = 0.005
#: Longest time in seconds without an answer, before a stream ends with the exception.
_OUTAGE_SECONDS = 30.0


@dataclass(frozen=True)
class StreamPrediction:
    """Prediction of one window.

    Attributes
    ----------
    time : float
        Time of the last sample of the window in seconds, by the clock of the source.
    label : object
        Value of ``classes_``.
    probabilities : ndarray of float, shape (classes,)
        In the order of ``classes_``.
    cost_usd : Decimal
        Cost in US dollars.
    latency_seconds : float
        Time from the arrival of the last sample to the probabilities.
    """

    time: float
    label: Any
    probabilities: npt.NDArray[np.float64]
    cost_usd: Decimal
    latency_seconds: float


class Stream:
    """Iterator over the predictions of a running signal; see `stream`, which makes it.

    Use it in a ``with`` statement or a ``for`` loop. `close` ends it.

    Attributes
    ----------
    usd_per_minute : Decimal
        Price in US dollars; 0 with a test key.
    usd : Decimal
        Cost so far in US dollars. A request without an answer counts as paid.
    max_usd : Decimal or None
        Limit on `usd`.
    predicted : int
        Number of predicted windows.
    skipped : int
        Windows left out because the service was too slow or failed.
    """

    def __init__(
        self,
        classifier: TaskClassifier,
        source: LslSource | SampleIterator,
        sample_format: SampleFormat,
        per_second: float,
        window_seconds: float,
        max_usd: float | None,
        live: bool,
    ) -> None:
        self._classifier = classifier
        self._source = source
        self._format = sample_format
        self._live = live
        self._columns = columns_of(classifier.channels_, sample_format.channels, normalized_name)
        length, rate = round(window_seconds * sample_format.rate_hz), sample_format.rate_hz
        self._cutter = WindowCutter(len(self._columns), length, rate / per_second, rate, sample_format.gap_seconds)
        is_test = classifier._service().connection.is_test
        self._price = Decimal(0) if is_test else windows_per_trial(length, rate) * WINDOW_USD
        self.usd_per_minute = (self._price * Decimal(str(per_second)) * 60).quantize(Decimal("0.01"))
        self.usd = Decimal(0)
        self.max_usd = None if max_usd is None else Decimal(str(max_usd))
        self.predicted = 0
        self.skipped = 0
        self._latencies: deque[float] = deque(maxlen=10_000)
        self._failing_since: float | None = None
        self._rate_reported = False
        if not is_test and self.max_usd is None:
            raise PaymentNotAllowedError(
                f"{self.price_text()} With a live key a stream needs max_usd, the limit on its cost. Nothing was paid.",
                self.usd_per_minute,
                Decimal(0),
                None,
            )
        self._predictions = self._run()

    def __iter__(self) -> Iterator[StreamPrediction]:
        return self

    def __next__(self) -> StreamPrediction:
        return next(self._predictions)

    def __enter__(self) -> Stream:
        return self

    def __exit__(self, *_error: object) -> None:
        self.close()

    def close(self) -> None:
        """End the stream and close its source. Nothing more is paid."""
        self._predictions.close()
        self._source.close()

    @property
    def gaps(self) -> int:
        """Number of gaps, steps of the clock and interruptions. No window contains one."""
        return self._cutter.gaps

    @property
    def measured_rate_hz(self) -> float | None:
        """Sampling rate by the clock of the source since the last gap, in Hz; None in the first 10 s."""
        return self._cutter.measured_rate_hz

    def latency_seconds(self, quantile: float = 0.95) -> float:
        """Return a quantile of the time from the last sample to the probabilities, over the last 10,000 windows."""
        return float(np.quantile(self._latencies, quantile)) if self._latencies else float("nan")

    def price_text(self) -> str:
        """Return the price of the stream in one sentence."""
        if self._price == 0:
            return "This stream costs nothing: the key is a test key."
        limit = ""
        if self.max_usd is not None:
            limit = (
                f" It ends at {dollars(self.max_usd)}, after {float(self.max_usd / self.usd_per_minute):.1f} minutes."
            )
        return f"This stream costs {dollars(self.usd_per_minute)} per minute.{limit}"

    def _run(self) -> Generator[StreamPrediction, None, None]:
        for samples in self._source:
            arrived = time.monotonic()
            if samples is None:
                self._cutter.interrupt()
                continue
            if not len(samples.values):
                continue
            windows = self._cutter.push(Samples(samples.values[:, self._columns], samples.times))
            self._report_rate()
            windows = self._due(windows)
            if not windows:
                continue
            affordable = self._affordable(len(windows))
            yield from self._predicted(windows[:affordable], arrived)
            if affordable < len(windows):
                notify(f"The stream has ended: it has cost {dollars(self.usd)}, and max_usd is {self.max_usd}.")
                return

    def _due(self, windows: list[Window]) -> list[Window]:
        """Return the windows to predict. In real time, those that ended long ago are left out."""
        if not self._live or not windows:
            return windows
        newest = windows[-1].time
        kept = [each for each in windows if newest - each.time <= _LATEST_SECONDS]
        self.skipped += len(windows) - len(kept)
        return kept

    def _affordable(self, wanted: int) -> int:
        if self.max_usd is None or self._price == 0:
            return wanted
        return min(wanted, int((self.max_usd - self.usd) // self._price))

    def _predicted(self, windows: list[Window], arrived: float) -> Iterator[StreamPrediction]:
        if not windows:
            return
        try:
            answer = self._classifier.classify(
                np.stack([each.values for each in windows]),
                channels=self._classifier.channels_,
                sampling_rate_hz=self._format.rate_hz,
                units=self._format.units,
            )
        except EEGTaskClassifierError as error:
            self._failed(error, len(windows))
            return
        if self._failing_since is not None:
            notify("The service answers again. The stream goes on.")
            self._failing_since = None
        latency = time.monotonic() - arrived
        self.usd += answer.cost_usd
        for at, window in enumerate(windows):
            self.predicted += 1
            self._latencies.append(latency)
            yield StreamPrediction(
                window.time, answer.labels[at], answer.probabilities[at], answer.cost_usd / len(windows), latency
            )

    def _failed(self, error: EEGTaskClassifierError, windows: int) -> None:
        """Leave windows out if the stream is live and the failure may pass; otherwise raise the exception."""
        unknown = not isinstance(error, RateLimitError)
        if unknown:
            self.usd += self._price * windows
        now = time.monotonic()
        self._failing_since = now if self._failing_since is None else self._failing_since
        if not (self._live and _may_pass(error)) or now - self._failing_since > _OUTAGE_SECONDS:
            raise error
        self.skipped += windows
        if now == self._failing_since:
            notify(f"The service does not answer: {error} The stream goes on for {_OUTAGE_SECONDS:g} s without it.")

    def _report_rate(self) -> None:
        measured = self._cutter.measured_rate_hz
        if self._rate_reported or measured is None:
            return
        difference = measured / self._format.rate_hz - 1
        if abs(difference) > _RATE_TOLERANCE:
            self._rate_reported = True
            notify(
                f"The source delivers {measured:.2f} samples per second, but declares {self._format.rate_hz:g} Hz: "
                f"every frequency is {abs(difference):.1%} too {'low' if difference > 0 else 'high'}. "
                "Samples are lost, or the declared rate is wrong."
            )


def _may_pass(error: EEGTaskClassifierError) -> bool:
    if isinstance(error, RateLimitError):
        return error.code in RETRIED_429
    return isinstance(error, (ConnectionFailedError, ServiceFaultError, ServiceUnavailableError))


def _print(text: str) -> None:
    Console(stderr=True).print(text, markup=False, highlight=False, soft_wrap=True)


def stream(
    model: str | TaskClassifier,
    source: Any,
    *,
    per_second: float = PREDICTIONS_PER_SECOND,
    max_usd: float | None = None,
    window_seconds: float | None = None,
    channels: Sequence[str] | None = None,
    sampling_rate_hz: float | None = None,
    units: str | None = None,
    gap_seconds: float | None = None,
    live: bool | None = None,
    announce: Callable[[str], object] | None = _print,
    **parameters: Any,
) -> Stream:
    """Predict a running signal, up to eight times a second.

    Parameters
    ----------
    model : str or TaskClassifier
        Id of a hosted model, or a fitted classifier.
    source : str, pylsl.StreamInlet or iterable
        Name of an LSL stream, an open inlet, or an iterable of samples. Each item of an iterable is one sample, shape
        (channels,), or several, shape (samples, channels); or a pair of these and their times in seconds. None marks an
        interruption.
    per_second : float, default=8
        Predictions per second of signal, more than 0 and at most 8.
    max_usd : float, optional
        Limit on the cost of the stream in US dollars; it ends there. Needed with a live key.
    window_seconds : float, optional
        Length of a window in seconds. Default: that of the trials of the fit.
    channels, sampling_rate_hz, units
        Channels, sampling rate in Hz and unit of an iterable. Default: those of the classifier. A stream of LSL
        declares its own.
    gap_seconds : float, optional
        A longer step between two sample times, beyond the sampling period, is a gap. Default: 1.5 sampling periods;
        0.1 for LSL, whose times vary.
    live : bool, optional
        Whether late windows are worthless: they are left out if the service is slow or fails for a moment. Default:
        True for LSL, False for an iterable, whose windows are all predicted.
    announce : callable, optional
        Called with the price per minute before the first prediction. Default: print it on standard error.
    **parameters
        Parameters of `load_model`, if `model` is an id.

    Returns
    -------
    Stream
        Iterator over `StreamPrediction`.

    Raises
    ------
    PaymentNotAllowedError
        If `max_usd` is missing with a live key. The message has the price per minute.
    ValueError
        If the source lacks channels of the model, or its format is not known.
    StreamLostError
        If there is no such LSL stream, or it does not come back in 60 s.
    ServiceError, ConnectionFailedError
        If the service refuses a window, or does not answer for 30 s.

    Examples
    --------
    >>> for each in stream("clf_…", "MyAmplifier", max_usd=5):  # doctest: +SKIP
    ...     print(each.time, each.label, each.probabilities)
    """
    if not 0 < per_second <= PREDICTIONS_PER_SECOND:
        raise ValueError(f"per_second is {per_second}. It must be more than 0 and at most {PREDICTIONS_PER_SECOND}.")
    classifier = load_model(model, **parameters) if isinstance(model, str) else model
    if isinstance(model, TaskClassifier) and parameters:
        raise TypeError(f"stream() got unexpected keywords: {', '.join(parameters)}.")
    seconds = window_seconds or float(classifier.model_["signal"]["seconds_per_trial"])
    opened: LslSource | SampleIterator
    if isinstance(source, str) or hasattr(source, "pull_chunk"):
        opened = LslSource(source, channels, units, gap_seconds)
        sample_format, is_live = opened.format, live is not False
    else:
        given = classifier._array_format(channels, sampling_rate_hz, units)
        if given.channels is None or given.rate_hz is None or given.units is None:
            raise ValueError("The samples need channels, sampling_rate_hz and units. Pass them to stream().")
        gap = 1.5 / given.rate_hz if gap_seconds is None else gap_seconds
        sample_format = SampleFormat(tuple(map(str, given.channels)), float(given.rate_hz), given.units, gap)
        opened, is_live = SampleIterator(source, len(sample_format.channels), sample_format.rate_hz), bool(live)
    made = Stream(_for_real_time(classifier, is_live), opened, sample_format, per_second, seconds, max_usd, is_live)
    if announce is not None:
        announce(made.price_text())
    return made


def _for_real_time(classifier: TaskClassifier, live: bool) -> TaskClassifier:
    """Return a classifier of the same model without progress bar; if the stream is live, it does not wait long."""
    copied = copy.copy(classifier)
    copied.http_client = classifier.http_client
    copied.progress = False
    if live:
        copied.timeout = min(classifier.timeout, _LIVE_TIMEOUT_SECONDS)
        copied.max_retries = 0
        copied._keyless = True
    return copied
