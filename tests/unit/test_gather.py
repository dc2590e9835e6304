from __future__ import annotations

import sqlite3
import threading
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from support.origins import OFFLINE, FakeOrigins, commit
from support.workspace import CODE, GIT, source

from provenance.answers import Acquired, Artifact, Lacking, Resolved, Unreached
from provenance.ask import Needed
from provenance.evidence import Assurance, Content, OriginKind, Verdict
from provenance.gather import Asking, gather
from provenance.lock import Lock, LockedFile, LockedSource, Proof
from provenance.store.store import Store

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping
    from pathlib import Path

    from provenance.answers import Answer, Resolution, Want
    from provenance.citation import Release, Source
    from provenance.gather import Gathered, Standing

MADE = commit({"valve.py": CODE.encode(), "lib/pump.py": b"pump\n"})
NEWER = commit({"valve.py": b"newer\n", "lib/pump.py": b"pump\n"})
BLOB = Content.of(CODE.encode()).blob
OTHER = Content.of(b"other\n")
PINNED = source(MADE.id)
TAGGED = source("v1")
ARTIFACT = Artifact("engine-1.0.tar.gz", "a" * 64)


def released(data: bytes = CODE.encode(), *, artifact: Artifact = ARTIFACT) -> Acquired:
    return Acquired("valve.py", Content.of(data), OriginKind.RELEASE, artifact=artifact)


def archived(data: bytes = CODE.encode()) -> Acquired:
    return Acquired("valve.py", Content.of(data), OriginKind.ARCHIVE)


def locked(
    of: Source,
    *,
    pin: str | None = MADE.id,
    blob: str = BLOB,
    proof: Proof = Proof.COMMIT,
    file: str = "valve.py",
) -> Lock:
    artifact = ARTIFACT if proof is Proof.ARTIFACT else None
    return Lock({(of.git, of.revision): LockedSource(pin, {file: LockedFile(blob, proof, artifact)})})


def need(of: Source = PINNED, path: str = "valve.py", lock: Lock | None = None) -> Needed:
    return Needed(of, path, lock or Lock())


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store(str(tmp_path / "evidence.db"), "test") as made:
        yield made


@pytest.fixture
def origins() -> FakeOrigins:
    made = FakeOrigins()
    made.add(MADE, "v1")
    return made


def one(store: Store, asking: Asking, item: Needed | None = None) -> Standing:
    wanted = item or need()
    return gather([wanted], store, asking).standings[wanted.key]


def change(tmp_path: Path, sql: str, *parameters: object) -> None:
    connection = sqlite3.connect(tmp_path / "evidence.db")
    with connection:
        assert connection.execute(sql, parameters).rowcount > 0
    connection.close()


def test_what_git_has_is_stored_with_its_proof(store: Store, origins: FakeOrigins) -> None:
    standing = one(store, Asking(origins))
    assert (standing.revision, standing.assurance, standing.failure) == (MADE.id, Assurance.COMMIT, None)
    assert standing.file == store.file(GIT, MADE.id, "valve.py")
    assert store.content(BLOB) == Content.of(CODE.encode())
    assert all(store.object(item.id) == item.data for item in MADE.proof("valve.py"))
    assert origins.asked == [f"acquire {MADE.id} valve.py"]


def test_what_is_stored_is_not_asked_for_again(store: Store, origins: FakeOrigins) -> None:
    first = one(store, Asking(origins))
    origins.asked.clear()
    assert one(store, Asking(origins)) == first
    assert one(store, Asking(None)) == first
    assert origins.asked == []


def test_one_file_is_asked_for_once_however_often_it_is_cited(store: Store, origins: FakeOrigins) -> None:
    gather([need(), need(), need(source(MADE.id, name="motor"))], store, Asking(origins))
    assert origins.asked == [f"acquire {MADE.id} valve.py"]


def test_refresh_asks_again_and_tells_the_origin(store: Store, origins: FakeOrigins) -> None:
    one(store, Asking(origins))
    one(store, Asking(origins, refresh=True))
    assert origins.asked == [f"acquire {MADE.id} valve.py"] * 2
    assert origins.refreshed == [False, True]


