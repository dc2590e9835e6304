"""The form of an evidence page: which of its lines are the page's own, and what stands between them.

A page is the text of a web page that describes one component of a model. Its head begins with a title; what else it
asserts, `expressions`, `quantities` and `sources` read. Under `Code` stand a list of places and an excerpt of each;
under `Sources` each piece of evidence has five parts:

    Direct evidence                             (or: Contextual evidence from Feature projection)
    The claim, a sentence or more.
    conv-relu · owner/repository / path/of/file.py
    Pinned revision 0c66117d4297 ↗ · lines 99-103
    Read code excerpt

and then the excerpt. Lines of this form count at the left margin alone, so that code can hold them, and a
heading opens evidence only if the pointer and the pin follow it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

from provenance.citation import LineRange
from provenance.documents.places import Place, Places
from provenance.errors import InvalidRecord, PageError, Position

if TYPE_CHECKING:
    from collections.abc import Iterator

FORM = (
    "expected `Direct evidence` or `Contextual evidence from …`, a claim, `id · owner/repository / path`, "
    "`Pinned revision … · lines A-B` and `Read code excerpt`"
)
"""What an error says that a page looks like."""

_SPACE = re.compile("[\t\xa0\u2000-\u200a\u202f\u205f\u3000]")
_UNSEEN = re.compile(
    "[\0-\x08\x0b-\x1f\x7f-\x9f\xad\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufe0e\ufe0f\ufeff]"
)
_NO_BREAK_INDENT = re.compile("[ \t\xa0]*\xa0[ \t\xa0]*")

_RANGE = r"[0-9]{1,9}(?:\s*[-\u2010-\u2015\u2212]\s*[0-9]{1,9})?"
RANGES = rf"{_RANGE}(?:, {_RANGE})*"
"""One range of lines or several, as a pattern."""
_MOST_PLACES = 1000
"""Places that a code list may name."""
_LONGEST_PATH = 4096
"""Characters; no system that git runs on takes more."""
_KIND = re.compile(r"Direct evidence|Contextual evidence from (?P<of>\S.*)")
_POINTER = re.compile(
    r"(?P<id>[^\s·](?:[^·]{0,78}[^\s·])?) · "
    r"(?P<owner>[\w.-]{1,39})/(?P<repository>[\w.-]{1,100}) / (?P<path>\S.*)",
    re.ASCII,
)
_PINNED = re.compile(rf"Pinned revision (?P<revision>[^\s↗]+) ?↗? ?· ?lines? (?P<lines>{_RANGE})")
_PIN_BEGINS = "Pinned revision "
_EXCERPT_BEGINS = "Read code excerpt"
_SOURCES = re.compile(r"Sources ?(?P<count>[0-9]{0,6})")
_PLACE = rf"(?>[^\s·,][^·,]*? {RANGES}(?= · |\Z))"
"""Atomic: a list that is none in the end would else be tried in every way in which it can be cut."""
_CODE = re.compile(rf"Code ?(?P<list>{_PLACE}(?: · {_PLACE})*)")
_ENTRY = re.compile(rf"(?P<file>.*?) (?P<lines>{RANGES})")
_HEADING = re.compile(rf"(?P<file>\S.*?) (?P<lines>{_RANGE})")


@dataclass(frozen=True, slots=True)
class Shown:
    """An excerpt under `Code`."""

    place: Place
    quote: str | None
    """The excerpt, each line with its LF; None where there is none, as in every part of a page."""
    at: Position


@dataclass(frozen=True, slots=True)
class Piece:
    """A piece of evidence under `Sources`."""

    id: str
    owner: str
    repository: str
    path: str
    revision: str
    lines: LineRange
    of: str | None
    """The component it is contextual evidence for; None for direct evidence."""
    claim: str
    quote: str | None
    at: Position = field(compare=False)
    """Its heading."""

    @property
    def pin(self) -> tuple[str, str, str]:
        """Owner, repository and revision as written."""
        return self.owner, self.repository, self.revision

    def is_in(self, file: str) -> bool:
        """Whether a file's name, or the end of its path, means the file that this is evidence from."""
        return f"/{self.path}".endswith(f"/{file}")

    def __str__(self) -> str:
        return f"{self.owner}/{self.repository} @ {self.revision} {self.path} {self.lines}"


