"""What `git diff-tree` prints, read."""

from __future__ import annotations

import pytest

from provenance.history import FileChange, Link, Step, TreeEntry
from provenance.origin import git_walk
from provenance.origin.git_command import GitFault

A, B, C = "a" * 40, "b" * 40, "c" * 40
ONE, TWO = "1" * 40, "2" * 40
NO_ID = "0" * 40
THERE, BACK, ON = Link(A, B, B), Link(B, A, B), Link(B, C, C)


def record(old: str, new: str, path: str, *, modes: tuple[str, str] = ("100644", "100644")) -> bytes:
    letter = "A" if old == NO_ID else "D" if new == NO_ID else "M"
    return f":{modes[0]} {modes[1]} {old} {new} {letter}\0{path}\0".encode("utf-8", "surrogateescape")


def header(commit: str) -> bytes:
    return f"{commit}\0".encode()


CHANGED = FileChange("f", TreeEntry("100644", ONE), TreeEntry("100644", TWO))


def test_a_step_holds_all_that_changes() -> None:
    out = (
        header(B)
        + record(ONE, TWO, "f")
        + record(NO_ID, TWO, "new", modes=("000000", "100755"))
        + record(ONE, NO_ID, "odd\n\udcff Ж", modes=("120000", "000000"))
    )
    (step,) = git_walk.steps([THERE], [out])
    assert step == Step(
        THERE,
        (
            CHANGED,
            FileChange("new", None, TreeEntry("100755", TWO)),
            FileChange("odd\n\udcff Ж", TreeEntry("120000", ONE), None),
        ),
    )


def test_a_step_back_has_its_sides_changed() -> None:
    (step,) = git_walk.steps([BACK], [header(B) + record(TWO, ONE, "f")])
    assert step == Step(BACK, (CHANGED,))


def test_links_without_changes_are_left_out() -> None:
    out = header(B) + header(C) + record(ONE, TWO, "f") + header(B)
    assert list(git_walk.steps([THERE, ON, THERE], [out])) == [Step(ON, (CHANGED,))]
    assert list(git_walk.steps([], [])) == []


def test_one_commit_may_be_asked_about_twice() -> None:
    out = header(B) + header(B) + record(ONE, TWO, "f")
    assert list(git_walk.steps([THERE, Link(C, B, B)], [out])) == [Step(Link(C, B, B), (CHANGED,))]


def test_only_the_paths_that_count_are_told_of() -> None:
    out = header(B) + record(ONE, TWO, "f") + record(ONE, TWO, "f/g") + header(C) + record(ONE, TWO, "h")
    assert list(git_walk.steps([THERE, ON], [out], ["f", "no"])) == [Step(THERE, (CHANGED,))]


@pytest.mark.parametrize(
    "out",
    [
        b"",
        header(C),
        record(ONE, TWO, "f"),
        header(B) + b":100644 nonsense\0f\0",
        header(B) + b":100644\0",
        header(B) + header(C),
        b"fatal: nonsense\0",
    ],
)
def test_what_is_no_answer_is_a_fault(out: bytes) -> None:
    with pytest.raises(GitFault, match="does not answer"):
        list(git_walk.steps([THERE], [out]))


@pytest.mark.parametrize(
    ("paths", "given"),
    [
        (None, ()),
        ([], ()),
        (["b", "a", "b"], ("a", "b")),
        (["-x", ":(glob)**", "*", "a b", "\udcff"], ("*", "-x", ":(glob)**", "a b", "\udcff")),
        (["../x", "/x", "", "a//b", "./a", "x\0y", "\ud800"], ()),
        ([str(number) for number in range(51)], ()),
    ],
)
def test_paths_are_given_as_they_are_or_not_at_all(paths: list[str] | None, given: tuple[str, ...]) -> None:
    arguments = git_walk.arguments(paths)
    assert arguments[arguments.index("--") + 1 :] == given
    assert arguments[0] == "--literal-pathspecs"


def test_questions_name_the_commit_and_what_it_is_compared_with() -> None:
    lines = b"".join(git_walk.questions([THERE, BACK, ON])).decode().split("\n")
    assert lines == [f"{B} {A}", f"{B} {A}", f"{C} {B}", ""]
    assert len(list(git_walk.questions([THERE] * 1001))) == 3
