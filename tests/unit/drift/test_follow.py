"""Where lines of one commit are at another, in histories that are held in memory."""

from __future__ import annotations

from collections.abc import Mapping

import pytest
from support.watched import SUBMODULE, SYMLINK, UNREACHED, Thing, Tree, Watched

from provenance.citation import LineRange
from provenance.drift.follow import Place, follow, follow_contents
from provenance.relocation import Confidence, Relocation, Spot, Status

HEAD = "import table\n\n\n"
FIND = """\
def find(index, queue):
    state = table.find(index, limit=12)
    if state.ready:
        queue.append(state)
    return queue
"""
EDITED = FIND.replace("limit=12", "limit=13, order=index")
CLOSE = "\n\ndef close(index):\n    index.flush(sync=True)\n    index.unlock()\n"
LOAD = "def load(path):\n    with open(path) as source:\n        return parse(source)\n\n\n"
FILE = HEAD + FIND + CLOSE
CITED = Place("a.py", LineRange(4, 8))
LINES = CITED.lines


def ask(past: Watched, old: str, new: str, place: Place = CITED) -> Relocation:
    (found,) = follow(past, past.ids[old], past.ids[new], [place])
    return found


def along(*things: Thing | Tree) -> tuple[Watched, Relocation]:
    """Follow lines of `a.py` through commits in a row; what is no tree is that file."""
    trees: list[Tree] = [one if isinstance(one, Mapping) else {"a.py": one} for one in things]
    past = Watched.row(*trees)
    return past, ask(past, "0", str(len(trees) - 1))


def at(first: int, last: int, path: str = "a.py") -> tuple[str, LineRange]:
    return path, LineRange(first, last)


def place_of(found: Relocation) -> tuple[str, LineRange | None] | None:
    return None if found.end is None else (found.end.path, found.end.lines)


