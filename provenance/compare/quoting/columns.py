"""Columns of a link, such as `#L5C9-L5C12`: whether a quote is what they select. Pure.

Hosts count characters, some the units of UTF-16, and editors bytes; and a last column is selected here and is the first
that is not selected there. A link does not say which: a quote that is the selection in one of these ways is it.
"""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from provenance.extract.lines import Text
    from provenance.links.anchors import Anchor

_UNITS = ("utf-32-le", "utf-16-le", "utf-8")
_WIDTHS = {"utf-32-le": 4, "utf-16-le": 2, "utf-8": 1}
"""Bytes of what counts as one column."""


def selects(anchor: Anchor, text: Text, quote: str) -> bool:
    """Whether the columns of an anchor select a quote that is not all of its lines."""
    lines = anchor.lines
    if lines is None or anchor.first_column is None or lines.last > len(text):
        return False
    return quote.strip() != "" and quote in set(_selections(anchor, text.slice(lines)))


def _selections(anchor: Anchor, lines: list[str]) -> Iterator[str]:
    """What the columns select, however they are counted."""
    first, last = anchor.first_column or 1, anchor.last_column
    for unit, behind in product(_UNITS, (0, 1)):
        end = None if last is None else last - 1 + behind
        tail = _columns(lines[-1], 0, end, unit)
        if len(lines) == 1:
            yield _columns(lines[0], first - 1, end, unit)
        else:
            yield "\n".join([_columns(lines[0], first - 1, None, unit), *lines[1:-1], tail])


def _columns(line: str, start: int, end: int | None, unit: str) -> str:
    """The columns of a line from one on, up to another that is left out; a character cut in two is none."""
    width = _WIDTHS[unit]
    data = line.encode(unit, "surrogatepass")
    return data[start * width : None if end is None else end * width].decode(unit, "ignore")
