"""The references of repositories: asked for once a run, whoever asks."""

from __future__ import annotations

import threading
import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import pytest
from support.githttp import GitServer, serve
from support.listening import Recorder
from support.repositories import Repository, isolate

from provenance.answers import Lacking, Resolved, Unreached
from provenance.origin.address import AddressPolicy
from provenance.origin.git import GitOrigin, Limits
from provenance.origin.git_references import KnownReferences
from provenance.references import References

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

A, B = "a" * 40, "b" * 40
DOWN = Unreached("nobody answers")


@dataclass
class Server:
    """Answers with what a test gives, and counts."""

    answers: dict[bool, References | Unreached]
    asked: list[bool] = field(default_factory=list)

    def ask(self, *, everything: bool) -> Callable[[], References | Unreached]:
        def answer() -> References | Unreached:
            self.asked.append(everything)
            return self.answers[everything]

        return answer


PART = References({"refs/heads/main": A})
WHOLE = References({"refs/heads/main": A, "refs/pull/1/head": B}, A, "main", everything=True)


@pytest.mark.parametrize(
    ("answers", "questions", "asked", "got"),
    [
        ({False: PART}, [False, False], [False], [PART, PART]),
        ({False: PART, True: WHOLE}, [False, True, False], [False, True], [PART, WHOLE, WHOLE]),
        ({True: WHOLE}, [True, False, True], [True], [WHOLE, WHOLE, WHOLE]),
        ({False: DOWN}, [False, False], [False], [DOWN, DOWN]),
        # that everything is too much does not say that its branches and tags are
        ({False: PART, True: DOWN}, [True, False, True], [True, False], [DOWN, PART, DOWN]),
    ],
)
def test_a_repository_is_asked_once(
    answers: dict[bool, References | Unreached],
    questions: list[bool],
    asked: list[bool],
    got: list[References | Unreached],
) -> None:
    known, server = KnownReferences(), Server(answers)
    assert [known.ask("r", server.ask(everything=one), everything=one) for one in questions] == got
    assert server.asked == asked
    assert known.get("other", everything=False) is None


def test_what_was_not_used_for_longest_goes() -> None:
    known = KnownReferences(most=5)
    server = Server({False: References({f"refs/heads/{n}": A for n in range(2)})})
    for key in ("a", "b", "a", "c", "a", "b"):
        known.ask(key, server.ask(everything=False), everything=False)
    assert len(server.asked) == 4
    large = References({f"refs/heads/{n}": A for n in range(9)})
    assert known.ask("large", lambda: large, everything=False) == large
    assert known.get("large", everything=False) == large
    assert known.get("a", everything=False) is None


