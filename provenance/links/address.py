"""A URL in its parts, each with its place in the text, so that one can be changed and all else stays as written."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property
from urllib.parse import unquote_to_bytes

Span = tuple[int, int]
"""Where a part stands in a text: the first character, and the one after the last."""

_URL = re.compile(
    r"(?:(?P<scheme>https?):)?//(?P<authority>[^/?#]*)(?P<path>[^?#]*)(?:\?(?P<query>[^#]*))?(?:#(?P<fragment>.*))?",
    re.IGNORECASE | re.DOTALL,
)
_HOST = re.compile(r"(?P<host>[^\s:@\[\]%<>\"]+|\[[0-9A-Fa-f:.]+\])(?::(?P<port>[0-9]{0,5}))?")
_PAIR = re.compile(r"(?P<name>[^=&;]+)=(?P<value>[^&;]*)")
_SEPARATOR = re.compile(r"\\(?=[A-Za-z0-9/\\])")
_ESCAPE = re.compile(r"\\(?=[!-/:-@\[-`{-~])|%5[Cc](?=_)")
"""A backslash before punctuation: what Markdown writes where punctuation is to mean itself, and `%5C_` made of it."""
_UNIT = re.compile(
    r"(?P<slash>(?:/|%2[Ff])+)|(?P<escape>\\(?=[!-/:-@\[-`{-~])|%5[Cc](?=_))|%[0-9A-Fa-f]{2}|.", re.DOTALL
)


@dataclass(frozen=True, slots=True)
class Part:
    """One `name=value` of a query."""

    name: str
    pair: Span
    value: Span


@dataclass(frozen=True)
class Address:
    """An http or https URL."""

    text: str
    """As written, but for a backslash between names, which is a slash here; as long as what was written."""
    scheme: str
    """In lower case; https where the URL names none."""
    host: str
    """In lower case."""
    port: int | None
    path: Span
    query: Span | None
    fragment: Span | None
    backslash: bool
    """Whether one was read as a slash."""

    def __getitem__(self, span: Span | None) -> str:
        return "" if span is None else self.text[span[0] : span[1]]

    @cached_property
    def parts(self) -> dict[str, Part]:
        """The query's parts, the first of each name."""
        if self.query is None:
            return {}
        found: dict[str, Part] = {}
        for match in _PAIR.finditer(self.text, *self.query):
            found.setdefault(match["name"], Part(match["name"], match.span(), match.span("value")))
        return found


def parse_address(text: str) -> Address | None:
    """A URL's parts; None where it is no URL of the web."""
    shadow = _SEPARATOR.sub("/", text)
    match = _URL.fullmatch(shadow)
    if match is None:
        return None
    host = _HOST.fullmatch(match["authority"].rpartition("@")[2])
    if host is None or (host["port"] and int(host["port"]) > 65535):  # noqa: PLR2004 - the last port there is
        return None
    scheme = (match["scheme"] or "https").lower()
    port = int(host["port"]) if host["port"] else None
    return Address(
        shadow,
        scheme,
        host["host"].lower(),
        None if port == {"http": 80, "https": 443}[scheme] else port,
        match.span("path"),
        None if match["query"] is None else match.span("query"),
        None if match["fragment"] is None else match.span("fragment"),
        shadow != text,
    )


def decoded(text: str) -> tuple[str, tuple[str, ...]]:
    """A part of a path, percent-decoded once, without escapes and doubled or outer slashes; and what was odd."""
    notes = []
    kept = _ESCAPE.sub("", text)
    if kept != text:
        notes.append("a backslash")
    plain = unquote_to_bytes(kept.encode("utf-8", "surrogatepass")).decode("utf-8", "surrogateescape")
    if "//" in plain or plain.startswith("/"):
        notes.append("// in the path")
        plain = re.sub("/{2,}", "/", plain).lstrip("/")
    if plain.endswith("/"):
        notes.append("a slash at the end")
        plain = plain.rstrip("/")
    return plain, tuple(notes)


def reach(text: str, wanted: str) -> int | None:
    """How much of an encoded text decodes to `wanted` and ends there or before a slash; None where it does not."""
    rest = wanted.encode("utf-8", "surrogateescape")
    taken = 0
    for unit in _UNIT.finditer(text):
        if taken == len(rest):
            return unit.start() if unit["slash"] else None
        piece = b"/" if unit["slash"] else b"" if unit["escape"] else _bytes(unit[0])
        if not rest.startswith(piece, taken):
            return None
        taken += len(piece)
    return len(text) if taken == len(rest) else None


def _bytes(unit: str) -> bytes:
    return unquote_to_bytes(unit.encode("utf-8", "surrogatepass"))
