"""Plain places that name the end of a path alone, such as `valve.py:10`: the file that is meant, if it is one."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import replace
from typing import TYPE_CHECKING

from provenance.answers import Unreached
from provenance.evidence import Verdict
from provenance.links.targets import PlainPlace
from provenance.scan.aiming import key

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from provenance.gather import Standing
    from provenance.origins import Origins
    from provenance.scan.aiming import Aim, Aimed
    from provenance.scan.resolving import Meaning

_MOST_TOLD = 5


def by_their_ends(
    aims: Sequence[Aimed], standings: Mapping[tuple[str, str, str], Standing], origins: Origins
) -> list[Aimed]:
    """The same, each place whose path is not there with the one path that ends so.

    Args:
        aims: documents, whose files have been asked for.
        standings: what became of those.
        origins: whom to ask for the paths of a commit.
    """
    ends: dict[tuple[str, str], set[str]] = defaultdict(set)
    for item in aims:
        for aim in item.aims:
            lost = _lost(aim, standings)
            if lost is not None:
                meaning, commit, end = lost
                ends[meaning.git, commit].add(end)
    if not ends:
        return list(aims)
    found = {(git, commit): origins.paths(git, commit, wanted) for (git, commit), wanted in ends.items()}
    return [replace(item, aims=tuple(_placed(item, standings, found))) for item in aims]


def _lost(aim: Aim, standings: Mapping[tuple[str, str, str], Standing]) -> tuple[Meaning, str, str] | None:
    """A place whose path its repository does not have: what it was taken for, at which commit, and what it names."""
    target = aim.mention.target
    if not isinstance(target, PlainPlace) or not aim.meanings:
        return None
    meaning = aim.meanings[0]
    standing = standings[key(meaning)]
    is_lost = standing.file is not None and standing.file.verdict is Verdict.NO_PATH
    return (meaning, standing.revision, target.path) if is_lost else None


def _placed(
    item: Aimed,
    standings: Mapping[tuple[str, str, str], Standing],
    found: Mapping[tuple[str, str], Mapping[str, tuple[str, ...]] | Unreached],
) -> Iterator[Aim]:
    for aim in item.aims:
        lost = _lost(aim, standings)
        if lost is None:
            yield aim
            continue
        meaning, commit, end = lost
        answer = found[meaning.git, commit]
        paths = () if isinstance(answer, Unreached) else answer.get(end, ())
        yield replace(aim, meanings=(_meant(meaning, end, paths),)) if paths else aim


def _meant(meaning: Meaning, end: str, paths: tuple[str, ...]) -> Meaning:
    if len(paths) == 1:
        note = f"{end} is taken for {paths[0]}, the one path that ends so"
        return replace(meaning, path=paths[0], notes=(*meaning.notes, note))
    more = ", …" if len(paths) > _MOST_TOLD else ""
    note = f"several paths end so: {', '.join(paths[:_MOST_TOLD])}{more}"
    return replace(meaning, notes=(*meaning.notes, note))
