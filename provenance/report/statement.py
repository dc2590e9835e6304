"""What a document states beside its citations, for a reviewer: the sum as it was read, and how it holds."""

from __future__ import annotations

from typing import TYPE_CHECKING

from provenance.citation import Quantity
from provenance.report.ansi import LEVEL_STYLES, Paint, Style
from provenance.report.finding import details, stands_in, where
from provenance.report.inert import in_line, no_commands
from provenance.report.json import line, result

if TYPE_CHECKING:
    from collections.abc import Iterator

    from provenance.evidence import Statement

_INDENT = " " * 2
_GAP = " " * 3


def render_statement(statement: Statement, *, width: int, colour: bool) -> str:
    """The statement as text.

    Args:
        statement: what to show.
        width: of the terminal, in characters; a sum is never wrapped.
        colour: whether to use colour.
    """
    paint = Paint(colour=colour)
    verdict = paint(f"{statement.judgement.verdict} ({statement.level})", LEVEL_STYLES[statement.level])
    lines = [f"{paint(in_line(statement.id), Style.BOLD)}  {verdict}  {stands_in(statement)}"]
    if isinstance(statement.about, Quantity):
        lines += _sum(statement.about)
    else:
        lines.append(f"{_INDENT}{where(statement)}")
    lines += details(statement, indent=_INDENT, width=width, paint=paint)
    return no_commands("\n".join(lines)) + "\n"


def _sum(quantity: Quantity) -> Iterator[str]:
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
        yield f"{_INDENT}{_GAP.join(row)}"
    yield from (f"{_INDENT}also stated: {in_line(text)}" for text in quantity.statements)
    yield from (f"{_INDENT}shape: {in_line(text)}" for text in quantity.shapes)


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
