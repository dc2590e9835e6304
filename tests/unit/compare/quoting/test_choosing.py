"""At most one quote for a mention, and which of them a block belongs to."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from provenance.citation import LineRange
from provenance.compare.quoting.choosing import MOST_JUDGED, choose, unjudged
from provenance.compare.quoting.cited import Cited
from provenance.compare.quoting.frames import HEADER, NEW_SIDE, Framed
from provenance.compare.quoting.relations import Candidate, Relation
from provenance.compare.quoting.weighing import SHARED, Option
from provenance.evidence import Judgement, Verdict

CODE = "\n".join(f"value_{n} = compute_{n}(argument_{n})" for n in range(20))
EXACT, ANCHORED = Judgement(Verdict.EXACT), Judgement(Verdict.ANCHORED)
PARTIAL = Judgement(Verdict.PARTIAL, suggestion=LineRange(1, 20))
AWAY = Judgement(Verdict.SHIFTED, found_at=(LineRange(900, 920),))
ABSENT = Judgement(Verdict.ABSENT, similarity=0.2)


def changed(share: float) -> Judgement:
    return Judgement(Verdict.CHANGED, similarity=share, found_at=(LineRange(1, 20),))


def candidate(
    block: int,
    likelihood: float = 0.8,
    *,
    place: str = "a.py",
    relation: Relation = Relation.DIRECTLY_AFTER,
    readings: tuple[Framed, ...] = (Framed(CODE),),
    part: tuple[int, int] | None = None,
    sure: bool = False,
) -> Candidate:
    return Candidate(
        0, Cited(place, place, LineRange(1, 20)), block, relation, likelihood, readings, part, sure
    )


def option(of: Candidate, judgement: Judgement | None, reading: int = 0) -> Option:
    return Option(of, of.readings[reading], judgement)


def blocks(*mentions: list[Option]) -> list[int | None]:
    return [chosen.candidate.block if chosen else None for chosen in choose(mentions)]


@pytest.mark.parametrize(
    ("options", "block"),
    [
        ([], None),
        ([option(candidate(1), EXACT)], 1),
        ([option(candidate(1), ABSENT)], None),
        # what holds before what does not, however likely
        ([option(candidate(1, 0.9), changed(0.9)), option(candidate(2, 0.2), EXACT)], 2),
        ([option(candidate(1, 0.9), PARTIAL), option(candidate(2, 0.2), ANCHORED)], 2),
        ([option(candidate(1, 0.9), changed(0.9)), option(candidate(2, 0.2), PARTIAL)], 2),
        # a misquote before what is elsewhere in the file
        ([option(candidate(1, 0.9), changed(0.95)), option(candidate(2, 0.5), AWAY)], 1),
        # the likelier of two that hold
        ([option(candidate(1, 0.9), ANCHORED), option(candidate(2, 0.3), EXACT)], 1),
        ([option(candidate(1, 0.8), ANCHORED), option(candidate(2, 0.75), EXACT)], 2),
        # the likelier and the closer of two that do not
        ([option(candidate(1, 0.9), changed(0.6)), option(candidate(2, 0.8), changed(0.99))], 2),
        ([option(candidate(1, 0.9), changed(0.9)), option(candidate(2, 0.5), changed(0.99))], 1),
        # without content
        ([option(candidate(1, 0.8), None), option(candidate(2, 0.9), None)], 2),
        ([option(candidate(1, 0.8, relation=Relation.NEAR), None)], None),
    ],
)
def test_one_mention(options: list[Option], block: int | None) -> None:
    assert blocks(options) == [block]


def test_a_block_goes_to_whom_it_suits_best() -> None:
    one = [
        option(candidate(1, 0.9, place="a"), changed(0.9)),
        option(candidate(2, 0.4, place="a"), changed(0.95)),
    ]
    two = [option(candidate(1, 0.5, place="b"), EXACT)]
    assert blocks(one, two) == [2, 1]


@pytest.mark.parametrize("judgement", [changed(0.9), PARTIAL, ANCHORED, None])
def test_a_block_is_not_shared_by_what_does_not_hold_it(judgement: Judgement | None) -> None:
    assert blocks(
        [option(candidate(1, place="a"), judgement)], [option(candidate(1, place="b"), judgement)]
    ) == [1, None]


@pytest.mark.parametrize("verdict", sorted(SHARED))
def test_what_holds_is_shared(verdict: Verdict) -> None:
    held = Judgement(verdict)
    assert blocks([option(candidate(1, place="a"), held)], [option(candidate(1, place="b"), held)]) == [1, 1]


def test_one_place_cited_twice_has_the_block_twice() -> None:
    assert blocks([option(candidate(1), changed(0.9))], [option(candidate(1), changed(0.9))]) == [1, 1]
    assert blocks([option(candidate(1), None)], [option(candidate(1), None)]) == [1, 1]


def test_parts_of_a_block_are_for_several() -> None:
    first = [option(candidate(1, place="a", part=(0, 4)), changed(0.9))]
    second = [option(candidate(1, place="b", part=(6, 9)), changed(0.9))]
    across = [option(candidate(1, place="c", part=(4, 6)), changed(0.8))]
    whole = [option(candidate(1, place="d"), changed(0.8))]
    assert blocks(first, second, across, whole) == [1, 1, None, None]
    best = [option(candidate(1, place="d"), changed(0.99))]
    assert blocks(first, second, best) == [None, None, 1]


def test_the_reading_that_does_best_is_chosen() -> None:
    framed = candidate(
        1, readings=(Framed("1: a"), Framed("a", (HEADER,)), Framed("b", (NEW_SIDE,), side=True))
    )
    (chosen,) = choose([[option(framed, ABSENT, 0), option(framed, EXACT, 1)]])
    assert chosen
    assert chosen.reading.text == "a"
    (chosen,) = choose([[option(framed, EXACT, 0), option(framed, EXACT, 1)]])
    assert chosen
    assert chosen.reading.text == "1: a"  # the plainest


def test_a_reading_that_holds_is_better_than_one_that_resembles() -> None:
    framed = candidate(1, readings=(Framed(CODE), Framed(f"{CODE}\nend", (HEADER,))))
    for first, second, number in [
        (changed(0.9), EXACT, 1),
        (PARTIAL, changed(0.9), 0),
        (EXACT, changed(0.9), 0),
    ]:
        (chosen,) = choose([[option(framed, first, 0), option(framed, second, 1)]])
        assert chosen
        assert chosen.reading == framed.readings[number]


@pytest.mark.parametrize("judgement", [None, ABSENT])
def test_a_frame_is_taken_off_what_does_not_hold(judgement: Judgement | None) -> None:
    framed = candidate(
        1, sure=True, readings=(Framed("1: a"), Framed("a", (HEADER,)), Framed("b", (NEW_SIDE,), side=True))
    )
    (chosen,) = choose([[option(framed, judgement, number) for number in range(3)]])
    assert chosen
    assert chosen.reading.text == "a"


def test_the_document_tells_on_which_side_its_quotes_are() -> None:
    below = [[option(candidate(n, 0.5, relation=Relation.BEFORE, place=str(n)), EXACT)] for n in range(2)]
    unknown = [
        option(candidate(7, 0.55, relation=Relation.BEFORE, place="x"), None),
        option(candidate(8, 0.7, place="x"), None),
    ]
    assert blocks(*below, unknown)[-1] == 7
    assert blocks(unknown)[-1] == 8


def asked(candidates: list[Candidate], *judgements: Judgement | None) -> list[tuple[int, str]]:
    """What is asked for while the answers last, and then once more."""
    options: list[Option] = []
    questions: list[tuple[int, str]] = []
    for answer in (*judgements, None):
        question = unjudged(candidates, options)
        if question is None:
            break
        of, reading = question
        questions.append((of.block, reading.text))
        options.append(Option(of, reading, answer))
    return questions


TWO = [candidate(1, readings=(Framed("a"), Framed("b"))), candidate(2, readings=(Framed("c"),))]


@pytest.mark.parametrize(
    ("judgements", "texts"),
    [
        ([EXACT], ["a"]),
        ([ABSENT, Judgement(Verdict.WHITESPACE)], ["a", "b"]),
        ([ABSENT, ABSENT, ABSENT], ["a", "b", "c"]),
        ([ANCHORED], ["a", "c"]),  # another reading of it is not needed, another block may be better
        ([changed(0.99), PARTIAL], ["a", "b", "c"]),
        ([None, None, None], ["a", "b", "c"]),
    ],
)
def test_as_little_as_possible_is_compared(judgements: list[Judgement | None], texts: list[str]) -> None:
    assert [text for _, text in asked(TWO, *judgements)] == texts


def test_comparisons_are_bounded() -> None:
    many = [candidate(n, readings=tuple(Framed(f"{n} {m}") for m in range(4))) for n in range(6)]
    assert len(asked(many, *[ABSENT] * 100)) == MOST_JUDGED


JUDGEMENTS = st.one_of(
    st.none(),
    st.sampled_from([EXACT, ANCHORED, PARTIAL, AWAY, ABSENT, changed(0.6), changed(0.95)]),
    st.sampled_from(Verdict).map(Judgement),
)
CANDIDATES = st.builds(
    candidate,
    st.integers(0, 3),
    st.floats(0, 1),
    place=st.sampled_from("abc"),
    relation=st.sampled_from(Relation),
    part=st.sampled_from([None, (0, 2), (1, 3), (4, 5)]),
    sure=st.booleans(),
)
MENTIONS = st.lists(st.lists(st.builds(option, CANDIDATES, JUDGEMENTS), max_size=4), max_size=6)


@given(MENTIONS)
def test_a_block_has_one_owner_unless_several_hold_it(mentions: list[list[Option]]) -> None:
    found = choose(mentions)
    assert len(found) == len(mentions)
    assert choose(mentions) == found
    chosen = [each for each in found if each]
    for options, each in zip(mentions, found, strict=True):
        assert each is None or each in options
    for at, one in enumerate(chosen):
        for two in chosen[at + 1 :]:
            apart = one.candidate.block != two.candidate.block or _apart(
                one.candidate.part, two.candidate.part
            )
            same = one.candidate.place == two.candidate.place
            shared = any(each.judgement and each.judgement.verdict in SHARED for each in (one, two))
            assert apart or same or shared


def _apart(one: tuple[int, int] | None, two: tuple[int, int] | None) -> bool:
    return one is not None and two is not None and (one[1] < two[0] or two[1] < one[0])