@pytest.mark.parametrize(
    ("things", "status", "end", "commit"),
    [
        pytest.param([FILE, FILE], Status.UNCHANGED, at(4, 8), None, id="the same file"),
        pytest.param([FILE, FILE + LOAD], Status.UNCHANGED, at(4, 8), None, id="lines below"),
        pytest.param([FILE, LOAD + FILE], Status.MOVED, at(9, 13), "1", id="lines above"),
        pytest.param([FILE, FILE, LOAD + FILE, FILE], Status.UNCHANGED, at(4, 8), None, id="and back"),
        pytest.param(
            [FILE, LOAD + FILE, LOAD + FILE, LOAD + FILE + LOAD],
            Status.MOVED,
            at(9, 13),
            "1",
            id="the commit that moved them, not the last one",
        ),
        pytest.param(
            [FILE, "# 1\n" + FILE, "# 1\n# 2\n" + FILE, "# 1\n# 2\n" + FILE + LOAD],
            Status.MOVED,
            at(6, 10),
            "2",
            id="the commit that brought them where they are",
        ),
        pytest.param([FILE, {"b.py": FILE}], Status.RENAMED, at(4, 8, "b.py"), "1", id="another path"),
        pytest.param(
            [FILE, {"b.py": FILE}, {"lib/b.py": FILE}],
            Status.RENAMED,
            at(4, 8, "lib/b.py"),
            "2",
            id="two paths one after the other",
        ),
        pytest.param(
            [FILE, {"b.py": FILE}, {"a.py": FILE}], Status.UNCHANGED, at(4, 8), None, id="a path and back"
        ),
        pytest.param(
            [FILE, {"b.py": LOAD + FILE.replace("unlock", "free")}],
            Status.RENAMED,
            at(9, 13, "b.py"),
            "1",
            id="another path and other lines",
        ),
        pytest.param(
            [FILE, {"a.py": HEAD + CLOSE, "b.py": HEAD + LOAD + FIND}],
            Status.RENAMED,
            at(9, 13, "b.py"),
            "1",
            id="carried to another file",
        ),
        pytest.param(
            [FILE, HEAD + CLOSE.lstrip("\n") + "\n\n" + FIND],
            Status.MOVED,
            at(9, 13),
            "1",
            id="put behind another function",
        ),
        pytest.param([FILE, HEAD + EDITED + CLOSE], Status.EDITED, at(4, 8), "1", id="edited"),
        pytest.param(
            [FILE, LOAD + FILE, LOAD + HEAD + EDITED + CLOSE, HEAD + EDITED + CLOSE],
            Status.EDITED,
            at(4, 8),
            "2",
            id="edited, between two commits that moved them",
        ),
        pytest.param(
            [FILE, HEAD + EDITED + CLOSE, FILE], Status.UNCHANGED, at(4, 8), None, id="edited and taken back"
        ),
        pytest.param(
            [FILE, HEAD + EDITED + CLOSE, {"b.py": HEAD + EDITED + CLOSE}],
            Status.EDITED,
            at(4, 8, "b.py"),
            "1",
            id="edited, then another path",
        ),
        pytest.param([FILE, HEAD + CLOSE], Status.DELETED, None, "1", id="taken out"),
        pytest.param(
            [FILE, FILE + LOAD, HEAD + CLOSE + LOAD, HEAD + CLOSE],
            Status.DELETED,
            None,
            "2",
            id="taken out between other changes",
        ),
        pytest.param([FILE, {"c.md": "# Nothing\n"}], Status.DELETED, None, "1", id="the file is deleted"),
        pytest.param([FILE, SYMLINK], Status.DELETED, None, "1", id="a symbolic link stands there"),
        pytest.param([FILE, SUBMODULE], Status.DELETED, None, "1", id="a submodule stands there"),
        pytest.param(
            [FILE, {"a.py/b": "# Nothing\n"}], Status.DELETED, None, "1", id="a folder stands there"
        ),
        pytest.param(
            [FILE, {"a.py/find.py": FILE}],
            Status.RENAMED,
            at(4, 8, "a.py/find.py"),
            "1",
            id="a folder with the file in it",
        ),
        pytest.param(
            [FILE, {"a.py": SYMLINK, "b.py": FILE}],
            Status.RENAMED,
            at(4, 8, "b.py"),
            "1",
            id="a symbolic link, and the file elsewhere",
        ),
    ],
)
def test_what_became_of_lines(
    things: list[Thing | Tree], status: Status, end: tuple[str, LineRange] | None, commit: str | None
) -> None:
    past, found = along(*things)
    assert (found.status, place_of(found), past.name(found.commit)) == (status, end, commit)
    assert found.confidence is Confidence.HIGH
    assert found.old_text == FIND.removesuffix("\n")
    if status in {Status.UNCHANGED, Status.MOVED, Status.RENAMED}:
        assert (found.text, found.similarity) == (found.old_text, 1.0)
    if found.end is not None:
        assert found.end.revision == past.ids[str(len(things) - 1)]


def test_an_edit_is_told_with_its_text() -> None:
    _, found = along(FILE, HEAD + EDITED + CLOSE)
    assert found.text == EDITED.removesuffix("\n")
    assert found.similarity is not None
    assert 0.8 < found.similarity < 1


@pytest.mark.parametrize(
    ("things", "message"),
    [
        ([FILE, {"c.md": "# Nothing\n"}], "a.py was deleted"),
        ([FILE, SYMLINK], "a.py became a symbolic link"),
        ([FILE, SUBMODULE], "a.py became a submodule"),
    ],
)
def test_it_is_said_how_lines_were_deleted(things: list[Thing | Tree], message: str) -> None:
    _, found = along(*things)
    assert found.message == message


def test_lines_that_became_something_else_bit_by_bit_are_gone() -> None:
    first = (
        "def send(things):\n    for one in things:\n        print(one)\n    raise Stopped\n    # nothing\n"
    )
    lines, other = FIND.split("\n")[:-1], first.split("\n")[:-1]
    things = [
        HEAD + "\n".join([*other[:number], *lines[number:]]) + "\n" + CLOSE
        for number in range(len(lines) + 1)
    ]
    _, found = along(*things)
    assert (found.status, found.end) == (Status.DELETED, None)


