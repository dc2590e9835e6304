"""The walk from a commit to a blob, on objects in memory."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from provenance.answers import Lacking, Want
from provenance.evidence import GitObject, Verdict, object_id
from provenance.origin.git_objects import MalformedObject, Read, parse_tree, root_of
from provenance.origin.git_tree import Found, Needs, locate, printable

if TYPE_CHECKING:
    from provenance.proof import Entry

Tree = dict[str, "bytes | Link | Submodule | Tree"]


@dataclass(frozen=True)
class Link:
    target: bytes


@dataclass(frozen=True)
class Submodule:
    commit: str = "c0ffee" + "0" * 34


@dataclass
class Memory:
    """A repository in memory."""

    objects: dict[str, Read] = field(default_factory=dict)
    asked: list[str] = field(default_factory=list)

    def add(self, kind: str, data: bytes) -> str:
        name = object_id(kind, data)
        self.objects[name] = Read(name, kind, len(data), data)
        return name

    def add_tree(self, tree: Tree) -> str:
        rows = []
        for name, value in sorted(tree.items()):
            match value:
                case bytes():
                    mode, one = b"100644", self.add("blob", value)
                case Link():
                    mode, one = b"120000", self.add("blob", value.target)
                case Submodule():
                    mode, one = b"160000", value.commit
                case _:
                    mode, one = b"40000", self.add_tree(value)
            rows.append(b"%s %s\0" % (mode, name.encode("utf-8", "surrogateescape")) + bytes.fromhex(one))
        return self.add("tree", b"".join(rows))

    def add_commit(self, tree: Tree) -> str:
        return self.add("commit", f"tree {self.add_tree(tree)}\nauthor x\n\nsubject".encode())

    def commit(self, wanted: str) -> Read | None:
        return self.read(wanted)

    def read(self, wanted: str) -> Read | None:
        self.asked.append(wanted)
        return self.objects.get(wanted)

    def tree(self, wanted: str) -> tuple[GitObject, dict[bytes, Entry]] | None:
        read = self.read(wanted)
        if read is None or read.data is None:
            return None
        tree = GitObject(read.id, read.kind, read.data)
        return tree, parse_tree(tree)


TREE: Tree = {
    ".gitmodules": b'[submodule "lib"]\n\tpath = vendor/lib\n\turl = https://me:SECRETS@example.org/lib.git\n',
    "README.md": b"readme",
    "abs": Link(b"/etc/passwd"),
    "dangling": Link(b"src/none.py"),
    "empty": Link(b""),
    "folder": Link(b"src"),
    "loop": Link(b"loop"),
    "ping": Link(b"pong"),
    "pong": Link(b"ping"),
    "out": Link(b"../../etc/passwd"),
    "round": Link(b"src/../README.md"),
    "slashes": Link(b"./src//a.py"),
    "src": {
        "A.py": b"upper",
        "a.py": b"lower",
        "Only.py": b"only",
        "up": Link(b"../README.md"),
        "chain": Link(b"up"),
        "deep": {"x y#z": b"odd", "-x": b"option", "путь": b"cyrillic", "\udcff": b"bytes"},
        "out": Link(b"../../README.md"),
    },
    "sub": Submodule(),
    "vendor": {"lib": Submodule()},
}


@pytest.mark.parametrize(
    ("path", "at", "data", "notes"),
    [
        ("README.md", "README.md", b"readme", ()),
        ("src/a.py", "src/a.py", b"lower", ()),
        ("src/A.py", "src/A.py", b"upper", ()),
        ("src/deep/x y#z", "src/deep/x y#z", b"odd", ()),
        ("src/deep/-x", "src/deep/-x", b"option", ()),
        ("src/deep/путь", "src/deep/путь", b"cyrillic", ()),
        ("src/deep/\udcff", "src/deep/\udcff", b"bytes", ()),
        ("src/up", "README.md", b"readme", ("followed the link src/up -> ../README.md",)),
        (
            "src/chain",
            "README.md",
            b"readme",
            ("followed the link src/chain -> up", "followed the link src/up -> ../README.md"),
        ),
        ("folder/a.py", "src/a.py", b"lower", ("followed the link folder -> src",)),
        ("round", "README.md", b"readme", ("followed the link round -> src/../README.md",)),
        ("slashes", "src/a.py", b"lower", ("followed the link slashes -> ./src//a.py",)),
    ],
)
def test_a_path_leads_to_its_blob(path: str, at: str, data: bytes, notes: tuple[str, ...]) -> None:
    memory = Memory()
    commit = memory.add_commit(TREE)
    found = locate(Want(commit, path), memory, frozenset())
    assert isinstance(found, Found)
    assert (found.path, found.blob, found.notes) == (at, object_id("blob", data), notes)


@pytest.mark.parametrize(
    ("path", "verdict", "says"),
    [
        ("none.py", Verdict.NO_PATH, "has no none.py"),
        ("src/none.py", Verdict.NO_PATH, "has no src/none.py"),
        ("readme.MD", Verdict.NO_PATH, "did you mean README.md?"),
        ("SRC/only.py", Verdict.NO_PATH, "did you mean src/Only.py?"),
        ("README.md/x", Verdict.NO_PATH, "README.md is a file there"),
        ("dangling", Verdict.NO_PATH, "followed the link dangling -> src/none.py"),
        ("", Verdict.NO_PATH, "no path within a repository"),
        ("/README.md", Verdict.NO_PATH, "no path within a repository"),
        ("src//a.py", Verdict.NO_PATH, "no path within a repository"),
        ("src/../README.md", Verdict.NO_PATH, "no path within a repository"),
        ("./README.md", Verdict.NO_PATH, "no path within a repository"),
        ("src/", Verdict.NO_PATH, "no path within a repository"),
        ("a\0b", Verdict.NO_PATH, "no path within a repository"),
        ("\ud800", Verdict.NO_PATH, "no path within a repository"),
        ("-x", Verdict.NO_PATH, "has no -x"),
        ("src", Verdict.NOT_TEXT, "is a directory"),
        ("folder", Verdict.NOT_TEXT, "is a directory"),
        ("abs", Verdict.NOT_TEXT, "symbolic link that leaves the tree"),
        ("out", Verdict.NOT_TEXT, "symbolic link that leaves the tree"),
        ("src/out", Verdict.NOT_TEXT, "symbolic link that leaves the tree"),
        ("loop", Verdict.NOT_TEXT, "more than 8 symbolic links"),
        ("ping", Verdict.NOT_TEXT, "more than 8 symbolic links"),
        ("empty", Verdict.NOT_TEXT, "whose target is no path"),
        ("sub", Verdict.NOT_TEXT, "is a submodule, pinned at c0ffee0000"),
        ("sub/lib/x.c", Verdict.NOT_TEXT, "is in the submodule sub, pinned at c0ffee0000"),
        ("vendor/lib/x.c", Verdict.NOT_TEXT, "of https://example.org/lib.git: cite it there"),
    ],
)
def test_what_is_no_file_is_told(path: str, verdict: Verdict, says: str) -> None:
    memory = Memory()
    answer = locate(Want(memory.add_commit(TREE), path), memory, frozenset())
    assert isinstance(answer, Lacking)
    assert answer.verdict is verdict
    assert says in answer.message
    assert "SECRET" not in answer.message
    answer.message.encode()  # a message can be printed, whatever the path


@pytest.mark.parametrize("missing", ["commit", "root", "folder", "link"])
def test_a_missing_object_is_needed_and_not_taken_for_a_missing_path(missing: str) -> None:
    memory = Memory()
    commit = memory.add_commit({"d": {"l": Link(b"f"), "f": b"x"}})
    ids = {
        "commit": commit,
        "root": root_of(_object(memory, commit)),
        "folder": memory.add_tree({"l": Link(b"f"), "f": b"x"}),
        "link": object_id("blob", b"f"),
    }
    del memory.objects[ids[missing]]
    assert locate(Want(commit, "d/l"), memory, frozenset()) == Needs(ids[missing])


def test_a_submodule_is_told_without_its_url_where_that_is_gone() -> None:
    memory = Memory()
    commit = memory.add_commit(TREE)
    assert isinstance(TREE[".gitmodules"], bytes)
    modules = object_id("blob", TREE[".gitmodules"])
    del memory.objects[modules]
    assert locate(Want(commit, "vendor/lib"), memory, frozenset()) == Needs(modules)
    answer = locate(Want(commit, "vendor/lib"), memory, {modules})
    assert isinstance(answer, Lacking)
    assert answer.message.endswith("pinned at c0ffee" + "0" * 34)


def test_an_annotated_tag_is_no_commit() -> None:
    memory = Memory()
    tag = memory.add("tag", b"object 1\n")
    answer = locate(Want(tag, "x"), memory, frozenset())
    assert answer == Lacking(Verdict.NO_REVISION, f"{tag} is a tag, not a commit")


@pytest.mark.parametrize("data", [b"x", b"100644 a", b"100644 a\0short"])
def test_a_malformed_tree_is_a_fault(data: bytes) -> None:
    with pytest.raises(MalformedObject):
        parse_tree(GitObject(object_id("tree", data), "tree", data))


def test_a_malformed_commit_is_a_fault() -> None:
    with pytest.raises(MalformedObject):
        root_of(GitObject("0" * 40, "commit", b"author x\n"))


@pytest.mark.parametrize(("path", "shown"), [("a", "a"), (b"\xff", "\\xff"), ("\udcff", "\\xff"), ("ü", "ü")])
def test_any_path_can_be_printed(path: str | bytes, shown: str) -> None:
    assert printable(path) == shown


def _object(memory: Memory, name: str) -> GitObject:
    read = memory.objects[name]
    assert read.data is not None
    return GitObject(read.id, read.kind, read.data)


def _encodes(name: str) -> bool:
    try:
        name.encode()
    except UnicodeEncodeError:
        return False
    return True


_names = st.text(min_size=1, max_size=5, alphabet=st.characters(exclude_characters="/\0")).filter(
    lambda name: name not in {".", ".."}
)
_trees: st.SearchStrategy[Tree] = st.dictionaries(
    _names.filter(_encodes),
    st.recursive(
        st.binary(max_size=4),
        lambda inner: st.dictionaries(_names.filter(_encodes), inner, min_size=1, max_size=3),
        max_leaves=6,
    ),
    min_size=1,
    max_size=4,
)


def _files(tree: Tree, prefix: str = "") -> dict[str, bytes]:
    files: dict[str, bytes] = {}
    for name, value in tree.items():
        match value:
            case bytes():
                files[prefix + name] = value
            case dict():
                files |= _files(value, f"{prefix}{name}/")
            case Link() | Submodule():
                pytest.fail("no such trees are made here")
    return files


@given(_trees)
def test_every_file_of_every_tree_is_found_and_proven(tree: Tree) -> None:
    memory = Memory()
    commit = memory.add_commit(tree)
    for path, data in _files(tree).items():
        found = locate(Want(commit, path), memory, frozenset())
        assert isinstance(found, Found)
        assert found.blob == object_id("blob", data)
        assert proves(found.proof, commit, path, found.blob)


def proves(proof: tuple[GitObject, ...], commit: str, path: str, blob: str) -> bool:
    """Check a proof by itself: every id fits its bytes, and each leads to the next."""
    assert all(object_id(one.kind, one.data) == one.id for one in proof)
    objects = {one.id: one for one in proof}
    here = root_of(objects[commit])
    *folders, name = path.encode("utf-8", "surrogateescape").split(b"/")
    for folder in folders:
        here = parse_tree(objects[here])[folder].id
    return parse_tree(objects[here])[name].id == blob