def test_offline_asks_nobody_and_says_so(store: Store) -> None:
    standing = one(store, Asking(None))
    assert isinstance(standing.failure, Unreached)
    assert "--offline" in standing.failure.message
    assert standing.revision == MADE.id
    assert one(store, Asking(None), need(TAGGED)).revision == "v1"


def test_a_revision_as_written_is_resolved_once(store: Store, origins: FakeOrigins) -> None:
    standing = one(store, Asking(origins), need(TAGGED))
    assert standing.revision == MADE.id
    assert standing.assurance is Assurance.COMMIT
    assert store.pin(GIT, "v1") == MADE.id
    assert origins.asked == ["resolve v1", f"acquire {MADE.id} valve.py"]
    origins.asked.clear()
    one(store, Asking(origins), need(TAGGED, "lib/pump.py"))
    assert origins.asked == [f"acquire {MADE.id} lib/pump.py"]
    assert one(store, Asking(None), need(TAGGED)).revision == MADE.id


def test_the_lock_pins_before_the_store_and_the_store_before_an_origin(
    store: Store, origins: FakeOrigins
) -> None:
    with store.transaction() as transaction:
        transaction.put_pin(GIT, "v1", NEWER.id)
    origins.add(NEWER)
    origins.names["v1"] = "f" * 40
    assert one(store, Asking(origins), need(TAGGED)).revision == NEWER.id
    assert one(store, Asking(origins), need(TAGGED, lock=locked(TAGGED))).revision == MADE.id
    assert origins.asked == [f"acquire {NEWER.id} valve.py", f"acquire {MADE.id} valve.py"]


def test_refresh_resolves_what_only_the_store_pinned(store: Store, origins: FakeOrigins) -> None:
    one(store, Asking(origins), need(TAGGED))
    origins.add(NEWER, "v1")
    assert one(store, Asking(origins), need(TAGGED)).revision == MADE.id
    assert one(store, Asking(origins, refresh=True), need(TAGGED, lock=locked(TAGGED))).revision == MADE.id
    assert one(store, Asking(origins, refresh=True), need(TAGGED)).revision == NEWER.id
    assert one(store, Asking(None), need(TAGGED)).revision == NEWER.id


@pytest.mark.parametrize("name", ["engine", GIT])
def test_update_resolves_what_the_lock_pinned(store: Store, origins: FakeOrigins, name: str) -> None:
    origins.add(NEWER, "v1")
    wanted = need(TAGGED, lock=locked(TAGGED))
    assert one(store, Asking(origins), wanted).revision == MADE.id
    gathered = gather([wanted], store, Asking(origins, update=frozenset({name})))
    assert gathered.standings[wanted.key].revision == NEWER.id
    assert gathered.contradictions == []
    assert one(store, Asking(origins, update=frozenset({"motor"})), wanted).revision == MADE.id


def test_a_full_id_is_never_resolved(store: Store, origins: FakeOrigins) -> None:
    one(store, Asking(origins, refresh=True, update=frozenset({"engine"})))
    assert origins.asked == [f"acquire {MADE.id} valve.py"]


# --- what a revision or a repository lacks


def test_what_a_revision_lacks_is_remembered(store: Store, origins: FakeOrigins) -> None:
    first = one(store, Asking(origins), need(path="gone.py"))
    assert first.file is not None
    assert (first.file.verdict, first.file.message) == (Verdict.NO_PATH, "no path gone.py")
    assert first.assurance is None
    assert one(store, Asking(origins), need(path="gone.py")) == first
    assert origins.asked == [f"acquire {MADE.id} gone.py"]


