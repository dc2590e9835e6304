"""From wants to answers within one repository of the cache: fetch what is missing, walk, read, prove."""

from __future__ import annotations

import heapq
from typing import TYPE_CHECKING

from provenance.answers import Acquired, Lacking, Unreached, Want
from provenance.evidence import Content, GitObject, OriginKind, Verdict, is_object_id
from provenance.origin.git_objects import MalformedObject, Read, parents_of, time_of
from provenance.origin.git_tree import Found, Needs, locate, printable

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from collections.abc import Set as AbstractSet

    from provenance.answers import Answer
    from provenance.origin.git_fetch import Fetcher
    from provenance.origin.git_objects import ObjectReader

_MOST_ROUNDS = 12
"""Fetches that may be needed one after the other: each link is one, the file that it leads to the last."""
_MOST_COMMITS = 2000
"""Commits that are looked at for a content which lost its own."""

_Step = Found | Needs | Lacking | Unreached


def acquire(
    wants: Sequence[Want], reader: ObjectReader, fetcher: Fetcher, *, refresh: bool
) -> Iterator[tuple[Want, Answer]]:
    """Answer every want once: contents come last, one in memory at a time.

    Raises:
        RefusedURL: an address is not allowed.
        GitFault: git or the cache cannot be used.
    """
    pending = []
    for want in wants:
        if is_object_id(want.commit):
            pending.append(want)
        else:
            message = f"{printable(want.commit)!r} is no full commit id"
            yield want, Lacking(Verdict.NO_REVISION, message)
    failed = fetcher.commits((want.commit for want in pending), again=refresh)
    yield from ((want, failed[want.commit]) for want in pending if want.commit in failed)
    found: list[tuple[Want, Found]] = []
    for want, step in _walk([want for want in pending if want.commit not in failed], reader, fetcher):
        match step:
            case Found():
                found.append((want, step))
            case Needs():
                yield want, Unreached(f"object {step.id[:12]} is absent from this partial clone")
            case Lacking() | Unreached():
                yield want, step
    contents = reader.read_all(step.blob for _, step in found)
    yield from ((want, _answer(step, read)) for (want, step), read in zip(found, contents, strict=True))


def _walk(wants: list[Want], reader: ObjectReader, fetcher: Fetcher) -> Iterator[tuple[Want, _Step]]:
    """Follow all paths, and fetch what is needed for all of them at once."""
    steps: dict[Want, _Step] = {}
    gone: dict[str, Unreached] = {}
    pending = wants
    for _ in range(_MOST_ROUNDS):
        needed: dict[str, str] = {}
        for want in pending:
            step = steps[want] = _step(want, reader, gone.keys())
            match step:
                case Needs(id=one) | Found(blob=one) if one not in gone:
                    needed[one] = want.commit
        if not needed:
            break
        gone |= fetcher.objects(needed, needed.values())
        pending = [want for want in pending if isinstance(steps[want], Needs)]
    for want, step in steps.items():
        match step:
            case Needs(id=one) | Found(blob=one) if one in gone:
                yield want, gone[one]
            case _:
                yield want, step


def _step(want: Want, reader: ObjectReader, gone: AbstractSet[str]) -> _Step:
    try:
        return locate(want, reader, gone)
    except MalformedObject as error:
        return Unreached(str(error))


def _answer(found: Found, read: Read | None) -> Answer:
    path = printable(found.path)
    if read is None:
        return Unreached(f"{path} (blob {found.blob[:12]}) is absent from this partial clone")
    if read.kind != "blob":
        return Unreached(f"{path} is a {read.kind} where its tree says that it is a file")
    if read.data is None:
        return Unreached(f"{path} has {read.size} bytes, more than prov reads of one file")
    content = Content(found.blob, read.data)
    return Acquired(found.path, content, OriginKind.GIT, proof=found.proof, notes=found.notes)


def newest_with(path: str, blob: str, tips: Sequence[str], reader: ObjectReader) -> str | None:
    """The newest commit behind some tips, as far as they are here, that has a blob at a path.

    Raises:
        GitFault: git or the cache cannot be used.
    """
    queue: list[tuple[int, str]] = []
    seen: set[str] = set()

    def add(commit: str) -> None:
        read = reader.commit(commit) if commit not in seen else None
        seen.add(commit)
        if read is not None and read.kind == "commit" and read.data is not None:
            heapq.heappush(queue, (-time_of(GitObject(read.id, read.kind, read.data)), commit))

    for tip in tips:
        add(tip)
    for _ in range(_MOST_COMMITS):
        if not queue:
            break
        _, commit = heapq.heappop(queue)
        step = _step(Want(commit, path), reader, frozenset())
        if isinstance(step, Found) and step.blob == blob:
            return commit
        read = reader.commit(commit)
        if read is not None and read.data is not None:
            for parent in parents_of(GitObject(read.id, read.kind, read.data)):
                add(parent)
    return None
