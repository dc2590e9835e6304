"""Verify: manifests -> evidence, with what is missing fetched on the way. Nothing is written to manifest or lock."""

from __future__ import annotations

import hashlib
from collections import Counter
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TYPE_CHECKING

from provenance import lock as locks
from provenance.citation import Quantity
from provenance.compare.grade import level, settle, settled_verdict
from provenance.errors import UsageError
from provenance.evidence import Assurance, Evidence, Judgement, Level, OriginKind, Statement, Summary, Verdict
from provenance.gather import Asking, Gathered, gather
from provenance.judging import Judge, settled_batch
from provenance.links.forges import NO_HOSTS
from provenance.links.permalinks import permalink
from provenance.loading import Loaded, load, needs_of, parsed
from provenance.statements import judged, stated_in
from provenance.store.records import StoredVerdict

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
    from datetime import date

    from provenance.citation import Citation, Source
    from provenance.evidence import Finding
    from provenance.judging import Batch
    from provenance.links.forges import Hosts
    from provenance.project import LockFiles, ManifestFile
    from provenance.statements import Stated
    from provenance.store.store import Store


@dataclass(frozen=True, slots=True)
class Settings:
    """What a verdict's level depends on, beside the verdict."""

    today: date
    levels: Mapping[Verdict, Level]
    least: Assurance = Assurance.ARTIFACT
    """The least assurance that counts as judged."""
    hosts: Hosts = field(default_factory=lambda: NO_HOSTS)
    """What further hosts run, which links to them depend on."""


@dataclass(slots=True)
class Verification:
    """Manifests, judged; their evidence is read out of the store as it is reported."""

    batches: list[Batch] = field(default_factory=list)
    gathered: Gathered = field(default_factory=Gathered)
    problems: list[str] = field(default_factory=list)
    """What is wrong with manifests, locks and URLs. Exit code 2."""


def verify(
    files: Sequence[ManifestFile],
    store: Store,
    lock_files: LockFiles,
    asking: Asking,
    judged: Callable[[int], None] = lambda _count: None,
) -> Verification:
    """Judge the citations of manifests.

    Args:
        files: the manifests.
        store: where evidence is kept, and written where it is new.
        lock_files: what is pinned.
        asking: who may be asked for what is missing.
        judged: told after each manifest how many citations have been judged so far.

    Raises:
        StoreError: the evidence database cannot be used.
    """
    loading = load(files, store, lock_files, asking.languages)
    verification = Verification(problems=loading.problems)
    again = asking.improve or asking.refresh
    settled = {
        id(manifest)
        for manifest in loading.loaded
        if manifest.is_settled and not again and is_sure_enough(manifest, asking)
    }
    opened = [manifest for manifest in loading.loaded if id(manifest) not in settled]
    if opened:
        verification.gathered = gather(
            needs_of(opened, store), store, replace(asking, written=loading.written)
        )
        verification.problems += verification.gathered.contradictions
        verification.problems += sorted(verification.gathered.refused.values())
    judge = Judge(store, verification.gathered.standings, refresh=asking.refresh, languages=asking.languages)
    done = 0
    for manifest in loading.loaded:
        is_settled = id(manifest) in settled
        batch = settled_batch(manifest) if is_settled else judge.batch(manifest)
        verification.batches.append(batch)
        done += batch.tally.total()
        judged(done)
    judge.remember()
    return verification


def is_sure_enough(manifest: Loaded, asking: Asking) -> bool:
    """Whether nothing of a settled manifest is less sure than what is asked for."""
    if asking.least is Assurance.ARTIFACT or asking.origins is None:
        return True
    tally = settled_batch(manifest).tally
    return all(
        settled_verdict(verdict, assurance, asking.least) is not Verdict.UNAVAILABLE
        for verdict, assurance in tally
    )


