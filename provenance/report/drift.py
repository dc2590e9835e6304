"""Drift -> text that a person can read: worst first, a line for all that went one way, the rest one by one."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from provenance.compare.patterns import Case, patterns
from provenance.evidence import Level, Summary
from provenance.relocation import Confidence, Status
from provenance.report.blocks import BLANK, LEVEL_STYLES, Column, Prose, Row, Span, Style, Table, line
from provenance.report.drift_sentences import (
    alone,
    commit,
    conclusion,
    edits,
    labels,
    message,
    notes,
    sentence,
    similar,
    spot,
    way,
)
from provenance.report.finding import diff_lines, indented, stands_in
from provenance.report.inert import in_line
from provenance.report.screen import printed
from provenance.report.text import WORST_FIRST

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from provenance.compare.patterns import Pattern
    from provenance.evidence import Assurance
    from provenance.relocation import Drift
    from provenance.report.blocks import Block
    from provenance.report.screen import Screen

_GAP = 2
_INDENT = 4
_COLUMNS = (Column("", 16), Column("", 24), Column("", 16))
_WAY = 1
"""The column that tells from where to where."""
_ROWS = {Level.FAILURE: 10, Level.UNAVAILABLE: 3, Level.WARNING: 10, Level.OK: 0}
"""Citations of a pattern that are listed below it."""
_EDITS_APART = 5
"""Edited citations up to which each is told by itself, with its diff."""
_EDITED_ROWS = 30
"""Citations that are listed below all patterns of edited ones."""
_INLINE = 3
"""Citations of a pattern up to which their ids stand on its line."""
_REMARKS = 3
"""Messages and notes of a pattern that are shown."""
_CANDIDATES = 5
"""Places of an ambiguous citation that are shown."""


@dataclass(slots=True)
class _Told:
    """What stands above already."""

    notes: set[str] = field(default_factory=set)
    edited: int = 0
    """Rows of edited citations."""


@dataclass(frozen=True, slots=True)
class _Sheet:
    """How a report is written."""

    everything: bool
    """Whether every citation is listed."""
    levels: int
    """Characters of the column of levels."""
    named: bool
    """Whether sources have to be told apart."""
    edits_apart: bool
    """Whether edited citations are told one by one."""
    told: _Told = field(default_factory=_Told)


@dataclass(frozen=True, slots=True)
class _Named:
    """A result and what its source is called."""

    drift: Drift
    source: str


def summary_of(drifts: Iterable[Drift]) -> Summary:
    """Count the levels of results, and how their pins were proven."""
    levels: Counter[Level] = Counter()
    assurance: Counter[Assurance] = Counter()
    for drift in drifts:
        levels[drift.level] += 1
        if drift.assurance is not None and drift.level is not Level.UNAVAILABLE:
            assurance[drift.assurance] += 1
    return Summary(
        levels.total(),
        levels[Level.OK],
        levels[Level.WARNING],
        levels[Level.FAILURE],
        levels[Level.UNAVAILABLE],
        dict(assurance),
    )


def render(summary: Summary, drifts: Sequence[Drift], *, everything: bool, screen: Screen) -> str:
    """The report.

    Args:
        summary: the counts of all results.
        drifts: all results, in the order of the manifests.
        everything: whether to list each citation, also of those that went one way, and show each diff.
        screen: where it is read.
    """
    names = labels(drifts)
    items = [_Named(drift, name) for drift, name in zip(drifts, names, strict=True)]
    levels = sorted({drift.level for drift in drifts}, key=WORST_FIRST.__getitem__)
    edited = [drift for drift in drifts if drift.status is Status.EDITED]
    apart = everything or len(edited) <= _EDITS_APART
    column = max(map(len, levels), default=0)
    sheet = _Sheet(everything, column, len(set(names)) > 1, apart)
    blocks: list[Block] = []
    for level in levels:
        chosen = [item for item in items if item.drift.level is level]
        for pattern in patterns([_case(item) for item in chosen], edits_apart=apart):
            blocks += _pattern(pattern, [chosen[at] for at in pattern.members], sheet)
    if not apart and any(drift.diff for drift in edited):
        blocks.append(_dim("-v shows the differences", indent=0))
    if blocks:
        blocks.append(BLANK)
    blocks.append(line(conclusion(summary, drifts, names, everything=everything), Style.BOLD))
    return printed(blocks, screen)


def _case(item: _Named) -> Case:
    start, found = item.drift.start, item.drift.relocation
    reason = found.commit or "" if found.status in {Status.EDITED, Status.DELETED} else ""
    return Case(
        item.source,
        found.status,
        start.path,
        start.lines,
        None if found.end is None else found.end.path,
        None if found.end is None else found.end.lines,
        found.confidence,
        found.message if found.status is Status.UNAVAILABLE else reason,
    )


def _pattern(pattern: Pattern, items: Sequence[_Named], sheet: _Sheet) -> Iterator[Block]:
    """A pattern's line, and what stands below it."""
    drifts = [item.drift for item in items]
    is_alone = pattern.status is Status.AMBIGUOUS or (pattern.status is Status.EDITED and sheet.edits_apart)
    if is_alone:
        yield _head(alone(pattern, drifts[0], named=sheet.named), drifts[0].level, sheet)
        made = ", ".join(filter(None, (commit(drifts[0]), edits(drifts[0]))))
        yield _dim(" · ".join(filter(None, (stands_in(drifts[0]), made))))
    else:
        yield from _together(pattern, items, sheet)
    if sheet.everything or drifts[0].level is not Level.OK or pattern.confidence is Confidence.LOW:
        yield from _remarks(drifts, sheet, pattern.reason)
    if is_alone:
        yield from _candidates(drifts[0], sheet)
        yield from diff_lines(drifts[0].diff, indent=_INDENT + 2)


