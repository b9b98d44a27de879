"""Retries: which answers are retried, and after how many seconds."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timezone
from email.utils import parsedate_to_datetime

import httpx

#: Retries of a request after its first attempt.
MAX_RETRIES = 4
#: Longest and shortest wait in seconds after a 409: it is retried after 1, 2, 4, ... up to 16 s without a Retry-After.
_LONGEST_CONFLICT_POWER, _SHORTEST_CONFLICT_SECONDS = 4, 0.1
#: Codes with status 429 that a later attempt can solve.
RETRIED_429 = frozenset({"RATE_LIMITED", "CONCURRENCY_LIMITED"})


@dataclass(frozen=True)
class Clock:
    """Time source of the retries; tests pass their own."""

    sleep: Callable[[float], None] = time.sleep
    now: Callable[[], datetime] = lambda: datetime.now(timezone.utc)
    monotonic: Callable[[], float] = time.monotonic


def is_retried(status: int, code: str | None) -> bool:
    """Return whether an answer is retried: 409, every 5xx, and 429 with a code of `RETRIED_429`."""
    return status == 409 or status >= 500 or (status == 429 and code in RETRIED_429)


def wait_seconds(retry_after: str | None, attempt: int, now: datetime) -> float:
    """Return the seconds to wait before the next attempt.

    Parameters
    ----------
    retry_after : str or None
        Value of the Retry-After header, in seconds or as an HTTP date.
    attempt : int
        Number of attempts before the last one. Without a Retry-After the wait is ``2 ** attempt``: 1, 2, 4, 8.
    now : datetime
        Current time, for an HTTP date.
    """
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
    send: Callable[[float], httpx.Response],
    code_of: Callable[[httpx.Response], str | None],
    clock: Clock,
    max_retries: int = MAX_RETRIES,
    seconds: float = math.inf,
    repeats_conflicts: bool = False,
) -> httpx.Response:
    """Send a request until an answer needs no retry, or no time is left.

    Parameters
    ----------
    send : callable
        Sends the request once. Called with the seconds that are left for the answer.
    code_of : callable
        Returns the error code of an answer; None if it has none.
    clock : Clock
    max_retries : int, default=4
        Number of attempts after the first one.
    seconds : float, optional
        Total time for all attempts and the waits between them. Default: no limit.
    repeats_conflicts : bool, default=False
        A 409 means that the same request still runs. True: a 409 does not count as an attempt.

    Returns
    -------
    httpx.Response
        The first answer that needs no retry, or the answer to the last attempt.

    Raises
    ------
    httpx.TransportError
        If the last attempt gets no answer.
    """
    end = clock.monotonic() + seconds
    attempt, conflicts = 0, 0
    while True:
        answer: httpx.Response | None = None
        try:
            answer = send(max(end - clock.monotonic(), 0.001))
        except (httpx.UnsupportedProtocol, httpx.LocalProtocolError):
            raise
        except httpx.TransportError:
            pause = wait_seconds(None, attempt, clock.now())
            if attempt >= max_retries or clock.monotonic() + pause >= end:
                raise
        if answer is None:
            attempt += 1
        elif answer.status_code == 409 and repeats_conflicts:
            retry_after, power = answer.headers.get("retry-after"), min(conflicts, _LONGEST_CONFLICT_POWER)
            pause = max(_SHORTEST_CONFLICT_SECONDS, wait_seconds(retry_after, power, clock.now()))
            conflicts += 1
        elif attempt >= max_retries or not is_retried(answer.status_code, code_of(answer)):
            return answer
        else:
            pause = wait_seconds(answer.headers.get("retry-after"), attempt, clock.now())
            attempt += 1
        if answer is not None and clock.monotonic() + pause >= end:
            return answer
        clock.sleep(pause)
