"""From manifest files to stored citations: what has not changed since it was last read is not parsed again."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, NamedTuple

from provenance import __version__
from provenance.ask import Needed
from provenance.errors import LockError, UsageError
from provenance.extract.languages.table import PLAIN
from provenance.links.permalinks import public_url
from provenance.lock import Lock

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from provenance.citation import Manifest
    from provenance.extract.languages.table import Languages
    from provenance.project import LockFile, LockFiles, ManifestFile
    from provenance.store.records import StoredManifest
    from provenance.store.store import Store


@dataclass(frozen=True, slots=True)
class Loaded:
    """A manifest whose citations are in the store."""

    file: ManifestFile
    stored: StoredManifest
    lock: Lock = field(repr=False)
    """The lock that speaks of it; an empty one where it cannot be read."""
    lock_file: LockFile | None
    """Where that stands; None where it cannot be read."""
    stamp: str
    """Digest of all that its verdicts depend on, but for what origins would say."""

    @property
    def lock_key(self) -> str:
        """How the lock names it."""
        return self.file.name if self.lock_file is None else self.lock_file.key(self.file.file)

    @property
    def is_settled(self) -> bool:
        """Whether its counted verdicts still hold."""
        return self.stored.stamp == self.stamp and self.stored.tally is not None


@dataclass(slots=True)
class Loading:
    """What became of the manifest files of a run."""

    loaded: list[Loaded] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)
    """What is wrong with files, each with file and line where there is one. Exit code 2."""
    written: dict[str, str] = field(default_factory=dict, repr=False)
    """URLs as written, by what is known of them everywhere else: where the two differ, it is by a secret."""


def load(
    files: Iterable[ManifestFile], store: Store, locks: LockFiles, languages: Languages = PLAIN
) -> Loading:
    """Bring the store's citations up to date with the manifest files.

    Raises:
        StoreError: the evidence database cannot be used.
    """
    loading = Loading()
    known = store.manifests()
    for file in files:
        try:
            data = file.read()
        except UsageError as error:
            loading.problems.append(str(error))
            continue
        sha256 = hashlib.sha256(data).hexdigest()
        was = known.get(file.name)
        stored = was
        if was is None or was.sha256 != sha256:
            stored = _store(data, sha256, file, store, loading)
        if stored is None:
            continue
        loaded = _with_lock(file, was, stored, _Stamps(locks, languages.digest), loading)
        loading.loaded.append(loaded)
        if _has_secret(data):
            loading.written |= _written(data)
    return loading


def needs_of(manifests: Iterable[Loaded], store: Store) -> Iterator[Needed]:
    """The files that the citations of manifests point into."""
    for manifest in manifests:
        for wanted in store.wanted(manifest.stored):
            yield Needed(wanted.source, wanted.path, manifest.lock)


def parsed(file: ManifestFile, data: bytes, problems: list[str]) -> Manifest | None:
    """A manifest read from its bytes, without secrets; what is wrong with it is added to `problems`."""
    from provenance.manifest import parse

    manifest = parse(data, file.name)
    if isinstance(manifest, tuple):
        problems.extend(str(error) for error in manifest)
        return None
    return _public(manifest)


def _public(manifest: Manifest) -> Manifest:
    """The manifest without user information in URLs, which neither database nor lock is to hold."""
    public = {source: replace(source, git=public_url(source.git)) for source in manifest.sources}
    if all(source.git == shown.git for source, shown in public.items()):
        return manifest
    citations = (replace(citation, source=public[citation.source]) for citation in manifest.citations)
    return replace(manifest, sources=tuple(public.values()), citations=tuple(citations))


def _has_secret(data: bytes) -> bool:
    """Whether a URL in a manifest could hold user information or a token. Every run asks it of every byte."""
    return any(_follows_scheme(mark, data) for mark in (b"@", b"?"))


def _follows_scheme(mark: bytes, data: bytes) -> bool:
    """Whether a mark stands behind `://` on some line."""
    at = data.find(mark)
    while at >= 0:  # a line at a time: one line may be the whole manifest
        end = data.find(b"\n", at)
        _, _, rest = data[data.rfind(b"\n", 0, at) + 1 : end if end >= 0 else len(data)].partition(b"://")
        if mark in rest:
            return True
        at = data.find(mark, end) if end >= 0 else -1
    return False


def _written(data: bytes) -> dict[str, str]:
    """A manifest's URLs that hold user information, by what they are without."""
    from provenance.manifest import parse

    manifest = parse(data, "")
    if isinstance(manifest, tuple):
        return {}
    urls = {public_url(source.git): source.git for source in manifest.sources}
    return {public: url for public, url in urls.items() if public != url}


def _store(
    data: bytes, sha256: str, file: ManifestFile, store: Store, loading: Loading
) -> StoredManifest | None:
    manifest = parsed(file, data, loading.problems)
    if manifest is None:
        return None
    with store.transaction() as transaction:
        return transaction.put_manifest(manifest, sha256)


class _Stamps(NamedTuple):
    """What manifests are stamped with."""

    locks: LockFiles
    languages: str
    """Digest of what the project says of its files."""


def _with_lock(
    file: ManifestFile, was: StoredManifest | None, stored: StoredManifest, by: _Stamps, loading: Loading
) -> Loaded:
    """A manifest with its lock; a lock that the last run has read whole is read only as far as it is looked at."""
    try:
        found = by.locks.of(file)
        now = stamp(stored, found.sha256, by.languages)
        is_known = was is not None and was.stamp == stamp(was, found.sha256, by.languages)
        lock = found.known_lock if is_known else found.lock
        return Loaded(file, stored, lock, found, now)
    except LockError as error:
        if str(error) not in loading.problems:
            loading.problems.append(str(error))
        return Loaded(file, stored, Lock(), None, stamp(stored, str(error), by.languages))


def stamp(manifest: StoredManifest, lock_sha256: str, languages: str) -> str:
    """Digest of all that a manifest's verdicts depend on, but for what origins would say."""
    parts = f"{__version__}\0{manifest.sha256}\0{lock_sha256}\0{languages}"
    return hashlib.sha256(parts.encode()).hexdigest()
