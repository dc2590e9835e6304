"""How far apart a mention and a block stand."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from typing import TYPE_CHECKING, NamedTuple

from provenance.compare.quoting.relations import Relation

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from provenance.document import Block, Mention, Where

_AFTER, _BEFORE = 4, 2
"""Blocks below and above a mention that are looked at."""
_ELEMENTS = 12
_LINES = 40
"""Elements, and lines, that may stand between."""
_DIRECT_LINES = 2
"""From one to the other where at most a blank line is between."""
_PARAGRAPH_LINES = 8
"""From one to the other where nothing is between but the paragraph's rest."""
_OPENING_ELEMENTS, _OPENING_LINES = 1, 5
"""What more may stand between where a container such as `<details>` opens there: its summary."""
_ONE_PARAGRAPH = 1
"""Lines between links of one paragraph."""

_BASE = {
    Relation.CAPTION: 0.95,
    Relation.DIRECTLY_AFTER: 0.8,
    Relation.AFTER: 0.6,
    Relation.BEFORE: 0.55,
    Relation.NEAR: 0.3,
}
_FADING = 0.98
"""For each line between, where the block does not follow directly."""
_PASSED_BLOCK = 0.6
_PASSED_MENTIONS = 0.6
"""For each block between, and each paragraph with other mentions, which are nearer to the block."""
_MOST_PASSED = 3
_OUT_OF_CONTAINER = 0.92
"""For a block that does not stand in the list item, the quotation ... that the mention stands in."""
_OTHER_CONTAINER = 0.5
"""For one that stands in another one."""
_OTHER_CELL = 0.8
_ELEMENT_LINES = 2
"""Lines that an element is taken to be long, where lines do not count on: each cell of a notebook has its own."""


class Near(NamedTuple):
    """A block as it stands to a mention."""

    block: Block
    relation: Relation
    likelihood: float
    distance: int
    """Lines from one to the other."""


class Surroundings:
    """The blocks of a document, and the mentions between them."""

    def __init__(self, blocks: Sequence[Block], mentions: Sequence[Mention]) -> None:
        self._blocks = sorted(blocks, key=lambda block: block.where.order)
        self._orders = [block.where.order for block in self._blocks]
        outside = [mention.where for mention in mentions if mention.block is None]
        self._mentions = sorted(outside, key=lambda where: (where.order, where.line))
        self._mention_orders = [where.order for where in self._mentions]
        self._paragraphs = _paragraphs(self._mentions)

    def block(self, order: int) -> Block | None:
        """The block of that order; None where there is none."""
        at = bisect_left(self._orders, order)
        return self._blocks[at] if at < len(self._orders) and self._orders[at] == order else None

    def around(self, where: Where) -> Iterator[Near]:
        """The blocks that may belong to what stands there."""
        start, end = bisect_left(self._orders, where.order), bisect_right(self._orders, where.order)
        for passed, block in enumerate(self._blocks[end : end + _AFTER]):
            if _is_caption(block, where):
                yield Near(block, Relation.CAPTION, _BASE[Relation.CAPTION], 0)
            elif (near := self._below(where, block, passed)) is not None:
                yield near
        for passed, block in enumerate(reversed(self._blocks[max(start - _BEFORE, 0) : start])):
            if _is_caption(block, where):
                yield Near(block, Relation.CAPTION, _BASE[Relation.CAPTION], 0)
            elif (near := self._above(where, block, passed)) is not None:
                yield near

    def _below(self, where: Where, block: Block, passed: int) -> Near | None:
        elements = block.where.order - where.order - 1
        lines = _lines(where, block.where, elements)
        if block.where.section != where.section or lines > _LINES or elements > _ELEMENTS:
            return None
        opening = _depth(where.nest, block.where.nest) < len(block.where.nest)
        direct = lines <= _DIRECT_LINES + (_OPENING_LINES if opening else 0)
        rest = lines <= _PARAGRAPH_LINES and elements <= (_OPENING_ELEMENTS if opening else 0)
        relation = Relation.DIRECTLY_AFTER if not passed and (direct or rest) else Relation.AFTER
        return self._near(where, block, relation, passed, lines)

    def _above(self, where: Where, block: Block, passed: int) -> Near | None:
        elements = where.order - block.where.order - 1
        lines = _lines(block.where, where, elements)
        if where.heading:
            # A caption below code that is marked up as a heading: it holds, or the heading begins something else.
            below = not passed and lines <= _DIRECT_LINES
            return self._near(where, block, Relation.NEAR, passed, lines) if below else None
        if block.where.section != where.section or lines > _LINES or elements > _ELEMENTS:
            return None
        direct = lines <= _DIRECT_LINES or (elements <= 1 and lines <= _PARAGRAPH_LINES)
        # A list or a quotation below a paragraph below a block: what is in it is not of the block.
        apart = elements > 1 and _depth(where.nest, block.where.nest) < len(where.nest)
        relation = Relation.BEFORE if not passed and direct and not apart else Relation.NEAR
        return self._near(where, block, relation, passed, lines)

    def _near(self, where: Where, block: Block, relation: Relation, passed: int, lines: int) -> Near:
        likelihood = _BASE[relation] * _PASSED_BLOCK**passed * _containers(where, block.where)
        likelihood *= _PASSED_MENTIONS ** min(self._between(where.order, block.where.order), _MOST_PASSED)
        if relation in {Relation.AFTER, Relation.NEAR}:
            likelihood *= _FADING**lines
        if where.cell != block.where.cell:
            likelihood *= _OTHER_CELL
        return Near(block, relation, likelihood, lines)

    def _between(self, mention: int, block: int) -> int:
        """Paragraphs with mentions between a mention and a block, the mention's own aside; by their orders."""
        own = bisect_left(self._mention_orders, mention)
        if own == len(self._mentions):
            return 0
        if mention < block:
            nearest = bisect_left(self._mention_orders, block) - 1
            return max(self._paragraphs[nearest] - self._paragraphs[own], 0) if nearest >= 0 else 0
        nearest = bisect_right(self._mention_orders, block)
        return max(self._paragraphs[own] - self._paragraphs[nearest], 0)


def _paragraphs(mentions: Sequence[Where]) -> list[int]:
    """Number the paragraphs that mentions stand in, so far as their places tell."""
    numbers: list[int] = []
    for at, where in enumerate(mentions):
        last = mentions[at - 1] if at else None
        together = (
            last is not None
            and (last.section, last.nest, last.cell) == (where.section, where.nest, where.cell)
            and (where.order - last.order <= 1 or where.line - last.last <= _ONE_PARAGRAPH)
        )
        numbers.append((numbers[-1] if numbers else 0) + (not together))
    return numbers


def _lines(upper: Where, lower: Where, elements: int) -> int:
    """From the last line of one to the first of the other."""
    if upper.cell != lower.cell:
        return _ELEMENT_LINES * (elements + 1)
    return max(lower.line - upper.last, 0)


def _is_caption(block: Block, where: Where) -> bool:
    return block.caption is not None and block.caption[0] <= where.order <= block.caption[1]


def _depth(one: Sequence[int], other: Sequence[int]) -> int:
    """How many containers the two share."""
    shared = 0
    for mine, theirs in zip(one, other, strict=False):
        if mine != theirs:
            break
        shared += 1
    return shared


def _containers(where: Where, block: Where) -> float:
    shared = _depth(where.nest, block.nest)
    if shared == len(where.nest):
        return 1.0
    return _OUT_OF_CONTAINER if shared == len(block.nest) else _OTHER_CONTAINER
