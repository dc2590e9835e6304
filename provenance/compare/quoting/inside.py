"""What of a block a link in one of its comments is about."""

from __future__ import annotations

import re
from itertools import zip_longest
from typing import TYPE_CHECKING, NamedTuple

from provenance.compare.quoting.headers import header
from provenance.compare.quoting.remarks import is_remark

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence


_OPENING = re.compile(r"[ \t]*(?://|#(?!\[)|--|;|%|/\*|<!--|\*[ \t])")
_CLOSING = re.compile(r"[ \t]*(?:\*+/|--+>)[ \t\r]*")
_LINES = re.compile(r"[:#\s]")
"""What stands between a path and its lines."""
_HEDGED = re.compile(
    r"\b(?:see|cf|adapted|adapt|based|inspired|similar|similarly|modified|simplified|derived|ported|like|mostly|most|also|"
    r"compare|docs|documentation|explained|thanks|credits?|h/t|e\.g)\b",
    re.IGNORECASE,
)
"""Words of a comment that says where more of it is, or what the code is made after."""
_BEHIND_CODE = re.compile(r"[ \t](?://|#|--|;|%|/\*|<!--)")

_FOLLOWS = 0.95
_ITS_LINE = 0.7
_BEHIND = 0.5
_PRECEDES = 0.9
_AFTER_ANOTHER = 0.5
_WHOLE = 0.6
_UNSAID = 0.3


class Spot(NamedTuple):
    """A link within a block."""

    line: int
    """Of the block's text, from 0."""
    raw: str
    """As it stands there."""


class Part(NamedTuple):
    """Lines that a link may be about."""

    lines: tuple[int, int] | None
    """From 0, inclusive; None for the whole block."""
    likelihood: float
    said: bool
    """Whether the comment says that the code is from there.

    A link in code is the code's own, and `see URL` is advice.
    """


def parts(lines: Sequence[str], spots: Sequence[Spot]) -> list[list[Part]]:
    """For each link of a block what it may be about; nothing where nothing else is there.

    A link is about what stands between it and the next one; links on lines in a row are about the same code.

    Args:
        lines: The block's lines.
        spots: The links in it, in the order of their lines, each of which is there.
    """
    starred = next((at for at, line in enumerate(lines) if "/*" in line), len(lines))
    comments = {spot.line for spot in spots if _is_comment(lines[spot.line], spot, starred)}
    head = header(lines, "")
    code = [
        at
        for at, line in enumerate(lines[head.height :] if head else lines, head.height if head else 0)
        if line.strip() and at not in comments and not is_remark(line)
    ]
    if not code:
        return [[] for _ in spots]
    found: list[list[Part]] = []
    heaps = _heaps(spots)
    before = 0
    for heap, following in zip_longest(heaps, heaps[1:]):
        stop = following[0].line if following else len(lines)
        room = _Room(before, stop, (code[0], code[-1]), starred)
        after = _following(lines, heap, room.stop)
        found.extend(list(_parts(lines, spot, after, room)) for spot in heap)
        before = heap[-1].line + 1
    return found


class _Room(NamedTuple):
    """What is around links on lines in a row."""

    before: int
    """The line behind the link before them; 0 where there is none."""
    stop: int
    """The line of the next link, or how many there are."""
    code: tuple[int, int]
    """The first and the last line of the block that is no comment with a link."""
    starred: int
    """The line from which on one that begins with `*` may be of a comment; before, it is of a list."""


def _is_comment(line: str, spot: Spot, starred: int) -> bool:
    """Whether a link's line is a comment, or a header such as `File: a.py:10-20`."""
    opening = _OPENING.match(line)
    if (opening and (spot.line > starred or not opening[0].lstrip().startswith("*"))) or is_remark(line):
        return True
    return "://" not in spot.raw and header([line], _LINES.split(spot.raw)[0]) is not None


def _heaps(spots: Sequence[Spot]) -> list[list[Spot]]:
    heaps: list[list[Spot]] = []
    for spot in spots:
        if heaps and spot.line <= heaps[-1][-1].line + 1:
            heaps[-1].append(spot)
        else:
            heaps.append([spot])
    return heaps


def _parts(lines: Sequence[str], spot: Spot, after: tuple[int, int] | None, room: _Room) -> Iterator[Part]:
    line = lines[spot.line]
    comment = _is_comment(line, spot, room.starred)
    behind = not comment and _BEHIND_CODE.search(line[: max(line.find(spot.raw), 0)]) is not None
    if not behind and not comment:
        yield Part(None, _UNSAID, said=False)
        return
    hedged = _HEDGED.search(line[: max(line.find(spot.raw), 0)]) is not None
    said = not behind and not hedged and not _is_apart(lines, spot)
    if behind:
        yield Part((spot.line, spot.line), _ITS_LINE, said=said)
    if after:
        yield Part(after, _BEHIND if behind else _FOLLOWS, said=said)
    elif comment and spot.line > room.code[1]:
        above = _trimmed(lines, room.before, spot.line - 1)
        if above:
            yield Part(above, _AFTER_ANOTHER if room.before else _PRECEDES, said=said)
    if after != room.code:
        yield Part(None, _WHOLE if after else _UNSAID, said=said and after is not None)


def _is_apart(lines: Sequence[str], spot: Spot) -> bool:
    """Whether a URL stands bare, as a paragraph of its own: then the block is a text with links, perhaps."""
    below = spot.line + 1
    bare = "://" in spot.raw and lines[spot.line].lstrip().startswith(spot.raw)
    return bare and below < len(lines) and not lines[below].strip()


def _following(lines: Sequence[str], heap: Sequence[Spot], stop: int) -> tuple[int, int] | None:
    """What stands below a comment, as long as it is indented as far: with less, what the comment is about is over."""
    first = lines[heap[0].line]
    least = _indent(first) - first.lstrip().startswith("*")  # such a line is one further in than its comment
    start = end = heap[-1].line + 1
    while end < stop and (not lines[end].strip() or _indent(lines[end]) >= least):
        end += 1
    return _trimmed(lines, start, end - 1)


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip(" \t"))


def _trimmed(lines: Sequence[str], first: int, last: int) -> tuple[int, int] | None:
    """The lines without blank ones at the ends, and without links and the end of their comment above."""
    while first <= last and (
        not lines[first].strip() or is_remark(lines[first]) or _CLOSING.fullmatch(lines[first])
    ):
        first += 1
    while last >= first and not lines[last].strip():
        last -= 1
    return (first, last) if first <= last else None
