"""Cuts a reStructuredText document where nothing goes on: docutils is quadratic in the lines it reads in one go."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_ENOUGH = 200
"""Lines after which a piece ends as soon as it can."""
_TOO_MANY = 4_000
_TOO_LARGE = 200_000
"""Characters."""
_TOO_LARGE_A_GRID = 30_000
"""Characters, where a table is drawn."""
_LONGEST_LINE = 10_000

MOST_EFFORT = 30_000
"""Blocks, items and cells of a document: docutils takes half a millisecond for each."""

_BORDER = re.compile(r"=+(?: +=+)+$")
_MARK = re.compile(
    r"(?:[-+*\u2022\u2023\u2043]|\(?[A-Za-z0-9#]{1,20}[.)]|:[^:\s][^:]{0,100}:"
    r"|[-/]{1,2}[A-Za-z]\S*|\.\.(?:[ ]\[\S+\])?)(?:\s+|$)"
)
"""What an item of a list, a field, an option, a comment or a footnote begins with."""


def pieces(lines: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Where each piece begins and ends, as offsets. A list may be cut between its items, a table or a directive not."""
    begin = 0
    table = False
    for at, line in enumerate(lines):
        if at - begin >= _ENOUGH and not table and _may_begin(lines, at):
            yield begin, at
            begin = at
        if line.startswith("=") and _BORDER.match(line):
            # A table without vertical lines ends at a border with a blank line behind it.
            table = at + 1 < len(lines) and bool(lines[at + 1])
    if begin < len(lines):
        yield begin, len(lines)


def readable(lines: Sequence[str]) -> bool:
    """Whether docutils reads these lines in reasonable time."""
    size = sum(map(len, lines))
    grid = any(line.lstrip().startswith("+-") for line in lines)
    return (
        len(lines) <= _TOO_MANY
        and size <= (_TOO_LARGE_A_GRID if grid else _TOO_LARGE)
        and max(map(len, lines), default=0) <= _LONGEST_LINE
    )


def effort(lines: Sequence[str]) -> int:
    """About how many blocks, items and cells docutils makes of these lines, those within others included."""
    found = columns = 0
    before = ""
    for line in lines:
        if not line:
            columns = 0 if before.startswith("=") else columns
        elif line.lstrip().startswith(("+-", "|")):
            found += line.count("|") + line.count("+")
        else:
            if line.startswith("=") and _BORDER.match(line):
                columns = line.count(" =") + 1
            found += columns + _marks(line, anywhere=columns > 0) + (not before)
        before = line
    return found


def _marks(line: str, *, anywhere: bool) -> int:
    """How many items begin on a line, each in the one before: `- - 1. a` has three. In a table's cell one may, too."""
    if anywhere:
        return sum(1 for _ in _MARK.finditer(line))
    found = 0
    mark = _MARK.match(line, len(line) - len(line.lstrip()))
    while mark is not None:
        found += 1
        mark = _MARK.match(line, mark.end())
    return found


def _may_begin(lines: Sequence[str], at: int) -> bool:
    """Whether nothing that stands before this line reaches into it."""
    line, before = lines[at], lines[at - 1]
    if not line or line[0] == " ":
        return False
    if before:
        return line.startswith(".. ") and before.startswith(".. ")
    # Behind `::` a literal block follows, which is not indented where each of its lines is quoted.
    return not any(above.endswith("::") for above in lines[max(0, at - 2) : at])
