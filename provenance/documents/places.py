"""Places in files as a page names them, and which of them hold which."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from dataclasses import dataclass
from itertools import accumulate
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from provenance.citation import LineRange


@dataclass(frozen=True, slots=True)
class Place:
    """What the page's code list and the headings of its excerpts name."""

    file: str
    """The file's name, without its folders as a rule."""
    lines: LineRange

    def __str__(self) -> str:
        return f"{self.file} {self.lines}"


class Places:
    """Places by file: a page can name so many that looking at each of them again and again takes too long."""

    def __init__(self, places: Iterable[Place]) -> None:
        by_file: dict[str, list[LineRange]] = {}
        for place in places:
            by_file.setdefault(place.file, []).append(place.lines)
        self._by_file = {file: Ranges(ranges) for file, ranges in by_file.items()}

    def hold(self, place: Place) -> bool:
        """Whether at least one of these holds the place."""
        ranges = self._by_file.get(place.file)
        return ranges is not None and ranges.hold(place.lines)

    def lie_in(self, place: Place) -> bool:
        """Whether the place holds at least one of these."""
        ranges = self._by_file.get(place.file)
        return ranges is not None and ranges.lie_in(place.lines)


class Ranges:
    """Ranges of lines, such as those of one file."""

    def __init__(self, ranges: Iterable[LineRange]) -> None:
        sorted_ = sorted(ranges)
        self._firsts = [each.first for each in sorted_]
        self._furthest = list(accumulate((each.last for each in sorted_), max))
        """For each range, the furthest last line of it and of those before."""
        self._nearest = list(accumulate((each.last for each in reversed(sorted_)), min))[::-1]
        """For each range, the nearest last line of it and of those behind."""

    def hold(self, lines: LineRange) -> bool:
        """Whether at least one of these holds the lines."""
        before = bisect_right(self._firsts, lines.first)
        return before > 0 and self._furthest[before - 1] >= lines.last

    def lie_in(self, lines: LineRange) -> bool:
        """Whether the lines hold at least one of these."""
        behind = bisect_left(self._firsts, lines.first)
        return behind < len(self._firsts) and self._nearest[behind] <= lines.last
