"""One repository's citations, followed through its history: revisions resolved once, one history for all of them."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING

from provenance.answers import Lacking, Resolved, Unreached
from provenance.drift.concluding import Concluded, concluded
from provenance.drift.landing import CommitLanding
from provenance.drift.pinned import stayed
from provenance.drift.released import released
from provenance.drift.targets import is_id_of, release_named
from provenance.drift.task import reported, unfollowed
from provenance.errors import ProvError
from provenance.evidence import is_object_id
from provenance.history import NoWay

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from provenance.answers import Resolution
    from provenance.citation import LineRange
    from provenance.drift.follow import Place
    from provenance.drift.task import Followed, Follower, Numbered, Task
    from provenance.history import Commit, History
    from provenance.origins import Origins


@dataclass(frozen=True, slots=True)
class _Leg:
    """A citation with both ends of its way known."""

    item: Numbered
    old: str
    """Full commit id of its pin."""
    new: str
    """Full commit id of its target."""
    tag: str | None
    notes: tuple[str, ...]


def repository(task: Task, origins: Origins, follower: Follower) -> Iterator[Followed]:
    """Follow all citations of a repository. Each is reported once; a fault is what some of them report.

    Args:
        task: the repository and its citations.
        origins: whom to ask.
        follower: who tells where lines went.
    """
    of_releases = [item for item in task.citations if item.pinned.target.release is not None]
    of_commits = [item for item in task.citations if item.pinned.target.release is None]
    legs: list[_Leg] = []
    unreached: list[tuple[Numbered, Unreached]] = []
    resolutions = _resolutions(task.git, of_commits, origins)
    for item in of_commits:
        match _leg(item, resolutions):
            case _Leg(old=old, new=new) as leg if old == new:
                same = Concluded(stayed(item.pinned, new))
                yield reported(item, same, notes=leg.notes, revision=old, reached=new, tag=leg.tag)
            case _Leg() as leg:
                legs.append(leg)
            case Unreached() as failure:
                unreached.append((item, failure))
            case Lacking(message=message):
                yield unfollowed(item, message)
    walked = _walked(task.git, legs, origins, follower) if legs else ()
    if isinstance(walked, Unreached):
        unreached += [(leg.item, walked) for leg in legs]
    else:
        yield from walked
    yield from released(of_releases, origins, follower)
    yield from _elsewhere(unreached, origins, follower)


def _resolutions(git: str, items: Sequence[Numbered], origins: Origins) -> Mapping[str, Resolution]:
    """What revisions as written mean: the targets', and those of pins of which a release alone is known."""
    names = {item.pinned.target.name for item in items}
    names |= {item.pinned.evidence.revision for item in items}
    asked = {name for name in names if not is_object_id(name)}
    known: dict[str, Resolution] = {name: Resolved(name) for name in names - asked}
    if not asked:
        return known
    try:
        return known | origins.resolve(git, asked)
    except ProvError as error:
        return known | dict.fromkeys(asked, Unreached(str(error)))


def _leg(item: Numbered, resolutions: Mapping[str, Resolution]) -> _Leg | Lacking | Unreached:
    target = item.pinned.target
    old, new = resolutions[item.pinned.evidence.revision], resolutions[target.name]
    if not isinstance(new, Resolved):
        return new
    if not isinstance(old, Resolved):
        return old
    is_id = is_id_of(target.written, new.commit)
    notes = () if is_id else (f"{target.written} is commit {new.commit}", *([] if new.moves else new.notes))
    tag = None if is_id or new.moves else target.written
    return _Leg(item, old.commit, new.commit, tag, notes)


def _elsewhere(
    unreached: Sequence[tuple[Numbered, Unreached]], origins: Origins, follower: Follower
) -> Iterator[Followed]:
    """Where git does not answer: releases that a tag and an alternate tell of, else why there is no answer."""
    standing = []
    for item, failure in unreached:
        release = release_named(item.pinned.target, item.pinned.citation.source)
        if release is None or failure.refused:
            yield unfollowed(item, failure.message, refused=failure.refused)
        else:
            standing.append(item)
    yield from released(standing, origins, follower, instead={i.number: f.message for i, f in unreached})


def _walked(
    git: str, legs: Sequence[_Leg], origins: Origins, follower: Follower
) -> list[Followed] | Unreached:
    """Follow citations through one history."""
    try:
        history = origins.history(git, {commit for leg in legs for commit in (leg.old, leg.new)})
    except ProvError as error:
        return Unreached(str(error))
    if isinstance(history, Unreached):
        return history
    pairs: dict[tuple[str, str], list[_Leg]] = defaultdict(list)
    for leg in legs:
        pairs[leg.old, leg.new].append(leg)
    with history:
        found: list[tuple[_Leg, Concluded | str]] = []
        for pair, group in pairs.items():
            found += zip(group, _pair(history, pair, group, follower), strict=True)
        commits = _commits(history, found)
    return [_reported(leg, one, commits) for leg, one in found]


def _reported(leg: _Leg, found: Concluded | str, commits: Mapping[str, Commit]) -> Followed:
    if isinstance(found, str):
        return unfollowed(leg.item, found)
    commit = commits.get(found.relocation.commit or "")
    return reported(
        leg.item, found, commit=commit, notes=leg.notes, revision=leg.old, reached=leg.new, tag=leg.tag
    )


def _commits(history: History, found: Sequence[tuple[_Leg, Concluded | str]]) -> Mapping[str, Commit]:
    """Dates and subjects of all commits that are told of."""
    ids = {one.relocation.commit for _, one in found if not isinstance(one, str)} - {None}
    try:
        return history.commits({id_ for id_ in ids if id_ is not None}) if ids else {}
    except ProvError:
        return {}  # their ids are told without


def _pair(
    history: History, pair: tuple[str, str], group: Sequence[_Leg], follower: Follower
) -> list[Concluded | str]:
    """What became of citations on one way, in their order; a string where that could not be told."""
    old, new = pair
    try:
        missing = [one for one in pair if one not in history.commits(pair)]
        if missing:
            way = history.way(old, new)
            reason = way.reason if isinstance(way, NoWay) else f"commit {missing[0][:12]} could not be had"
            return [reason] * len(group)
        return _followed(history, pair, group, follower)
    except ProvError as error:
        return [str(error)] * len(group)


def _followed(
    history: History, pair: tuple[str, str], group: Sequence[_Leg], follower: Follower
) -> list[Concluded | str]:
    from provenance.drift.follow import Place

    old, new = pair
    stands = history.entries(old, {leg.item.pinned.stands_at for leg in group})
    places: dict[tuple[str, LineRange], Place] = {}
    faults: dict[int, str] = {}
    for leg in group:
        pinned = leg.item.pinned
        entry, judged = stands.get(pinned.stands_at), pinned.evidence.blob
        if entry is None or judged not in {None, entry.id}:
            faults[leg.item.number] = (
                f"not followed: commit {old[:12]} does not have the content that was judged; run prov fetch"
            )
        else:
            places[leg.item.place] = Place(*leg.item.place)
    moved = dict(zip(places, follower.follow(history, old, new, list(places.values())), strict=True))
    landing = CommitLanding(history, old, new)
    return [
        faults.get(leg.item.number) or concluded(leg.item.pinned, moved[leg.item.place], landing)
        for leg in group
    ]