def test_that_a_revision_has_gone_is_not_remembered(store: Store) -> None:
    empty = FakeOrigins()
    for of in (PINNED, TAGGED):
        failure = one(store, Asking(empty), need(of)).failure
        assert failure == Lacking(Verdict.NO_REVISION, f"no revision {of.revision}; archive: x") or (
            isinstance(failure, Lacking) and failure.message.startswith(f"no revision {of.revision}")
        )
    restored = FakeOrigins()
    restored.add(MADE, "v1")
    assert one(store, Asking(restored)).assurance is Assurance.COMMIT
    assert one(store, Asking(restored), need(TAGGED)).assurance is Assurance.COMMIT


def test_a_gone_revision_is_told_where_its_content_can_be_reached(store: Store) -> None:
    origins = FakeOrigins(tips={BLOB: "e" * 40})
    failure = one(store, Asking(origins), need(lock=locked(PINNED))).failure
    assert isinstance(failure, Lacking)
    assert f"commit {'e' * 40} has the same content at this path and can be reached" in failure.message
    for lock in (Lock(), locked(PINNED, proof=Proof.ARTIFACT)):
        failure = one(store, Asking(origins), need(lock=lock)).failure
        assert isinstance(failure, Lacking)
        assert "can be reached" not in failure.message


# --- stand-ins


def alternated(*releases: str, revision: str = MADE.id, name: str = "engine") -> Source:
    return source(revision, alternates=releases, name=name)


NO_FILE = Lacking(Verdict.NO_PATH, "no such member")


@pytest.mark.parametrize("failure", [OFFLINE, Lacking(Verdict.NO_REVISION, "gone")])
def test_alternates_are_asked_in_order_then_the_archive(store: Store, failure: Lacking | Unreached) -> None:
    origins = FakeOrigins(answers={(MADE.id, "valve.py"): failure}, archived={BLOB: archived()})
    of = alternated("engine==1.0", "engine==0.9")
    standing = one(store, Asking(origins), need(of, lock=locked(of)))
    assert origins.asked == [
        f"acquire {MADE.id} valve.py",
        "release engine==1.0 valve.py",
        "release engine==0.9 valve.py",
        f"archive {BLOB}",
    ]
    assert standing.file is not None
    assert (standing.file.origin, standing.assurance) == (OriginKind.ARCHIVE, Assurance.LOCKED)


def test_the_first_alternate_that_has_a_file_is_the_last_that_is_asked(
    store: Store, origins: FakeOrigins
) -> None:
    origins.down = OFFLINE
    origins.releases = {"engine==1.0": {"valve.py": NO_FILE}, "engine==0.9": {"valve.py": released()}}
    of = alternated("engine==1.0", "engine==0.9", "engine==0.8")
    standing = one(store, Asking(origins), need(of))
    assert origins.asked[1:] == ["release engine==1.0 valve.py", "release engine==0.9 valve.py"]
    assert standing.file is not None
    assert (standing.file.artifact, standing.assurance) == (ARTIFACT, Assurance.ARTIFACT)


def test_each_source_has_its_own_order_of_alternates(store: Store, origins: FakeOrigins) -> None:
    origins.down = OFFLINE
    one_zero, two_zero = Artifact("engine-1.0.tar.gz", "1" * 64), Artifact("engine-2.0.tar.gz", "2" * 64)
    origins.releases = {
        "engine==1.0": {"valve.py": released(artifact=one_zero)},
        "engine==2.0": {"valve.py": released(artifact=two_zero)},
    }
    first = need(alternated("engine==1.0", "engine==2.0"))
    second = need(alternated("engine==2.0", "engine==1.0", revision=NEWER.id))
    gathered = gather([first, second], store, Asking(origins))
    found = [gathered.standings[item.key].file for item in (first, second)]
    assert [file and file.artifact for file in found] == [one_zero, two_zero]


def test_files_of_one_release_are_asked_for_together(store: Store, origins: FakeOrigins) -> None:
    origins.down = OFFLINE
    asked: list[list[str]] = []

    class Counting(FakeOrigins):
        def release(self, release: Release, paths: Collection[str]) -> Mapping[str, Answer]:
            asked.append([str(release), *sorted(paths)])
            return {path: released() for path in paths}

    of = alternated("engine==1.0")
    counting = Counting(down=OFFLINE)
    gather([need(of), need(of, "lib/pump.py")], store, Asking(counting))
    assert asked == [["engine==1.0", "lib/pump.py", "valve.py"]]


