"""Origins in memory: they answer what a test tells them to, and remember what they were asked."""

from __future__ import annotations

import threading
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from provenance.answers import Acquired, Artifact, Lacking, ReleaseFiles, Resolved, Unreached
from provenance.evidence import Content, GitObject, OriginKind, Verdict, object_id

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping

    from provenance.answers import Answer, Resolution, Want
    from provenance.citation import Release
    from provenance.history import History
    from provenance.references import References


@dataclass(frozen=True)
class Commit:
    """A commit as git would store it, with its trees."""

    id: str
    objects: Mapping[str, GitObject]
    """By id: the commit and every tree."""
    files: Mapping[str, bytes]
    """By path."""

    def proof(self, path: str) -> tuple[GitObject, ...]:
        """The commit and the trees that lead to a path."""
        found = [self.objects[self.id]]
        tree = found[0].data[5:45].decode()
        for name in path.encode().split(b"/"):
            data = self.objects[tree].data
            found.append(self.objects[tree])
            start = data.index(b" " + name + b"\0") + len(name) + 2
            tree = data[start : start + 20].hex()
        return tuple(found)

    def acquired(self, path: str) -> Acquired:
        """What git answers for a path that is there."""
        return Acquired(path, Content.of(self.files[path]), OriginKind.GIT, self.proof(path))


def commit(files: Mapping[str, bytes], message: str = "made for a test") -> Commit:
    """Make the objects of a commit that holds these files."""
    objects: dict[str, GitObject] = {}
    tree = _tree(files, objects)
    data = (
        f"tree {tree}\nauthor A <a@example.org> 1 +0000\ncommitter A <a@example.org> 1 +0000\n\n{message}\n"
    )
    made = _object("commit", data.encode())
    objects[made.id] = made
    return Commit(made.id, objects, files)


def _tree(files: Mapping[str, bytes], objects: dict[str, GitObject]) -> str:
    folders: dict[str, dict[str, bytes]] = {}
    lines: list[tuple[bytes, bytes]] = []
    for path, data in files.items():
        name, slash, rest = path.partition("/")
        if slash:
            folders.setdefault(name, {})[rest] = data
        else:
            lines.append((name.encode(), _line("100644", name, object_id("blob", data))))
    for name, inside in folders.items():  # git sorts a folder as if its name ended in a slash
        lines.append((name.encode() + b"/", _line("40000", name, _tree(inside, objects))))
    tree = _object("tree", b"".join(line for _, line in sorted(lines)))
    objects[tree.id] = tree
    return tree.id


def _line(mode: str, name: str, id_: str) -> bytes:
    return f"{mode} {name}".encode() + b"\0" + bytes.fromhex(id_)


def _object(kind: str, data: bytes) -> GitObject:
    return GitObject(object_id(kind, data), kind, data)


OFFLINE = Unreached("the host does not answer")


