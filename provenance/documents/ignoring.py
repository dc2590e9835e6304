"""Comments that say of citations that what is wrong with them is known: `prov: ignore changed until 2027-06-30: why`.

A comment that stands on a line with something else speaks of that line. One that has its lines for itself speaks of
what begins next beside it, in the same list item, quotation or the like; within a paragraph, of that paragraph.
Readers tell `Scopes` where elements begin and end, and what comments there are.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date
from typing import TYPE_CHECKING

from provenance.citation import Expectation
from provenance.document import Ignore
from provenance.evidence import Verdict

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from provenance.document import Where

_MARK = re.compile(r"\s*prov:\s*ignore(?![\w-])")
_UNTIL = re.compile(r"(?:(?P<verdict>[^\s:]+)\s+)?until(?:\s+(?P<date>[^\s:]+):?(?:\s+(?P<because>.*))?)?:?")
_VERDICT = re.compile(r"(?P<verdict>[^\s:]+):(?:\s+(?P<because>.*))?")
_DATE = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_VERDICTS = frozenset(set(Verdict) - {Verdict.UNAVAILABLE, Verdict.HOLDS, Verdict.BROKEN})
"""What a citation can be found to be; of what is unavailable nothing is known that could be ignored."""
_LONGEST = 500
"""Characters of a reason: it is kept with each citation that the comment covers."""
_NO_REASON = (
    "there is no reason: expected `prov: ignore REASON`, or `prov: ignore VERDICT until DATE: REASON`"
)


def ignored(comment: str) -> str | None:
    """What a comment says behind `prov: ignore`, on one line; None where it is another comment."""
    mark = _MARK.match(comment)
    if mark is None:
        return None
    said = " ".join(comment[mark.end() :].split()).replace("\0", "\ufffd")
    return said.encode("utf-8", "replace").decode("utf-8")


def ignored_lines(lines: Sequence[str]) -> dict[int, str]:
    """The lines of a text that are nothing but such a comment, from 0, and what they say.

    A comment is written there as it is, or as Markdown or reStructuredText has it.
    """
    found: dict[int, str] = {}
    for at, line in enumerate(lines):
        if "prov:" in line:
            bare = line.strip()
            bare = bare.removeprefix("..")
            if bare.startswith("<!--"):
                bare = bare.removeprefix("<!--").removesuffix("-->")
            said = ignored(bare)
            if said is not None:
                found[at] = said
    return found


def meaning(said: str) -> Expectation | str:
    """What is to be ignored, or why that is not understood.

    A verdict or a date comes before the reason, with a colon behind it; behind a date it may be left out.

    Args:
        said: what `ignored` gives.
    """
    verdict = until = None
    because = said
    found = _UNTIL.fullmatch(said) or _VERDICT.fullmatch(said)
    if found is not None:
        parts = found.groupdict()
        verdict, until, because = parts["verdict"], parts.get("date"), parts["because"] or ""
        fault = _fault(verdict, until, has_date="date" in parts)
        if fault is not None:
            return fault
    elif said.partition(" ")[0] in _VERDICTS:
        word = said.partition(" ")[0]
        if word != said:
            return f"put a colon behind the verdict: `prov: ignore {word}: REASON`"
        because = ""
    if not because:
        return _NO_REASON
    short = because if len(because) <= _LONGEST else f"{because[: _LONGEST - 1]}…"
    return Expectation(verdict, short, None if until is None else date.fromisoformat(until))


def _fault(verdict: str | None, until: str | None, *, has_date: bool) -> str | None:
    if verdict is not None and verdict not in _VERDICTS:
        known = ", ".join(each for each in Verdict if each in _VERDICTS)
        return f"{verdict[:_LONGEST]} is no verdict that can be ignored; known are {known}"
    if not has_date:
        return None
    try:
        day = date.fromisoformat(until) if until is not None and _DATE.fullmatch(until) else None
    except ValueError:
        day = None
    if day is None:
        return f"{(until or 'nothing')[:_LONGEST]} is no day: expected a date such as 2027-06-30 behind until"
    return None


@dataclass(slots=True)
class _Pending:
    """A comment of which it may not be known yet what it speaks of."""

    where: Where
    text: str
    depth: int
    first: int = 0
    behind: int = 0


class Scopes:
    """What comments speak of that have their lines for themselves."""

    def __init__(self, order: Callable[[], int]) -> None:
        """Begin with a document.

        Args:
            order: the order that the next element will have.
        """
        self._order = order
        self._all: list[_Pending] = []
        self._waiting: list[_Pending] = []
        self._open: list[tuple[int, list[_Pending]]] = []
        """The elements that are open: their first order, and the comments that speak of them."""

    def note(self, where: Where, text: str, depth: int = 0) -> None:
        """A comment, and how many containers are open around it."""
        pending = _Pending(where, text, depth)
        self._all.append(pending)
        self._waiting.append(pending)

    def note_within(self, where: Where, text: str) -> None:
        """A comment in the middle of a paragraph, which is the element that was opened last."""
        first, comments = self._open[-1]
        pending = _Pending(where, text, 0, first)
        self._all.append(pending)
        comments.append(pending)

    def begin(self) -> None:
        """Something begins that a comment can speak of."""
        first = self._order()
        for pending in self._waiting:
            pending.first = first
        self._open.append((first, self._waiting))
        self._waiting = []

    def end(self) -> None:
        """What began last ends."""
        _, comments = self._open.pop()
        for pending in comments:
            pending.behind = self._order()

    def close(self, depth: int) -> None:
        """Only so many containers are open now: nothing comes next to the comments that stood further in."""
        while (
            self._waiting and self._waiting[-1].depth > depth
        ):  # none stands further in than those behind it
            self._waiting.pop()

    def ignores(self) -> Iterator[Ignore]:
        """All of them, in their order, once the document has been read."""
        for pending in self._all:
            covers = (pending.first, pending.behind) if pending.behind > pending.first else None
            yield Ignore(pending.where, pending.text, covers)
