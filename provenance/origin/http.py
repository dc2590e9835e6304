"""The one way to the network beside git: bounded in time, size, tries and redirects.

Serves the package index, release files and the archive. Outcomes are values: no exception of requests leaves.
"""

from __future__ import annotations

import hashlib
import tempfile
import threading
import time
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from types import MappingProxyType
from typing import TYPE_CHECKING, TypeVar
from urllib.parse import urljoin, urlsplit, urlunsplit

from provenance import __version__
from provenance.errors import ProvError, RefusedURL
from provenance.origin.address import AddressPolicy, locate, shown
from provenance.origin.hosts import Hosts
from provenance.origin.inflate import PIECE, Compression, Damaged, TooLarge, inflate
from provenance.origin.outcome import (
    Downloaded,
    FailureKind,
    Fetched,
    HttpFailure,
    Late,
    Unkept,
    failure_of,
    retry_at,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    import requests

    from provenance.origin.hosts import Endpoint
    from provenance.origin.transport import Deadline

MEBIBYTE = 1024 * 1024
_REDIRECTS = frozenset({301, 302, 303, 307, 308})
_BUSY = frozenset({429, 502, 503, 504})
"""Statuses after which the same request may well succeed in a moment."""
_TOO_MANY_REQUESTS = 429
_OK = 200
_BACKOFF = 0.5
"""Seconds before the second try; each further one waits twice as long."""
_IN_MEMORY = 8 * MEBIBYTE
"""A download that is larger goes to a temporary file, in bytes."""


@dataclass(frozen=True, slots=True)
class Login:
    """What a host is told of who asks."""

    user: str = field(repr=False)
    password: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class Limits:
    """How long, how often and how far."""

    connect: float = 5.0
    """Seconds to a connection."""
    read: float = 30.0
    """Seconds of silence."""
    total: float = 60.0
    """Seconds for one fetch into memory, waiting and redirects included."""
    download: float = 300.0
    """Seconds for one download, likewise."""
    tries: int = 3
    """How often one URL is asked for."""
    waiting: float = 20.0
    """Seconds between tries, all fetches of a session together."""
    redirects: int = 5


@dataclass(frozen=True, slots=True)
class _Exchange:
    """What one fetch is made with, over all its redirects and tries."""

    http: requests.Session
    deadline: Deadline
    headers: Mapping[str, str]

    def failure(self, host: str, error: Exception) -> HttpFailure:
        return failure_of(host, self.late() if self.deadline.expired else error)

    def late(self) -> Late:
        return Late(f"not done within {self.deadline.seconds:g} s")


_Answer = TypeVar("_Answer", Fetched, Downloaded)


class HttpSession:
    """Fetches over https, and over http where the policy allows it. For several threads."""

    def __init__(
        self,
        policy: AddressPolicy,
        *,
        credentials: bool = True,
        logins: Mapping[Endpoint, Login] = MappingProxyType({}),
        ca_bundle: str | None = None,
        client_certificate: str | None = None,
        limits: Limits = Limits(),
        sleep: Callable[[float], None] = time.sleep,
        now: Callable[[], datetime] = lambda: datetime.now(UTC),
    ) -> None:
        """Make a session; nothing is asked yet.

        Args:
            policy: what may be reached.
            credentials: whether netrc, `logins` and the client certificate are used.
            logins: what is told to which host and port, and to no other.
            ca_bundle: file of certificates to trust; None for what the environment or requests names.
            client_certificate: file with a certificate and its key.
            limits: how long, how often and how far.
            sleep: waits for so many seconds.
            now: the time, with its zone.
        """
        self._policy = policy
        self._credentials = credentials
        self._logins = logins if credentials else {}
        self._ca_bundle = ca_bundle
        self._client_certificate = client_certificate if credentials else None
        self._limits = limits
        self._sleep = sleep
        self._now = now
        self._hosts = Hosts()
        self._waiting_left = limits.waiting
        self._waiting_lock = threading.Lock()

    def get(self, url: str, *, accept: str = "*/*", limit: int = 16 * MEBIBYTE) -> Fetched | HttpFailure:
        """Fetch into memory.

        Args:
            url: where.
            accept: the media types that are wanted, as the header says it.
            limit: bound of the body in bytes, as sent and as decoded.
        """

        def receive(response: requests.Response, chunks: Iterator[bytes]) -> Fetched:
            encoding = response.headers.get("Content-Encoding", "").strip().lower()
            if encoding not in {"", "identity", "gzip", "x-gzip"}:
                message = f"it is encoded as {encoding!r}, which was not asked for"
                raise Damaged(message)
            compression = Compression.GZIP if encoding.endswith("gzip") else Compression.NONE
            data = b"".join(inflate(chunks, compression, limit=limit))
            headers = {name.lower(): value for name, value in response.headers.items()}
            return Fetched(data, response.url, headers)

        headers = {"Accept": accept, "Accept-Encoding": "gzip"}
        return self._fetch(url, headers, limit, self._limits.total, receive)

    def download(
        self, url: str, *, limit: int, progress: Callable[[int], None] = lambda _received: None
    ) -> Downloaded | HttpFailure:
        """Fetch a file as it is, into a temporary file.

        Args:
            url: where.
            limit: bound in bytes.
            progress: told now and then how many bytes have come.
        """

        def receive(_response: requests.Response, chunks: Iterator[bytes]) -> Downloaded:
            return _keep(chunks, progress)

        headers = {"Accept": "*/*", "Accept-Encoding": "identity"}
        return self._fetch(url, headers, limit, self._limits.download, receive)

    def _fetch(
        self,
        url: str,
        headers: Mapping[str, str],
        limit: int,
        seconds: float,
        receive: Callable[[requests.Response, Iterator[bytes]], _Answer],
    ) -> _Answer | HttpFailure:
        from provenance.origin.transport import Deadline, open_session

        with Deadline(seconds) as deadline, open_session(self._policy, deadline) as http:
            exchange = _Exchange(http, deadline, {**headers, "User-Agent": f"prov/{__version__}"})
            for _ in range(self._limits.redirects + 1):
                answer = self._answer(exchange, url)
                if isinstance(answer, HttpFailure):
                    return answer
                with answer as response:
                    if response.status_code not in _REDIRECTS:
                        return _received(exchange, response, limit, receive)
                    target = response.headers.get("Location", "")
                following = _redirected(url, target)
                if isinstance(following, HttpFailure):
                    return following
                url = following
        message = f"{_host(url)} redirects more than {self._limits.redirects} times"
        return HttpFailure(FailureKind.BROKEN, message)

    def _answer(self, exchange: _Exchange, url: str) -> requests.Response | HttpFailure:
        """Ask for one URL, again where that may help, until there are headers."""
        try:
            self._policy.check_url(url)
            location = locate(url)
        except RefusedURL as error:
            return HttpFailure(FailureKind.REFUSED, str(error))
        if location.scheme not in {"https", "http"} or location.port is None:
            message = f"{shown(url)!r} is refused: it is no https:// URL"
            return HttpFailure(FailureKind.REFUSED, message)
        endpoint = location.host, location.port
        with self._hosts.turn(endpoint) as known:
            if known is not None and (known.retry_at is None or self._now() < known.retry_at):
                return known
            answer = self._ask(exchange, url, endpoint)
            for attempt in range(1, self._limits.tries):
                if not isinstance(answer, HttpFailure) or not self._wait(attempt, answer):
                    break
                answer = self._ask(exchange, url, endpoint)
            self._hosts.remember(endpoint, answer if isinstance(answer, HttpFailure) else None)
            return answer

    def _ask(self, exchange: _Exchange, url: str, endpoint: Endpoint) -> requests.Response | HttpFailure:
        import requests

        login = self._logins.get(endpoint)
        try:
            response = exchange.http.get(
                _without_login(url),
                headers=exchange.headers,
                auth=(login.user, login.password) if login else None if self._credentials else _anonymous,
                timeout=(self._limits.connect, self._limits.read),
                verify=self._ca_bundle,
                cert=self._client_certificate,
                stream=True,
                allow_redirects=False,
            )
        except (RefusedURL, requests.RequestException, OSError, ValueError) as error:
            return exchange.failure(endpoint[0], error)
        if response.status_code not in _BUSY:
            return response
        response.close()
        return self._busy(endpoint[0], response)

    def _busy(self, host: str, response: requests.Response) -> HttpFailure:
        moment = retry_at(response.headers, self._now())
        limited = response.status_code == _TOO_MANY_REQUESTS
        until = "" if moment is None else f", until {moment:%Y-%m-%d %H:%M:%S} UTC"
        what = "asks for fewer requests" if limited else "is not able to answer now"
        return HttpFailure(
            FailureKind.LIMITED if limited else FailureKind.STATUS,
            f"{host} {what} (status {response.status_code}){until}",
            status=response.status_code,
            retry_at=moment,
            transient=True,
        )

    def _wait(self, attempt: int, failure: HttpFailure) -> bool:
        """Wait before the next try; False where there should be none."""
        if not failure.transient:
            return False
        pause = _BACKOFF * 2.0 ** (attempt - 1)
        if failure.retry_at is not None:
            pause = max(0.0, (failure.retry_at - self._now()).total_seconds())
        with self._waiting_lock:
            if pause > self._waiting_left:
                return False
            self._waiting_left -= pause
        self._sleep(pause)
        return True


def _keep(chunks: Iterator[bytes], progress: Callable[[int], None]) -> Downloaded:
    digest, size = hashlib.sha256(), 0
    file = tempfile.SpooledTemporaryFile(max_size=_IN_MEMORY)  # noqa: SIM115 - the receiver closes it
    try:
        for chunk in chunks:
            digest.update(chunk)
            size += len(chunk)
            with _keeping():
                file.write(chunk)
            progress(size)
        with _keeping():
            file.seek(0)
    except BaseException:
        with suppress(OSError):
            file.close()
        raise
    return Downloaded(file, size, digest.hexdigest())


@contextmanager
def _keeping() -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise Unkept(error.strerror or str(error)) from error


def _received(
    exchange: _Exchange,
    response: requests.Response,
    limit: int,
    receive: Callable[[requests.Response, Iterator[bytes]], _Answer],
) -> _Answer | HttpFailure:
    import requests
    from urllib3.exceptions import HTTPError

    host = _host(response.url)
    if response.status_code != _OK:
        message = f"{host} answers with status {response.status_code} for {shown(response.url)}"
        return HttpFailure(FailureKind.STATUS, message, status=response.status_code)
    try:
        length = response.headers.get("Content-Length", "")
        if length.isdecimal() and int(length) > limit:
            message = f"it has {int(length)} bytes, more than {limit}"
            raise TooLarge(message)
        return receive(response, inflate(_chunks(exchange, response), Compression.NONE, limit=limit))
    except (ProvError, requests.RequestException, HTTPError, OSError, ValueError) as error:
        return exchange.failure(host, error)


def _chunks(exchange: _Exchange, response: requests.Response) -> Iterator[bytes]:
    # As sent: requests would decode any encoding, and any number of them on top of each other.
    while chunk := response.raw.read(PIECE, decode_content=False):
        yield chunk
    if exchange.deadline.expired:
        # A connection that was cut looks like the end of a body that states no length.
        raise exchange.late()


def _redirected(url: str, target: str) -> str | HttpFailure:
    try:
        following = urljoin(_without_login(url), target)
        same = urlsplit(following).scheme == urlsplit(url).scheme
    except ValueError:
        return HttpFailure(FailureKind.BROKEN, f"{_host(url)} redirects to what is no URL")
    if not target:
        return HttpFailure(FailureKind.BROKEN, f"{_host(url)} redirects to nowhere")
    if not same:
        message = f"{_host(url)} is refused: it redirects to another scheme, {shown(following)}"
        return HttpFailure(FailureKind.REFUSED, message)
    return following


def _anonymous(request: requests.PreparedRequest) -> requests.PreparedRequest:
    """An authentication that adds nothing, and so keeps requests from reading netrc."""
    return request


def _without_login(url: str) -> str:
    parts = urlsplit(url)
    return urlunsplit(parts._replace(netloc=parts.netloc.rpartition("@")[2]))


def _host(url: str) -> str:
    return urlsplit(url).hostname or shown(url)