def test_two_copies_where_the_original_goes_are_both_named() -> None:
    past, found = along(
        {"a.py": FILE, "b.py": "one = 1\n", "c.py": "two = 2\n"},
        {"a.py": HEAD + CLOSE, "b.py": "one = 1\n" + FIND, "c.py": "two = 2\n" + LOAD + FIND},
    )
    assert (found.status, found.end, found.confidence) == (Status.AMBIGUOUS, None, Confidence.LOW)
    assert {(spot.path, spot.lines) for spot in found.candidates} == {at(2, 6, "b.py"), at(7, 11, "c.py")}
    assert past.name(found.commit) == "1"


def test_of_two_copies_one_is_left_that_was_not_deleted_since() -> None:
    _, found = along(
        {"a.py": FILE, "b.py": "one = 1\n", "c.py": "two = 2\n"},
        {"a.py": HEAD + CLOSE, "b.py": "one = 1\n" + FIND, "c.py": "two = 2\n" + FIND},
        {"a.py": HEAD + CLOSE, "b.py": "one = 1\n", "c.py": "two = 2\n" + FIND},
    )
    assert (found.status, place_of(found), found.confidence) == (
        Status.RENAMED,
        at(2, 6, "c.py"),
        Confidence.LOW,
    )


def test_a_copy_is_nothing_to_lines_that_stay() -> None:
    _, found = along({"a.py": FILE}, {"a.py": FILE, "b.py": FILE})
    assert (found.status, place_of(found)) == (Status.UNCHANGED, at(4, 8))


def test_lines_that_are_there_again_as_they_were_have_moved() -> None:
    past, found = along(FILE, HEAD + CLOSE, "print(1)\n", LOAD + FILE)
    assert (found.status, place_of(found), past.name(found.commit)) == (Status.MOVED, at(9, 13), "3")


def test_lines_that_were_taken_away_and_are_there_again() -> None:
    # Each line stands once more by itself, so that one version alone does not tell which of them is meant.
    alone = HEAD + "\n\n".join(reversed(FIND.split("\n")[:-1])) + "\n\n"
    past = Watched.row({"a.py": alone + FIND}, {"a.py": "print(1)\n"}, {"a.py": LOAD + alone + LOAD + FIND})
    found = ask(past, "0", "2", Place("a.py", LineRange(14, 18)))
    assert (found.status, place_of(found), found.confidence) == (Status.MOVED, at(24, 28), Confidence.LOW)
    assert found.message == "the lines were taken away, and are there again"


def test_a_file_that_is_taken_away_and_soon_stands_elsewhere_was_renamed() -> None:
    past, found = along(FILE, {"c.md": "# Nothing\n"}, {"c.md": "# Nothing\n", "lib/a.py": FILE})
    assert (found.status, place_of(found), past.name(found.commit)) == (
        Status.RENAMED,
        at(4, 8, "lib/a.py"),
        "2",
    )


def test_a_definition_of_which_little_is_left_is_found_by_its_name() -> None:
    later = HEAD + "def find(index, *, limit):\n    return search(table, index, limit=limit)\n" + CLOSE
    past, found = along(FILE, LOAD + FILE, LOAD + later)
    assert (found.status, place_of(found), past.name(found.commit)) == (Status.EDITED, at(9, 10), "2")


def test_of_lines_that_are_there_again_twice_none_is_taken() -> None:
    _, found = along(FILE, HEAD + CLOSE, HEAD + FIND + LOAD + FIND)
    assert (found.status, found.end) == (Status.DELETED, None)


@pytest.mark.parametrize(
    "tree",
    [
        pytest.param({}, id="nothing stands there"),
        pytest.param({"a.py/b": "one"}, id="a folder stands there"),
        pytest.param({"a.py": SYMLINK}, id="a symbolic link stands there"),
        pytest.param({"a.py": SUBMODULE}, id="a submodule stands there"),
        pytest.param({"a.py": b"\0\1\2"}, id="it is no text"),
        pytest.param({"a.py": "one\ntwo\n"}, id="it is shorter"),
        pytest.param({"a.py": ""}, id="it is empty"),
    ],
)
def test_lines_that_are_not_there_at_the_beginning(tree: Tree) -> None:
    found = ask(Watched.row(tree, {"a.py": FILE}), "0", "1")
    assert (found.status, found.end, found.confidence) == (Status.UNAVAILABLE, None, None)
    assert "a.py" in found.message


