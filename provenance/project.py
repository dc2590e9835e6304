"""The project that prov runs in: its root, its configuration, its manifests, documents and locks."""

from __future__ import annotations

import hashlib
import os
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, ClassVar, Self

from provenance import lock as locks
from provenance.configuration import CONFIGURATION, DocumentSet, Reader, Repository, read_table
from provenance.errors import LockError, UsageError
from provenance.files import MOST_BYTES, absolute, read_within

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from provenance.evidence import Level, Verdict
    from provenance.links.forges import Forge

__all__ = [
    "CONFIGURATION",
    "DocumentFile",
    "DocumentSet",
    "LockFile",
    "LockFiles",
    "ManifestFile",
    "Project",
    "Repository",
]

MANIFEST_ENDINGS = (".yaml", ".yml")
_MOST_DOCUMENT_BYTES = 16 * 1024 * 1024
_OTHERS = frozenset({"__pycache__", "node_modules"})
"""Folders whose documents are other projects', or nobody's."""
_ENVIRONMENT = "pyvenv.cfg"
"""What stands in a virtual environment (PEP 405)."""


@dataclass(frozen=True, slots=True)
class Project:
    """Where prov runs, and what `[tool.prov]` says there."""

    root: Path
    """The folder that paths in configuration and reports are relative to."""
    manifests: tuple[str, ...] = ("manifests",)
    """Manifests or folders of them, relative to the root."""
    db: str = "evidence.db"
    """The evidence database, a path within the project."""
    levels: Mapping[Verdict, Level] = field(default_factory=lambda: MappingProxyType({}))
    """Verdicts whose level is not the usual one."""
    jobs: int | None = None
    """How many repositories are fetched at once."""
    documents: tuple[DocumentSet, ...] = ()
    """Documents or folders of them, and the repositories that they speak of."""
    hosts: Mapping[str, Forge] = field(default_factory=lambda: MappingProxyType({}))
    """What hosts run, by their names in lower case, beside those that are known."""
    languages: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    """Languages of files, by patterns of their names, before what is known of those."""

    @classmethod
    def discover(cls, start: Path) -> Self:
        """The nearest folder upward whose pyproject.toml has a `[tool.prov]`, else the folder itself.

        Raises:
            ConfigurationError: the table says something that it may not say.
        """
        for folder in (start, *start.parents):
            file = folder / CONFIGURATION
            if file.is_file() and b"prov" in (data := read_within(file, folder)):
                table = read_table(data)
                if table is not None:
                    return cls._configured(folder, table)
        return cls(start)

    @classmethod
    def _configured(cls, root: Path, table: Mapping[str, object]) -> Self:
        reader = Reader(root, table)
        return cls(
            root,
            reader.manifests(),
            reader.db(),
            reader.levels(),
            reader.jobs(),
            reader.documents(),
            reader.hosts(),
            reader.languages(),
        )

    def name(self, file: Path) -> str:
        """A file's path as reports give it: relative to the root, with forward slashes."""
        plain, inside = os.path.abspath(file), os.path.join(self.root, "")  # noqa: PTH100, PTH118 - see files.absolute
        return Path(plain[len(inside) :]).as_posix() if plain.startswith(inside) else file.as_posix()

    def manifest_files(self, given: Sequence[str]) -> list[ManifestFile]:
        """The manifests that paths on the command line mean, or the configured ones where there are none.

        Raises:
            UsageError: a path is not there, or there is no manifest at all.
        """
        places = [Path(path) for path in given] or [self.root / path for path in self.manifests]
        gone = [place for place in places if not given and not place.exists()]
        if gone:
            told = "name one, or make one: prov cite --append and prov import write manifests"
            message = f"{self._shown(gone)}: no such file or folder; {told}"
            raise UsageError(message)
        found: dict[str, ManifestFile] = {}
        for place in places:
            boundary = self._boundary(place)
            for file in _files_of(place, _is_manifest, _is_shown):
                name = self.name(file)
                found.setdefault(name, ManifestFile(file, name, boundary))
        if not found:
            message = f"no manifest in {self._shown(places)}: expected files that end in .yaml or .yml"
            raise UsageError(message)
        return [found[name] for name in sorted(found)]

    def document_files(self, given: Sequence[str], is_document: Callable[[str], bool]) -> list[DocumentFile]:
        """The documents that paths on the command line mean, or the configured ones where there are none.

        Args:
            given: the paths; one that names a file is taken whatever its name.
            is_document: whether a file of a folder is a document, by its name.

        Raises:
            UsageError: a path is not there, or there is no document at all.
        """
        places = [Path(path) for path in given] or [self.root / one.path for one in self.documents]
        if not places:
            message = f"no document is named: give a path, or set tool.prov.documents in {CONFIGURATION}"
            raise UsageError(message)
        # Of the sets that a document stands in, the one that says most of where it stands counts.
        sets = sorted(
            ((absolute(self.root / one.path), one.repository) for one in self.documents),
            key=lambda pair: -len(pair[0].parts),
        )
        found: dict[str, DocumentFile] = {}
        for place in places:
            boundary = self._boundary(place)
            for file in _files_of(place, is_document, _may_hold_documents):
                name, plain = self.name(file), absolute(file)
                meant = next((repository for path, repository in sets if plain.is_relative_to(path)), None)
                found.setdefault(name, DocumentFile(file, name, boundary, meant))
        if not found:
            message = f"no document in {self._shown(places)}"
            raise UsageError(message)
        return [found[name] for name in sorted(found)]

    def _shown(self, places: Sequence[Path]) -> str:
        return ", ".join(self.name(place) for place in places)

    def _boundary(self, place: Path) -> Path:
        """What a file's links must stay in: the project, or what the command line named outside it."""
        real = Path(os.path.realpath(place))
        if absolute(place).is_relative_to(self.root) or real.is_relative_to(os.path.realpath(self.root)):
            return self.root  # a link that stands in the project may be a stranger's
        return real if real.is_dir() else real.parent


