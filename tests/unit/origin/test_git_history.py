"""Ways, steps, commits and contents of repositories on a real server."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import pytest
from support.githttp import serve
from support.histories import Grown, grow
from support.pasts import ABSENT, Past, blob, length, line, names
from support.repositories import Files, isolate, link, submodule

from provenance.evidence import object_id
from provenance.history import Commit, FileChange, Link, NoWay, TreeEntry
from provenance.origin import git_history
from provenance.origin.git import Limits
from provenance.origin.git_history import GitHistory

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@pytest.fixture
def world(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Past]:
    isolate(monkeypatch, tmp_path / "home")
    with serve(tmp_path / "served") as server:
        yield Past(tmp_path, server)


# Ways and steps


def test_a_way_and_what_changes_on_it(world: Past) -> None:
    ids = line(world.repository, 4)
    with world.open(ids[3], ids[0]) as history:
        way = history.way(ids[0], ids[3])
        assert way == [Link(ids[n], ids[n + 1], ids[n + 1]) for n in range(3)]
        steps = list(history.steps(way))
        assert [step.link for step in steps] == way
        assert steps[1].changes == (
            FileChange("d/x2", None, blob("0\n")),
            FileChange("f", blob("1\n"), blob("2\n")),
        )
        assert [step.changes for step in history.steps(way, ["d/x2"])] == [steps[1].changes[:1]]
        assert list(history.steps(way, ["d"])) == []
        assert list(history.steps(way, [])) == []
        assert history.way(ids[2], ids[2]) == ()
    assert world.requests == 2


def test_the_way_back_undoes_what_was_done(world: Past) -> None:
    ids = line(world.repository, 4)
    with world.open(*ids) as history:
        way = history.way(ids[3], ids[1])
        assert way == [Link(ids[3], ids[2], ids[3]), Link(ids[2], ids[1], ids[2])]
        steps = list(history.steps(way, ["f"]))
        assert [step.changes for step in steps] == [
            (FileChange("f", blob("3\n"), blob("2\n")),),
            (FileChange("f", blob("2\n"), blob("1\n")),),
        ]
        assert history.between(ids[3], ids[1]).changes == (
            FileChange("d/x2", blob("0\n"), None),
            FileChange("d/x3", blob("0\n"), None),
            FileChange("f", blob("3\n"), blob("1\n")),
        )


def test_merges_are_compared_with_the_parent_on_the_way(world: Past) -> None:
    ids = grow(
        world.repository,
        {
            "a": Grown(files={"f": "a\n"}),
            "b": Grown(["a"], {"f": "b\n"}),
            "side": Grown(["a"], {"s": "s\n"}),
            "merge": Grown(["b", "side"], {"s": "s\n"}),
            "one": Grown(["merge"], {"1": "1\n"}),
            "two": Grown(["merge"], {"2": "2\n"}),
            "octopus": Grown(["merge", "one", "two"], {"1": "1\n", "2": "2\n"}),
        },
    )
    with world.open(*ids.values()) as history:
        assert names(history.way(ids["a"], ids["octopus"]), ids) == ["a", "b", "merge", "octopus"]
        way = history.way(ids["side"], ids["merge"])
        assert names(way, ids) == ["side", "merge"]
        assert not isinstance(way, NoWay)
        assert [step.changes for step in history.steps(way)] == [(FileChange("f", blob("a\n"), blob("b\n")),)]
        assert names(history.way(ids["two"], ids["octopus"]), ids) == ["two", "octopus"]
        assert list(history.sides(ids["octopus"])) == [ids["merge"], ids["one"], ids["two"]]
        assert history.sides(ids["a"]) == []
        assert history.base(ids["b"], ids["side"]) == ids["a"]
        assert history.base(ids["one"], ids["octopus"]) == ids["one"]


def test_revisions_that_lead_nowhere_have_a_reason_and_can_be_compared(world: Past) -> None:
    ids = grow(
        world.repository,
        {
            "a": Grown(files={"f": "a\n"}),
            "b": Grown(["a"], {"f": "b\n"}),
            "c": Grown(["a"], {"f": "c\n"}),
            "other": Grown(files={"f": "o\n"}),
            "x": Grown(["b", "c"], when=1_700_000_000),
            "y": Grown(["c", "b"], when=1_700_000_100),
        },
    )
    with world.open(*ids.values()) as history:
        assert history.way(ids["b"], ids["c"]) == NoWay("neither is an ancestor of the other")
        assert history.way(ids["b"], ids["other"]) == NoWay("they share no history")
        assert history.base(ids["b"], ids["other"]) is None
        assert history.base(ids["x"], ids["y"]) == ids["c"]  # the newer one
        assert history.between(ids["b"], ids["c"]).changes == (FileChange("f", blob("b\n"), blob("c\n")),)
        assert history.between(ids["b"], ids["other"]).link == Link(ids["b"], ids["other"], ids["other"])
        assert history.between(ids["b"], ids["b"]).changes == ()


def test_whatever_can_stand_at_a_path(world: Past) -> None:
    odd = 'Ж "quoted"\n\\\udcff'
    trees: list[Files] = [
        {odd: "1\n", "f": "text\n", "g": "text\n", "h": "text\n", "d/e": "text\n"},
        {odd: "2\n", "f": link("g"), "g": submodule(ABSENT), "h/inside": "text\n", "d": "text\n"},
    ]
    old, new = (world.repository.commit(tree) for tree in trees)
    text = blob("text\n")
    with world.open(old, new) as history:
        changes = {change.path: change for change in history.between(old, new).changes}
        assert changes == {
            odd: FileChange(odd, blob("1\n"), blob("2\n")),
            "f": FileChange("f", text, TreeEntry("120000", object_id("blob", b"g"))),
            "g": FileChange("g", text, TreeEntry("160000", ABSENT)),
            "h": FileChange("h", text, None),
            "h/inside": FileChange("h/inside", None, text),
            "d": FileChange("d", None, text),
            "d/e": FileChange("d/e", text, None),
        }
        (step,) = history.steps([Link(old, new, new)], [odd])
        assert step.changes == (changes[odd],)
        assert history.entries(new, [odd, "f", "g", "h", "h/inside", "f/x", "d", "", "../d", "no"]) == {
            odd: blob("2\n"),
            "f": TreeEntry("120000", object_id("blob", b"g")),
            "g": TreeEntry("160000", ABSENT),
            "h/inside": text,
            "d": text,
        }
        kinds = [change.new.kind for change in changes.values() if change.new is not None]
        assert sorted(set(kinds)) == ["file", "submodule", "symbolic link"]


def test_ten_thousand_paths_may_change_at_once(world: Past) -> None:
    old = world.repository.commit({f"d{n % 50}/f{n}": f"{n}\n" for n in range(10_000)})
    new = world.repository.commit({f"e{n % 50}/f{n}": f"{n}\n" for n in range(10_000)})
    with world.open(old, new) as history:
        started = time.monotonic()
        step = history.between(old, new)
        assert len(step.changes) == 20_000
        assert time.monotonic() - started < 5


def test_a_long_history_is_walked_at_once(world: Past) -> None:
    ids = line(world.repository, 2000)
    with world.open(ids[-1]) as history:
        started = time.monotonic()
        way = history.way(ids[0], ids[-1])
        assert not isinstance(way, NoWay)
        assert len(way) == 1999
        assert sum(len(step.changes) for step in history.steps(way)) == 2 * 1999
        assert len(list(history.steps(way, ["f", *map(str, range(100))]))) == 1999
        assert time.monotonic() - started < 10


def test_a_walk_that_is_left_ends(world: Past) -> None:
    ids = line(world.repository, 300)
    with world.open(ids[-1]) as history:
        way = history.way(ids[0], ids[-1])
        assert not isinstance(way, NoWay)
        next(iter(history.steps(way)))  # let go of at once
        kept = history.steps(way)
        next(kept)
    assert list(kept) == []


def test_a_history_that_is_too_long_is_told(world: Past, monkeypatch: pytest.MonkeyPatch) -> None:
    ids = line(world.repository, 20)
    monkeypatch.setattr(git_history, "MOST_COMMITS", 10)
    with world.open(ids[-1]) as history:
        assert length(history.way(ids[-5], ids[-1])) == 4
        answer = history.way(ids[0], ids[-1])
        assert isinstance(answer, NoWay)
        assert "more than 10 commits" in answer.reason


def test_branches_of_a_history_that_is_too_long_are_told(
    world: Past, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = {"a": Grown(), "b": Grown(["a"])}
    ids = grow(world.repository, first | {"c": Grown(["b"]), "d": Grown(["b"]), "e": Grown(["d"])})
    monkeypatch.setattr(git_history, "MOST_COMMITS", 3)
    with world.open(ids["c"], ids["e"]) as history:
        answer = history.way(ids["c"], ids["e"])
        assert isinstance(answer, NoWay)
        assert "among the newest 3 commits" in answer.reason


# Commits and contents


def test_commits_say_when_and_what(world: Past) -> None:
    ids = grow(
        world.repository,
        {
            "a": Grown(message="Ж и\nЩ\n\nbody\n".encode(), when=1_550_133_660),
            "b": Grown(["a"], message=b""),
        },
    )
    with world.open(ids["b"]) as history:
        assert history.commits([ids["a"], ids["b"], ABSENT, "nonsense"]) == {
            ids["a"]: Commit(ids["a"], "2019-02-14T09:41:00+01:00", "Ж и Щ"),
            ids["b"]: Commit(ids["b"], "2020-09-13T13:28:40+01:00", ""),
        }


def test_blobs_come_in_one_request(world: Past) -> None:
    ids = line(world.repository, 5)
    wanted = [object_id("blob", f"{n}\n".encode()) for n in range(5)]
    with world.open(ids[-1]) as history:
        assert [history.read(one) for one in wanted] == [None] * 5
        world.server.reset()
        assert history.have(wanted) == {}
        assert world.requests == 2
        assert [history.read(one) for one in wanted] == [b"%d\n" % n for n in range(5)]
        world.server.reset()
        assert history.have(wanted) == {}
        assert world.requests == 0
        assert history.read(ids[0]) is None
        lacking = history.have([ABSENT, "nonsense"])
        assert sorted(lacking) == [ABSENT, "nonsense"]
        assert "does not hold" in lacking[ABSENT].message


def test_a_large_blob_is_not_read(world: Past) -> None:
    commit = world.repository.commit({"f": "x" * 1000})
    large = world.repository.blob(commit, "f")
    opened = world.origin(limits=Limits(blob=999, retries=0)).history(f"{world.server.url}/r.git", [commit])
    assert isinstance(opened, GitHistory)
    with opened as history:
        assert history.have([large]) == {}
        assert history.read(large) is None
