"""Places in real repositories of which it is known where they are at another revision, and what is said of them.

A case is a line of JSON, as is a prediction: see README.md.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING

from support.scoring import Answer, Truth

from bench.measure import BenchError
from provenance.citation import LineRange

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from support.scoring import Prediction

_PARTS = ("repo", ".git", "")
"""What stands for a repository in its folder, or after its name."""


@dataclass(frozen=True, slots=True)
class Case:
    """Lines that are to be followed, and where they are."""

    id: str
    repository: str
    """`owner/name`."""
    old: str
    """Full commit id of where the lines are known."""
    path: str
    lines: LineRange
    new: str
    """Full commit id of where they are looked for."""
    kind: str
    """The sort of range: func, win or line."""
    horizon: str
    """How far apart the commits are."""
    truth: Truth

    def categories(self) -> Iterator[str]:
        """What it is counted under."""
        yield "all"
        has_moved = self.truth.path not in {None, self.path}
        yield "status: moved file" if has_moved else f"status: {self.truth.answer}"
        if self.truth.answer is Answer.EDITED:
            yield "status: edited, moved file or not"
        if has_moved:
            yield f"moved file: {self.truth.answer}"
        yield f"kind: {self.kind}"
        yield f"horizon: {self.horizon}"
        yield f"repository: {self.repository}"


def read_cases(file: Path) -> list[Case]:
    """Read a file of cases.

    Raises:
        BenchError: a line is none.
    """
    lines = file.read_text(encoding="utf-8").split("\n")
    try:
        return [_case(line) for line in lines if line.strip()]
    except (KeyError, TypeError, ValueError) as error:
        message = f"{file} holds something that is no case: {error!r}"
        raise BenchError(message) from error


def repository_in(folder: Path, name: str) -> Path:
    """Where a repository is: `owner+name/repo`, `owner+name.git`, `owner/name` and the like.

    Raises:
        BenchError: it is not there.
    """
    for base in (name.replace("/", "+"), name):
        for part in _PARTS:
            for found in (folder / base / part, folder / f"{base}{part}"):
                if (found / "HEAD").exists():
                    return found
                if (found / ".git" / "HEAD").exists():
                    return found / ".git"
    message = f"{folder} has no repository {name}"
    raise BenchError(message)


def written(case: Case, said: Prediction, milliseconds: float) -> str:
    """A prediction as a line of JSON."""
    lines = said.lines
    return json.dumps(
        {
            "id": case.id,
            "status": said.answer,
            "path": said.path,
            "start": lines and lines.first,
            "end": lines and lines.last,
            "ms": round(milliseconds, 2),
        }
    )


def _case(line: str) -> Case:
    row = json.loads(line)
    truth = row["truth"]
    ranges = [(truth["start"], truth["end"]), *truth.get("alt", [])]
    known = () if truth["start"] is None else tuple(LineRange(first, last) for first, last in ranges)
    return Case(
        row["id"],
        row["repo"],
        row["old_rev"],
        row["path"],
        LineRange(row["start"], row["end"]),
        row["new_rev"],
        row["kind"],
        row["horizon"],
        Truth(Answer(truth["status"]), truth["path"], known),
    )
