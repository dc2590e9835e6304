"""From cited paths to stored contents: pins, origins in their order, and how sure it is.

What is there already is not asked for again. What was had is written to the store at once, so that memory does not grow
with the number of files; the answers that remain say why a file is not there.
"""

from __future__ import annotations

import re
from collections import defaultdict
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import TYPE_CHECKING

from provenance.answers import Acquired, Lacking, Unreached
from provenance.ask import Needed, Open, Outcome, ask
from provenance.evidence import Assurance, OriginKind, Verdict, is_object_id
from provenance.extract.languages.table import PLAIN
from provenance.lock import Proof
from provenance.store.records import StoredFile

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from provenance.answers import Answer
    from provenance.citation import Source
    from provenance.extract.languages.table import Languages
    from provenance.origins import Origins
    from provenance.store.store import Store

_ABBREVIATED = re.compile(r"[0-9a-f]{7,39}")
"""What may be a short commit id; a tag can look so, too."""

_WRITE_TOGETHER = 64
"""Contents that are written in one transaction at the most."""
_WRITE_BYTES = 16 * 1024 * 1024
"""Bytes of contents that are held before they are written."""


@dataclass(frozen=True, slots=True)
class Standing:
    """How a cited file stands after all that could be asked was asked."""

    revision: str
    """Full commit id, or the revision as written where it was never resolved."""
    file: StoredFile | None = None
    """What the store holds of it."""
    assurance: Assurance | None = None
    """Of the stored bytes; None where there are none."""
    failure: Lacking | Unreached | None = None
    """Why there is nothing in the store."""


@dataclass(frozen=True, slots=True)
class Asking:
    """How a run goes: how much may be asked, and of whom, and how what was had is read."""

    origins: Origins | None
    """None: nobody is asked (`--offline`)."""
    refresh: bool = False
    """Ask where stored evidence would serve, too."""
    improve: bool = False
    """Ask git again for what came from an artifact."""
    update: frozenset[str] = frozenset()
    """Names or URLs of sources whose pins are resolved anew."""
    least: Assurance = Assurance.ARTIFACT
    """What counts as had."""
    jobs: int = 4
    """How many repositories are asked at once."""
    languages: Languages = field(default_factory=lambda: PLAIN, compare=False)
    """Which language the files are in that were had."""
    written: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}), repr=False)
    """URLs as written, with the secrets that are used to ask and kept nowhere, by what they are without."""

    def updates(self, source: Source) -> bool:
        """Whether a source's pin is to be resolved anew."""
        return bool(self.update) and (source.name in self.update or source.git in self.update)


@dataclass(slots=True)
class Gathered:
    """What a gathering ends with."""

    standings: dict[tuple[str, str, str], Standing] = field(default_factory=dict)
    """By `Needed.key`."""
    contradictions: list[str] = field(default_factory=list)
    """Where what was found is not what the lock says: exit code 2."""
    refused: dict[str, str] = field(default_factory=dict)
    """By URL: why prov itself would not ask. Exit code 2."""


def gather(needs: Iterable[Needed], store: Store, asking: Asking) -> Gathered:
    """Have every needed file in the store, as far as it can be had.

    Raises:
        StoreError: the evidence database cannot be used.
    """
    gathered = Gathered()
    wanted = {need.key: need for need in needs}
    missing: dict[str, list[Open]] = defaultdict(list)
    for need in wanted.values():
        pin = _known_pin(need, store, asking)
        standing = _stored(need, pin, store)
        if standing is not None and _serves(standing, need, asking):
            gathered.standings[need.key] = standing
        else:
            missing[asking.written.get(need.source.git, need.source.git)].append(Open(need, pin))
    if asking.origins is None:
        _leave_unasked(missing, gathered)
    elif missing:
        _write(
            ask(missing, asking.origins, jobs=asking.jobs, refresh=asking.refresh), gathered, store, asking
        )
    _contradict(gathered, wanted.values(), asking)
    return gathered


def _known_pin(need: Needed, store: Store, asking: Asking) -> str | None:
    """The commit that a revision as written stands for, if nobody needs to be asked: the lock says it first."""
    git, revision = need.source.git, need.source.revision
    digits = revision.lower()
    if is_object_id(digits):
        return digits
    if asking.updates(need.source):
        return None
    locked = need.lock.commit(git, revision)
    if locked is not None and (locked.startswith(digits) or not _ABBREVIATED.fullmatch(digits)):
        return locked
    # A lock may be a stranger's: that digits mean another commit than one that begins with them is not taken from it.
    return None if asking.refresh and asking.origins is not None else store.pin(git, revision)


def _stored(need: Needed, pin: str | None, store: Store) -> Standing | None:
    revision = pin or need.source.revision
    file = store.file(need.source.git, revision, need.path)
    if file is None and pin is not None and pin != need.source.revision:
        file = store.file(need.source.git, need.source.revision, need.path)  # had before the pin was known
    if file is None:
        return None
    return Standing(revision, file, assurance=_assurance(file, need, store))


def _assurance(file: StoredFile, need: Needed, store: Store) -> Assurance | None:
    """How sure stored bytes are; `commit` is proven again from the stored objects."""
    locked = need.locked
    if file.blob is None or file.stands_at is None:
        return None  # git said that there is no such text: no bytes were proven
    if file.origin is OriginKind.GIT and store.prover.proves(file.revision, file.stands_at, file.blob):
        return Assurance.COMMIT
    if locked is not None and locked.proof is Proof.COMMIT and locked.blob == file.blob:
        return Assurance.LOCKED
    return Assurance.ARTIFACT


