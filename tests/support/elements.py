"""Elements in short, and what holds for those of every document."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from hypothesis import strategies as st

from provenance.document import Block, Ignore, Link, Prose

if TYPE_CHECKING:
    from collections.abc import Iterable

    from provenance.document import Element, Sheet

Short = tuple[str | int, ...]


def short(elements: Iterable[Element]) -> list[Short]:
    """Lines and text of elements: `("block", first, last, text's line, language, title, text)` and the like."""
    return [_short(element) for element in elements]


def _short(element: Element) -> Short:
    first, last = element.where.line, element.where.last
    match element:
        case Block():
            return ("block", first, last, element.first, element.language, element.title, element.text)
        case Link():
            return ("link", first, last, element.url, element.raw, element.raw_line, element.text)
        case Prose():
            return ("prose", first, last, element.text)
        case Ignore():
            return ("ignore", first, last, element.text)


def check_elements(elements: list[Element], text: str) -> None:
    """Orders rise, and everything stands within the document, on the line that is named."""
    lines = text.split("\n")
    orders = [element.where.order for element in elements]
    assert all(before < after for before, after in pairwise(orders))
    sections = [element.where.section for element in elements]
    assert sections == sorted(sections)
    for element in elements:
        where = element.where
        assert 1 <= where.line <= where.last <= len(lines)
        match element:
            case Block():
                assert element.text.strip(" \t\r\n\f")
                assert where.line <= element.first <= len(lines)
                # HTML can have lines of code without a line of the document's: `<br>`, an empty `<div>`.
                assert "<" in text or element.first + element.text.count("\n") <= len(lines)
            case Link():
                assert element.raw in lines[element.raw_line - 1]
            case Prose():
                assert where.line + element.text.count("\n") <= len(lines)
            case Ignore():
                assert element.covers is None or element.covers[0] < element.covers[1]


def check_sheet(sheet: Sheet, text: str) -> None:
    """Mentions are in order, and each stands on its line, as far as it is on one line."""
    lines = text.split("\n")
    orders = [mention.where.order for mention in sheet.mentions]
    assert orders == sorted(orders)
    blocks = {block.where.order: block for block in sheet.blocks}
    for mention in sheet.mentions:
        raw = mention.raw.split("\n")
        assert all(part in lines[mention.raw_line - 1 + n] for n, part in enumerate(raw))
        if mention.block is not None and mention.block_line is not None:
            within = blocks[mention.block].text.split("\n")
            assert raw[0] in within[mention.block_line]


def pasted(pieces: Iterable[str]) -> st.SearchStrategy[str]:
    """Documents of pieces of markup, which text at random would hardly ever hold."""
    piece = st.sampled_from([*pieces, "\n", "\n\n", " ", "    ", "\t", "a", "b c"]) | st.text(max_size=3)
    return st.lists(piece, max_size=30).map("".join)
