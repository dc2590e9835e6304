from __future__ import annotations

from provenance.document import Block, Element, Link, Prose, Where
from provenance.documents.numbering import Numbering


def test_elements_are_numbered() -> None:
    numbering = Numbering()
    assert numbering.where(3) == Where(3, 3, 0)
    numbering.open_section()
    numbering.cell = 2
    nest = numbering.open_nest()
    assert numbering.where(4, 6, (nest,), heading=True) == Where(4, 6, 1, 1, (1,), 2, heading=True)


def test_a_part_is_numbered_on() -> None:
    numbering = Numbering(order=5, section=2, nests=3, cell=7)
    part: list[Element] = [
        Prose(Where(1, 1, 0, 0, (1,)), "a"),
        Link(Where(1, 1, 2, 1, (1, 2)), "b", "b", 1),
        Block(Where(2, 3, 4, 1), "c", 2, caption=(0, 2)),
    ]
    prose, link, block = numbering.adopt(part, (3,))
    assert prose == Prose(Where(1, 1, 5, 2, (3, 4), 7), "a")
    assert link == Link(Where(1, 1, 7, 3, (3, 4, 5), 7), "b", "b", 1)
    assert block == Block(Where(2, 3, 9, 3, (3,), 7), "c", 2, caption=(5, 7))
    assert numbering == Numbering(order=10, section=3, nests=5, cell=7)


def test_an_empty_part_changes_nothing() -> None:
    numbering = Numbering(order=5, section=2, nests=3)
    assert list(numbering.adopt([])) == []
    assert numbering == Numbering(order=5, section=2, nests=3)
