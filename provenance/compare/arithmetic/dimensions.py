"""Whether the dimensions of a calculation are those of the shapes that the document states."""

from __future__ import annotations

from typing import TYPE_CHECKING

from provenance.compare.arithmetic.evaluation import factors, operands
from provenance.compare.arithmetic.figures import written
from provenance.compare.numbers import numbers_in, shown

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from fractions import Fraction

    from provenance.citation import Quantity, Term

_LEAST_DIMENSION = 10
"""A smaller whole number beside a dimension may be a count, such as the 3 of query, key and value."""


def undimensioned(quantity: Quantity) -> Iterator[str]:
    """A sentence for each operand of a calculation that stands in no shape, and for each product of none in brackets.

    Shapes in which no number stands say nothing. What else a document states beside its shapes, such as a size of a
    vocabulary, may give some dimensions of a product, and never all of them.
    """
    shapes, bracketed = dimensions(quantity.shapes), dimensions(filter(is_bracketed, quantity.shapes))
    for term in quantity.terms if shapes else ():
        lacking = _lacking(term, shapes, counts=False)
        place = f"of {written(term.calculation)} stands in no shape of the document" if lacking else ""
        yield from (f"the dimension {shown(value)} {place}" for value in lacking)
        if (
            bracketed
            and not lacking
            and _is_product(term)
            and bracketed.isdisjoint(operands(term.calculation))
        ):
            yield f"no dimension of {written(term.calculation)} stands in a shape in square brackets"


def counts(quantity: Quantity) -> Iterator[str]:
    """A sentence for each operand that may be a count, and stands in no shape."""
    shapes = dimensions(quantity.shapes)
    for term in quantity.terms if shapes else ():
        for value in _lacking(term, shapes, counts=True):
            yield f"the count {shown(value)} of {written(term.calculation)} stands in no shape of the document"


def missing(terms: Sequence[Term], shapes: Sequence[str]) -> list[Fraction]:
    """The dimensions of calculations that no shape has, and that may stand elsewhere in the document.

    None where no number stands in square brackets, or one that no calculation has: the shape would be another than
    the one that is calculated, and what stands elsewhere must not hide that.
    """
    bracketed = [shape for shape in shapes if is_bracketed(shape)]
    used = {value for term in terms for value in operands(term.calculation)}
    if not dimensions(bracketed) or any(_is_unused(shape, used) for shape in bracketed):
        return []
    there = dimensions(shapes)
    lacking = (value for term in terms for value in _lacking(term, there, counts=False))
    return [value for value in dict.fromkeys(lacking) if value >= _LEAST_DIMENSION]


def _is_unused(shape: str, used: set[Fraction]) -> bool:
    """Whether a shape has a dimension that no calculation has, however its commas are read."""
    return all(
        any(
            each.value >= _LEAST_DIMENSION and each.value not in used for each in numbers_in(shape, code=code)
        )
        for code in (False, True)
    )


def dimensions(shapes: Iterable[str]) -> set[Fraction]:
    """The numbers that stand in shapes. A comma between digits may part two of them, or group one's digits."""
    found: set[Fraction] = set()
    for shape in shapes:
        for code in (False, True):
            found.update(abs(each.value) for each in numbers_in(shape, code=code))
        found.update(operands(shape))
    return found


def is_bracketed(shape: str) -> bool:
    """Whether it is a shape as documents write them, such as `[B batch, 512 d]`."""
    shape = shape.strip()
    return shape.startswith("[") and shape.endswith("]")


def _is_product(term: Term) -> bool:
    return sum(value > 1 for value in factors(term.calculation)) > 1


def _lacking(term: Term, shapes: set[Fraction], *, counts: bool) -> list[Fraction]:
    """The operands that stand in no shape; 0 and 1 aside.

    Args:
        term: Whose calculation has them.
        shapes: The numbers in all shapes.
        counts: Whether those are wanted that may be counts, or those that may not.
    """
    values = dict.fromkeys(operands(term.calculation))
    anchored = any(value in shapes for value in values if value > 1)
    return [
        value
        for value in values
        if value not in shapes
        and value not in {0, 1}
        and counts == (anchored and value.denominator == 1 and value < _LEAST_DIMENSION)
    ]
