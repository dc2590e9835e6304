"""Files as lines that are known by name, so that it is certain where each of them is after any change.

A line has tags. An edit keeps them, a line that is laid out over several lines gives them to each, and a new line has
a tag of its own. Lines and pieces do not change: a change makes a tree of other ones.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, NamedTuple

from support.scoring import Answer, Truth

from provenance.citation import LineRange

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from support.fiction import Language

Tags = frozenset[int]
NONE: Tags = frozenset()
_ALIVE = 0.7
"""The least share of lines that has to be left of a range whose place is beyond dispute."""


class Line(NamedTuple):
    """A line of a file."""

    text: str
    tags: Tags
    copied: Tags = NONE
    """Tags of the lines that it was copied from."""

    @property
    def says(self) -> bool:
        """Whether there is more to it than brackets."""
        return any(character.isalnum() for character in self.text)


@dataclass(frozen=True, slots=True)
class Piece:
    """A function, a section, the head of a file or of a class."""

    key: int
    """The same as long as it lives, wherever it goes."""
    lines: tuple[Line, ...]
    gap: tuple[Line, ...] = ()
    """The empty lines before it."""
    owner: int | None = None
    """Key of the class that it stands in."""
    is_fixed: bool = False
    """Whether it is the head or the end of something, which no change moves or deletes alone."""

    @property
    def all_lines(self) -> tuple[Line, ...]:
        return self.gap + self.lines


@dataclass(frozen=True, slots=True)
class Page:
    """A file."""

    language: Language
    pieces: tuple[Piece, ...]

    @property
    def lines(self) -> list[Line]:
        return [line for piece in self.pieces for line in piece.all_lines]

    @property
    def text(self) -> str:
        return "".join(f"{line.text}\n" for line in self.lines)

    @property
    def unit(self) -> str:
        """The step of indentation."""
        depths = [depth for line in self.lines if (depth := depth_of(line.text)) and self.language.is_code]
        return min(depths, key=len, default=self.language.unit)

    def spans(self) -> Iterator[tuple[Piece, int, int]]:
        """Each piece with its first and its last line, from 1."""
        at = 0
        for piece in self.pieces:
            first = at + len(piece.gap) + 1
            at += len(piece.all_lines)
            yield piece, first, at

    def with_pieces(self, pieces: Iterable[Piece]) -> Page:
        return replace(self, pieces=tuple(pieces))


Tree = dict[str, Page]
"""Files by path."""


@dataclass(frozen=True, slots=True)
class Asked:
    """Lines that are to be followed."""

    path: str
    first: int
    last: int
    piece: int | None = None
    """Key of the piece that they are, where they are all of one."""


def depth_of(text: str) -> str:
    """What a line is indented by."""
    return text[: len(text) - len(text.lstrip())]


def known(old: Tree, asked: Asked, new: Tree) -> Truth | None:
    """What became of lines; None where people could see it in more than one way."""
    lines = old[asked.path].lines[asked.first - 1 : asked.last]
    found = _numbers(new, _tags(lines))
    living = _tags(line for path, numbers in found.items() for line in _picked(new[path], numbers))
    saying = [line for line in lines if line.says] or lines
    share = sum(bool(line.tags & living) for line in saying) / len(saying)
    if not share:
        return None if _is_copied(new, lines) or _is_kept(new, asked.piece) else Truth(Answer.DELETED)
    if share < _ALIVE or len(found) > 1:
        return None
    ((path, numbers),) = found.items()
    if asked.piece is not None:
        spans = [(first, last) for piece, first, last in new[path].spans() if piece.key == asked.piece]
        return _told(lines, new, path, spans) if spans else None
    first, last = numbers[0], numbers[-1]
    is_loose = last - first + 1 - len(numbers) > max(3, len(numbers))
    is_mixed = _tags(new[path].lines[first - 1 : last]) & (_tags(_all_lines(old)) - _tags(lines))
    if is_loose or is_mixed or not _is_in_order(lines, new[path]):
        return None
    others = [*_wider(old, lines, new[path], first, last), *_equal(lines, new[path], first, last)]
    return _told(lines, new, path, [(first, last), *others])


def _told(lines: list[Line], new: Tree, path: str, ranges: list[tuple[int, int]]) -> Truth:
    first, last = ranges[0]
    there = new[path].lines[first - 1 : last]
    is_same = [line.text for line in lines] == [line.text for line in there]
    return Truth(Answer.SAME if is_same else Answer.EDITED, path, tuple(LineRange(*one) for one in ranges))


def _wider(old: Tree, lines: list[Line], page: Page, first: int, last: int) -> Iterator[tuple[int, int]]:
    """Where lines at an edge were deleted: with the new lines that stand there, and without brackets at the edge."""
    here = _tags(page.lines)
    before = _tags(_all_lines(old))
    starts, ends = [first], [last]
    if not lines[0].tags & here:
        while starts[-1] > 1 and not page.lines[starts[-1] - 2].tags & before:
            starts.append(starts[-1] - 1)
        starts += [at for at in range(first + 1, last) if not any(map(_says, page.lines[first - 1 : at - 1]))]
    if not lines[-1].tags & here:
        while ends[-1] < len(page.lines) and not page.lines[ends[-1]].tags & before:
            ends.append(ends[-1] + 1)
        ends += [at for at in range(first + 1, last) if not any(map(_says, page.lines[at:last]))]
    yield from ((start, end) for start in starts for end in ends if (start, end) != (first, last))


def _equal(lines: list[Line], page: Page, first: int, last: int) -> Iterator[tuple[int, int]]:
    """The same text among the lines: one half of it is then a copy."""
    texts, size = [line.text for line in page.lines], len(lines)
    for start in range(first, last - size + 2):
        end = start + size - 1
        if (start, end) != (first, last) and texts[start - 1 : end] == [line.text for line in lines]:
            yield start, end


def _says(line: Line) -> bool:
    return line.says


def _is_in_order(lines: Iterable[Line], page: Page) -> bool:
    """Whether the lines that are left follow each other as they did."""
    places = {tag: number for number, line in enumerate(page.lines) for tag in line.tags}
    left = [places[tag] for line in lines for tag in line.tags if tag in places]
    return left == sorted(left)


def _numbers(tree: Tree, tags: Tags) -> Mapping[str, list[int]]:
    """The numbers of the lines that have one of some tags, by path."""
    found = {
        path: [number for number, line in enumerate(page.lines, 1) if line.tags & tags]
        for path, page in tree.items()
    }
    return {path: numbers for path, numbers in found.items() if numbers}


def _picked(page: Page, numbers: list[int]) -> Iterator[Line]:
    lines = page.lines
    return (lines[number - 1] for number in numbers)


def _tags(lines: Iterable[Line]) -> Tags:
    return frozenset(tag for line in lines for tag in line.tags)


def _all_lines(tree: Tree) -> Iterator[Line]:
    return (line for page in tree.values() for line in page.lines)


def _is_copied(tree: Tree, lines: list[Line]) -> bool:
    """Whether there is a copy of some of the lines."""
    tags = _tags(lines)
    return any(line.copied & tags for line in _all_lines(tree))


def _is_kept(tree: Tree, key: int | None) -> bool:
    return key is not None and any(piece.key == key for page in tree.values() for piece in page.pieces)
