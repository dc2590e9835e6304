"""How much a judgement speaks for a block being a mention's quote: an unrelated block beside a link is no misquote."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from enum import IntEnum
from typing import TYPE_CHECKING

from provenance.compare.quoting.relations import Relation
from provenance.evidence import Verdict

if TYPE_CHECKING:
    from provenance.compare.quoting.frames import Framed
    from provenance.compare.quoting.relations import Candidate
    from provenance.evidence import Judgement

_WORD = re.compile(r"[^\W_]\w+")
"""What tells code from other code: names and numbers; brackets and single letters stand everywhere."""

_GRADES = {Verdict.EXACT: 1.0, Verdict.WHITESPACE: 0.98, Verdict.ELIDED: 0.9, Verdict.ANCHORED: 0.85}
_IN_PIECES = frozenset({Verdict.PARTIAL, Verdict.SHIFTED})
_RESEMBLING = frozenset({Verdict.CHANGED, Verdict.ABSENT})
SHARED = frozenset({Verdict.EXACT, Verdict.WHITESPACE, Verdict.ELIDED})
"""Verdicts with which several links may have one block. Not `anchored`: a link to one line stands beside many."""

_STRONG = frozenset({Relation.INSIDE, Relation.CAPTION, Relation.DIRECTLY_AFTER})
_LIKELY, _LIKELY_ABOVE = 0.5, 0.64
"""The least likelihood with which a block is taken for a quote that cannot be compared, and one above its link."""
_FEW_WORDS = 3
"""So few can stand somewhere in any file."""
_IN_FILE, _UNCOMPARED = 0.9, 0.75
"""What a block is worth that is in the file, and one that cannot be compared, beside the share of one that resembles
it."""
_ALONE = 0.5
"""What one of several stretches of a block is worth, which is less than all of them if they are in the cited lines."""
_SPARSE = 0.5
"""Share of a quote's lines in the stretch that holds them, under which they may be there by chance."""
_DRIFT = 10
"""Lines by which a quote may have moved, beside the length of the cited range, to be that of a link below it."""
_MODERATE = 0.45
_NEEDED, _FOR_SHORTNESS, _FOR_DOUBT, _FOR_NAME = 0.28, 1.2, 0.3, 0.15
"""What share of a block must come from the file: a least, more for few words, more for a block that is not likely, and
less for one that defines what the link shows.

Measured on blocks beside files of other projects in the same language, their shares are at most 0.33 from 100 words
on, 0.44 from 20 on and 0.5 with fewer, nearly always; excerpts that were edited, or explained by comments in them, go
down to 0.45.
"""


class Tier(IntEnum):
    """How well a block does as a quote; a better tier is served first."""

    HOLDS = 0
    STANDS = 1
    """It is there with lines left out, or is longer than the cited lines."""
    RESEMBLES = 2
    """It comes close, or is elsewhere in the file, or cannot be compared and stands where a quote would."""


@dataclass(frozen=True, slots=True)
class Option:
    """A reading of a candidate, and what the comparison with the cited place says of it."""

    candidate: Candidate
    reading: Framed
    judgement: Judgement | None
    """None where the content is not to be had."""

    @property
    def holds(self) -> bool:
        """Whether it is what the mention cites."""
        return self.judgement is not None and self.judgement.verdict in _GRADES


@dataclass(frozen=True, slots=True)
class Weight:
    """How much speaks for an option."""

    tier: Tier
    score: float
    """Within the tier, 0 to 1."""


def weigh(option: Option, habit: float = 1.0) -> Weight | None:
    """Weigh an option; None where it is no quote.

    Args:
        option: What is weighed.
        habit: A factor for where the document's other quotes stand.
    """
    likelihood, judgement = option.candidate.likelihood * habit, option.judgement
    if judgement is None or not _is_compared(judgement):
        return _unknown(option, likelihood, usual=habit > 1)
    if option.candidate.alone:
        return Weight(Tier.STANDS, likelihood * _ALONE) if option.holds else None
    if judgement.verdict in _GRADES:
        return Weight(Tier.HOLDS, likelihood * _GRADES[judgement.verdict])
    return _differing(option, judgement, likelihood)


