"""How well lines were followed, where it is known where they are."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING

from provenance.relocation import Status

if TYPE_CHECKING:
    from collections.abc import Iterable

    from provenance.citation import LineRange
    from provenance.relocation import Relocation


class Answer(StrEnum):
    """What became of lines, whatever their place."""

    SAME = "same"
    EDITED = "edited"
    DELETED = "deleted"
    UNSURE = "ambiguous"


@dataclass(frozen=True, slots=True)
class Truth:
    """What became of lines."""

    answer: Answer
    path: str | None = None
    """None where they were deleted."""
    ranges: tuple[LineRange, ...] = ()
    """The first of them is right, and the others are right too."""


@dataclass(frozen=True, slots=True)
class Prediction:
    """What is said to have become of lines."""

    answer: Answer
    path: str | None = None
    lines: LineRange | None = None
    """None where they are said to be deleted, or nothing is said."""

    @classmethod
    def of(cls, found: Relocation) -> Prediction:
        """What a relocation says."""
        if found.end is None:
            return cls(Answer.DELETED if found.status is Status.DELETED else Answer.UNSURE)
        answer = Answer.EDITED if found.status is Status.EDITED else Answer.SAME
        return cls(answer, found.end.path, found.end.lines)


@dataclass(frozen=True, slots=True)
class Score:
    """One prediction beside the truth."""

    exact: bool = False
    """Path and range are right, whatever is said of the text; or the lines are deleted, and that is said."""
    strict: bool = False
    """As `exact`, and the range is the first that is right."""
    within_one: bool = False
    """The path is right, and each end of the range is at most one line off."""
    overlap: float = 0.0
    """Lines in both ranges by lines in either one, 0 to 1; 1 where the lines are rightly said to be deleted."""
    verdict: bool = False
    """What became of the lines is right, whatever their place."""
    lie: bool = False
    """They are said to be where none of them is, or are said to be anywhere though they were deleted."""


def score(truth: Truth, said: Prediction | None) -> Score:
    """Judge a prediction; one that is missing is wrong, and no lie."""
    if said is None:
        return Score()
    verdict = said.answer is truth.answer
    if truth.answer is Answer.DELETED:
        return Score(verdict, verdict, verdict, float(verdict), verdict, not verdict)
    if said.answer is Answer.DELETED or said.lines is None:
        return Score(verdict=verdict)
    if said.path != truth.path:
        return Score(verdict=verdict, lie=True)
    overlap = max(_overlap(said.lines, right) for right in truth.ranges)
    return Score(
        said.lines in truth.ranges,
        said.lines == truth.ranges[0],
        any(_is_near(said.lines, right) for right in truth.ranges),
        overlap,
        verdict,
        not overlap,
    )


@dataclass(slots=True)
class Shares:
    """The scores of a category, added up."""

    count: int = 0
    sums: Counter[str] = field(default_factory=Counter)

    def add(self, scored: Score) -> None:
        self.count += 1
        for name in Score.__slots__:
            self.sums[name] += getattr(scored, name)

    def share(self, name: str) -> float:
        """The mean of one measure, 0 to 1.

        Args:
            name: a field of `Score`.
        """
        return self.sums[name] / self.count if self.count else 0.0


@dataclass(slots=True)
class Tally:
    """The scores of many predictions, by category."""

    categories: defaultdict[str, Shares] = field(default_factory=lambda: defaultdict(Shares))
    _deleted: Counter[str] = field(default_factory=Counter)
    _same: Counter[str] = field(default_factory=Counter)

    def add(self, categories: Iterable[str], truth: Truth, said: Prediction | None) -> Score:
        """Judge one more prediction."""
        scored = score(truth, said)
        for category in categories:
            self.categories[category].add(scored)
        is_said = said is not None and said.answer is Answer.DELETED
        is_deleted = truth.answer is Answer.DELETED
        self._deleted.update(said=is_said, true=is_deleted, both=is_said and is_deleted)
        if said is not None and said.answer is Answer.SAME:
            self._same.update(said=1, right=truth.answer is Answer.SAME and scored.strict)
        return scored

    @property
    def precision(self) -> float:
        """Of those that are said to be deleted, the share that is, 0 to 1."""
        return self._deleted["both"] / max(1, self._deleted["said"])

    @property
    def recall(self) -> float:
        """Of those that are deleted, the share that is said to be, 0 to 1."""
        return self._deleted["both"] / max(1, self._deleted["true"])

    @property
    def same_right(self) -> float:
        """Of those that are said to be the same, the share that is, and where it is said, 0 to 1."""
        return self._same["right"] / max(1, self._same["said"])


def _overlap(one: LineRange, other: LineRange) -> float:
    common = min(one.last, other.last) - max(one.first, other.first) + 1
    return max(0, common) / (len(one) + len(other) - max(0, common))


def _is_near(one: LineRange, other: LineRange) -> bool:
    return abs(one.first - other.first) <= 1 and abs(one.last - other.last) <= 1
