"""Evidence -> a table that a person can read: worst first, and on the last line how many could be checked."""

from __future__ import annotations

from typing import TYPE_CHECKING

from provenance.evidence import Assurance, Evidence, Level
from provenance.report.blocks import BLANK, LEVEL_STYLES, Column, Line, Prose, Row, Span, Style, Table, line
from provenance.report.finding import advises, details, indented, sighted_at, stands_in, where
from provenance.report.inert import in_line
from provenance.report.screen import printed

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from provenance.evidence import Finding, Summary, Unread
    from provenance.report.blocks import Block
    from provenance.report.screen import Screen

WORST_FIRST = {
    level: rank for rank, level in enumerate((Level.FAILURE, Level.UNAVAILABLE, Level.WARNING, Level.OK))
}
"""The worst first; what could not be judged comes after what was judged wrong, as in exit codes."""

_BY = {Assurance.COMMIT: "by commit", Assurance.LOCKED: "by lock", Assurance.ARTIFACT: "by artifact"}

_INDENT = 4

_COLUMNS = (Column("level"), Column("verdict"), Column("id", 16), Column("place", 24), Column("proven"))
_PLACE = 3
"""The column of places."""


def render(
    summary: Summary,
    listed: Sequence[Finding],
    *,
    hidden: int,
    screen: Screen,
    unread: Sequence[Unread] = (),
) -> str:
    """The report.

    Args:
        summary: the counts of all results.
        listed: the results to show, in any order.
        hidden: how many results are not among them.
        screen: where it is read.
        unread: what looks like a citation and is not understood.
    """
    ranked = sorted(listed, key=lambda item: WORST_FIRST[item.level])
    blocks: list[Block] = [_table(ranked)] if ranked else []
    if hidden:
        blocks.append(line(f"{counted(hidden, 'citation')} not listed here", Style.DIM))
    blocks.extend(_not_understood(unread))
    if blocks:
        blocks.append(BLANK)
    left = f" · {len(unread):,} not understood" if unread else ""
    blocks.append(line(conclusion(summary) + left, Style.BOLD))
    return printed(blocks, screen)


def _not_understood(unread: Sequence[Unread]) -> Iterator[Block]:
    """Links that could not be made results of, each with its place in the document and the reason."""
    for item in unread:
        yield Line((Span("not understood", Style.YELLOW), Span(f"  {sighted_at(item.sighted)}")))
        yield Prose(f"{item.sighted.cited}: {item.message}", indent=_INDENT)


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


def _table(results: Sequence[Finding]) -> Table:
    return Table(_COLUMNS, _Rows(results), _PLACE)


class _Rows:
    """Results as rows, each made when it is printed: all of them take many times the memory of the text."""

    def __init__(self, results: Sequence[Finding]) -> None:
        self._results = results

    def __len__(self) -> int:
        return len(self._results)

    def __iter__(self) -> Iterator[Row]:
        told: set[str] = set()
        return (Row(_cells(result), _below(result, told)) for result in self._results)


def _cells(finding: Finding) -> tuple[Span, ...]:
    evidence = finding if isinstance(finding, Evidence) else None
    return (
        Span(finding.level, LEVEL_STYLES[finding.level]),
        Span(finding.judgement.verdict),
        Span(in_line(finding.id)),
        Span(where(finding), link=None if evidence is None else evidence.permalink),
        Span((evidence.assurance or "") if evidence is not None else ""),
    )


def _below(finding: Finding, told: set[str]) -> Iterator[Block]:
    """What stands below a result that a person has to read of."""
    if finding.level is not Level.OK or finding.expect is not None or advises(finding):
        yield indented(stands_in(finding), _INDENT, Style.DIM)
        yield from details(finding, indent=_INDENT, told=told)


def counted(number: int, word: str) -> str:
    """A number of things, such as `1 citation` and `1,200 citations`."""
    return f"{number:,} {word}" if number == 1 else f"{number:,} {word}s"
