"""From a commit and a path to a blob, through trees whose ids were checked: the proof. Decisions without I/O.

A link within the tree is followed as a checkout would; nothing outside the tree is ever looked at.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol

from provenance.answers import Lacking
from provenance.evidence import GitObject, Verdict
from provenance.origin.git_environment import without_userinfo
from provenance.origin.git_objects import CorruptCache, Read, root_of

if TYPE_CHECKING:
    from collections.abc import Set as AbstractSet

    from provenance.answers import Want
    from provenance.proof import Entry

MOST_LINKS = 8
"""Links that are followed on the way to one file; more are taken for a loop."""
_LONGEST_LINK = 4096
"""Bytes of a link's target (PATH_MAX of Linux)."""
_TREE, _LINK, _SUBMODULE = b"40000", b"120000", b"160000"
_SUBMODULE_KEY = re.compile(rb"^\s*(path|url)\s*=\s*\"?([^\"\n]*?)\"?\s*$", re.MULTILINE)


class Objects(Protocol):
    """Where the objects of a repository are looked up."""

    def commit(self, wanted: str) -> Read | None:
        """What should be a commit; None where it is not here."""

    def tree(self, wanted: str) -> tuple[GitObject, dict[bytes, Entry]] | None:
        """A tree and its entries; None where it is not here."""

    def read(self, wanted: str) -> Read | None:
        """Any object; None where it is not here."""


@dataclass(frozen=True, slots=True)
class Found:
    """The path leads to a blob."""

    path: str
    """Where it stands, after links."""
    blob: str
    proof: tuple[GitObject, ...] = field(repr=False)
    """The commit and the trees on the way, in the order in which they were met."""
    notes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Needs:
    """An object must be had before the path can be followed further."""

    id: str


Walk = Found | Needs | Lacking


def locate(want: Want, objects: Objects, gone: AbstractSet[str]) -> Walk:
    """Follow a path from its commit.

    Args:
        want: the commit and the path.
        objects: the repository.
        gone: ids that were asked for in vain: what only a message would need is done without.

    Raises:
        GitFault: an object is not what it should be.
    """
    read = objects.commit(want.commit)
    if read is None:
        return Needs(want.commit)
    if read.kind != "commit" or read.data is None:
        return Lacking(Verdict.NO_REVISION, f"{want.commit} is a {read.kind}, not a commit")
    commit = GitObject(read.id, read.kind, read.data)
    path = components(want.path)
    if path is None:
        return Lacking(
            Verdict.NO_PATH,
            f"{printable(want.path)!r} is no path within a repository: see its `/`, `.` and `..`",
        )
    return _Walker(commit, path, objects, gone).walk()


def printable(path: str | bytes) -> str:
    """A path for a message: what is not UTF-8 is escaped."""
    data = (
        path.encode("utf-8", "surrogatepass") if isinstance(path, str) and not _is_encodable(path) else path
    )
    if isinstance(data, str):
        data = data.encode("utf-8", "surrogateescape")
    return data.decode("utf-8", "backslashreplace")


def _is_encodable(path: str) -> bool:
    try:
        path.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        return False
    return True


def components(path: str) -> list[bytes] | None:
    """The names that a cited path consists of; None where no tree can hold it."""
    if not _is_encodable(path):
        return None
    names = path.encode("utf-8", "surrogateescape").split(b"/")
    return None if any(name in {b"", b".", b".."} or b"\0" in name for name in names) else names


def look_up(root: str, path: str, objects: Objects) -> tuple[str, str] | None:
    """What stands at a path below a tree, links not followed.

    Returns:
        Its mode in git's canonical form (six octal digits) and its id; None for a folder, and where nothing stands.

    Raises:
        GitFault: an object is not what it should be, or a tree is missing.
    """
    names = components(path)
    here = root
    for number, name in enumerate(names or (), 1):
        opened = objects.tree(here)
        if opened is None:
            message = f"tree {here[:12]} is missing from the cached repository"
            raise CorruptCache(message)
        entry = opened[1].get(name)
        is_last = number == len(names or ())
        if entry is None or (entry.mode == _TREE) is is_last:
            return None
        if is_last:
            return _canonical(entry.mode), entry.id
        here = entry.id
    return None


def _canonical(mode: bytes) -> str:
    """A mode as git shows it: old trees have files of other modes (`canon_mode` in Git's cache.h)."""
    if mode in {_LINK, _SUBMODULE}:
        return mode.decode()
    return "100755" if int(mode, 8) & 0o100 else "100644"