def test_nobody_stands_in_for_what_git_says_is_not_there(store: Store, origins: FakeOrigins) -> None:
    of = alternated("engine==1.0")
    origins.releases = {"engine==1.0": {"gone.py": released()}}
    standing = one(store, Asking(origins), need(of, "gone.py"))
    assert standing.file is not None
    assert standing.file.verdict is Verdict.NO_PATH
    assert origins.asked == [f"acquire {MADE.id} gone.py"]


def test_the_failure_tells_what_everybody_said(store: Store, origins: FakeOrigins) -> None:
    origins.down = OFFLINE
    origins.releases = {"engine==1.0": {"valve.py": NO_FILE}}
    of = alternated("engine==1.0", "engine==0.9")
    failure = one(store, Asking(origins), need(of, lock=locked(of))).failure
    assert failure == Unreached(
        "the host does not answer; engine==1.0: no such member; engine==0.9: the index does not answer;"
        " archive: the archive does not answer"
    )


@pytest.mark.parametrize("lock", [Lock(), locked(PINNED, proof=Proof.ARTIFACT)])
def test_the_archive_is_asked_only_for_what_a_commit_proved(
    store: Store, origins: FakeOrigins, lock: Lock
) -> None:
    origins.down = OFFLINE
    one(store, Asking(origins), need(lock=lock))
    assert origins.asked == [f"acquire {MADE.id} valve.py"]


def test_a_release_stands_in_for_a_revision_that_was_never_resolved(
    store: Store, origins: FakeOrigins
) -> None:
    origins.down = OFFLINE
    origins.releases = {"engine==1.0": {"valve.py": released()}}
    wanted = need(alternated("engine==1.0", revision="v1"))
    standing = one(store, Asking(origins), wanted)
    assert (standing.revision, standing.assurance) == ("v1", Assurance.ARTIFACT)
    assert store.pin(GIT, "v1") is None
    assert one(store, Asking(None), wanted) == standing
    with store.transaction() as transaction:
        transaction.put_pin(GIT, "v1", MADE.id)
    later = one(store, Asking(None), wanted)
    assert later.revision == MADE.id, "what was had before the pin was known serves after it"
    assert later.file == standing.file


def test_a_pin_is_kept_where_only_a_release_had_the_file(store: Store, origins: FakeOrigins) -> None:
    origins.answers[MADE.id, "valve.py"] = OFFLINE
    origins.releases = {"engine==1.0": {"valve.py": released()}}
    wanted = need(alternated("engine==1.0", revision="v1"))
    standing = one(store, Asking(origins), wanted)
    assert standing.revision == MADE.id
    assert one(store, Asking(None), wanted) == standing


# --- how sure


@pytest.mark.parametrize(
    ("lock", "assurance"),
    [
        (Lock(), Assurance.ARTIFACT),
        (locked(PINNED), Assurance.LOCKED),
        (locked(PINNED, blob=OTHER.blob), Assurance.ARTIFACT),
        (locked(PINNED, proof=Proof.ARTIFACT), Assurance.ARTIFACT),
        (locked(PINNED, file="other.py"), Assurance.ARTIFACT),
        (locked(TAGGED), Assurance.ARTIFACT),
    ],
    ids=["no lock", "by commit", "another blob", "by artifact", "another path", "another revision"],
)
def test_a_release_is_as_sure_as_the_lock_makes_it(
    store: Store, origins: FakeOrigins, lock: Lock, assurance: Assurance
) -> None:
    origins.down = OFFLINE
    origins.releases = {"engine==1.0": {"valve.py": released()}}
    wanted = need(alternated("engine==1.0"), lock=lock)
    assert one(store, Asking(origins), wanted).assurance is assurance
    assert one(store, Asking(None), wanted).assurance is assurance