@dataclass(frozen=True, slots=True)
class _ProjectFile:
    """A file that was found and not read yet."""

    most: ClassVar[int]
    """The most bytes that are read."""
    file: Path
    name: str
    """Relative to the project's root, with forward slashes."""
    boundary: Path
    """The folder that it must lie in, also after symbolic links."""

    def read(self) -> bytes:
        """Its bytes.

        Raises:
            UsageError: it cannot be read, a link leads out of the project, or its name cannot be written down.
        """
        try:
            self.name.encode()
        except UnicodeEncodeError as error:
            message = f"{self.name}: the name is not UTF-8"
            raise UsageError(message) from error
        return read_within(self.file, self.boundary, most=self.most)


@dataclass(frozen=True, slots=True)
class ManifestFile(_ProjectFile):
    """A manifest's file, not read yet."""

    most: ClassVar[int] = MOST_BYTES


@dataclass(frozen=True, slots=True)
class DocumentFile(_ProjectFile):
    """A document's file, not read yet."""

    most: ClassVar[int] = _MOST_DOCUMENT_BYTES
    repository: Repository | None = None
    """What plain places in it mean; None where none is configured."""


class LockFile:
    """A lock's file; read as a whole when it is first looked into."""

    def __init__(self, file: Path, name: str, data: bytes | None) -> None:
        self.file = file
        self.name = name
        """Relative to the project's root, with forward slashes."""
        self.sha256 = "" if data is None else hashlib.sha256(data).hexdigest()
        """Of the file's bytes; empty where there is no file."""
        self._data = data

    @cached_property
    def lock(self) -> locks.Lock:
        """What it says; an empty lock where there is no file.

        Raises:
            LockError: it cannot be read as a lock.
        """
        return locks.Lock() if self._data is None else locks.parse(self._data, self.name)

    @cached_property
    def known_lock(self) -> locks.Lock:
        """The same of a lock that an earlier run has read: only as much of it is read as is looked at."""
        if "lock" in self.__dict__ or self._data is None:
            return self.lock
        return locks.parse_known(self._data, self.name)

    def key(self, manifest: Path) -> str:
        """How the lock names a manifest: relative to the lock's folder, with forward slashes."""
        return Path(os.path.relpath(manifest.absolute(), self.file.absolute().parent)).as_posix()


class LockFiles:
    """The locks of a run: one in each folder of manifests, or the one that the command line names."""

    def __init__(self, project: Project, given: str | None = None) -> None:
        self._project = project
        self._given = None if given is None else Path(given)
        self._read: dict[Path, LockFile] = {}

    def of(self, manifest: ManifestFile) -> LockFile:
        """The lock that speaks of a manifest; an empty one where there is none yet.

        Raises:
            LockError: it cannot be read as a lock.
        """
        file = absolute(self._given or manifest.file.parent / locks.NAME)
        if file not in self._read:
            self._read[file] = self._load(file, manifest.boundary)
        return self._read[file]

    def all(self) -> Iterable[LockFile]:
        """The locks that were asked for so far."""
        return self._read.values()

    def _load(self, file: Path, boundary: Path) -> LockFile:
        name = self._project.name(file)
        if not file.exists():
            return LockFile(file, name, None)
        try:
            data = read_within(file, file.resolve().parent if self._given else boundary)
        except UsageError as error:
            raise LockError(str(error)) from error
        return LockFile(file, name, data)


def _files_of(
    place: Path, is_wanted: Callable[[str], bool], is_entered: Callable[[str, str], bool]
) -> Iterator[Path]:
    """The files that a path means: itself, or every one below it that is wanted and not hidden.

    Args:
        place: a file or a folder.
        is_wanted: whether a file of a folder is meant, by its name.
        is_entered: whether a folder is looked into, by the path of the one that it stands in, and its name.
    """
    if place.is_file():
        yield place
    elif place.is_dir():
        for folder, folders, names in os.walk(place):
            folders[:] = [name for name in folders if is_entered(folder, name)]
            yield from (Path(folder, name) for name in names if not name.startswith(".") and is_wanted(name))
    else:
        message = f"{place}: no such file or folder"
        raise UsageError(message)


def _is_manifest(name: str) -> bool:
    return name.endswith(MANIFEST_ENDINGS)


def _is_shown(_: str, name: str) -> bool:
    return not name.startswith(".")


def _may_hold_documents(folder: str, name: str) -> bool:
    is_environment = Path(folder, name, _ENVIRONMENT).is_file()
    return _is_shown(folder, name) and name not in _OTHERS and not is_environment
