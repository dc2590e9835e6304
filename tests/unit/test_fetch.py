from __future__ import annotations

import hashlib
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from support.origins import OFFLINE, commit
from support.unprivileged import anybodys_folder, as_nobody
from support.workspace import CODE, GIT, OPEN, Workspace, cite, source

from provenance.answers import Acquired, Artifact, Lacking, Unreached
from provenance.errors import UsageError
from provenance.evidence import Assurance, Content, OriginKind, Verdict
from provenance.fetch import fetch
from provenance.lock import LockedFile, Proof
from provenance.project import LockFiles
from provenance.verify import summary_of

if TYPE_CHECKING:
    from pathlib import Path

MADE = commit({"valve.py": CODE.encode(), "lib/pump.py": b"pump\n"})
NEWER = commit({"valve.py": b"# one line more\n" + CODE.encode(), "lib/pump.py": b"newer pump\n"})
BLOB = Content.of(CODE.encode()).blob
NEWER_BLOB = Content.of(NEWER.files["valve.py"]).blob
ARTIFACT = Artifact("engine-1.0.tar.gz", "a" * 64)
TAGGED = source("v1", alternates=("engine==1.0",))


@pytest.fixture
def space(tmp_path: Path) -> Workspace:
    made = Workspace(tmp_path)
    made.origins.add(MADE, "v1")
    return made


def release(space: Workspace, data: bytes = CODE.encode()) -> None:
    """Let git be down and a release have the file."""
    space.origins.down = OFFLINE
    answer = Acquired("valve.py", Content.of(data), OriginKind.RELEASE, artifact=ARTIFACT)
    space.origins.releases = {"engine==1.0": {"valve.py": answer}}


def test_what_was_found_is_locked(space: Workspace) -> None:
    space.write(cite(TAGGED), cite(TAGGED, "pump", path="lib/pump.py", lines="1", quote="other\n"))
    fetched = space.fetch()
    assert fetched.written == ["manifests/prov.lock"]
    assert [(item.need.path, item.standing.assurance) for item in fetched.files] == [
        ("lib/pump.py", Assurance.COMMIT),
        ("valve.py", Assurance.COMMIT),
    ]
    lock = space.lock
    assert lock.commit(GIT, "v1") == MADE.id
    assert lock.file(GIT, "v1", "valve.py") == LockedFile(BLOB, Proof.COMMIT)
    entry = lock.citations["a.yaml", "open"]
    assert entry.verdict is Verdict.EXACT
    assert entry.excerpt == hashlib.sha256(OPEN.removesuffix("\n").encode()).hexdigest()
    assert lock.citations["a.yaml", "pump"].verdict is Verdict.ABSENT


def test_fetching_again_changes_nothing(space: Workspace) -> None:
    space.write(cite(TAGGED))
    space.fetch()
    before, when = space.lock_path.read_bytes(), space.lock_path.stat().st_mtime_ns
    space.origins.asked.clear()
    again = space.fetch()
    assert (again.written, space.origins.asked) == ([], [])
    (space.root / "evidence.db").unlink()
    assert space.fetch().written == []
    assert space.lock_path.read_bytes() == before
    assert space.lock_path.stat().st_mtime_ns == when


