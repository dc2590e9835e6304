"""Sitemaps: the addresses of a site's pages (sitemaps.org, "Protocol"), as XML or as lines of text."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING
from xml.parsers import expat

from provenance.origin.inflate import Compression, Damaged, TooLarge, inflate

if TYPE_CHECKING:
    from collections.abc import Mapping

LARGEST = 50 * 1024 * 1024
"""Bytes of a sitemap, decompressed: what the protocol allows."""
_MOST = 50_000
"""Addresses of one, likewise."""
_LONGEST = 2048
"""Characters of an address, likewise."""
_GZIP = b"\x1f\x8b"
_PARENTS = frozenset({"url", "sitemap"})
_PIECE = 1024 * 1024
"""Bytes that are parsed at once: older versions of expat begin a token anew with each of them."""


@dataclass(frozen=True, slots=True)
class Sitemap:
    """What a sitemap names."""

    pages: tuple[str, ...] = ()
    maps: tuple[str, ...] = ()
    """Further sitemaps."""
    fault: str = ""
    """Why it could not be read to its end; empty where it could."""


class _Enough(Exception):
    """There is no need to read on."""


def read_sitemap(data: bytes) -> Sitemap:
    """Read a sitemap. What stands before a fault counts."""
    try:
        pieces = [data] if not data.startswith(_GZIP) else inflate([data], Compression.GZIP, limit=LARGEST)
        text = b"".join(pieces)
    except (Damaged, TooLarge) as error:
        return Sitemap(fault=str(error))
    if text.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"<"):
        return _xml(text)
    lines = (line.strip() for line in text.decode("utf-8", "replace").split("\n", _MOST)[:_MOST])
    return Sitemap(tuple(line for line in lines if line.startswith("http") and len(line) <= _LONGEST))


def _xml(text: bytes) -> Sitemap:
    reader = _Reader()
    fault = ""
    try:
        # In pieces, so that a document type is refused before what it declares is read.
        for start in range(0, len(text), _PIECE):
            reader.parser.Parse(text[start : start + _PIECE], False)
        reader.parser.Parse(b"", True)
    except _Enough as error:
        fault = str(error)
    except (expat.ExpatError, ValueError, LookupError) as error:
        fault = f"it is no proper XML: {error}"
    return Sitemap(tuple(reader.found["url"]), tuple(reader.found["sitemap"]), fault)


class _Reader:
    """Hears of elements and text. A document type is refused, and with it every entity of its own."""

    def __init__(self) -> None:
        self.found: Mapping[str, list[str]] = {"url": [], "sitemap": []}
        self.parser = expat.ParserCreate(namespace_separator=" ")
        self.parser.buffer_text = True
        self.parser.StartElementHandler = self._start
        self.parser.EndElementHandler = self._end
        self.parser.CharacterDataHandler = self._text
        self.parser.StartDoctypeDeclHandler = self._refuse
        self._parent = ""
        self._location: list[str] | None = None

    def _start(self, name: str, _attributes: dict[str, str]) -> None:
        local = name.rpartition(" ")[2]
        if local in _PARENTS:
            self._parent = local
        self._location = [] if local == "loc" and self._parent else None

    def _end(self, name: str) -> None:
        local = name.rpartition(" ")[2]
        if local == "loc" and self._location is not None:
            self._keep("".join(self._location).strip())
        self._location = None
        if local in _PARENTS:
            self._parent = ""

    def _text(self, text: str) -> None:
        if self._location is not None and len(self._location) < _LONGEST:
            self._location.append(text)

    def _keep(self, location: str) -> None:
        if 0 < len(location) <= _LONGEST:
            self.found[self._parent].append(location)
        if sum(map(len, self.found.values())) >= _MOST:
            message = f"it names {_MOST:,} addresses or more"
            raise _Enough(message)

    def _refuse(self, _name: str, _system: str | None, _public: str | None, _internal: object) -> None:
        message = "it has a document type, which no sitemap has"
        raise _Enough(message)
