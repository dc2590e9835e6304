"""Where the references of a reStructuredText document lead: its hyperlink targets, wherever they stand."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from provenance.documents.rst.inline import address

if TYPE_CHECKING:
    from provenance.documents.rst.lines import Lines

_MOST_STEPS = 16
"""How many targets may name each other before one has a URL."""
_EXPLICIT = re.compile(r"\s*(?:\.\. +(?:_|__ *)(?:`(?:[^`\\]|\\.)*+`|[^:\\`]|\\.|:(?! |$))*+:(?: +|$)|__ +)")


@dataclass(frozen=True, slots=True)
class Target:
    """A URL and where it stands."""

    url: str
    raw: str
    line: int


class Targets:
    """The targets of a document."""

    def __init__(self) -> None:
        self._named: dict[str, Target] = {}
        self._other: dict[str, str] = {}
        """Names that stand for another name."""
        self._anonymous: list[Target] = []
        self._used = 0

    def add(self, name: str, target: Target) -> None:
        """A target of that name; the first of several counts."""
        self._named.setdefault(name, target)

    def add_other(self, name: str, other: str) -> None:
        """A name that stands for another."""
        self._other.setdefault(name, other)

    def add_anonymous(self, target: Target) -> None:
        """The next of those that are referred to by their order."""
        self._anonymous.append(target)

    def named(self, name: str) -> Target | None:
        """Where a reference leads, if it is to a URL."""
        for _ in range(_MOST_STEPS):
            if found := self._named.get(name):
                return found
            if name not in self._other:
                return None
            name = self._other[name]
        return None

    def next_anonymous(self) -> Target | None:
        """Where the next anonymous reference leads."""
        self._used += 1
        return self._anonymous[self._used - 1] if self._used <= len(self._anonymous) else None


def explicit(lines: Lines, line: int, url: str, size: int) -> Target | None:
    """The URL of an explicit target that begins on that line and has so many lines."""
    shown = lines.own[line - 1 : line - 1 + size]
    if not shown:
        return None
    for number, each in enumerate(shown, line):
        if url in each:
            return Target(url, url, number)
    prefix = _EXPLICIT.match(shown[0])
    if prefix is None:
        return None
    joined = "\n".join(shown)[prefix.end() :]
    raw = joined.strip()
    begun = joined[: len(joined) - len(joined.lstrip())]
    return Target(address(raw) or url, raw, line + begun.count("\n")) if raw else None
