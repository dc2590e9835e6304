"""How whole histories come into the cache, from servers of all sorts and after whatever happened before."""

from __future__ import annotations

import itertools
import os
import subprocess
import sys
import threading
import time
from typing import TYPE_CHECKING

import pytest
from filelock import FileLock
from support.githttp import serve
from support.histories import Grown, grow, shallow_copy
from support.pasts import ABSENT, Past, blob, length, line
from support.repositories import isolate, run

from provenance.answers import Unreached
from provenance.evidence import object_id
from provenance.history import FileChange, Link, NoWay
from provenance.origin.address import AddressPolicy
from provenance.origin.git import GitOrigin, Limits
from provenance.origin.git_command import GitFault
from provenance.origin.git_history import GitHistory
from provenance.origin.git_stream import FailedChild
from provenance.origin.git_whole import WholeHistories
from provenance.origins import NetworkOrigins, NetworkReach, closing

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@pytest.fixture
def world(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Past]:
    isolate(monkeypatch, tmp_path / "home")
    with serve(tmp_path / "served") as server:
        yield Past(tmp_path, server)


# What the server can do


def test_files_do_not_come_with_a_history(world: Past) -> None:
    world.repository.commit({"f": bytes(range(256)) * 400})
    tip = world.repository.commit({"f": "small"})
    with world.open(tip):
        assert world.server.traffic.sent < 3000


def test_what_is_new_comes_alone(world: Past) -> None:
    ids = line(world.repository, 500)
    with world.open(ids[-2]):
        whole = world.server.traffic.sent
    with world.open(ids[-1], ids[3]) as history:
        assert world.server.traffic.sent < 2500 < whole / 10
        assert world.server.traffic.received < 4000
        assert length(history.way(ids[0], ids[-1])) == 499
    assert world.refs() == {ids[-1]}
    with world.open(ids[-1], ids[0], ids[200]):
        assert world.requests == 0


def test_branches_that_part_have_a_reference_each(world: Past) -> None:
    ids = grow(
        world.repository,
        {"a": Grown(), "b": Grown(["a"]), "c": Grown(["a"]), "m": Grown(["b", "c"])},
    )
    with world.open(ids["b"]), world.open(ids["c"], ids["a"]):
        assert world.refs() == {ids["b"], ids["c"]}
    with world.open(ids["m"]):
        assert world.refs() == {ids["m"]}


def test_a_server_that_ignores_filters_sends_files_along(world: Past) -> None:
    world.server.filters = False
    ids = line(world.repository, 3)
    with world.open(ids[-1]) as history:
        world.server.reset()
        wanted = [object_id("blob", b"0\n"), object_id("blob", b"2\n")]
        assert history.have(wanted) == {}
        assert world.requests == 0
        assert history.read(wanted[0]) == b"0\n"
    assert any("ignores filters" in text for text in world.listener.said)


@pytest.mark.parametrize("filters", [True, False])
def test_a_server_that_refuses_ids_gives_its_branches(world: Past, *, filters: bool) -> None:
    world.server.any_id, world.server.protocol_v2, world.server.filters = False, False, filters
    ids = line(world.repository, 5)
    with world.open(ids[2], ids[4]) as history:
        assert length(history.way(ids[0], ids[4])) == 4
        wanted = [object_id("blob", f"{n}\n".encode()) for n in range(5)]
        assert history.have(wanted) == {}
        assert [history.read(one) for one in wanted] == [b"%d\n" % n for n in range(5)]
    assert any("refuses direct fetch by id" in text for text in world.listener.said)
    assert world.refs() == {ids[4]}


def test_a_server_that_refuses_only_blobs_gives_whole_histories(world: Past) -> None:
    world.server.any_id, world.server.protocol_v2 = False, False
    world.server.environ = {
        "GIT_CONFIG_COUNT": "4",
        "GIT_CONFIG_KEY_3": "uploadpack.allowReachableSHA1InWant",
        "GIT_CONFIG_VALUE_3": "true",
    }
    ids = line(world.repository, 5)
    with world.open(ids[2]) as history:
        wanted = [object_id("blob", f"{n}\n".encode()) for n in range(3)]
        assert history.have(wanted) == {}
        assert [history.read(one) for one in wanted] == [b"%d\n" % n for n in range(3)]


