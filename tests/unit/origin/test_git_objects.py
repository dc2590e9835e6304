"""Reading objects from a repository, and noticing what is not what it should be."""

from __future__ import annotations

import zlib
from pathlib import Path

import pytest
from support.repositories import START, Repository, isolate

from provenance.evidence import GitObject, object_id
from provenance.origin import git_objects
from provenance.origin.git_command import GitCommand
from provenance.origin.git_environment import Recipe
from provenance.origin.git_objects import CorruptCache, MalformedObject, ObjectReader, parents_of, time_of

ABSENT = "1" * 40


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Repository:
    isolate(monkeypatch, tmp_path / "home")
    return Repository.at(tmp_path / "r.git")


def _reader(repository: Repository, limit: int = 1 << 20) -> ObjectReader:
    command = GitCommand(Recipe(credentials=True, allow_local=True, home=Path("/nowhere")))
    return ObjectReader(lambda arguments: command.reader(arguments, repository.path), limit)


def _store(repository: Repository, kind: str, data: bytes, *, under: str = "") -> str:
    """Write a loose object, under its own id or another."""
    name = under or object_id(kind, data)
    file = repository.path / "objects" / name[:2] / name[2:]
    file.parent.mkdir(exist_ok=True)
    file.unlink(missing_ok=True)
    file.write_bytes(zlib.compress(b"%s %d\0%s" % (kind.encode(), len(data), data)))
    return name


def test_objects_of_every_kind(repository: Repository) -> None:
    commit = repository.commit({"d/a": b"x"})
    repository.tag("v1", commit, annotated=True)
    tag = repository.git("rev-parse", "refs/tags/v1")
    with _reader(repository) as reader:
        kinds = [
            read and read.kind for read in reader.read_all([commit, tag, ABSENT, object_id("blob", b"x")])
        ]
        assert kinds == ["commit", "tag", None, "blob"]
        assert reader.missing([commit, ABSENT, tag]) == [ABSENT]


def test_more_objects_than_a_pipe_holds_questions_for(repository: Repository) -> None:
    commit = repository.commit({f"f{n}": f"{n}" for n in range(3000)})
    blobs = [object_id("blob", f"{n}".encode()) for n in range(3000)]
    with _reader(repository) as reader:
        assert [read and read.data for read in reader.read_all(blobs)] == [
            f"{n}".encode() for n in range(3000)
        ]
        assert reader.missing([*blobs, ABSENT, commit]) == [ABSENT]


def test_an_object_over_the_limit_is_skipped(repository: Repository) -> None:
    repository.commit({"big": b"x" * 200_000, "small": b"y"})
    big, small = object_id("blob", b"x" * 200_000), object_id("blob", b"y")
    with _reader(repository, limit=1000) as reader:
        one, other = reader.read_all([big, small])
    assert one is not None
    assert (one.size, one.data) == (200_000, None)
    assert other is not None
    assert other.data == b"y"


def test_answers_that_nobody_waits_for_do_not_answer_the_next_question(repository: Repository) -> None:
    repository.commit({"a": b"x", "b": b"y", "c": b"z"})
    with _reader(repository) as reader:
        answers = reader.read_all([object_id("blob", data) for data in (b"x", b"y")])
        next(answers)
        del answers
        read = reader.read(object_id("blob", b"z"))
    assert read is not None
    assert read.data == b"z"


@pytest.mark.parametrize("kind", ["blob", "tree", "commit"])
def test_bytes_that_do_not_have_their_id_are_noticed(repository: Repository, kind: str) -> None:
    good = _store(repository, "blob", b"good")
    forged = _store(repository, kind, b"", under=ABSENT)
    with _reader(repository) as reader:
        with pytest.raises(CorruptCache, match=ABSENT):
            reader.read(forged)
        read = reader.read(good)
    assert read is not None
    assert read.data == b"good"


@pytest.mark.parametrize(
    "data", [b"", b"junk", zlib.compress(b"blob 100\0short"), zlib.compress(b"odd 1\0x")]
)
def test_an_object_that_git_cannot_read_is_noticed(
    repository: Repository, monkeypatch: pytest.MonkeyPatch, data: bytes
) -> None:
    monkeypatch.setattr(git_objects, "_SILENCE", 0.3)
    name = _store(repository, "blob", b"x")
    file = repository.path / "objects" / name[:2] / name[2:]
    file.write_bytes(data)
    with _reader(repository) as reader:
        try:
            assert reader.read(name) is None  # to git it is not there
        except CorruptCache as error:
            assert name in str(error)  # noqa: PT017 - git's versions differ in which of the two it is


def test_a_reader_whose_process_died_says_so_and_starts_again(repository: Repository) -> None:
    name = _store(repository, "blob", b"x")
    with _reader(repository) as reader:
        reader.read(name)
        assert reader._contents is not None
        reader._contents._process.kill()
        reader._contents._process.wait()
        with pytest.raises(CorruptCache):
            reader.read(name)
        assert reader.read(name) is not None


def test_a_large_object_that_is_cut_off_is_noticed(
    repository: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(git_objects, "_SILENCE", 0.3)
    name = _store(repository, "blob", b"x")
    file = repository.path / "objects" / name[:2] / name[2:]
    file.write_bytes(zlib.compress(b"blob 1000000\0" + b"x" * 100_000))
    with _reader(repository, limit=1000) as reader, pytest.raises(CorruptCache):
        reader.read(name)


@pytest.mark.parametrize("name", ["", "HEAD", "-x", "1" * 39, f"{ABSENT}\n{ABSENT}", "g" * 40])
def test_only_ids_are_asked_for(repository: Repository, name: str) -> None:
    with _reader(repository) as reader:
        with pytest.raises(MalformedObject):
            reader.read(name)
        with pytest.raises(MalformedObject):
            reader.missing([name])


def test_trees_are_kept_within_bounds(repository: Repository, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(git_objects, "_KEPT_TREES", 100)
    trees = [_store(repository, "tree", b"100644 a%d\0" % n + bytes(20)) for n in range(10)]
    with _reader(repository) as reader:
        for tree in trees:
            opened = reader.tree(tree)
            assert opened is not None
            assert reader.tree(tree) is opened
        assert list(reader._trees) == trees[-3:]
        assert reader.tree(ABSENT) is None


def test_what_is_no_tree_is_a_fault(repository: Repository) -> None:
    blob = _store(repository, "blob", b"x")
    with _reader(repository) as reader, pytest.raises(MalformedObject, match="where a tree is expected"):
        reader.tree(blob)


def test_what_a_commit_says(repository: Repository) -> None:
    first = repository.commit({"a": b"1"})
    second = repository.commit({"a": b"2"}, message=f"parent {ABSENT}\n\nparent {ABSENT}\n")
    with _reader(repository) as reader:
        read = reader.commit(second)
    assert read is not None
    assert read.data is not None
    commit = GitObject(second, "commit", read.data)
    assert parents_of(commit) == [first]
    assert time_of(commit) == START + 60
    assert time_of(GitObject(ABSENT, "commit", b"tree x\n\ncommitter x> 12 +0000\n")) == 0
