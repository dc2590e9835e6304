"""The URLs in a start tag: where it links to, what it embeds."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING
from urllib.parse import unquote

from provenance.documents.html.tokens import decoded_value

if TYPE_CHECKING:
    from collections.abc import Iterator

    from provenance.documents.html.tokens import Attribute, Tag

_WHITE = " \t\n\r\f"
_ABSOLUTE = re.compile(r"(?:https?://|swh:1:)", re.IGNORECASE)
_LINKS = {"a": "href", "area": "href", "iframe": "src", "embed": "src", "object": "data"}
_EMBEDDING = frozenset({"script", "iframe"})
_PARAMETER = re.compile(
    r"[?&;](?:target|url|src|link)=(https?(?:%3A|:)(?:%2F|/){2}[^&;#\s\"'<>]++)", re.IGNORECASE
)
"""A URL within that of an embedding script, where the characters of it that would end it are percent-encoded."""
_NO_SOURCES = frozenset({"img", "source", "video", "audio", "link", "meta"})


@dataclass(frozen=True, slots=True)
class Address:
    """A URL in a tag."""

    url: str
    """Decoded."""
    raw: str
    """As it stands in the document; within an embedding script's URL it is percent-encoded."""
    line: int
    """The line on which `raw` begins."""


def link_of(tag: Tag) -> Address | None:
    """Where `<a href>` leads, also `<iframe src>` and the like."""
    attribute = tag.get(_LINKS[tag.name]) if tag.name in _LINKS else None
    return _address(attribute) if attribute else None


def embedded_in(tag: Tag) -> Iterator[Address]:
    """Further URLs in a tag: a quotation's `cite`, `data-*` and what an embedding script shows."""
    told = tag.value(_LINKS.get(tag.name, "href")).strip()
    seen = {told} if told else set()
    for attribute in tag.attributes:
        if attribute.name == "cite":
            found = _address(attribute)
        elif attribute.name.startswith("data-") and tag.name not in _NO_SOURCES:
            found = _address(attribute) if _ABSOLUTE.match(attribute.raw.lstrip(_WHITE)) else None
        elif attribute.name == "src" and tag.name in _EMBEDDING:
            found = _parameter(attribute)
        else:
            continue
        if found and found.url not in seen:
            seen.add(found.url)
            yield found


def _address(attribute: Attribute) -> Address | None:
    left = attribute.raw.lstrip(_WHITE)
    raw = left.rstrip(_WHITE)
    line = attribute.line + attribute.raw.count("\n", 0, len(attribute.raw) - len(left))
    return Address(decoded_value(raw), raw, line) if raw else None


def _parameter(attribute: Attribute) -> Address | None:
    found = _PARAMETER.search(attribute.raw)
    if found is None:
        return None
    line = attribute.line + attribute.raw.count("\n", 0, found.start(1))
    return Address(unquote(decoded_value(found[1])), found[1], line)
