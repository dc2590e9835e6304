"""Log: a citation -> how its verdict came to be what it is.

The evidence database alone is asked, and nothing is judged.
"""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING

from provenance.errors import LockError, UsageError
from provenance.loading import Loaded
from provenance.locate import Locating
from provenance.lock import Lock
from provenance.project import ManifestFile
from provenance.report.log import Log, Named

if TYPE_CHECKING:
    from collections.abc import Iterator

    from provenance.citation import Citation, LineRange
    from provenance.locate import Target
    from provenance.project import LockFiles, Project
    from provenance.store.records import StoredManifest
    from provenance.store.store import Store

_LISTED = 20
"""Meanings that an error lists at the most."""


def log(locator: str, store: Store, project: Project, locks: LockFiles) -> Log:
    """Find what a person means, and what is remembered of it.

    Args:
        locator: an id, alone or as `MANIFEST#ID`, where the end of the manifest's path will do; or what `prov show`
            takes, where it means one citation.
        store: the evidence database.
        project: where manifests and locks stand.
        locks: what their revisions are.

    Raises:
        UsageError: there is no history, or the locator means nothing or several things.
        StoreError: the evidence database cannot be used.
    """
    if not store.is_there():
        message = f"there is no evidence database {store.name} yet, and so no history; prov verify makes it"
        raise UsageError(message)
    finding = _Finding(store, project, locks)
    found = finding.by_id(locator.strip()) or finding.by_place(locator)
    current = [named for named in found if finding.is_cited(named)]
    meant, gone = (current, [named for named in found if named not in current]) if current else (found, [])
    if len(meant) != 1:
        raise UsageError(_not_one(locator, meant))
    named = meant[0]
    entries = store.history(*named)
    if not entries:
        message = f"{named}: no verdict is recorded; prov verify records what it finds in an origin's bytes"
        raise UsageError(message)
    citation = finding.citation(named) if current else None
    return Log(named, tuple(reversed(entries)), bool(current), citation, tuple(gone))


def _not_one(locator: str, meant: list[Named]) -> str:
    if not meant:
        return f"{locator}: no citation has this id, path or link, and none had this id"
    shown = [str(named) for named in meant[:_LISTED]]
    rest = [f"and {len(meant) - _LISTED} more"] if len(meant) > _LISTED else []
    return "\n  ".join([f"{locator} means several citations:", *shown, *rest])


class _Finding:
    """Finds what locators mean, among what manifests have and what the history remembers."""

    def __init__(self, store: Store, project: Project, locks: LockFiles) -> None:
        self._store = store
        self._project = project
        self._locks = locks
        self._known: dict[str, set[str]] = {}

    def by_id(self, text: str) -> list[Named]:
        """All that has an id, which may stand behind the end of a manifest's path and `#`."""
        found = [Named(manifest, text) for manifest in self._having(text)]
        if found:
            return found
        for mark in re.finditer("#", text):
            manifest, id_ = text[: mark.start()].removeprefix("./"), text[mark.end() :]
            having = [path for path in self._having(id_) if f"/{path}".endswith(f"/{manifest}")]
            if having and manifest:
                exact = [path for path in having if path == manifest]
                return [Named(path, id_) for path in exact or having]
        return []

    def by_place(self, locator: str) -> list[Named]:
        """The citations of the lines that a locator means: those of just these lines, else all that touch them."""
        locating = Locating(self._store, dict(self._manifests()))
        exact: list[Named] = []
        touching: list[Named] = []
        for target in locating.meanings(locator):
            for named, citation in self._cited(locating, target):
                touching.append(named)
                if citation.lines == target.lines:
                    exact.append(named)
        return sorted(set(exact or touching))

    def is_cited(self, named: Named) -> bool:
        """Whether its manifest has it, as that was last read, and is there."""
        return named.manifest in self._now(named.id)

    def citation(self, named: Named) -> Citation | None:
        """A citation as its manifest has it; None for a quantity."""
        manifest = self._store.manifests().get(named.manifest)
        items = self._store.citations(manifest) if manifest is not None else ()
        return next((item.citation for item in items if item.citation.id == named.id), None)

    def _having(self, id_: str) -> list[str]:
        return sorted({*self._store.remembered(id_), *self._now(id_)})

    def _now(self, id_: str) -> set[str]:
        """The manifests that have an id now. The store looks through all citations for it, so it is asked once."""
        if id_ not in self._known:
            having = {item.manifest for item in self._store.named(id_)} | self._store.stating(id_)
            self._known[id_] = set(filter(self._is_there, having))
        return self._known[id_]

    def _is_there(self, manifest: str) -> bool:
        """Whether a manifest or a document still stands where it was read: the database keeps those that have gone."""
        return os.path.lexists(self._project.root / manifest)

    @staticmethod
    def _cited(locating: Locating, target: Target) -> Iterator[tuple[Named, Citation]]:
        for manifest, item in locating.cited_in(target.file):
            if target.id is None:
                is_meant = _touches(item.citation, target.lines)
            else:
                is_meant = (manifest, item.citation.id) == (target.manifest, target.id)
            if is_meant:
                yield Named(manifest, item.citation.id), item.citation

    def _manifests(self) -> Iterator[tuple[str, Loaded]]:
        """What is known of the manifests and documents that there are, none of which is read."""
        for path, stored in self._store.manifests().items():
            if self._is_there(path):
                yield path, self._loaded(stored)

    def _loaded(self, stored: StoredManifest) -> Loaded:
        file = ManifestFile(self._project.root / stored.path, stored.path, self._project.root)
        try:
            lock_file = self._locks.of(file)
            return Loaded(file, stored, lock_file.known_lock, lock_file, "")
        except LockError:  # it is of no use here, and whoever judges tells of it
            return Loaded(file, stored, Lock(), None, "")


def _touches(citation: Citation, lines: LineRange | None) -> bool:
    """Whether a citation is of some lines of its file; of any, where none are named."""
    return lines is None or citation.lines is None or citation.lines.overlaps(lines)
