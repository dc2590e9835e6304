"""How much a judgement speaks for a block."""

from __future__ import annotations

from dataclasses import replace

import pytest

from provenance.citation import LineRange
from provenance.compare.quoting.cited import Cited
from provenance.compare.quoting.frames import Framed
from provenance.compare.quoting.relations import Candidate, Relation
from provenance.compare.quoting.weighing import Option, Tier, closeness, weigh
from provenance.evidence import Judgement, Verdict

CITED = LineRange(10, 20)
HERE, AWAY, NEXT = (LineRange(12, 22),), (LineRange(90, 99),), (LineRange(22, 29),)
LONG = "\n".join(f"value_{n} = compute_{n}(argument_{n})" for n in range(20))
SHORT = "pip install thing"
BELOW, FURTHER, ABOVE, INSIDE = Relation.DIRECTLY_AFTER, Relation.AFTER, Relation.BEFORE, Relation.INSIDE


def option(
    judgement: Judgement | None,
    relation: Relation = BELOW,
    likelihood: float = 0.8,
    *,
    text: str = LONG,
    sure: bool = False,
    defines: bool = False,
) -> Option:
    readings = (Framed(text),)
    place = Cited("r main/a.py", "a.py", CITED)
    return Option(
        Candidate(0, place, 2, relation, likelihood, readings, None, sure, defines), readings[0], judgement
    )


def changed(share: float, where: tuple[LineRange, ...] = HERE) -> Judgement:
    """One whose words are as close as its tokens: no diff says otherwise."""
    verdict = Verdict.CHANGED if share >= 0.5 else Verdict.ABSENT
    lines = LONG.split("\n")
    diff = ["--- quote", "+++ a.py:1", *(f"-{line}" for line in lines[: round(20 * (1 - share))])]
    return Judgement(verdict, similarity=share, found_at=where if share >= 0.5 else (), diff="\n".join(diff))


@pytest.mark.parametrize("verdict", [Verdict.EXACT, Verdict.WHITESPACE, Verdict.ELIDED, Verdict.ANCHORED])
@pytest.mark.parametrize("relation", Relation)
def test_what_holds_is_a_quote_wherever_it_stands(verdict: Verdict, relation: Relation) -> None:
    weight = weigh(option(Judgement(verdict), relation, 0.2, text=SHORT))
    assert weight is not None
    assert weight.tier is Tier.HOLDS


@pytest.mark.parametrize(
    ("verdict", "tier"),
    [
        (Verdict.WHITESPACE, Tier.STANDS),
        (Verdict.ANCHORED, Tier.STANDS),
        (Verdict.PARTIAL, None),
        (Verdict.SHIFTED, None),
        (Verdict.CHANGED, None),
    ],
)
def test_a_stretch_alone_holds_or_is_nothing(verdict: Verdict, tier: Tier | None) -> None:
    whole = option(Judgement(verdict, similarity=0.9, found_at=HERE))
    weight = weigh(replace(whole, candidate=replace(whole.candidate, alone=True)))
    assert (weight.tier if weight else None) == tier
    partial = weigh(option(Judgement(Verdict.PARTIAL, suggestion=LineRange(10, 30))))
    assert partial is not None
    assert weight is None or weight.score < partial.score  # all of the block is better, where it is there


@pytest.mark.parametrize(
    ("option", "taken"),
    [
        # a header says which file it is, and not which lines
        (option(changed(0.9, AWAY), ABOVE, 0.8, sure=True), False),
        (option(changed(0.9, AWAY), Relation.CAPTION, 0.8, sure=True), True),
        (option(changed(0.9, NEXT), ABOVE, 0.8, sure=True), True),
        # prose is between
        (option(changed(0.9, AWAY), FURTHER, 0.6), False),
        (option(changed(0.9, NEXT), FURTHER, 0.6), True),
        (option(changed(0.9, AWAY), FURTHER, 0.6, defines=True), True),
    ],
)
def test_what_resembles_other_lines(option: Option, taken: bool) -> None:
    assert (weigh(option) is not None) == taken


def test_grades_are_in_order() -> None:
    grades = [Verdict.EXACT, Verdict.WHITESPACE, Verdict.ELIDED, Verdict.ANCHORED]
    scores = [weight.score for verdict in grades if (weight := weigh(option(Judgement(verdict))))]
    assert scores == sorted(scores, reverse=True)
    assert len(set(scores)) == 4