def summarise(batches: Iterable[Batch], store: Store, settings: Settings) -> Summary:
    """Count levels and assurances; records are made only where a level depends on the day."""
    levels: Counter[Level] = Counter()
    assurances: Counter[Assurance] = Counter()
    statements = 0
    for batch in batches:
        statements += batch.statements
        if batch.expects:
            for item in findings(batch, store, settings):
                _count(levels, assurances, item.level, _assurance(item), 1)
            continue
        for (verdict, assurance), count in batch.tally.items():
            settled = settled_verdict(verdict, assurance, settings.least)
            found, _ = level(settled, settings.levels, None, settings.today)
            _count(levels, assurances, found, assurance, count)
    return _summary(levels, assurances, statements)


def summary_of(found: Iterable[Finding]) -> Summary:
    """Count the levels and assurances of results."""
    levels: Counter[Level] = Counter()
    assurances: Counter[Assurance] = Counter()
    statements = 0
    for item in found:
        statements += isinstance(item, Statement)
        _count(levels, assurances, item.level, _assurance(item), 1)
    return _summary(levels, assurances, statements)


def added(one: Summary, other: Summary) -> Summary:
    """The counts of two sets of results together."""
    return Summary(
        total=one.total + other.total,
        ok=one.ok + other.ok,
        warning=one.warning + other.warning,
        failure=one.failure + other.failure,
        unavailable=one.unavailable + other.unavailable,
        assurance=Counter(one.assurance) + Counter(other.assurance),
        statements=one.statements + other.statements,
    )


def _assurance(item: Finding) -> Assurance | None:
    return item.assurance if isinstance(item, Evidence) else None


def _count(
    levels: Counter[Level],
    assurances: Counter[Assurance],
    found: Level,
    assurance: Assurance | None,
    count: int,
) -> None:
    levels[found] += count
    if assurance is not None and found is not Level.UNAVAILABLE:
        assurances[assurance] += count


def _summary(levels: Counter[Level], assurances: Counter[Assurance], statements: int) -> Summary:
    return Summary(
        total=levels.total(),
        ok=levels[Level.OK],
        warning=levels[Level.WARNING],
        failure=levels[Level.FAILURE],
        unavailable=levels[Level.UNAVAILABLE],
        assurance=dict(assurances),
        statements=statements,
    )


def notable(batches: Iterable[Batch], store: Store, settings: Settings) -> Iterator[Finding]:
    """The results that are not simply ok; manifests in which all is ok and nothing is expected are not read."""
    for batch in batches:
        if batch.expects or any(
            level(settled_verdict(verdict, assurance, settings.least), settings.levels, None, settings.today)[
                0
            ]
            is not Level.OK
            for verdict, assurance in batch.tally
        ):
            yield from filter(is_notable, findings(batch, store, settings))


def is_notable(item: Finding) -> bool:
    """Whether a result is not simply ok: it is not, or it is though something else is expected, which can go."""
    return item.level is not Level.OK or item.expect is not None


def findings(batch: Batch, store: Store, settings: Settings) -> Iterator[Finding]:
    """A batch's results: its evidence in the manifest's order, then what else the manifest states."""
    yield from evidence(batch, store, settings)
    manifest = batch.manifest
    for stated in stated_in(manifest, store):
        yield statement_of(manifest.stored.path, stated, settings)


def statement_of(manifest: str, stated: Stated, settings: Settings) -> Statement:
    """A statement, weighed."""
    judgement = stated.judgement
    expect = stated.about.expect if isinstance(stated.about, Quantity) else None
    found, note = level(judgement.verdict, settings.levels, expect, settings.today)
    return Statement(
        manifest=manifest,
        id=stated.id,
        kind=stated.kind,
        shown=stated.shown,
        judgement=judgement,
        level=found,
        about=stated.about,
        revision=stated.revision,
        notes=(*judgement.notes, *([note] if note else [])),
    )


