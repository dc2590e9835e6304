"""The use case with origins in memory, and with followers that say what they are told to."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Self

import pytest
from support.origins import FakeOrigins, commit
from support.workspace import CODE, GIT, TODAY, Workspace, cite, source

from provenance.answers import Acquired, Artifact, Lacking, Unreached
from provenance.citation import LineRange
from provenance.drift.drifting import Drifted, Wish, drift
from provenance.errors import ProvError, UsageError
from provenance.evidence import Assurance, Content, OriginKind, Verdict
from provenance.history import Commit, Link, NoWay, Step, TreeEntry
from provenance.project import LockFiles
from provenance.relocation import Confidence, Relocation, Spot, Status
from provenance.verify import Settings

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping, Sequence
    from pathlib import Path
    from types import TracebackType

    from provenance.drift.follow import Place
    from provenance.drift.task import Follower
    from provenance.history import History

OLD = commit({"valve.py": CODE.encode()}, "old")
OLDER = commit({"valve.py": CODE.encode()}, "older")
NEW = commit({"valve.py": b"# licence\n" + CODE.encode()}, "new")
BY = Commit("c" * 40, "2020-01-01T00:00:00+00:00", "Move it")


@dataclass
class Past:
    """The past of the commits above."""

    asked: list[str] = field(default_factory=list)
    missing: frozenset[str] = frozenset()
    fault: str = ""
    other: str = ""
    """What every path holds instead."""
    closed: bool = False

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.closed = True

    def way(self, old: str, new: str) -> Sequence[Link] | NoWay:
        return NoWay("the server does not have it") if {old, new} & self.missing else [Link(old, new, new)]

    def sides(self, commit: str) -> Sequence[str]:
        return () if commit == OLD.id else (OLD.id,)

    def base(self, one: str, other: str) -> str | None:
        return None if one == other else OLD.id

    def steps(self, links: Sequence[Link], paths: Collection[str] | None = None) -> Iterator[Step]:
        raise NotImplementedError

    def between(self, old: str, new: str) -> Step:
        raise NotImplementedError

    def entries(self, commit: str, paths: Collection[str]) -> Mapping[str, TreeEntry]:
        if self.fault:
            raise ProvError(self.fault)
        files = {made.id: made for made in (OLD, OLDER, NEW)}[commit].files
        return {
            path: TreeEntry("100644", self.other or Content.of(files[path]).blob)
            for path in paths
            if path in files
        }

    def lacks(self, blobs: Collection[str]) -> Collection[str]:
        return set(blobs) & self.missing

    def have(self, blobs: Collection[str]) -> Mapping[str, Unreached]:
        return dict.fromkeys(set(blobs) & self.missing, Unreached("not here"))

    def read(self, blob: str) -> bytes | None:
        contents = {Content.of(data).blob: data for made in (OLD, NEW) for data in made.files.values()}
        return contents.get(blob)

    def commits(self, ids: Collection[str]) -> Mapping[str, Commit]:
        self.asked.append(f"commits {len(ids)}")
        return {one: replace(BY, id=one) for one in ids if one not in self.missing}


@dataclass
class Saying:
    """A follower that says the same of every place."""

    status: Status = Status.MOVED
    text: str = "same"
    calls: list[tuple[str, str, tuple[Place, ...]]] = field(default_factory=list)

    def follow(self, _history: History, old: str, new: str, places: Sequence[Place]) -> list[Relocation]:
        self.calls.append((old, new, tuple(places)))
        return [self._said(new, place) for place in places]

    def follow_contents(
        self, old: Mapping[str, bytes], new: Mapping[str, bytes], revision: str, places: Sequence[Place]
    ) -> list[Relocation]:
        self.calls.append((",".join(old), ",".join(new), tuple(places)))
        return [self._said(revision, place) for place in places]

    def _said(self, new: str, place: Place) -> Relocation:
        lines = LineRange(place.lines.first + 1, place.lines.last + 1)
        gone = self.status is Status.DELETED
        return Relocation(
            self.status,
            None if gone else Spot(new, place.path, lines),
            confidence=Confidence.HIGH,
            commit=BY.id,
            text=self.text,
            old_text="same",
        )


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    made = Workspace(tmp_path)
    made.origins.add(OLD, "v1")
    made.origins.add(OLDER)
    made.origins.add(NEW, "HEAD", "main")
    made.origins.past = Past()
    return made


def run(
    workspace: Workspace,
    follower: Follower | None = None,
    *,
    to: tuple[str, ...] = (),
    accept: tuple[str, ...] = (),
    least: Assurance = Assurance.ARTIFACT,
) -> Drifted:
    with workspace.store() as store:
        return drift(
            workspace.files,
            store,
            LockFiles(workspace.project),
            replace(workspace.asking(), least=least),
            workspace.origins,
            wish=Wish(to, accept),
            settings=Settings(TODAY, {}, least),
            follower=follower or Saying(),
        )


def past(workspace: Workspace) -> Past:
    assert isinstance(workspace.origins.past, Past)
    return workspace.origins.past


def test_one_call_for_all_citations_of_one_way_and_one_history_for_all_ways(workspace: Workspace) -> None:
    old, older = source(OLD.id), source(OLDER.id[:12], name="older")
    workspace.origins.names[OLDER.id[:12]] = OLDER.id
    workspace.write(cite(old, "one"), cite(old, "two"), cite(old, "three", lines="6"), cite(older, "four"))
    workspace.write(cite(old, "five"), name="b")
    follower = Saying()
    found = run(workspace, follower)
    assert [item.drift.id for item in found.followed] == ["one", "two", "three", "four", "five"]
    assert sorted((old, new, len(places)) for old, new, places in follower.calls) == sorted(
        [(OLD.id, NEW.id, 1), (OLDER.id, NEW.id, 1)]
    )
    asked = workspace.origins.asked
    assert [one for one in asked if one == "resolve HEAD"] == ["resolve HEAD"]
    assert [one for one in asked if one.startswith("history")] == sorted(
        f"history {one.id}" for one in (OLD, OLDER, NEW)
    )
    assert past(workspace).asked[-1] == "commits 1"
    assert past(workspace).closed
    assert {item.drift.commit and item.drift.commit.subject for item in found.followed} == {"Move it"}
    assert {item.drift.notes for item in found.followed} == {(f"latest is commit {NEW.id}",)}


@pytest.mark.parametrize("status", [Status.UNCHANGED, Status.MOVED, Status.RENAMED])
def test_a_follower_that_claims_the_same_of_other_text_is_not_believed(
    workspace: Workspace, status: Status
) -> None:
    workspace.write(cite(source(OLD.id)))
    (found,) = run(workspace, Saying(status, text="other")).followed
    assert found.drift.status is Status.EDITED
    assert found.drift.level == "warning"
    assert found.drift.diff.endswith("-same\n+other")


def test_what_is_at_its_target_needs_no_history(workspace: Workspace) -> None:
    workspace.write(cite(source(OLD.id)))
    (found,) = run(workspace, to=("v1",)).followed
    assert found.drift.status is Status.UNCHANGED
    assert found.drift.relocation.end == Spot(OLD.id, "valve.py", LineRange(5, 6))
    assert not [one for one in workspace.origins.asked if one.startswith("history")]
    assert found.tag == "v1"


def test_a_fault_in_one_way_leaves_the_others(workspace: Workspace) -> None:
    workspace.write(cite(source(OLD.id), "one"), cite(source(OLDER.id, name="older"), "two"))
    past(workspace).missing = frozenset({OLDER.id})
    one, two = run(workspace).followed
    assert one.drift.status is Status.MOVED
    assert two.drift.status is Status.UNAVAILABLE
    assert two.drift.relocation.message == "the server does not have it"


def test_a_fault_in_a_repository_is_what_its_citations_say(workspace: Workspace) -> None:
    workspace.write(cite(source(OLD.id)))
    past(workspace).fault = "the cache is broken"
    (found,) = run(workspace).followed
    assert (found.drift.status, found.drift.relocation.message) == (Status.UNAVAILABLE, "the cache is broken")


@pytest.mark.parametrize(
    ("answer", "message", "problems"),
    [
        (Lacking(Verdict.NO_REVISION, "no such tag"), "no such tag", []),
        (Unreached("nobody answers"), "nobody answers", []),
        (
            Unreached("the host is not allowed", refused=True),
            "the host is not allowed",
            ["the host is not allowed"],
        ),
    ],
)
def test_a_target_that_nobody_knows_is_unavailable(
    workspace: Workspace, answer: Lacking | Unreached, message: str, problems: list[str]
) -> None:
    workspace.write(cite(source(OLD.id)))
    workspace.origins.names["v9"] = answer
    found = run(workspace, to=("v9",))
    assert [item.drift.relocation.message for item in found.followed] == [message]
    assert found.problems == problems


def test_a_commit_with_other_bytes_than_were_judged_is_not_followed(workspace: Workspace) -> None:
    workspace.write(cite(source(OLD.id)))
    workspace.fetch()
    past(workspace).other = "e" * 40
    (found,) = run(workspace).followed
    assert found.drift.status is Status.UNAVAILABLE
    assert "does not have the content that was judged" in found.drift.relocation.message


def test_what_names_nothing_is_wrong_usage_before_anybody_is_asked(workspace: Workspace) -> None:
    workspace.write(cite(source(OLD.id)))
    for to, accept in ((("engin=v1",), ()), ((), ("clos",))):
        with pytest.raises(UsageError):
            run(workspace, to=to, accept=accept)
    assert workspace.origins.asked == []
    assert run(workspace, accept=("open",)).accepted == {("manifests/a.yaml", "open")}


def test_a_name_that_a_broken_manifest_may_have_is_told_beside_what_is_broken(workspace: Workspace) -> None:
    workspace.write(cite(source(OLD.id)))
    (workspace.root / "manifests/b.yaml").write_text("prov: 2\n", encoding="utf-8")
    found = run(workspace, to=("engin=v1",))
    assert found.followed == []
    assert "b.yaml" in found.problems[0]
    assert "no source engin" in found.problems[-1]
    assert len(run(workspace).followed) == 1


NEWER = {"valve.py": b"# licence\n" + CODE.encode()}


def with_releases(workspace: Workspace, *, down: bool = False) -> FakeOrigins:
    origins = workspace.origins
    workspace.write(cite(source("v1", alternates=("engine==1.0",))))
    origins.artifacts = {"engine==1.0": {"valve.py": CODE.encode()}, "engine==2.0": NEWER}
    if down:
        origins.down = Unreached("nobody answers")
        origins.past = None
        artifact = Artifact("engine-1.0.tar.gz", "a" * 64)
        held = Acquired("valve.py", Content.of(CODE.encode()), OriginKind.RELEASE, artifact=artifact)
        origins.releases = {"engine==1.0": {"valve.py": held}}
    return origins


@pytest.mark.parametrize("down", [False, True])
@pytest.mark.parametrize(
    ("to", "release"),
    [
        ("engine==2.0", "engine==2.0"),
        ("pypi:Engine==2.0", "Engine==2.0"),
        ("engine=engine==2.0", "engine==2.0"),
    ],
)
def test_a_release_is_compared_with_the_one_that_the_source_names(
    workspace: Workspace, to: str, release: str, *, down: bool
) -> None:
    with_releases(workspace, down=down)
    workspace.origins.artifacts[release] = NEWER
    follower = Saying()
    (found,) = run(workspace, follower, to=(to,)).followed
    assert found.drift.status is Status.MOVED
    assert found.drift.relocation.confidence is Confidence.LOW
    assert found.drift.relocation.commit is None
    assert found.drift.relocation.end == Spot(release, "valve.py", LineRange(6, 7))
    (note,) = found.drift.notes
    assert "engine-1.0.tar.gz" in note
    assert "-2.0.tar.gz" in note
    assert len(follower.calls) == 1


def test_where_git_does_not_answer_a_tag_is_taken_for_a_release(workspace: Workspace) -> None:
    with_releases(workspace, down=True)
    (found,) = run(workspace, to=("v2.0",)).followed
    assert found.drift.status is Status.MOVED
    assert "engine==2.0 stands in for v2.0: nobody answers" in found.drift.notes
    (found,) = run(workspace).followed
    assert (found.drift.status, found.drift.relocation.message) == (Status.UNAVAILABLE, "nobody answers")


def test_an_artifact_cannot_refute(workspace: Workspace) -> None:
    with_releases(workspace)
    (found,) = run(workspace, Saying(Status.DELETED), to=("engine==2.0",)).followed
    assert found.drift.status is Status.UNAVAILABLE
    assert (
        "engine-2.0.tar.gz does not have it, and an artifact cannot refute" in found.drift.relocation.message
    )


@pytest.mark.parametrize(
    ("artifacts", "to", "message"),
    [
        ({"engine==1.0": {"valve.py": CODE.encode()}}, "engine==2.0", "the index does not answer"),
        ({"engine==2.0": NEWER}, "engine==2.0", "the index does not answer"),
        ({"engine==1.0": {}, "engine==2.0": NEWER}, "engine==2.0", "engine-1.0.tar.gz has no valve.py"),
        ({"engine==1.0": {"valve.py": b"1\n" * 9}, "engine==2.0": NEWER}, "engine==2.0", "is not the content at"),
        ({"engine==1.0": {"valve.py": b"\0"}, "engine==2.0": NEWER}, "engine==2.0", "is binary content"),
        ({}, "other==2.0", "names no release of other as an alternate"),
    ],
)  # fmt: skip
def test_a_release_that_does_not_hold_what_is_cited_is_unavailable(
    workspace: Workspace, artifacts: dict[str, Mapping[str, bytes]], to: str, message: str
) -> None:
    with_releases(workspace)
    workspace.origins.artifacts = artifacts
    (found,) = run(workspace, to=(to,)).followed
    assert found.drift.status is Status.UNAVAILABLE
    assert message in found.drift.relocation.message


def test_a_release_whose_file_is_another_one_serves_where_the_quote_is_the_same(workspace: Workspace) -> None:
    with_releases(workspace)
    workspace.origins.artifacts["engine==1.0"] = {"valve.py": CODE.encode() + b"# end\n"}
    (found,) = run(workspace, to=("engine==2.0",)).followed
    assert found.drift.status is Status.MOVED


def test_a_pin_that_is_known_from_a_release_alone_is_resolved_where_git_answers(workspace: Workspace) -> None:
    with_releases(workspace, down=True)
    workspace.fetch()
    workspace.origins.down, workspace.origins.past = None, Past()
    (found,) = run(workspace).followed
    assert found.drift.status is Status.MOVED
    assert found.drift.start.revision == OLD.id
    assert found.drift.assurance is Assurance.ARTIFACT
    (found,) = run(workspace, least=Assurance.COMMIT).followed
    assert found.drift.assurance is Assurance.COMMIT, "what is not sure enough is asked for again"


def test_urls_are_asked_with_the_secrets_that_are_shown_nowhere(workspace: Workspace) -> None:
    secret = GIT.replace("https://", "https://someone:secret@")
    workspace.write(cite(source(OLD.id, git=secret)))
    (found,) = run(workspace).followed
    assert found.drift.status is Status.MOVED
    assert workspace.origins.located == [secret]
    assert "secret" not in repr(found.drift)


def test_what_was_found_out_is_kept_and_what_could_not_be_told_takes_nothing_away(
    workspace: Workspace,
) -> None:
    workspace.write(cite(source("v1")), cite(source("v1"), "close", lines="8-9", quote=None))
    (one, two) = run(workspace).drifts
    with workspace.store() as store:
        kept = [store.drifts(item.manifest, item.id) for item in (one, two)]
    assert [(item.target, item.reached, item.start, item.commit) for (item,) in kept] == [
        ("latest", NEW.id, found.start, found.commit) for found in (one, two)
    ]
    assert [item.relocation.end for (item,) in kept] == [one.relocation.end, two.relocation.end]
    past(workspace).fault = "the disk is full"
    assert [item.status for item in run(workspace).drifts] == [Status.UNAVAILABLE] * 2
    assert [item.status for item in run(workspace, to=("v1",)).drifts] == [Status.UNCHANGED] * 2
    with workspace.store() as store:
        again = store.drifts(one.manifest, one.id)
    assert {item.target: item.relocation.status for item in again} == {
        "latest": Status.MOVED,
        "v1": Status.UNCHANGED,
    }
    assert {item.reached for item in again} == {NEW.id, OLD.id}
