"""Elements -> a sheet: which of them point at code, and what does so in their text."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from provenance.document import Block, Ignore, Link, Mention, Prose, Sheet
from provenance.links.finding import find_in
from provenance.links.reading import read_link
from provenance.links.targets import ContentLink, FileLink, NotUnderstood, PlainPlace, RelativeLink

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from provenance.document import Element
    from provenance.links.finding import Found
    from provenance.links.forges import Hosts
    from provenance.links.targets import Target

_REMARK = re.compile(r"(?:^|\s)(?:#|//|/\*|<!--)|^\s*(?:\*|--|;|%|\(\*|\{-|\"\"\"|'''|rem\b)", re.IGNORECASE)
"""What stands before a place where a comment has begun: marks that are no operators, and others first on a line."""
_HEADER = re.compile(r"\W*(?:file|filename|path|source|src|from|see)\b\W*", re.IGNORECASE)
"""All that stands before a place in a header such as `File: a.py:10-20`."""
_NEAR = 400
"""How many characters of a line are looked at on each side of a place; lines of generated code have no end."""
_REFLOG = "@{"
"""What git lets no branch or tag hold, and reads as a place in a clone's own log: `HEAD@{1}`."""


def sheet(elements: Iterable[Element], hosts: Hosts) -> Sheet:
    """Sort what a reader found.

    Args:
        elements: in their order.
        hosts: further hosts that run a forge.
    """
    blocks: list[Block] = []
    mentions: list[Mention] = []
    ignores: list[Ignore] = []
    shown: list[Block | Link | Prose] = []
    for element in elements:
        match element:
            case Block():
                blocks.append(element)
                mentions += _in_block(element, hosts)
            case Link():
                mentions += _in_link(element, hosts)
            case Prose():
                mentions += _in_prose(element, hosts)
            case Ignore():
                ignores.append(element)
                continue
        shown.append(element)
    if not ignores:
        return Sheet(tuple(blocks), tuple(mentions))
    lines = {line for element in shown for line in _lines(element)}
    told = (replace(each, beside=not lines.isdisjoint(_lines(each))) for each in ignores)
    return Sheet(tuple(blocks), tuple(mentions), tuple(told))


def _lines(element: Element) -> Iterator[tuple[int | None, int]]:
    """The lines on which something of an element stands, each with its cell."""
    where = element.where
    if isinstance(element, Prose):
        for at, line in enumerate(element.text.split("\n")):
            if line.strip():
                yield where.cell, where.line + at
    else:
        yield from ((where.cell, line) for line in range(where.line, where.last + 1))


def _in_link(link: Link, hosts: Hosts) -> Iterator[Mention]:
    """A link and its text are one mention at most, whatever the text looks like. Brackets around it are read past."""
    if link.url.startswith("(http") and link.url[-1:] == ")" == link.raw[-1:]:  # `[a]((URL))`
        link = replace(link, url=link.url[1:-1], raw=link.raw[1:-1])
    target = _target(link.url, hosts) or _named_by_text(link, hosts)
    if target is not None:
        yield Mention(link.where, target, link.raw, link.raw_line, link.text)


def _named_by_text(link: Link, hosts: Hosts) -> Target | None:
    """What a link to a whole file points at whose text names lines of that file: `[a.py:10](src/a.py)`."""
    places = [found.target for found in find_in(link.text) if isinstance(found.target, PlainPlace)]
    if len(places) != 1:
        return None
    (place,) = places
    linked = read_link(link.url, hosts) or read_link(f"{link.url}#L1", hosts)
    if not isinstance(linked, FileLink | RelativeLink) or _name(linked.path) != _name(place.path):
        return None
    return replace(linked, anchor=place.anchor)


def _name(path: str) -> str:
    return path.rpartition("/")[2]


def _in_prose(prose: Prose, hosts: Hosts) -> Iterator[Mention]:
    for found, line, _ in _found(prose.text):
        target = _read(found, hosts)
        if target is not None:
            first = prose.where.line + line
            where = replace(prose.where, line=first, last=first + found.raw.count("\n"))
            yield Mention(where, target, found.raw, first)


def _in_block(block: Block, hosts: Hosts) -> Iterator[Mention]:
    """Code is full of addresses and names of files: a link that names lines counts, others in a comment or header."""
    for found, line, before in _found(block.text):
        target = _read(found, hosts)
        if target is not None and (_names_lines(target) or _is_remark(block.text, found, line, before)):
            yield Mention(
                block.where, target, found.raw, block.first + line, block=block.where.order, block_line=line
            )
    for found, _, _ in _found(block.title):
        target = _read(found, hosts)
        if target is not None:
            yield Mention(block.where, target, found.raw, block.where.line, block=block.where.order)


def _found(text: str) -> Iterator[tuple[Found, int, int]]:
    """What is found in a text, with the number of its line, from 0, and the offset at which that begins."""
    line = start = counted = 0
    for found in find_in(text):
        newlines = text.count("\n", counted, found.start)
        if newlines:
            line += newlines
            start = text.rfind("\n", counted, found.start) + 1
        counted = found.start
        yield found, line, start


def _read(found: Found, hosts: Hosts) -> Target | NotUnderstood | None:
    return found.target if isinstance(found.target, PlainPlace) else _target(found.target, hosts)


def _target(url: str, hosts: Hosts) -> Target | NotUnderstood | None:
    """What a URL points at; None where it is no citation, as a link to a whole file is none."""
    target = read_link(url, hosts)
    if isinstance(target, FileLink):
        if _REFLOG in target.revision:
            return NotUnderstood(
                url, f"{target.revision} is no pinned revision: it is a place in the log of one clone"
            )
        if target.anchor is None:
            return None
    return target


def _names_lines(target: Target | NotUnderstood) -> bool:
    """Whether it is a link that would stand in code only as a citation of code."""
    return isinstance(target, FileLink | ContentLink)


def _is_remark(text: str, found: Found, line: int, start: int) -> bool:
    """Whether something found in code stands in a comment or a header.

    Args:
        text: the code.
        found: what was found.
        line: the number of its line, from 0.
        start: the offset at which that line begins.
    """
    before = text[max(start, found.start - _NEAR) : found.start]
    if _REMARK.search(before) or _HEADER.fullmatch(before):
        return True
    after = text[found.end : found.end + _NEAR].partition("\n")[0]
    # A first line that is nothing but the place, whatever it is set off with, is the code's header.
    return line == 0 and not any(map(str.isalnum, before + after))