@pytest.mark.parametrize("last", ["1", "2"])
def test_binary_content_on_the_way_is_no_answer(last: str) -> None:
    past = Watched.row({"a.py": FILE}, {"a.py": b"\0" * 40}, {"a.py": b"\0" * 50})
    found = ask(past, "0", last)
    assert (found.status, found.message) == (Status.UNAVAILABLE, "a.py is no text: binary content")


def test_contents_that_nobody_has_are_no_answer() -> None:
    later = HEAD + EDITED + CLOSE
    past = Watched.row({"a.py": FILE}, {"a.py": later})
    past.lose(later)
    found = ask(past, "0", "1")
    assert (found.status, found.message, found.end) == (Status.UNAVAILABLE, UNREACHED, None)


def test_cited_contents_that_nobody_has_are_no_answer() -> None:
    past = Watched.row({"a.py": FILE}, {"a.py": LOAD + FILE})
    past.lose(FILE)
    found = ask(past, "0", "1")
    assert (found.status, found.message) == (Status.UNAVAILABLE, UNREACHED)


def test_a_missing_content_spoils_its_own_file_alone() -> None:
    later = LOAD + FILE
    past = Watched.row({"a.py": FILE, "b.py": FILE + LOAD}, {"a.py": later, "b.py": HEAD + FILE + LOAD})
    past.lose(later)
    places = [CITED, Place("b.py", LINES)]
    found = follow(past, past.ids["0"], past.ids["1"], places)
    assert [one.status for one in found] == [Status.UNAVAILABLE, Status.MOVED]


def test_answers_come_in_the_order_of_the_places() -> None:
    past = Watched.row({"a.py": FILE, "b.py": FILE}, {"a.py": LOAD + FILE, "c.py": FILE})
    places = [Place("b.py", LINES), CITED, Place("no.py", LINES), Place("b.py", LineRange(1, 1)), CITED]
    found = follow(past, past.ids["0"], past.ids["1"], places)
    assert [place_of(one) for one in found] == [
        at(4, 8, "c.py"),
        at(9, 13),
        None,
        at(1, 1, "c.py"),
        at(9, 13),
    ]
    assert follow(past, past.ids["0"], past.ids["1"], []) == []


MERGED = {
    "base": {"a.py": FILE, "b.py": "one = 1\n"},
    "main": {"a.py": FILE, "b.py": "one = 2\n"},
    "first": {"a.py": LOAD + FILE, "b.py": "one = 1\n"},
    "second": {"a.py": LOAD + HEAD + EDITED + CLOSE, "b.py": "one = 1\n"},
    "third": {"a.py": LOAD + HEAD + EDITED + CLOSE + LOAD, "b.py": "one = 1\n"},
    "merge": {"a.py": LOAD + HEAD + EDITED + CLOSE + LOAD, "b.py": "one = 2\n"},
    "last": {"a.py": LOAD + HEAD + EDITED + CLOSE + LOAD, "b.py": "one = 3\n"},
}
PARENTS = {
    "base": (),
    "main": ("base",),
    "first": ("base",),
    "second": ("first",),
    "third": ("second",),
    "merge": ("main", "third"),
    "last": ("merge",),
}


def test_an_edit_that_a_merge_brings_is_of_the_commit_that_made_it() -> None:
    past = Watched(MERGED, PARENTS)
    found = ask(past, "base", "last")
    assert (found.status, place_of(found), past.name(found.commit)) == (Status.EDITED, at(9, 13), "second")
    assert found.confidence is Confidence.HIGH


def test_a_move_that_a_merge_brings() -> None:
    trees = {name: dict(tree) for name, tree in MERGED.items()}
    for name in ("second", "third", "merge", "last"):
        trees[name]["a.py"] = LOAD + FILE + CLOSE if name != "second" else LOAD + FILE
    past = Watched(trees, PARENTS)
    found = ask(past, "base", "last")
    assert (found.status, place_of(found), found.confidence) == (Status.MOVED, at(9, 13), Confidence.HIGH)
    assert past.name(found.commit) in {"first", "merge"}


