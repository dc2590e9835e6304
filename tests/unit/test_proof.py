from __future__ import annotations

import subprocess
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support import origins
from support.repositories import Files, Repository, link, submodule

from provenance.errors import InvalidRecord
from provenance.evidence import object_id
from provenance.proof import Entry, Prover, entries, tree_of

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

COMMIT = "0c66117d4297d6f778d415790bfbce6cfafe1239"
PATHS = ("top.py", "a/b/c.py", "a/b.py", "a.b/c.py", "a b/ü.py", "a/link")
FILES: Files = {
    "top.py": b"top\n",
    "a/b/c.py": b"deep\n",
    "a/b.py": b"beside a folder\n",
    "a.b/c.py": b"sorts before a/\n",
    "a b/ü.py": b"named oddly\n",
    "a/link": link("b.py"),
    "a/empty": b"",
    "lib": submodule(COMMIT),
}


class Made:
    """A real repository, and its objects as git itself hands them out."""

    def __init__(self, folder: Path) -> None:
        self.repository = Repository.at(folder / "engine.git")
        self.commit = self.repository.commit(FILES)
        listed = self.repository.git("rev-list", "--objects", "--no-object-names", self.commit).split("\n")
        self.objects = {name: self._raw(name) for name in listed}

    def _raw(self, name: str) -> bytes:
        command = ["git", "--git-dir", str(self.repository.path), "cat-file"]
        kind = subprocess.run([*command, "-t", name], capture_output=True, check=True).stdout.decode().strip()
        return subprocess.run([*command, kind, name], capture_output=True, check=True).stdout

    def blob(self, path: str) -> str:
        return self.repository.blob(self.commit, path)


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Made:
    return Made(tmp_path_factory.mktemp("proof"))


def changed(objects: dict[str, bytes], name: str, data: bytes | None) -> Callable[[str], bytes | None]:
    return lambda asked: data if asked == name else objects.get(asked)


@pytest.mark.parametrize("path", PATHS)
def test_what_git_stores_proves_a_blob(made: Made, path: str) -> None:
    assert Prover(made.objects.get).proves(made.commit, path, made.blob(path))


@pytest.mark.parametrize(
    ("path", "other"),
    [
        ("top.py", "a/b.py"),
        ("a/b.py", "a/b/c.py"),
        ("a/b/c.py", "b/c.py"),
        ("a/b/c.py", "a/b/c.py/"),
        ("a/b/c.py", "/a/b/c.py"),
        ("a/b/c.py", "a//b/c.py"),
        ("a/b/c.py", "a/b/d.py"),
        ("a/b/c.py", ""),
        ("top.py", "TOP.py"),
        ("top.py", "top.py/x"),
    ],
)
def test_another_path_is_not_proven(made: Made, path: str, other: str) -> None:
    assert not Prover(made.objects.get).proves(made.commit, other, made.blob(path))


def test_another_blob_is_not_proven(made: Made) -> None:
    assert not Prover(made.objects.get).proves(made.commit, "top.py", made.blob("a/b.py"))
    assert not Prover(made.objects.get).proves(made.commit, "gone.py", "")


def test_a_path_below_a_submodule_is_not_proven(made: Made) -> None:
    assert not Prover(made.objects.get).proves(made.commit, "lib/x.c", made.blob("top.py"))


def test_nothing_is_proven_without_every_object_on_the_way(made: Made) -> None:
    way = {made.commit, tree_of(made.objects[made.commit]), made.blob("a"), made.blob("a/b")}
    for name in made.objects:
        proven = Prover(changed(made.objects, name, None)).proves(
            made.commit, "a/b/c.py", made.blob("a/b/c.py")
        )
        assert proven is (name not in way)


