from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from provenance.citation import LineRange
from provenance.compare.patterns import Case, patterns
from provenance.relocation import Confidence, Status

MOVED, RENAMED, UNCHANGED = Status.MOVED, Status.RENAMED, Status.UNCHANGED
DELETED, EDITED, UNAVAILABLE = Status.DELETED, Status.EDITED, Status.UNAVAILABLE


def moved(path: str, offset: int, first: int = 50) -> Case:
    return Case(
        "s", MOVED, path, LineRange(first, first + 3), path, LineRange(first + offset, first + offset + 3)
    )


def renamed(path: str, new: str, offset: int = 0) -> Case:
    return replace(moved(path, offset), status=RENAMED, new_path=new)


def unchanged(path: str, source: str = "s") -> Case:
    return Case(source, UNCHANGED, path, LineRange(1, 2), path, LineRange(1, 2))


def deleted(path: str, by: str = "c") -> Case:
    return Case("s", DELETED, path, LineRange(1, 2), reason=by)


def unavailable(reason: str, source: str = "s") -> Case:
    return Case(source, UNAVAILABLE, "a.py", reason=reason)


LOW = Confidence.LOW

TABLE: dict[str, tuple[list[Case], list[tuple[int, int, str, str, tuple[int, ...]]]]] = {
    "nothing": ([], []),
    "one file, one offset": ([moved("a.py", 2)] * 31, [(31, 1, "a.py", "a.py", (2,))]),
    "one file, a few offsets": (
        [moved("a.py", 2), moved("a.py", -7), moved("a.py", 2)],
        [(2, 1, "a.py", "a.py", (2,)), (1, 1, "a.py", "a.py", (-7,))],
    ),
    "one file, many offsets": (
        [moved("a.py", offset) for offset in range(2, 9)],
        [(7, 1, "a.py", "a.py", (2, 3, 4, 5, 6, 7, 8))],
    ),
    "a large offset among many": (
        [moved("a.py", 2)] * 20 + [moved("a.py", offset) for offset in range(3, 9)],
        [(20, 1, "a.py", "a.py", (2,)), (6, 1, "a.py", "a.py", (3, 4, 5, 6, 7, 8))],
    ),
    "two files": (
        [moved("a.py", 2), moved("b.py", 2)],
        [(1, 1, "a.py", "a.py", (2,)), (1, 1, "b.py", "b.py", (2,))],
    ),
    "a value on no line": (
        [Case("s", MOVED, "a.json", None, "a.json", None)],
        [(1, 1, "a.json", "a.json", ())],
    ),
    "low confidence apart, and first": (
        [*[moved("a.py", 2)] * 3, replace(moved("a.py", 2), confidence=LOW)],
        [(1, 1, "a.py", "a.py", (2,)), (3, 1, "a.py", "a.py", (2,))],
    ),
    "a file that was renamed": ([renamed("a.py", "b/c.py")] * 12, [(12, 1, "a.py", "b/c.py", (0,))]),
    "a file whose code went to two": (
        [renamed("a.py", "b.py"), renamed("a.py", "c.py", 3)],
        [(1, 1, "a.py", "b.py", (0,)), (1, 1, "a.py", "c.py", (3,))],
    ),
    "a folder": (
        [renamed("p/old/a.py", "p/new/a.py"), renamed("p/old/s/b.py", "p/new/s/b.py", 4)],
        [(2, 2, "p/old/", "p/new/", (0, 4))],
    ),
    "a folder's only cited file": (
        [renamed("old/a.py", "new/a.py")] * 2,
        [(2, 1, "old/a.py", "new/a.py", (0,))],
    ),
    "into a folder": (
        [renamed("a.py", "src/a.py"), renamed("b.py", "src/b.py")],
        [(2, 2, "./", "src/", (0,))],
    ),
    "out of a folder": (
        [renamed("src/a.py", "a.py"), renamed("src/b.py", "b.py")],
        [(2, 2, "src/", "./", (0,))],
    ),
    "what stayed, of all files": ([unchanged("a.py"), unchanged("b.py")], [(2, 2, "", "", (0,))]),
    "what stayed, of few sources": (
        [unchanged("a.py", "s"), unchanged("a.py", "t")],
        [(1, 1, "a.py", "a.py", (0,)), (1, 1, "a.py", "a.py", (0,))],
    ),
    "what stayed, of many sources": (
        [unchanged("a.py", str(number)) for number in range(60)],
        [(60, 60, "", "a.py", (0,))],
    ),
    "deleted by two commits": (
        [deleted("a.py"), deleted("a.py", "d"), deleted("a.py")],
        [(2, 1, "a.py", "", ()), (1, 1, "a.py", "", ())],
    ),
    "deleted in a few files": (
        [deleted("a.py"), deleted("b.py")],
        [(1, 1, "a.py", "", ()), (1, 1, "b.py", "", ())],
    ),
    "deleted with a folder": (
        [deleted(f"p/old/{number}/a.py") for number in range(5)],
        [(5, 5, "p/old/", "", ())],
    ),
    "edited ones stand alone": (
        [replace(moved("a.py", 2), status=EDITED)] * 2,
        [(1, 1, "a.py", "a.py", (2,))] * 2,
    ),
    "one host that does not answer": ([unavailable("no answer")] * 9, [(9, 1, "a.py", "", ())]),
    "two reasons": ([unavailable("x"), unavailable("y")], [(1, 1, "a.py", "", ())] * 2),
}


