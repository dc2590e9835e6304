"""Blocks that show several places of a file under printed line numbers: each link has the lines that it names."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from provenance.compare.quoting.frames import frames
from provenance.compare.quoting.headers import header
from provenance.compare.quoting.printed import Run, has_heads, runs

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from provenance.citation import LineRange
    from provenance.compare.quoting.relations import Candidate

_LIKELIER = 1.05
STRETCH = "the block shows more than the cited lines; what stands under their numbers was compared"
_COMMENT = re.compile(r"[ \t]*(?://|#|--|;|%|/\*|<!--|\*)")
_LESS_LIKELY = 0.95
_CERTAIN = 0.99


def shares(read: Sequence[Sequence[Candidate]], split: Mapping[int, list[str]]) -> Iterator[Candidate]:
    """Parts of blocks that several mentions of one file have lines in, where numbers tell whose they are.

    Args:
        read: The candidates of each mention.
        split: The lines of each block, by its order.
    """
    numbered: dict[tuple[int, str], list[Candidate]] = {}
    for every in read:
        for candidate in every:
            if candidate.part is None and candidate.bare.numbers and candidate.place.lines:
                numbered.setdefault((candidate.block, candidate.place.file), []).append(candidate)
    for (block, _), suitors in numbered.items():
        if len(suitors) > 1:
            yield from _shares(suitors, split[block])
        else:
            yield from _alone(suitors[0], split[block])


def _shares(suitors: Sequence[Candidate], lines: Sequence[str]) -> Iterator[Candidate]:
    every = runs(lines)
    theirs = [_holding(every, candidate.place.lines) for candidate in suitors]
    if len({run for run in theirs if run}) <= 1:
        return  # one run is one quote, which the whole block is
    for candidate, run in zip(suitors, theirs, strict=True):
        if run is None:
            continue
        part = _stretch(lines, every, run)
        text = "\n".join(lines[part[0] : part[1] + 1])
        yield replace(
            candidate,
            part=part,
            readings=frames(text, candidate.place.path, candidate.place.lines),
            likelihood=min(candidate.likelihood * _LIKELIER, _CERTAIN),
        )


def _alone(candidate: Candidate, lines: Sequence[str]) -> Iterator[Candidate]:
    """The stretch that a block's only link names, where others are beside it, or remarks without a number above it."""
    every, cited = runs(lines), candidate.place.lines
    run = next((run for run in every if cited and run.first <= cited.first <= run.last), None)
    if run is None or (len(every) == 1 and not _is_remarked(lines[: run.lines[0]], candidate.place.path)):
        return
    part = _stretch(lines, every, run)
    text = "\n".join(lines[part[0] : part[1] + 1])
    readings = tuple(
        replace(reading, notes=(*reading.notes, STRETCH))
        for reading in frames(text, candidate.place.path, candidate.place.lines)
    )
    likelihood = candidate.likelihood * _LESS_LIKELY
    yield replace(candidate, part=part, readings=readings, likelihood=likelihood, alone=True)


def _stretch(lines: Sequence[str], every: Sequence[Run], run: Run) -> tuple[int, int]:
    """A run, with the lines without numbers below it where only heads have some."""
    first, last = run.lines
    if not has_heads(lines):
        return first, last
    end = next((other.lines[0] for other in every if other.lines[0] > last), len(lines))
    blank = (at for at in range(end - 1, last, -1) if not lines[at].strip())
    below = next(blank, end) - 1  # what stands right above the next stretch belongs to that one
    while below > last and not lines[below].strip():
        below -= 1
    return first, below


def _is_remarked(above: Sequence[str], path: str) -> bool:
    """Whether comments, and nothing else but a header, stand above the numbers: the document's, not the file's."""
    head = header(above, path)
    solid = [line for line in above[head.height if head else 0 :] if line.strip()]
    return bool(solid) and all(_COMMENT.match(line) for line in solid)


def _holding(every: Sequence[Run], lines: LineRange | None) -> Run | None:
    if lines is None:
        return None
    within = [at for at, run in enumerate(every) if run.first <= lines.last and lines.first <= run.last]
    if not within or within[-1] - within[0] >= len(within):  # others stand between
        return None
    first, last = every[within[0]], every[within[-1]]
    whole = first.first <= lines.first and lines.last <= last.last
    return Run((first.lines[0], last.lines[1]), first.first, last.last) if whole else None
