"""Who is asked when git has no answer: the repository's host without git, then the rest."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from support.origins import OFFLINE, FakeOrigins, commit
from support.workspace import CODE, source

from provenance.answers import Acquired, Artifact, Lacking, Unreached
from provenance.ask import Needed, Open, Outcome, ask
from provenance.evidence import Assurance, Content, OriginKind, Verdict
from provenance.gather import Asking, gather
from provenance.lock import Lock, LockedFile, LockedSource, Proof
from provenance.store.store import Store

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping
    from pathlib import Path

    from provenance.answers import Answer
    from provenance.citation import Source
    from provenance.gather import Gathered

HUB = "https://huggingface.co/openai-community/gpt2"
MADE = commit({"valve.py": CODE.encode(), "lib/pump.py": b"pump\n"})
NEWER = commit({"valve.py": b"newer\n"})
BLOB = Content.of(CODE.encode()).blob
OTHER = Content.of(b"other\n").blob
SHORT = MADE.id[:7]
GONE = Lacking(Verdict.NO_REVISION, "gone")


def raw(data: bytes = CODE.encode(), *, revision: str = MADE.id, sha256: str = "a" * 64) -> Acquired:
    artifact = Artifact(f"huggingface.co/openai-community/gpt2/raw/{revision}/valve.py", sha256)
    return Acquired("valve.py", Content.of(data), OriginKind.HUB, artifact=artifact)


def pinned(revision: str = MADE.id, *alternates: str, name: str = "engine") -> Source:
    return source(revision, git=HUB, alternates=alternates, name=name)


def need(of: Source | None = None, path: str = "valve.py", lock: Lock | None = None) -> Needed:
    return Needed(of or pinned(), path, lock or Lock())


def outcomes(origins: FakeOrigins, *opens: Open) -> list[Outcome]:
    return list(ask({HUB: list(opens)}, origins, jobs=2, refresh=False))


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store(str(tmp_path / "evidence.db"), "test") as made:
        yield made


def locked(proof: Proof = Proof.COMMIT, artifact: Artifact | None = None) -> Lock:
    return Lock(
        {(HUB, MADE.id): LockedSource(MADE.id, {"valve.py": LockedFile(BLOB, proof, artifact)})},
    )


@pytest.mark.parametrize("failure", [OFFLINE, GONE])
def test_the_host_is_asked_after_git_and_before_alternates(failure: Lacking | Unreached) -> None:
    origins = FakeOrigins(
        answers={(MADE.id, "valve.py"): failure},
        raws={(MADE.id, "valve.py"): raw()},
        releases={"engine==1.0": {}},
    )
    item = Open(need(pinned(MADE.id, "engine==1.0")), MADE.id)
    assert outcomes(origins, item) == [Outcome(item.need, MADE.id, raw(), resolved=False)]
    assert origins.asked == [f"acquire {MADE.id} valve.py", f"raw {MADE.id} valve.py"]


def test_nobody_stands_in_for_what_git_says_is_not_there() -> None:
    origins = FakeOrigins(raws={(MADE.id, "gone.py"): raw()})
    origins.add(MADE)
    (outcome,) = outcomes(origins, Open(need(path="gone.py"), MADE.id))
    assert isinstance(outcome.answer, Lacking)
    assert origins.asked == [f"acquire {MADE.id} gone.py"]


@pytest.mark.parametrize("failure", [OFFLINE, Lacking(Verdict.NO_REVISION, "7 digits are too few")])
def test_a_revision_that_was_never_resolved_is_asked_for_as_it_is_written(
    failure: Lacking | Unreached,
) -> None:
    origins = FakeOrigins(names={SHORT: failure}, raws={(SHORT, "valve.py"): raw(revision=SHORT)})
    (outcome,) = outcomes(origins, Open(need(pinned(SHORT)), None))
    assert (outcome.pin, outcome.resolved, outcome.answer) == (None, False, raw(revision=SHORT))
    assert origins.asked == [f"resolve {SHORT}", f"raw {SHORT} valve.py"]


def test_a_revision_that_was_resolved_is_asked_for_by_its_full_id() -> None:
    origins = FakeOrigins(
        names={"v1": MADE.id}, answers={(MADE.id, "valve.py"): OFFLINE}, raws={(MADE.id, "valve.py"): raw()}
    )
    (outcome,) = outcomes(origins, Open(need(pinned("v1")), None))
    assert (outcome.pin, outcome.resolved) == (MADE.id, True)
    assert origins.asked[-1] == f"raw {MADE.id} valve.py"


def test_files_of_one_revision_are_asked_for_together() -> None:
    asked: list[tuple[str, str, list[str]]] = []

    class Counting(FakeOrigins):
        def raw(self, git: str, revision: str, paths: Collection[str]) -> Mapping[str, Answer]:
            asked.append((git, revision, sorted(paths)))
            return dict.fromkeys(paths, raw())

    opens = [Open(need(path=path), MADE.id) for path in ("valve.py", "lib/pump.py")]
    opens += [Open(need(pinned(NEWER.id)), NEWER.id), Open(need(pinned(name="motor")), MADE.id)]
    found = outcomes(Counting(down=OFFLINE), *opens)
    assert len(found) == len(opens)
    assert all(isinstance(outcome.answer, Acquired) for outcome in found)
    assert asked == [(HUB, MADE.id, ["lib/pump.py", "valve.py"]), (HUB, NEWER.id, ["valve.py"])]


def test_everybody_is_asked_in_turn_and_the_failure_tells_what_they_said() -> None:
    origins = FakeOrigins(down=OFFLINE, raws={(MADE.id, "other.py"): raw()})
    (outcome,) = outcomes(origins, Open(need(pinned(MADE.id, "engine==1.0"), lock=locked()), MADE.id))
    assert outcome.answer == Unreached(
        "the host does not answer; the hub does not answer; engine==1.0: the index does not answer;"
        " archive: the archive does not answer"
    )
    assert origins.asked == [
        f"acquire {MADE.id} valve.py",
        f"raw {MADE.id} valve.py",
        "release engine==1.0 valve.py",
        f"archive {BLOB}",
    ]


def test_a_host_that_is_asked_by_git_alone_says_nothing() -> None:
    (outcome,) = outcomes(FakeOrigins(down=OFFLINE), Open(need(), MADE.id))
    assert outcome.answer == OFFLINE


def test_only_what_the_host_lacks_is_asked_of_others() -> None:
    origins = FakeOrigins(down=OFFLINE, raws={(MADE.id, "valve.py"): raw()})
    of = pinned(MADE.id, "engine==1.0")
    found = outcomes(origins, Open(need(of), MADE.id), Open(need(of, "lib/pump.py"), MADE.id))
    assert [isinstance(outcome.answer, Acquired) for outcome in found] == [True, False]
    assert origins.asked[-1] == "release engine==1.0 lib/pump.py"


# --- how sure it is


def gathered(store: Store, origins: FakeOrigins, wanted: Needed, *, improve: bool = False) -> Gathered:
    return gather([wanted], store, Asking(origins, improve=improve))


def test_nothing_ties_the_host_s_bytes_to_the_commit(store: Store) -> None:
    origins = FakeOrigins(down=OFFLINE, raws={(MADE.id, "valve.py"): raw()})
    standing = gathered(store, origins, need()).standings[need().key]
    assert standing.file is not None
    assert (standing.assurance, standing.revision) == (Assurance.ARTIFACT, MADE.id)
    assert (standing.file.origin, standing.file.artifact) == (OriginKind.HUB, raw().artifact)
    assert store.file(HUB, MADE.id, "valve.py") == standing.file


@pytest.mark.parametrize(
    ("data", "assurance"), [(CODE.encode(), Assurance.LOCKED), (b"other\n", Assurance.ARTIFACT)]
)
def test_bytes_that_the_lock_proved_by_commit_are_locked(
    store: Store, data: bytes, assurance: Assurance
) -> None:
    origins = FakeOrigins(down=OFFLINE, raws={(MADE.id, "valve.py"): raw(data)})
    wanted = need(lock=locked())
    found = gathered(store, origins, wanted)
    assert found.standings[wanted.key].assurance is assurance
    assert found.contradictions == []


def test_a_file_that_has_changed_under_the_same_name_contradicts_the_lock(store: Store) -> None:
    origins = FakeOrigins(down=OFFLINE, raws={(MADE.id, "valve.py"): raw(b"other\n", sha256="b" * 64)})
    (told,) = gathered(store, origins, need(lock=locked(Proof.ARTIFACT, raw().artifact))).contradictions
    assert f"the lock says blob {BLOB}, and hub has blob {OTHER}" in told


def test_what_the_host_brought_is_proven_once_git_can_be_reached(store: Store) -> None:
    origins = FakeOrigins(down=OFFLINE, raws={(MADE.id, "valve.py"): raw()})
    gathered(store, origins, need())
    back = FakeOrigins()
    back.add(MADE)
    standing = gathered(store, back, need(), improve=True).standings[need().key]
    assert standing.assurance is Assurance.COMMIT
