"""Where in a file an expression stands: at its lines, or anywhere."""

from __future__ import annotations

import re
from bisect import bisect_right
from functools import cached_property, lru_cache
from itertools import islice
from typing import TYPE_CHECKING

from provenance.citation import LineRange
from provenance.compare.expressions.fitting import Fitting
from provenance.compare.expressions.wanted import wanted
from provenance.extract.code import Steps
from provenance.extract.plain import Plain

if TYPE_CHECKING:
    from collections.abc import Iterator

    from provenance.compare.expressions.fitting import Fit
    from provenance.compare.expressions.wanted import Pattern, Wanted
    from provenance.extract.code import Code, Span
    from provenance.extract.lines import Text
    from provenance.extract.syntax import Syntax

_MOST_STEPS = 200_000
"""Of one judgement; a step takes about a microsecond."""
_MOST_VERBATIM = 100
"""Places where the very text stands that are looked at."""
_MOST_SEEN = 10_000
"""Places where the first token stands that are looked at, in each direction."""
_NEAR = 65_536
"""Bytes before the cited lines that come before what is farther up."""
_MOST_PLACES = 5_000
"""Places that are tried where the next few tokens stand there, too."""
_MOST_LOOSE = 1_000
"""Places that are tried where the first token alone does."""
_WORD = re.compile(rb"[\w\x80-\xff]")
_QUOTE = re.compile(rb"[\"'`]")


