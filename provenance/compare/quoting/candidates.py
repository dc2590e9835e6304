"""Which blocks may be the quote of which mention, by where they stand and what they look like."""

from __future__ import annotations

from heapq import nlargest
from typing import TYPE_CHECKING, NamedTuple

from provenance.compare.quoting.around import Surroundings
from provenance.compare.quoting.cited import cited
from provenance.compare.quoting.frames import frames
from provenance.compare.quoting.hints import hint, names_place, names_source
from provenance.compare.quoting.inside import Spot, parts
from provenance.compare.quoting.relations import Candidate, Relation
from provenance.compare.quoting.shares import shares

if TYPE_CHECKING:
    from collections.abc import Iterator

    from provenance.compare.quoting.cited import Cited
    from provenance.compare.quoting.inside import Part
    from provenance.document import Block, Mention, Sheet

_MOST = 6
"""Candidates of a mention."""
_MOST_SUITORS = 24
"""Mentions that a block, or a part of one, is a candidate of; in a heap of links the likeliest are."""
_TITLED = 0.9
_SOURCE_BELOW = 1.2
"""For a block directly above a link such as "Source" or "Link to code"."""
_LEAST = 0.1
"""What is less likely by where it stands is not read."""
_CERTAIN = 0.99


class _Seen(NamedTuple):
    """A block as it stands to a mention, before it is read."""

    likelihood: float
    block: Block
    relation: Relation
    distance: int = 0
    part: tuple[int, int] | None = None
    said: bool = False
    """Whether a comment within it or a caption says that it is the quote."""


def candidates(sheet: Sheet) -> tuple[tuple[Candidate, ...], ...]:
    """For each mention of the sheet the blocks that may be its quote, the likeliest first."""
    places = [cited(mention) for mention in sheet.mentions]
    surroundings = Surroundings(sheet.blocks, sheet.mentions)
    split = {block.where.order: block.text.split("\n") for block in sheet.blocks}
    inside = _inside(sheet, split)
    seen = [
        list(_seen(sheet, at, place, surroundings, inside)) if place else []
        for at, place in enumerate(places)
    ]
    _thin(seen)
    read = [
        [_candidate(sheet.mentions[at], at, place, one, split) for one in around] if place else []
        for at, (place, around) in enumerate(zip(places, seen, strict=True))
    ]
    for share in list(shares(read, split)):
        read[share.mention].append(share)
    return tuple(tuple(sorted(every, key=_rank)[:_MOST]) for every in read)


def _rank(candidate: Candidate) -> tuple[float, int, tuple[int, bool, tuple[int, int]]]:
    return -candidate.likelihood, candidate.distance, candidate.rank


def _inside(sheet: Sheet, split: dict[int, list[str]]) -> dict[int, list[Part]]:
    """For the mentions that stand in blocks what of these they may be about."""
    within: dict[int, list[int]] = {}
    for at, mention in enumerate(sheet.mentions):
        lines = split.get(mention.block, []) if mention.block is not None else []
        if mention.block is not None and mention.block_line is not None and mention.block_line < len(lines):
            within.setdefault(mention.block, []).append(at)
    found: dict[int, list[Part]] = {}
    for order, mentions in within.items():
        spots = sorted((sheet.mentions[at].block_line or 0, at) for at in mentions)
        every = parts(split[order], [Spot(line, sheet.mentions[at].raw) for line, at in spots])
        found.update(zip((at for _, at in spots), every, strict=True))
    return found


def _seen(
    sheet: Sheet, at: int, place: Cited, surroundings: Surroundings, inside: dict[int, list[Part]]
) -> Iterator[_Seen]:
    """The blocks in reach of a mention."""
    mention = sheet.mentions[at]
    own = surroundings.block(mention.block) if mention.block is not None else None
    if own is not None and mention.block_line is None:
        yield _Seen(_TITLED, own, Relation.CAPTION, said=True)
        return
    if own is not None and inside.get(at):
        for part in inside[at]:
            yield _Seen(part.likelihood, own, Relation.INSIDE, part=part.lines, said=part.said)
        return
    # A block that holds nothing but links is like a paragraph.
    for near in surroundings.around(own.where if own else mention.where):
        titled = names_place(near.block.title, place.path)
        said = titled or near.relation is Relation.CAPTION
        relation = Relation.CAPTION if said else near.relation
        likelihood = near.likelihood
        if titled:
            likelihood += (_TITLED - likelihood) / 2
        elif relation is Relation.BEFORE and names_source(mention.text):
            likelihood *= _SOURCE_BELOW
        if likelihood >= _LEAST:
            yield _Seen(likelihood, near.block, relation, near.distance, said=said)


def _thin(seen: list[list[_Seen]]) -> None:
    """Leave each block its likeliest mentions: what a block costs does not grow with the links around it."""
    suitors: dict[tuple[int, tuple[int, int] | None], list[tuple[float, int]]] = {}
    for at, around in enumerate(seen):
        for one in around:
            suitors.setdefault((one.block.where.order, one.part), []).append((one.likelihood, -at))
    kept = {key: {-at for _, at in nlargest(_MOST_SUITORS, every)} for key, every in suitors.items()}
    for at, around in enumerate(seen):
        left = [one for one in around if at in kept[one.block.where.order, one.part]]
        around[:] = nlargest(_MOST, left, key=lambda one: one.likelihood)


def _candidate(mention: Mention, at: int, place: Cited, one: _Seen, split: dict[int, list[str]]) -> Candidate:
    block = one.block
    text = block.text
    if one.part is not None:
        text = "\n".join(split[block.where.order][one.part[0] : one.part[1] + 1])
    readings = frames(text, place.path, place.lines, language=block.language)
    looks = hint(block, place, mention.text, readings)
    return Candidate(
        mention=at,
        place=place,
        block=block.where.order,
        relation=one.relation,
        likelihood=min(one.likelihood * looks.factor, _CERTAIN),
        readings=readings,
        part=one.part,
        sure=(one.said and not looks.against) or looks.sure,
        defines=looks.defines,
        distance=one.distance,
    )