def test_a_shallow_server_claims_no_whole_history(world: Past) -> None:
    ids = line(world.repository, 10)
    copy = shallow_copy(world.repository, 3)
    with world.open(ids[9], ids[7], ids[0], name="shallow") as history:
        assert length(history.way(ids[7], ids[9])) == 2
        lost = history.way(ids[0], ids[9])
        assert isinstance(lost, NoWay)
        assert "does not hold" in lost.reason
        assert history.between(ids[7], ids[9]).changes[-1] == FileChange("f", blob("7\n"), blob("9\n"))
        assert history.entries(ids[7], ["f"]) == {"f": blob("7\n")}
        assert length(history.way(ids[9], ids[7])) == 2
        assert history.base(ids[7], ids[9]) == ids[7]
    assert world.refs() == set()
    assert not (world.cached / "shallow").exists()
    # When the server has more, more is had.
    copy.git("fetch", "--quiet", "--unshallow", "origin", "+refs/heads/*:refs/heads/*")
    with world.open(ids[9], ids[0], name="shallow") as history:
        assert length(history.way(ids[0], ids[9])) == 9
    assert world.refs() == {ids[9]}


def test_a_shallow_server_that_goes_on(world: Past) -> None:
    ids = [world.repository.commit({"f": f"{n}\n"}) for n in range(6)]
    copy = shallow_copy(world.repository, 2)
    with world.open(ids[5], name="shallow"):
        pass
    ids += [world.repository.commit({"f": f"{n}\n"}) for n in range(6, 9)]
    copy.git("fetch", "--quiet", "origin", "+refs/heads/*:refs/heads/*")
    started = time.monotonic()
    with world.open(ids[8], name="shallow") as history:
        assert length(history.way(ids[4], ids[8])) == 4
        answer = history.way(ids[3], ids[8])
        assert isinstance(answer, NoWay)
        assert history.have([object_id("blob", b"8\n")]) == {}
    assert time.monotonic() - started < 10
    assert world.refs() == set()


def test_branches_of_a_shallow_server_that_part_out_of_sight(world: Past) -> None:
    ids = grow(
        world.repository,
        {"a": Grown(), "b": Grown(["a"]), "c": Grown(["b"]), "d": Grown(["b"]), "e": Grown(["d"])},
    )
    shallow_copy(world.repository, 1)
    with world.open(ids["c"], ids["e"], name="shallow") as history:
        answer = history.way(ids["c"], ids["e"])
        assert isinstance(answer, NoWay)
        assert "shallow" in answer.reason
        assert history.base(ids["c"], ids["e"]) is None


# What is not there


def test_a_commit_that_nobody_has_is_told_where_it_is_asked_for(world: Past) -> None:
    tip = world.repository.commit({"f": "x\n"})
    with world.open(tip, ABSENT) as history:
        answer = history.way(ABSENT, tip)
        assert isinstance(answer, NoWay)
        assert f"does not hold {ABSENT}" in answer.reason
        for other in ("2" * 40, "HEAD", "--all", tip[:12], tip.upper() + "\n"):
            assert isinstance(history.way(tip, other), NoWay)
            with pytest.raises(GitFault):
                history.entries(other, ["f"])
            with pytest.raises(GitFault):
                history.between(tip, other)
            with pytest.raises(GitFault):
                history.sides(other)
        assert history.base(tip, ABSENT) is None


def test_what_is_no_commit_has_no_history(world: Past) -> None:
    tip = world.repository.commit({"f": "x\n"})
    tree = world.repository.git("rev-parse", f"{tip}^{{tree}}")
    with world.open(tip, tree) as history:
        answer = history.way(tree, tip)
        assert isinstance(answer, NoWay)
        assert "is a tree" in answer.reason
        with pytest.raises(GitFault, match="no commit"):
            history.sides(tree)
    with world.open(tip, tree):
        assert not any("made anew" in text for text in world.listener.said)


def test_nothing_at_all_is_unreached(world: Past) -> None:
    tip = world.repository.commit({"f": "x\n"})
    assert "does not hold" in world.refuse(ABSENT)
    assert "no full commit id" in world.refuse("--upload-pack=x")
    assert "no repository" in world.refuse(tip, name="elsewhere")
    assert "offline" in world.refuse(tip, offline=True)
    refused = GitOrigin(world.folder / "cache", policy=AddressPolicy(), listener=world.listener).history(
        f"{world.server.url}/r.git", [tip]
    )
    assert isinstance(refused, Unreached)
    assert refused.refused


