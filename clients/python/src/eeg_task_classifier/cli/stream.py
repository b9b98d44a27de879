"""The command `stream`."""

from __future__ import annotations

import argparse
import json
import math
import time
from collections.abc import Iterator
from typing import Any

from ..dollars import dollars
from ..io.recordings import read_recording
from ..loading import load_model
from ..realtime.replay import replay
from ..realtime.stream import Stream, stream
from .confirm import confirm
from .output import print_table, stderr_console
from .service_options import parameters_of


def run_stream(options: argparse.Namespace) -> None:
    """Print one line per prediction, until the source ends, `--seconds` are over, or Ctrl-C."""
    if (options.lsl is None) == (options.replay is None):
        raise ValueError("Choose the source: either --lsl NAME or --replay RECORDING.")
    if options.speed is not None and options.replay is None:
        raise ValueError("--speed is for --replay: a live stream has the speed of its clock.")
    speed = 1.0 if options.speed is None else options.speed
    if not 0 < speed < math.inf:
        raise ValueError(f"--speed is {speed:g}. Give a number greater than 0, such as 20 for 20 times faster.")
    if options.seconds is not None and not options.seconds > 0:
        raise ValueError(f"--seconds is {options.seconds:g}. Give a number greater than 0.")
    clf = load_model(options.model_id, **parameters_of(options))
    how: dict[str, Any] = {"per_second": options.per_second, "max_usd": options.max_usd, "announce": _print_price}
    if options.lsl is not None:
        made = stream(clf, options.lsl, units=options.units, channels=_names(options.channels), **how)
    else:
        raw = read_recording(options.replay, unit=options.units, channels=_names(options.channels))
        source = replay(raw, speed=speed)
        rate = float(raw.info["sfreq"])
        made = stream(clf, source, channels=raw.ch_names, sampling_rate_hz=rate, units="V", **how)
    if made.usd_per_minute > 0:
        confirm(options, made.price_text())
    with made:
        try:
            for row in _rows(made, clf.class_names_, options.seconds):
                shown = json.dumps(row) if options.json else _line(row)
                print(shown, flush=True)
        except KeyboardInterrupt:
            stderr_console().print("Stopped.")
    _print_summary(options, made)


def _rows(made: Stream, names: list[str], seconds: float | None) -> Iterator[dict[str, Any]]:
    end = None if seconds is None else time.monotonic() + seconds
    for each in made:
        yield {
            "time": round(each.time, 4),
            "label": str(each.label),
            "probabilities": dict(zip(names, each.probabilities.tolist(), strict=True)),
            "latency_ms": round(each.latency_seconds * 1000, 1),
        }
        if end is not None and time.monotonic() >= end:
            return


def _line(row: dict[str, Any]) -> str:
    shares = "  ".join(f"{name} {share:.3f}" for name, share in row["probabilities"].items())
    return f"{row['time']:12.3f} s  {row['label']:<12}  {shares}"


def _print_summary(options: argparse.Namespace, made: Stream) -> None:
    if options.json:
        return
    rows = [
        ("Predictions", made.predicted),
        ("Left out", made.skipped),
        ("Gaps", made.gaps),
        ("Delay", f"95 % within {made.latency_seconds(0.95) * 1000:.0f} ms"),
        ("Cost", dollars(made.usd)),
    ]
    print_table(["", ""], rows)


def _print_price(text: str) -> None:
    stderr_console().print(text, markup=False, highlight=False, soft_wrap=True)


def _names(text: str | None) -> list[str] | None:
    return None if text is None else [name.strip() for name in text.split(",")]
