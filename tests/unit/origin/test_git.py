"""The git origin against real repositories on a real server."""

from __future__ import annotations

import base64
import hashlib
import shutil
import threading
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import pytest
from support.githttp import GitServer, serve
from support.listening import Recorder
from support.repositories import Files, Repository, isolate, link, run, submodule

from provenance.answers import Acquired, Answer, Lacking, Resolved, Unreached, Want
from provenance.evidence import GitObject, OriginKind, Verdict, object_id
from provenance.origin.address import AddressPolicy
from provenance.origin.git import GitOrigin, Limits
from provenance.origin.git_objects import parse_tree, root_of
from provenance.references import References

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from http.server import BaseHTTPRequestHandler
    from pathlib import Path

ABSENT = "1" * 40
QUICK = Limits(seconds=60, retries=2, backoff=0.01)


@dataclass
class World:
    """A served repository, a cache, and what an origin said."""

    folder: Path
    server: GitServer
    repository: Repository
    listener: Recorder = field(default_factory=Recorder)

    @property
    def url(self) -> str:
        return f"{self.server.url}/r.git"

    @property
    def cache(self) -> Path:
        return self.folder / "cache"

    def origin(
        self,
        *,
        offline: bool = False,
        credentials: bool = True,
        policy: AddressPolicy | None = None,
        limits: Limits = QUICK,
    ) -> GitOrigin:
        return GitOrigin(
            self.cache,
            policy=policy or AddressPolicy(allow_local=True),
            listener=self.listener,
            offline=offline,
            credentials=credentials,
            limits=limits,
        )

    def get(
        self, *wants: tuple[str, str], url: str = "", refresh: bool = False, **options: bool
    ) -> dict[tuple[str, str], Answer]:
        """What becomes of commits and paths, and forget the traffic of before."""
        self.server.reset()
        with self.origin(
            offline=options.get("offline", False), credentials=options.get("credentials", True)
        ) as origin:
            answers = list(origin.acquire(url or self.url, [Want(*want) for want in wants], refresh=refresh))
        assert len(answers) == len(set(wants))
        return {(want.commit, want.path): answer for want, answer in answers}

    def one(self, commit: str, path: str, *, url: str = "", refresh: bool = False, **options: bool) -> Answer:
        return self.get((commit, path), url=url, refresh=refresh, **options)[commit, path]

    @property
    def requests(self) -> int:
        return len(self.server.traffic.requests)


