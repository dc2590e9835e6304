"""Citations followed from one release artifact to another, without history and so with low confidence."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import replace
from typing import TYPE_CHECKING

from provenance.answers import Unreached
from provenance.citation import Kind
from provenance.comparing import compared
from provenance.drift.concluding import Concluded, concluded
from provenance.drift.landing import ReleaseLanding
from provenance.drift.pinned import unknown
from provenance.drift.targets import release_at, release_named
from provenance.drift.task import reported, unfollowed
from provenance.errors import ProvError
from provenance.evidence import Content
from provenance.extract.decode import decode
from provenance.extract.lines import Text
from provenance.relocation import Confidence, Relocation, Spot, Status

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from provenance.answers import ReleaseFiles
    from provenance.citation import LineRange, Release
    from provenance.drift.follow import Place
    from provenance.drift.pinned import Pinned
    from provenance.drift.task import Followed, Follower, Numbered
    from provenance.origins import Origins


def released(
    items: Sequence[Numbered],
    origins: Origins,
    follower: Follower,
    *,
    instead: Mapping[int, str] | None = None,
) -> Iterator[Followed]:
    """Follow citations between releases: from the one that their source names, to their target.

    Args:
        items: citations whose target is a release, or a tag that names one.
        origins: whom to ask.
        follower: who tells where lines went.
        instead: why git was not used, by the citation's number; empty where a release was asked for.
    """
    why = instead or {}
    pairs: dict[tuple[Release, Release], list[Numbered]] = defaultdict(list)
    for item in items:
        source, target = item.pinned.citation.source, item.pinned.target
        new = release_named(target, source)
        old = None if new is None else release_at(source, new.project)
        if old is None or new is None:
            wanted = target.written if new is None else new.project
            yield unfollowed(item, f"the source {source.name} names no release of {wanted} as an alternate")
        else:
            pairs[old, new].append(item)
    for (old, new), group in pairs.items():
        yield from _between(old, new, group, origins, follower, why)


def _between(
    old: Release,
    new: Release,
    group: Sequence[Numbered],
    origins: Origins,
    follower: Follower,
    why: Mapping[int, str],
) -> Iterator[Followed]:
    """Follow citations from one release to another."""
    paths = {item.pinned.stands_at for item in group}
    before = _files(old, paths, origins)
    after = before if isinstance(before, Unreached) else _files(new, paths, origins)
    if isinstance(before, Unreached) or isinstance(after, Unreached):
        message = before.message if isinstance(before, Unreached) else _reason(after)
        for item in group:
            yield unfollowed(item, "; ".join(filter(None, (why.get(item.number), message))))
        return
    note = f"two releases were compared, without history: {before.artifact.name}, {after.artifact.name}"
    for item, found in _compared(group, before, after, str(new), follower):
        reason = why.get(item.number)
        stands_in = (f"{new} stands in for {item.pinned.target.written}: {reason}",) if reason else ()
        notes = (note, *stands_in, *before.notes, *after.notes)
        if isinstance(found, str):
            yield unfollowed(item, found, notes=notes)
        else:
            yield reported(item, _unsure(found, after), notes=notes, reached=str(new))


def _reason(files: ReleaseFiles | Unreached) -> str:
    return files.message if isinstance(files, Unreached) else ""


def _files(release: Release, paths: set[str], origins: Origins) -> ReleaseFiles | Unreached:
    try:
        return origins.release_files(release, paths)
    except ProvError as error:
        return Unreached(str(error))


def _compared(
    group: Sequence[Numbered], before: ReleaseFiles, after: ReleaseFiles, revision: str, follower: Follower
) -> Iterator[tuple[Numbered, Concluded | str]]:
    """What became of each citation; a string where it does not hold in the old artifact."""
    from provenance.drift.follow import Place

    places: dict[tuple[str, LineRange], Place] = {}
    for item in group:
        fault = _fault(item.pinned, before)
        if fault:
            yield item, fault
        else:
            places[item.place] = Place(before.paths[item.pinned.stands_at], item.pinned.block)
    relocations = follower.follow_contents(before.files, after.files, revision, list(places.values()))
    moved = dict(zip(places, relocations, strict=True))
    landing = ReleaseLanding(revision, _as_cited(group, before, after))
    for item in group:
        if item.place in moved:
            yield item, concluded(item.pinned, _cited(item.pinned, moved[item.place], before), landing)


def _fault(pinned: Pinned, before: ReleaseFiles) -> str:
    """Why a citation cannot be followed from an artifact: it must hold there as it does at its pin."""
    name = before.artifact.name
    if pinned.stands_at not in before.paths:
        return f"not followed: {name} has no {pinned.stands_at}"
    data = before.files[before.paths[pinned.stands_at]]
    if Content.of(data).blob == pinned.evidence.blob:
        return ""
    text = decode(data, pinned.stands_at)
    if not isinstance(text, Text):
        return f"not followed: {pinned.stands_at} in {name} is {text.reason}"
    again = compared(pinned.citation, text, lambda: None)
    if again.verdict is pinned.verdict and pinned.citation.kind in {Kind.QUOTE, Kind.VALUE}:
        return ""
    return f"not followed: {pinned.stands_at} in {name} is not the content at the pin, where it is {pinned.verdict}"


def _cited(pinned: Pinned, found: Relocation, before: ReleaseFiles) -> Relocation:
    """The same with the path as it is cited, where an artifact has the file at another one."""
    stands = before.paths[pinned.stands_at]

    def named(spot: Spot) -> Spot:
        return replace(spot, path=pinned.stands_at) if spot.path == stands else spot

    end = None if found.end is None else named(found.end)
    return replace(found, end=end, candidates=tuple(map(named, found.candidates)))


def _as_cited(group: Sequence[Numbered], before: ReleaseFiles, after: ReleaseFiles) -> Mapping[str, bytes]:
    """The new artifact's files, those that are cited also by their paths in the repository."""
    stands = {item.pinned.stands_at: before.paths.get(item.pinned.stands_at, "") for item in group}
    cited = {path: after.files[place] for path, place in stands.items() if place in after.files}
    return {**after.files, **cited}


def _unsure(found: Concluded, after: ReleaseFiles) -> Concluded:
    """What two artifacts can tell: nothing ties them to commits, and what one lacks may stand elsewhere."""
    relocation = found.relocation
    if relocation.status is Status.DELETED:
        message = f"{after.artifact.name} does not have it, and an artifact cannot refute"
        seen = f": {relocation.message}" if relocation.message else ""
        return replace(found, relocation=unknown(message + seen), diff="")
    if relocation.status is Status.UNAVAILABLE:
        return found
    return replace(found, relocation=replace(relocation, confidence=Confidence.LOW, commit=None))
