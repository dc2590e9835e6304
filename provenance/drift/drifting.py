"""The use case: citations are proven at their pins, then followed to where they are to be found today."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from provenance.drift.accepting import read_accepted
from provenance.drift.pinned import Pinned, not_followed
from provenance.drift.targets import Targets, read_targets
from provenance.drift.task import Followed, Numbered, Task
from provenance.errors import UsageError
from provenance.loading import load
from provenance.relocation import Status
from provenance.verify import evidence, verify
from provenance.workers import Workers

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from provenance.drift.task import Follower
    from provenance.gather import Asking
    from provenance.loading import Loaded, Loading
    from provenance.origins import Origins
    from provenance.project import LockFiles, ManifestFile
    from provenance.relocation import Drift
    from provenance.store.store import Store
    from provenance.verify import Settings, Verification


@dataclass(frozen=True, slots=True)
class Wish:
    """What is asked for."""

    to: tuple[str, ...] = ()
    """Each `[SOURCE=]REV`; every source that none of them names goes to `latest`."""
    accept: tuple[str, ...] = ()
    """Each the `ID` of a citation, or `MANIFEST#ID`, whose edit is agreed to."""


@dataclass(slots=True)
class Drifted:
    """What became of citations."""

    followed: list[Followed] = field(default_factory=list)
    """In the order of the manifests."""
    accepted: frozenset[tuple[str, str]] = frozenset()
    """Manifest and id of the citations whose edit is agreed to."""
    manifests: Mapping[str, Loaded] = field(default_factory=dict)
    """What was read, by the manifest's path."""
    problems: list[str] = field(default_factory=list)
    """What is wrong with manifests, locks and URLs. Exit code 2."""
    contradicts: bool = False
    """Whether bytes were found that are not those of a lock."""

    @property
    def drifts(self) -> list[Drift]:
        """The results."""
        return [item.drift for item in self.followed]


def drift(
    files: Sequence[ManifestFile],
    store: Store,
    lock_files: LockFiles,
    asking: Asking,
    origins: Origins,
    *,
    wish: Wish,
    settings: Settings,
    follower: Follower | None = None,
    judged: Callable[[int], None] = lambda _count: None,
) -> Drifted:
    """Tell what became of the citations of manifests.

    Args:
        files: the manifests.
        store: where evidence is kept, and written where it is new.
        lock_files: what is pinned.
        asking: who may be asked for what is missing at the pins.
        origins: who is asked for revisions and history; offline, what the cache has.
        wish: where to.
        settings: how sure a citation must be at its pin.
        follower: who tells where lines went; None for `provenance.drift.follow`.
        judged: told how many citations have been judged at their pins so far.

    Raises:
        StoreError: the evidence database cannot be used.
        UsageError: what is wished for names no source, no citation or no revision.
    """
    loading = load(files, store, lock_files, asking.languages)
    manifests = {manifest.stored.path: manifest for manifest in loading.loaded}
    try:
        targets = _targets(wish, loading, store)
        accepted = read_accepted(wish.accept, lambda name: _having(name, manifests, store))
    except UsageError as error:
        if not loading.problems:
            raise
        return Drifted(
            problems=[*loading.problems, str(error)]
        )  # what it names may stand in what cannot be read
    verification = verify(files, store, lock_files, asking, judged)
    pinned = [
        Numbered(number, item) for number, item in enumerate(_pinned(verification, store, settings, targets))
    ]
    found = _all(pinned, origins, asking, loading.written, follower or _follower())
    _remember(found, store)
    problems = [*verification.problems, *(item.refused for item in found if item.refused)]
    contradicts = bool(verification.gathered.contradictions)
    return Drifted(found, accepted, manifests, list(dict.fromkeys(problems)), contradicts)


def _remember(found: Sequence[Followed], store: Store) -> None:
    """Write what was found out, all of it or nothing; what could not be told takes nothing known away."""
    told = [item.drift for item in found if item.drift.status is not Status.UNAVAILABLE]
    if told:
        with store.transaction() as transaction:
            transaction.put_drifts(told)


def _follower() -> Follower:
    from provenance.drift import follow  # it takes grammars and more, which wrong usage does without

    return follow


def _targets(wish: Wish, loading: Loading, store: Store) -> Targets:
    sources = {source for manifest in loading.loaded for source in store.sources(manifest.stored).values()}
    return read_targets(wish.to, sources)


def _having(name: str, manifests: Mapping[str, Loaded], store: Store) -> list[str]:
    """The manifests of this run that have a citation of an id."""
    return sorted({item.manifest for item in store.named(name)} & manifests.keys())


def _pinned(
    verification: Verification, store: Store, settings: Settings, targets: Targets
) -> Iterator[Pinned]:
    """Every citation as it was judged at its pin."""
    stands: dict[tuple[str, str, str], str] = {}
    for batch in verification.batches:
        for item in evidence(batch, store, settings):
            source, path = item.citation.source, item.citation.path
            key = source.git, item.revision, path
            if key not in stands:
                file = store.file(*key)
                stands[key] = path if file is None or file.stands_at is None else file.stands_at
            yield Pinned(item, targets.of(source), stands[key])


def _all(
    pinned: Iterable[Numbered],
    origins: Origins,
    asking: Asking,
    written: Mapping[str, str],
    follower: Follower,
) -> list[Followed]:
    """Follow what holds at its pin, some repositories at once; the results are in the order of the citations."""
    found: list[Followed] = []
    tasks: dict[str, list[Numbered]] = defaultdict(list)
    for item in pinned:
        if item.pinned.is_followed:
            tasks[item.pinned.citation.source.git].append(item)
        else:
            drift = item.pinned.drift(not_followed(item.pinned))
            found.append(Followed(item.number, item.pinned, drift))
    work = [Task(written.get(git, git), tuple(items)) for git, items in tasks.items()]

    def do(task: Task) -> Iterator[Followed]:
        from provenance.drift.repository import repository

        return repository(task, origins, follower)

    found += Workers(work, do, jobs=asking.jobs).results()
    return sorted(found, key=lambda item: item.number)
