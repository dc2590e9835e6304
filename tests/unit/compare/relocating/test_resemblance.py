"""How much of one text is in another."""

from __future__ import annotations

import pytest
from hypothesis import given
from support.lines import Lines, pairs

from provenance.compare.relocating.body import Body, Stretch
from provenance.compare.relocating.resemblance import Heirs, is_same_code, similarity, telling


@pytest.mark.parametrize(
    ("old", "new", "share"),
    [
        pytest.param("", "", 1.0, id="nothing beside nothing"),
        pytest.param("", "a", 0.0, id="nothing beside something"),
        pytest.param("a", "", 0.0, id="something beside nothing"),
        pytest.param("a b c d", "a b c d", 1.0, id="the same"),
        pytest.param("a b c d", " a\nb\tc d", 1.0, id="laid out otherwise"),
        pytest.param("a b c d", "a b c d e f", 1.0, id="more"),
        pytest.param("a b c d", "a b", 0.5, id="half"),
        pytest.param("a b c d", "d c b a", 0.25, id="another order"),
        pytest.param("a b c d", "w x y z", 0.0, id="nothing in common"),
    ],
)
def test_similarity(old: str, new: str, share: float) -> None:
    assert similarity(old, new) == share


def whole(text: Body) -> Stretch:
    return Stretch(0, len(text) - 1)


@pytest.mark.parametrize(
    ("old", "new", "share"),
    [
        pytest.param(["queue index"], ["queue index"], 1.0, id="the same"),
        pytest.param(["queue index"], ["queue other"], 0.5, id="half"),
        pytest.param(["if ( ) {"], ["else"], 1.0, id="nothing that tells"),
        pytest.param(["if queue:"], ["queue"], 1.0, id="what tells nothing does not count"),
        pytest.param(["queue index"], ["index", "queue"], 0.5, id="another order"),
    ],
)
def test_words_that_tell_something(old: Lines, new: Lines, share: float) -> None:
    before, after = Body(old), Body(new)
    assert telling(before, whole(before), after, whole(after)) == share


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        pytest.param(["queue.send(item)", "x"], ["other", " queue.send( item )"], True, id="one whole line"),
        pytest.param(["}", "x = queue"], ["}", "y = index"], False, id="a line that says nothing"),
        pytest.param(["queue index item state"], ["queue index other more"], True, id="half of the words"),
        pytest.param(["queue index item state"], ["queue other more less"], False, id="a quarter of them"),
    ],
)
def test_the_same_code(old: Lines, new: Lines, expected: bool) -> None:
    before, after = Body(old), Body(new)
    assert is_same_code(before, whole(before), after, whole(after), 0.3) == expected


FILE = [f"line_{at} = {at}" for at in range(10)]


@pytest.mark.parametrize(
    ("others", "expected"),
    [
        pytest.param([], None, id="no file"),
        pytest.param([[]], None, id="an empty file"),
        pytest.param([FILE], 0, id="the same file"),
        pytest.param([["a = 1"], FILE], 1, id="the second one"),
        pytest.param([FILE[:6], FILE[:8], FILE[:7]], 1, id="the one that shares most"),
        pytest.param([FILE[:4]], None, id="too little of it"),
        pytest.param([FILE[:5]], 0, id="half of it"),
        pytest.param([[*FILE, *(f"other_{at}" for at in range(20))]], None, id="too much else"),
        pytest.param([[f"    {line}" for line in FILE]], 0, id="indented"),
        pytest.param([["}"] * 10], None, id="brackets"),
    ],
)
def test_what_a_file_became(others: list[Lines], expected: int | None) -> None:
    assert Heirs([Body(other) for other in others]).of(Body(FILE)) == ([] if expected is None else [expected])


def test_a_file_of_brackets_became_nothing() -> None:
    assert Heirs([Body(["}", "", "{"])]).of(Body(["}", "", "{"])) == []


@given(pairs())
def test_shares_are_shares(both: tuple[Lines, Lines]) -> None:
    old, new = Body(both[0]), Body(both[1])
    assert 0 <= similarity("\n".join(both[0]), "\n".join(both[1])) <= 1
    assert similarity("\n".join(both[0]), "\n".join(both[0])) == 1
    if both[0] and both[1]:
        assert 0 <= telling(old, whole(old), new, whole(new)) <= 1 + 1e-9
        assert is_same_code(old, whole(old), old, whole(old), 0.3)
    assert Heirs([new]).of(old) in ([], [0])


def test_files_that_are_equally_like_one() -> None:
    twins = [Body([*FILE, "# one"]), Body(["other = 1"]), Body([*FILE, "# two"])]
    assert Heirs(twins).of(Body(FILE)) == [0, 2]
