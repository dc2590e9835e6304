"""A quote, the range it is cited for and the file: what each test of the comparison looks at, made once."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from provenance.citation import LineRange
from provenance.compare.gaps import Ground
from provenance.compare.glob import Fit, fill, stand
from provenance.compare.layout import BLANK, Canon, layouts, places
from provenance.compare.marks import readings, rows
from provenance.compare.scattered import scattered
from provenance.compare.tabs import viable
from provenance.extract.lines import normalise

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from provenance.compare.layout import Layout, Place
    from provenance.extract.lines import Text

_NEAR = 20
"""Lines before and behind a single cited line in which a quote may be scattered, beside twice its own length."""


class Question:
    """Where does the quote stand?"""

    def __init__(self, quote: str, lines: LineRange, text: Text) -> None:
        self.lines = lines
        self.text = text
        self._everything = LineRange(1, max(len(text), 1))
        self.quote = normalise(quote).split("\n")
        """The quote's lines, without terminators."""
        self._layouts = layouts("\n".join(self.quote), text.text)
        self.plain = Canon.of(self.quote, self._layouts[0])
        self._rows = rows(self.plain)
        self.marked = any(not row.plain for row in self._rows)
        """Whether anything in it may be an omission mark."""
        marks = {number for number, row in zip(self.plain.numbers, self._rows, strict=True) if row.mark}
        self.code = [line for number, line in enumerate(self.quote, 1) if number not in marks]
        """The quote's lines without those that may be marks, blank ones included."""
        self._quotes: dict[Layout, Canon] = {self._layouts[0]: self.plain}
        self._viable: dict[LineRange, Sequence[Layout]] = {}
        self._sources: dict[tuple[Layout, LineRange], Canon] = {}

    @cached_property
    def places(self) -> list[Fit]:
        """Where in the file it stands, the nearest first: line upon line, or else with what marks leave out."""
        found = self._contiguous(self._everything) or self._elided()
        return sorted(found, key=lambda fit: (fit.lines.distance(self.lines), fit.lines))

    @property
    def layout(self) -> Layout:
        """The likeliest way of showing tabs."""
        return self._layouts[0]

    def source(self) -> Canon:
        """The file in the likeliest layout."""
        return self._pair(self._layouts[0], self._everything)[1]

    def whole(self) -> Fit | None:
        """The cited range, line upon line."""
        return next((fit for fit in self._contiguous(self.lines, whole=True)), None)

    def filled(self) -> Fit | None:
        """The cited range, but for what marks leave out."""
        if not self.marked:
            return None
        lying = None
        for layout in self._ways(self.lines):
            quote, source = self._pair(layout, self.lines)
            for reading in readings(rows(quote), source):
                fit = fill(reading, source, self._ground)
                if fit and not fit.lies:
                    return fit
                lying = lying or fit
        return lying

    def within(self) -> list[Fit]:
        """Tight stretches of the cited range that hold the quote: line upon line, or else with lines left out."""
        return (
            self._contiguous(self.lines)
            or self._truthful(self._standing(self.lines))
            or self._scattered(self.lines, None)
        )

    @cached_property
    def around(self) -> list[Fit]:
        """Tight stretches that hold the single cited line and, around it, the quote with other lines between."""
        reach = _NEAR + 2 * len(self.quote)
        line = self.lines.first
        near = LineRange(max(1, line - reach), min(len(self.text), line + reach))
        return self._scattered(near, line)

    @cached_property
    def _ground(self) -> Ground:
        solid = [number for number, line in enumerate(self.text.lines, 1) if line.strip(BLANK)]
        return Ground(len(self.text), solid)

    def _ways(self, lines: LineRange) -> Sequence[Layout]:
        """The ways of showing tabs under which the quote may stand in a stretch."""
        known = self._viable.get(lines)
        if known is None:
            read = zip(self.plain.numbers, self._rows, strict=True)
            code = [self.quote[number - 1] if row.plain else None for number, row in read]
            known = self._viable[lines] = viable(code, self.text.slice(lines), self._layouts)
        return known

    def _pair(self, layout: Layout, lines: LineRange) -> tuple[Canon, Canon]:
        """The quote and a stretch of the source in canonical form."""
        source = self._sources.get((layout, lines))
        if source is None:
            source = Canon.of(self.text.slice(lines), layout, first=lines.first)
            self._sources[layout, lines] = source
        quote = self._quotes.get(layout)
        if quote is None:
            quote = self._quotes[layout] = Canon.of(self.quote, layout)
        return quote, source

    def _contiguous(self, lines: LineRange, *, whole: bool = False) -> list[Fit]:
        for layout in self._ways(lines):
            quote, source = self._pair(layout, lines)
            if whole and len(quote) != len(source):
                return []
            found = [self._spanned(quote, source, place) for place in places(quote, source)]
            if found:
                return found
        return []

    def _spanned(self, quote: Canon, source: Canon, place: Place) -> Fit:
        """A place as lines of the file, with the blank lines that the quote shows at its ends where they are there."""
        first, last = source.numbers[place.start], source.numbers[place.start + len(quote) - 1]
        above, below = quote.numbers[0] - 1, len(self.quote) - quote.numbers[-1]
        over = source.numbers[place.start - 1] if place.start else source.first - 1
        under = (
            source.numbers[place.start + len(quote)]
            if place.start + len(quote) < len(source)
            else source.last + 1
        )
        return Fit(
            LineRange(max(first - above, over + 1), min(last + below, under - 1)),
            place.shift,
        )

    def _standing(self, lines: LineRange) -> list[Fit]:
        if not self.marked:
            return []
        lying: list[Fit] = []
        for layout in self._ways(lines):
            quote, source = self._pair(layout, lines)
            for reading in readings(rows(quote), source):
                fits = stand(reading, source, self._ground, self.lines.first)
                if self._truthful(fits):
                    return fits
                lying = lying or fits
        return lying

    @cached_property
    def _everywhere(self) -> list[Fit]:
        return self._standing(self._everything)

    def _elided(self) -> list[Fit]:
        return self._truthful(self._everywhere)

    def lying(self) -> list[Fit]:
        """Where it would stand if what its marks state were so, the nearest first."""
        filled = self.filled()
        if filled and filled.lies:
            return [filled]
        found = [fit for fit in self._everywhere if fit.lies]
        return sorted(found, key=lambda fit: (fit.lines.distance(self.lines), fit.lines))

    @staticmethod
    def _truthful(fits: Iterable[Fit]) -> list[Fit]:
        return [fit for fit in fits if not fit.lies]

    def _scattered(self, lines: LineRange, through: int | None) -> list[Fit]:
        for layout in self._ways(lines):
            quote, source = self._pair(layout, lines)
            for reading in readings(rows(quote), source):
                fit = scattered(reading, source, self._ground, through=through)
                if fit and not fit.lies:
                    return [fit]
        return []
