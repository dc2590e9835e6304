"""What a document states beside its citations, for a reviewer: the sum as it was read, and how it holds."""

from __future__ import annotations

from typing import TYPE_CHECKING

from provenance.citation import Quantity
from provenance.report.blocks import LEVEL_STYLES, Line, Span, Style
from provenance.report.finding import details, indented, stands_in, where
from provenance.report.inert import in_line
from provenance.report.json import line, result
from provenance.report.screen import printed

if TYPE_CHECKING:
    from collections.abc import Iterator

    from provenance.evidence import Statement
    from provenance.report.blocks import Block
    from provenance.report.screen import Screen

_INDENT = 2
_GAP = " " * 3


def render_statement(statement: Statement, *, screen: Screen) -> str:
    """The statement as text.

    Args:
        statement: what to show.
        screen: where it is read.
    """
    verdict = f"{statement.judgement.verdict} ({statement.level})"
    head = (
        Span(in_line(statement.id), Style.BOLD),
        Span("  "),
        Span(verdict, LEVEL_STYLES[statement.level]),
        Span(f"  {stands_in(statement)}"),
    )
    blocks: list[Block] = [Line(head)]
    if isinstance(statement.about, Quantity):
        blocks += _sum(statement.about)
    else:
        blocks.append(indented(where(statement), _INDENT))
    blocks += details(statement, indent=_INDENT)
    return printed(blocks, screen)


def _sum(quantity: Quantity) -> Iterator[Line]:
    """The terms and what they come to, in columns, as the manifest writes them; then what is stated beside them."""
    rows = [(term.name, term.calculation, term.equals) for term in quantity.terms]
    if quantity.total is not None:
        rows.append(("total", "", quantity.total))
    if quantity.repeated is not None or quantity.overall is not None:
        rows.append(("overall", f"× {quantity.repeated or '?'}", quantity.overall or "?"))
    cells = [[in_line(cell) for cell in row] for row in rows]
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    for name, calculation, equals in cells:
        row = (name.ljust(widths[0]), calculation.rjust(widths[1]), equals.rjust(widths[2]))
        yield indented(_GAP.join(row), _INDENT)
    yield from (indented(f"also stated: {in_line(text)}", _INDENT) for text in quantity.statements)
    yield from (indented(f"shape: {in_line(text)}", _INDENT) for text in quantity.shapes)


def as_json(statement: Statement) -> str:
    """The statement as one line of JSON, with its end: the result that `prov verify` gives, and what was read."""
    about = statement.about
    read: dict[str, object] = {"stated": statement.shown}
    if isinstance(about, Quantity):
        read |= {
            "terms": [
                {"name": term.name, "calculation": term.calculation, "equals": term.equals}
                for term in about.terms
            ],
            "total": about.total,
            "repeated": about.repeated,
            "overall": about.overall,
            "statements": about.statements,
            "shapes": about.shapes,
        }
    return line({"schema": "prov/show/1", **result(statement), **read}) + "\n"