@dataclass(frozen=True, slots=True)
class _Head:
    """The parts of a piece of evidence before its excerpt."""

    start: int
    """Index of the heading."""
    end: int
    """Index of the line with the pin."""
    of: str | None
    claim: str
    pointer: re.Match[str]
    pin: re.Match[str]


class Layout:
    """The lines of one page, and where its parts are."""

    def __init__(self, text: str, name: str) -> None:
        """Find the evidence.

        Raises:
            PageError: the text is no evidence page, or a piece of evidence is not in the form of one.
        """
        self._name = name
        if "\0" in text:
            raise PageError(Position(name, 1), "this is no text: it holds NUL characters")
        self._raw = text.removeprefix("\ufeff").replace("\r\n", "\n").split("\n")
        self.lines = [own(line) for line in self._raw]
        """Each line as the page's own: one sort of space, nothing unseen; code keeps an indent."""
        self._heads = list(self._find_heads())
        self._refuse_stray_pins()
        first = self._heads[0].start
        self.announced, self.sources = self._find_sources(first)
        self._code = max((i for i in range(self.sources) if _CODE.fullmatch(self.lines[i])), default=None)

    def at(self, index: int) -> Position:
        """The position of a line."""
        return Position(self._name, index + 1)

    @property
    def end(self) -> int:
        """Index of the line at which the head ends: that of the code list, or the first of the sources."""
        return self.sources if self._code is None else self._code

    @property
    def head(self) -> list[str]:
        """The page's own lines before its code and sources that are not blank."""
        return [line for line in self.lines[: self.end] if line]

    @property
    def title(self) -> int:
        """Index of the first line of the head that is not blank; that of its end where there is none."""
        return next((index for index in range(self.end) if self.lines[index]), self.end)

    def cells(self, index: int) -> list[str] | None:
        """The cells of a table's row, which tabs set apart; None for a line that is blank or has no tab."""
        if "\t" not in self._raw[index] or not self.lines[index]:
            return None
        return [own(cell).strip() for cell in self._raw[index].split("\t")]

    @cached_property
    def listed(self) -> list[Place]:
        """The places of the code list, in its order."""
        if self._code is None or (match := _CODE.fullmatch(self.lines[self._code])) is None:
            return []
        places: list[Place] = []
        for text in match["list"].split(" · "):
            entry = _ENTRY.fullmatch(text)
            if entry is not None:
                places += [Place(entry["file"], lines) for lines in self.ranges(entry["lines"], self._code)]
        if len(places) > _MOST_PLACES:
            raise PageError(self.code, f"the code list names more than {_MOST_PLACES:,} places")
        return places

    @property
    def code(self) -> Position:
        """The position of the code list."""
        return self.at(self._code or 0)

    @cached_property
    def shown(self) -> list[Shown]:
        """The excerpts under `Code`, in the page's order."""
        if self._code is None:
            return []
        listed = Places(self.listed)
        starts: list[tuple[int, Place]] = []
        for index in range(self._code + 1, self.sources):
            match = _HEADING.fullmatch(self.lines[index])
            if match is None or not self._stands_alone(index):
                continue
            place = Place(match["file"], self._range(match["lines"], index))
            # What the list does not name is a line of the excerpt.
            if listed.hold(place):
                starts.append((index, place))
        ends = [*(index for index, _ in starts), self.sources][1:]
        return [
            Shown(place, self._quote(index + 1, end), self.at(index))
            for (index, place), end in zip(starts, ends, strict=True)
        ]

    def pieces(self) -> list[Piece]:
        """The evidence, in the page's order."""
        ends = [*(head.start for head in self._heads[1:]), len(self.lines)]
        return [self._piece(head, end) for head, end in zip(self._heads, ends, strict=True)]

    def headings_in_code(self) -> list[Position]:
        """Lines that read as a heading of evidence, and were taken for code."""
        starts = {head.start for head in self._heads}
        inside = range(self.sources, len(self.lines))
        return [self.at(i) for i in inside if i not in starts and _KIND.fullmatch(self.lines[i])]

    def _find_heads(self) -> Iterator[_Head]:
        for start, line in enumerate(self.lines):
            kind = _KIND.fullmatch(line)
            if kind is not None and (head := self._read_head(start, kind["of"])) is not None:
                yield head

    def _read_head(self, start: int, of: str | None) -> _Head | None:
        claim: list[str] = []
        index = start
        while (index := self.next_line(index)) < len(self.lines):
            line = self.lines[index]
            if _KIND.fullmatch(line) or line == _EXCERPT_BEGINS or line.startswith(_PIN_BEGINS):
                return None
            pointer = _POINTER.fullmatch(line)
            if pointer is None:
                claim.append(line.strip())
                continue
            end = self.next_line(index)
            pin = _PINNED.fullmatch(self.lines[end]) if end < len(self.lines) else None
            if pin is None:
                found = min(end, len(self.lines) - 1)
                raise PageError(self.at(found), "expected `Pinned revision … · lines A-B` after the pointer")
            return _Head(start, end, of, " ".join(claim), pointer, pin)
        return None

    def _refuse_stray_pins(self) -> None:
        read = {head.end for head in self._heads}
        for index, line in enumerate(self.lines):
            if line.startswith(_PIN_BEGINS) and index not in read:
                raise PageError(self.at(index), f"a pinned revision without all that belongs to it: {FORM}")
        if not self._heads:
            raise PageError(self.at(0), f"this is no evidence page: {FORM}")

    def _find_sources(self, first: int) -> tuple[int | None, int]:
        """How many pieces the heading of the sources announces, and its index or that of the first piece."""
        before = first - 1
        while before >= 0 and not self.lines[before]:
            before -= 1
        match = _SOURCES.fullmatch(self.lines[before]) if before >= 0 else None
        if match is None:
            return None, first
        return (int(match["count"]) if match["count"] else None), before

    def _piece(self, head: _Head, end: int) -> Piece:
        begins = self.next_line(head.end)
        if len(head.pointer["path"]) > _LONGEST_PATH:
            raise PageError(self.at(head.start), f"a path of more than {_LONGEST_PATH:,} characters")
        quote = (
            self._quote(begins + 1, end) if begins < end and self.lines[begins] == _EXCERPT_BEGINS else None
        )
        return Piece(
            id=head.pointer["id"],
            owner=head.pointer["owner"],
            repository=head.pointer["repository"],
            path=head.pointer["path"],
            revision=head.pin["revision"],
            lines=self._range(head.pin["lines"], head.end),
            of=head.of,
            claim=head.claim,
            quote=quote,
            at=self.at(head.start),
        )

    def next_line(self, index: int) -> int:
        """The index of the next line that is not blank; the number of lines where there is none."""
        index += 1
        while index < len(self.lines) and not self.lines[index]:
            index += 1
        return index

    def _stands_alone(self, index: int) -> bool:
        return not self.lines[index - 1] and index + 1 < len(self.lines) and not self.lines[index + 1]

    def _quote(self, start: int, end: int) -> str | None:
        while start < end and not self.lines[start]:
            start += 1
        while start < end and not self.lines[end - 1]:
            end -= 1
        return "".join(f"{_spaced(line)}\n" for line in self._raw[start:end]) or None

    def ranges(self, text: str, index: int) -> list[LineRange]:
        """One range of lines or several, of the form `RANGES`.

        Raises:
            PageError: one is reversed or starts at line 0; the error names the line of this index.
        """
        return [self._range(each, index) for each in text.split(", ")]

    def _range(self, text: str, index: int) -> LineRange:
        try:
            return LineRange.parse(text)
        except InvalidRecord as error:
            raise PageError(self.at(index), str(error)) from error


def own(line: str) -> str:
    """A line as a page's own: one sort of space, a run of it as one, nothing unseen, and an indent kept."""
    return re.sub(" +", " ", _SPACE.sub(" ", _UNSEEN.sub("", line))).rstrip()


def _spaced(line: str) -> str:
    """A line of code whose indentation a browser may have kept with no-break spaces."""
    indent = _NO_BREAK_INDENT.match(line)
    return line if indent is None else indent[0].replace("\xa0", " ") + line[indent.end() :]
