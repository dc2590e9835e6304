"""Asking origins for what is needed: some repositories at once, git first, then what stands in for it."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from itertools import chain, count
from typing import TYPE_CHECKING

from provenance.answers import Acquired, Lacking, Resolved, Unreached, Want
from provenance.evidence import Verdict
from provenance.lock import Proof
from provenance.workers import Workers

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from provenance.answers import Answer
    from provenance.citation import Release, Source
    from provenance.lock import Lock, LockedFile
    from provenance.origins import Origins


@dataclass(frozen=True, slots=True)
class Needed:
    """A file that some citation points into."""

    source: Source
    path: str
    lock: Lock = field(repr=False, compare=False)
    """The lock that speaks of it."""

    @property
    def key(self) -> tuple[str, str, str]:
        """URL, revision as written, path: what makes two needs one."""
        return self.source.git, self.source.revision, self.path

    @property
    def locked(self) -> LockedFile | None:
        """What the lock knows of it."""
        return self.lock.file(*self.key)


@dataclass(slots=True)
class Open:
    """A need that somebody must be asked about."""

    need: Needed
    pin: str | None
    """Full commit id, once it is known."""
    resolved: bool = False
    """Whether an origin said so in this run."""
    notes: tuple[str, ...] = ()
    """What the origin said of it."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What one repository's worker reports of one need."""

    need: Needed
    pin: str | None
    answer: Answer
    resolved: bool
    """Whether the pin was just resolved by an origin."""
    notes: tuple[str, ...] = ()
    """What a reader should know of the pin, such as that it was a branch."""


def ask(
    missing: Mapping[str, list[Open]], origins: Origins, *, jobs: int, refresh: bool
) -> Iterator[Outcome]:
    """Ask about every repository, `jobs` of them at once, and hand out what comes, in the thread that asks for it.

    Args:
        missing: what is needed, by the repository's URL.
        origins: whom to ask.
        jobs: how many repositories are asked at once.
        refresh: whether a server is asked for what the cache has, too.
    """

    def answered(item: tuple[str, list[Open]]) -> Iterator[Outcome]:
        return _repository(*item, origins, refresh=refresh)

    return Workers(missing.items(), answered, jobs=jobs).results()


def _repository(git: str, opens: list[Open], origins: Origins, *, refresh: bool) -> Iterator[Outcome]:
    """Everything that is wanted of one repository: git first, then what stands in for it."""
    names = {item.need.source.revision for item in opens if item.pin is None}
    resolutions = origins.resolve(git, names) if names else {}
    unanswered: list[tuple[Open, Lacking | Unreached]] = []
    wants: dict[Want, list[Open]] = defaultdict(list)
    for item in opens:
        if item.pin is None:
            match resolutions[item.need.source.revision]:
                case Resolved(commit=commit, notes=notes):
                    item.pin, item.resolved, item.notes = commit, True, notes
                case failure:
                    unanswered.append((item, failure))
                    continue
        wants[Want(item.pin, item.need.path)].append(item)
    if wants:
        for want, answer in origins.acquire(git, list(wants), refresh=refresh):
            for item in wants[want]:
                match answer:
                    case Unreached() | Lacking(verdict=Verdict.NO_REVISION):
                        unanswered.append((item, answer))
                    case _:
                        yield Outcome(item.need, item.pin, answer, item.resolved, item.notes)
    yield from _stand_ins(git, unanswered, origins)


@dataclass(slots=True)
class _Unanswered:
    """A need that git has no answer to."""

    item: Open
    failure: Lacking | Unreached
    """What git said."""
    said: list[str] = field(default_factory=list)
    """What they said who were asked instead."""
    answered: bool = False

    def outcome(self, answer: Answer) -> Outcome:
        item = self.item
        return Outcome(item.need, item.pin, answer, item.resolved, item.notes)


_StandIn = tuple[_Unanswered, str, "Answer"]
"""What one of the others answers, and what its message begins with."""


def _stand_ins(
    git: str, unanswered: list[tuple[Open, Lacking | Unreached]], origins: Origins
) -> Iterator[Outcome]:
    """The repository's host without git, alternates in their order, then the archive by blob id.

    Where none of them has a file, it is git's own answer, and what they said.
    """
    left = [_Unanswered(item, failure) for item, failure in unanswered]
    for one, who, answer in chain(
        _raw(git, left, origins), _releases(left, origins), _archived(left, origins)
    ):
        match answer:
            case Acquired():
                one.answered = True
                yield one.outcome(answer)
            case Lacking(message=message) | Unreached(message=message):
                one.said.append(who + message)
    for one in left:
        if not one.answered:
            yield one.outcome(_told(git, one.item, one.failure, one.said, origins))


def _raw(git: str, left: list[_Unanswered], origins: Origins) -> Iterator[_StandIn]:
    """Files that the repository's host gives without git, revision by revision; nothing where it gives none."""
    revisions: dict[str, list[_Unanswered]] = defaultdict(list)
    for one in left:
        revisions[one.item.pin or one.item.need.source.revision].append(one)
    for revision, asked in revisions.items():
        answers = origins.raw(git, revision, {one.item.need.path for one in asked})
        for one in asked:
            if one.item.need.path in answers:
                yield one, "", answers[one.item.need.path]


def _releases(left: list[_Unanswered], origins: Origins) -> Iterator[_StandIn]:
    """Alternates: each source has an order of its own, and those of one rank are asked together."""
    for rank in count():
        turns: dict[Release, list[_Unanswered]] = defaultdict(list)
        for one in left:
            if not one.answered:
                for release in one.item.need.source.alternates[rank : rank + 1]:
                    turns[release].append(one)
        if not turns:
            break
        for release, asked in turns.items():
            answers = origins.release(release, {one.item.need.path for one in asked})
            yield from ((one, f"{release}: ", answers[one.item.need.path]) for one in asked)


def _archived(left: list[_Unanswered], origins: Origins) -> Iterator[_StandIn]:
    """Contents whose blob ids the lock proved by commit."""
    for one in left:
        locked = one.item.need.locked
        if not one.answered and locked is not None and locked.proof is Proof.COMMIT:
            yield one, "archive: ", origins.archive(locked.blob)


def _told(
    git: str, item: Open, failure: Lacking | Unreached, said: list[str], origins: Origins
) -> Lacking | Unreached:
    """The failure with what the stand-ins said, and where the same content can still be reached."""
    message = "; ".join([failure.message, *said])
    if isinstance(failure, Unreached):
        return Unreached(message, refused=failure.refused)
    locked = item.need.locked
    if locked is not None and locked.proof is Proof.COMMIT:
        commit = origins.reachable(git, item.need.path, locked.blob)
        if commit is not None:
            message += f"; commit {commit} has the same content at this path and can be reached"
    return Lacking(failure.verdict, message)