def _differing(option: Option, judgement: Judgement, likelihood: float) -> Weight | None:
    """A block that is not, or not as it is, at the cited place."""
    elsewhere = _is_elsewhere(option, judgement)
    misplaced = judgement.verdict not in _RESEMBLING and likelihood >= _MODERATE
    told = option.candidate.sure and (misplaced or _says_lines(option.candidate))
    if elsewhere and not told and not _may_have_moved(option, judgement, likelihood):
        return None
    if judgement.verdict in _RESEMBLING:
        return _resembling(option, judgement, likelihood)
    tier = Tier.RESEMBLES if elsewhere else Tier.STANDS
    return (
        Weight(tier, likelihood * _IN_FILE)
        if _tells(option, judgement, likelihood, elsewhere=elsewhere)
        else None
    )


def _is_compared(judgement: Judgement) -> bool:
    """Whether the text was compared with the file: past its end there is nothing to compare with but equal lines."""
    if judgement.verdict is Verdict.OUT_OF_RANGE:
        return bool(judgement.found_at)
    return judgement.verdict in _GRADES or judgement.verdict in _IN_PIECES or judgement.verdict in _RESEMBLING


def _is_elsewhere(option: Option, judgement: Judgement) -> bool:
    """Whether a block is of the cited file, and of other lines: it may well belong to other prose."""
    lines = option.candidate.place.lines
    found = judgement.found_at
    return lines is not None and bool(found) and not found[0].overlaps(lines)


def _says_lines(candidate: Candidate) -> bool:
    """Whether the document says which lines a block is: a header says only of which file."""
    return candidate.relation in {Relation.INSIDE, Relation.CAPTION} or bool(candidate.bare.numbers)


def _may_have_moved(option: Option, judgement: Judgement, likelihood: float) -> bool:
    """Whether a block of other lines is a quote whose link is out of date."""
    relation, lines = option.candidate.relation, option.candidate.place.lines
    if relation in _STRONG or lines is None:
        return True
    if likelihood < _MODERATE:
        return False
    found = judgement.found_at[0]
    gap = max(lines.first - found.last, found.first - lines.last)
    is_it = judgement.verdict not in _RESEMBLING or option.candidate.defines
    return (relation is Relation.AFTER and is_it) or gap <= _DRIFT + len(lines)


def _tells(option: Option, judgement: Judgement, likelihood: float, *, elsewhere: bool) -> bool:
    """Whether it means something that a block is in the file, whole or in pieces."""
    candidate, text = option.candidate, option.reading.text
    if candidate.sure or (candidate.relation in _STRONG and not elsewhere):
        return True
    held = judgement.suggestion
    sparse = held is not None and text.count("\n") + 1 < _SPARSE * len(held)
    return len(_WORD.findall(text)) >= _FEW_WORDS and not (sparse and likelihood < _MODERATE)


def _unknown(option: Option, likelihood: float, *, usual: bool) -> Weight | None:
    """A block that cannot be compared: where it stands must say that it is the quote."""
    candidate = option.candidate
    if option.reading != candidate.bare or likelihood < _LIKELY:
        return None
    above = candidate.relation is Relation.BEFORE and (usual or likelihood >= _LIKELY_ABOVE)
    taken = candidate.sure or candidate.relation in _STRONG or above
    return Weight(Tier.RESEMBLES, likelihood * _UNCOMPARED) if taken else None


def _resembling(option: Option, judgement: Judgement, likelihood: float) -> Weight | None:
    """A block that is not in the file as it stands."""
    text = option.reading.text
    share = ((judgement.similarity or 0.0) + closeness(text, judgement)) / 2
    needed = (
        _NEEDED + _FOR_SHORTNESS / max(len(_WORD.findall(text)), 1) ** 0.5 + _FOR_DOUBT * (1 - likelihood)
    )
    if option.candidate.defines:
        needed -= _FOR_NAME
    if share < needed and not option.candidate.sure:
        return None
    return Weight(Tier.RESEMBLES, likelihood * share)


def closeness(text: str, judgement: Judgement) -> float:
    """Share of a quote's words that the closest stretch of the file has, 0 to 1; brackets and signs do not count."""
    similarity = judgement.similarity or 0.0
    words = len(_WORD.findall(text))
    if not words or judgement.verdict is Verdict.ABSENT:
        return similarity if words else similarity / 2
    lines = judgement.diff.split("\n")
    ours = Counter(word for line in lines[2:] if line[:1] == "-" for word in _WORD.findall(line))
    theirs = Counter(word for line in lines[2:] if line[:1] == "+" for word in _WORD.findall(line))
    lacking = (ours - theirs).total()
    return min(max(1 - lacking / words, 0.0), 1.0)
