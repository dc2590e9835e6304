r"""The arithmetic of a page -> its quantity: its table, and what its head and its prose say of the same number.

Numbers are taken as they stand, and statements that disagree all are: whether they hold is judged elsewhere. Equations
of other things, such as `One token costs $2 \times 512 = 1{,}024$ FLOPs.`, are a quantity of their own.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction
from itertools import chain
from typing import TYPE_CHECKING

from provenance.citation import Quantity
from provenance.compare.arithmetic.evaluation import equation, evaluate, factors
from provenance.documents.accounting import read_table
from provenance.documents.dimensions import stated_dimensions
from provenance.documents.equations import OF_PARAMETERS, result
from provenance.documents.remarks import Remark
from provenance.documents.stated import Said, Shown, of_head, of_sentence
from provenance.errors import PageError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from provenance.documents.accounting import Table
    from provenance.documents.layout import Layout, Piece
    from provenance.errors import Position

_SECTION = "Parameters"
_HEAD = re.compile(r"parameters ?: ?(?P<said>\S.*)", re.IGNORECASE)
_SENTENCES = re.compile(r"(?<=[.!?])(?<!\bca\.) ")
_MOST = 10_000
"""Equations and other statements that are looked at."""
_SHAPED = re.compile(r"(?:in|out|shape)(?: ?:| ?$)")
_SHAPE = re.compile(r"(?<!\S)\[[^\[\]]+\]")


@dataclass(frozen=True, slots=True)
class Arithmetic:
    """The quantities of a page."""

    quantities: tuple[Quantity, ...]
    """That of its parameters, and then its other equations; either may be missing."""
    remarks: tuple[Remark, ...]


@dataclass(frozen=True, slots=True)
class _Facts:
    """What the quantity is, as it is stated first."""

    total: str | None
    repeated: str | None
    overall: str | None


def read_quantities(layout: Layout, pieces: Sequence[Piece], name: str) -> Arithmetic:
    """The quantities of a page: by this name, and by this name and `-equations`.

    Raises:
        PageError: the table is none that can be read, or a number is too long.
    """
    table = read_table(layout)
    section = next(
        (i for i in range(layout.title + 1, layout.end) if layout.lines[i] == _SECTION), layout.end
    )
    limit = _Limit()
    found = [*_in_head(layout, section, limit), *_in_section(layout, section, table, limit)]
    remarks = tuple(each for each in found if isinstance(each, Remark))
    facts = _facts(table, [each for each in found if isinstance(each, Said)])
    said, apart = _sorted_out(found, facts)
    others = _others(table, apart, name)
    if table is None and not said:
        return Arithmetic(others, remarks)
    statements = [] if table is None else [table.statement]
    for each in said:
        statements += [each.statement, _apart(each, facts)]
    shapes = _distinct(chain(_shapes(layout, section), (each.shape for each in said)))
    terms = () if table is None else table.terms
    skip = {each.position.line - 1 if isinstance(each, Remark) else each.at.line - 1 for each in found}
    skip.update(range(0) if table is None else table.lines)
    shapes += tuple(stated_dimensions(layout, pieces, terms, shapes, skip))
    quantity = Quantity(
        name,
        terms,
        facts.total,
        facts.repeated,
        facts.overall,
        _distinct(statements),
        _distinct(shapes),
        position=said[0].at if table is None else table.at,
    )
    return Arithmetic((quantity, *others), remarks)


def _facts(table: Table | None, said: Sequence[Said]) -> _Facts:
    return _Facts(
        _first([None if table is None else table.total, *(each.total for each in said)]),
        _first(each.repeated for each in said),
        _first(each.overall for each in said),
    )


def _sorted_out(found: Iterable[Said | Shown | Remark], facts: _Facts) -> tuple[list[Said], list[Shown]]:
    """What is said of the quantity, and the equations of other things."""
    said: list[Said] = []
    apart: list[Shown] = []
    wanted = {facts.total, facts.overall} - {None}
    for each in found:
        if isinstance(each, Said):
            said.append(each)
        elif isinstance(each, Shown):
            ours = result(each.equation) in wanted or _repeats(each.equation, facts.repeated)
            if ours and not each.measured:
                said.append(Said(each.at, each.equation))
            else:
                apart.append(each)
    return said, apart


def _repeats(text: str, repeated: str | None) -> bool:
    """Whether an equation multiplies something by how often the quantity is taken."""
    times = None if repeated is None else evaluate(repeated)
    if not isinstance(times, Fraction):
        return False
    products = (factors(side) for side in equation(text))
    return any(len(product) > 1 and times in product for product in products)


def _others(table: Table | None, apart: Sequence[Shown], name: str) -> tuple[Quantity, ...]:
    statements = _distinct(chain(() if table is None else table.equations, (each.equation for each in apart)))
    if not statements:
        return ()
    at = table.at if table is not None and (table.equations or not apart) else apart[0].at
    return (Quantity(f"{name}-equations", statements=statements, position=at),)


def _first(texts: Iterable[str | None]) -> str | None:
    return next((text for text in texts if text is not None), None)


def _distinct(texts: Iterable[str | None]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(text for text in texts if text is not None))


def _apart(said: Said, facts: _Facts) -> str | None:
    """An equation for how often a sentence takes the total, where an earlier one takes it another number of times."""
    comes_to = said.overall or facts.overall
    if said.repeated in {None, facts.repeated} or facts.total is None or comes_to is None:
        return None
    return f"{facts.total} × {said.repeated} = {comes_to}"


class _Limit:
    """Ends the reading of a page that states more than any page does."""

    def __init__(self) -> None:
        self._left = _MOST

    def take(self, count: int, at: Position) -> None:
        self._left -= count
        if self._left < 0:
            raise PageError(at, f"more than {_MOST:,} statements of parameters: no page has so many")


def _in_head(layout: Layout, end: int, limit: _Limit) -> Iterator[Said | Remark]:
    for index in range(layout.title + 1, end):
        match = _HEAD.fullmatch(layout.lines[index])
        if match is not None:
            limit.take(1, layout.at(index))
            yield from of_head(match["said"], layout.at(index))


def _in_section(
    layout: Layout, section: int, table: Table | None, limit: _Limit
) -> Iterator[Said | Shown | Remark]:
    inside = range(0) if table is None else table.lines
    for index in range(section + 1, layout.end):
        line = layout.lines[index]
        if not line or index in inside or not (OF_PARAMETERS.search(line) or "=" in line):
            continue
        at = layout.at(index)
        for sentence in _SENTENCES.split(line.strip()):
            limit.take(1 + sentence.count("="), at)
            yield from of_sentence(sentence, at)


def _shapes(layout: Layout, end: int) -> Iterator[str]:
    """The shapes in the head: on lines that begin with `in:`, `out:` or `shape`, and on what belongs to them."""
    inside = False
    for index in range(layout.title + 1, end):
        line = layout.lines[index]
        if _SHAPED.match(line):
            inside = True
        elif not line or _HEAD.fullmatch(line):
            inside = False
        if inside:
            yield from _SHAPE.findall(line)