TAMPER = {
    "a tree's bytes": ("UPDATE objects SET data = CAST(data || x'00' AS BLOB) WHERE kind = 'tree'", ()),
    "the commit is gone": ("DELETE FROM objects WHERE kind = 'commit'", ()),
    "another path": ("UPDATE files SET stands_at = 'lib/pump.py'", ()),
    "other bytes": ("UPDATE files SET blob = ?", (OTHER.blob,)),
    "another commit": ("UPDATE files SET origin = 'pypi'", ()),
}


@pytest.mark.parametrize("written", ["ABA5B80E44DD", MADE.id.upper()])
def test_a_lock_gives_no_other_meaning_to_digits_in_capitals(
    store: Store, origins: FakeOrigins, written: str
) -> None:
    origins.add(MADE, written)
    forged = Lock({(GIT, written): LockedSource("e" * 40)})
    found = one(store, Asking(origins), need(source(written), lock=forged))
    assert (found.revision, found.file) == (MADE.id, None)
    assert isinstance(found.failure, Unreached)
    assert found.failure.contradicts


@pytest.mark.parametrize("how", TAMPER)
def test_commit_is_proven_again_from_what_is_stored(
    store: Store, origins: FakeOrigins, tmp_path: Path, how: str
) -> None:
    assert one(store, Asking(origins)).assurance is Assurance.COMMIT
    sql, parameters = TAMPER[how]
    change(tmp_path, sql, *parameters)
    with Store(str(tmp_path / "evidence.db")) as later:  # as another process would find it
        assert one(later, Asking(None)).assurance is Assurance.ARTIFACT
        with_lock = one(later, Asking(None), need(lock=locked(PINNED))).assurance
    assert with_lock is (Assurance.ARTIFACT if how == "other bytes" else Assurance.LOCKED)


def test_git_itself_is_not_believed_without_proof(store: Store, origins: FakeOrigins) -> None:
    other = commit({"valve.py": b"other\n"})
    forged = replace(other.acquired("valve.py"), proof=MADE.proof("valve.py"))
    origins.answers[MADE.id, "valve.py"] = forged
    assert one(store, Asking(origins)).assurance is Assurance.ARTIFACT
    bare = replace(MADE.acquired("valve.py"), proof=())
    origins.answers[MADE.id, "valve.py"] = bare


@pytest.mark.parametrize(
    ("asking", "asked"),
    [
        (Asking(None), False),
        (Asking(None, improve=True, least=Assurance.COMMIT), False),
        (Asking(FakeOrigins()), False),
        (Asking(FakeOrigins(), improve=True), True),
        (Asking(FakeOrigins(), refresh=True), True),
        (Asking(FakeOrigins(), least=Assurance.LOCKED), True),
        (Asking(FakeOrigins(), least=Assurance.COMMIT), True),
        (Asking(FakeOrigins(), update=frozenset({"engine"})), True),
    ],
)
@pytest.mark.parametrize("lock", [Lock(), locked(PINNED)], ids=["artifact", "locked"])
def test_when_an_artifact_serves(
    store: Store, origins: FakeOrigins, lock: Lock, asking: Asking, *, asked: bool
) -> None:
    origins.down = OFFLINE
    origins.releases = {"engine==1.0": {"valve.py": released()}}
    wanted = need(alternated("engine==1.0"), lock=lock)
    one(store, Asking(origins), wanted)
    if asking.origins is not None:
        origins.asked.clear()
        asking = replace(asking, origins=origins)
    enough = bool(lock.sources) and asking.least is Assurance.LOCKED
    one(store, asking, wanted)
    was_asked = asking.origins is not None and bool(origins.asked)
    assert was_asked is (asked and not enough)


def test_git_takes_the_place_of_an_artifact_once_it_answers(store: Store, origins: FakeOrigins) -> None:
    origins.down = OFFLINE
    origins.releases = {"engine==1.0": {"valve.py": released()}}
    wanted = need(alternated("engine==1.0"))
    one(store, Asking(origins), wanted)
    origins.down = None
    assert one(store, Asking(origins), wanted).assurance is Assurance.ARTIFACT
    assert one(store, Asking(origins, improve=True), wanted).assurance is Assurance.COMMIT
    assert one(store, Asking(None), wanted).assurance is Assurance.COMMIT


