"""What people do to the files of a project, one change at a time; where each line goes is kept by its tags."""

from __future__ import annotations

import itertools
import re
from dataclasses import replace
from typing import TYPE_CHECKING

from support.fiction import Fiction, Language
from support.ledger import NONE, Line, Page, Piece, depth_of

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Sequence
    from random import Random

    from support.ledger import Tree

_CALL = re.compile(r"(?P<start>\s*[^#/\s][^(]*\()(?P<inner>[^()]+, [^()]+)(?P<end>\)[;]?)")
_NAMED = re.compile(r"(?P<start>\s*(?:def |func |function )?|## .* )[a-z_]+(?P<end>\(.*[:{]|:|\.)")
"""The line that a function, an item or a section begins with."""
_WORD = re.compile(
    r"\b(?!(?:return|class|const|from|func|function|import|package|pass|continue|self)\b)[a-z]{4,}\b"
)
"""A name, or a word of a text; no keyword."""
_OPENING = ("(", ",", "{", "[", ":")
_CLOSING = (")", "}", "]", "```")


class Rewriter:
    """Changes trees at random; the same generator of random numbers makes the same changes."""

    def __init__(self, random: Random) -> None:
        self._random = random
        self._fiction = Fiction(random)
        self._tags = itertools.count(1)
        self._keys = itertools.count(1)
        self._names = itertools.count(1)

    def page(self, language: Language, pieces: int) -> Page:
        """A new file."""
        made = [self._piece(self._fiction.head(language), is_fixed=True)]
        while len(made) <= pieces:
            if language.has_classes and self._random.random() < 0.3:
                made += self._class(language, self._random.randint(2, 5))
            else:
                made.append(self._new(language))
        return Page(language, tuple(made))

    def path(self, language: Language) -> str:
        """Where no file was yet."""
        folder = self._random.choice(("core", "core/inner", "web", "tools"))
        return f"{folder}/{self._fiction.noun()}_{next(self._names)}{language}"

    def change(self, tree: Tree, untouched: Collection[str] = ()) -> str:
        """Change a tree, but for some of its paths, and give what was done."""
        here = sorted(path for path in tree if path not in untouched)
        changes: dict[Callable[[Tree, str], bool], int] = {
            self.insert: 5,
            self.edit: 6,
            self.grow: 5,
            self.shrink: 3,
            self.delete: 2,
            self.retitle: 2,
            self.swap: 1,
            self.move_within: 2,
            self.lay_out: 3,
            self.indent: 1,
            self.substitute: 1,
            self.rename: 2,
            self.split: 1,
            self.copy: 1,
            lambda tree, path: self.move_to(tree, path, here): 3,
        }
        while True:
            (chosen,) = self._random.choices(list(changes), list(changes.values()))
            if chosen(tree, self._random.choice(here)):
                return chosen.__name__.replace("<lambda>", "move_to")

    # Each of these changes one file, or says that it cannot.

    def insert(self, tree: Tree, path: str) -> bool:
        """Write a new function or section."""
        page = tree[path]
        at = self._random.randrange(1, len(page.pieces) + 1)
        self._put(tree, path, page.pieces, at, None)
        return True

    def edit(self, tree: Tree, path: str) -> bool:
        """Change a word or a number of some lines of a piece."""
        page = tree[path]
        at = self._random.randrange(len(page.pieces))
        piece = page.pieces[at]
        lines = list(piece.lines)
        for number in self._random.sample(range(len(lines)), min(len(lines), self._random.randint(1, 3))):
            words = list(_WORD.finditer(lines[number].text))
            if words:
                word, text = self._random.choice(words), lines[number].text
                text = text[: word.start()] + self._fiction.noun() + text[word.end() :]
                lines[number] = lines[number]._replace(text=text)
        return self._set(tree, path, at, lines)

    def grow(self, tree: Tree, path: str) -> bool:
        """Write some statements into a piece."""
        page, at = tree[path], self._some(tree[path])
        if at is None or len(page.pieces[at].lines) < 3:
            return False
        lines = list(page.pieces[at].lines)
        where = self._random.randrange(1, len(lines) - 1)
        beside, depth = lines[where].text.strip(), depth_of(lines[where].text)
        if lines[where - 1].text.endswith(("(", ",")) or beside.startswith((*_CLOSING, '"""')):
            return False
        if page.language.is_code and len(depth) <= len(depth_of(lines[0].text)):
            return False
        new = [line for _ in range(2) for line in self._fiction.statements(page.language)]
        new = [depth + _indented(line, page.language.unit, page.unit) for line in new]
        lines[where:where] = self._lines(new[: self._random.randint(1, 4)])
        return self._set(tree, path, at, lines)

    def shrink(self, tree: Tree, path: str) -> bool:
        """Take some lines out of a piece."""
        page, at = tree[path], self._some(tree[path])
        if at is None or len(page.pieces[at].lines) < 5:
            return False
        lines = list(page.pieces[at].lines)
        where = self._random.randrange(1, len(lines) - 2)
        text = lines[where].text.strip()
        is_alone = lines[where - 1].text.endswith(_OPENING)
        if is_alone or text.endswith(_OPENING) or text.startswith(_CLOSING) or not text:
            return False
        del lines[where]
        return self._set(tree, path, at, lines)

    def delete(self, tree: Tree, path: str) -> bool:
        """Delete a piece."""
        page, at = tree[path], self._some(tree[path])
        if at is None or len(page.pieces) < 4:
            return False
        tree[path] = page.with_pieces(page.pieces[:at] + page.pieces[at + 1 :])
        return True

    def retitle(self, tree: Tree, path: str) -> bool:
        """Give another name to a function, and to nothing else."""
        page, at = tree[path], self._some(tree[path])
        if at is None or not page.language.is_code:
            return False
        lines = self._renamed(page.pieces[at].lines)
        return lines is not None and self._set(tree, path, at, lines)

    def swap(self, tree: Tree, path: str) -> bool:
        """Let two pieces that follow each other change places."""
        page = tree[path]
        pieces = page.pieces
        pairs = [
            at
            for at, (one, other) in enumerate(itertools.pairwise(pieces))
            if not (one.is_fixed or other.is_fixed) and one.owner == other.owner
        ]
        if not pairs:
            return False
        at = self._random.choice(pairs)
        tree[path] = page.with_pieces((*pieces[:at], pieces[at + 1], pieces[at], *pieces[at + 2 :]))
        return True

    def move_within(self, tree: Tree, path: str) -> bool:
        """Move a piece elsewhere in its file, into another class or out of one, too."""
        return self.move_to(tree, path, [path])

    def move_to(self, tree: Tree, path: str, paths: Sequence[str]) -> bool:
        """Move a piece to a file of the same language."""
        page, at = tree[path], self._some(tree[path])
        others = [other for other in paths if other in tree and tree[other].language is page.language]
        if at is None or len(page.pieces) < 4 or not others:
            return False
        piece, target = page.pieces[at], self._random.choice(others)
        tree[path] = page.with_pieces(page.pieces[:at] + page.pieces[at + 1 :])
        piece = replace(piece, lines=_laid_out(piece.lines, page.unit, tree[target].unit))
        pieces = tree[target].pieces
        self._put(tree, target, pieces, self._random.randrange(1, len(pieces) + 1), piece)
        return True

    def copy(self, tree: Tree, path: str) -> bool:
        """Write a piece once more, under another name, so that it is plain which one is the copy."""
        page, at = tree[path], self._some(tree[path])
        if at is None:
            return False
        piece = page.pieces[at]
        lines = [Line(line.text, self._tag(), line.tags) for line in piece.lines]
        named = self._renamed(lines)
        if named is None:
            return False
        gap = self._gap(page.language, piece.owner)
        copied = replace(piece, key=next(self._keys), lines=tuple(named), gap=gap)
        tree[path] = page.with_pieces((*page.pieces[: at + 1], copied, *page.pieces[at + 1 :]))
        return True

    def lay_out(self, tree: Tree, path: str) -> bool:
        """Lay the calls of a piece out over several lines."""
        page, at = tree[path], self._some(tree[path])
        if at is None or not page.language.is_code:
            return False
        lines: list[Line] = []
        for line in page.pieces[at].lines:
            match = _CALL.fullmatch(line.text)
            if match is None or self._random.random() < 0.3:
                lines.append(line)
                continue
            depth = depth_of(match["start"])
            inner = [f"{depth}{page.unit}{part}," for part in match["inner"].split(", ")]
            parts = [match["start"], *inner, depth + match["end"]]
            lines += [line._replace(text=part) for part in parts]
        return lines != list(page.pieces[at].lines) and self._set(tree, path, at, lines)

    def indent(self, tree: Tree, path: str) -> bool:
        """Indent a whole file otherwise."""
        page = tree[path]
        if not page.language.is_code or self._random.random() < 0.6:
            return False
        unit = page.unit
        wanted = "  " if unit in {"\t", "    "} else "    "
        tree[path] = self._over(page, lambda text: _indented(text, unit, wanted))
        return True

    def substitute(self, tree: Tree, path: str) -> bool:
        """Give another name to something in the whole file."""
        page = tree[path]
        words = _WORD.findall(self._random.choice(page.lines).text)
        if not words or not page.language.is_code:
            return False
        old, new = re.compile(rf"\b{words[-1]}\b"), self._fiction.noun()
        tree[path] = self._over(page, lambda text: old.sub(new, text))
        return True

    def rename(self, tree: Tree, path: str) -> bool:
        """Give another path to a file, and edit it on the way now and then."""
        target = self.path(tree[path].language)
        tree[target] = tree.pop(path)
        if self._random.random() < 0.5:
            self.edit(tree, target)
        return True

    def split(self, tree: Tree, path: str) -> bool:
        """Put the second half of a file into a new one."""
        page = tree[path]
        starts = [at for at, piece in enumerate(page.pieces) if at > 1 and piece.owner is None]
        starts = [at for at in starts if not page.pieces[at].is_fixed]
        if not starts or len(page.pieces) < 8:
            return False
        at = starts[len(starts) // 2]
        head = self._piece(self._fiction.head(page.language), is_fixed=True)
        tree[self.path(page.language)] = Page(page.language, (head, *page.pieces[at:]))
        tree[path] = page.with_pieces(page.pieces[:at])
        return True

    # What they are made of.

    def _some(self, page: Page) -> int | None:
        """Where a piece stands that can be moved."""
        free = [at for at, piece in enumerate(page.pieces) if not piece.is_fixed]
        return self._random.choice(free) if free else None

    def _set(self, tree: Tree, path: str, at: int, lines: Iterable[Line]) -> bool:
        page = tree[path]
        piece = replace(page.pieces[at], lines=tuple(lines))
        tree[path] = page.with_pieces((*page.pieces[:at], piece, *page.pieces[at + 1 :]))
        return True

    def _put(self, tree: Tree, path: str, pieces: tuple[Piece, ...], at: int, piece: Piece | None) -> None:
        """Put a piece, or a new one, where it then stands in a class or not."""
        page = tree[path]
        owner = _owner(pieces, at)
        if piece is None:
            piece = self._new(page.language, owner)
            piece = replace(piece, lines=_laid_out(piece.lines, page.language.unit, page.unit))
        elif (piece.owner is None) != (owner is None):
            depth = page.unit if owner is not None else ""
            piece = replace(piece, lines=_shifted(piece.lines, depth))
        piece = replace(piece, owner=owner)
        tree[path] = page.with_pieces((*pieces[:at], piece, *pieces[at:]))

    def _renamed(self, lines: Iterable[Line]) -> list[Line] | None:
        """A piece's lines with another name in the one that has it."""
        changed = list(lines)
        for number, line in enumerate(changed):
            match = _NAMED.fullmatch(line.text)
            if match:
                text = f"{match['start']}{self._fiction.name()}{match['end']}"
                changed[number] = line._replace(text=text)
                return changed
        return None

    def _over(self, page: Page, change: Callable[[str], str]) -> Page:
        return page.with_pieces(
            replace(piece, lines=tuple(line._replace(text=change(line.text)) for line in piece.lines))
            for piece in page.pieces
        )

    def _class(self, language: Language, methods: int) -> list[Piece]:
        head = self._piece(self._fiction.class_head(language), self._gap(language), is_fixed=True)
        made = [replace(head, owner=head.key), *(self._new(language, head.key) for _ in range(methods))]
        if language is Language.JAVASCRIPT:
            made.append(self._piece(["}"], is_fixed=True))
        return made

    def _new(self, language: Language, owner: int | None = None) -> Piece:
        lines = self._fiction.piece(language, is_method=owner is not None)
        return replace(self._piece(lines, self._gap(language, owner)), owner=owner)

    def _piece(self, lines: Iterable[str], gap: tuple[Line, ...] = (), *, is_fixed: bool = False) -> Piece:
        return Piece(next(self._keys), tuple(self._lines(lines)), gap, is_fixed=is_fixed)

    def _gap(self, language: Language, owner: int | None = None) -> tuple[Line, ...]:
        return tuple(self._lines([""] * (2 if language is Language.PYTHON and owner is None else 1)))

    def _lines(self, texts: Iterable[str]) -> list[Line]:
        return [Line(text, self._tag()) for text in texts]

    def _tag(self) -> frozenset[int]:
        return NONE | {next(self._tags)}


def _owner(pieces: Sequence[Piece], at: int) -> int | None:
    """The class in which a place between two pieces is; the end of one in Python is where its last method ends."""
    before = pieces[at - 1].owner
    after = pieces[at].owner if at < len(pieces) else None
    is_open = at < len(pieces) and pieces[at].is_fixed and pieces[at].lines[0].text == "}"
    return before if before is not None and (before == after or is_open) else None


def _shifted(lines: tuple[Line, ...], depth: str) -> tuple[Line, ...]:
    """Lines whose first one is indented so far."""
    before = depth_of(lines[0].text)
    return tuple(
        line._replace(text=f"{depth}{line.text.removeprefix(before)}") if line.text else line
        for line in lines
    )


def _laid_out(lines: Iterable[Line], unit: str, wanted: str) -> tuple[Line, ...]:
    """Lines with another step of indentation."""
    return tuple(line._replace(text=_indented(line.text, unit, wanted)) for line in lines)


def _indented(text: str, unit: str, wanted: str) -> str:
    depth = depth_of(text)
    return wanted * (len(depth) // len(unit)) + text.lstrip()
