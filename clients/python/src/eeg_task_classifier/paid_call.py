"""Idempotency keys of the paid calls of a classifier, and what an interruption of such a call says."""

from __future__ import annotations

import hashlib
import json
import threading
import uuid
from contextvars import ContextVar
from decimal import Decimal
from typing import Any

from .dollars import dollars
from .errors import EEGTaskClassifierError, PaidCallInterrupted, ServiceError
from .retry import is_retried
from .trials import Trials

#: Set if nobody waits any longer for the call of this thread: its result must stay available for a repeated call.
caller_left: ContextVar[threading.Event | None] = ContextVar("caller_left", default=None)


def is_final(error: BaseException) -> bool:
    """Return whether the request had no effect and will have none."""
    return isinstance(error, ServiceError) and 400 <= error.status < 500 and not is_retried(error.status, error.code)


def digest_of(what: str, fields: Any, trials: Trials | None = None) -> str:
    """Return a hash that identifies a call: equal calls have equal hashes.

    Parameters
    ----------
    what : str
        The method, such as ``"fit"``.
    fields : JSON value
        Fields of the request besides the trials.
    trials : Trials, optional
    """
    hashed = hashlib.sha256(f"{what} {json.dumps(fields)}".encode())
    if trials is not None:
        others = [trials.x.shape, trials.channels, trials.rate_hz, trials.units, trials.labels, trials.sessions]
        hashed.update(json.dumps(others).encode())
        hashed.update(trials.x.data if trials.x.flags.c_contiguous else trials.x.tobytes())
    return hashed.hexdigest()


class PaidCall:
    """Context manager of one call that pays: all its requests have keys that are made from one key.

    The key stays pending until the outcome is known. A repeated call with the same arguments then sends the same keys,
    so the service answers what it has done already, and charges nothing twice.

    Parameters
    ----------
    what : str
        What the call does, for messages: ``"The fit"``.
    pending : dict
        Keys of calls whose outcome is unknown, by the hash of the call.
    digest : str
        Hash of this call.
    key : str, optional
        The key of an earlier call, from its exception. Default: the pending key of this call, or a new one.

    Attributes
    ----------
    key : str
        Key of the first request. The later ones append a number.
    price_usd : Decimal
        Most that the call costs in all, in US dollars; 0 with a test key.
    paid_usd : Decimal
        Amount of the requests that were answered.
    model_id : str or None
        The task model, as soon as it is known.
    """

    def __init__(self, what: str, pending: dict[str, str], digest: str, key: str | None = None) -> None:
        self.what = what
        self.is_repeated = digest in pending
        self.key = key or pending.get(digest) or str(uuid.uuid4())
        self.price_usd = Decimal(0)
        self.paid_usd = Decimal(0)
        self.model_id: str | None = None
        self._pending, self._digest = pending, digest
        self._answered = 0
        self._sent = False

    @property
    def is_abandoned(self) -> bool:
        """Whether nobody waits for the result any longer, so that it must stay available for a repeated call."""
        left = caller_left.get()
        return left is not None and left.is_set() and self._sent

    def request_key(self) -> str:
        """Return the key of the next request. It is the same until `answered` is called."""
        self._sent = True
        return self.key if self._answered == 0 else f"{self.key}.{self._answered}"

    def answered(self) -> None:
        """Tell that the request with the current key has its last answer."""
        self._answered += 1

    def keep(self) -> None:
        """Keep the key pending although the call ends without an error: its last answer was a 202."""
        self._digest, self._pending = "", {}

    def __enter__(self) -> PaidCall:
        self._pending[self._digest] = self.key
        return self

    def __exit__(self, _type: object, error: BaseException | None, _trace: object) -> None:
        if self.is_abandoned:
            return
        if error is None or is_final(error) or not (self._sent or self.is_repeated):
            self._pending.pop(self._digest, None)
        if isinstance(error, EEGTaskClassifierError) and self._sent:
            error.idempotency_key = self.key
        if isinstance(error, KeyboardInterrupt) and self._sent and not isinstance(error, PaidCallInterrupted):
            raise PaidCallInterrupted(self._interruption(), self.key, self.model_id, self.price_usd) from error

    def _interruption(self) -> str:
        model = f" of task model {self.model_id}" if self.model_id else ""
        cost = (
            "It costs nothing, because the key is a test key."
            if self.price_usd == 0
            else f"It costs {dollars(self.price_usd)} in all if it succeeds; {dollars(self.paid_usd)} of it are paid."
        )
        return (
            f"{self.what}{model} was interrupted. The service ends every request that it has received. {cost} Repeat "
            "the same call to fetch the result: nothing is charged twice. In another process, pass "
            f"idempotency_key={self.key!r} with the same arguments. Do you not want the result? list_models() shows "
            "the models that are hosted and charged each month, and delete_model(model_id) ends that."
        )
