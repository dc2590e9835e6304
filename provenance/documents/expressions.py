"""The code that a page's head cites in one line.

    learnedcommon_layers.layer_norm(…) · 60
    learnedencoder_input += emb_target_space · transformer.py 99–103

An expression, and where it stands: lines of a file, which is that of the code list whose ranges hold them where it is
not named. A word may be glued to the front, which is the page's badge for the component and no code.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from itertools import islice
from typing import TYPE_CHECKING

from provenance.documents.layout import RANGES
from provenance.documents.places import Ranges
from provenance.documents.remarks import Remark
from provenance.errors import PageError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from provenance.citation import LineRange
    from provenance.documents.layout import Layout, Piece
    from provenance.errors import Position

_DOT = " · "
_PLACE = re.compile(
    rf"(?:(?!lines? )(?P<file>[^\s,]+?)(?: |:(?=[0-9])|#(?=[0-9])))?(?:lines? )?(?P<lines>{RANGES})"
)
_LINE_MARK = re.compile(r"(?:(?<![^\s:#\u2010-\u2015\u2212-])|(?<=[0-9]-))L(?=[0-9])")
"""What forges put before a line's number: `L99-L103`."""
_OTHER = re.compile(
    r"(?:in|out|parameters|shape) ?:|\\|\$|\{\\|Reference (?:code|implementation)|Configuration\b|"
    r"Code [^ /]{1,100}/[^ @]{1,200} ?@",
    re.IGNORECASE,
)
"""How lines of the head begin that are none of these."""
_FILE = re.compile(r"\S*(?:/\S*|\.[A-Za-z]\w{0,15})")
_CRUMB = " › "
_IDENTIFIER = re.compile(r"[^\W\d]\w*")
_CODE = re.compile(r"[\w\])][(\[]|\w_\w|=|…")
"""What code has and prose has not: calls, snake case, assignments, what is left out."""
_PROSE = re.compile(r"[^\W\d_] [^\W\d_]")
"""Words side by side, which code has behind a keyword alone."""
_KEYWORD = re.compile(
    r"(?:assert|async|await|class|const|def|del|delete|else|for|from|global|goto|if|import|let|new|not|raise|return|"
    r"throw|try|typedef|var|while|with|yield) "
)
_STRAIGHT = str.maketrans("\u201c\u201d\u2018\u2019", "\"\"''")
"""Of the quotation marks that typesetting makes of straight ones."""
_NAMED = re.compile(r"\S*\.[A-Za-z]\w{0,15}")
"""A file's name with an ending, which is no word of prose."""

_BADGES = ("learned", "fixed", "computed", "tensor")
"""Badges that are known. Of any other word it takes the excerpts to tell that it is one."""
_SURE_BADGES = ("learned", "fixed", "computed")
"""Those with which names do not begin, so that the excerpts are not needed."""
_BEGINS = re.compile(r"[^\W\d_]|[(\[{\"'~*-]")
"""What an expression begins with."""
_LOWER = re.compile(r"[a-z]{1,32}")
_SHORTEST_BADGE = 4
_SHORTEST_NAME = 3
"""Letters of an unknown badge, and characters of what is left: `softmax` is no badge before an `x`."""

_MOST = 200
"""Places of expressions that a page may name: each is looked for, and has the expression's text."""
_LONGEST = 4096
"""Characters of an expression."""
_LISTED = 10
"""Places that an error lists."""


@dataclass(frozen=True, slots=True)
class Expression:
    """An expression at one place."""

    text: str
    """Without the badge, its white space collapsed."""
    piece: Piece
    """Evidence from the same file at the same pin."""
    lines: LineRange
    at: Position = field(compare=False)
    """Its line."""

    @property
    def place(self) -> tuple[str, tuple[str, str, str], str, LineRange]:
        """All that makes it the one that it is."""
        return self.text, self.piece.pin, self.piece.path, self.lines


def read_expressions(layout: Layout, pieces: list[Piece]) -> tuple[list[Expression], list[Remark]]:
    """The expressions of a page's head, one for each range of lines, in the page's order.

    Raises:
        PageError: lines that no file of the code list holds, or several do; a file that no evidence is from; a
            file's name that means several; a range that is reversed or begins at line 0; more or longer expressions
            than any page has.
    """
    found: dict[tuple[str, tuple[str, str, str], str, LineRange], Expression] = {}
    remarks: list[Remark] = []
    where = _Where(layout, pieces)
    words: _Words | None = None
    count = 0
    for line in _lines(layout):
        words = words or _Words(layout, pieces)
        for expression in _read(line, words, where):
            count += 1
            if count > _MOST:
                raise PageError(line.at, f"more than {_MOST} places of expressions: no page has so many")
            if isinstance(expression, Remark):
                remarks.append(expression)
            elif expression.place in found:
                remarks.append(Remark(expression.at, "this expression stands above already, and counts once"))
            else:
                found[expression.place] = expression
    return list(found.values()), remarks