def test_a_deletion_that_a_merge_brings() -> None:
    trees = {name: dict(tree) for name, tree in MERGED.items()}
    for name in ("second", "third", "merge", "last"):
        trees[name]["a.py"] = LOAD + HEAD + CLOSE
    past = Watched(trees, PARENTS)
    found = ask(past, "base", "last")
    assert (found.status, found.end) == (Status.DELETED, None)
    assert past.name(found.commit) in {"second", "merge"}


def test_a_merge_within_a_merge() -> None:
    edited = LOAD + HEAD + EDITED + CLOSE
    trees: dict[str, Tree] = {
        "base": {"a.py": FILE},
        "main": {"a.py": FILE, "b.py": "one = 1\n"},
        "side": {"a.py": FILE, "c.py": "one = 1\n"},
        "inner": {"a.py": edited},
        "join": {"a.py": edited, "c.py": "one = 1\n"},
        "merge": {"a.py": edited, "b.py": "one = 1\n", "c.py": "one = 1\n"},
    }
    parents = {
        "base": (),
        "main": ("base",),
        "side": ("base",),
        "inner": ("base",),
        "join": ("side", "inner"),
        "merge": ("main", "join"),
    }
    past = Watched(trees, parents)
    found = ask(past, "base", "merge")
    assert (found.status, place_of(found), past.name(found.commit)) == (Status.EDITED, at(9, 13), "inner")


def test_an_octopus() -> None:
    edited = HEAD + EDITED + CLOSE
    arms = [f"arm{number}" for number in range(4)]
    trees: dict[str, Tree] = {arm: {"a.py": edited if arm == "arm1" else FILE, arm: "one\n"} for arm in arms}
    trees["base"] = {"a.py": FILE}
    trees["merge"] = {"a.py": edited, **dict.fromkeys(arms, "one\n")}
    past = Watched(trees, {"base": (), **dict.fromkeys(arms, ("base",)), "merge": arms})
    found = ask(past, "base", "merge")
    assert (found.status, place_of(found), past.name(found.commit)) == (Status.EDITED, at(4, 8), "arm1")


def test_a_merge_that_itself_edits() -> None:
    trees = {name: dict(tree) for name, tree in MERGED.items()}
    for name in ("first", "second", "third"):
        trees[name]["a.py"] = LOAD + FILE
    past = Watched(trees, PARENTS)
    found = ask(past, "base", "last")
    assert (found.status, place_of(found), past.name(found.commit)) == (Status.EDITED, at(9, 13), "merge")


def test_the_new_revision_may_be_the_older_one() -> None:
    past = Watched.row(
        {"a.py": FILE}, {"a.py": LOAD + FILE}, {"b.py": LOAD + FILE}, {"b.py": LOAD + FILE + LOAD}
    )
    found = ask(past, "3", "0", Place("b.py", LineRange(9, 13)))
    assert (found.status, place_of(found), found.confidence) == (Status.RENAMED, at(4, 8), Confidence.HIGH)


def test_lines_that_are_younger_than_the_new_revision_are_gone() -> None:
    past = Watched.row({"a.py": HEAD + CLOSE}, {"a.py": FILE}, {"a.py": FILE + LOAD})
    found = ask(past, "2", "0")
    assert (found.status, past.name(found.commit)) == (Status.DELETED, "1")


DIVERGED = {
    "base": {"a.py": FILE},
    "one": {"a.py": LOAD + FILE},
    "other": {"a.py": "# 1\n# 2\n" + FILE},
}
FROM_BASE = {"base": (), "one": ("base",), "other": ("base",)}


def test_branches_are_followed_by_way_of_what_both_descend_from() -> None:
    past = Watched(DIVERGED, FROM_BASE)
    found = ask(past, "one", "other", Place("a.py", LineRange(9, 13)))
    assert (found.status, place_of(found), found.confidence) == (Status.MOVED, at(6, 10), Confidence.LOW)
    assert found.commit is None
    (note,) = found.notes
    assert "neither is an ancestor of the other" in note
    assert past.ids["base"][:12] in note


