"""Which of a document's citations its comments ignore, and what its elements look like without those comments."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from dataclasses import replace
from itertools import accumulate
from typing import TYPE_CHECKING, TypeVar

from provenance.citation import Expectation
from provenance.document import Block, Mention, Sheet
from provenance.documents.ignoring import meaning
from provenance.evidence import Sighted, Unread

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from provenance.document import Ignore, Where

_Placed = TypeVar("_Placed", Block, Mention)
_SHOWN = 80
"""Characters of a comment that a report repeats."""


class Ignoring:
    """The comments of a document that ignore citations.

    For each citation one counts: one on a line of its link, else the innermost whose element holds the link, of several
    the last. Where there is none, the same is asked of the block that is its quote.
    """

    def __init__(self, ignores: Sequence[Ignore]) -> None:
        self._ignores = ignores
        self._meanings = [meaning(each.text) for each in ignores]
        self._used: set[int] = set()
        valid = [at for at, each in enumerate(self._meanings) if isinstance(each, Expectation)]
        beside = (at for at in valid if ignores[at].beside)
        self._lines = sorted((*_line(ignores[at].where), at) for at in beside)
        around = ((at, ignores[at].covers) for at in valid if not ignores[at].beside)
        spans = sorted((covers[0], -covers[1], at) for at, covers in around if covers is not None)
        self._starts, self._owners = _innermost(spans)

    def of(self, *wheres: Where) -> Expectation | None:
        """What is ignored of a citation.

        Args:
            wheres: where its link stands, and the block that is its quote, if it has one.
        """
        for where in wheres:
            for at in (self._on_lines(where), self._around(where.order)):
                found = None if at is None else self._meanings[at]
                if at is not None and isinstance(found, Expectation):
                    self._used.add(at)
                    return found
        return None

    def unread(self, document: str) -> Iterator[Unread]:
        """The comments that are not understood, and those that speak of no citation that `of` was asked about."""
        for at, (each, found) in enumerate(zip(self._ignores, self._meanings, strict=True)):
            if isinstance(found, str):
                yield _unread(document, each, found)
            elif at not in self._used:
                yield _unread(document, each, _idle(each))

    def _on_lines(self, where: Where) -> int | None:
        """The last comment that shares a line with something."""
        cell = where.cell or 0
        place = bisect_right(self._lines, (cell, where.last, len(self._ignores)))
        if not place:
            return None
        *_, at = self._lines[place - 1]
        found = self._ignores[at].where
        return at if (found.cell or 0) == cell and found.last >= where.line else None

    def _around(self, order: int) -> int | None:
        place = bisect_right(self._starts, order)
        return self._owners[place - 1] if place else None


def closed_up(sheet: Sheet) -> Sheet:
    """The elements as if comments that have their lines for themselves were not there, nor a blank line beside each.

    Which block is a link's quote must not depend on a comment that was put between the two.
    """
    alone = sorted((*_line(each.where), each.where.last) for each in sheet.ignores if not each.beside)
    if not alone:
        return sheet
    places = [(cell, line) for cell, line, _ in alone]
    sizes = [0, *accumulate(last - line + 2 for _, line, last in alone)]
    firsts = {cell: bisect_left(places, (cell,)) for cell, _ in places}

    def moved(element: _Placed) -> _Placed:
        where = element.where
        cell = where.cell or 0
        if cell not in firsts:
            return element
        gone = sizes[bisect_left(places, (cell, where.line))] - sizes[firsts[cell]]
        return replace(element, where=replace(where, line=where.line - gone, last=where.last - gone))

    return Sheet(tuple(map(moved, sheet.blocks)), tuple(map(moved, sheet.mentions)))


def in_order(unread: Iterable[Unread]) -> tuple[Unread, ...]:
    """What is not understood, in the order of the document."""
    return tuple(sorted(unread, key=lambda each: (each.sighted.cell or 0, each.sighted.line)))


def _line(where: Where) -> tuple[int, int]:
    return where.cell or 0, where.line


def _innermost(spans: Sequence[tuple[int, int, int]]) -> tuple[list[int], list[int | None]]:
    """From which order on which comment counts; spans stand within each other or apart, the outer ones first."""
    starts: list[int] = []
    owners: list[int | None] = []
    around: list[tuple[int, int]] = []

    def change(order: int) -> None:
        owner = around[-1][1] if around else None
        if starts and starts[-1] == order:
            owners[-1] = owner
        else:
            starts.append(order)
            owners.append(owner)

    def leave(order: int | None) -> None:
        while around and (order is None or around[-1][0] <= order):
            behind, _ = around.pop()
            change(behind)

    for first, behind, at in spans:
        leave(first)
        around.append((-behind, at))
        change(first)
    leave(None)
    return starts, owners


def _unread(document: str, ignore: Ignore, message: str) -> Unread:
    said = f"prov: ignore {ignore.text}".rstrip()
    shown = said if len(said) <= _SHOWN else f"{said[: _SHOWN - 1]}…"
    return Unread(Sighted(document, ignore.where.line, ignore.where.cell, shown), message)


def _idle(ignore: Ignore) -> str:
    if ignore.beside:
        return "it ignores nothing: no citation stands on its line, in a link or as a quote"
    if ignore.covers is None:
        return "it ignores nothing: nothing comes next beside it"
    return "it ignores nothing: what comes next holds no citation, in a link or as a quote, that no nearer one ignores"
