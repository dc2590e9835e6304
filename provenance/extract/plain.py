"""Code in a language that nothing is known of: words and signs for tokens, balanced brackets for nodes."""

from __future__ import annotations

import re
from functools import cached_property
from typing import TYPE_CHECKING, Self

from provenance.extract.code import CLOSES, COMMA, NO_EDGE, OPENS, line_starts

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from provenance.extract.code import Edge, Span, Steps

_TOKEN = re.compile(rb"[\w\x80-\xff]+|\.\.\.|[^\w\s]")
"""A word, whose letters beyond ASCII are several bytes each, an ellipsis or one other character."""
_WORD = re.compile(rb"[\w\x80-\xff]")
_BRACKET = re.compile(rb"[()\[\]{}]")
_MOST_ITEMS = 50
"""Items of a list that are named."""
_MOST_BRACKETS = 100_000
"""A stretch with more of them counts as one that does not balance."""


class Plain:
    """A file without a grammar, for whoever asks where code stands in it."""

    gap = r"\s*+"
    """A regular expression for what may stand between two tokens: white space is all that is known to mean nothing."""

    def __init__(self, data: bytes) -> None:
        self.data = data
        """The file in UTF-8."""

    @cached_property
    def starts(self) -> Sequence[int]:
        """The offset at which each line begins; `starts[0]` is line 1."""
        return line_starts(self.data)

    def leaves(self, offset: int, steps: Steps, *, bounded: bool = False) -> PlainLeaves | None:  # noqa: ARG002
        """The tokens from the one that begins at an offset; None where none does."""
        if offset and _WORD.match(self.data, offset) and _WORD.match(self.data, offset - 1):
            return None
        place = PlainLeaves(self.data, steps, offset)
        place.advance()
        return place if place.key and place.start == offset else None

    def first(self, steps: Steps) -> PlainLeaves:
        """The tokens from the first one on."""
        place = PlainLeaves(self.data, steps, 0)
        place.advance()
        return place

    def whole(
        self,
        start: int,
        end: int,
        *,
        single: bool = False,  # noqa: ARG002
        led: bool = False,  # noqa: ARG002
    ) -> bool:
        """Whether a stretch cuts no word in two, and its brackets are balanced."""
        data = self.data
        if start and _WORD.match(data, start - 1) and _WORD.match(data, start):
            return False
        if _WORD.match(data, end - 1) and _WORD.match(data, end):
            return False
        opened: list[bytes] = []
        for count, bracket in enumerate(_BRACKET.finditer(data, start, end)):
            opener = CLOSES.get(bracket[0])
            if opener is None:
                opened.append(bracket[0])
            elif not opened or opened.pop() != opener:
                return False
            if count > _MOST_BRACKETS:
                return False
        return not opened

    def begins_statement(self, offset: int, steps: Steps) -> bool:  # noqa: ARG002
        """Nothing is known of statements."""
        return False

    def inside(self, start: int, end: int) -> str:  # noqa: ARG002
        """Nothing is known of comments and strings."""
        return ""


class _Bracket:
    """An opening bracket that has not been closed yet."""

    __slots__ = ("call", "commas", "sign")

    def __init__(self, sign: bytes, *, call: bool, commas: int = 0) -> None:
        self.sign = sign
        self.call = call
        """Whether it is round and stands behind a word or a closing bracket."""
        self.commas = commas
        """Commas passed since, at its own depth."""


class PlainLeaves:
    """A place among words and signs."""

    __slots__ = ("_data", "_steps", "edge", "end", "key", "opened", "start")

    def __init__(self, data: bytes, steps: Steps, offset: int) -> None:
        self._data = data
        self._steps = steps
        self.opened: list[_Bracket] = []
        """The brackets around the next token, as far as they were passed."""
        self.start = self.end = offset
        self.key = b""
        self.edge: Edge | None = NO_EDGE

    def fork(self) -> Self:
        """The same place, to go on from elsewhere."""
        copy = type(self)(self._data, self._steps, self.end)
        copy.opened = [_Bracket(item.sign, call=item.call, commas=item.commas) for item in self.opened]
        copy.start, copy.key = self.start, self.key
        self._steps.left -= 1 + len(self.opened)
        return copy

    def advance(self) -> None:
        """Go on to the next token."""
        self._pass()
        self._steps.left -= 1
        found = _TOKEN.search(self._data, self.end) if self._steps.left > 0 else None
        if found is None:
            self.start = self.end = len(self._data)
            self.key = b""
        else:
            self.start, self.end = found.span()
            self.key = found[0]

    def spare(self) -> bool:
        """Whether the comma here would mean nothing before a closing bracket."""
        if not self.opened:
            return False
        around = self.opened[-1]
        return around.call or around.sign != b"(" or around.commas > 0

    def past_runs(self, before: bytes | None) -> Iterator[tuple[int, Self]]:
        """Each run of tokens, whose brackets are balanced, that begins here; short ones first."""
        place, depth = self.fork(), len(self.opened)
        while place.key and self._steps.left > 0:
            if place.key in CLOSES and len(place.opened) <= depth:
                return
            end = place.end
            place.advance()
            if len(place.opened) == depth and self._may_stop(end, place, before):
                yield end, place.fork()

    def rest(self, *, opened: bool) -> tuple[list[Span], Self] | None:
        """The last items of a call's list, as far as brackets tell, and the place of its closing bracket."""
        if not self.opened or not self.opened[-1].call or not (opened or self.key == COMMA):
            return None
        place, depth = self.fork(), len(self.opened)
        items: list[Span] = []
        begin: int | None = None
        end = place.start
        while place.key and self._steps.left > 0:
            level = len(place.opened) == depth
            if level and (place.key == COMMA or place.key in CLOSES):
                if begin is not None and len(items) < _MOST_ITEMS:
                    items.append((begin, end))
                if place.key in CLOSES:
                    return (items, place) if items else None
                begin = None
            elif begin is None:
                begin = place.start
            end = place.end
            place.advance()
        return None

    def _may_stop(self, end: int, behind: Self, before: bytes | None) -> bool:
        """Whether a run may end at an offset; where nothing is wanted behind it, it goes on to the line's end."""
        if before in CLOSES:
            return behind.key in CLOSES
        return (
            before is not None
            or behind.key in CLOSES
            or b"\n" in self._data[end : behind.start]
            or not behind.key
        )

    def _pass(self) -> None:
        """Keep in mind which brackets are open behind the token here."""
        key = self.key
        if key in OPENS:
            self.opened.append(_Bracket(key, call=key == b"(" and self._is_called()))
        elif key in CLOSES and self.opened:
            self.opened.pop()
        elif key == COMMA and self.opened:
            self.opened[-1].commas += 1

    def _is_called(self) -> bool:
        before = self._data[max(0, self.start - 64) : self.start].rstrip()[-1:]
        return before in {b")", b"]"} or _WORD.match(before) is not None