class Seeker:
    """Looks for one expression in one file."""

    def __init__(self, expression: str, lines: LineRange, text: Text, syntax: Syntax | None) -> None:
        self.lines = lines
        self.expression = expression
        self._language = None if syntax is None else syntax.language
        self._code: Code = Plain(text.text.encode("utf-8", "replace")) if syntax is None else syntax
        self._bytes = expression.encode("utf-8", "replace")
        self._steps = Steps(_MOST_STEPS)
        self._cited = self._bytes_of(lines)

    @cached_property
    def wanted(self) -> Wanted:
        """What the expression asks for."""
        return wanted(self.expression, self._language)

    @property
    def is_spent(self) -> bool:
        """Whether the search came to its end early."""
        return self._steps.left <= 0

    def is_verbatim(self) -> bool:
        """Whether the very text stands at the cited lines, as a piece of code in itself."""
        size = len(self._bytes)
        return any(self._code.whole(start, start + size) for start in self._verbatim(self._cited))

    def here(self) -> Fit | None:
        """Where it begins within the cited lines, the best such place.

        Best is where nothing is left out without a mark, and then where its marks stand for something.
        """
        lacking: Fit | None = None
        for pattern in self.wanted.readings:
            fitting = Fitting(pattern, self._code, self._steps)
            idle: Fit | None = None
            for fit in filter(None, map(fitting.at, self._near(pattern))):
                if fit.left:
                    lacking = lacking or fit
                elif fit.idle:
                    idle = idle or fit
                else:
                    return fit
            if idle is not None:
                return idle
        return lacking

    def anywhere(self) -> list[Fit]:
        """Where it stands in the file, the nearest first.

        Places with arguments left out count only where there is no other.
        """
        lacking: list[Fit] = []
        for pattern in self.wanted.readings:
            fitting = Fitting(pattern, self._code, self._steps)
            for loose in (False, True) if pattern.follows else (True,):  # comments may stand between tokens
                found = list(filter(None, map(fitting.at, self._far(pattern, loose=loose))))
                full = [fit for fit in found if not fit.left]
                if full:
                    return sorted(full, key=self._distance)
                lacking = lacking or found
                if found:
                    break
        return sorted(lacking, key=self._distance)

    def _distance(self, fit: Fit) -> tuple[int, LineRange, int]:
        span = self.span(fit)
        return span.distance(self.lines), span, fit.start

    def span(self, fit: Fit) -> LineRange:
        """The lines of a fit."""
        return LineRange(self._line(fit.start), self._line(fit.end - 1))

    def shown(self, stretch: Span) -> str:
        """A stretch of the file on one line."""
        start, end = stretch
        return " ".join(self._code.data[start:end].decode("utf-8", "replace").split()).rstrip(",")

    def is_same(self, fit: Fit) -> bool:
        """Whether a fit is the expression letter by letter."""
        return self._code.data[fit.start : fit.end] == self._bytes

    def elsewhere(self) -> tuple[int, str] | None:
        """A line where the very text stands and is no code in itself, the cited ones first, and what holds it there.

        That is `comment` or `string`, or empty for a larger piece of code.
        """
        everything = (0, len(self._code.data))
        for region in (self._cited, everything):
            for start in self._verbatim(region):
                held = self._code.inside(start, start + len(self._bytes))
                return self._line(start), held
        return None

    def _bytes_of(self, lines: LineRange) -> Span:
        """Where lines begin and end; those past the file's end are missing."""
        starts, size = self._code.starts, len(self._code.data)
        if lines.first > len(starts):
            return size, size
        return starts[lines.first - 1], starts[lines.last] if lines.last < len(starts) else size

    def _line(self, offset: int) -> int:
        return bisect_right(self._code.starts, offset)

    def _verbatim(self, region: Span) -> Iterator[int]:
        """Where the very text begins within a region; it may end behind it."""
        start, stop = region
        for _ in range(_MOST_VERBATIM):
            start = self._code.data.find(self._bytes, start, stop - 1 + len(self._bytes))
            if start < 0:
                return
            yield start
            start += 1

    def _near(self, pattern: Pattern) -> Iterator[int]:
        """Where a pattern may begin within the cited lines."""
        start, stop = self._cited
        first = pattern.begins
        if not first:
            yield from self._quotes(pattern.prefix, start, stop)
            return
        data, size = self._code.data, len(first)
        start = data.find(first, start, stop - 1 + size)
        while start >= 0 and not self.is_spent:
            yield start
            self._steps.left -= 1
            start = data.find(first, start + 1, stop - 1 + size)

    def _far(self, pattern: Pattern, *, loose: bool) -> list[int]:
        """Where a pattern may begin in the file, the nearest places first.

        Args:
            pattern: The pattern.
            loose: Whether its first token alone has to stand there; else the next few right behind it as well.
        """
        start, stop = self._cited
        first = pattern.begins
        if first:
            spots = self._around(first, () if loose else pattern.follows)
        else:
            spots = self._quotes(pattern.prefix, 0, len(self._code.data))
        middle = (start + stop) // 2
        nearest = sorted(islice(spots, _MOST_SEEN), key=lambda offset: abs(offset - middle))
        return nearest[: _MOST_LOOSE if loose else _MOST_PLACES]

    def _around(self, first: bytes, follows: tuple[bytes, ...]) -> Iterator[int]:
        """Where tokens stand: from the cited lines on, then before them, then far before them."""
        middle = self._cited[0]
        near = max(0, middle - _NEAR)
        for start, stop in ((middle, len(self._code.data)), (near, middle), (0, near)):
            yield from self._between(first, follows, start, stop)

    def _between(self, first: bytes, follows: tuple[bytes, ...], start: int, stop: int) -> Iterator[int]:
        """Where tokens stand that begin in a stretch."""
        size = len(first)
        _, blanks = _layout(self._code.gap)
        behind = follows[0] if follows else b""
        is_word = _WORD.match(first) is not None
        before, *pieces = self._code.data[start : stop - 1 + size].split(first, _MOST_SEEN)
        end = start + len(before)
        for piece in pieces:
            end += size
            may_follow = not piece or piece[:1] in blanks or piece.startswith(behind)
            if (
                may_follow
                and self._follow(follows, end)
                and not (is_word and self._is_word_before(end - size))
            ):
                yield end - size
            end += len(piece)

    def _follow(self, keys: tuple[bytes, ...], end: int) -> bool:
        """Whether tokens stand behind an offset, with nothing but layout between."""
        data = self._code.data
        layout, _ = _layout(self._code.gap)
        for key in keys:
            gap = layout.match(data, end)
            end = end if gap is None else gap.end()
            if not data.startswith(key, end):
                return False
            end += len(key)
        return True

    def _is_word_before(self, offset: int) -> bool:
        return offset > 0 and _WORD.match(self._code.data, offset - 1) is not None

    def _quotes(self, prefix: int, start: int, stop: int) -> Iterator[int]:
        """Where strings may begin that have so many letters before their quotation mark."""
        for found in _QUOTE.finditer(self._code.data, start + prefix, stop + prefix):
            yield found.start() - prefix


@lru_cache
def _layout(gap: str) -> tuple[re.Pattern[bytes], frozenset[bytes]]:
    """What may stand between two tokens, and what that begins with."""
    pattern = re.compile(gap.encode())
    signs = [bytes([sign]) for sign in range(256)]
    return pattern, frozenset(sign for sign in signs if pattern.fullmatch(sign))
