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

_BORDER = re.compile(r"=+(?: +=+)+$")


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


def _may_begin(lines: Sequence[str], at: int) -> bool:
    """Whether nothing that stands before this line reaches into it."""
    line, before = lines[at], lines[at - 1]
    if not line or line[0] == " ":
        return False
    if before:
        return line.startswith(".. ") and before.startswith(".. ")
    # Behind `::` a literal block follows, which is not indented where each of its lines is quoted.
    return not any(above.endswith("::") for above in lines[max(0, at - 2) : at])
