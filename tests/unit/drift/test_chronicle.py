"""Histories with known answers: what is said to be known is so."""

from __future__ import annotations

import pytest
from support.chronicle import asked, chronicle
from support.fiction import Language
from support.ledger import Asked, Line, Page, Piece, known
from support.scoring import Answer

from provenance.citation import LineRange

MADE = chronicle(7, 40)
FIRST, LAST = MADE.trees["c0"], MADE.trees[MADE.last]


def page(*lines: tuple[str, int]) -> Page:
    said = tuple(Line(text, frozenset({tag})) for text, tag in lines)
    return Page(Language.PYTHON, (Piece(1, said),))


def test_the_same_seed_makes_the_same_history() -> None:
    assert chronicle(7, 40) == MADE
    assert chronicle(8, 40) != MADE


def test_a_history_has_merges_and_commits_that_are_taken_back() -> None:
    many = [chronicle(seed, 40) for seed in range(5)]

    assert any(len(parents) > 1 for made in many for parents in made.parents.values())
    assert any(done == ["revert"] for made in many for done in made.done.values())


def test_lines_of_one_commit_are_where_they_are() -> None:
    for place in asked(LAST, 1, 50):
        truth = known(LAST, place, LAST)
        assert truth is not None
        assert truth.answer is Answer.SAME
        assert (truth.path, truth.ranges[0]) == (place.path, LineRange(place.first, place.last))


def test_most_lines_of_the_first_commit_have_an_answer_beyond_dispute() -> None:
    answers = [known(FIRST, place, LAST) for place in asked(FIRST, 1, 100)]

    assert sum(answer is None for answer in answers) < 20
    assert {answer.answer for answer in answers if answer is not None} >= {Answer.SAME, Answer.EDITED}


@pytest.mark.parametrize(
    ("new", "answer", "ranges"),
    [
        pytest.param([("0", 9), ("a", 1), ("b", 2), ("c", 3)], Answer.SAME, [(2, 4)], id="moved"),
        pytest.param([("a", 1), ("B", 2), ("c", 3)], Answer.EDITED, [(1, 3)], id="edited"),
        pytest.param([("a", 1), ("x", 9), ("b", 2), ("c", 3)], Answer.EDITED, [(1, 4)], id="inserted"),
        pytest.param([("a", 1), ("b", 2), ("b", 2), ("c", 3)], Answer.EDITED, [(1, 4)], id="laid-out"),
        pytest.param([("x", 9), ("b", 2), ("c", 3)], None, [], id="too-little-is-left"),
        pytest.param([("x", 9)], Answer.DELETED, [], id="deleted"),
    ],
)
def test_an_answer_follows_the_tags(
    new: list[tuple[str, int]], answer: Answer | None, ranges: list[tuple[int, int]]
) -> None:
    old = {"a.py": page(("a", 1), ("b", 2), ("c", 3))}

    truth = known(old, Asked("a.py", 1, 3), {"b.py": page(*new)})

    assert (truth and truth.answer) == answer
    if truth is not None:
        assert [(one.first, one.last) for one in truth.ranges] == ranges
