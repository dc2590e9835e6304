"""What comes of asking for a page as a crawler does, beside `Fetched` and `HttpFailure`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from provenance.origin.outcome import Fetched, HttpFailure

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

_LONGEST = 1000
"""Characters of a validator that is kept."""


@dataclass(frozen=True, slots=True)
class Validators:
    """By what a server tells whether an answer is still the same (RFC 9110, 8.8)."""

    etag: str = ""
    modified: str = ""
    """`Last-Modified`, as the server writes it."""

    @classmethod
    def of(cls, headers: Mapping[str, str]) -> Validators:
        """Those of an answer, by its headers' names in lower case."""
        values = (headers.get(name, "").strip() for name in ("etag", "last-modified"))
        return cls(*(value if len(value) <= _LONGEST and value.isascii() else "" for value in values))

    def headers(self) -> Iterator[tuple[str, str]]:
        """What a request says, so that an answer which is still the same is not sent again."""
        if self.etag:
            yield "If-None-Match", self.etag
        if self.modified:
            yield "If-Modified-Since", self.modified


@dataclass(frozen=True, slots=True)
class Wish:
    """What is wanted of an answer."""

    limit: int
    """Bound of the body in bytes, as sent and as decoded."""
    types: frozenset[str] = frozenset()
    """Media types whose body is read, in lower case; any where there are none, or the answer states none."""
    accept: str = "*/*"
    """The same, as the header says it."""
    cut: bool = False
    """Whether a larger body is read up to the bound, rather than being none."""


@dataclass(frozen=True, slots=True)
class Moved:
    """A redirect. Whether it is followed is for the crawler to say."""

    target: str
    """An absolute URL of the same scheme, without user information; checked when it is asked for."""


@dataclass(frozen=True, slots=True)
class Unmodified:
    """What was had before is still the same (304)."""

    validators: Validators
    """As the answer has them; empty where it has none."""


@dataclass(frozen=True, slots=True)
class OtherType:
    """A body of a type that is not wanted, and was not read."""

    type: str


Visited = Fetched | Moved | Unmodified | OtherType | HttpFailure


def type_of(content_type: str) -> str:
    """The media type that a `Content-Type` states, in lower case and without parameters; empty where it states none."""
    return content_type.partition(";")[0].strip().lower()
