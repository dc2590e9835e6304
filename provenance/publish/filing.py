"""What a cited file's page shows: the whole file where it is not large, else its cited stretches. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING

from provenance.citation import LineRange
from provenance.report.site.code import annotated
from provenance.report.site.facts import file_facts
from provenance.report.site.views import FileView, Stretch

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from provenance.evidence import Evidence
    from provenance.links.forges import Hosts
    from provenance.report.site.code import Lines
    from provenance.report.site.views import Entry

MOST_LINES = 5_000
"""Lines of a file that is shown whole."""
_MOST_CHARACTERS = 500_000
"""Characters of it."""
_CONTEXT = 40
"""Lines that are shown around what is cited of a larger one."""


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
    return FileView(
        page=page,
        repository=next(iter(cited)).repository,
        path=evidence.citation.path,
        facts=[*file_facts(evidence, hosts)],
        entries=cited,
        stretches=[
            Stretch(lines, annotated(source, lines, cited))
            for lines in stretches([item.lines for item in cited if item.lines is not None], source)
        ],
        count=len(source),
        notes=notes,
    )


def _place(entry: Entry) -> tuple[int, int, str, str]:
    """Where an entry comes in the order of its file's lines; one without lines comes first."""
    lines = entry.lines
    first, last = (0, 0) if lines is None else (lines.first, lines.last)
    return first, last, entry.document.manifest, entry.id


def stretches(cited: Iterable[LineRange], source: Lines) -> Iterator[LineRange]:
    """The lines that are shown: all of them, or those that are cited and some around, in their order.

    Args:
        cited: the cited lines.
        source: the file's lines.
    """
    count = len(source)
    if count <= MOST_LINES and sum(map(len, source.plain)) <= _MOST_CHARACTERS:
        if count:
            yield LineRange(1, count)
        return
    left = MOST_LINES
    first = last = 0
    for lines in sorted(cited):
        start, end = max(1, lines.first - _CONTEXT), min(count, lines.last + _CONTEXT)
        if start > end:
            continue
        if first and start > last + 1:
            yield LineRange(first, last)
            first = 0
        end = min(end, max(start, last) + left)  # a page has an end, whatever is cited
        left -= max(0, end - max(start - 1, last))
        first, last = first or start, max(last, end)
        if left <= 0:
            break
    if first:
        yield LineRange(first, last)
