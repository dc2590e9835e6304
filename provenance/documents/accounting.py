r"""The table of a page in which it sums up parameters.

    Exact per-instance accounting
    Component           Calculation             Parameters
    Weight matrix       $512 \times 2{,}048$    1,048,576
    Per-instance total                          1,050,624

Tabs set its cells apart. Nothing is worked out here: numbers are taken as they stand, without their separators.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from provenance.citation import Term
from provenance.compare.arithmetic.evaluation import tidy
from provenance.errors import PageError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from provenance.documents.layout import Layout
    from provenance.errors import Position

_CAPTION = "Exact per-instance accounting"
_HEADER = ["Component", "Calculation", "Parameters"]
_COLUMNS = ", ".join(_HEADER)
_TOTAL = re.compile(r"(?:(?:per-[^\W\d_]+|grand|overall) )?total(?: parameters)?:?", re.IGNORECASE)
_SUM = re.compile(r"sum:?", re.IGNORECASE)
"""The same, where it has no calculation: a term may be one of a sum."""
_NO_TABS = re.compile(rf"(?:{_TOTAL.pattern}|{_SUM.pattern}) ?[-+$0-9\u2212]\S*", re.IGNORECASE)
"""The row of the total, whose tabs were lost."""
_NOT_THERE = frozenset({"-", "\u2010", "\u2012", "\u2013", "\u2014", "\u2212"})
"""What a cell without a calculation may show."""
_DECIMAL = re.compile(r"[-+\u2212]?[0-9]+(?:\.[0-9]+)?")
_LONGEST = 200
"""Characters of a number that a manifest takes."""
_MOST_ROWS = 1_000
_SHOWN = 60
"""Characters of a cell that an error shows."""


@dataclass(frozen=True, slots=True)
class Table:
    """A table of parameters."""

    terms: tuple[Term, ...]
    """Its rows, without that of the total."""
    total: str | None
    """As the row of the total has it; None where there is none."""
    statement: str | None
    """The equation in the row of the total, where that shows a calculation too."""
    at: Position
    """Its heading."""
    lines: range
    """The indices of its lines, heading and rows."""
    equations: tuple[str, ...] = ()
    """Those under Calculation whose result is not what stands under Parameters."""


def read_table(layout: Layout) -> Table | None:
    """The table of a page; None where its head has none.

    Raises:
        PageError: a row has a cell too few or too many, an empty one, or no number under Parameters; the total
            or a table stands twice; a table has no rows, or more than 1,000; a line behind it may be a row that
            lost its tabs.
    """
    tables = _tables(layout)
    table = next(tables, None)
    if table is not None and (second := next(tables, None)) is not None:
        message = f"a second table of parameters: that on line {table.at.line} counts, so this one cannot"
        raise PageError(second.at, message)
    return table


def decimal(text: str) -> str | None:
    """A number without its separators; None where the text is none, or a longer one than a manifest takes."""
    tidied = tidy(text)
    return tidied if len(tidied) <= _LONGEST and _DECIMAL.fullmatch(tidied) else None


def _tables(layout: Layout) -> Iterator[Table]:
    index = layout.title
    while index < layout.end:
        start = index
        if layout.lines[index] == _CAPTION:
            index = layout.next_line(index)
            if index >= layout.end or _cells(layout, index) != _HEADER:
                message = f"expected the columns {_COLUMNS}, with tabs between, under `{_CAPTION}`"
                raise PageError(layout.at(min(index, layout.end)), message)
        if _cells(layout, index) == _HEADER:
            yield (table := _table(layout, start, index + 1))
            index = table.lines.stop
        else:
            index += 1


def _table(layout: Layout, start: int, first: int) -> Table:
    terms: list[Term] = []
    totals: list[tuple[Term, Position]] = []
    equations: list[str] = []
    index = first
    while index < layout.end and (cells := _cells(layout, index)) is not None:
        at = layout.at(index)
        if index - first >= _MOST_ROWS:
            raise PageError(at, f"a table of parameters with more than {_MOST_ROWS:,} rows")
        term = _row(cells, at)
        if _TOTAL.fullmatch(term.name) or (not term.calculation and _SUM.fullmatch(term.name)):
            totals.append((term, at))
        elif term.calculation:
            term, other = _without_result(term)
            terms.append(term)
            equations += [] if other is None else [other]
        else:
            raise PageError(at, f"the row {_short(term.name)} has no Calculation")
        index += 1
    if index == first:
        raise PageError(layout.at(start), "a table of parameters without a row")
    if len(totals) > 1:
        message = f"the total stands twice: line {totals[0][1].line} has {totals[0][0].equals}"
        raise PageError(totals[1][1], message)
    _refuse_without_tabs(layout, index)
    _refuse_cut_off(layout, index)
    total = totals[0][0] if totals else None
    return Table(
        tuple(terms),
        None if total is None else total.equals,
        f"{total.calculation} = {total.equals}" if total is not None and total.calculation else None,
        layout.at(start),
        range(start, index),
        tuple(equations),
    )


def _cells(layout: Layout, index: int) -> list[str] | None:
    """The cells of a row; empty ones at its end, which a tab too many makes, are none."""
    cells = layout.cells(index)
    while cells is not None and len(cells) > len(_HEADER) and not cells[-1]:
        cells.pop()
    return cells


def _row(cells: list[str], at: Position) -> Term:
    """A row, whose calculation may be empty: the total's is."""
    if len(cells) != len(_HEADER):
        what = _short(cells[0]) if cells[0] else "without a name"
        raise PageError(at, f"the row {what} has {len(cells)} cells; expected {len(_HEADER)}: {_COLUMNS}")
    name, calculation, parameters = cells
    if not name:
        raise PageError(at, "a row without a Component")
    if not parameters:
        raise PageError(at, f"the row {_short(name)} has no Parameters")
    equals = decimal(parameters)
    if equals is None:
        message = f"{_short(parameters)} under Parameters is no number of at most {_LONGEST} digits"
        raise PageError(at, message)
    return Term(name, "" if calculation in _NOT_THERE else tidy(calculation), equals)


def _without_result(term: Term) -> tuple[Term, str | None]:
    """A term whose calculation is no equation, and that equation where its result is not the term's."""
    calculation, _, result = term.calculation.partition(" = ")
    if not result:
        return term, None
    return replace(term, calculation=calculation), None if result == term.equals else term.calculation


def _refuse_without_tabs(layout: Layout, index: int) -> None:
    """A row whose tabs were lost would be missing from its sum, and a total without them from the page.

    Args:
        layout: The page.
        index: That of the first line behind the rows.
    """
    if index < layout.end and layout.lines[index]:
        raise PageError(
            layout.at(index),
            "this line follows the rows of a table and has no tabs: set its cells apart, or put a blank line before it",
        )
    behind = layout.next_line(index - 1)
    if behind < layout.end and _NO_TABS.fullmatch(layout.lines[behind].strip()):
        message = (
            "this reads as the row of the total, and is cut off from its table: tabs set its cells apart"
        )
        raise PageError(layout.at(behind), message)


def _refuse_cut_off(layout: Layout, index: int) -> None:
    """A row that stands behind a blank line would be missing from its sum."""
    behind = layout.next_line(index - 1)
    cells = _cells(layout, behind) if behind < layout.end else None
    if cells is not None and len(cells) == len(_HEADER) and decimal(cells[-1]) is not None:
        raise PageError(layout.at(behind), "a blank line cuts this row off from its table")


def _short(text: str) -> str:
    return repr(text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…")
