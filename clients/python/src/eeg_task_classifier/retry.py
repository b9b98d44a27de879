"""When a request is sent again."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timezone
from email.utils import parsedate_to_datetime

import httpx

ATTEMPTS = 5
#: Where a 409 names no time: at most 2 to the power of this, in seconds; never less than the second one.
_LONGEST_POLL, _LEAST_POLL = 4, 0.1
RETRIED_429 = frozenset({"RATE_LIMITED", "CONCURRENCY_LIMITED"})


@dataclass(frozen=True)
class Clock:
    """Where time comes from; tests bring their own."""

    sleep: Callable[[float], None] = time.sleep
    now: Callable[[], datetime] = lambda: datetime.now(timezone.utc)
    monotonic: Callable[[], float] = time.monotonic


def is_retried(status: int, code: str | None) -> bool:
    """409, every 5xx, and 429 only where a moment helps."""
    return status == 409 or status >= 500 or (status == 429 and code in RETRIED_429)


def wait_seconds(retry_after: str | None, attempt: int, now: datetime) -> float:
    """Seconds before attempt number `attempt + 2`: what Retry-After says, else 1, 2, 4, ..."""
    if retry_after is not None:
        try:
            return max(0.0, float(retry_after))
        except ValueError:
            try:
                return max(0.0, (parsedate_to_datetime(retry_after) - now).total_seconds())
            except (TypeError, ValueError):
                pass
    return float(2**attempt)


def send_with_retries(
    send: Callable[[], httpx.Response],
    code_of: Callable[[httpx.Response], str | None],
    clock: Clock,
    attempts: int = ATTEMPTS,
    patience: float = 0.0,
) -> httpx.Response:
    """The first answer that is final, or the last one; the last connection error where none was answered.

    A 409 says that the request still runs: until `patience` seconds after the first send it is no attempt.
    """
    started, attempt, asked = clock.monotonic(), 0, 0
    while True:
        last = attempt == attempts - 1
        try:
            answer = send()
        except (httpx.UnsupportedProtocol, httpx.LocalProtocolError):
            raise
        except httpx.TransportError:
            if last:
                raise
            clock.sleep(wait_seconds(None, attempt, clock.now()))
            attempt += 1
            continue
        retry_after = answer.headers.get("retry-after")
        if answer.status_code == 409 and clock.monotonic() - started < patience:
            clock.sleep(max(_LEAST_POLL, wait_seconds(retry_after, min(asked, _LONGEST_POLL), clock.now())))
            asked += 1
            continue
        if last or not is_retried(answer.status_code, code_of(answer)):
            return answer
        clock.sleep(wait_seconds(retry_after, attempt, clock.now()))
        attempt += 1
