"""What stands below one result, for people: its message, what to do, its notes and its diff."""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING

from provenance.evidence import Level
from provenance.report.ansi import Style
from provenance.report.inert import in_line, visible

if TYPE_CHECKING:
    from collections.abc import Iterator

    from provenance.evidence import Evidence
    from provenance.report.ansi import Paint

_DIFF_LINES = 40
"""Lines of a diff that are shown."""

_NARROWEST = 20
"""Characters that a message is given at the least, however narrow the terminal is."""


def details(
    evidence: Evidence, *, indent: str, width: int, paint: Paint, told: set[str] | None = None
) -> Iterator[str]:
    """The lines below a result; a citation that holds has its notes alone.

    Args:
        evidence: the result.
        indent: what each line begins with.
        width: of the terminal, in characters.
        paint: whether and how colour is used.
        told: notes that stand above already and are not repeated; it grows by those of this result.
    """
    told = set() if told is None else told
    judgement = evidence.judgement
    if evidence.level is not Level.OK:
        yield from wrapped(judgement.message, indent=indent, width=width)
        suggestion = judgement.suggestion
        if suggestion is not None and suggestion != evidence.citation.lines:
            word = "line" if len(suggestion) == 1 else "lines"
            yield f"{indent}{paint(f'suggestion: {word} {suggestion}', Style.BOLD)}"
    for note in evidence.notes:
        if note in told:
            continue
        told.add(note)
        for line in wrapped(f"note: {note}", indent=indent, width=width):
            yield paint(line, Style.DIM)
    if judgement.diff:
        # Split at LF alone: whatever else looks like a line's end stands in the code, and is made visible.
        lines = judgement.diff.removesuffix("\n").split("\n")
        for line in lines[:_DIFF_LINES]:
            yield f"{indent}  {paint.diff(visible(line))}"
        if len(lines) > _DIFF_LINES:
            more = f"… {len(lines) - _DIFF_LINES} more lines of the diff are in --format json"
            yield f"{indent}  {paint(more, Style.DIM)}"


def wrapped(text: str, *, indent: str, width: int) -> list[str]:
    """A sentence on as many lines as it takes; a long word, such as a path, stays whole."""
    return textwrap.wrap(
        in_line(text),
        max(width, len(indent) + _NARROWEST),
        initial_indent=indent,
        subsequent_indent=indent,
        break_long_words=False,
        break_on_hyphens=False,
    )


def stands_in(evidence: Evidence) -> str:
    """Where a citation is stated: manifest, and the line where that is known."""
    position = evidence.citation.position
    return in_line(evidence.manifest if position is None else f"{evidence.manifest}:{position.line}")