@pytest.mark.parametrize(("cases", "expected"), TABLE.values(), ids=TABLE)
def test_what_citations_have_in_common(
    cases: list[Case], expected: list[tuple[int, int, str, str, tuple[int, ...]]]
) -> None:
    found = patterns(cases)
    assert [(len(each.members), each.files, each.old, each.new, each.offsets) for each in found] == expected


def test_what_has_to_be_acted_on_comes_first() -> None:
    statuses = [*Status]
    found = patterns([Case("s", status, "a.py") for status in statuses])
    assert [each.status for each in found] == [
        DELETED,
        UNAVAILABLE,
        Status.AMBIGUOUS,
        EDITED,
        RENAMED,
        MOVED,
        UNCHANGED,
    ]


def test_many_small_patterns_are_told_together_and_last() -> None:
    cases = [moved(f"{number}.py", number) for number in range(1, 40)] + [moved("big.py", 2)] * 5
    cases += [renamed(f"{number}.py", f"was{number}.py") for number in range(5)]
    found = patterns(cases)
    assert len(found) == 10
    assert [each.status for each in found].count(RENAMED) == 1
    largest, rest = next(each for each in found if each.status is MOVED), found[-1]
    assert (largest.old, len(largest.members)) == ("big.py", 5)
    assert (rest.old, rest.new, rest.files, len(rest.offsets)) == ("", "", 32, 32)


def test_what_is_left_is_told_by_source_and_of_many_sources_together() -> None:
    cases = [replace(moved(f"{at}.py", at), source="st"[at % 2]) for at in range(40)]
    found = patterns(cases)
    assert [len(each.members) for each in found] == [*[1] * 8, 16, 16]
    assert all(len(each.sources) == 1 for each in found)
    cases = [replace(moved(f"{at}.py", at), source=str(at % 9)) for at in range(180)]
    assert [(len(each.members), each.sources) for each in patterns(cases) if each.files > 1] == [
        (20, (str(at),)) if at else (19, ("0",)) for at in [*range(1, 9), 0]
    ]
    cases = [replace(moved(f"{at}.py", at), source=str(at % 60)) for at in range(180)]
    assert [(len(each.members), len(each.sources)) for each in patterns(cases)] == [(156, 52), *[(3, 1)] * 8]


def test_edits_are_told_by_commit_and_small_groups_together() -> None:
    cases = [
        replace(moved(f"{at}.py", 2), status=EDITED, reason=by)
        for at, by in enumerate(["a", "b", "", "c", "b", "", "a", "d", "a"])
    ]
    found = patterns(cases, edits_apart=False)
    assert [(each.reason, each.members) for each in found] == [
        ("a", (0, 6, 8)),
        ("b", (1, 4)),
        ("", (2, 5)),
        ("", (3, 7)),
    ]
    assert [each.members for each in patterns(cases)] == [(at,) for at in range(9)]


def test_ten_patterns_stay_as_they_are_and_one_is_not_told_as_others() -> None:
    cases = [moved(f"{number}.py", 2) for number in range(10)]
    assert [each.old for each in patterns(cases)] == [case.path for case in cases]
    found = patterns([*cases, renamed("a.py", "b.py")])
    assert [(each.old, each.new) for each in found[:1]] == [("a.py", "b.py")]
    assert (len(found), found[-1].files) == (10, 2)


def test_many_reasons_are_told_together() -> None:
    found = patterns([unavailable(str(number)) for number in range(300)])
    assert len(found) == 9
    assert [each.reason for each in found] == ["0", "1", "2", "3", "4", "5", "6", "7", ""]
    assert len(found[-1].members) == 292


def test_the_sources_of_a_pattern_are_named_in_their_order() -> None:
    cases = [unavailable("x", source) for source in "bacdeb"]
    assert [each.sources for each in patterns(cases)] == [("b", "a", "c", "d", "e")]


PATHS = st.lists(st.sampled_from(["a", "b", "c.py", "d.py"]), min_size=1, max_size=4).map("/".join)
RANGES = st.none() | st.integers(1, 60).map(lambda first: LineRange(first, first + 2))
CASES = st.lists(
    st.builds(
        Case,
        st.sampled_from("stuvwx"),
        st.sampled_from(list(Status)),
        PATHS,
        RANGES,
        st.none() | PATHS,
        RANGES,
        st.sampled_from([None, Confidence.HIGH, LOW]),
        st.sampled_from(["", "x", "y"]),
    ),
    max_size=60,
)


@given(CASES, st.booleans())
def test_each_citation_is_in_one_pattern_and_what_it_says_is_true(
    cases: list[Case],
    edits_apart: bool,
) -> None:
    found = patterns(cases, edits_apart=edits_apart)
    assert sorted(at for each in found for at in each.members) == [*range(len(cases))]
    for each in found:
        chosen = [cases[at] for at in each.members]
        assert {(case.status, case.confidence) for case in chosen} == {(each.status, each.confidence)}
        assert {case.source for case in chosen} == set(each.sources)
        assert len({(case.source, case.path) for case in chosen}) == each.files
        assert {case.offset for case in chosen} - {None} == set(each.offsets)
        assert all(case.path.startswith(each.old.removeprefix("./")) for case in chosen)
        if each.new:
            assert all((case.new_path or "").startswith(each.new.removeprefix("./")) for case in chosen)
        if each.reason:
            assert {case.reason for case in chosen} == {each.reason}
        assert list(each.members) == sorted(each.members)


@given(CASES)
def test_what_holds_never_takes_many_lines(cases: list[Case]) -> None:
    follow = [each for each in patterns(cases) if each.status in {MOVED, RENAMED}]
    assert len(follow) <= 8 + 2 * 3