@pytest.mark.parametrize(
    ("option", "tier"),
    [
        (option(Judgement(Verdict.PARTIAL, suggestion=LineRange(10, 30))), Tier.STANDS),
        (option(Judgement(Verdict.PARTIAL, suggestion=LineRange(10, 12)), text="}"), Tier.STANDS),
        (option(Judgement(Verdict.PARTIAL, suggestion=LineRange(10, 12)), FURTHER, text="}"), None),
        (
            option(Judgement(Verdict.PARTIAL, suggestion=LineRange(10, 300)), Relation.NEAR, 0.2),
            None,
        ),  # by chance
        (option(Judgement(Verdict.PARTIAL, suggestion=LineRange(10, 30)), Relation.NEAR, 0.2), Tier.STANDS),
        # longer than its range
        (option(Judgement(Verdict.SHIFTED, found_at=HERE)), Tier.STANDS),
        # of other lines: out of date, or another matter
        (option(Judgement(Verdict.SHIFTED, found_at=AWAY)), Tier.RESEMBLES),
        (option(Judgement(Verdict.SHIFTED, found_at=AWAY), text="import os"), None),
        (option(Judgement(Verdict.SHIFTED, found_at=AWAY), FURTHER, 0.6), Tier.RESEMBLES),
        (option(Judgement(Verdict.SHIFTED, found_at=AWAY), FURTHER, 0.3), None),
        (option(Judgement(Verdict.SHIFTED, found_at=AWAY), ABOVE, 0.6), None),
        (option(Judgement(Verdict.SHIFTED, found_at=NEXT), ABOVE, 0.6), Tier.RESEMBLES),
        (option(Judgement(Verdict.SHIFTED, found_at=AWAY), ABOVE, 0.6, sure=True), Tier.RESEMBLES),
        (option(Judgement(Verdict.SHIFTED, found_at=AWAY), ABOVE, 0.4, sure=True), None),
        (option(Judgement(Verdict.OUT_OF_RANGE, found_at=AWAY)), Tier.RESEMBLES),
        (option(Judgement(Verdict.OUT_OF_RANGE)), Tier.RESEMBLES),
        (option(Judgement(Verdict.OUT_OF_RANGE), ABOVE, 0.5), None),
    ],
)
def test_what_is_in_the_file(option: Option, tier: Tier | None) -> None:
    weight = weigh(option)
    assert (weight.tier if weight else None) == tier


@pytest.mark.parametrize(
    ("option", "taken"),
    [
        (option(changed(0.9)), True),
        (option(changed(0.55)), True),  # a long block directly below is a misquote
        (option(changed(0.45), text=LONG * 3), True),  # and so is a longer one
        (option(changed(0.45)), False),
        (option(changed(0.4)), False),
        (option(changed(0.4), defines=True), True),  # it defines what the link shows
        (option(changed(0.3), defines=True), False),
        (option(changed(0.3)), False),  # as close as any code of the language
        (option(changed(0.55), FURTHER, 0.3), False),
        (option(changed(0.9), FURTHER, 0.3), True),
        (option(changed(0.9, AWAY), FURTHER, 0.3), False),
        (option(changed(0.6), text=SHORT), False),
        (option(changed(0.6), text="} = ( ) ="), False),
        (option(changed(0.2), sure=True), True),  # the block says that it is the quote
        (option(Judgement(Verdict.ABSENT)), False),
    ],
)
def test_what_resembles_the_file(option: Option, taken: bool) -> None:
    weight = weigh(option)
    assert (weight is not None) is taken
    assert weight is None or weight.tier is Tier.RESEMBLES


@pytest.mark.parametrize(
    ("relation", "likelihood", "sure", "taken"),
    [
        (BELOW, 0.8, False, True),
        (BELOW, 0.4, False, False),  # of another language
        (INSIDE, 0.9, False, True),
        (Relation.CAPTION, 0.9, True, True),
        (FURTHER, 0.6, False, False),
        (FURTHER, 0.6, True, True),
        (ABOVE, 0.6, False, False),
        (ABOVE, 0.66, False, True),  # below a link called "Source", or as long as the range
        (Relation.NEAR, 0.6, False, False),
    ],
)
def test_what_cannot_be_compared(relation: Relation, likelihood: float, sure: bool, taken: bool) -> None:
    for judgement in (None, Judgement(Verdict.NOT_TEXT), Judgement(Verdict.UNAVAILABLE)):
        assert (weigh(option(judgement, relation, likelihood, sure=sure)) is not None) is taken


def test_a_document_that_puts_links_below_goes_on_so() -> None:
    assert weigh(option(None, ABOVE, 0.5)) is None
    assert weigh(option(None, ABOVE, 0.5), habit=1.25) is not None
    assert weigh(option(None, BELOW, 0.6), habit=0.6) is None


@pytest.mark.parametrize(
    ("text", "judgement", "share"),
    [
        (
            "alpha beta\ngamma delta",
            Judgement(Verdict.CHANGED, similarity=0.9, diff="--- q\n+++ s\n-gamma delta"),
            0.5,
        ),
        (
            "alpha beta",
            Judgement(Verdict.CHANGED, similarity=0.9, diff="--- q\n+++ s\n-alpha beta\n+beta alpha"),
            1.0,
        ),
        ("alpha beta", Judgement(Verdict.CHANGED, similarity=0.9, diff=""), 1.0),
        ("( ) = x", Judgement(Verdict.CHANGED, similarity=0.8, diff=""), 0.4),
        ("alpha beta", Judgement(Verdict.ABSENT, similarity=0.3), 0.3),
        ("", Judgement(Verdict.ABSENT), 0.0),
    ],
)
def test_how_close_words_are(text: str, judgement: Judgement, share: float) -> None:
    assert closeness(text, judgement) == pytest.approx(share)
