"""Asking origins for what is needed: some repositories at once, git first, then what stands in for it."""

from __future__ import annotations

import queue
import threading
from collections import defaultdict
from dataclasses import dataclass, field
from itertools import count
from typing import TYPE_CHECKING

from provenance.evidence import Acquired, Lacking, Resolved, Unreached, Verdict, Want
from provenance.lock import Proof

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from provenance.citation import Release, Source
    from provenance.evidence import Answer
    from provenance.lock import Lock, LockedFile
    from provenance.origins import Origins

_HELD = 64
"""Outcomes that wait to be written at the most: contents may be large."""


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


_Report = Outcome | BaseException | None
"""A worker's message: an outcome, what broke it, or that it is done."""


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
    work: queue.SimpleQueue[tuple[str, list[Open]]] = queue.SimpleQueue()
    for item in missing.items():
        work.put(item)
    reports: queue.Queue[_Report] = queue.Queue(maxsize=_HELD)
    stop = threading.Event()
    workers = min(jobs, len(missing))
    for _ in range(workers):
        threading.Thread(target=_work, args=(work, reports, stop, origins, refresh), daemon=True).start()
    try:
        yield from _outcomes(reports, workers)
    finally:
        stop.set()


def _work(
    work: queue.SimpleQueue[tuple[str, list[Open]]],
    reports: queue.Queue[_Report],
    stop: threading.Event,
    origins: Origins,
    refresh: bool,
) -> None:
    try:
        while not stop.is_set():
            try:
                git, opens = work.get_nowait()
            except queue.Empty:
                break
            for outcome in _repository(git, opens, origins, refresh=refresh):
                reports.put(outcome)
                if stop.is_set():
                    break
        reports.put(None)
    except BaseException as error:  # noqa: BLE001 - raised again by the thread that waits for it
        reports.put(error)


def _outcomes(reports: queue.Queue[_Report], workers: int) -> Iterator[Outcome]:
    while workers:
        match reports.get():
            case None:
                workers -= 1
            case BaseException() as error:
                raise error
            case outcome:
                yield outcome


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


def _stand_ins(
    git: str, unanswered: list[tuple[Open, Lacking | Unreached]], origins: Origins
) -> Iterator[Outcome]:
    """Alternates in their order, then the archive by blob id; else git's own answer, and what they said."""
    said: dict[int, list[str]] = defaultdict(list)
    left = dict(enumerate(unanswered))
    for rank in count():
        turns = _turns(((number, item) for number, (item, _) in left.items()), rank)
        if not turns:
            break
        for release, asked in turns.items():
            answers = origins.release(release, {item.need.path for _, item in asked})
            for number, item in asked:
                match answers[item.need.path]:
                    case Acquired() as answer:
                        yield Outcome(item.need, item.pin, answer, item.resolved, item.notes)
                        del left[number]
                    case Lacking(message=message) | Unreached(message=message):
                        said[number].append(f"{release}: {message}")
    for number, (item, failure) in left.items():
        archived = _from_archive(item, origins)
        if isinstance(archived, Acquired):
            yield Outcome(item.need, item.pin, archived, item.resolved, item.notes)
            continue
        if archived is not None:
            said[number].append(f"archive: {archived.message}")
        yield Outcome(
            item.need, item.pin, _told(git, item, failure, said[number], origins), item.resolved, item.notes
        )


def _turns(opens: Iterable[tuple[int, Open]], rank: int) -> dict[Release, list[tuple[int, Open]]]:
    """Who is asked next of a release: each source has an order of its own."""
    turns: dict[Release, list[tuple[int, Open]]] = defaultdict(list)
    for number, item in opens:
        for release in item.need.source.alternates[rank : rank + 1]:
            turns[release].append((number, item))
    return turns


def _from_archive(item: Open, origins: Origins) -> Answer | None:
    locked = item.need.locked
    if locked is None or locked.proof is not Proof.COMMIT:
        return None
    return origins.archive(locked.blob)


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
