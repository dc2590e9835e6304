"""What following some lines says of the citation that they are of: by its kind, and whether it still holds there."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from provenance.citation import Kind, LineRange
from provenance.compare.diff import unified
from provenance.comparing import compared
from provenance.drift.pinned import SAME, shown
from provenance.drift.valued import valued
from provenance.evidence import Verdict
from provenance.extract.lines import Text
from provenance.relocation import Relocation, Spot, Status

if TYPE_CHECKING:
    from provenance.drift.landing import Landing
    from provenance.drift.pinned import Pinned
    from provenance.evidence import Judgement
    from provenance.extract.syntax import Syntax

_RANK = {verdict: rank for rank, verdict in enumerate(Verdict)}
"""The best first."""
_BY_TEXT = frozenset({Verdict.EXACT, Verdict.UNQUOTED})
"""Verdicts on a quote that the same lines have wherever they stand."""


@dataclass(frozen=True, slots=True)
class Concluded:
    """What became of a citation."""

    relocation: Relocation
    diff: str = ""
    """`edited` only."""
    obstacle: str = ""
    """Why it does not hold where its lines are now, though they are the same; empty where it does."""


def concluded(pinned: Pinned, found: Relocation, landing: Landing) -> Concluded:
    """Read what became of a citation's lines as what became of the citation.

    Args:
        pinned: the citation.
        found: what became of its block.
        landing: where that is.
    """
    found = _through_link(pinned, honest(found), landing)
    if pinned.citation.kind is Kind.VALUE:
        found = valued(pinned, found, landing)
        return Concluded(_slim(found), _diff(pinned, found))
    diff = _diff(pinned, found)
    found = _anchored(pinned, found)
    if found.end is None or (found.status is not Status.EDITED and _holds_by_text(pinned)):
        return Concluded(_slim(found), diff)
    again = _judged_again(pinned, found.end, landing)
    is_worse = again is None or _RANK[again.verdict] > _RANK[pinned.verdict]
    if found.status is Status.EDITED:
        if again is not None and not is_worse and not _holds_by_text(pinned):
            still = f"the {shown(pinned.citation)} still holds there ({again.verdict})"
            found = replace(found, notes=(*found.notes, still))
        return Concluded(_explained(found, diff), diff)
    if not is_worse:
        return Concluded(_slim(found), diff)
    would = "could not be judged there" if again is None else f"would be {again.verdict} there"
    obstacle = f"the {shown(pinned.citation)} {would}, and is {pinned.verdict} now"
    return Concluded(_slim(replace(found, notes=(*found.notes, obstacle))), diff, obstacle)


def _explained(found: Relocation, diff: str) -> Relocation:
    """An edit that a diff does not show: it shows no white space that carries no meaning in a quote."""
    if diff or found.message or found.old_text is None or found.text is None or found.old_text == found.text:
        return found
    return replace(found, message="only white space differs, such as the indentation of all lines")


def honest(found: Relocation) -> Relocation:
    """The same, unless it claims that lines are the same whose text is not: these are `edited`."""
    if found.status not in SAME or found.text == found.old_text:
        return found
    return replace(found, status=Status.EDITED)


def _slim(found: Relocation) -> Relocation:
    """Without texts that nothing will be made of: there may be very many."""
    return found if found.status is Status.EDITED else replace(found, text=None, old_text=None)


def _holds_by_text(pinned: Pinned) -> bool:
    return pinned.citation.kind is not Kind.EXPRESSION and pinned.verdict in _BY_TEXT


def _through_link(pinned: Pinned, found: Relocation, landing: Landing) -> Relocation:
    """A file that is cited through a symbolic link is still cited through it, where the link stands as it was."""
    path, end = pinned.citation.path, found.end
    if path == pinned.stands_at or end is None:
        return found
    if end.path == pinned.stands_at and landing.leads(path):
        return replace(found, end=replace(end, path=path))
    note = f"{path} is a symbolic link, and the lines are told by the file that it led to"
    status = Status.RENAMED if found.status in SAME else found.status
    return replace(found, status=status, notes=(*found.notes, note))


def _anchored(pinned: Pinned, found: Relocation) -> Relocation:
    """The cited line instead of the block around it: as far from the block's beginning as it was."""
    cited, block = pinned.citation.lines, pinned.block
    if cited is None or cited == block:
        return found
    offset = cited.first - block.first

    def at(spot: Spot) -> Spot:
        if spot.lines is None:
            return spot
        line = min(spot.lines.first + offset, spot.lines.last)
        return replace(spot, lines=LineRange(line, line))

    end = None if found.end is None else at(found.end)
    return replace(found, end=end, candidates=tuple(map(at, found.candidates)))


def _judged_again(pinned: Pinned, end: Spot, landing: Landing) -> Judgement | None:
    """The verdict on the citation where it is now; None where there is no text."""
    text = landing.text(end.path)
    if not isinstance(text, Text):
        return None
    citation = replace(pinned.citation, path=end.path, lines=end.lines)
    return compared(citation, text, lambda: _syntax(text, end.path))


def _syntax(text: Text, path: str) -> Syntax | None:
    from provenance.extract.languages import language_of
    from provenance.extract.syntax import Syntax

    language = language_of(path)
    found = None if language is None else Syntax.of(text, language)
    return found if isinstance(found, Syntax) else None


def _diff(pinned: Pinned, found: Relocation) -> str:
    """From the lines at the pin to those they are now; empty where no more than white space is different."""
    end = found.end
    if found.status is not Status.EDITED or end is None or end.lines is None:
        return ""
    if found.text is None or found.old_text is None:
        return ""
    diff = unified(found.old_text.split("\n"), found.text.split("\n"), end.lines, path=end.path)
    _, _, rest = diff.partition("\n")
    return f"--- {pinned.citation.path}:{pinned.block}\n{rest}" if rest else ""