def test_what_fetch_counted_is_not_counted_again_by_verify(
    space: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    space.write(cite(TAGGED), cite(TAGGED, "two", lines="8-9"))
    space.fetch()

    def never(*_: object) -> None:
        message = "judged again"
        raise AssertionError(message)

    monkeypatch.setattr("provenance.judging.Judge.batch", never)
    seen = space.verify()
    assert seen.summary == summary_of(seen.evidence)
    assert (seen.summary.ok, seen.summary.failure) == (1, 1)


@pytest.mark.parametrize("kind", ["sqlite:///{}?timeout=5", "sqlite+pysqlite:///{}", "sqlite://"])
def test_any_database_will_do(space: Workspace, kind: str) -> None:
    space.db = kind.format(space.root / "other.db")
    space.write(cite(TAGGED), cite(TAGGED, "two", lines="8-9"))
    assert space.fetch().written == ["manifests/prov.lock"]
    seen = space.verify()
    assert seen.verdicts == {"open": Verdict.EXACT, "two": Verdict.SHIFTED}
    assert seen.summary == summary_of(seen.evidence)


def test_a_pin_stays_until_an_update_is_asked_for(space: Workspace) -> None:
    space.write(cite(TAGGED))
    space.fetch()
    space.origins.add(NEWER, "v1")
    for asking in (space.asking(), space.asking(refresh=True), space.update("another")):
        assert space.fetch(asking).written == []
    space.fetch(space.update("engine"))
    assert space.lock.commit(GIT, "v1") == NEWER.id
    assert space.lock.file(GIT, "v1", "valve.py") == LockedFile(NEWER_BLOB, Proof.COMMIT)
    assert space.lock.citations["a.yaml", "open"].verdict is Verdict.SHIFTED
    assert space.verify().verdicts == {"open": Verdict.SHIFTED}


def test_an_update_leaves_nothing_of_the_old_commit(space: Workspace) -> None:
    space.write(cite(TAGGED), cite(TAGGED, "pump", path="lib/pump.py", lines="1", quote="pump\n"))
    space.fetch()
    space.origins.add(NEWER, "v1")
    space.origins.answers[NEWER.id, "lib/pump.py"] = OFFLINE
    space.fetch(space.update("engine"))
    assert space.lock.commit(GIT, "v1") == NEWER.id
    assert space.lock.file(GIT, "v1", "valve.py") == LockedFile(NEWER_BLOB, Proof.COMMIT)
    assert space.lock.file(GIT, "v1", "lib/pump.py") is None, "that blob was the old commit's"
    assert set(space.lock.citations) == {("a.yaml", "open")}, "so was that verdict"


def test_an_update_of_one_manifest_leaves_nothing_old_to_another(space: Workspace) -> None:
    space.write(cite(TAGGED))
    space.write(cite(TAGGED, "pump", path="lib/pump.py", lines="1", quote="pump\n"), name="b")
    space.fetch()
    space.origins.add(NEWER, "v1")
    space.fetch(space.update("engine"), ("manifests/a.yaml",))
    assert space.lock.commit(GIT, "v1") == NEWER.id
    assert space.lock.file(GIT, "v1", "lib/pump.py") is None
    seen = space.verify()
    assert seen.verification.problems == []
    assert seen.verdicts["pump"] is not Verdict.UNAVAILABLE


def test_an_update_that_reaches_nobody_changes_nothing(space: Workspace) -> None:
    space.write(cite(TAGGED))
    space.fetch()
    before = space.lock_path.read_bytes()
    space.origins.down = OFFLINE
    fetched = space.fetch(space.update("engine"))
    assert isinstance(fetched.files[0].standing.failure, Unreached)
    assert space.lock_path.read_bytes() == before


def test_a_release_is_locked_as_what_it_is(space: Workspace) -> None:
    release(space)
    space.write(cite(TAGGED))
    space.fetch()
    assert space.lock.commit(GIT, "v1") is None, "nothing claims that the revision was seen"
    assert space.lock.file(GIT, "v1", "valve.py") == LockedFile(BLOB, Proof.ARTIFACT, ARTIFACT)
    assert space.lock.citations["a.yaml", "open"].verdict is Verdict.EXACT


def test_a_full_id_is_not_claimed_where_only_a_release_was_had(space: Workspace) -> None:
    release(space)
    of = source(MADE.id, alternates=("engine==1.0",))
    space.write(cite(of))
    space.fetch()
    assert space.lock.commit(GIT, MADE.id) is None


def test_git_takes_the_place_of_a_release(space: Workspace) -> None:
    release(space)
    space.write(cite(TAGGED))
    space.fetch()
    space.origins.down = None
    space.fetch()
    assert space.lock.commit(GIT, "v1") == MADE.id
    assert space.lock.file(GIT, "v1", "valve.py") == LockedFile(BLOB, Proof.COMMIT)
    assert space.verify().summary.assurance == {Assurance.COMMIT: 1}


@pytest.mark.parametrize("data", [CODE.encode(), CODE.encode() + b"# and more\n"])
def test_a_proof_by_commit_is_not_given_up(space: Workspace, data: bytes) -> None:
    space.write(cite(TAGGED))
    space.fetch()
    before = space.lock
    (space.root / "evidence.db").unlink()
    release(space, data)
    space.fetch()
    assert space.lock.commit(GIT, "v1") == MADE.id
    assert space.lock.file(GIT, "v1", "valve.py") == before.file(GIT, "v1", "valve.py")


def test_what_cannot_be_had_now_keeps_its_entry(space: Workspace) -> None:
    space.write(cite(TAGGED), cite(TAGGED, "two", lines="4-9"))
    space.fetch()
    before = space.lock_path.read_bytes()
    (space.root / "evidence.db").unlink()
    space.origins.down = OFFLINE
    assert space.fetch().written == []
    assert space.lock_path.read_bytes() == before
    space.write(cite(TAGGED, lines="5-7"), cite(TAGGED, "two", lines="4-9"))
    space.fetch()
    assert set(space.lock.citations) == {("a.yaml", "two")}, "an entry for another place is none"


def test_what_is_not_cited_any_more_goes(space: Workspace) -> None:
    space.write(cite(TAGGED), cite(TAGGED, "pump", path="lib/pump.py", lines="1", quote="pump\n"))
    space.write(cite(source(MADE.id, name="other"), "gone"), name="b")
    space.fetch()
    space.write(cite(TAGGED))
    (space.root / "manifests" / "b.yaml").unlink()
    space.fetch()
    assert set(space.lock.citations) == {("a.yaml", "open")}
    assert set(space.lock.sources) == {(GIT, "v1")}
    assert space.lock.file(GIT, "v1", "lib/pump.py") is None


def test_a_part_leaves_the_rest_as_it_is(space: Workspace) -> None:
    space.write(cite(TAGGED))
    space.write(cite(source(MADE.id, name="other"), "other"), name="b")
    space.fetch()
    before = space.lock
    space.write(cite(TAGGED, quote="other"))
    space.fetch(paths=("manifests/a.yaml",))
    assert space.lock.citations["a.yaml", "open"].verdict is Verdict.ABSENT
    assert space.lock.citations["b.yaml", "other"] == before.citations["b.yaml", "other"]
    assert set(space.lock.sources) == {(GIT, "v1"), (GIT, MADE.id)}


def test_a_manifest_that_cannot_be_read_keeps_its_entries(space: Workspace) -> None:
    space.write(cite(TAGGED))
    file = space.write(cite(TAGGED, "other"), name="b")
    space.fetch()
    before = space.lock
    file.write_text("not: a manifest")
    fetched = space.fetch()
    assert fetched.verification.problems
    assert dict(space.lock.citations) == dict(before.citations)


def test_manifests_named_in_different_ways_share_one_lock(
    space: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    space.write(cite(TAGGED))
    space.write(cite(TAGGED, "other"), name="b")
    monkeypatch.chdir(space.root)
    with space.store() as store:
        files = space.project.manifest_files(["manifests/a.yaml", str(space.root / "manifests" / "b.yaml")])
        fetch(files, store, LockFiles(space.project), space.asking())
    assert set(space.lock.citations) == {("a.yaml", "open"), ("b.yaml", "other")}


def test_each_folder_gets_its_lock(space: Workspace) -> None:
    space.write(cite(TAGGED))
    inner = space.root / "manifests" / "inner"
    inner.mkdir()
    space.write(cite(TAGGED, "other"), name="b").rename(inner / "b.yaml")
    assert space.fetch().written == ["manifests/prov.lock", "manifests/inner/prov.lock"]


def test_a_contradiction_leaves_the_lock_alone(space: Workspace) -> None:
    space.write(cite(TAGGED), cite(TAGGED, "pump", path="lib/pump.py", lines="1", quote="pump\n"))
    space.fetch()
    text = space.lock_path.read_text().replace(BLOB, "b" * 40)
    space.lock_path.write_text(text)
    for asking in (space.asking(), space.asking(refresh=True)):
        fetched = space.fetch(asking)
        assert len(fetched.verification.problems) == 1
        assert fetched.written == []
        assert space.lock_path.read_text() == text
    assert space.fetch(space.update("engine")).written == ["manifests/prov.lock"]
    assert space.lock.file(GIT, "v1", "valve.py") == LockedFile(BLOB, Proof.COMMIT)


def test_a_malformed_lock_is_left_alone(space: Workspace) -> None:
    space.write(cite(TAGGED))
    space.lock_path.write_text("<<<<<<< HEAD\n")
    fetched = space.fetch()
    assert "not a lock" in fetched.verification.problems[0]
    assert fetched.written == []
    assert space.lock_path.read_text() == "<<<<<<< HEAD\n"


def test_what_is_not_there_has_no_blob_and_its_verdict_is_locked(space: Workspace) -> None:
    space.write(cite(TAGGED, path="gone.py"), cite(source("v9", name="other"), "no-revision"))
    space.fetch()
    assert space.lock.file(GIT, "v1", "gone.py") is None
    assert space.lock.commit(GIT, "v1") == MADE.id
    assert space.lock.commit(GIT, "v9") is None
    assert {key[1]: item.verdict for key, item in space.lock.citations.items()} == {
        "open": Verdict.NO_PATH,
        "no-revision": Verdict.NO_REVISION,
    }
    assert all(item.excerpt is None for item in space.lock.citations.values())


def test_a_revision_that_has_gone_is_looked_for_again(space: Workspace) -> None:
    space.write(cite(source("v9")))
    space.fetch()
    assert space.verify().only.judgement.verdict is Verdict.NO_REVISION
    space.origins.names["v9"] = MADE.id
    assert space.verify().only.judgement.verdict is Verdict.EXACT
    space.fetch()
    assert space.lock.citations["a.yaml", "open"].verdict is Verdict.EXACT


def test_a_revision_that_has_gone_names_one_that_has_the_content(space: Workspace) -> None:
    space.write(cite(TAGGED))
    space.fetch()
    (space.root / "evidence.db").unlink()
    space.origins.commits.clear()
    space.origins.tips[BLOB] = NEWER.id
    fetched = space.fetch()
    failure = fetched.files[0].standing.failure
    assert isinstance(failure, Lacking)
    assert f"commit {NEWER.id} has the same content" in failure.message
    assert space.lock.file(GIT, "v1", "valve.py") == LockedFile(BLOB, Proof.COMMIT), "the proof still serves"


def test_the_lock_is_given_by_the_command_line(space: Workspace) -> None:
    space.write(cite(TAGGED))
    elsewhere = space.root / "locks" / "x.lock"
    with space.store() as store:
        fetched = fetch(space.files, store, LockFiles(space.project, str(elsewhere)), space.asking())
    assert fetched.written == ["locks/x.lock"]
    assert elsewhere.exists()
    assert not space.lock_path.exists()


def test_a_lock_that_cannot_be_written_is_told() -> None:
    with anybodys_folder() as folder:
        space = Workspace(folder)
        space.origins.add(MADE, "v1")
        space.write(cite(TAGGED))
        (folder / "manifests").chmod(0o555)
        space.db = "sqlite://"
        with as_nobody(), pytest.raises(UsageError, match="cannot be written"):
            space.fetch()
        assert not space.lock_path.exists()
        (folder / "manifests").chmod(0o777)


def test_no_manifest_that_could_be_read_writes_no_lock(space: Workspace) -> None:
    space.write(cite(TAGGED)).write_text("nonsense")
    fetched = space.fetch()
    assert (fetched.files, fetched.written) == ([], [])
    assert not space.lock_path.exists()


def test_the_files_are_told_once_and_sorted(space: Workspace) -> None:
    other = replace(TAGGED, git="https://example.org/a", name="other")
    space.write(cite(TAGGED), cite(TAGGED, "two"), cite(other, "three"))
    space.write(cite(TAGGED), name="b")
    assert [item.need.key for item in space.fetch().files] == [
        ("https://example.org/a", "v1", "valve.py"),
        (GIT, "v1", "valve.py"),
    ]


def test_a_manifest_that_has_gone_leaves_the_database_and_keeps_its_history(space: Workspace) -> None:
    space.write(cite(TAGGED))
    gone = space.write(cite(TAGGED), name="gone")
    space.fetch()
    gone.unlink()
    space.fetch(paths=("manifests/a.yaml",))
    with space.store() as store:
        assert set(store.manifests()) == {"manifests/a.yaml"}
        assert [entry.verdict for entry in store.history("manifests/gone.yaml", "open")] == ["exact"]


def test_a_revision_that_has_gone_does_not_take_what_the_lock_knew_with_it(space: Workspace) -> None:
    space.write(cite(TAGGED))
    space.fetch()
    before = space.lock_path.read_bytes()
    (space.root / "evidence.db").unlink()
    space.origins.answers = {(MADE.id, "valve.py"): Lacking(Verdict.NO_REVISION, "it is gone")}
    fetched = space.fetch()
    assert [getattr(item.standing.failure, "verdict", None) for item in fetched.files] == [
        Verdict.NO_REVISION
    ]
    assert space.lock_path.read_bytes() == before