def test_threads_wait_for_the_one_that_asks() -> None:
    known, asked = KnownReferences(), list[str]()

    def slowly(key: str) -> Callable[[], References]:
        def answer() -> References:
            asked.append(key)
            time.sleep(0.05)
            return PART

        return answer

    threads = [
        threading.Thread(
            target=known.ask, args=(f"r{n % 2}", slowly(f"r{n % 2}")), kwargs={"everything": False}
        )
        for n in range(8)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(asked) == ["r0", "r1"]


def test_an_asker_that_fails_is_no_answer() -> None:
    known = KnownReferences()
    with pytest.raises(ZeroDivisionError):
        known.ask("r", lambda: References({}) if 1 // 0 else PART, everything=False)
    assert known.ask("r", lambda: PART, everything=False) == PART


# Against a real server


@dataclass
class World:
    folder: Path
    server: GitServer
    repository: Repository
    listener: Recorder = field(default_factory=Recorder)

    @property
    def url(self) -> str:
        return f"{self.server.url}/r.git"

    def origin(self, *, offline: bool = False, limits: Limits | None = None) -> GitOrigin:
        return GitOrigin(
            self.folder / "cache",
            policy=AddressPolicy(allow_local=True),
            listener=self.listener,
            offline=offline,
            limits=limits or Limits(seconds=60, retries=1, backoff=0.01),
        )


@pytest.fixture
def world(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[World]:
    isolate(monkeypatch, tmp_path / "home")
    repository = Repository.at(tmp_path / "served" / "r.git")
    with serve(tmp_path / "served") as server:
        yield World(tmp_path, server, repository)


def listed(found: References | Unreached) -> References:
    assert isinstance(found, References), found
    return found


@pytest.mark.parametrize("protocol_v2", [True, False])
def test_a_server_lists_its_references(world: World, *, protocol_v2: bool) -> None:
    world.server.protocol_v2 = protocol_v2
    first = world.repository.commit({"a": "x"}, branch="a")
    second = world.repository.commit({"a": "y"})
    world.repository.tag("v1", first, annotated=True)
    world.repository.tag("a/b", second)
    world.repository.git("update-ref", "refs/pull/1/head", first)
    with world.origin() as origin:
        part = listed(origin.references(world.url))
        whole = listed(origin.references(world.url, everything=True))
    branches_and_tags = {
        "refs/heads/a": first,
        "refs/heads/main": second,
        "refs/tags/a/b": second,
        "refs/tags/v1": first,
    }
    assert part == References(branches_and_tags)
    assert whole == References(
        {**branches_and_tags, "refs/pull/1/head": first}, second, "main", everything=True
    )


def test_a_server_is_asked_once_a_run(world: World) -> None:
    tip = world.repository.commit({"a": "x"})
    with world.origin() as origin:
        origin.references(world.url, everything=True)
        requests = len(world.server.traffic.requests)
        for _ in range(3):
            listed(origin.references(world.url))
            listed(origin.references(world.url, everything=True))
        # What was listed serves names as well.
        found = origin.resolve(world.url, ["main", "HEAD", "none", tip[:12]])
        assert len(world.server.traffic.requests) == requests
    assert [getattr(found[name], "commit", "") for name in ("main", "HEAD", tip[:12])] == [tip] * 3
    assert isinstance(found["none"], Lacking)
    with world.origin() as origin:
        listed(origin.references(world.url))
        assert len(world.server.traffic.requests) > requests


def test_names_are_asked_for_anew_where_no_list_is_kept(world: World) -> None:
    world.repository.commit({"a": "x"})
    with world.origin() as origin:
        listed(origin.references(world.url))
        second = world.repository.commit({"a": "y"})
        found = origin.resolve(world.url, ["HEAD"])["HEAD"]  # branches and tags do not tell it
    assert isinstance(found, Resolved)
    assert found.commit == second


def test_an_empty_repository_and_a_detached_head(world: World) -> None:
    with world.origin() as origin:
        assert listed(origin.references(world.url, everything=True)) == References({}, everything=True)
    tip = world.repository.commit({"a": "x"})
    (world.repository.path / "HEAD").write_text(f"{tip}\n", encoding="ascii")
    with world.origin() as origin:
        found = listed(origin.references(world.url, everything=True))
    assert (found.head, found.default) == (tip, None)


@pytest.mark.parametrize(
    ("url", "says", "refused"),
    [
        ("{}/none.git", "there is no repository", False),
        ("http://10.0.0.1/r.git", "refused", True),
        ("ext::sh -c x", "", True),
        ("--upload-pack=x", "", True),
    ],
)
def test_who_does_not_answer_is_told(world: World, url: str, says: str, *, refused: bool) -> None:
    with world.origin() as origin:
        found = origin.references(url.format(world.server.url))
    assert isinstance(found, Unreached)
    assert says in found.message
    assert found.refused is refused


def test_offline_nobody_is_asked(world: World) -> None:
    world.repository.commit({"a": "x"})
    with world.origin(offline=True) as origin:
        found = origin.references(world.url)
    assert isinstance(found, Unreached)
    assert "offline" in found.message
    assert world.server.traffic.requests == []


def test_a_list_that_is_too_long_is_told(world: World) -> None:
    commit = world.repository.commit({"a": "x"})
    many = "".join(f"{commit} refs/pull/{n}/head\n" for n in range(2000))
    (world.repository.path / "packed-refs").write_text(many)
    with world.origin(limits=Limits(seconds=60, printed_bytes=50_000)) as origin:
        found = origin.references(world.url, everything=True)
        assert isinstance(found, Unreached)
        assert "listed more than 50,000 bytes" in found.message
        assert listed(origin.references(world.url)).branch("main") == commit


def test_a_hundred_thousand_references_are_listed(world: World) -> None:
    commit = world.repository.commit({"a": "x"})
    many = "".join(f"{commit} refs/heads/team/topic-{n:06}\n" for n in range(100_000))
    (world.repository.path / "packed-refs").write_text(many)
    with world.origin() as origin:
        found = listed(origin.references(world.url))
    assert len(found.commits) == 100_001
    assert found.branch("team/topic-099999") == commit


def test_a_broken_cache_is_made_anew(world: World) -> None:
    tip = world.repository.commit({"a": "x"})
    with world.origin() as origin:
        listed(origin.references(world.url))
    (folder,) = (world.folder / "cache").glob("*-objects.git")
    (folder / "config").write_text("[broken\n")
    with world.origin() as origin:
        assert listed(origin.references(world.url)).branch("main") == tip
    assert any("made anew" in one for one in world.listener.said)
