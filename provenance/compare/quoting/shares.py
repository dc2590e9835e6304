"""Blocks that show several places of a file under printed line numbers: each link has the lines that it names."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from provenance.compare.quoting.frames import frames
from provenance.compare.quoting.printed import runs

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from provenance.citation import LineRange
    from provenance.compare.quoting.printed import Run
    from provenance.compare.quoting.relations import Candidate

_LIKELIER = 1.05
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


def _shares(suitors: Sequence[Candidate], lines: Sequence[str]) -> Iterator[Candidate]:
    every = runs(lines)
    theirs = [_holding(every, candidate.place.lines) for candidate in suitors]
    if len({run for run in theirs if run}) <= 1:
        return  # one run is one quote, which the whole block is
    for candidate, run in zip(suitors, theirs, strict=True):
        if run is None:
            continue
        text = "\n".join(lines[run.lines[0] : run.lines[1] + 1])
        yield replace(
            candidate,
            part=run.lines,
            readings=frames(text, candidate.place.path, candidate.place.lines),
            likelihood=min(candidate.likelihood * _LIKELIER, _CERTAIN),
        )


def _holding(every: Sequence[Run], lines: LineRange | None) -> Run | None:
    if lines is None:
        return None
    return next((run for run in every if run.first <= lines.first and lines.last <= run.last), None)
