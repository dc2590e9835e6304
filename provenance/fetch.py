"""Fetch: every cited content into the store, and what was found into prov.lock."""

from __future__ import annotations

import dataclasses
import hashlib
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from provenance import lock as locks
from provenance.evidence import Assurance, OriginKind, Verdict, is_object_id
from provenance.files import replace
from provenance.judging import tally_json
from provenance.loading import needs_of, stamp
from provenance.lock import Lock, LockedCitation, LockedFile, LockedSource, Proof
from provenance.verify import verify

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Sequence

    from provenance.ask import Needed
    from provenance.gather import Asking, Standing
    from provenance.judging import Batch
    from provenance.loading import Loaded
    from provenance.project import LockFile, LockFiles, ManifestFile
    from provenance.store.store import Store
    from provenance.verify import Verification


@dataclass(frozen=True, slots=True)
class FetchedFile:
    """What became of one cited file."""

    need: Needed
    standing: Standing


@dataclass(slots=True)
class Fetched:
    """What a fetch ends with."""

    verification: Verification
    files: list[FetchedFile] = field(default_factory=list)
    written: list[str] = field(default_factory=list)
    """The locks that changed."""


def fetch(
    files: Sequence[ManifestFile],
    store: Store,
    lock_files: LockFiles,
    asking: Asking,
    judged: Callable[[int], None] = lambda _count: None,
) -> Fetched:
    """Get what manifests cite, judge it, and write the locks.

    Raises:
        StoreError: the evidence database cannot be used.
        UsageError: a lock cannot be written.
    """
    verification = verify(files, store, lock_files, dataclasses.replace(asking, improve=True), judged)
    fetched = Fetched(verification)
    standings = verification.gathered.standings
    manifests = [batch.manifest for batch in verification.batches]
    _forget_gone(files, store)
    needs = {need.key: need for need in needs_of(manifests, store)}
    fetched.files = [FetchedFile(need, standings[key]) for key, need in sorted(needs.items())]
    if verification.gathered.contradictions:
        return fetched  # the lock stays as it is until somebody says which of the two is right
    for lock_file in lock_files.all():
        batches = [batch for batch in verification.batches if batch.manifest.lock_file is lock_file]
        if not batches:
            continue  # nothing was read, or the lock is malformed: it stays as it is
        is_whole = _speaks_of_all(lock_file, batches)
        text = locks.render(_new_lock(lock_file.lock, batches, store, standings, is_whole=is_whole))
        got_nothing = not lock_file.sha256 and not any(item.standing.file for item in fetched.files)
        if hashlib.sha256(text.encode()).hexdigest() != lock_file.sha256 and not got_nothing:
            replace(lock_file.file, text)
            fetched.written.append(lock_file.name)
            _keep_settled(batches, text, asking.languages.digest, store)
    return fetched


def _forget_gone(files: Sequence[ManifestFile], store: Store) -> None:
    """Take manifests that are no longer there out of the database; their history stays."""
    roots = {file.boundary for file in files}
    gone = [path for path in store.manifests() if not any((root / path).exists() for root in roots)]
    if gone:
        with store.transaction() as transaction:
            transaction.forget_manifests(gone)


def _keep_settled(batches: Iterable[Batch], lock: str, languages: str, store: Store) -> None:
    """What was counted under the old lock holds under the new one: it says what was just found."""
    sha256 = hashlib.sha256(lock.encode()).hexdigest()
    with store.transaction() as transaction:
        for batch in batches:
            if batch.lasts and not batch.expects:
                stored = batch.manifest.stored
                transaction.put_tally(stored, stamp(stored, sha256, languages), tally_json(batch.tally))


def _speaks_of_all(lock_file: LockFile, batches: Iterable[Batch]) -> bool:
    """Whether every manifest that the lock knows, and that is still there, was fetched now."""
    fetched = {batch.manifest.lock_key for batch in batches}
    folder = lock_file.file.parent
    return all(name in fetched or not (folder / name).exists() for name, _ in lock_file.lock.citations)


def _new_lock(
    old: Lock,
    batches: Sequence[Batch],
    store: Store,
    standings: dict[tuple[str, str, str], Standing],
    *,
    is_whole: bool,
) -> Lock:
    """The lock after a fetch: what was found now, what was proven before and still serves, nothing that has gone."""
    sources = {} if is_whole else dict(old.sources)
    fetched = {batch.manifest.lock_key for batch in batches}
    citations = (
        {} if is_whole else {key: item for key, item in old.citations.items() if key[0] not in fetched}
    )
    needs = list(needs_of([batch.manifest for batch in batches], store))
    commits = {key: source.commit for key, source in sources.items()}
    for need in needs:
        pin = need.source.git, need.source.revision
        commits[pin] = _proven_commit(standings[need.key]) or commits.get(pin) or old.commit(*pin)
    # What was known of a pin's former commit says nothing of the one that it has now.
    moved = {pin for pin, commit in commits.items() if old.commit(*pin) not in {None, commit}}
    files: dict[tuple[str, str], dict[str, LockedFile]] = {
        pin: {} if pin in moved else dict(source.files) for pin, source in sources.items()
    }
    for need in needs:
        pin = need.source.git, need.source.revision
        known = files.setdefault(pin, {})
        found = _locked_file(standings[need.key], None if pin in moved else old.file(*need.key))
        if found is not None:
            known[need.path] = found
        else:
            known.pop(need.path, None)
    for batch in batches:
        citations.update(_citations(batch, store, old, moved))
    return Lock({pin: LockedSource(commits.get(pin), files[pin]) for pin in files}, citations)


def _proven_commit(standing: Standing) -> str | None:
    """The full revision, where the commit itself was seen."""
    file = standing.file
    seen = file is not None and file.origin is OriginKind.GIT and is_object_id(standing.revision)
    return standing.revision if seen else None


def _locked_file(standing: Standing, old: LockedFile | None) -> LockedFile | None:
    """What is to be locked of a path: a proof by commit is not given up for one by an artifact."""
    file = standing.file
    if file is None:
        return old
    if file.blob is None:
        return None
    if standing.assurance is Assurance.ARTIFACT:
        if old is not None and old.proof is Proof.COMMIT:
            return old
        return LockedFile(file.blob, Proof.ARTIFACT, file.artifact)
    return LockedFile(file.blob, Proof.COMMIT)


def _citations(
    batch: Batch, store: Store, old: Lock, moved: Collection[tuple[str, str]]
) -> Iterable[tuple[tuple[str, str], LockedCitation]]:
    manifest: Loaded = batch.manifest
    name = manifest.lock_key
    for item in store.citations(manifest.stored):
        key, source = (name, item.citation.id), item.citation.source
        entry = old.citations.get(key)
        known = entry is not None and entry.place == item.place and (source.git, source.revision) not in moved
        is_gone = item.verdict is not None and item.verdict.judgement.verdict is Verdict.NO_REVISION
        if item.id in batch.unrecorded or item.verdict is None or (is_gone and known):
            if entry is not None and known:  # what was judged while it could be had is not given up
                yield key, entry
            continue
        blob = item.verdict.blob
        excerpt = store.excerpt_digest(blob, item.citation.lines)
        yield key, LockedCitation(item.place, item.digest, excerpt, item.verdict.judgement.verdict)
