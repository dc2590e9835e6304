"""What comes of a fetch: an answer, or why there is none."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from email.utils import parsedate_to_datetime
from enum import StrEnum
from typing import IO, TYPE_CHECKING

from provenance.errors import ProvError, RefusedURL
from provenance.origin.inflate import Damaged, TooLarge

if TYPE_CHECKING:
    from collections.abc import Mapping


class FailureKind(StrEnum):
    """Why a fetch has no answer."""

    REFUSED = "refused"
    """prov itself would not ask: the URL or the address is not allowed."""
    UNREACHABLE = "unreachable"
    """No connection: no such name, nobody listens, TLS fails."""
    TIMEOUT = "timeout"
    """Connected, but not done in time."""
    LIMITED = "limited"
    """Too many requests (429)."""
    STATUS = "status"
    """Any other status than 200."""
    TOO_LARGE = "too large"
    BROKEN = "broken"
    """The answer is no proper one: cut off, badly encoded, or redirects without end."""
    DISK = "disk"
    """The answer cannot be kept."""


@dataclass(frozen=True, slots=True)
class HttpFailure:
    """A fetch that has no answer."""

    kind: FailureKind
    message: str
    """One sentence that names the host; without user information, queries and tokens."""
    status: int | None = None
    retry_at: datetime | None = None
    """When the server says that it will answer again (UTC)."""
    transient: bool = False
    """Whether asking once more in a moment may help."""


@dataclass(frozen=True, slots=True)
class Fetched:
    """An answer, in memory."""

    data: bytes = field(repr=False)
    url: str = field(repr=False)
    """Where it was in the end, without user information: what relative links are relative to."""
    headers: Mapping[str, str] = field(repr=False)
    """By name in lower case."""


@dataclass(frozen=True, slots=True)
class Downloaded:
    """An answer, in a temporary file that is gone when it is closed."""

    file: IO[bytes] = field(repr=False)
    """At its start, seekable. The receiver closes it."""
    size: int
    """In bytes."""
    sha256: str
    """Of the bytes as they were sent, 64 lower-case hexadecimal digits."""


class Unkept(ProvError):
    """A downloaded file cannot be written."""


class Late(ProvError):
    """A fetch was not done in the time that it had."""


def failure_of(host: str, error: Exception) -> HttpFailure:
    """What an exception on the way means. Its own text is not printed: it may hold a URL in full."""
    match error:
        case RefusedURL():
            return HttpFailure(FailureKind.REFUSED, str(error))
        case TooLarge():
            return HttpFailure(FailureKind.TOO_LARGE, f"the answer of {host} is too large: {error}")
        case Unkept():
            return HttpFailure(FailureKind.DISK, f"what {host} sends cannot be kept: {error}")
        case Damaged():
            return HttpFailure(FailureKind.BROKEN, f"the answer of {host} cannot be read: {error}")
        case Late():
            return HttpFailure(FailureKind.TIMEOUT, f"{host} was too slow: {error}")
        case _:
            return _library_failure(host, error)


def _library_failure(host: str, error: Exception) -> HttpFailure:
    import requests
    from urllib3.exceptions import ReadTimeoutError

    unreachable = f"{host} cannot be reached: {_reason(error)}"
    match error:
        case requests.ConnectTimeout():
            return HttpFailure(FailureKind.UNREACHABLE, f"{host} cannot be reached: no connection in time")
        case requests.ReadTimeout() | ReadTimeoutError():
            return HttpFailure(FailureKind.TIMEOUT, f"{host} was too slow: it fell silent")
        case requests.exceptions.SSLError():
            return HttpFailure(FailureKind.UNREACHABLE, unreachable)
        case requests.ConnectionError():
            return HttpFailure(FailureKind.UNREACHABLE, unreachable, transient=True)
        case OSError() if not isinstance(error, requests.RequestException):
            return HttpFailure(FailureKind.UNREACHABLE, unreachable)
        case _:
            return HttpFailure(FailureKind.BROKEN, f"the answer of {host} breaks off: {_reason(error)}")


def _reason(error: BaseException) -> str:
    """The system's own words for the innermost error; they hold neither a URL nor a header."""
    innermost = error
    while (inner := innermost.__cause__ or innermost.__context__) is not None:
        innermost = inner
    words = innermost.strerror if isinstance(innermost, OSError) else None
    if words is None and type(innermost) is OSError:
        words = str(innermost)  # a proxy's status, or a file of certificates that is not there
    return words or type(innermost).__name__


def retry_at(headers: Mapping[str, str], now: datetime) -> datetime | None:
    """When to ask again: `Retry-After` (RFC 9110, 10.2.3), else `X-RateLimit-Reset` in seconds since 1970."""
    after, reset = headers.get("Retry-After", "").strip(), headers.get("X-RateLimit-Reset", "").strip()
    try:
        if after.isdecimal():
            return now + timedelta(seconds=int(after))
        if after:
            moment = parsedate_to_datetime(after)
            return moment if moment.tzinfo else moment.replace(tzinfo=UTC)
        return datetime.fromtimestamp(int(reset), UTC) if reset.isdecimal() else None
    except (ValueError, OverflowError, OSError):
        return None