def evidence(
    batch: Batch, store: Store, settings: Settings, *, in_document: bool = False
) -> Iterator[Evidence]:
    """A batch's evidence in the manifest's order, as it is read.

    Args:
        batch: citations, judged.
        store: where their evidence is kept.
        settings: what levels depend on.
        in_document: whether what is expected of them is said by comments of a document.
    """
    for item in store.citations(batch.manifest.stored):
        stored = batch.unrecorded.get(item.id) or item.verdict
        if stored is None:
            judgement = Judgement(Verdict.UNAVAILABLE, "another run replaced this manifest; run again")
            stored = StoredVerdict("", judgement, item.citation.source.revision, None, None, None)
        symbols = store.symbols(stored.blob, item.citation.lines)
        yield evidence_of(
            batch.manifest.stored.path, item.citation, stored, symbols, settings, in_document=in_document
        )


def evidence_of(
    manifest: str,
    citation: Citation,
    stored: StoredVerdict,
    symbols: tuple[str | None, tuple[str, ...]] | None,
    settings: Settings,
    *,
    in_document: bool = False,
) -> Evidence:
    """A citation and all that is known of it, weighed; as for `evidence`."""
    assurance = None if stored.assurance is None else Assurance(stored.assurance)
    judgement = settle(stored.judgement, assurance, settings.least)
    found, note = level(
        judgement.verdict, settings.levels, citation.expect, settings.today, in_document=in_document
    )
    symbol, inside = symbols or (None, ())
    lines = citation.lines or next(iter(judgement.found_at), None)
    return Evidence(
        manifest=manifest,
        citation=citation,
        judgement=judgement,
        revision=stored.revision,
        level=found,
        blob=stored.blob,
        symbol=symbol,
        symbols=inside,
        assurance=assurance,
        origin=None if stored.origin is None else OriginKind(stored.origin),
        notes=(*judgement.notes, *([note] if note else [])),
        ungrounded=stored.ungrounded,
        permalink=permalink(citation.source.git, stored.revision, citation.path, lines, settings.hosts),
    )


@dataclass(slots=True)
class LockedVerification:
    """What the locks alone say: neither network nor database."""

    findings: list[Finding] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)
    """What is wrong with manifests and locks, an entry that is missing too. Exit code 2."""
    judged: dict[str, str] = field(default_factory=dict)
    """SHA-256 of the manifests' bytes, by their paths."""


def verify_locked(
    files: Iterable[ManifestFile], lock_files: LockFiles, settings: Settings
) -> LockedVerification:
    """Answer from the locks' digests."""
    verification = LockedVerification()
    for file in files:
        try:
            data = file.read()
            manifest = parsed(file, data, verification.problems)
            lock_file = lock_files.of(file)
            lock = lock_file.lock
        except UsageError as error:
            if str(error) not in verification.problems:
                verification.problems.append(str(error))
            continue
        if manifest is not None:
            verification.judged[file.name] = hashlib.sha256(data).hexdigest()
        for citation in manifest.citations if manifest else ():
            entry = lock.citations.get((lock_file.key(file.file), citation.id))
            judgement = locks.answer(entry, citation)
            if judgement is None:
                where = citation.position or file.name
                verification.problems.append(
                    f"{where}: {lock_file.name} has no entry for {citation.id} as it is cited; run prov fetch"
                )
                continue
            verification.findings.append(
                evidence_of(file.name, citation, _locked_verdict(judgement, citation, lock), None, settings)
            )
        if manifest is not None:
            stated = judged(manifest.quantities, manifest.sources, partial(_locked_commit, lock))
            verification.findings += [statement_of(file.name, item, settings) for item in stated]
    return verification


def _locked_commit(lock: locks.Lock, source: Source) -> str | None:
    return lock.commit(source.git, source.revision)


def _locked_verdict(judgement: Judgement, citation: Citation, lock: locks.Lock) -> StoredVerdict:
    source = citation.source
    file = lock.file(source.git, source.revision, citation.path)
    revision = lock.commit(source.git, source.revision) or source.revision
    return StoredVerdict(
        "", judgement, revision, file.blob if file else None, locks.assurance(file), OriginKind.LOCK
    )
