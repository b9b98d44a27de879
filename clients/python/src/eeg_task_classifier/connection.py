"""HTTP connection to the service: address, key, retries, errors."""

from __future__ import annotations

import atexit
import ipaddress
import os
import re
import threading
from typing import Any, NamedTuple
from urllib.parse import urlsplit

import httpx

from .errors import ConnectionFailedError, service_error
from .limits import INTERFACE_VERSION, TEST_KEY_PREFIX
from .retry import MAX_RETRIES, Clock, send_with_retries

#: Seconds for a request with all its retries. A create can take minutes, and requests are slower after a deployment.
DEFAULT_TIMEOUT = 900.0
#: Longest time in seconds to open a connection.
_CONNECT_SECONDS = 30.0


class Answer(NamedTuple):
    """A successful answer (2xx).

    Attributes
    ----------
    status : int
        HTTP status.
    body : dict
        The JSON object.
    retry_after : float or None
        Seconds of the Retry-After header; None if the answer has none.
    """

    status: int
    body: dict[str, Any]
    retry_after: float | None


_clients: dict[tuple[int, str], httpx.Client] = {}
_clients_lock = threading.Lock()


def open_client(base_url: str, timeout: float) -> httpx.Client:
    """Open an HTTP client. Proxy and certificates come from HTTPS_PROXY and SSL_CERT_FILE; `timeout` is in seconds."""
    limits = httpx.Timeout(timeout, connect=min(timeout, _CONNECT_SECONDS))
    return httpx.Client(base_url=base_url, timeout=limits, follow_redirects=False)


def _shared_client(base_url: str) -> httpx.Client:
    key = (os.getpid(), base_url)
    with _clients_lock:
        if key not in _clients:
            _clients[key] = open_client(base_url, DEFAULT_TIMEOUT)
        return _clients[key]


@atexit.register
def close_connections() -> None:
    """Close the HTTP connections that this process shares. The next request opens new ones.

    It runs when the interpreter ends. Call it before that if a test or a server checks for open sockets.
    """
    with _clients_lock:
        own = [key for key in _clients if key[0] == os.getpid()]
        closed = [_clients.pop(key) for key in own]
    for client in closed:
        client.close()


def _checked_base_url(base_url: str | None) -> str:
    url = base_url or os.environ.get("EEG_BASE_URL")
    if not url:
        raise ValueError(
            "The address of the service is missing: pass base_url, or set the environment variable EEG_BASE_URL."
        )
    parts = urlsplit(url)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise ValueError(f"base_url {url!r} is not a web address. Pass one such as https://eeg.example.org.")
    if parts.scheme == "http" and not _is_loopback(parts.hostname):
        raise ValueError(f"base_url {url!r} would send the API key unencrypted. Use https.")
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
            "The API key is missing: pass api_key, or set the environment variable EEG_API_KEY. "
            "You make keys in the account dashboard."
        )
    key = key.strip()
    if not re.fullmatch(r"[!-~]+", key):
        raise ValueError(
            "The API key contains a space or a character that no key has. Copy it again, without line breaks."
        )
    return key


def shown_key(key: str) -> str:
    """Return the part of a key that is safe to show."""
    return f"{key[:25]}…" if key.startswith("eeg_") and len(key) > 40 else "…"


class Secret(str):
    """An API key whose `repr` hides the secret part."""

    def __repr__(self) -> str:
        return repr(shown_key(self))

    def __deepcopy__(self, _memo: object) -> Secret:
        return self