@dataclass(frozen=True, slots=True)
class _Line:
    """A line of the head that may be an expression and its places."""

    layout: Layout
    index: int
    text: str
    """With its badge."""
    places: tuple[tuple[str | None, str], ...]
    """File, None where it is not named, and ranges as written; nothing where the line ends with something else."""

    @property
    def at(self) -> Position:
        return self.layout.at(self.index)


def _lines(layout: Layout) -> Iterator[_Line]:
    for index in range(layout.title + 1, layout.end):
        line = layout.lines[index]
        if _DOT not in line or line[0] == " " or _OTHER.match(line) or _CRUMB in line:
            continue
        parts = line.split(_DOT)
        places: list[tuple[str | None, str]] = []
        while len(parts) > 1 and (match := _PLACE.fullmatch(_LINE_MARK.sub("", parts[-1]))) is not None:
            # Only the last may leave its file out: `60` before it belongs to the expression.
            if places and not _FILE.fullmatch(match["file"] or ""):
                break
            places.append((match["file"], match["lines"]))
            parts.pop()
        text = _DOT.join(parts)
        if layout.cells(index) is None and _IDENTIFIER.search(text):
            yield _Line(layout, index, text, tuple(reversed(places)))


def _read(line: _Line, words: _Words, where: _Where) -> Iterator[Expression | Remark]:
    text = _without_badge(line.text, words)
    if not line.places:
        if text != line.text:
            yield Remark(line.at, "this begins as an expression, but no lines end it: it is left out")
        return
    files = [file for file, _ in line.places if file is not None]
    if not all(map(where.is_file, files)):
        return
    code = _is_code(line.text, text, words)
    if not files and not code and (_is_prose(text) or not _is_shown(line, where)):
        return
    text = words.straight(text)
    if len(text) > _LONGEST:
        raise PageError(line.at, f"an expression of more than {_LONGEST:,} characters")
    yield from _placed(line, text, where, code=code)


def _placed(line: _Line, text: str, where: _Where, *, code: bool) -> Iterator[Expression | Remark]:
    """An expression at each of its places."""
    for named, ranges in line.places:
        for lines in line.layout.ranges(ranges, line.index):
            if named is None:
                file, piece = where.holding(lines, line.at)
            else:
                file, piece = named, where.named(named, lines, line.at)
            if piece is None and (code or _NAMED.fullmatch(file)):
                message = (
                    f"no pinned revision is known for {file}: the page's evidence is from {where.pinned}"
                )
                raise PageError(line.at, message)
            if piece is None:
                message = f"no pinned revision is known for {file}: what stands on this line is left out"
                yield Remark(line.at, message)
            else:
                yield Expression(text, piece, lines, line.at)


def _is_shown(line: _Line, where: _Where) -> bool:
    """Whether the page shows all the lines that are named, of whichever file."""
    try:
        ranges = [lines for _, text in line.places for lines in line.layout.ranges(text, line.index)]
    except PageError:
        return False
    return all(map(where.has, ranges))


def _is_code(shown: str, text: str, words: _Words) -> bool:
    """Whether a line is code for sure, and not prose such as `Steam Works · 1784`."""
    if text != shown or _CODE.search(text):
        return True
    first = _IDENTIFIER.match(text)
    return first is not None and first[0] in words and not _PROSE.search(text)


def _is_prose(text: str) -> bool:
    """Whether words stand side by side, and no keyword begins them."""
    return _PROSE.search(text) is not None and _CODE.search(text) is None and not _KEYWORD.match(text)


def _without_badge(text: str, words: _Words) -> str:
    first = _IDENTIFIER.match(text)
    if first is None or first[0] in words:
        return text
    name = first[0]
    letters = _LOWER.match(name)
    for badge in _BADGES:
        if name.startswith(badge) and name[len(badge) :] in words:
            return text[len(badge) :]
    for size in range(_SHORTEST_BADGE, (letters.end() if letters else 0) + 1):
        if len(name) - size >= _SHORTEST_NAME and name[size:] in words:
            return text[size:]
    for badge in _SURE_BADGES:
        if name.startswith(badge) and _BEGINS.match(text, len(badge)):
            return text[len(badge) :]
    return text


