"""The project that prov runs in: its root, its configuration, its manifests and locks."""

from __future__ import annotations

import hashlib
import os
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Self

from provenance import lock as locks
from provenance.errors import ConfigurationError, LockError, UsageError
from provenance.evidence import Level, Verdict
from provenance.files import read_within

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

CONFIGURATION = "pyproject.toml"
MANIFEST_ENDINGS = (".yaml", ".yml")
_KEYS = frozenset({"manifests", "documents", "db", "levels", "languages", "hosts", "jobs"})
_MOST_JOBS = 64
_LONGEST_PATH = 1000


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

    @classmethod
    def discover(cls, start: Path) -> Self:
        """The nearest folder upward whose pyproject.toml has a `[tool.prov]`, else the folder itself.

        Raises:
            ConfigurationError: the table says something that it may not say.
        """
        for folder in (start, *start.parents):
            file = folder / CONFIGURATION
            if file.is_file() and b"prov" in (data := read_within(file, folder)):
                table = _table(data)
                if table is not None:
                    return cls._configured(folder, table)
        return cls(start)

    @classmethod
    def _configured(cls, root: Path, table: Mapping[str, object]) -> Self:
        reader = _Reader(root, table)
        return cls(root, reader.manifests(), reader.db(), reader.levels(), reader.jobs())

    def name(self, file: Path) -> str:
        """A file's path as reports give it: relative to the root, with forward slashes."""
        plain, inside = os.path.abspath(file), os.path.join(self.root, "")  # noqa: PTH100, PTH118 - see _plain
        return Path(plain[len(inside) :]).as_posix() if plain.startswith(inside) else file.as_posix()

    def manifest_files(self, given: Sequence[str]) -> list[ManifestFile]:
        """The manifests that paths on the command line mean, or the configured ones where there are none.

        Raises:
            UsageError: a path is not there, or there is no manifest at all.
        """
        places = [Path(path) for path in given] or [self.root / path for path in self.manifests]
        found: dict[str, ManifestFile] = {}
        for place in places:
            boundary = self._boundary(place)
            for file in _files_of(place):
                name = self.name(file)
                found.setdefault(name, ManifestFile(file, name, boundary))
        if not found:
            shown = ", ".join(self.name(place) for place in places)
            message = f"no manifest in {shown}: expected files that end in .yaml or .yml"
            raise UsageError(message)
        return [found[name] for name in sorted(found)]

    def _boundary(self, place: Path) -> Path:
        """What a manifest's links must stay in: the project, or what the command line named outside it."""
        real = Path(os.path.realpath(place))
        if _plain(place).is_relative_to(self.root) or real.is_relative_to(os.path.realpath(self.root)):
            return self.root  # a link that stands in the project may be a stranger's
        return real if real.is_dir() else real.parent


@dataclass(frozen=True, slots=True)
class ManifestFile:
    """A manifest's file, not read yet."""

    file: Path
    name: str
    """Relative to the project's root, with forward slashes."""
    boundary: Path
    """The folder that it must lie in, also after symbolic links."""

    def read(self) -> bytes:
        """Its bytes.

        Raises:
            UsageError: it cannot be read, or a link leads out of the project.
        """
        return read_within(self.file, self.boundary)


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
        file = _plain(self._given or manifest.file.parent / locks.NAME)
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


def _plain(file: Path) -> Path:
    """An absolute path without `.` and `..`; links are left as they are."""
    return Path(os.path.abspath(file))  # noqa: PTH100 - pathlib has nothing that takes the dots out alone


def _files_of(place: Path) -> Iterator[Path]:
    """The manifests that a path means: itself, or every one below it that is not hidden."""
    if place.is_file():
        yield place
    elif place.is_dir():
        for folder, folders, names in os.walk(place):
            folders[:] = [name for name in folders if not name.startswith(".")]
            found = (name for name in names if name.endswith(MANIFEST_ENDINGS) and not name.startswith("."))
            yield from (Path(folder, name) for name in found)
    else:
        message = f"{place}: no such file or folder"
        raise UsageError(message)


def _table(data: bytes) -> Mapping[str, object] | None:
    """The table `[tool.prov]`, however it is spelt; None where there is none.

    Raises:
        ConfigurationError: the file cannot be read as TOML, or holds something else there.
    """
    import tomllib

    try:
        tool = tomllib.loads(data.decode()).get("tool")
    except (ValueError, RecursionError) as error:
        if b"tool.prov" not in data:
            return None  # somebody else's, as far as can be told
        message = f"{CONFIGURATION}: {error}"
        raise ConfigurationError(message) from error
    if not isinstance(tool, dict) or "prov" not in tool:
        return None
    if isinstance(tool["prov"], dict):
        return tool["prov"]
    message = f"{CONFIGURATION}: tool.prov: expected a table"
    raise ConfigurationError(message)


@dataclass(frozen=True, slots=True)
class _Reader:
    """Reads the table key by key; every complaint names its key."""

    root: Path
    table: Mapping[str, object]

    def __post_init__(self) -> None:
        unknown = sorted(set(self.table) - _KEYS)
        if unknown:
            self._refuse(unknown[0], f"unknown key; expected one of {', '.join(sorted(_KEYS))}")

    def manifests(self) -> tuple[str, ...]:
        """`manifests`: a path, or a list of them."""
        value = self.table.get("manifests", "manifests")
        items = value if isinstance(value, list) else [value]
        if not items:
            self._refuse("manifests", "expected at least one path")
        return tuple(self._path("manifests", item) for item in items)

    def db(self) -> str:
        """`db`: a path within the project."""
        return self._path("db", self.table.get("db", "evidence.db"))

    def levels(self) -> Mapping[Verdict, Level]:
        """`levels`: verdict = level."""
        value = self.table.get("levels", {})
        if not isinstance(value, dict):
            self._refuse("levels", "expected a table such as {partial = 'failure'}")
            return {}
        found = {}
        for name, level in value.items():
            if name not in set(Verdict) or name == Verdict.UNAVAILABLE:
                self._refuse(f"levels.{name}", "not a verdict whose level can be set")
            if not isinstance(level, str) or level not in {Level.OK, Level.WARNING, Level.FAILURE}:
                self._refuse(f"levels.{name}", "expected ok, warning or failure")
            found[Verdict(name)] = Level(level)
        return MappingProxyType(found)

    def jobs(self) -> int | None:
        """`jobs`: a small whole number."""
        value = self.table.get("jobs")
        if value is None:
            return None
        if not isinstance(value, int) or isinstance(value, bool) or not 1 <= value <= _MOST_JOBS:
            self._refuse("jobs", f"expected a whole number from 1 to {_MOST_JOBS}")
            return None
        return value

    def _path(self, key: str, value: object) -> str:
        plausible = isinstance(value, str) and 0 < len(value) <= _LONGEST_PATH
        if not plausible or "://" in str(value) or "\0" in str(value):
            self._refuse(key, "expected a path within the project")
        path = str(value)
        root = os.path.realpath(self.root)
        if not Path(os.path.realpath(self.root / path)).is_relative_to(root):
            self._refuse(key, f"{path} lies outside the project")
        return path

    @staticmethod
    def _refuse(key: str, reason: str) -> None:
        message = f"{CONFIGURATION}: tool.prov.{key}: {reason}"
        raise ConfigurationError(message)