# --- contradictions, refusals, and what is kept


def contradicting(how: str, origins: FakeOrigins) -> Needed:
    match how:
        case "commit":
            return need(lock=locked(PINNED, blob=OTHER.blob))
        case "artifact":
            origins.down = OFFLINE
            origins.releases = {"engine==1.0": {"valve.py": released()}}
            of = alternated("engine==1.0")
            return need(of, lock=locked(of, blob=OTHER.blob, proof=Proof.ARTIFACT))
        case _:
            raise AssertionError(how)


@pytest.mark.parametrize("how", ["commit", "artifact"])
def test_bytes_that_contradict_the_lock_are_not_judged_and_both_ids_are_named(
    store: Store, origins: FakeOrigins, how: str
) -> None:
    wanted = contradicting(how, origins)
    for asking in (Asking(origins), Asking(origins), Asking(None)):
        gathered = gather([wanted], store, asking)
        (message,) = gathered.contradictions
        assert BLOB in message
        assert OTHER.blob in message
        assert "prov fetch --update engine" in message
        standing = gathered.standings[wanted.key]
        assert isinstance(standing.failure, Unreached)
        assert standing.failure.contradicts
    gathered = gather([wanted], store, Asking(origins, update=frozenset({"engine"})))
    assert gathered.contradictions == []
    assert gathered.standings[wanted.key].file is not None


def test_an_artifact_cannot_contradict_what_a_commit_proved(store: Store, origins: FakeOrigins) -> None:
    origins.down = OFFLINE
    origins.releases = {"engine==1.0": {"valve.py": released()}}
    of = alternated("engine==1.0")
    gathered = gather([need(of, lock=locked(of, blob=OTHER.blob))], store, Asking(origins))
    assert gathered.contradictions == []
    assert [item.assurance for item in gathered.standings.values()] == [Assurance.ARTIFACT]


def test_what_prov_would_not_ask_is_told_once_a_repository(store: Store) -> None:
    refusing = FakeOrigins(down=Unreached("10.0.0.1 is a private address: --allow-host", refused=True))
    gathered = gather([need(), need(path="lib/pump.py")], store, Asking(refusing))
    assert gathered.refused == {GIT: "10.0.0.1 is a private address: --allow-host"}
    assert all(
        isinstance(item.failure, Unreached) and item.failure.refused for item in gathered.standings.values()
    )


@pytest.mark.parametrize("of", [PINNED, TAGGED])
@pytest.mark.parametrize("lock", [False, True])
def test_what_is_stored_serves_where_a_refresh_reaches_nobody(
    store: Store, origins: FakeOrigins, of: Source, *, lock: bool
) -> None:
    wanted = need(of, lock=locked(of) if lock else None)
    first = one(store, Asking(origins), wanted)
    origins.down = OFFLINE
    assert one(store, Asking(origins, refresh=True), wanted) == first
    assert one(store, Asking(origins), wanted) == first


def test_an_update_that_reaches_nobody_is_told(store: Store, origins: FakeOrigins) -> None:
    wanted = need(TAGGED, lock=locked(TAGGED))
    one(store, Asking(origins), wanted)
    origins.down = OFFLINE
    standing = one(store, Asking(origins, update=frozenset({"engine"})), wanted)
    assert isinstance(standing.failure, Unreached)


def test_one_file_that_cannot_be_had_does_not_stop_the_others(store: Store, origins: FakeOrigins) -> None:
    origins.answers[MADE.id, "valve.py"] = OFFLINE
    gathered = gather([need(), need(path="lib/pump.py"), need(source("v9"))], store, Asking(origins))
    told = {key[1:]: item.assurance for key, item in gathered.standings.items()}
    assert told == {
        (MADE.id, "valve.py"): None,
        (MADE.id, "lib/pump.py"): Assurance.COMMIT,
        ("v9", "valve.py"): None,
    }


