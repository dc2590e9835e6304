"""The body of an answer, received within its bounds."""

from __future__ import annotations

import hashlib
import tempfile
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar
from urllib.parse import urlsplit

from provenance.errors import ProvError
from provenance.origin.address import shown
from provenance.origin.inflate import PIECE, Compression, Damaged, TooLarge, inflate
from provenance.origin.outcome import (
    Downloaded,
    FailureKind,
    Fetched,
    HttpFailure,
    Late,
    Unkept,
    failure_of,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    import requests

    from provenance.origin.transport import Deadline

_OK = 200
_IN_MEMORY = 8 * 1024 * 1024
"""A download that is larger goes to a temporary file, in bytes."""

_Answer = TypeVar("_Answer", Fetched, Downloaded)


@dataclass(frozen=True, slots=True)
class Exchange:
    """What one fetch is made with, over all its redirects and tries."""

    http: requests.Session
    deadline: Deadline
    headers: Mapping[str, str]

    def failure(self, host: str, error: Exception) -> HttpFailure:
        """What an exception on the way means; one that comes of the time being over means that."""
        return failure_of(host, self.late() if self.deadline.expired else error)

    def late(self) -> Late:
        """That the time is over."""
        return Late(f"not done within {self.deadline.seconds:g} s")


def received(
    exchange: Exchange,
    response: requests.Response,
    limit: int,
    receive: Callable[[requests.Response, Iterator[bytes]], _Answer],
    *,
    cut: bool = False,
) -> _Answer | HttpFailure:
    """Receive a body.

    Args:
        exchange: what it was asked for with.
        response: its status and headers have come, and nothing more.
        limit: bound in bytes, as sent.
        receive: makes the answer of the body's pieces.
        cut: whether a body that is larger simply ends at the bound.
    """
    import requests
    from urllib3.exceptions import HTTPError

    host = host_of(response.url)
    if response.status_code != _OK:
        message = f"{host} answers with status {response.status_code} for {shown(response.url)}"
        return HttpFailure(FailureKind.STATUS, message, status=response.status_code)
    try:
        length = response.headers.get("Content-Length", "")
        if not cut and length.isdecimal() and int(length) > limit:
            message = f"it has {int(length)} bytes, more than {limit}"
            raise TooLarge(message)
        chunks = _chunks(exchange, response)
        return receive(response, chunks if cut else inflate(chunks, Compression.NONE, limit=limit))
    except (ProvError, requests.RequestException, HTTPError, OSError, ValueError) as error:
        return exchange.failure(host, error)


def in_memory(
    response: requests.Response, chunks: Iterator[bytes], limit: int, *, cut: bool = False
) -> Fetched:
    """A body in memory, decompressed where it was compressed for the way.

    Args:
        response: whose body it is.
        chunks: the body as sent.
        limit: bound of what it is once decompressed, in bytes.
        cut: whether a body that is larger ends at the bound.

    Raises:
        TooLarge: it is larger, and is not to be cut.
        Damaged: it is encoded as nobody asked for, or its data is damaged.
    """
    encoding = response.headers.get("Content-Encoding", "").strip().lower()
    if encoding not in {"", "identity", "gzip", "x-gzip"}:
        message = f"it is encoded as {encoding!r}, which was not asked for"
        raise Damaged(message)
    compression = Compression.GZIP if encoding.endswith("gzip") else Compression.NONE
    pieces: list[bytes] = []
    try:
        for piece in inflate(chunks, compression, limit=limit):
            pieces.append(piece)  # noqa: PERF402 - what has come is kept where the next piece is too much
    except TooLarge:
        if not cut:
            raise
    return Fetched(b"".join(pieces), response.url, headers_of(response))


def headers_of(response: requests.Response) -> dict[str, str]:
    """The headers of an answer, by name in lower case."""
    return {name.lower(): value for name, value in response.headers.items()}


def keep(chunks: Iterator[bytes], progress: Callable[[int], None]) -> Downloaded:
    """A body in a temporary file.

    Raises:
        Unkept: the file cannot be written.
    """
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


def _chunks(exchange: Exchange, response: requests.Response) -> Iterator[bytes]:
    # As sent: requests would decode any encoding, and any number of them on top of each other.
    while chunk := response.raw.read(PIECE, decode_content=False):
        yield chunk
    if exchange.deadline.expired:
        # A connection that was cut looks like the end of a body that states no length.
        raise exchange.late()


def host_of(url: str) -> str:
    """The host that a URL names, as messages call it."""
    return urlsplit(url).hostname or shown(url)