@pytest.fixture
def world(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[World]:
    isolate(monkeypatch, tmp_path / "home")
    repository = Repository.at(tmp_path / "served" / "r.git")
    with serve(tmp_path / "served") as server:
        yield World(tmp_path, server, repository)


def data_of(answer: Answer) -> bytes:
    assert isinstance(answer, Acquired), answer
    return answer.content.data


def proves(answer: Answer, commit: str) -> bool:
    """Follow a proof by itself, from the commit to the blob."""
    assert isinstance(answer, Acquired)
    assert all(object_id(one.kind, one.data) == one.id for one in answer.proof)
    objects: dict[str, GitObject] = {one.id: one for one in answer.proof}
    assert answer.proof[0].id == commit
    here = root_of(objects[commit])
    *folders, name = answer.path.encode("utf-8", "surrogateescape").split(b"/")
    for folder in folders:
        here = parse_tree(objects[here])[folder].id
    blob = parse_tree(objects[here])[name].id
    return blob == answer.content.blob == object_id("blob", answer.content.data)


# What it costs


def test_one_file_comes_proven_in_four_requests(world: World) -> None:
    commit = world.repository.commit({"src/a.py": b"x = 1\n", "big": b"y" * 100_000, "src/deep/b.py": b"z"})
    answer = world.one(commit, "src/a.py")
    assert isinstance(answer, Acquired)
    assert (answer.path, answer.origin, answer.notes) == ("src/a.py", OriginKind.GIT, ())
    assert data_of(answer) == b"x = 1\n"
    assert proves(answer, commit)
    assert world.requests <= 4
    assert world.server.traffic.sent < 3_000


def test_thirty_files_of_five_commits_come_in_four_requests(world: World) -> None:
    commits = [
        world.repository.commit({f"d{n}/f.py": f"{n} {c}\n" for n in range(6)} | {"same": b"s"})
        for c in range(5)
    ]
    wants = [(commit, f"d{n}/f.py") for commit in commits for n in range(6)]
    answers = world.get(*wants)
    assert world.requests <= 4
    for c, commit in enumerate(commits):
        for n in range(6):
            assert data_of(answers[commit, f"d{n}/f.py"]) == f"{n} {c}\n".encode()
            assert proves(answers[commit, f"d{n}/f.py"], commit)


def test_a_second_run_asks_nothing(world: World) -> None:
    commit = world.repository.commit({"a": b"x", "l": link("a")})
    world.get((commit, "a"), (commit, "l"))
    answers = world.get((commit, "a"), (commit, "l"), (commit, "none"))
    assert data_of(answers[commit, "a"]) == data_of(answers[commit, "l"]) == b"x"
    assert isinstance(answers[commit, "none"], Lacking)
    assert world.requests == 0


def test_a_second_run_needs_no_network(world: World) -> None:
    commit = world.repository.commit({"a": b"x"})
    world.one(commit, "a")
    world.server.responder = lambda _: pytest.fail("the network was used")
    assert data_of(world.one(commit, "a")) == b"x"
    assert data_of(world.one(commit, "a", offline=True)) == b"x"


def test_a_new_commit_costs_its_own_objects_alone(world: World) -> None:
    files: Files = {f"d{n}/f": f"{n}" * 5000 for n in range(50)}
    first = world.repository.commit(files)
    world.get(*((first, path) for path in files))
    second = world.repository.commit(files | {"new": b"n"})
    assert data_of(world.one(second, "new")) == b"n"
    assert world.requests <= 4
    assert world.server.traffic.sent < 10_000


def test_two_thousand_files_are_answered_in_batches(world: World) -> None:
    files: Files = {f"d{n % 7}/f{n}": f"{n}\n" for n in range(2100)}
    commit = world.repository.commit(files)
    answers = world.get(*((commit, path) for path in files))
    assert {path: data_of(answer) for (_, path), answer in answers.items()} == {
        path: f"{n}\n".encode() for n, path in enumerate(files)
    }
    assert world.requests <= 8


def test_an_answer_that_is_not_waited_for_leaves_no_process(world: World) -> None:
    commit = world.repository.commit({f"f{n}": b"x" * 100_000 for n in range(20)})
    with world.origin() as origin:
        answers = origin.acquire(world.url, [Want(commit, f"f{n}") for n in range(20)])
        next(answers)
        assert len(origin._readers) == 1
    origin.close()
    assert all(reader._contents is None for reader in origin._readers)
    del answers
    assert origin._readers == set()


def test_progress_is_told(world: World) -> None:
    world.one(world.repository.commit({"a": b"x"}), "a")
    assert world.listener.advances
    assert all(what == world.url for what, _, _ in world.listener.advances)


def test_no_reference_no_remote_and_no_url_is_kept(world: World) -> None:
    world.one(world.repository.commit({"a": b"x"}), "a")
    (repository,) = world.cache.glob("*-objects.git")
    assert (repository / "config").read_text() == (
        "[core]\n\trepositoryformatversion = 0\n\tbare = true\n\tlogAllRefUpdates = false\n"
    )
    names = {one.name for one in repository.iterdir()}
    assert names == {"HEAD", "config", "objects", "refs"}


# What is not there


def test_what_is_lacking_loses_nothing_else(world: World) -> None:
    commit = world.repository.commit({"a": b"x", "d/B": b"y"})
    answers = world.get(
        (commit, "a"),
        (ABSENT, "a"),
        ("2" * 40, "a"),
        (commit, "none"),
        (commit, "d/b"),
        (commit, "d"),
        ("HEAD", "a"),
    )
    assert data_of(answers[commit, "a"]) == b"x"
    verdicts = {want: answer.verdict for want, answer in answers.items() if isinstance(answer, Lacking)}
    assert verdicts == {
        (ABSENT, "a"): Verdict.NO_REVISION,
        ("2" * 40, "a"): Verdict.NO_REVISION,
        (commit, "none"): Verdict.NO_PATH,
        (commit, "d/b"): Verdict.NO_PATH,
        (commit, "d"): Verdict.NOT_TEXT,
        ("HEAD", "a"): Verdict.NO_REVISION,
    }
    near = answers[commit, "d/b"]
    assert isinstance(near, Lacking)
    assert near.message.endswith("did you mean d/B?")


def test_a_tree_that_holds_both_spellings(world: World) -> None:
    commit = world.repository.commit({"A.py": b"upper", "a.py": b"lower"})
    answers = world.get((commit, "A.py"), (commit, "a.py"))
    assert data_of(answers[commit, "A.py"]) == b"upper"
    assert data_of(answers[commit, "a.py"]) == b"lower"


def test_odd_paths(world: World) -> None:
    paths = [
        "Ünï/путь.py",
        "a b/c#d",
        "-x",
        "--upload-pack=x",
        "tab\tand\nlf",
        'quo"te\\',
        "\udcff\udcfe",
        "a%23b",
    ]
    commit = world.repository.commit({path: path.encode("utf-8", "surrogateescape") for path in paths})
    answers = world.get(*((commit, path) for path in paths))
    for path in paths:
        assert data_of(answers[commit, path]) == path.encode("utf-8", "surrogateescape")


def test_a_missing_blob_is_unavailable_and_no_missing_path(world: World) -> None:
    commit = world.repository.commit({"a": b"x", "b": b"y"})
    world.one(commit, "a")
    world.server.responder = _answering(403)
    answer = world.one(commit, "b")
    assert isinstance(answer, Unreached)
    assert "absent from this partial clone" in answer.message
    assert "forbids access" in answer.message
    offline = world.one(commit, "b", offline=True)
    assert isinstance(offline, Unreached)
    assert "absent from this partial clone" in offline.message
    assert world.requests == 0  # no lazy fetch either


def test_offline_an_unknown_commit_is_unavailable(world: World) -> None:
    answer = world.one(world.repository.commit({"a": b"x"}), "a", offline=True)
    assert isinstance(answer, Unreached)
    assert answer.message.startswith("offline")
    assert world.requests == 0


def test_refresh_asks_again_and_notices_that_a_pin_is_gone(world: World) -> None:
    world.repository.commit({"a": b"old", "b": b"1"})
    pin = world.repository.commit({"a": b"x", "b": b"2"}, branch="topic")
    world.repository.commit({"a": b"x", "b": b"squashed"})
    assert data_of(world.one(pin, "a")) == b"x"
    world.repository.delete_branch("topic")
    assert data_of(world.one(pin, "a")) == b"x"
    assert world.requests == 0
    gone = world.one(pin, "a", refresh=True)
    assert isinstance(gone, Lacking)
    assert gone.verdict is Verdict.NO_REVISION
    shutil.rmtree(world.cache)
    cold = world.one(pin, "a")
    assert isinstance(cold, Lacking)
    assert cold.verdict is Verdict.NO_REVISION


def test_a_reachable_commit_with_the_same_blob_is_found(world: World) -> None:
    world.repository.commit({"d/a": b"old"})
    middle = world.repository.commit({"d/a": b"same"})
    newer = world.repository.commit({"d/a": b"same", "b": b"x"})
    world.repository.commit({"d/a": b"new"})
    with world.origin() as origin:
        assert origin.reachable(world.url, "d/a", object_id("blob", b"same")) == newer
        assert origin.reachable(world.url, "d/a", object_id("blob", b"never")) is None
        assert origin.reachable("https://127.0.0.1/x", "d/a", ABSENT) is None
    assert middle != newer


def test_no_reachable_commit_is_known_offline_or_from_a_server_that_is_down(world: World) -> None:
    world.repository.commit({"a": b"same"})
    assert world.origin(offline=True).reachable(world.url, "a", object_id("blob", b"same")) is None
    world.server.responder = _answering(404)
    assert world.origin().reachable(world.url, "a", object_id("blob", b"same")) is None


def test_a_large_file_is_unavailable(world: World) -> None:
    commit = world.repository.commit({"big": b"x" * 5000, "small": b"y"})
    with world.origin(limits=Limits(blob=4000)) as origin:
        answers = {
            want.path: answer
            for want, answer in origin.acquire(world.url, [Want(commit, "big"), Want(commit, "small")])
        }
    assert isinstance(answers["big"], Unreached)
    assert "has 5000 bytes" in answers["big"].message
    assert data_of(answers["small"]) == b"y"


@pytest.mark.parametrize(
    ("mode", "kind", "says"),
    [("100644", "tree", "is a tree where"), ("40000", "blob", "where a tree is expected")],
)
def test_a_tree_that_lies_of_a_kind_is_unavailable(world: World, mode: str, kind: str, says: str) -> None:
    data = b"100644 f\0" + bytes(20) if kind == "tree" else b"x"
    one = world.repository.git("hash-object", "-t", kind, "-w", "--literally", "--stdin", feed=data)
    root = world.repository.git(
        "hash-object",
        "-t",
        "tree",
        "-w",
        "--literally",
        "--stdin",
        feed=f"{mode} a\0".encode() + bytes.fromhex(one),
    )
    commit = world.repository.git("commit-tree", "-m", "x", root)
    world.repository.git("update-ref", "refs/heads/main", commit)
    with world.origin(offline=True) as origin:
        (world.cache).mkdir()
        directory = origin._prepared(origin._remotes.open(world.url))
        shutil.rmtree(directory / "objects")
        shutil.copytree(world.repository.path / "objects", directory / "objects")
        answers = dict(origin.acquire(world.url, [Want(commit, "a" if kind == "tree" else "a/b")]))
    (answer,) = answers.values()
    assert isinstance(answer, Unreached)
    assert says in answer.message


# Links and submodules


def test_links_are_followed_and_proven(world: World) -> None:
    commit = world.repository.commit(
        {
            "d/f": b"x",
            "l": link("d/f"),
            "m": link("n"),
            "n": link("./l"),
            "dir": link("d"),
            "out": link("../../etc/passwd"),
        }
    )
    answers = world.get(*((commit, path) for path in ("l", "m", "dir/f", "out")))
    for path in ("l", "m", "dir/f"):
        answer = answers[commit, path]
        assert isinstance(answer, Acquired)
        assert answer.path == "d/f"
        assert answer.notes[0].startswith("followed the link")
        assert proves(answer, commit)
    out = answers[commit, "out"]
    assert isinstance(out, Lacking)
    assert "leaves the tree" in out.message


def test_a_submodule_is_named_with_its_url(world: World) -> None:
    modules = '[submodule "s"]\n\tpath = sub\n\turl = https://example.org/s.git\n'
    commit = world.repository.commit({".gitmodules": modules, "sub": submodule(ABSENT)})
    answer = world.one(commit, "sub/lib/x.c")
    assert isinstance(answer, Lacking)
    assert answer.verdict is Verdict.NOT_TEXT
    assert ABSENT in answer.message
    assert "https://example.org/s.git" in answer.message


# Revisions


def test_revisions(world: World) -> None:
    first = world.repository.commit({"a": b"1"})
    second = world.repository.commit({"a": b"2"})
    side = world.repository.commit({"a": b"3"}, branch="feature/x")
    world.repository.tag("v1", first, annotated=True)
    world.repository.tag("1234567", side)
    names = {
        first: first,
        first.upper(): first,
        "v1": first,
        "main": second,
        "feature/x": side,
        "HEAD": second,
        "1234567": side,
        first[:10]: first,
        second[:12]: second,
    }
    with world.origin() as origin:
        found = origin.resolve(world.url, [*names, "none", "abc12", "0000000", "HEAD@{1}", "--upload-pack=x"])
    for name, commit in names.items():
        answer = found[name]
        assert isinstance(answer, Resolved), (name, answer)
        assert answer.commit == commit
    for name in ("none", "abc12", "0000000", "HEAD@{1}", "--upload-pack=x"):
        answer = found[name]
        assert isinstance(answer, Lacking)
        assert answer.verdict is Verdict.NO_REVISION


def test_full_ids_and_what_pins_nothing_cost_no_request(world: World) -> None:
    with world.origin() as origin:
        found = origin.resolve(world.url, [ABSENT, "a..b"])
    assert found[ABSENT] == Resolved(ABSENT)
    assert isinstance(found["a..b"], Lacking)
    assert world.requests == 0


def test_a_short_id_brings_commits_alone_and_says_why(world: World) -> None:
    pin = world.repository.commit({f"d{n}/f": f"{n}" * 2000 for n in range(50)})
    world.repository.commit({"a": b"tip"})
    with world.origin() as origin:
        assert origin.resolve(world.url, [pin[:10]]) == {pin[:10]: Resolved(pin)}
    assert any("full commit ids only" in said for said in world.listener.said)
    assert world.server.traffic.sent < 3_000
    (listed,) = world.cache.glob("*-commits.git")
    assert run(
        "--git-dir", str(listed), "cat-file", "--batch-all-objects", "--batch-check=%(objecttype)"
    ).split() == [
        "commit",
        "commit",
    ]


def test_an_ambiguous_id_is_told_with_its_candidates(world: World) -> None:
    one, other = _colliding(world.repository, 7)
    assert one[:7] == other[:7]
    with world.origin() as origin:
        answer = origin.resolve(world.url, [one[:7]])[one[:7]]
    assert isinstance(answer, Lacking)
    assert one in answer.message
    assert other in answer.message


def test_offline_a_name_is_unavailable(world: World) -> None:
    with world.origin(offline=True) as origin:
        assert isinstance(origin.resolve(world.url, ["main"])["main"], Unreached)


def test_a_broken_list_of_commits_is_made_anew(world: World) -> None:
    pin = world.repository.commit({"a": b"1"})
    world.repository.commit({"a": b"2"})
    with world.origin() as origin:
        origin.resolve(world.url, [pin[:8]])
    (listed,) = world.cache.glob("*-commits.git")
    (listed / "config").write_text("[broken\n")
    with world.origin() as origin:
        assert origin.resolve(world.url, [pin[:8]]) == {pin[:8]: Resolved(pin)}


# Servers that do less


def test_a_server_that_ignores_filters(world: World) -> None:
    world.server.filters = False
    commit = world.repository.commit({"a": b"x", "b": b"y"})
    assert data_of(world.one(commit, "a")) == b"x"
    assert world.requests <= 2
    assert any("ignores filters" in said for said in world.listener.said)
    assert data_of(world.one(commit, "b")) == b"y"
    assert world.requests == 0


@pytest.mark.parametrize("filters", [True, False])
def test_a_server_that_refuses_ids(world: World, *, filters: bool) -> None:
    world.server.any_id = world.server.protocol_v2 = False
    world.server.filters = filters
    pin = world.repository.commit({"a": b"x", "b": b"old"})
    world.repository.commit({"a": b"tip"})
    answers = world.get((pin, "a"), (pin, "b"), (pin, "none"), (ABSENT, "a"))
    assert data_of(answers[pin, "a"]) == b"x"
    assert proves(answers[pin, "b"], pin)
    none, absent = answers[pin, "none"], answers[ABSENT, "a"]
    assert isinstance(none, Lacking)
    assert none.verdict is Verdict.NO_PATH
    assert isinstance(absent, Lacking)
    assert absent.verdict is Verdict.NO_REVISION
    assert "the server refuses direct fetch by id, and none of its branches or tags holds" in absent.message
    assert any("refuses direct fetch by id" in said for said in world.listener.said)


def test_a_local_repository_that_refuses_ids(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    pin = world.repository.commit({"a": b"x"})
    world.repository.commit({"a": b"tip"})
    world.repository.git("config", "uploadpack.allowAnySHA1InWant", "false")
    monkeypatch.setenv("GIT_CONFIG_COUNT", "1")
    monkeypatch.setenv("GIT_CONFIG_KEY_0", "protocol.version")
    monkeypatch.setenv("GIT_CONFIG_VALUE_0", "0")
    assert data_of(world.one(pin, "a", url=f"file://{world.repository.path}")) == b"x"


def test_an_older_protocol_that_gives_ids(world: World) -> None:
    world.server.protocol_v2 = False
    pin = world.repository.commit({"a": b"x"})
    world.repository.commit({"a": b"tip"})
    answers = world.get((pin, "a"), (ABSENT, "a"))
    assert data_of(answers[pin, "a"]) == b"x"
    assert isinstance(answers[ABSENT, "a"], Lacking)


def test_a_server_without_the_smart_protocol(world: World) -> None:
    pin = world.repository.commit({"a": b"x", "d/b": b"y"})
    world.repository.commit({"a": b"tip"})
    world.repository.git("repack", "-adq")
    world.repository.git("update-server-info")

    def dumb(handler: BaseHTTPRequestHandler) -> bool:
        file = world.folder / "served" / handler.path.partition("?")[0].lstrip("/")
        if not file.is_file():
            return _answering(404)(handler)
        data = file.read_bytes()
        handler.send_response(200)
        handler.send_header("Content-Type", "application/octet-stream")
        handler.send_header("Content-Length", str(len(data)))
        handler.end_headers()
        handler.wfile.write(data)
        return True

    world.server.responder = dumb
    answer = world.one(pin, "d/b")
    assert data_of(answer) == b"y"
    assert proves(answer, pin)


def test_so_many_absent_commits_are_asked_for(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("provenance.origin.git_fetch._MOST_ABSENT", 2)
    answers = world.get(*((f"{n}" * 40, "a") for n in range(1, 6)))
    kinds = [type(answer) for answer in answers.values()]
    assert (kinds.count(Lacking), kinds.count(Unreached)) == (2, 3)


# Reaching a host


def test_ssh_is_the_users_own(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    commit = world.repository.commit({"a": b"x"})
    program = world.folder / "ssh"
    program.write_text('#!/bin/sh\nfor last; do :; done\nexec sh -c "$last"\n')
    program.chmod(0o755)
    monkeypatch.setenv("GIT_SSH_COMMAND", str(program))
    monkeypatch.setenv("GIT_SSH_VARIANT", "ssh")
    assert data_of(world.one(commit, "a", url=f"ssh://git@localhost{world.repository.path}")) == b"x"
    assert data_of(world.one(commit, "a", url=f"git@localhost:{world.repository.path}")) == b"x"
    assert isinstance(world.one(commit, "a", url=f"ssh://git@localhost{world.folder}/none"), Unreached)


def _answering(
    status: int, headers: dict[str, str] | None = None, text: str = ""
) -> Callable[[BaseHTTPRequestHandler], bool]:
    def answer(handler: BaseHTTPRequestHandler) -> bool:
        handler.send_response(status)
        for name, value in (headers or {}).items():
            handler.send_header(name, value)
        handler.send_header("Content-Type", "text/plain")
        handler.send_header("Content-Length", str(len(text)))
        handler.end_headers()
        handler.wfile.write(text.encode())
        return True

    return answer


@pytest.mark.parametrize(
    ("status", "says", "requests"),
    [
        (401, "credential helper", 1),
        (403, "forbids access", 1),
        (404, "there is no repository", 1),
        (429, "rate limited", 3),
        (503, "broke off", 3),
    ],
)
def test_statuses(world: World, status: int, says: str, requests: int) -> None:
    commit = world.repository.commit({"a": b"x"})
    world.server.responder = _answering(status)
    answer = world.one(commit, "a")
    assert isinstance(answer, Unreached)
    assert says in answer.message
    assert not answer.refused
    assert world.requests == requests


def test_a_passing_trouble_passes(world: World) -> None:
    commit = world.repository.commit({"a": b"x"})
    failing = _answering(429)

    def twice(handler: BaseHTTPRequestHandler) -> bool:
        return world.requests <= 2 and failing(handler)

    world.server.responder = twice
    assert data_of(world.one(commit, "a")) == b"x"
    assert sum("trying again" in said for said in world.listener.said) == 2


def test_a_host_that_is_down_is_asked_once(world: World) -> None:
    url = world.url
    commit = world.repository.commit({"a": b"x"})
    with serve(world.folder) as other:
        dead = other.url
    with world.origin() as origin:
        answers = [next(iter(origin.acquire(f"{dead}/{n}", [Want(commit, "a")])))[1] for n in range(3)]
        alive = next(iter(origin.acquire(url, [Want(commit, "a")])))[1]
    assert all(isinstance(answer, Unreached) and "cannot be reached" in answer.message for answer in answers)
    assert sum("not asked again" in said for said in world.listener.said) == 1
    assert data_of(alive) == b"x"


def test_a_host_that_breaks_off_is_not_asked_for_repository_after_repository(world: World) -> None:
    world.server.responder = _answering(503)
    with world.origin() as origin:
        urls = [f"{world.server.url}/{number}.git" for number in range(5)]
        answers = [next(iter(origin.acquire(url, [Want(ABSENT, "a")])))[1] for url in urls]
    assert all(isinstance(answer, Unreached) for answer in answers)
    assert world.requests == 2 * 3
    assert sum("did not answer for 2 repositories" in said for said in world.listener.said) == 1


def test_a_name_that_does_not_resolve(world: World) -> None:
    answer = world.one(ABSENT, "a", url="https://nowhere.invalid/r")
    assert isinstance(answer, Unreached)
    assert "cannot be resolved" in answer.message


def test_a_local_path(world: World) -> None:
    commit = world.repository.commit({"a": b"x"})
    for url in (str(world.repository.path), f"file://{world.repository.path}"):
        assert data_of(world.one(commit, "a", url=url)) == b"x"
    answer = world.one(commit, "a", url=str(world.folder / "none"))
    assert isinstance(answer, Unreached)
    assert not answer.refused
    assert "there is no repository" in answer.message


@pytest.mark.parametrize(
    "url",
    [
        "ext::sh -c touch% PWNED",
        "--upload-pack=touch PWNED",
        "/some/path",
        "file:///some/path",
        "http://example.org/r",
        "https://127.0.0.1/r",
        "https://10.0.0.1/r",
        "ssh://-oProxyCommand=x/r",
    ],
)
def test_a_refused_url_is_an_answer_and_reaches_nothing(
    world: World, url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(world.folder)
    with world.origin(policy=AddressPolicy()) as origin:
        answers = list(origin.acquire(url, [Want(ABSENT, "a"), Want(ABSENT, "b")]))
        resolved = origin.resolve(url, ["main"])
    assert [answer.refused for _, answer in answers if isinstance(answer, Unreached)] == [True, True]
    main = resolved["main"]
    assert isinstance(main, Unreached)
    assert main.refused
    assert not (world.folder / "PWNED").exists()
    assert not world.cache.exists()


def test_a_name_of_a_private_address_is_refused(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    def resolve(*_: object, **__: object) -> list[tuple[int, int, int, str, tuple[str, int]]]:
        return [(2, 1, 6, "", ("10.1.2.3", 443))]

    monkeypatch.setattr("socket.getaddrinfo", resolve)
    with world.origin(policy=AddressPolicy()) as origin:
        ((_, answer),) = origin.acquire("https://looks.example/r", [Want(ABSENT, "a")])
    assert isinstance(answer, Unreached)
    assert answer.refused
    assert "--allow-host looks.example" in answer.message


@pytest.mark.parametrize(("allow_local", "works"), [(True, True), (False, False)])
def test_insteadof_is_the_users_own_within_the_policy(
    world: World, *, allow_local: bool, works: bool
) -> None:
    commit = world.repository.commit({"a": b"x"})
    config = world.folder / "home" / ".gitconfig"
    config.write_text(f'[url "{world.folder}/served/"]\n\tinsteadOf = https://example.org/\n')
    with world.origin(policy=AddressPolicy(allow_local=allow_local)) as origin:
        ((_, answer),) = origin.acquire("https://example.org/r.git", [Want(commit, "a")])
    if works:
        assert data_of(answer) == b"x"
    else:
        assert isinstance(answer, Unreached)
        assert answer.refused


def test_insteadof_does_not_open_other_transports(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(world.folder)
    (world.folder / "home" / ".gitconfig").write_text(
        '[url "ext::touch PWNED "]\n\tinsteadOf = https://example.org/\n'
    )
    answer = world.one(ABSENT, "a", url="https://example.org/r")
    assert isinstance(answer, Unreached)
    assert answer.refused
    assert not (world.folder / "PWNED").exists()


# Redirects


def _moving(target: str) -> Callable[[BaseHTTPRequestHandler], bool]:
    def answer(handler: BaseHTTPRequestHandler) -> bool:
        if not handler.path.startswith("/old.git"):
            return False
        return _answering(301, {"Location": target + handler.path.removeprefix("/old.git")})(handler)

    return answer


@pytest.mark.parametrize("relative", [True, False])
def test_a_renamed_repository_is_followed_and_told(world: World, *, relative: bool) -> None:
    commit = world.repository.commit({"a": b"x"})
    world.server.responder = _moving("/r.git" if relative else world.url)
    assert data_of(world.one(commit, "a", url=f"{world.server.url}/old.git")) == b"x"
    assert world.listener.said == [f"{world.server.url}/old.git redirects to {world.url}"]
    assert world.requests <= 6


def moved_note(world: World, new: str = "") -> str:
    return f"{world.server.url}/old.git has moved to {new or world.url}"


def notes_of(answer: Answer) -> tuple[str, ...]:
    assert isinstance(answer, Acquired), answer
    return answer.notes


def test_what_comes_through_a_redirect_says_so_in_later_runs_too(world: World) -> None:
    commit = world.repository.commit({"a": b"x", "b": link("a"), "c": b"z"})
    world.server.responder = _moving(world.url)
    old = f"{world.server.url}/old.git"
    first = world.get((commit, "a"), (commit, "b"), (commit, "none"), url=old)
    assert notes_of(first[commit, "a"]) == (moved_note(world),)
    assert notes_of(first[commit, "b"])[-1] == moved_note(world)
    assert len(notes_of(first[commit, "b"])) == 2
    assert notes_of(world.one(commit, "a", url=old, offline=True)) == (moved_note(world),)
    assert notes_of(world.one(commit, "a", url=old)) == (moved_note(world),)
    assert world.requests == 0
    assert notes_of(world.one(commit, "a")) == ()


def test_a_repository_that_came_back_is_not_said_to_have_moved(world: World) -> None:
    commit = world.repository.commit({"a": b"x"})
    world.server.responder = _moving(world.url)
    old = f"{world.server.url}/old.git"
    world.one(commit, "a", url=old)
    world.server.responder = None
    shutil.copytree(world.repository.path, world.folder / "served" / "old.git")
    assert notes_of(world.one(commit, "a", url=old, refresh=True)) == ()
    assert notes_of(world.one(commit, "a", url=old)) == ()


def test_the_last_of_several_redirects_is_where_it_is(world: World) -> None:
    commit = world.repository.commit({"a": b"x"})
    world.server.responder = lambda handler: (
        _moving(f"{world.server.url}/newer.git")(handler)
        or (
            handler.path.startswith("/newer.git")
            and _answering(302, {"Location": handler.path.replace("/newer.git", "/r.git")})(handler)
        )
    )
    assert notes_of(world.one(commit, "a", url=f"{world.server.url}/old.git")) == (moved_note(world),)


@pytest.mark.parametrize("written", ["r", "r/", "R"])
def test_a_site_that_writes_its_urls_otherwise_has_not_moved_them(world: World, written: str) -> None:
    commit = world.repository.commit({"a": b"x"})

    def answer(handler: BaseHTTPRequestHandler) -> bool:
        if handler.path.startswith("/r.git"):
            return False
        rest = handler.path.removeprefix(f"/{written.rstrip('/')}")
        return _answering(301, {"Location": f"/r.git{rest}"})(handler)

    world.server.responder = answer
    assert notes_of(world.one(commit, "a", url=f"{world.server.url}/{written}")) == ()
    assert any("redirects to" in one for one in world.listener.said)
    assert list(world.cache.glob("*/moved")) == []


def test_what_a_mirror_of_the_users_does_is_not_told_of_the_repository(world: World) -> None:
    commit = world.repository.commit({"a": b"x"})
    world.server.responder = _moving(world.url)
    config = world.folder / "home" / ".gitconfig"
    config.write_text(f'[url "{world.server.url}/old"]\n\tinsteadOf = https://example.org/cited\n')
    assert notes_of(world.one(commit, "a", url="https://example.org/cited.git")) == ()


def test_references_tell_that_the_repository_has_moved(world: World) -> None:
    commit = world.repository.commit({"a": b"x"})
    world.server.responder = _moving(world.url)
    old = f"{world.server.url}/old.git"
    with world.origin() as origin:
        moved, there = origin.references(old), origin.references(world.url)
        ((_, answer),) = origin.acquire(old, [Want(commit, "a")])
    assert isinstance(moved, References)
    assert isinstance(there, References)
    assert (moved.moved, there.moved) == (world.url, None)
    assert moved.commits == there.commits
    assert notes_of(answer) == (moved_note(world),)


def test_a_redirect_that_leads_to_nothing_is_no_move(world: World) -> None:
    commit = world.repository.commit({"a": b"x"})
    old = f"{world.server.url}/old.git"
    shutil.copytree(world.repository.path, world.folder / "served" / "old.git")
    world.one(commit, "a", url=old)
    world.server.responder = _moving(f"{world.server.url}/gone.git")
    assert isinstance(world.one(ABSENT, "a", url=old), Unreached)
    assert notes_of(world.one(commit, "a", url=old)) == ()


def test_no_secret_is_in_what_is_said_and_kept_of_a_move(world: World) -> None:
    commit = world.repository.commit({"a": b"x"})
    target = world.url.replace("http://", "http://user:SECRET-word@")
    world.server.responder = _moving(target)
    old = f"{world.server.url}/old.git".replace("http://", "http://user:SECRET-word@")
    answer = world.one(commit, "a", url=old)
    assert notes_of(answer) == (moved_note(world),)
    said = _everything(world, answer)
    assert not any(secret in said for secret in SECRETS)
    assert notes_of(world.one(commit, "a", url=old, offline=True)) == (moved_note(world),)


def test_a_redirect_in_circles_ends(world: World) -> None:
    world.server.responder = _moving("/old.git")
    answer = world.one(ABSENT, "a", url=f"{world.server.url}/old.git")
    assert isinstance(answer, Unreached)
    assert "redirects more than 5 times" in answer.message


@pytest.mark.parametrize(
    ("target", "refused", "says"),
    [
        ("https://127.0.0.1:1/r.git", False, "another scheme"),
        ("file:///etc", False, "another scheme"),
        ("http://10.0.0.1/r.git", True, "refused"),
        ("http://169.254.169.254/latest", True, "refused"),
        ("http://example.org/r.git", True, "refused"),
    ],
)
def test_a_redirect_leads_nowhere_that_is_not_allowed(
    world: World, target: str, refused: bool, says: str
) -> None:
    world.server.responder = _moving(target)
    answer = world.one(ABSENT, "a", url=f"{world.server.url}/old.git")
    assert isinstance(answer, Unreached)
    assert answer.refused is refused
    assert says in answer.message


def test_a_redirect_to_a_page_is_no_repository(world: World) -> None:
    world.server.responder = _answering(302, {"Location": "/login?to=x"})
    answer = world.one(ABSENT, "a")
    assert isinstance(answer, Unreached)
    assert "not to a repository" in answer.message


# Secrets and credentials


def _everything(world: World, answer: Answer) -> str:
    texts = [repr(answer), *world.listener.said, *(what for what, _, _ in world.listener.advances)]
    if isinstance(answer, Unreached | Lacking):
        texts.append(answer.message)
    for file in world.cache.rglob("*"):
        texts.append(str(file))
        if file.is_file():
            texts.append(file.read_bytes().decode("latin-1"))
    return "\n".join(texts)


SECRETS = (
    "SECRET",
    base64.b64encode(b"user:SECRET-word").decode(),
    base64.b64encode(b"SECRET-word:").decode(),
)


@pytest.mark.parametrize("user", ["user:SECRET-word", "SECRET-word", "user:SECRET%2Dword"])
@pytest.mark.parametrize("status", [None, 401, 403, 404, 429, 500])
def test_a_secret_in_a_url_is_nowhere_shown_or_kept(world: World, user: str, status: int | None) -> None:
    commit = world.repository.commit({"a": b"x"})
    if status is not None:
        world.server.responder = _answering(status, text=f"no {user} and {SECRETS[1]} and {SECRETS[2]} here")
    answer = world.one(commit, "a", url=world.url.replace("://", f"://{user}@"))
    assert isinstance(answer, Acquired if status is None else Unreached)
    everything = _everything(world, answer)
    assert not any(secret in everything for secret in SECRETS)


def test_a_secret_in_a_header_is_sent_and_nowhere_shown(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    header = f"Authorization: Basic {SECRETS[1]}"
    monkeypatch.setenv("GIT_CONFIG_COUNT", "1")
    monkeypatch.setenv("GIT_CONFIG_KEY_0", f"http.{world.server.url}/.extraHeader")
    monkeypatch.setenv("GIT_CONFIG_VALUE_0", header)
    commit = world.repository.commit({"a": b"x"})
    seen: list[str | None] = []

    def private(handler: BaseHTTPRequestHandler) -> bool:
        seen.append(handler.headers.get("Authorization"))
        if seen[-1] == header.partition(": ")[2]:
            return False
        return _answering(403, text=f"{header} is wrong")(handler)

    world.server.responder = private
    assert data_of(world.one(commit, "a")) == b"x"
    # Without credentials the header is not sent, and what it brought before is not shown.
    answer = world.one(commit, "a", credentials=False)
    assert seen[-1] is None
    assert isinstance(answer, Unreached)
    assert not any(secret in _everything(world, answer) for secret in SECRETS)


@pytest.mark.parametrize("way", ["helper", "netrc", "url", "insteadof"])
def test_without_credentials_none_are_sent(world: World, way: str) -> None:
    commit = world.repository.commit({"a": b"x"})
    home, url = world.folder / "home", world.url
    with_user = world.url.replace("://", "://user:SECRET-word@")
    match way:
        case "helper":
            helper = "!f() { echo username=user; echo password=SECRET-word; }; f"
            (home / ".gitconfig").write_text(f'[credential]\n\thelper = "{helper}"\n')
        case "netrc":
            (home / ".netrc").write_text("machine 127.0.0.1 login user password SECRET-word\n")
        case "url":
            url = with_user
        case _:
            (home / ".gitconfig").write_text(f'[url "{with_user}"]\n\tinsteadOf = {world.url}\n')
    seen: list[str | None] = []

    def private(handler: BaseHTTPRequestHandler) -> bool:
        seen.append(handler.headers.get("Authorization"))
        return seen[-1] is None and _answering(401, {"WWW-Authenticate": 'Basic realm="x"'})(handler)

    world.server.responder = private
    answer = world.one(commit, "a", url=url, credentials=False)
    assert isinstance(answer, Unreached)
    assert set(seen) == {None}
    assert data_of(world.one(commit, "a", url=url)) == b"x"
    assert seen[-1] == f"Basic {SECRETS[1]}"


def test_a_server_that_wants_credentials_prompts_nobody(world: World) -> None:
    world.server.responder = _answering(401, {"WWW-Authenticate": 'Basic realm="x"'})
    answer = world.one(ABSENT, "a")
    assert isinstance(answer, Unreached)
    assert "set up a credential helper" in answer.message


# Caches that are broken, and runs at once


def _break_pack(repository: Path) -> None:
    for pack in repository.glob("objects/pack/*.pack"):
        pack.chmod(0o644)
        data = bytearray(pack.read_bytes())
        data[len(data) // 2 :] = hashlib.sha256(b"x").digest() * 2
        pack.write_bytes(data)


def _break_index(repository: Path) -> None:
    for index in repository.glob("objects/pack/*.idx"):
        index.chmod(0o644)
        index.write_bytes(b"x" * 100)


def _remove_head(repository: Path) -> None:
    (repository / "HEAD").unlink()


def _break_config(repository: Path) -> None:
    (repository / "config").write_text("[broken\n")


def _empty_folder(repository: Path) -> None:
    shutil.rmtree(repository)
    repository.mkdir()


def _stale_locks(repository: Path) -> None:
    for name in ("shallow.lock", "config.lock", "HEAD.lock"):
        (repository / name).write_bytes(b"")
    (repository / "shallow").write_text(f"{ABSENT}\n")


@pytest.mark.parametrize(
    "damage", [_break_pack, _break_index, _remove_head, _break_config, _empty_folder, _stale_locks]
)
def test_a_broken_cache_is_made_anew(world: World, damage: Callable[[Path], None]) -> None:
    first = world.repository.commit({"a": b"x" * 100, "b": b"y"})
    second = world.repository.commit({"a": b"z" * 100})
    world.one(first, "a")
    (repository,) = world.cache.glob("*-objects.git")
    damage(repository)
    answers = world.get((first, "a"), (first, "b"), (second, "a"))
    assert data_of(answers[first, "a"]) == b"x" * 100
    assert data_of(answers[first, "b"]) == b"y"
    assert data_of(answers[second, "a"]) == b"z" * 100


def test_a_broken_cache_does_not_keep_names_from_being_resolved(world: World) -> None:
    commit = world.repository.commit({"a": b"x"})
    world.one(commit, "a")
    (repository,) = world.cache.glob("*-objects.git")
    _break_config(repository)
    with world.origin() as origin:
        assert isinstance(origin.resolve(world.url, ["main"])["main"], Resolved)


def test_a_broken_cache_is_unavailable_offline(world: World) -> None:
    commit = world.repository.commit({"a": b"x" * 100})
    world.one(commit, "a")
    (repository,) = world.cache.glob("*-objects.git")
    _break_pack(repository)
    assert isinstance(world.one(commit, "a", offline=True), Unreached)


def test_a_cache_that_cannot_be_written_is_unavailable(world: World) -> None:
    world.cache.write_bytes(b"a file")
    answer = world.one(ABSENT, "a")
    assert isinstance(answer, Unreached)
    assert "cannot be used" in answer.message


def test_several_at_once(world: World) -> None:
    commits = [world.repository.commit({"a": f"{n}", "b": f"{n} b"}) for n in range(4)]
    answers: list[Answer] = []

    def work(number: int) -> None:
        with world.origin() as origin:
            wants = [Want(commit, path) for commit in commits[: number + 1] for path in ("a", "b")]
            answers.extend(answer for _, answer in origin.acquire(world.url, wants))

    threads = [threading.Thread(target=work, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(answers) == 2 * (1 + 2 + 3 + 4)
    assert all(isinstance(answer, Acquired) for answer in answers)


def test_one_origin_serves_several_threads(world: World) -> None:
    commits = [world.repository.commit({"a": f"{n}"}) for n in range(4)]
    answers: list[Answer] = []
    with world.origin() as origin:
        threads = [
            threading.Thread(
                target=lambda commit=commit: answers.extend(
                    answer for _, answer in origin.acquire(world.url, [Want(commit, "a")])
                )
            )
            for commit in commits
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert sorted(map(data_of, answers)) == [b"0", b"1", b"2", b"3"]


def _colliding(repository: Repository, digits: int) -> tuple[str, str]:
    """Two commits on branches of their own whose ids begin with the same digits."""
    tree = repository.git("mktree")
    seen: dict[str, bytes] = {}
    for number in range(1 << 20):
        who = f"A <a@example.org> {1_600_000_000 + number} +0000"
        data = f"tree {tree}\nauthor {who}\ncommitter {who}\n\nx\n".encode()
        start = object_id("commit", data)[:digits]
        if start in seen:
            pair = []
            for name, one in (("one", seen[start]), ("other", data)):
                commit = repository.git("hash-object", "-t", "commit", "-w", "--stdin", feed=one)
                repository.git("update-ref", f"refs/heads/{name}", commit)
                pair.append(commit)
            return pair[0], pair[1]
        seen[start] = data
    pytest.fail("no two ids begin alike")