def test_lines_that_are_younger_than_what_both_descend_from_are_compared_end_to_end() -> None:
    trees: dict[str, Tree] = {
        "base": {"a.py": HEAD + CLOSE},
        "one": {"a.py": FILE},
        "other": {"a.py": HEAD + LOAD + FIND + CLOSE},
    }
    past = Watched(trees, FROM_BASE)
    found = ask(past, "one", "other")
    assert (found.status, place_of(found), found.confidence) == (Status.MOVED, at(9, 13), Confidence.LOW)
    assert found.commit is None


def test_branches_of_which_one_lacks_the_lines() -> None:
    trees: dict[str, Tree] = {
        "base": {"a.py": FILE},
        "one": {"a.py": FILE + LOAD},
        "other": {"a.py": HEAD + CLOSE},
    }
    found = ask(Watched(trees, FROM_BASE), "one", "other")
    assert (found.status, found.commit, found.confidence) == (Status.DELETED, None, Confidence.LOW)
    assert len(found.notes) == 1


@pytest.mark.parametrize(
    ("thing", "status", "end"),
    [
        pytest.param({"a.py": LOAD + FILE}, Status.MOVED, at(9, 13), id="moved"),
        pytest.param({"a.py": HEAD + EDITED + CLOSE}, Status.EDITED, at(4, 8), id="edited"),
        pytest.param({"b.py": FILE}, Status.RENAMED, at(4, 8, "b.py"), id="renamed"),
        pytest.param({"b.py": "print(1)\n"}, Status.DELETED, None, id="gone"),
    ],
)
def test_histories_without_a_common_commit_are_compared_end_to_end(
    thing: Tree, status: Status, end: tuple[str, LineRange] | None
) -> None:
    past = Watched({"one": {"a.py": FILE}, "other": thing}, {"one": (), "other": ()})
    found = ask(past, "one", "other")
    assert (found.status, place_of(found), found.commit) == (status, end, None)
    assert found.confidence is Confidence.LOW
    assert found.notes == ("neither is an ancestor of the other: compared end to end",)


def test_a_file_that_is_the_same_at_both_ends_has_nothing_to_be_noted() -> None:
    past = Watched({"one": {"a.py": FILE}, "other": {"a.py": FILE}}, {"one": (), "other": ()})
    found = ask(past, "one", "other")
    assert (found.status, found.confidence, found.notes) == (Status.UNCHANGED, Confidence.HIGH, ())


def test_contents_without_a_history() -> None:
    old = {"a.py": FILE.encode(), "b.py": FILE.encode(), "c.py": b"one = first(1)\ntwo = second(2)\n"}
    new = {"a.py": (LOAD + FILE).encode(), "d.py": FILE.encode(), "c.py": b"print(1)\n"}
    places = [CITED, Place("b.py", LINES), Place("c.py", LineRange(1, 2)), Place("no.py", LINES)]
    found = follow_contents(old, new, "2.0", places)
    assert [one.end for one in found] == [
        Spot("2.0", "a.py", LineRange(9, 13)),
        Spot("2.0", "d.py", LINES),
        None,
        None,
    ]
    expected = [Status.MOVED, Status.RENAMED, Status.DELETED, Status.UNAVAILABLE]
    assert [one.status for one in found] == expected
    assert {one.commit for one in found} == {None}
    assert {one.confidence for one in found[:3]} == {Confidence.LOW}


def test_a_file_that_never_changes_is_read_once() -> None:
    past = Watched.row(*({"a.py": FILE, "b.py": f"one = {number}\n"} for number in range(300)))
    found = ask(past, "0", "299")
    assert found.status is Status.UNCHANGED
    assert past.asked["read"] == 1
    assert past.whole_steps == 0


def test_a_file_that_changes_elsewhere_all_the_time_is_read_seldom() -> None:
    trees: list[Tree] = [{"a.py": f"# {number}\n" * (number + 1) + FILE} for number in range(300)]
    past = Watched.row(*trees)
    found = ask(past, "0", "299")
    assert (found.status, place_of(found)) == (Status.MOVED, at(303, 307))
    assert past.name(found.commit) == "299"
    assert past.asked["read"] <= 20
    assert past.whole_steps == 0