def test_offline_the_cache_answers(world: Past) -> None:
    ids = line(world.repository, 4)
    with world.open(ids[2]):
        pass
    with world.open(ids[2], ids[3], offline=True) as history:
        assert length(history.way(ids[0], ids[2])) == 2
        answer = history.way(ids[2], ids[3])
        assert isinstance(answer, NoWay)
        assert "offline" in answer.reason
        assert "offline" in history.have([object_id("blob", b"0\n")])[object_id("blob", b"0\n")].message
        assert world.requests == 0


def test_a_cache_that_is_locked_for_too_long_gives_no_blobs(world: Past) -> None:
    tip = world.repository.commit({"f": "x\n"})
    wanted = world.repository.blob(tip, "f")
    hasty = Limits(seconds=1, retries=0)
    opened = world.origin(limits=hasty).history(f"{world.server.url}/r.git", [tip])
    assert isinstance(opened, GitHistory)
    with opened as history, FileLock(f"{world.cached}.lock"):
        assert "another run" in history.have([wanted])[wanted].message


# What may have happened before


def test_a_fetch_that_was_killed_leaves_nothing_in_the_way(world: Past) -> None:
    ids = line(world.repository, 4)
    with world.open(ids[2]):
        pass
    for leftover in (
        "shallow.lock",
        "objects/info/commit-graph.lock",
        "objects/pack/tmp_pack_x",
        "packed-refs.lock",
    ):
        (world.cached / leftover).write_text("half", encoding="ascii")
    (world.cached / "shallow").write_text(f"{ids[2]}\n", encoding="ascii")
    with world.open(ids[3]) as history:
        assert length(history.way(ids[0], ids[3])) == 3
    assert world.refs() == {ids[3]}


_RUN = """
import sys
from pathlib import Path
from provenance.origin.address import AddressPolicy
from provenance.origin.git import GitOrigin, Limits
from support.listening import Recorder
origin = GitOrigin(Path(sys.argv[1]), policy=AddressPolicy(allow_local=True), listener=Recorder())
print("started", flush=True)
origin.history(sys.argv[2], [sys.argv[3]])
"""


@pytest.mark.parametrize("requests", [1, 2])
def test_a_run_that_is_killed_leaves_nothing_half(world: Past, requests: int) -> None:
    ids = line(world.repository, 4)
    world.server.delay = 0.5
    arguments = [sys.executable, "-c", _RUN, str(world.folder / "cache"), f"{world.server.url}/r.git", ids[3]]
    environ = {**os.environ, "PYTHONPATH": os.pathsep.join(path for path in sys.path if path)}
    with subprocess.Popen(arguments, stdout=subprocess.PIPE, env=environ) as running:
        deadline = time.monotonic() + 30
        while world.requests < requests and time.monotonic() < deadline:
            time.sleep(0.01)
        running.kill()
    world.server.delay = 0
    with world.open(ids[3]) as history:
        assert length(history.way(ids[0], ids[3])) == 3
        links = [Link(old, new, new) for old, new in itertools.pairwise(ids)]
        assert [len(step.changes) for step in history.steps(links)] == [2] * 3
    assert world.refs() == {ids[3]}


@pytest.mark.parametrize("offline", [True, False])
def test_a_list_of_cut_off_commits_that_was_left_is_not_believed(world: Past, *, offline: bool) -> None:
    ids = line(world.repository, 4)
    with world.open(ids[3]):
        pass
    (world.cached / "shallow").write_text(f"{ids[2]}\n", encoding="ascii")
    with world.open(ids[3], offline=offline) as history:
        assert length(history.way(ids[0], ids[3])) == 3
    assert world.requests == 0


def test_a_cache_that_cannot_keep_claims_serves_this_run(
    world: Past, monkeypatch: pytest.MonkeyPatch
) -> None:
    ids = line(world.repository, 4)
    independent = WholeHistories._independent

    def failing(_self: WholeHistories, _tips: set[str]) -> set[str]:
        message = "no room"
        raise FailedChild(message)

    monkeypatch.setattr(WholeHistories, "_independent", failing)
    with world.open(ids[3]) as history:
        assert length(history.way(ids[0], ids[3])) == 3
    assert world.refs() == set()
    monkeypatch.setattr(WholeHistories, "_independent", independent)
    with world.open(ids[3]):
        assert world.requests == 0