def _together(pattern: Pattern, items: Sequence[_Named], sheet: _Sheet) -> Iterator[Block]:
    """The line of a pattern, and the citations that it is of."""
    drifts = [item.drift for item in items]
    level, is_edited = drifts[0].level, pattern.status is Status.EDITED
    rows = _ROWS[Level.WARNING] if is_edited else len(items) if sheet.everything else _ROWS[level]
    said = sentence(pattern, drifts, named=sheet.named)
    if not rows and len(items) <= _INLINE:
        said = f"{said}: {', '.join(in_line(drift.id) for drift in drifts)}"
    yield _head(said, level, sheet)
    if is_edited:
        rows = min(rows, _EDITED_ROWS - sheet.told.edited)
        sheet.told.edited += min(rows, len(items))
    if rows or is_edited:
        yield from _rows(items, rows, pattern)


def _head(said: str, level: Level, sheet: _Sheet) -> Prose:
    """The level, and what is said of it."""
    return Prose(said, indent=sheet.levels + _GAP, lead=Span(level, LEVEL_STYLES[level]))


def _rows(items: Sequence[_Named], most: int, pattern: Pattern) -> Iterator[Block]:
    """The citations of a pattern: id, from where to where, and what else there is to say."""
    rows = tuple(Row(tuple(map(Span, _row(item, pattern)))) for item in items[:most])
    yield Table(_COLUMNS, rows, _WAY, _INDENT)
    if len(items) > most:
        yield _dim(f"… and {len(items) - most:,} more: -v lists them")


def _row(item: _Named, pattern: Pattern) -> tuple[str, str, str]:
    """The last cell tells how far edited lines are the same, and of others where the manifest states them."""
    drift = item.drift
    source = in_line(f" ({item.source})") if len(pattern.sources) > 1 else ""
    last = stands_in(drift)
    if pattern.status is Status.EDITED:
        made = "" if pattern.reason else commit(drift, brief=True)
        last = ", ".join(filter(None, (similar(drift), edits(drift), made)))
    return in_line(drift.id), f"{way(drift)}{source}", last


def _remarks(drifts: Sequence[Drift], sheet: _Sheet, reason: str) -> Iterator[Block]:
    """Messages but for the one that is told as the reason, and notes that do not stand above already."""
    messages = dict.fromkeys(message(drift) for drift in drifts)
    noted = {f"note: {note}": None for drift in drifts for note in notes(drift)}
    found = [
        *(said for said in messages if said and said != reason),
        *(note for note in noted if note not in sheet.told.notes),
    ]
    most = len(found) if sheet.everything else _REMARKS
    for remark in found[:most]:
        yield _dim(remark)
    if len(found) > most:
        yield _dim(f"… {len(found) - most:,} more remarks with -v")
    sheet.told.notes.update(noted)


def _candidates(drift: Drift, sheet: _Sheet) -> Iterator[Block]:
    """The places of which none is taken."""
    places = [spot(drift, candidate) for candidate in drift.relocation.candidates]
    most = len(places) if sheet.everything else _CANDIDATES
    yield from (indented(f"candidate: {place}", _INDENT) for place in places[:most])
    if len(places) > most:
        yield _dim(f"… {len(places) - most:,} more candidates with -v")


def _dim(text: str, indent: int = _INDENT) -> Prose:
    return Prose(text, Style.DIM, indent)