class _Walker:
    """One walk: where it is, what lies ahead, and what it has met."""

    def __init__(
        self, commit: GitObject, path: list[bytes], objects: Objects, gone: AbstractSet[str]
    ) -> None:
        self._commit = commit
        self._objects = objects
        self._gone = gone
        self._cited = path
        self._ahead = list(reversed(path))
        self._inside: list[tuple[bytes, str]] = [(b"", root_of(commit))]
        """The directories from the root down to where the walk is: name and tree id."""
        self._proof: dict[str, GitObject] = {commit.id: commit}
        self._links = 0
        self._notes: list[str] = []

    def walk(self) -> Walk:
        while self._ahead:
            step = self._step(self._ahead.pop())
            if step is not None:
                return step
        return self._not_text("is a directory")

    def _step(self, name: bytes) -> Walk | None:
        here = self._inside[-1][1]
        opened = self._objects.tree(here)
        if opened is None:
            return Needs(here)
        tree, entries = opened
        self._proof.setdefault(tree.id, tree)
        if name in {b"", b".", b".."}:  # in a link's target only
            return self._stay_or_leave(name)
        entry = entries.get(name)
        if entry is None:
            return self._no_path(name, entries)
        return self._enter(name, entry)

    def _stay_or_leave(self, name: bytes) -> Walk | None:
        if name == b"..":
            if len(self._inside) == 1:
                return self._not_text("is a symbolic link that leaves the tree")
            self._inside.pop()
        return None

    def _enter(self, name: bytes, entry: Entry) -> Walk | None:
        if entry.mode == _TREE:
            self._inside.append((name, entry.id))
            return None
        if entry.mode == _SUBMODULE:
            return self._submodule(name, entry)
        return self._follow(name, entry) if entry.mode == _LINK else self._file(name, entry)

    def _file(self, name: bytes, entry: Entry) -> Walk:
        if any(ahead not in {b"", b"."} for ahead in self._ahead):
            return self._lacks(f"{printable(self._at(name))} is a file there")
        path = self._at(name).decode("utf-8", "surrogateescape")
        return Found(path, entry.id, tuple(self._proof.values()), tuple(self._notes))

    def _follow(self, name: bytes, entry: Entry) -> Walk | None:
        link = self._at(name)
        read = self._objects.read(entry.id)
        if read is None:
            return Needs(entry.id)
        if read.data is None or not read.data or len(read.data) > _LONGEST_LINK or b"\0" in read.data:
            return self._not_text("is a symbolic link whose target is no path")
        self._links += 1
        if self._links > MOST_LINKS:
            return self._not_text(f"leads through more than {MOST_LINKS} symbolic links")
        if read.data.startswith(b"/"):
            return self._not_text("is a symbolic link that leaves the tree")
        self._notes.append(f"followed the link {printable(link)} -> {printable(read.data)}")
        self._ahead.extend(reversed(read.data.split(b"/")))
        return None

    def _submodule(self, name: bytes, entry: Entry) -> Walk:
        path = self._at(name)
        url = self._submodule_url(path)
        if isinstance(url, Needs):
            return url
        where = f" of {url}" if url else ""
        return self._not_text(
            f"is in the submodule {printable(path)}, pinned at {entry.id}{where}: cite it there"
            if self._ahead
            else f"is a submodule, pinned at {entry.id}{where}"
        )

    def _submodule_url(self, path: bytes) -> str | Needs:
        """Where `.gitmodules` says that a submodule is had; empty where it does not."""
        opened = self._objects.tree(self._inside[0][1])
        entry = opened[1].get(b".gitmodules") if opened is not None else None
        if entry is None or entry.mode in {_TREE, _LINK, _SUBMODULE}:
            return ""
        read = self._objects.read(entry.id)
        if read is None:
            return "" if entry.id in self._gone else Needs(entry.id)
        for section in re.split(rb"(?m)^\s*\[", read.data or b""):
            keys = dict(_SUBMODULE_KEY.findall(section))
            if keys.get(b"path") == path:
                return without_userinfo(printable(keys.get(b"url", b"")))
        return ""

    def _at(self, name: bytes) -> bytes:
        return b"/".join([*(inside for inside, _ in self._inside[1:]), name])

    def _not_text(self, what: str) -> Lacking:
        return Lacking(
            Verdict.NOT_TEXT, "; ".join([f"{printable(b'/'.join(self._cited))} {what}", *self._notes])
        )

    def _lacks(self, why: str) -> Lacking:
        cited = printable(b"/".join(self._cited))
        message = f"commit {self._commit.id[:12]} has no {cited}"
        return Lacking(Verdict.NO_PATH, "; ".join(filter(None, [message, *self._notes, why])))

    def _no_path(self, name: bytes, entries: dict[bytes, Entry]) -> Lacking:
        near = self._near([name, *reversed(self._ahead)], entries)
        return self._lacks(f"did you mean {printable(near)}?" if near else "")

    def _near(self, names: list[bytes], entries: dict[bytes, Entry]) -> bytes:
        """The path that differs in letter case alone; empty where there is none."""
        spelled: list[bytes] = []
        for number, name in enumerate(names):
            key = _folded(name)
            same = name if name in entries else next((one for one in entries if _folded(one) == key), None)
            if same is None:
                return b""
            spelled.append(same)
            if number + 1 < len(names):
                opened = self._objects.tree(entries[same].id) if entries[same].mode == _TREE else None
                if opened is None:
                    return b""
                entries = opened[1]
        return self._at(b"/".join(spelled))


def _folded(name: bytes) -> str:
    return name.decode("utf-8", "surrogateescape").casefold()
