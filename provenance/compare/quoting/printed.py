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
_CLOSING = re.compile(r"[ \t]*(?=[)\]}])")
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
    strong = sign[0][0] not in _PLAIN_SIGNS
    others = _others(lines, same)
    enough = not others or (strong and _are_most(same, others))
    if not _believed(lines, same, cited, strong=strong, named=named):
        return None
    told = named or _are_cited(same, cited)
    if not enough and not (told and _are_heads(lines, same, others[0], strong=strong)):
        return None
    return Printed(_without(lines, same, heads=not enough), tuple(row.number for row in same))


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


def has_heads(lines: Sequence[str]) -> bool:
    """Whether most lines have no number, so that those below one belong to it: else they are the document's remarks."""
    rows = [row for at, line in enumerate(lines) if (row := _row(at, line))]
    return not _are_most(rows, _others(lines, rows))


def _row(at: int, line: str) -> _Row | None:
    found = _NUMBERED.fullmatch(line.rstrip("\r"))
    if found is None:
        return None
    return _Row(at, int(found["number"]), (found["letter"] or "") + (found["sign"] or ""), found["rest"])


def _others(lines: Sequence[str], rows: Sequence[_Row]) -> list[int]:
    """The lines of code that have no number."""
    numbered = {row.at for row in rows}
    return [
        at for at, line in enumerate(lines) if line.strip() and at not in numbered and not mark(line.strip())
    ]


def _are_most(rows: Sequence[_Row], others: Sequence[int]) -> bool:
    return len(rows) > 1 and len(rows) >= _LEAST_NUMBERED * (len(rows) + len(others))


def _are_cited(rows: Sequence[_Row], cited: LineRange | None) -> bool:
    return cited is not None and any(row.number in cited for row in rows)


def _believed(
    lines: Sequence[str], rows: Sequence[_Row], cited: LineRange | None, *, strong: bool, named: bool
) -> bool:
    """Whether the numbers can be those of lines."""
    told = _are_cited(rows, cited)
    if len(rows) == 1 and not told and not (named and strong):
        return False
    told = told or named
    if strong and named and not _others(lines, rows):
        return True  # places of a file in any order
    return all(_follows(lines, one, two, strong=strong, told=told) for one, two in pairwise(rows))


def _are_heads(lines: Sequence[str], rows: Sequence[_Row], other: int, *, strong: bool) -> bool:
    """Whether only the first line of each stretch has its number, as `12: def f():` above lines without any.

    Args:
        lines: The block's lines.
        rows: Those with numbers.
        other: The first one without.
        strong: Whether the sign behind the number is one that code has not.
    """
    if len(rows) == 1:
        return strong or rows[0].at < other
    return all(row.at == 0 or not lines[row.at - 1].strip() for row in rows)


def _follows(lines: Sequence[str], one: _Row, two: _Row, *, strong: bool, told: bool) -> bool:
    """Whether a number can be that of the line after the other's, or of a later one past a gap that shows."""
    if two.number <= one.number:
        return False
    between = lines[one.at + 1 : two.at]
    return two.number == one.number + 1 or strong or any(_is_gap(line, told=told) for line in between)


def _is_gap(line: str, *, told: bool) -> bool:
    """Whether a line shows that others are left out: a mark, or a blank line where the numbers are known to be some."""
    body = line.strip()
    return mark(body) is not None if body else told


def _without(lines: Sequence[str], rows: Sequence[_Row], *, heads: bool) -> list[str]:
    """The lines without numbers, and without the one space or tab that parts all of them from the code.

    Where only heads have numbers, the other lines' indentation counts from another column: the heads' own is lost.
    It is that of the bracket which closes what they open, if there is one.
    """
    first = {row.rest[:1] for row in rows if row.rest.strip()}
    cut = 1 if first in ({" "}, {"\t"}) else 0
    bare = list(lines)
    indentation = ""
    ends = [*(row.at for row in rows[1:]), len(lines)]
    for row, end in zip(rows, ends, strict=True):
        rest = row.rest[cut:]
        if heads:
            indentation = _closing_indentation(lines[row.at + 1 : end], indentation)
            rest = indentation + rest.lstrip(" \t")
        bare[row.at] = rest if row.rest.strip() else ""
    return bare


def _closing_indentation(lines: Sequence[str], before: str) -> str:
    """That of the outermost bracket that closes something; that of the stretch before where none does."""
    closing = (found[0] for line in lines if (found := _CLOSING.match(line)))
    return min(closing, key=len, default=before)