@given(data=st.data())
def test_one_flipped_bit_on_the_way_proves_nothing(made: Made, data: st.DataObject) -> None:
    way = [made.commit, tree_of(made.objects[made.commit]), made.blob("a"), made.blob("a/b")]
    name = data.draw(st.sampled_from(way))
    bytes_ = bytearray(made.objects[name])
    place = data.draw(st.integers(0, len(bytes_) - 1))
    bytes_[place] ^= 1 << data.draw(st.integers(0, 7))
    read = changed(made.objects, name, bytes(bytes_))
    assert not Prover(read).proves(made.commit, "a/b/c.py", made.blob("a/b/c.py"))


@given(data=st.data())
def test_a_cut_object_proves_nothing(made: Made, data: st.DataObject) -> None:
    way = [made.commit, tree_of(made.objects[made.commit]), made.blob("a"), made.blob("a/b")]
    name = data.draw(st.sampled_from(way))
    whole = made.objects[name]
    read = changed(made.objects, name, whole[: data.draw(st.integers(0, len(whole) - 1))])
    assert not Prover(read).proves(made.commit, "a/b/c.py", made.blob("a/b/c.py"))


def test_bytes_with_the_right_id_and_no_meaning_prove_nothing() -> None:
    nonsense = b"no tree at all"
    commit = b"tree " + object_id("tree", nonsense).encode() + b"\n"
    objects = {object_id("commit", commit): commit, object_id("tree", nonsense): nonsense}
    assert not Prover(objects.get).proves(object_id("commit", commit), "a.py", COMMIT)
    no_commit = {object_id("commit", nonsense): nonsense}
    assert not Prover(no_commit.get).proves(object_id("commit", nonsense), "a.py", COMMIT)


def test_a_tree_cannot_stand_for_a_commit(made: Made) -> None:
    tree = tree_of(made.objects[made.commit])
    assert not Prover(made.objects.get).proves(tree, "top.py", made.blob("top.py"))


@pytest.mark.parametrize("code", [0xDCFF, 0xD800], ids=["a byte that is no UTF-8", "half a pair"])
def test_a_name_that_is_no_text_is_answered_too(code: int) -> None:
    made = origins.commit({"a.py": b"x"})
    read = {key: item.data for key, item in made.objects.items()}
    assert not Prover(read.get).proves(made.id, f"{chr(code)}.py", object_id("blob", b"x"))


def test_entries_are_what_git_lists(made: Made) -> None:
    tree = made.objects[tree_of(made.objects[made.commit])]
    listed = made.repository.git("ls-tree", "-z", made.commit).split("\0")[:-1]
    told = [(line.split()[0], line.split()[2].split("\t")[0]) for line in listed]
    assert [(entry.mode.decode().rjust(6, "0"), entry.id) for entry in entries(tree)] == told
    assert Entry(b"160000", b"lib", COMMIT) in list(entries(tree))


@pytest.mark.parametrize(
    "tree",
    [b"100644", b"100644 a", b"100644 a\0", b"100644 a\0" + b"x" * 19, b"100644 a\0" + b"x" * 20 + b"1"],
)
def test_a_tree_that_is_cut_off_is_told(tree: bytes) -> None:
    with pytest.raises(InvalidRecord, match="cut off"):
        list(entries(tree))


def test_what_is_no_commit_is_told() -> None:
    with pytest.raises(InvalidRecord, match="does not begin with its tree"):
        tree_of(b"parent x")


def test_the_made_objects_of_other_tests_are_those_of_git(made: Made) -> None:
    files = {path: data for path, data in FILES.items() if isinstance(data, bytes)}
    commit = origins.commit(files)
    repository = made.repository
    for item in sorted(commit.objects.values(), key=lambda item: item.kind == "commit"):
        assert repository.git("hash-object", "-t", item.kind, "-w", "--stdin", feed=item.data) == item.id
    for path, data in files.items():
        repository.git("hash-object", "-w", "--stdin", feed=data)
        assert repository.blob(commit.id, path) == object_id("blob", data)
        assert commit.proof(path)[0].id == commit.id