@dataclass
class FakeOrigins:
    """Whoever can be asked. What a test did not add is not there."""

    commits: dict[str, Commit] = field(default_factory=dict)
    """By full id."""
    names: dict[str, str | Lacking | Unreached] = field(default_factory=dict)
    """Full ids, or why there is none, by revision as written."""
    answers: dict[tuple[str, str], Answer] = field(default_factory=dict)
    """By commit and path: an answer other than the commit's own."""
    raws: dict[tuple[str, str], Answer] = field(default_factory=dict)
    """What the repository's host has without git, by revision and path; empty where it cannot be asked so."""
    releases: dict[str, Mapping[str, Answer]] = field(default_factory=dict)
    """By `project==version`, then by path."""
    artifacts: dict[str, Mapping[str, bytes]] = field(default_factory=dict)
    """All text files of a release, by `project==version`, then by path."""
    listed: dict[str, References] = field(default_factory=dict)
    """What a repository lists, by its URL; one that is not here does not answer."""
    past: History | None = None
    """The past of every repository; None where git does not answer."""
    archived: dict[str, Answer] = field(default_factory=dict)
    """By blob id."""
    tips: dict[str, str] = field(default_factory=dict)
    """Commits that can still be reached, by blob id."""
    down: Unreached | None = None
    """Why git does not answer at all."""
    broken: BaseException | None = None
    """What git raises: a fault in an origin."""
    asked: list[str] = field(default_factory=list)
    """What was asked, in order: `resolve X`, `references URL`, `acquire COMMIT path`, `raw X path` and so on."""
    located: list[str] = field(default_factory=list)
    """The URLs whose history was asked for."""
    refreshed: list[bool] = field(default_factory=list)
    closed: bool = False
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def add(self, made: Commit, *names: str) -> Commit:
        """Let git have a commit, also under other names."""
        self.commits[made.id] = made
        self.names.update(dict.fromkeys(names, made.id))
        return made

    def resolve(self, _git: str, names: Collection[str]) -> dict[str, Resolution]:
        self._note(*(f"resolve {name}" for name in sorted(names)))
        return {name: self._resolution(name) for name in names}

    def references(self, git: str, *, everything: bool = False) -> References | Unreached:
        self._note(f"references {git}{' everything' if everything else ''}")
        return self.listed.get(git, OFFLINE) if self.down is None else self.down

    def acquire(self, _git: str, wants: Collection[Want], *, refresh: bool) -> Iterator[tuple[Want, Answer]]:
        with self._lock:
            self.refreshed.append(refresh)
        for want in wants:
            self._note(f"acquire {want.commit} {want.path}")
            yield want, self._answer(want)

    def reachable(self, _git: str, path: str, blob: str) -> str | None:
        self._note(f"reachable {blob} {path}")
        return self.tips.get(blob)

    def paths(
        self, _git: str, commit: str, ends: Collection[str]
    ) -> Mapping[str, tuple[str, ...]] | Unreached:
        self._note(*(f"paths {commit} {end}" for end in sorted(ends)))
        if commit not in self.commits:
            return OFFLINE
        files = sorted(self.commits[commit].files)
        return {end: tuple(path for path in files if f"/{path}".endswith(f"/{end}")) for end in ends}

    def history(self, git: str, commits: Collection[str]) -> History | Unreached:
        with self._lock:
            self.located.append(git)
        self._note(*(f"history {one}" for one in sorted(commits)))
        return self.past or OFFLINE

    def raw(self, _git: str, revision: str, paths: Collection[str]) -> Mapping[str, Answer]:
        if not self.raws:
            return {}
        self._note(*(f"raw {revision} {path}" for path in sorted(paths)))
        lost = Unreached("the hub does not answer")
        return {path: self.raws.get((revision, path), lost) for path in paths}

    def release(self, release: Release, paths: Collection[str]) -> Mapping[str, Answer]:
        self._note(*(f"release {release} {path}" for path in sorted(paths)))
        held = self.releases.get(str(release), {})
        return {path: held.get(path, Unreached("the index does not answer")) for path in paths}

    def release_files(self, release: Release, paths: Collection[str]) -> ReleaseFiles | Unreached:
        self._note(f"release files {release}")
        files = self.artifacts.get(str(release))
        if files is None:
            return Unreached("the index does not answer")
        artifact = Artifact(f"{release.project}-{release.version}.tar.gz", "a" * 64)
        return ReleaseFiles(artifact, files, {path: path for path in paths if path in files})

    def archive(self, blob: str) -> Answer:
        self._note(f"archive {blob}")
        return self.archived.get(blob, Unreached("the archive does not answer"))

    def close(self) -> None:
        self.closed = True

    def _note(self, *asked: str) -> None:
        with self._lock:
            self.asked.extend(asked)

    def _resolution(self, name: str) -> Resolution:
        if self.down is not None:
            return self.down
        match self.names.get(name):
            case None:
                return Lacking(Verdict.NO_REVISION, f"no revision {name}")
            case str() as found:
                return Resolved(found)
            case failure:
                return failure

    def _answer(self, want: Want) -> Answer:
        if self.broken is not None:
            raise self.broken
        if self.down is not None:
            return self.down
        if (want.commit, want.path) in self.answers:
            return self.answers[want.commit, want.path]
        made = self.commits.get(want.commit)
        if made is None:
            return Lacking(Verdict.NO_REVISION, f"no revision {want.commit}")
        if want.path not in made.files:
            return Lacking(Verdict.NO_PATH, f"no path {want.path}")
        return made.acquired(want.path)
