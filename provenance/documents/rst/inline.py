"""The markup within a paragraph of reStructuredText, as far as it is links, literals and roles.

Docutils keeps neither the place nor the spelling of a link within its paragraph, and to look for the end of each
emphasis takes it quadratic time; this finds each once, from left to right.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

_MARKUP = re.compile(
    r"""\\[\s\S]
      | ``(?P<literal>(?=\S)[\s\S]+?)``
      | `(?P<phrase>(?=[^\s`])[^`\\]*+(?:\\[\s\S][^`\\]*+)*+)`(?:(?P<reference>__?)(?!\w)|(?P<role>:[\w.+:-]{1,60}:))?
      | (?<![\w.:+/@-])(?P<name>[^\W_](?:[-._+:]?[^\W_])*+)__?(?![\w/])
    """,
    re.VERBOSE,
)
_ROLE_BEFORE = re.compile(r":[\w.+:-]{1,60}:$")
_LONGEST_ROLE = 64
_SPACE = re.compile(r"\s+")
_ESCAPE = re.compile(r"\\(\s|[\s\S])")


@dataclass(frozen=True, slots=True)
class Span:
    """A piece of inline markup."""

    start: int
    """Where its markup begins in the paragraph, a role's name before it included."""
    end: int
    text: str
    """What it shows, without its markup, as it stands."""
    name: str | None = None
    """Of a reference: the name it refers by; empty for an anonymous one; None where this is none."""
    url: tuple[int, int] | None = None
    """Where in the paragraph the URL stands that is embedded in it."""
    anonymous: bool = False


def spans(text: str) -> Iterator[Span]:
    """The inline markup of a paragraph, from left to right."""
    for match in _MARKUP.finditer(text):
        if match["literal"] is not None:
            yield Span(match.start(), match.end(), match["literal"])
        elif match["name"] is not None:
            anonymous = match[0].endswith("__")
            yield Span(
                match.start(), match.end(), match["name"], normalised(match["name"]), anonymous=anonymous
            )
        elif match["phrase"] is not None:
            yield _phrase(text, match)


def _phrase(text: str, match: re.Match[str]) -> Span:
    start, end = match.span()
    shown = match["phrase"]
    before = _ROLE_BEFORE.search(text[max(0, start - _LONGEST_ROLE) : start])
    if before:
        return Span(start - len(before[0]), match.end("phrase") + 1, shown)
    if match["reference"] is None:
        return Span(start, end, shown)
    anonymous = match["reference"] == "__"
    opening = shown.rfind("<")
    if not shown.endswith(">") or opening < 0 or (opening and not shown[opening - 1].isspace()):
        return Span(start, end, shown, normalised(shown), anonymous=anonymous)
    target = shown[opening + 1 : -1]
    label = shown[:opening].rstrip() or target
    if target.endswith("_") and not target.endswith("\\_"):
        return Span(start, end, label, normalised(target[:-1].strip("`")))
    inside = match.start("phrase") + opening + 1
    return Span(start, end, label, normalised(label), (inside, inside + len(target)), anonymous)


def normalised(name: str) -> str:
    """A reference's name as names are compared."""
    return _SPACE.sub(" ", _ESCAPE.sub(_unescaped, name)).strip().lower()


def address(raw: str) -> str:
    """A URL without the line breaks and the escapes that it is written with."""
    return _SPACE.sub("", _ESCAPE.sub(_unescaped, raw))


def _unescaped(match: re.Match[str]) -> str:
    return "" if match[1].isspace() else match[1]
