"""Line numbers that a document prints beside code."""

from __future__ import annotations

import re
from collections import Counter
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from provenance.compare.marks import mark

if TYPE_CHECKING:
    from collections.abc import Sequence

    from provenance.citation import LineRange

_NUMBERED = re.compile(
    r"[ \t]*(?P<letter>[Ll])?(?P<number>[0-9]{1,6})"
    r"(?:[ \t]?(?P<sign>[:|\u2502\u2503\u2192]|[.)](?=[ \t]|$))|(?=[ \t]|$))(?P<rest>.*)"
)
"""`12: code`, `12 | code`, `L12: code`, `12. code`, `12  code`, a number alone."""
_PLAIN_SIGNS = frozenset({"", ".", ")"})
"""Signs behind a number that lists and data have as well."""
_LEAST_NUMBERED = 0.6
"""Share of the lines that have numbers where others stand between, such as a remark that the document adds."""


class Printed(NamedTuple):
    """Code without the numbers that stood beside it."""

    lines: list[str]
    numbers: tuple[int, ...]
    """Those that were printed, in their order."""


class _Row(NamedTuple):
    at: int
    number: int
    sign: str
    """The sign behind the number, with the letter before it."""
    rest: str


def printed(lines: Sequence[str], cited: LineRange | None, *, named: bool) -> Printed | None:
    """Take line numbers off; None where there are none.

    Args:
        lines: The block's lines.
        cited: The range that the link names.
        named: Whether a header names the file: then a single number is believed, wherever it lies.
    """
    rows = [row for at, line in enumerate(lines) if (row := _row(at, line))]
    if not rows:
        return None
    sign = Counter(row.sign for row in rows if row.rest.strip()).most_common(1)
    if not sign:
        return None  # numbers and nothing else are data
    same = [row for row in rows if row.sign == sign[0][0] or not row.rest.strip()]
    if not _believed(lines, same, sign[0][0], cited, named=named):
        return None
    return Printed(_without(lines, same), tuple(row.number for row in same))


class Run(NamedTuple):
    """Lines with numbers in a row."""

    lines: tuple[int, int]
    """Of the block, from 0, inclusive."""
    first: int
    """The number of the first one."""
    last: int


def runs(lines: Sequence[str]) -> list[Run]:
    """Lines that have numbers, parted where numbers are left out: a block may show several places of a file."""
    found: list[Run] = []
    for at, line in enumerate(lines):
        row = _row(at, line)
        if row is None:
            continue
        if found and row.number == found[-1].last + 1:
            found[-1] = Run((found[-1].lines[0], at), found[-1].first, row.number)
        else:
            found.append(Run((at, at), row.number, row.number))
    return found


def _row(at: int, line: str) -> _Row | None:
    found = _NUMBERED.fullmatch(line.rstrip("\r"))
    if found is None:
        return None
    return _Row(at, int(found["number"]), (found["letter"] or "") + (found["sign"] or ""), found["rest"])


def _believed(
    lines: Sequence[str], rows: Sequence[_Row], sign: str, cited: LineRange | None, *, named: bool
) -> bool:
    strong = sign not in _PLAIN_SIGNS
    if len(rows) == 1 and not (cited and rows[0].number in cited) and not (named and strong):
        return False
    numbered = {row.at for row in rows}
    others = [
        at for at, line in enumerate(lines) if line.strip() and at not in numbered and not mark(line.strip())
    ]
    if others and not (strong and len(rows) > 1 and len(rows) >= _LEAST_NUMBERED * (len(rows) + len(others))):
        return False
    return all(_follows(lines, one, two, strong=strong) for one, two in pairwise(rows))


def _follows(lines: Sequence[str], one: _Row, two: _Row, *, strong: bool) -> bool:
    """Whether a number can be that of the line after the other's, or of a later one past a gap that shows."""
    if two.number <= one.number:
        return False
    return two.number == one.number + 1 or strong or any(map(_is_mark, lines[one.at + 1 : two.at]))


def _is_mark(line: str) -> bool:
    body = line.strip()
    return bool(body) and mark(body) is not None


def _without(lines: Sequence[str], rows: Sequence[_Row]) -> list[str]:
    """The lines without numbers, and without the one space or tab that parts all of them from the code."""
    heads = {row.rest[:1] for row in rows if row.rest.strip()}
    cut = 1 if heads in ({" "}, {"\t"}) else 0
    bare = list(lines)
    for row in rows:
        bare[row.at] = row.rest[cut:] if row.rest.strip() else ""
    return bare
