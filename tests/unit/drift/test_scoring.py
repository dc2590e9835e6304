"""How predictions are judged."""

from __future__ import annotations

import pytest
from support.scoring import Answer, Prediction, Score, Tally, Truth, score

from provenance.citation import LineRange
from provenance.relocation import Relocation, Spot, Status

FOUND = Truth(Answer.EDITED, "a.py", (LineRange(10, 19), LineRange(10, 20)))
GONE = Truth(Answer.DELETED)


def at(first: int, last: int, path: str = "a.py", answer: Answer = Answer.EDITED) -> Prediction:
    return Prediction(answer, path, LineRange(first, last))


@pytest.mark.parametrize(
    ("truth", "said", "expected"),
    [
        pytest.param(FOUND, at(10, 19), Score(True, True, True, 1.0, True), id="right"),
        pytest.param(FOUND, at(10, 20), Score(True, False, True, 1.0, True), id="right-too"),
        pytest.param(
            FOUND,
            at(10, 19, answer=Answer.SAME),
            Score(True, True, True, 1.0),
            id="place-right-verdict-wrong",
        ),
        pytest.param(FOUND, at(9, 20), Score(within_one=True, overlap=11 / 12, verdict=True), id="one-off"),
        pytest.param(FOUND, at(15, 24), Score(overlap=6 / 15, verdict=True), id="half"),
        pytest.param(FOUND, at(21, 30), Score(verdict=True, lie=True), id="beside"),
        pytest.param(FOUND, at(10, 19, "b.py"), Score(verdict=True, lie=True), id="other-file"),
        pytest.param(FOUND, Prediction(Answer.DELETED), Score(), id="said-to-be-deleted"),
        pytest.param(FOUND, Prediction(Answer.UNSURE), Score(), id="nothing-said"),
        pytest.param(FOUND, None, Score(), id="missing"),
        pytest.param(GONE, Prediction(Answer.DELETED), Score(True, True, True, 1.0, True), id="deleted"),
        pytest.param(GONE, at(1, 2), Score(lie=True), id="said-to-be-alive"),
        pytest.param(GONE, Prediction(Answer.UNSURE), Score(lie=True), id="said-to-be-somewhere"),
        pytest.param(GONE, None, Score(), id="deleted-and-missing"),
    ],
)
def test_a_prediction_is_judged(truth: Truth, said: Prediction | None, expected: Score) -> None:
    assert score(truth, said) == expected


def test_a_tally_tells_deletions_found_from_deletions_claimed() -> None:
    tally = Tally()
    for truth, said in (
        (GONE, Prediction(Answer.DELETED)),
        (GONE, at(1, 2)),
        (GONE, at(1, 2)),
        (FOUND, Prediction(Answer.DELETED)),
    ):
        tally.add(["all"], truth, said)

    assert tally.precision == 1 / 2
    assert tally.recall == 1 / 3


def test_what_is_said_to_be_the_same_has_to_be_the_same_in_the_same_place() -> None:
    same = Truth(Answer.SAME, "a.py", (LineRange(1, 2),))
    tally = Tally()
    for truth, said in (
        (same, at(1, 2, answer=Answer.SAME)),
        (same, at(2, 3, answer=Answer.SAME)),
        (FOUND, at(10, 19, answer=Answer.SAME)),
        (FOUND, at(10, 19)),
    ):
        tally.add([], truth, said)

    assert tally.same_right == 1 / 3


def test_a_category_has_the_mean_of_each_measure() -> None:
    tally = Tally()
    tally.add(["all", "edited"], FOUND, at(10, 19))
    tally.add(["all"], FOUND, at(15, 24))

    assert tally.categories["all"].count == 2
    assert tally.categories["all"].share("exact") == 0.5
    assert tally.categories["all"].share("overlap") == pytest.approx(0.7)
    assert tally.categories["edited"].share("exact") == 1.0


@pytest.mark.parametrize(
    ("status", "answer"),
    [
        (Status.UNCHANGED, Answer.SAME),
        (Status.MOVED, Answer.SAME),
        (Status.RENAMED, Answer.SAME),
        (Status.EDITED, Answer.EDITED),
    ],
)
def test_a_relocation_with_a_place_is_a_prediction(status: Status, answer: Answer) -> None:
    found = Relocation(status, Spot("1" * 40, "a.py", LineRange(1, 2)))

    assert Prediction.of(found) == Prediction(answer, "a.py", LineRange(1, 2))


@pytest.mark.parametrize(
    ("status", "answer"),
    [
        (Status.DELETED, Answer.DELETED),
        (Status.AMBIGUOUS, Answer.UNSURE),
        (Status.UNAVAILABLE, Answer.UNSURE),
    ],
)
def test_a_relocation_without_a_place_is_a_prediction(status: Status, answer: Answer) -> None:
    assert Prediction.of(Relocation(status)) == Prediction(answer)
