"""`[tool.prov]` in pyproject.toml: every key read, checked, and complained of by its name.

It is part of a stranger's pull request too: it names files of the project alone, and allows nothing that the command
line did not.
"""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from types import MappingProxyType
from typing import TYPE_CHECKING, NoReturn

from provenance.errors import ConfigurationError
from provenance.evidence import Level, Verdict

if TYPE_CHECKING:
    from collections.abc import Mapping

    from provenance.links.forges import Forge

CONFIGURATION = "pyproject.toml"
_KEYS = frozenset({"manifests", "documents", "db", "levels", "languages", "hosts", "jobs"})
_MOST_JOBS = 64
_LONGEST_PATH = 1000
_LONGEST_PATTERN = 100
_MOST_SETS = 1000
_SET_KEYS = ("path", "git", "revision", "folder")
_HOST = re.compile(r"[a-z0-9](?:[a-z0-9.-]{0,250}[a-z0-9])?(?::[1-9][0-9]{0,4})?")
"""A name in ASCII, and a port where there is one."""
_ALSO = {"forgejo": "gitea", "gogs": "gitea"}
"""Forges that are configured under a name of their own, and link as another does."""


@dataclass(frozen=True, slots=True)
class Repository:
    """What plain places in a document, such as `a/b.py:10-20`, are places of."""

    git: str
    """Its URL, as written."""
    revision: str
    """A commit id, full or short, a tag or a branch, as written."""
    folder: str = ""
    """What stands before their paths in the repository, without a slash at its ends; empty where nothing does."""

    def within(self, path: str) -> str:
        """Where a path that a document names stands in the repository."""
        return f"{self.folder}/{path}" if self.folder else path


@dataclass(frozen=True, slots=True)
class DocumentSet:
    """Documents that are configured together."""

    path: str
    """A document or a folder of them, relative to the project's root."""
    repository: Repository | None = None
    """None where plain places in them mean nothing."""


def read_table(data: bytes) -> Mapping[str, object] | None:
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
class Reader:
    """Reads the table key by key.

    Every method raises a `ConfigurationError` for a value that its key may not have.
    """

    root: Path
    """The project's."""
    table: Mapping[str, object]

    def __post_init__(self) -> None:
        unknown = sorted(set(self.table) - _KEYS)
        if unknown:
            _refuse(unknown[0], f"unknown key; expected one of {', '.join(sorted(_KEYS))}")

    def manifests(self) -> tuple[str, ...]:
        """`manifests`: a path, or a list of them."""
        value = self.table.get("manifests", "manifests")
        items = value if isinstance(value, list) else [value]
        if not items:
            _refuse("manifests", "expected at least one path")
        return tuple(self._path("manifests", item) for item in items)

    def documents(self) -> tuple[DocumentSet, ...]:
        """`documents`: paths, and tables of a path and the repository that its documents speak of."""
        value = self.table.get("documents", [])
        items = value if isinstance(value, list) else [value]
        if len(items) > _MOST_SETS:
            _refuse("documents", f"expected at most {_MOST_SETS} paths; name the folder that holds them")
        found = [self._document_set(item) for item in items]
        named: set[str] = set()
        for one in found:
            place = os.path.normpath(self.root / one.path)
            if place in named:
                _refuse("documents", f"{one.path} is named twice")
            named.add(place)
        return tuple(found)

    def db(self) -> str:
        """`db`: a path within the project."""
        return self._path("db", self.table.get("db", "evidence.db"))

    def levels(self) -> Mapping[Verdict, Level]:
        """`levels`: verdict = level."""
        found = {}
        for name, level in self._entries("levels", "{partial = 'failure'}"):
            if name not in set(Verdict) or name == Verdict.UNAVAILABLE:
                _refuse(f"levels.{name}", "not a verdict whose level can be set")
            if not isinstance(level, str) or level not in {Level.OK, Level.WARNING, Level.FAILURE}:
                _refuse(f"levels.{name}", "expected ok, warning or failure")
            found[Verdict(name)] = Level(level)
        return MappingProxyType(found)

    def hosts(self) -> Mapping[str, Forge]:
        """`hosts`: host = the forge that it runs."""
        found: dict[str, Forge] = {}
        for name, value in self._entries("hosts", "{'git.example.org' = 'gitea'}"):
            host = name.lower()
            if not _HOST.fullmatch(host) or ".." in host:
                _refuse(f"hosts.{name}", "expected the name of a host, such as git.example.org")
            if host in found:
                _refuse(f"hosts.{name}", "this host is named twice")
            found[host] = _forge(name, value)
            known = _known_forge(host)
            if known not in {None, found[host]}:
                _refuse(f"hosts.{name}", f"this host is known, and runs {known}")
        return MappingProxyType(found)

    def languages(self) -> Mapping[str, str]:
        """`languages`: a pattern of file names = the language that they are in."""
        found: dict[str, str] = {}
        for pattern, value in self._entries("languages", "{'*.bzl' = 'python'}"):
            if not 0 < len(pattern) <= _LONGEST_PATTERN or not pattern.isprintable():
                _refuse(f"languages.{pattern}", "expected a pattern of file names, such as *.bzl")
            found[pattern] = _language(pattern, value)
        return MappingProxyType(found)

    def jobs(self) -> int | None:
        """`jobs`: a small whole number."""
        value = self.table.get("jobs")
        if value is None:
            return None
        if not isinstance(value, int) or isinstance(value, bool) or not 1 <= value <= _MOST_JOBS:
            _refuse("jobs", f"expected a whole number from 1 to {_MOST_JOBS}")
        return value

    def _entries(self, key: str, example: str) -> list[tuple[str, object]]:
        value = self.table.get(key, {})
        if not isinstance(value, dict):
            _refuse(key, f"expected a table such as {example}")
        return list(value.items())

    def _document_set(self, item: object) -> DocumentSet:
        if not isinstance(item, dict):
            return DocumentSet(self._path("documents", item))
        unknown = [key for key in item if key not in _SET_KEYS]
        if unknown:
            _refuse(f"documents.{unknown[0]}", f"unknown key; expected one of {', '.join(_SET_KEYS)}")
        path = self._path("documents.path", item.get("path"))
        if item.keys() == {"path"}:
            return DocumentSet(path)
        git, revision = (_line(f"documents.{key}", item.get(key)) for key in ("git", "revision"))
        return DocumentSet(path, Repository(git, revision, _folder(item.get("folder", ""))))

    def _path(self, key: str, value: object) -> str:
        plausible = isinstance(value, str) and 0 < len(value) <= _LONGEST_PATH
        if not plausible or "://" in str(value) or "\0" in str(value):
            _refuse(key, "expected a path within the project")
        path = str(value)
        root = os.path.realpath(self.root)
        if not Path(os.path.realpath(self.root / path)).is_relative_to(root):
            _refuse(key, f"{path} lies outside the project")
        return path


