"""From what a person writes to a cited place: a path's end, a citation's id, a permalink, an SWHID."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from provenance.errors import UsageError
from provenance.evidence import is_object_id
from provenance.links.locators import (
    IdLocator,
    PathLocator,
    PermalinkLocator,
    SwhidLocator,
    UnreadableLocator,
    parse_locator,
)
from provenance.links.permalinks import repository_url

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from provenance.citation import LineRange
    from provenance.loading import Loaded
    from provenance.store.records import CitedFile, StoredCitation
    from provenance.store.store import Store

_CANDIDATES = 20
"""Meanings that an error lists at the most."""
_VALUE = re.compile(r"(?:\./)?(?P<path>[^#]+?)(?::[0-9]+(?:-[0-9]+)?)?#(?P<pointer>(?:/.*)?)")
_SHORTEST = 4
"""Digits that git takes for the beginning of an id at the least: `MINIMUM_ABBREV` in its cache.h."""


@dataclass(frozen=True, slots=True)
class Target:
    """A cited file, and lines of it."""

    file: CitedFile
    lines: LineRange | None
    manifest: str | None = None
    """Where the locator was a citation's id."""
    id: str | None = None
    """The id, where it was one."""


class Locating:
    """Finds what locators mean among what manifests cite."""

    def __init__(self, store: Store, manifests: Mapping[str, Loaded]) -> None:
        self._store = store
        self._manifests = manifests

    def cited_in(self, file: CitedFile) -> list[tuple[str, StoredCitation]]:
        """The citations of a file in manifests that are there now: the store remembers those that have gone."""
        return [(name, item) for name, item in self._store.cited_in(file) if name in self._manifests]

    def target(self, locator: str) -> Target:
        """What a locator means.

        Raises:
            UsageError: nothing, or several things.
        """
        found = self.meanings(locator)
        distinct = {(item.file, item.lines) for item in found}
        if len(distinct) == 1:
            return found[0]
        if not distinct:
            message = f"{locator}: no citation has this id, path or link"
            raise UsageError(message)
        shown = [_named(item) for item in found[:_CANDIDATES]]
        rest = [f"and {len(found) - _CANDIDATES} more"] if len(found) > _CANDIDATES else []
        message = "\n  ".join([f"{locator} means several places:", *shown, *rest])
        raise UsageError(message)

    def meanings(self, locator: str) -> list[Target]:
        """All that a locator means.

        Raises:
            UsageError: it names no place.
        """
        return [item for item in self._meanings(locator) if self._is_current(item)]

    def _is_current(self, item: Target) -> bool:
        if item.manifest is not None:
            return item.manifest in self._manifests
        return not self._store.citing(item.file).isdisjoint(self._manifests)

    def _meanings(self, locator: str) -> list[Target]:
        """What a locator could mean. An id can look like a path, and is looked for first."""
        files = self._store.cited_files()
        named = [
            Target(item.file, item.lines, item.manifest, locator.strip())
            for item in self._store.named(locator.strip())
            if item.manifest in self._manifests
        ]
        named = named or self._valued(locator.strip(), files)
        if named:
            return named
        match parse_locator(locator):
            case UnreadableLocator(message=message):
                text = f"{locator}: {message}"
                raise UsageError(text)
            case IdLocator():
                return []
            case PathLocator(path=path, lines=lines):
                return [Target(file, lines) for file in files if f"/{file.path}".endswith(f"/{path}")]
            case PermalinkLocator() as link:
                return [Target(file, link.lines) for file in files if self._is_linked(file, link)]
            case SwhidLocator() as swhid:
                known = self._store.files_with(swhid.blob)
                return [Target(file, swhid.lines) for file in files if self._is_content(file, swhid, known)]

    def _valued(self, locator: str, files: Sequence[CitedFile]) -> list[Target]:
        """The values that a report calls by path and pointer, such as `config.json#/n_embd`."""
        match = _VALUE.fullmatch(locator)
        if match is None:
            return []
        return [
            Target(file, item.citation.lines, manifest, item.citation.id)
            for file in files
            if f"/{file.path}".endswith(f"/{match['path']}")
            for manifest, item in self.cited_in(file)
            if item.citation.value is not None and item.citation.value.pointer == match["pointer"]
        ]

    def _is_content(self, file: CitedFile, swhid: SwhidLocator, known: set[tuple[str, str, str]]) -> bool:
        full = self._full(file)
        is_there = swhid.path in {None, file.path} and swhid.revision in {None, full}
        if not is_there:
            return False
        locked = (item.lock.file(file.git, file.revision, file.path) for item in self._manifests.values())
        return any(item is not None and item.blob == swhid.blob for item in locked) or bool(
            known & {(file.git, full, file.path), (file.git, file.revision, file.path)}
        )

    def _is_linked(self, file: CitedFile, link: PermalinkLocator) -> bool:
        """Whether a link leads to a cited file: the revision may be longer or shorter, or hold slashes."""
        if repository_url(file.git) != link.git or not link.rest.endswith(f"/{file.path}"):
            return False
        revision = link.rest.removesuffix(f"/{file.path}")
        if revision == file.revision:
            return True
        is_short = len(revision) >= _SHORTEST and self._full(file).startswith(revision)
        return is_short or (is_object_id(revision) and revision.startswith(file.revision))

    def _full(self, file: CitedFile) -> str:
        """A cited file's full revision, as far as locks or the store know it."""
        if is_object_id(file.revision.lower()):
            return file.revision.lower()
        locked = (item.lock.commit(file.git, file.revision) for item in self._manifests.values())
        return next(filter(None, locked), None) or self._store.pin(file.git, file.revision) or file.revision


def _named(item: Target) -> str:
    lines = f":{item.lines}" if item.lines else ""
    where = f" ({item.manifest})" if item.manifest else ""
    return f"{item.file.git} {item.file.revision} {item.file.path}{lines}{where}"