# --- at once


def many(count: int, *, git: str = "https://github.com/example/r{}") -> list[Needed]:
    return [need(source(MADE.id, git=git.format(number))) for number in range(count)]


class Slow(FakeOrigins):
    """Holds every repository back until a number of them were asked for."""

    def wait_for(self, count: int) -> Slow:
        self.barrier = threading.Barrier(count, timeout=10)
        return self

    def acquire(self, git: str, wants: Collection[Want], *, refresh: bool) -> Iterator[tuple[Want, Answer]]:
        self.barrier.wait()
        yield from super().acquire(git, wants, refresh=refresh)


def test_as_many_repositories_are_asked_at_once_as_may_be(store: Store) -> None:
    slow = Slow().wait_for(3)
    slow.add(MADE)
    gathered = gather(many(6), store, Asking(slow, jobs=3))
    assert {item.assurance for item in gathered.standings.values()} == {Assurance.COMMIT}


def test_more_repositories_than_fit_in_memory_at_once_are_all_had(store: Store) -> None:
    origins = FakeOrigins()
    origins.add(MADE)
    gathered = gather(many(200), store, Asking(origins, jobs=2))
    assert len(gathered.standings) == 200
    assert all(store.file(*key) for key in gathered.standings)


def test_what_was_had_is_written_before_all_is_had(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("provenance.gather._WRITE_TOGETHER", 2)

    class Failing(FakeOrigins):
        def acquire(
            self, git: str, wants: Collection[Want], *, refresh: bool
        ) -> Iterator[tuple[Want, Answer]]:
            yield from super().acquire(git, wants, refresh=refresh)
            if git.endswith("r4"):
                message = "a fault in an origin"
                raise RuntimeError(message)

    failing = Failing()
    failing.add(MADE)
    with pytest.raises(RuntimeError, match="a fault in an origin"):
        gather(many(6), store, Asking(failing, jobs=1))
    assert len(store.files_with(BLOB)) == 4


def test_large_contents_are_not_held_until_there_are_many(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("provenance.gather._WRITE_BYTES", 1)
    origins = FakeOrigins()
    origins.add(MADE)
    written: list[int] = []
    transaction = store.transaction

    def counted() -> object:
        written.append(1)
        return transaction()

    monkeypatch.setattr(store, "transaction", counted)
    gather(many(5), store, Asking(origins))
    assert len(written) == 5


@pytest.mark.parametrize("error", [RuntimeError("a fault"), KeyboardInterrupt(), MemoryError()])
def test_what_breaks_a_worker_reaches_the_caller(store: Store, error: BaseException) -> None:
    broken = FakeOrigins(broken=error)
    with pytest.raises(type(error)):
        gather(many(20), store, Asking(broken, jobs=2))


def test_a_worker_that_breaks_while_resolving_reaches_the_caller(store: Store) -> None:
    class Broken(FakeOrigins):
        def resolve(self, git: str, names: Collection[str]) -> dict[str, Resolution]:
            raise RuntimeError(git, names)

    with pytest.raises(RuntimeError, match=GIT):
        gather([need(TAGGED)], store, Asking(Broken()))


def test_names_of_one_repository_are_resolved_together(store: Store, origins: FakeOrigins) -> None:
    origins.add(NEWER, "v2")
    asked: list[tuple[str, set[str]]] = []

    class Counting(FakeOrigins):
        def resolve(self, git: str, names: Collection[str]) -> dict[str, Resolution]:
            asked.append((git, set(names)))
            return {name: Resolved(origins.commits[str(origins.names[name])].id) for name in names}

    counting = Counting(commits=origins.commits)
    gathered: Gathered = gather(
        [need(TAGGED), need(TAGGED, "lib/pump.py"), need(source("v2")), need()], store, Asking(counting)
    )
    assert asked == [(GIT, {"v1", "v2"})]
    assert {item.assurance for item in gathered.standings.values()} == {Assurance.COMMIT}