def _known_forge(host: str) -> Forge | None:
    """What is known of a host: a stranger's table is not to make links to it that lead nowhere."""
    from provenance.links.forges import forge_of

    return forge_of(host.partition(":")[0])


def _forge(host: str, value: object) -> Forge:
    from provenance.links.forges import Forge

    name = _ALSO.get(value, value) if isinstance(value, str) else None
    known = {one.value: one for one in Forge}
    if name not in known:
        _refuse(f"hosts.{host}", f"expected one of {', '.join(sorted({*known, *_ALSO}))}")
    return known[name]


def _language(pattern: str, value: object) -> str:
    from provenance.extract.languages.table import NAMES, TEXT

    if not isinstance(value, str) or value not in {*NAMES, TEXT}:
        _refuse(
            f"languages.{pattern}", f"expected one of {', '.join(sorted(NAMES))}, or {TEXT} for no language"
        )
    return value


def _line(key: str, value: object) -> str:
    """What a source of a manifest may say in its place, and what git cannot take for an option."""
    from provenance.manifest.fields import LINE

    if value is None:
        _refuse(key, "missing key")
    if not isinstance(value, str) or not LINE.pattern.fullmatch(value) or len(value) > _LONGEST_PATH:
        _refuse(key, "expected a line of text")
    if value.startswith("-"):
        _refuse(key, f"{value} looks like an option")
    return value


def _folder(value: object) -> str:
    """A folder of a repository, as it stands before a path."""
    if value == "":
        return ""
    text = _line("documents.folder", value)
    path = PurePosixPath(text)
    if path.is_absolute() or ".." in path.parts or "\\" in text:
        _refuse("documents.folder", "expected a folder of the repository, relative to its root")
    return "" if path == PurePosixPath() else path.as_posix()


def _refuse(key: str, reason: str) -> NoReturn:
    message = f"{CONFIGURATION}: tool.prov.{key}: {reason}"
    raise ConfigurationError(message)
