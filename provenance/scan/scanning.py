"""Documents -> evidence, some hundred documents at a time, so that memory does not grow with their number."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

from provenance.comparing import Comparing
from provenance.documents.unreadable import Unreadable
from provenance.errors import UsageError
from provenance.gather import gather
from provenance.judging import Judge, settled_batch
from provenance.loading import Loaded, stamp
from provenance.lock import Lock
from provenance.project import ManifestFile
from provenance.reading import Reading
from provenance.scan.aiming import aimed, needs
from provenance.scan.archived import by_their_ids
from provenance.scan.citing import cite
from provenance.scan.ending import by_their_ends
from provenance.scan.outcome import Brief
from provenance.scan.resolving import Resolving, asked, resolution_digest
from provenance.scan.sheets import opened, sheets
from provenance.store.records import StoredDocument
from provenance.verify import is_sure_enough

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from provenance.document import Sheet
    from provenance.gather import Asking, Gathered, Standing
    from provenance.judging import Batch
    from provenance.links.forges import Hosts
    from provenance.project import DocumentFile
    from provenance.scan.aiming import Aimed
    from provenance.scan.citing import Cited, Direct
    from provenance.scan.local import LocalFiles
    from provenance.scan.resolving import Asked
    from provenance.scan.sheets import Document, Reader
    from provenance.store.records import StoredManifest
    from provenance.store.store import Store

    Standings = Mapping[tuple[str, str, str], Standing]

_TOGETHER = 400
"""Documents that are judged together, while as many more are read."""
_TOGETHER_BYTES = 8 * 1024 * 1024
"""Bytes of such documents."""


@dataclass(frozen=True, slots=True)
class ScannedDocument:
    """A document whose citations have been judged."""

    name: str
    brief: Brief
    batch: Batch | None = None
    """Its citations; None where it has none that a repository could be asked about."""
    direct: tuple[Direct, ...] = ()
    """Results that need no repository: a reversed range, a file of the project itself."""
    is_of_today: bool = True
    """Whether it was asked in this run which commits its branches are."""
    sha256: str = ""
    """Of the bytes that were read."""

    @property
    def is_special(self) -> bool:
        """Whether the level of a result depends on more than its verdict."""
        return bool(self.direct or self.brief.moving)

    @property
    def total(self) -> int:
        """How many results it has."""
        return (0 if self.batch is None else self.batch.tally.total()) + len(self.direct)


@dataclass(slots=True)
class Scanned:
    """Documents, judged; their evidence is read out of the store as it is reported."""

    documents: list[ScannedDocument] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)
    """What is wrong with documents and URLs. Exit code 2."""


def scan(
    files: Sequence[DocumentFile],
    store: Store,
    asking: Asking,
    hosts: Hosts,
    local: LocalFiles,
    *,
    readers: int,
    judged: Callable[[int], None] = lambda _count: None,
) -> Scanned:
    """Judge what documents cite.

    Args:
        files: the documents.
        store: where evidence is kept, and written where it is new.
        asking: who may be asked for what is missing.
        hosts: what further hosts run.
        local: reads the project's own files.
        readers: how many processes may read documents.
        judged: told now and then how many citations have been judged so far.

    Raises:
        StoreError: the evidence database cannot be used.
    """
    scanning = _Scanning(store, asking, hosts, local)
    done = 0
    with sheets(hosts, jobs=readers) as read:
        for begun in _one_ahead(scanning.begun(together, read) for together in _together(files)):
            for document in scanning.judged(begun):
                scanning.scanned.documents.append(document)
                done += document.total
                judged(done)
    return scanning.scanned


def _together(files: Iterable[DocumentFile]) -> Iterator[list[DocumentFile]]:
    """Documents, as many at a time as are held at once."""
    found: list[DocumentFile] = []
    held = 0
    for file in files:
        size = file.file.stat().st_size if file.file.is_file() else 0
        if found and (len(found) >= _TOGETHER or held + size > _TOGETHER_BYTES):
            yield found
            found, held = [], 0
        found.append(file)
        held += size
    if found:
        yield found


def _one_ahead(items: Iterator[_Begun]) -> Iterator[_Begun]:
    """Documents, the next of which are being read by other processes while these are judged."""
    held = next(items, None)
    while held is not None:
        following = next(items, None)
        yield held
        held = following


@dataclass(frozen=True, slots=True)
class _Begun:
    """Some documents, of which it is known what must be read."""

    documents: Sequence[Document]
    digests: Mapping[str, str]
    settled: Mapping[str, ScannedDocument]
    """Those of which nothing has changed."""
    anew: Sequence[Document]
    sheets: Iterator[Sheet | Unreadable]
    """What reading those comes to, as it comes."""


@dataclass(frozen=True, slots=True)
class _Read:
    """A document that has been read, on its way to being judged."""

    document: Document
    digest: str
    sheet: Sheet
    asked: tuple[Asked, ...]


class _Scanning:
    """The state of one run."""

    def __init__(self, store: Store, asking: Asking, hosts: Hosts, local: LocalFiles) -> None:
        self.scanned = Scanned()
        self._local = local
        self._store = store
        self._asking = asking
        self._hosts = hosts
        self._resolving = Resolving(asking.origins, jobs=asking.jobs)
        self._known = store.documents()
        self._manifests = store.manifests()

    def begun(self, files: Iterable[DocumentFile], read: Reader) -> _Begun:
        """Begin with some documents; those of which nothing has changed since are not read."""
        documents = list(self._opened(files))
        digests = {document.name: document.digest(self._hosts) for document in documents}
        known = {name: self._brief(name, digest) for name, digest in digests.items()}
        self._resolving.ask(item for brief in known.values() if brief is not None for item in brief.asked)
        found = ((name, self._settled(name, brief)) for name, brief in known.items() if brief is not None)
        settled = {name: item for name, item in found if item is not None}
        anew = [document for document in documents if document.name not in settled]
        return _Begun(documents, digests, settled, anew, read(anew))

    def judged(self, begun: _Begun) -> Iterator[ScannedDocument]:
        """Judge what must be; the documents in their order."""
        fresh = {item.name: item for item in self._anew(begun)}
        for document in begun.documents:
            found = begun.settled.get(document.name) or fresh.get(document.name)
            if found is not None:
                yield replace(found, sha256=hashlib.sha256(document.data).hexdigest())

    def _opened(self, files: Iterable[DocumentFile]) -> Iterator[Document]:
        for file in files:
            try:
                yield opened(file)
            except UsageError as error:
                self.scanned.problems.append(str(error))

    def _brief(self, name: str, digest: str) -> Brief | None:
        """What is known of a document that is as it was; None where it must be read."""
        known = self._known.get(name)
        if known is None or known.digest != digest or self._asking.refresh:
            return None
        return Brief.from_json(known.brief)

    def _settled(self, name: str, brief: Brief) -> ScannedDocument | None:
        """A document whose links mean what they meant, and whose counted verdicts still hold."""
        is_asked = bool(brief.asked) and self._asking.origins is not None
        if is_asked and self._known[name].resolution != resolution_digest(self._resolving, brief.asked):
            return None
        stored = self._manifests.get(name)
        if stored is None:
            return None if brief.cited else ScannedDocument(name, brief)
        loaded = _loaded(stored, self._asking.languages.digest)
        if not loaded.is_settled or not is_sure_enough(loaded, self._asking):
            return None
        is_of_today = self._asking.origins is not None
        batch = replace(settled_batch(loaded), expects=brief.ignores)
        return ScannedDocument(name, brief, batch, is_of_today=is_of_today)

    def _anew(self, begun: _Begun) -> Iterator[ScannedDocument]:
        """Judge documents that are read."""
        sheets = [item for item in self._read(begun) if item is not None]
        self._resolving.ask(asked for item in sheets for asked in item.asked)
        aims = [aimed(item.sheet, item.document, self._resolving) for item in sheets]
        aims, standings = self._gathered(aims)
        reading = Reading(self._store, self._asking.languages)
        comparing = Comparing(self._asking.languages)
        cited = [cite(aim, standings, reading, self._local, comparing) for aim in aims]
        loaded = self._put(sheets, cited)
        judge = Judge(
            self._store,
            standings,
            refresh=self._asking.refresh,
            languages=self._asking.languages,
            comparing=comparing,
            counts_expecting=True,
        )
        for item, found, manifest in zip(sheets, cited, loaded, strict=True):
            batch = None if manifest is None else judge.batch(manifest)
            yield ScannedDocument(item.document.name, self._new_brief(item, found), batch, found.direct)
        judge.remember()

    def _gathered(self, aims: list[Aimed]) -> tuple[list[Aimed], Standings]:
        """Have the files that mentions may mean, and those that only their ends or their ids name."""
        gathered = self._gather(aims)
        if self._asking.origins is None:
            return aims, gathered.standings
        placed = by_their_ends(aims, gathered.standings, self._asking.origins)
        placed = by_their_ids(placed, gathered.standings)
        moved = [item for item, was in zip(placed, aims, strict=True) if item != was]
        return placed, gathered.standings | (self._gather(moved).standings if moved else {})

    def _gather(self, aims: Sequence[Aimed]) -> Gathered:
        gathered = gather(needs(aims), self._store, self._asking)
        told = dict.fromkeys([*gathered.contradictions, *sorted(gathered.refused.values())])
        self.scanned.problems += [problem for problem in told if problem not in self.scanned.problems]
        return gathered

    def _read(self, begun: _Begun) -> Iterator[_Read | None]:
        for document, sheet in zip(begun.anew, begun.sheets, strict=True):
            if isinstance(sheet, Unreadable):
                self.scanned.problems.append(f"{document.name}: cannot be read: {sheet.message}")
                continue
            found = (asked(mention.target, document.repository) for mention in sheet.mentions)
            items = tuple(dict.fromkeys(item for item in found if item is not None))
            yield _Read(document, begun.digests[document.name], sheet, items)

    def _put(self, sheets: Sequence[_Read], cited: Sequence[Cited]) -> list[Loaded | None]:
        """Write what was read, all of it or nothing."""
        if not sheets:
            return []
        loaded: list[Loaded | None] = []
        kept: list[tuple[StoredDocument, str]] = []
        with self._store.transaction() as transaction:
            for item, found in zip(sheets, cited, strict=True):
                name = item.document.name
                if found.manifest.citations:
                    stored = transaction.put_manifest(found.manifest, found.digest())
                    loaded.append(_loaded(stored, self._asking.languages.digest))
                else:
                    transaction.forget_manifests([name])
                    loaded.append(None)
                # What needs no repository is not kept, so that document is read in every run.
                digest = "" if found.direct else item.digest
                brief = self._new_brief(item, found)
                resolution = resolution_digest(self._resolving, brief.asked)
                document = StoredDocument(name, digest, brief.to_json(), resolution)
                kept.append((document, found.outcome.to_json()))
            transaction.put_documents(kept)
        return loaded

    def _new_brief(self, item: _Read, found: Cited) -> Brief:
        stands = found.outcome.stands.values()
        return Brief(
            tuple(asked for asked in item.asked if self._resolving.moves(asked)),
            cited=len(stands),
            moving=sum(stand.moving is not None for stand in stands),
            unread=len(found.outcome.unread),
            ignores=any(each.expect is not None for each in found.manifest.citations),
        )


def _loaded(stored: StoredManifest, languages: str) -> Loaded:
    """A document as the manifest that is made of it; no lock speaks of it."""
    file = ManifestFile(Path(stored.path), stored.path, Path())
    return Loaded(file, stored, Lock(), None, stamp(stored, "", languages))