class _Words:
    """What all excerpts of a page have: identifiers, and the text itself."""

    def __init__(self, layout: Layout, pieces: Iterable[Piece]) -> None:
        quotes = [*(piece.quote for piece in pieces), *(excerpt.quote for excerpt in layout.shown)]
        self._quotes = [quote for quote in quotes if quote is not None]
        self._words: set[str] = set()
        for quote in self._quotes:
            self._words.update(match[0] for match in _IDENTIFIER.finditer(quote))

    def straight(self, text: str) -> str:
        """The text with straight quotation marks, unless an excerpt has it as it stands."""
        made = text.translate(_STRAIGHT)
        return text if made == text or any(text in quote for quote in self._quotes) else made

    def __contains__(self, name: str) -> bool:
        return name in self._words


class _Where:
    """From what a head says of a place to the evidence that has its file and its pin."""

    def __init__(self, layout: Layout, pieces: list[Piece]) -> None:
        self._pieces = pieces
        self._files = _one_a_file(pieces)
        self._listed = layout.listed
        self._names = {entry.file for entry in layout.listed} | {p.path.rpartition("/")[2] for p in pieces}
        self._ranges = Ranges(each.lines for each in self._listed or pieces)

    @property
    def pinned(self) -> str:
        """The files of the evidence, for people."""
        return _listed(dict.fromkeys(piece.path for piece in self._files))

    def is_file(self, name: str) -> bool:
        """Whether a word that stands before lines is a file's name."""
        return _FILE.fullmatch(name) is not None or name in self._names

    def has(self, lines: LineRange) -> bool:
        """Whether the page shows these lines of any file."""
        return self._ranges.hold(lines)

    def named(self, file: str, lines: LineRange, at: Position) -> Piece | None:
        """Evidence from a file; None where there is none."""
        meant = [piece for piece in self._files if piece.is_in(file)]
        if len(meant) > 1:
            # Of several that have the name, it is the one whose evidence has the lines.
            near = [piece for piece in self._pieces if piece.is_in(file) and piece.lines.holds(lines)]
            meant = _one_a_file(near) or meant
        if len(meant) > 1:
            one, other, *_ = (f"{p.owner}/{p.repository} @ {p.revision} {p.path}" for p in meant)
            raise PageError(at, f"{file} may be {one} or {other}: nothing tells which")
        return meant[0] if meant else None

    def holding(self, lines: LineRange, at: Position) -> tuple[str, Piece | None]:
        """The only file that has these lines, and evidence from it."""
        if not self._listed:
            pieces = _one_a_file(piece for piece in self._pieces if piece.lines.holds(lines))
            several = len({piece.path for piece in pieces}) < len(pieces)
            shown = [str(piece) if several else f"{piece.path} {piece.lines}" for piece in pieces]
            _expect_one(shown, lines, at, "evidence", (f"{p.path} {p.lines}" for p in self._pieces))
            return pieces[0].path, pieces[0]
        entries = {entry.file: entry for entry in reversed(self._listed) if entry.lines.holds(lines)}
        shown = [str(entry) for entry in sorted(entries.values(), key=self._listed.index)]
        _expect_one(shown, lines, at, "code list", map(str, self._listed))
        (file,) = entries
        return file, self.named(file, lines, at)


def _one_a_file(pieces: Iterable[Piece]) -> list[Piece]:
    """The first piece of each file at each pin."""
    files: dict[tuple[tuple[str, str, str], str], Piece] = {}
    for piece in pieces:
        files.setdefault((piece.pin, piece.path), piece)
    return list(files.values())


def _expect_one(holders: list[str], lines: LineRange, at: Position, what: str, there: Iterable[str]) -> None:
    if len(holders) > 1:
        message = f"{lines} lies in both {holders[0]} and {holders[1]}: name the file"
        raise PageError(at, message)
    if not holders:
        raise PageError(at, f"{lines} lies outside the {what}, which has {_listed(there)}")


def _listed(there: Iterable[str]) -> str:
    listed = list(islice(there, _LISTED + 1))
    more = ", …" if len(listed) > _LISTED else ""
    return f"{', '.join(listed[:_LISTED])}{more}"
