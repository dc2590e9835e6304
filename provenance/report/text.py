"""Evidence -> a table that a person can read: worst first, and on the last line how many could be checked."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from provenance.evidence import Assurance, Evidence, Level
from provenance.report.ansi import LEVEL_STYLES, Paint, Style
from provenance.report.finding import advises, details, sighted_at, stands_in, where, wrapped
from provenance.report.inert import in_line, no_commands

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from provenance.evidence import Finding, Summary, Unread

WORST_FIRST = {
    level: rank for rank, level in enumerate((Level.FAILURE, Level.UNAVAILABLE, Level.WARNING, Level.OK))
}
"""The worst first; what could not be judged comes after what was judged wrong, as in exit codes."""

_BY = {Assurance.COMMIT: "by commit", Assurance.LOCKED: "by lock", Assurance.ARTIFACT: "by artifact"}

_GAP = "  "
_INDENT = " " * 4

SHORTEST_PLACE = 24
"""Characters that a place is given at the least, however narrow the terminal is."""


class _Row(NamedTuple):
    """The cells of one result."""

    level: str
    verdict: str
    id: str
    place: str
    assurance: str


def render(
    summary: Summary,
    listed: Sequence[Finding],
    *,
    hidden: int,
    width: int,
    colour: bool,
    unread: Sequence[Unread] = (),
) -> str:
    """The report.

    Args:
        summary: the counts of all results.
        listed: the results to show, in any order.
        hidden: how many results are not among them.
        width: of the terminal, in characters; paths are shortened where it is too narrow.
        colour: whether to use colour.
        unread: what looks like a citation and is not understood.
    """
    paint = Paint(colour=colour)
    lines = [*_table(sorted(listed, key=lambda item: WORST_FIRST[item.level]), width, paint)]
    if hidden:
        lines.append(paint(f"{counted(hidden, 'citation')} not listed here", Style.DIM))
    lines.extend(_not_understood(unread, width, paint))
    if lines:
        lines.append("")
    left = f" · {len(unread):,} not understood" if unread else ""
    lines.append(paint(conclusion(summary) + left, Style.BOLD))
    return no_commands("\n".join(lines)) + "\n"


def _not_understood(unread: Sequence[Unread], width: int, paint: Paint) -> Iterator[str]:
    """Links that could not be made results of, each with its place in the document and the reason."""
    for item in unread:
        yield f"{paint('not understood', Style.YELLOW)}  {sighted_at(item.sighted)}"
        yield from wrapped(f"{item.sighted.cited}: {item.message}", indent=_INDENT, width=width)


def conclusion(summary: Summary) -> str:
    """The last line: how many could be checked, what came out, and how sure it is."""
    counts = (
        (summary.ok, f"{summary.ok:,} ok"),
        (summary.warning, counted(summary.warning, "warning")),
        (summary.failure, counted(summary.failure, "failure")),
        (summary.unavailable, f"{summary.unavailable:,} unavailable"),
    )
    outcome = ", ".join(text for count, text in counts if count) or "nothing to check"
    proven = ", ".join(
        f"{summary.assurance[how]:,} {by}" for how, by in _BY.items() if summary.assurance.get(how)
    )
    checked = f"{summary.total - summary.unavailable:,} of {_all(summary)}: {outcome}"
    return f"{checked} · proven: {proven}" if proven else checked


def _all(summary: Summary) -> str:
    """What there was to check."""
    citations = summary.total - summary.statements
    if not summary.statements:
        return f"{counted(citations, 'citation')} checked"
    return (
        f"{summary.total:,} checked ({counted(citations, 'citation')},"
        f" {counted(summary.statements, 'statement')})"
    )


def _table(results: Sequence[Finding], width: int, paint: Paint) -> Iterator[str]:
    rows = [_row(result) for result in results]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    if rows:
        spare = width - (sum(widths) - widths[3]) - len(_GAP) * (len(widths) - 1)
        widths[3] = min(widths[3], max(spare, SHORTEST_PLACE))
    told: set[str] = set()
    for result, row in zip(results, rows, strict=True):
        cells = [fitted(cell, length) for cell, length in zip(row, widths, strict=True)]
        cells[0] = paint(cells[0], LEVEL_STYLES[result.level])
        yield _GAP.join(cells).rstrip()
        if result.level is not Level.OK or advises(result):
            yield _INDENT + paint(stands_in(result), Style.DIM)
        if result.level is not Level.OK or result.expect is not None or advises(result):
            yield from details(result, indent=_INDENT, width=width, paint=paint, told=told)


def _row(finding: Finding) -> _Row:
    assurance = finding.assurance if isinstance(finding, Evidence) else None
    return _Row(
        finding.level, finding.judgement.verdict, in_line(finding.id), where(finding), assurance or ""
    )


def fitted(cell: str, length: int) -> str:
    """A cell as wide as its column: the end of a path says more than its beginning."""
    return cell.ljust(length) if len(cell) <= length else f"…{cell[len(cell) - length + 1 :]}"


def counted(number: int, word: str) -> str:
    """A number of things, such as `1 citation` and `1,200 citations`."""
    return f"{number:,} {word}" if number == 1 else f"{number:,} {word}s"
