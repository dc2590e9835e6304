"""What can be told from lines alone: for what docutils cannot read."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence


def runs(lines: Sequence[str]) -> Iterator[tuple[int, list[str], bool]]:
    """Each run of lines that are not blank: its offset, its lines, and whether it is preformatted.

    Preformatted is what is indented and stands behind `::`, or behind what does.
    """
    at = 0
    introduced = False
    for blank, group in groupby(lines, key=lambda line: not line):
        run = list(group)
        if not blank:
            preformatted = introduced and all(line[0] == " " for line in run)
            introduced = preformatted or "::" in run[-1] or "::" in run[0]
            yield at, run, preformatted
        at += len(run)