def test_one_edit_among_many_commits_is_found_in_few_steps() -> None:
    trees: list[Tree] = [
        {"a.py": HEAD + (EDITED if number >= 177 else FIND) + CLOSE + f"# {number}\n"}
        for number in range(300)
    ]
    past = Watched.row(*trees)
    found = ask(past, "0", "299")
    assert (found.status, past.name(found.commit)) == (Status.EDITED, "177")
    assert past.asked["read"] <= 40
    assert past.whole_steps <= 3


def test_versions_that_are_not_here_come_in_few_requests() -> None:
    trees: list[Tree] = [
        {"a.py": f"# {number}\n" + FILE, "b.py": f"one = {number}\n"} for number in range(200)
    ]
    past = Watched.row(*trees)
    past.forget()
    found = ask(past, "0", "199", Place("a.py", LineRange(5, 9)))
    assert found.status is Status.UNCHANGED
    assert past.asked["requests"] <= 3


def test_ten_thousand_files_renamed_in_one_commit() -> None:
    def file(number: int, end: str = "") -> str:
        return HEAD + FIND.replace("find", f"find_{number}") + CLOSE + end

    past = Watched.row(
        {f"old/{number}.py": file(number) for number in range(10_000)},
        {f"new/{number}.py": file(number, "# moved\n") for number in range(10_000)},
    )
    places = [Place(f"old/{number}.py", LINES) for number in (7, 4_999, 9_999)]
    found = follow(past, past.ids["0"], past.ids["1"], places)
    assert [place_of(one) for one in found] == [at(4, 8, f"new/{number}.py") for number in (7, 4_999, 9_999)]
    assert past.whole_steps <= 3
    assert len(past.seen) <= 4_010


def test_a_file_of_a_hundred_thousand_lines() -> None:
    lines = [f"line_{number} = table.find(index, {number})" for number in range(100_000)]
    later = ["# licence", *lines[:50_000], "other = 1", *lines[50_001:]]
    past = Watched.row({"a.py": "\n".join(lines)}, {"a.py": "\n".join(later)})
    places = [Place("a.py", LineRange(first, first + 9)) for first in range(1, 100_000, 5_000)]
    found = follow(past, past.ids["0"], past.ids["1"], places)
    moved = [LineRange(place.lines.first + 1, place.lines.last + 1) for place in places]
    assert [one.end and one.end.lines for one in found[:10]] == moved[:10]
    assert {one.status for one in found} == {Status.MOVED, Status.EDITED}
    assert past.asked["read"] == 2


def test_a_file_that_became_two_that_are_the_same() -> None:
    past = Watched.row(
        {"a.py": HEAD + FIND + CLOSE}, {"x.py": HEAD + FIND + CLOSE, "y.py": HEAD + FIND + CLOSE}
    )
    (found,) = follow(past, past.ids["0"], past.ids["1"], [Place("a.py", LINES)])
    assert found.status is Status.AMBIGUOUS
    assert [spot.path for spot in found.candidates] == ["x.py", "y.py"]


def test_a_commit_that_adds_many_files_is_searched_all_the_same() -> None:
    vendor = {f"vendor/v{number}.py": f"value_{number} = {number}\n" for number in range(500)}
    past = Watched.row(
        {"pkg/old.py": HEAD + FIND + CLOSE}, {**vendor, "zz/place.py": "# head\n" + HEAD + FIND + CLOSE}
    )
    (found,) = follow(past, past.ids["0"], past.ids["1"], [Place("pkg/old.py", LINES)])
    assert (found.status, found.end and found.end.path) == (Status.RENAMED, "zz/place.py")


def test_a_commit_that_changes_more_than_is_searched() -> None:
    vendor = {f"vendor/v{number}.py": f"value_{number} = {number}\n" for number in range(4_100)}
    past = Watched.row({"pkg/old.py": HEAD + FIND + CLOSE}, vendor)
    (found,) = follow(past, past.ids["0"], past.ids["1"], [Place("pkg/old.py", LINES)])
    assert found.status is Status.UNAVAILABLE
    assert "more files than are searched" in found.message
