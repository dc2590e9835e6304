"""The one way to the network beside git: bounded in time, size, tries and redirects.

Serves the package index, release files and the archive. Outcomes are values: no exception of requests leaves.
"""

from __future__ import annotations

import threading
import time
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import partial
from types import MappingProxyType
from typing import TYPE_CHECKING, TypeVar
from urllib.parse import urljoin, urlsplit, urlunsplit

from provenance import __version__
from provenance.errors import RefusedURL
from provenance.origin.address import AddressPolicy, locate, shown
from provenance.origin.hosts import Hosts
from provenance.origin.outcome import Downloaded, FailureKind, Fetched, HttpFailure, retry_at
from provenance.origin.receiving import Exchange, headers_of, host_of, in_memory, keep, received
from provenance.origin.visit import Moved, OtherType, Unmodified, Validators, type_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    import requests

    from provenance.origin.hosts import Endpoint
    from provenance.origin.visit import Visited, Wish

MEBIBYTE = 1024 * 1024
_REDIRECTS = frozenset({301, 302, 303, 307, 308})
_BUSY = frozenset({429, 502, 503, 504})
"""Statuses after which the same request may well succeed in a moment."""
_TOO_MANY_REQUESTS = 429
_NOT_MODIFIED = 304
_BACKOFF = 0.5
"""Seconds before the second try; each further one waits twice as long."""


_Answer = TypeVar("_Answer", Fetched, Downloaded)


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
        headers = {"Accept": accept, "Accept-Encoding": "gzip"}
        return self._fetch(url, headers, limit, self._limits.total, partial(in_memory, limit=limit))

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
            return keep(chunks, progress)

        headers = {"Accept": "*/*", "Accept-Encoding": "identity"}
        return self._fetch(url, headers, limit, self._limits.download, receive)

    def visit(self, url: str, wish: Wish, validators: Validators) -> Visited:
        """Ask for one page as a crawler does: a redirect is an answer too, and so is that nothing changed.

        Args:
            url: where.
            wish: what is wanted of the answer.
            validators: of the answer that was had before; empty ones ask for it anew.
        """
        conditions = dict(validators.headers())
        headers = {"Accept": wish.accept, "Accept-Encoding": "gzip", **conditions}
        with self._exchange(headers, self._limits.total) as exchange:
            answer = self._answer(exchange, url)
            if isinstance(answer, HttpFailure):
                return answer
            with answer as response:
                found = headers_of(response)
                if response.status_code in _REDIRECTS:
                    following = _redirected(url, found.get("location", ""))
                    return following if isinstance(following, HttpFailure) else Moved(following)
                if response.status_code == _NOT_MODIFIED and conditions:
                    return Unmodified(Validators.of(found))
                stated = type_of(found.get("content-type", ""))
                if response.ok and stated and wish.types and stated not in wish.types:
                    return OtherType(stated)
                receive = partial(in_memory, limit=wish.limit, cut=wish.cut)
                return received(exchange, response, wish.limit, receive, cut=wish.cut)

    @contextmanager
    def _exchange(self, headers: Mapping[str, str], seconds: float) -> Iterator[Exchange]:
        from provenance.origin.transport import Deadline, open_session

        with Deadline(seconds) as deadline, open_session(self._policy, deadline) as http:
            yield Exchange(http, deadline, {**headers, "User-Agent": f"prov/{__version__}"})

    def _fetch(
        self,
        url: str,
        headers: Mapping[str, str],
        limit: int,
        seconds: float,
        receive: Callable[[requests.Response, Iterator[bytes]], _Answer],
    ) -> _Answer | HttpFailure:
        with self._exchange(headers, seconds) as exchange:
            for _ in range(self._limits.redirects + 1):
                answer = self._answer(exchange, url)
                if isinstance(answer, HttpFailure):
                    return answer
                with answer as response:
                    if response.status_code not in _REDIRECTS:
                        return received(exchange, response, limit, receive)
                    target = response.headers.get("Location", "")
                following = _redirected(url, target)
                if isinstance(following, HttpFailure):
                    return following
                url = following
        message = f"{host_of(url)} redirects more than {self._limits.redirects} times"
        return HttpFailure(FailureKind.BROKEN, message)

    def _answer(self, exchange: Exchange, url: str) -> requests.Response | HttpFailure:
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

    def _ask(self, exchange: Exchange, url: str, endpoint: Endpoint) -> requests.Response | HttpFailure:
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


def _redirected(url: str, target: str) -> str | HttpFailure:
    try:
        following = urljoin(_without_login(url), target)
        same = urlsplit(following).scheme == urlsplit(url).scheme
    except ValueError:
        return HttpFailure(FailureKind.BROKEN, f"{host_of(url)} redirects to what is no URL")
    if not target:
        return HttpFailure(FailureKind.BROKEN, f"{host_of(url)} redirects to nowhere")
    if not same:
        message = f"{host_of(url)} is refused: it redirects to another scheme, {shown(following)}"
        return HttpFailure(FailureKind.REFUSED, message)
    return following


def _anonymous(request: requests.PreparedRequest) -> requests.PreparedRequest:
    """An authentication that adds nothing, and so keeps requests from reading netrc."""
    return request


def _without_login(url: str) -> str:
    parts = urlsplit(url)
    return urlunsplit(parts._replace(netloc=parts.netloc.rpartition("@")[2]))