class Connection:
    """Address and API key of the service. Threads may use one connection at the same time.

    Parameters
    ----------
    api_key, base_url : str, optional
        Default: the environment variables EEG_API_KEY and EEG_BASE_URL.
    timeout : float, default=900
        Seconds for a request with all its retries and the waits between them.
    clock : Clock, optional
        Time source; tests pass their own.
    max_retries : int, default=4
        Number of attempts after the first one.
    http_client : httpx.Client, optional
        Sends the requests, with its own proxies, certificates and hooks. The caller closes it. Default: a client that
        all objects of this process share.

    Raises
    ------
    ValueError
        If key or address is missing or malformed, or the key would be sent unencrypted.
    """

    def __init__(
        self,
        api_key: str | None = None,
        base_url: str | None = None,
        timeout: float = DEFAULT_TIMEOUT,
        clock: Clock | None = None,
        max_retries: int = MAX_RETRIES,
        http_client: httpx.Client | None = None,
    ) -> None:
        if not timeout > 0:
            raise ValueError(f"timeout is {timeout}. It must be more than 0 seconds.")
        if max_retries < 0 or int(max_retries) != max_retries:
            raise ValueError(f"max_retries is {max_retries}. It must be a whole number, 0 or more.")
        self._key = _checked_key(api_key)
        self.base_url = _checked_base_url(base_url)
        self.timeout = timeout
        self.clock = clock or Clock()
        self.max_retries = int(max_retries)
        self.http_client = http_client

    def __repr__(self) -> str:
        return f"Connection({shown_key(self._key)!r}, {self.base_url!r})"

    @property
    def is_test(self) -> bool:
        """Whether the key is a test key, whose requests cost nothing."""
        return self._key.startswith(TEST_KEY_PREFIX)

    def exchange(
        self,
        method: str,
        path: str,
        content: bytes | None = None,
        *,
        query: dict[str, Any] | None = None,
        idempotency_key: str | None = None,
        prefer: str | None = None,
    ) -> Answer:
        """Send a request, with retries.

        Parameters
        ----------
        method, path : str
            HTTP method, and path of the endpoint.
        content : bytes, optional
            JSON body.
        query : dict, optional
            Query parameters.
        idempotency_key : str, optional
            Sent with every attempt, so that the service runs and charges the request once.
        prefer : str, optional
            Value of the header Prefer.

        Returns
        -------
        Answer

        Raises
        ------
        ServiceError
            If the service refuses the request or fails.
        ConnectionFailedError
            If no attempt gets an answer in time.
        """
        client = _shared_client(self.base_url) if self.http_client is None else self.http_client
        return self._exchange(
            client, self.max_retries, self.timeout, method, path, content, query, idempotency_key, prefer
        )

    def exchange_separately(self, method: str, path: str) -> Answer:
        """Send one short request over a new HTTP client, with at most one retry and 40 seconds in all.

        A finalizer needs this: it may run while its own thread uses the shared client. The caller's own client is
        used if there is one, because only it may reach the service.
        """
        seconds = min(self.timeout, 40.0)
        if self.http_client is not None and not self.http_client.is_closed:
            return self._exchange(self.http_client, 1, seconds, method, path, None, None, None)
        with open_client(self.base_url, seconds) as client:
            return self._exchange(client, 1, seconds, method, path, None, None, None)

    def _exchange(
        self,
        client: httpx.Client,
        max_retries: int,
        seconds: float,
        method: str,
        path: str,
        content: bytes | None,
        query: dict[str, Any] | None,
        idempotency_key: str | None,
        prefer: str | None = None,
    ) -> Answer:
        headers = {"authorization": f"Bearer {self._key}", "user-agent": f"eeg-task-classifier/{INTERFACE_VERSION}"}
        if content is not None:
            headers["content-type"] = "application/json"
        if idempotency_key is not None:
            headers["idempotency-key"] = idempotency_key
        if prefer is not None:
            headers["prefer"] = prefer

        attempts = 0

        def send(left: float) -> httpx.Response:
            nonlocal attempts
            attempts += 1
            request = client.build_request(
                method,
                self.base_url + path,
                content=content,
                params=query,
                headers=headers,
                timeout=httpx.Timeout(left, connect=min(left, _CONNECT_SECONDS)),
            )
            return self._whole_answer(client, request, left)

        try:
            answer = send_with_retries(
                send, _code, self.clock, max_retries, seconds, repeats_conflicts=idempotency_key is not None
            )
        except httpx.TransportError as error:
            failed = ConnectionFailedError(
                f"The service did not answer {method} {self.base_url}{path} in {attempts} "
                f"attempt{'' if attempts == 1 else 's'} and {seconds:g} s ({type(error).__name__}: {error}). "
                "Check the address and the network."
            )
            failed.idempotency_key = idempotency_key
            raise failed from error
        body = _json_of(answer)
        refusal = None if answer.is_success else service_error(answer.status_code, body)
        if refusal is None and not isinstance(body, dict):
            message = f"The answer to {method} {self.base_url}{path} is not a JSON object. Check base_url."
            refusal = service_error(answer.status_code, {"code": "NOT_JSON", "message": message})
        if refusal is not None:
            refusal.idempotency_key = idempotency_key
            raise refusal
        assert isinstance(body, dict)
        return Answer(answer.status_code, body, _seconds(answer.headers.get("retry-after")))

    def _whole_answer(self, client: httpx.Client, request: httpx.Request, seconds: float) -> httpx.Response:
        """Send a request and read its answer in `seconds`; httpx itself limits only the time between two parts."""
        end = self.clock.monotonic() + seconds
        answer = client.send(request, stream=True, follow_redirects=False)
        parts: list[bytes] = []
        try:
            for part in answer.iter_bytes():
                parts.append(part)
                if self.clock.monotonic() > end:
                    raise httpx.ReadTimeout("The answer came too slowly.", request=request)
        finally:
            answer.close()
        kept = [(name, value) for name, value in answer.headers.items() if name not in _WIRE_HEADERS]
        return httpx.Response(answer.status_code, headers=kept, content=b"".join(parts), request=request)


#: Headers that describe the bytes on the wire, not the content.
_WIRE_HEADERS = frozenset({"content-encoding", "content-length", "transfer-encoding"})


def _json_of(answer: httpx.Response) -> object:
    try:
        return answer.json()
    except ValueError:
        return None


def _code(answer: httpx.Response) -> str | None:
    body = None if answer.is_success else _json_of(answer)
    return str(body["code"]) if isinstance(body, dict) and "code" in body else None


def _seconds(retry_after: str | None) -> float | None:
    try:
        return None if retry_after is None else float(retry_after)
    except ValueError:
        return None
