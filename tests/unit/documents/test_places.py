from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from provenance.citation import LineRange
from provenance.documents.names import Names
from provenance.documents.places import Place, Places

LINES = st.integers(1, 12).flatmap(lambda first: st.builds(LineRange, st.just(first), st.integers(first, 12)))
PLACES = st.builds(Place, st.sampled_from("ab"), LINES)


@given(st.lists(PLACES, max_size=8), PLACES)
def test_what_holds_a_place_and_what_it_holds(places: list[Place], one: Place) -> None:
    found = Places(places)
    same = [place.lines for place in places if place.file == one.file]
    assert found.hold(one) == any(lines.holds(one.lines) for lines in same)
    assert found.lie_in(one) == any(one.lines.holds(lines) for lines in same)


@given(st.lists(st.sampled_from(["a", "a-2", "a-2-2", "b", "a" * 200]), max_size=30))
def test_every_name_is_given_once(wanted: list[str]) -> None:
    names = Names(["b"])
    given_ = [names.take(name) for name in wanted]
    assert len({"b", *given_}) == len(given_) + 1
    assert all(len(name) <= 100 for name in given_)
    assert all(name in names for name in given_)


def test_a_name_is_kept_where_it_is_free() -> None:
    names = Names(["a"])
    assert [names.take(name) for name in ("b", "a", "a", "b", "a-2")] == ["b", "a-2", "a-3", "b-2", "a-2-2"]
    long = "c" * 120
    assert [names.take(long), names.take(long)] == ["c" * 100, f"{'c' * 92}-2"]


def test_many_of_one_name() -> None:
    names = Names()
    assert [names.take("a") for _ in range(100_000)][-1] == "a-100000"