def _serves(standing: Standing, need: Needed, asking: Asking) -> bool:
    """Whether stored evidence is good enough not to ask."""
    if asking.origins is None:
        return True
    if asking.refresh or asking.updates(need.source):
        return False
    match standing.assurance:
        case Assurance.COMMIT | None:  # what a commit holds, or lacks, never changes
            return True
        case Assurance.LOCKED:
            return not asking.improve and asking.least is not Assurance.COMMIT
        case _:
            return not asking.improve and asking.least is Assurance.ARTIFACT


def _leave_unasked(missing: Mapping[str, list[Open]], gathered: Gathered) -> None:
    for opens in missing.values():
        for item in opens:
            message = "not in the evidence database, and --offline asks nobody"
            gathered.standings[item.need.key] = Standing(
                item.pin or item.need.source.revision, failure=Unreached(message)
            )


def _write(outcomes: Iterator[Outcome], gathered: Gathered, store: Store, asking: Asking) -> None:
    batch: list[Outcome] = []
    held = 0
    for outcome in outcomes:
        batch.append(outcome)
        held += len(outcome.answer.content.data) if isinstance(outcome.answer, Acquired) else 0
        if len(batch) >= _WRITE_TOGETHER or held >= _WRITE_BYTES:
            _write_batch(batch, gathered, store, asking)
            batch, held = [], 0
    _write_batch(batch, gathered, store, asking)


def _write_batch(batch: list[Outcome], gathered: Gathered, store: Store, asking: Asking) -> None:
    keep = [outcome for outcome in batch if _is_kept(outcome.answer)]
    if keep:
        with store.transaction() as transaction:
            for outcome in keep:
                file = _file(outcome)
                answer = outcome.answer
                content, proof = (
                    (answer.content, answer.proof) if isinstance(answer, Acquired) else (None, ())
                )
                transaction.put_file(file, content, proof)
                if outcome.resolved and outcome.pin is not None:
                    transaction.put_pin(outcome.need.source.git, outcome.need.source.revision, outcome.pin)
    for outcome in batch:
        gathered.standings[outcome.need.key] = _standing(outcome, store, gathered, asking)


def _is_kept(answer: Answer) -> bool:
    """What a revision has or lacks never changes; that it is gone, or out of reach, may."""
    match answer:
        case Acquired():
            return True
        case Lacking(verdict=verdict):
            return verdict is not Verdict.NO_REVISION
        case Unreached():
            return False


def _file(outcome: Outcome) -> StoredFile:
    need, answer = outcome.need, outcome.answer
    revision = outcome.pin or need.source.revision
    if isinstance(answer, Acquired):
        return StoredFile(
            need.source.git, revision, need.path, answer.content.blob, answer.path, answer.origin,
            answer.artifact, None, "", (*outcome.notes, *answer.notes),
        )  # fmt: skip
    verdict = answer.verdict if isinstance(answer, Lacking) else Verdict.UNAVAILABLE
    return StoredFile(
        need.source.git,
        revision,
        need.path,
        None,
        None,
        OriginKind.GIT,
        None,
        verdict,
        answer.message,
        outcome.notes,
    )


def _standing(outcome: Outcome, store: Store, gathered: Gathered, asking: Asking) -> Standing:
    need, answer = outcome.need, outcome.answer
    revision = outcome.pin or need.source.revision
    if _is_kept(answer):
        file = _file(outcome)
        return Standing(revision, file, assurance=_assurance(file, need, store))
    if isinstance(answer, Unreached):
        if answer.refused:
            gathered.refused[need.source.git] = answer.message
        older = _stored(need, outcome.pin or _known_pin(need, store, replace(asking, origins=None)), store)
        if older is not None:  # asked again, and nobody was there: what is stored still serves
            return older
        return Standing(revision, failure=answer)
    assert isinstance(answer, Lacking)  # noqa: S101 - what is not kept is no revision
    return Standing(revision, failure=answer)


def _contradict(gathered: Gathered, needs: Iterable[Needed], asking: Asking) -> None:
    """Compare what was found with the lock; bytes that contradict it are not judged."""
    for need in needs:
        if asking.updates(need.source):
            continue
        standing = gathered.standings[need.key]
        found = _other_pin(need, standing) or _other_blob(need, standing)
        if found is not None:
            source = need.source
            gathered.contradictions.append(
                f"{source.git} {source.revision}{found}; if that is right, run prov fetch --update {source.name}"
            )
            failure = Unreached("what was found contradicts the lock", contradicts=True)
            gathered.standings[need.key] = Standing(standing.revision, failure=failure)


def _other_pin(need: Needed, standing: Standing) -> str | None:
    """How the commit differs from the locked one; None where it does not."""
    locked = need.lock.commit(need.source.git, need.source.revision)
    if locked is None or not is_object_id(standing.revision) or standing.revision == locked:
        return None
    return f": the lock says commit {locked}, and it is commit {standing.revision}"


def _other_blob(need: Needed, standing: Standing) -> str | None:
    """How the content differs from the locked one; None where it does not, or where an artifact cannot say."""
    locked, file = need.locked, standing.file
    if locked is None or file is None or file.blob in {None, locked.blob}:
        return None
    by_commit = locked.proof is Proof.COMMIT and standing.assurance is Assurance.COMMIT
    by_artifact = (
        locked.artifact is not None
        and file.artifact is not None
        and file.artifact.name == locked.artifact.name
    )
    if not (by_commit or by_artifact):
        return None
    return f" {need.path}: the lock says blob {locked.blob}, and {file.origin.value} has blob {file.blob}"