def test_objects_without_a_reference_are_not_fetched_again(world: Past) -> None:
    ids = line(world.repository, 4)
    with world.open(ids[3]):
        pass
    run("--git-dir", str(world.cached), "update-ref", "-d", f"refs/prov/{ids[3]}")
    with world.open(ids[3]) as history:
        assert world.requests == 0
        assert length(history.way(ids[0], ids[3])) == 3


@pytest.mark.parametrize("damage", ["pack", "config", "ref"])
def test_a_broken_cache_is_made_anew(world: Past, damage: str) -> None:
    ids = line(world.repository, 4)
    with world.open(ids[2]):
        pass
    match damage:
        case "pack":
            for pack in (world.cached / "objects" / "pack").glob("*.pack"):
                pack.chmod(0o600)
                pack.write_bytes(b"PACK")
        case "config":
            (world.cached / "config").write_text("[", encoding="ascii")
        case _:
            (world.cached / "refs" / "prov" / ids[2]).write_text(ABSENT, encoding="ascii")
    with world.open(ids[2], ids[3]) as history:
        assert length(history.way(ids[0], ids[3])) == 3
    assert damage == "pack" or any("made anew" in text for text in world.listener.said)


def test_a_history_that_turns_out_to_be_broken_is_made_anew_by_the_next_run(world: Past) -> None:
    ids = line(world.repository, 4)
    tree = world.repository.git("rev-parse", f"{ids[1]}:d")
    with world.open(ids[3]) as history:
        way = history.way(ids[0], ids[3])
        assert not isinstance(way, NoWay)
        pack = next((world.cached / "objects" / "pack").glob("*.pack"))
        loose = world.cached / "objects"
        run("--git-dir", str(world.cached), "-c", "core.commitGraph=false", "count-objects")
        kept = pack.read_bytes()
        unpacked = world.folder / "unpacked.git"
        run("init", "--quiet", "--bare", str(unpacked))
        run("--git-dir", str(unpacked), "unpack-objects", "-q", feed=kept)
        (unpacked / "objects" / tree[:2] / tree[2:]).unlink()
        for file in pack.parent.glob("*"):
            file.unlink()
        for folder in (unpacked / "objects").glob("??"):
            folder.rename(loose / folder.name)
        with pytest.raises(GitFault, match="broken"):
            list(history.steps(way))
        with pytest.raises(GitFault):
            history.entries(ids[1], ["d/g"])
    with world.open(ids[3]) as history:
        assert len(list(history.steps(way))) == 3


def test_two_runs_at_once_fetch_once(world: Past) -> None:
    ids = line(world.repository, 50)
    found: list[int] = []

    def run_one() -> None:
        opened = world.origin().history(f"{world.server.url}/r.git", [ids[-1]])
        assert isinstance(opened, GitHistory)
        with opened as history:
            found.append(length(history.way(ids[0], ids[-1])))

    threads = [threading.Thread(target=run_one) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [49] * 4
    assert world.requests == 2


def test_closing_the_origin_closes_its_histories(world: Past) -> None:
    tip = world.repository.commit({"f": "x\n"})
    with world.origin() as origin:
        opened = origin.history(f"{world.server.url}/r.git", [tip])
        assert isinstance(opened, GitHistory)
        assert opened.entries(tip, ["f"])
    opened.close()
    assert not origin._histories
    assert not origin._readers


def test_all_origins_are_asked_in_one_way(world: Past) -> None:
    ids = line(world.repository, 3)
    reach = NetworkReach(world.folder / "served", allow_local=True, cache=world.folder / "cache")
    with closing(NetworkOrigins(world.listener, reach)) as origins:
        assert origins is not None
        opened = origins.history("r.git", [ids[2]])
        assert not isinstance(opened, Unreached)
        with opened as history:
            assert length(history.way(ids[0], ids[2])) == 2


# The default branch


def test_the_default_branch_is_resolved(world: Past) -> None:
    url = f"{world.server.url}/r.git"
    with world.origin() as origin:
        (empty,) = origin.resolve(url, ["HEAD"]).values()
        assert "no default branch" in getattr(empty, "message", "")
        tip = world.repository.commit({"f": "x\n"})
        (found,) = origin.resolve(url, ["HEAD"]).values()
        assert getattr(found, "commit", "") == tip
        world.repository.commit({"f": "y\n"})
        (world.repository.path / "HEAD").write_text(f"{tip}\n", encoding="ascii")
        (detached,) = origin.resolve(url, ["HEAD"]).values()
        assert getattr(detached, "commit", "") == tip
