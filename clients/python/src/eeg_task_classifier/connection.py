"""Requests to the service: address, key, attempts, errors."""

from __future__ import annotations

import ipaddress
import os
import re
import threading
from typing import Any, NamedTuple
from urllib.parse import urlsplit

import httpx

from .errors import ConnectionFailedError, service_error
from .limits import INTERFACE_VERSION, TEST_KEY_PREFIX
from .retry import ATTEMPTS, Clock, send_with_retries

#: Seconds: a create can take minutes, and any request longer right after a deployment.
DEFAULT_TIMEOUT = 900.0


class Answer(NamedTuple):
    """A success: its status, its JSON object, and the seconds of Retry-After where it has them."""

    status: int
    body: dict[str, Any]
    retry_after: float | None


_clients: dict[tuple[int, str, float], httpx.Client] = {}
_clients_lock = threading.Lock()


def open_client(base_url: str, timeout: float) -> httpx.Client:
    """A client of its own; proxies and certificates come from the usual variables (HTTPS_PROXY, SSL_CERT_FILE)."""
    limits = httpx.Timeout(timeout, connect=min(timeout, 30.0))
    return httpx.Client(base_url=base_url, timeout=limits, follow_redirects=False)


def _shared_client(base_url: str, timeout: float) -> httpx.Client:
    key = (os.getpid(), base_url, timeout)
    with _clients_lock:
        if key not in _clients:
            _clients[key] = open_client(base_url, timeout)
        return _clients[key]


def _checked_base_url(base_url: str | None) -> str:
    url = base_url or os.environ.get("EEG_BASE_URL")
    if not url:
        raise ValueError("Where is the service? Give base_url, or set the environment variable EEG_BASE_URL.")
    parts = urlsplit(url)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise ValueError(f"base_url {url!r} is no address such as https://eeg.example.org.")
    if parts.scheme == "http" and not _is_loopback(parts.hostname):
        raise ValueError(f"base_url {url!r} would send the key unencrypted: use https.")
    return url.rstrip("/")


def _is_loopback(host: str) -> bool:
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def _checked_key(api_key: str | None) -> str:
    key = api_key or os.environ.get("EEG_API_KEY")
    if not key:
        raise ValueError(
            "Which API key? Give api_key, or set the environment variable EEG_API_KEY (keys: account dashboard)."
        )
    key = key.strip()
    if not re.fullmatch(r"[!-~]+", key):
        raise ValueError("The API key holds blanks or characters that no key has: copy it again, without line breaks.")
    return key


def shown_key(key: str) -> str:
    """The part of a key that is safe to show."""
    return f"{key[:25]}…" if key.startswith("eeg_") and len(key) > 40 else "…"


class Secret(str):
    """A key that is not shown where parameters are."""

    def __repr__(self) -> str:
        return repr(shown_key(self))

    def __deepcopy__(self, _memo: object) -> Secret:
        return self


class Connection:
    """An address and a key. Threads may share it.

    An `idempotency_key` stays over all attempts of a request, so that it is done and paid once.
    """

    def __init__(
        self,
        api_key: str | None = None,
        base_url: str | None = None,
        timeout: float = DEFAULT_TIMEOUT,
        clock: Clock | None = None,
    ) -> None:
        self._key = _checked_key(api_key)
        self.base_url = _checked_base_url(base_url)
        self.timeout = timeout
        self.clock = clock or Clock()

    def __repr__(self) -> str:
        return f"Connection({shown_key(self._key)!r}, {self.base_url!r})"

    @property
    def is_test(self) -> bool:
        """Whether the key is a test key: nothing it does costs money."""
        return self._key.startswith(TEST_KEY_PREFIX)

    def exchange(
        self,
        method: str,
        path: str,
        content: bytes | None = None,
        *,
        query: dict[str, Any] | None = None,
        idempotency_key: str | None = None,
    ) -> Answer:
        """The answer of a success (2xx). `ServiceError` for a refusal, `ConnectionFailedError` without answer."""
        client = _shared_client(self.base_url, self.timeout)
        return self._exchange(client, ATTEMPTS, method, path, content, query, idempotency_key)

    def exchange_apart(self, method: str, path: str) -> Answer:
        """One short request over a client of its own: safe where the shared one may be in use, as in a finalizer."""
        with open_client(self.base_url, min(self.timeout, 20.0)) as client:
            return self._exchange(client, 2, method, path, None, None, None)

    def _exchange(
        self,
        client: httpx.Client,
        attempts: int,
        method: str,
        path: str,
        content: bytes | None,
        query: dict[str, Any] | None,
        idempotency_key: str | None,
    ) -> Answer:
        headers = {"authorization": f"Bearer {self._key}", "user-agent": f"eeg-task-classifier/{INTERFACE_VERSION}"}
        if content is not None:
            headers["content-type"] = "application/json"
        if idempotency_key is not None:
            headers["idempotency-key"] = idempotency_key

        def send() -> httpx.Response:
            return client.request(method, path, content=content, params=query, headers=headers)

        try:
            patience = 0.0 if idempotency_key is None else self.timeout
            answer = send_with_retries(send, _code, self.clock, attempts, patience)
        except httpx.TransportError as error:
            failed = ConnectionFailedError(
                f"{method} {self.base_url}{path}: no answer in {attempts} attempts ({type(error).__name__}: {error})."
            )
            failed.idempotency_key = idempotency_key
            raise failed from error
        read = _read(answer)
        refusal = None if answer.is_success else service_error(answer.status_code, read)
        if refusal is None and not isinstance(read, dict):
            message = f"{method} {self.base_url}{path} was not answered with a JSON object: is this the service?"
            refusal = service_error(answer.status_code, {"code": "NOT_JSON", "message": message})
        if refusal is not None:
            refusal.idempotency_key = idempotency_key
            raise refusal
        assert isinstance(read, dict)
        return Answer(answer.status_code, read, _seconds(answer.headers.get("retry-after")))


def _read(answer: httpx.Response) -> object:
    try:
        return answer.json()
    except ValueError:
        return None


def _code(answer: httpx.Response) -> str | None:
    body = None if answer.is_success else _read(answer)
    return str(body["code"]) if isinstance(body, dict) and "code" in body else None


def _seconds(retry_after: str | None) -> float | None:
    try:
        return None if retry_after is None else float(retry_after)
    except ValueError:
        return None
