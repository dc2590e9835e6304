"""What a cited file's page shows: the whole file where it is not large, else its cited stretches. Pure."""

from __future__ import annotations

from itertools import accumulate
from typing import TYPE_CHECKING, NamedTuple

from provenance.citation import LineRange
from provenance.report.site.code import LONGEST, annotated
from provenance.report.site.facts import file_facts
from provenance.report.site.views import FileView, Stretch

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from provenance.evidence import Evidence
    from provenance.links.forges import Hosts
    from provenance.report.site.code import Lines
    from provenance.report.site.views import Entry

MOST_LINES = 5_000
"""Lines of a file that is shown whole, and of the stretches of a larger one."""
_MOST_CHARACTERS = 500_000
"""Characters of them."""
_WAYS = ((40, MOST_LINES), (10, MOST_LINES), (3, MOST_LINES), (3, 2_000), (3, 200), (3, 20), (1, 5), (0, 1))
"""Lines around what is cited of a larger file, and lines of each citation: the first that fits, or the last."""


class Stretches(NamedTuple):
    """What is shown of a file."""

    shown: Sequence[LineRange]
    """Ascending, and apart from each other."""
    most: int = 0
    """Lines that are shown of each citation at the most, where one has more; else 0."""


def file_view(
    page: str,
    evidence: Evidence,
    entries: Iterable[Entry],
    source: Lines,
    notes: Sequence[str],
    hosts: Hosts,
) -> FileView:
    """The page of a cited file.

    Args:
        page: its address.
        evidence: one of its citations.
        entries: all of them.
        source: its lines.
        notes: what is to be said of how it was decoded.
        hosts: what further hosts run.
    """
    cited = sorted(entries, key=_place)
    found = stretches([item.lines for item in cited if item.lines is not None], source)
    return FileView(
        page=page,
        repository=next(iter(cited)).repository,
        path=evidence.citation.path,
        facts=[*file_facts(evidence, hosts)],
        entries=cited,
        stretches=[
            Stretch(lines, html)
            for lines, html in zip(found.shown, annotated(source, found.shown, cited), strict=True)
        ],
        most=found.most,
        count=len(source),
        notes=notes,
    )


def _place(entry: Entry) -> tuple[int, int, str, str]:
    """Where an entry comes in the order of its file's lines; one without lines comes first."""
    lines = entry.lines
    first, last = (0, 0) if lines is None else (lines.first, lines.last)
    return first, last, entry.document.manifest, entry.id


def stretches(cited: Iterable[LineRange], source: Lines) -> Stretches:
    """The lines that are shown: all of them, or those that are cited and some around, in their order.

    Every citation begins on the page, however many there are: the more there are, the less stands around them, and the
    less is shown of each that is long.

    Args:
        cited: the cited lines.
        source: the file's lines.
    """
    count = len(source)
    if count <= MOST_LINES and sum(map(len, source.plain)) <= _MOST_CHARACTERS:
        return Stretches([LineRange(1, count)] if count else [])
    places = sorted({_within(lines, count) for lines in cited} if count else ())
    sizes = [0, *accumulate(min(len(line), LONGEST) for line in source.plain)]
    found, most = [LineRange(1, count)], count
    for context, most in _WAYS:
        found = [*_merged(places, context, most, count)]
        characters = sum(sizes[lines.last] - sizes[lines.first - 1] for lines in found)
        if sum(map(len, found)) <= MOST_LINES and characters <= _MOST_CHARACTERS:
            break
    return Stretches(found, most if any(len(lines) > most for lines in places) else 0)


def _within(lines: LineRange, count: int) -> LineRange:
    """Lines of a file with so many; the last one for those past its end."""
    return LineRange(min(lines.first, count), min(lines.last, count))


def _merged(places: Iterable[LineRange], context: int, most: int, count: int) -> Iterator[LineRange]:
    """The lines of places, at most so many of each, and those around; what touches is one."""
    first = last = 0
    for lines in places:
        start = max(1, lines.first - context)
        end = min(count, min(lines.last, lines.first + most - 1) + context)
        if first and start > last + 1:
            yield LineRange(first, last)
            first = 0
        first, last = first or start, max(last, end)
    if first:
        yield LineRange(first, last)
