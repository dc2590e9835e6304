"""The list of results: its order, its pages, and the data that the script of a page filters and sorts."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from provenance.report.inert import in_json, in_line
from provenance.report.site.views import WORST_FIRST, ListView

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from provenance.evidence import Level, Summary
    from provenance.report.site.views import Entry

PER_PAGE = 100
"""Results on a page of the list."""

_CLAIM = 200
"""Characters of a claim that can be searched for."""

_SCRIPT = str.maketrans(
    {"<": "\\u003c", ">": "\\u003e", "&": "\\u0026", "\u2028": "\\u2028", "\u2029": "\\u2029"}
)
"""What could end a script or a comment in one, or end a line of it."""


def ordered(entries: Sequence[Entry]) -> list[Entry]:
    """The worst first; within a level as they came."""
    rank = {level: place for place, level in enumerate(WORST_FIRST)}
    return sorted(entries, key=lambda entry: rank[entry.level])


def addresses(count: int) -> list[str]:
    """The addresses of the list's pages; there is always one."""
    pages = max(1, -(-count // PER_PAGE))
    return ["index.html", *(f"pages/{number}.html" for number in range(2, pages + 1))]


def pages(
    entries: Sequence[Entry], summary: Summary, conclusion: str, problems: Sequence[str]
) -> Iterator[tuple[str, ListView]]:
    """The pages of the list, each with its address.

    Args:
        entries: all results, in their order.
        summary: their counts.
        conclusion: the counts in a sentence.
        problems: what could not be read.
    """
    names = addresses(len(entries))
    begins = _begins(entries)
    starts = {level: f"{names[place // PER_PAGE]}#level={level.value}" for level, place in begins.items()}
    for number, name in enumerate(names, start=1):
        first = (number - 1) * PER_PAGE
        here = {place - first: level for level, place in begins.items() if first <= place < first + PER_PAGE}
        yield (
            name,
            ListView(
                summary=summary,
                entries=entries[first : first + PER_PAGE],
                number=number,
                pages=names,
                first=first + 1,
                marks=here,
                starts=starts,
                conclusion=conclusion,
                problems=problems,
            ),
        )


def _begins(entries: Sequence[Entry]) -> dict[Level, int]:
    """Where each level begins, from 0; a level that no result has is missing."""
    found: dict[Level, int] = {}
    for place, entry in enumerate(entries):
        found.setdefault(entry.level, place)
    return found


def script(entries: Sequence[Entry]) -> Iterator[str]:
    """The list as a script: a call with one argument, a line a result, so that it works from a folder, too."""
    documents = list(dict.fromkeys(entry.document for entry in entries))
    repositories = list(dict.fromkeys(entry.repository for entry in entries))
    number = {document: at for at, document in enumerate(documents)}
    place = {repository: at for at, repository in enumerate(repositories)}
    yield '"use strict";\nprovReport({"documents": '
    yield _json([[in_line(item.title), in_line(item.manifest)] for item in documents])
    yield ',\n"repositories": '
    yield _json([in_line(item) for item in repositories])
    yield ',\n"results": ['
    for at, entry in enumerate(entries):
        row = [
            entry.level.value,
            entry.verdict,
            in_line(entry.id),
            number[entry.document],
            entry.line,
            place[entry.repository],
            in_line(entry.path),
            None if entry.lines is None else entry.lines.first,
            None if entry.lines is None else entry.lines.last,
            entry.assurance,
            in_line(shortened(entry.claim)),
            entry.page,
            entry.file,
        ]
        yield ("\n" if at == 0 else ",\n") + _json(row)
    yield "\n]});\n"


def shortened(claim: str) -> str:
    """As much of a claim, or of a title, as a list shows, on one line."""
    line = " ".join(claim[: 4 * _CLAIM].split())
    return line if len(line) <= _CLAIM else f"{line[:_CLAIM].rstrip()}…"


def _json(value: object) -> str:
    return in_json(json.dumps(value, ensure_ascii=False, separators=(",", ":")).translate(_SCRIPT))
