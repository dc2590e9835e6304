"""Which member of a release file is the file that a citation names by its path in the repository. Pure."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

_PREFIXES = ("src/", "lib/", "python/")
"""Folders that repositories keep their packages in and that releases leave out."""
_DATA = re.compile(r"[^/]+\.data/(?:purelib|platlib)/(?P<path>.+)")
"""Where a wheel keeps files that it installs beside its packages (its specification, ".data directory")."""
_LEAST_TAIL = 2
"""Fewest path components that tell a file: `__init__.py` alone stands everywhere."""


@dataclass(frozen=True, slots=True)
class Member:
    """A file in an archive."""

    name: str
    """As the archive has it."""
    size: int = 0
    """In bytes, as the archive says."""
    target: str | None = None
    """A link's target, as a name from the archive's root: empty where it leaves the archive, None for a file
    with bytes of its own."""


@dataclass(frozen=True, slots=True)
class Ambiguous:
    """Several members could be meant."""

    names: tuple[str, ...]


def locate_members(
    paths: Iterable[str], members: Iterable[Member], *, has_top_folder: bool
) -> Mapping[str, Member | Ambiguous]:
    """Find the members for paths of a repository; a path that has none is left out.

    Args:
        paths: as cited.
        members: what the archive holds.
        has_top_folder: whether the archive may keep all in one folder (a source distribution does).
    """
    index = _index(members, has_top_folder=has_top_folder)
    found = {path: _look_up(path, index) for path in paths}
    return {path: member for path, member in found.items() if member is not None}


def by_path(members: Iterable[Member], *, has_top_folder: bool) -> Mapping[str, Member]:
    """Members by their path in the repository, as far as the archive tells; a path that two have is left out."""
    index = _index(members, has_top_folder=has_top_folder)
    return {path: found[0] for path, found in index.items() if len(found) == 1}


def _index(members: Iterable[Member], *, has_top_folder: bool) -> Mapping[str, list[Member]]:
    """Members by their path in the repository. Names that could lead out of a folder are left out."""
    safe = [member for member in members if _is_safe(member.name)]
    names = [member.name for member in safe]
    tops = {name.partition("/")[0] for name in names}
    strips = has_top_folder and len(tops) == 1 and all("/" in name for name in names)
    index: dict[str, list[Member]] = {}
    for member in safe:
        path = member.name.partition("/")[2] if strips else member.name
        data = None if has_top_folder else _DATA.fullmatch(path)
        index.setdefault(data["path"] if data else path, []).append(member)
    return index


def _is_safe(name: str) -> bool:
    parts = name.split("/")
    return "\\" not in name and "\0" not in name and not {"", ".", ".."} & set(parts)


def _look_up(path: str, index: Mapping[str, list[Member]]) -> Member | Ambiguous | None:
    for candidate in _candidates(path):
        match index.get(candidate):
            case None:
                continue
            case [member]:
                return member
            case several:
                return Ambiguous(tuple(member.name for member in several))
    return None


def _candidates(path: str) -> Iterable[str]:
    """The path itself, then without a known prefix, then its tails, the longest first."""
    yield path
    for prefix in _PREFIXES:
        if path.startswith(prefix):
            yield path.removeprefix(prefix)
    parts = path.split("/")
    for start in range(1, len(parts) - _LEAST_TAIL + 1):
        yield "/".join(parts[start:])
