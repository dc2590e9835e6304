"""What stands below one result, for people: its message, what to do, its notes and its diff."""

from __future__ import annotations

from typing import TYPE_CHECKING, assert_never

from provenance.citation import Kind
from provenance.evidence import DEFAULT_LEVELS, Evidence, Level, Statement
from provenance.report.blocks import Line, Prose, Span, Style
from provenance.report.inert import in_line, visible

if TYPE_CHECKING:
    from collections.abc import Iterator

    from provenance.citation import ExpectedValue, LineRange
    from provenance.evidence import Finding, Sighted
    from provenance.relocation import Drift
    from provenance.report.blocks import Block

_DIFF_LINES = 40
"""Lines of a diff that are shown."""
_DIFF_STYLES = {"+": Style.GREEN, "-": Style.RED, "@": Style.CYAN}
"""By a line's first character."""


def details(finding: Finding, *, indent: int, told: set[str] | None = None) -> Iterator[Block]:
    """What stands below a result; a citation that holds has its notes alone.

    Args:
        finding: the result.
        indent: characters that each line begins with.
        told: notes that stand above already and are not repeated, unless they may be why it has its level; it grows
            by those of this result.
    """
    told = set() if told is None else told
    judgement = finding.judgement
    if finding.level is not Level.OK or advises(finding):
        yield Prose(judgement.message, indent=indent)
        suggestion = judgement.suggestion
        if suggestion is not None and suggestion != _cited(finding):
            word = "line" if len(suggestion) == 1 else "lines"
            yield indented(f"suggestion: {word} {suggestion}", indent, Style.BOLD)
    # A verdict that is ok becomes a warning for what a note says, such as that the link names a branch; one that is
    # not ok becomes one for what is expected.
    is_noted = finding.level is Level.WARNING and DEFAULT_LEVELS[judgement.verdict] is Level.OK
    is_noted = is_noted or finding.expect is not None
    for note in (*finding.notes, *_advice(finding)):
        if note in told and not is_noted:
            continue
        told.add(note)
        yield Prose(f"note: {note}", Style.DIM, indent)
    yield from diff_lines(judgement.diff, indent=indent + 2)


def indented(text: str, indent: int, style: Style | None = None) -> Line:
    """A line that begins with white space."""
    return Line((Span(" " * indent), Span(text, style)))


def diff_lines(diff: str, *, indent: int) -> Iterator[Line]:
    """A unified diff as far as a person reads it; nothing where it is empty."""
    if not diff:
        return
    # Split at LF alone: whatever else looks like a line's end stands in the code, and is made visible.
    lines = diff.removesuffix("\n").split("\n")
    for each in lines[:_DIFF_LINES]:
        yield Line((Span(" " * indent), Span(visible(each), _DIFF_STYLES.get(each[:1]))), code=True)
    if len(lines) > _DIFF_LINES:
        more = f"… {len(lines) - _DIFF_LINES} more lines of the diff are in --format json"
        yield indented(more, indent, Style.DIM)


def advises(finding: Finding) -> bool:
    """Whether a result that holds has something that its author should read: the claim, or a value's lines."""
    if not isinstance(finding, Evidence):
        return False
    is_elsewhere = finding.kind is Kind.VALUE and finding.judgement.suggestion is not None
    return bool(finding.ungrounded) or is_elsewhere


def _cited(finding: Finding) -> LineRange | None:
    return finding.citation.lines if isinstance(finding, Evidence) else None


def _advice(finding: Finding) -> Iterator[str]:
    """What the claim names, and the cited lines do not hold."""
    if isinstance(finding, Evidence) and finding.ungrounded:
        names = ", ".join(finding.ungrounded)
        yield f"the claim names {names}; the cited lines do not"


def where(finding: Finding) -> str:
    """What a result is about, on one line: a cited place, or what is stated."""
    match finding:
        case Evidence(citation=citation):
            return place(citation.path, citation.lines, citation.value)
        case Statement(shown=shown):
            return in_line(shown)
        case _:
            assert_never(finding)


def place(path: str, lines: LineRange | None, value: ExpectedValue | None = None) -> str:
    """Lines of a file, or an entry of one, on one line."""
    span = "" if lines is None else f":{lines}"
    pointer = "" if value is None else f"#{value.pointer}"
    return in_line(f"{path}{span}{pointer}")


def sighted_at(sighted: Sighted) -> str:
    """A place in a document, such as `docs/a.md:12`, or `a.ipynb:cell 3:2`."""
    cell = "" if sighted.cell is None else f"cell {sighted.cell}:"
    return in_line(f"{sighted.path}:{cell}{sighted.line}")


def stands_in(finding: Finding | Drift) -> str:
    """Where a result is stated: manifest, and the line where that is known."""
    sighted = finding.sighted if isinstance(finding, Evidence) else None
    if sighted is not None:
        return sighted_at(sighted)
    position = finding.position
    return in_line(finding.manifest if position is None else f"{finding.manifest}:{position.line}")
