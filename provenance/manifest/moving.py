"""What a manifest says once its citations are re-pinned: records -> records."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from provenance.manifest.fields import NAME_LENGTH

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from provenance.citation import Citation, Manifest, Source
    from provenance.manifest.repin import Repin

_COMMIT = re.compile(r"[0-9a-f]{7,64}")
_SHORT = 7
"""Digits of a commit id in a source's name."""
_LONGER = 12
"""The same, where another source has that name."""
_NOT_IN_A_NAME = re.compile(r"[^\w.]+", re.ASCII)
_SLUG = 40
"""Characters of a tag in a source's name."""


def moved(manifest: Manifest, repins: Mapping[str, Repin]) -> tuple[Manifest, tuple[str, ...]]:
    """The manifest with its citations re-pinned, and what a person must look at.

    A revision belongs to a source. Where all its citations go to one revision, the source goes there; else those
    that go get another source of the same repository, a new one where there is none.

    Args:
        manifest: as it is.
        repins: by the ids of its citations.
    """
    sources = _Sources(manifest, repins)
    for source in manifest.sources:
        sources.settle(source)
    citations = tuple(
        _moved(citation, sources.of(citation), repins.get(citation.id)) for citation in manifest.citations
    )
    return replace(manifest, sources=sources.all(), citations=citations), tuple(sources.notes)


def same_revision(one: str, other: str) -> bool:
    """Whether two revisions are written alike, or one is the short form of the other commit id."""
    if one == other:
        return True
    short, long = sorted((one.lower(), other.lower()), key=len)
    return (
        _COMMIT.fullmatch(short) is not None
        and _COMMIT.fullmatch(long) is not None
        and long.startswith(short)
    )


def _moved(citation: Citation, source: Source, repin: Repin | None) -> Citation:
    if repin is None:
        return replace(citation, source=source)
    # A value without lines is found by its pointer, wherever it stands.
    keeps = citation.lines is None or repin.lines is None
    return replace(
        citation,
        source=source,
        path=repin.path,
        lines=citation.lines if keeps else repin.lines,
        quote=citation.quote if repin.quote is None else repin.quote,
    )


class _Sources:
    """The sources of a manifest on their way: which of them change, and which are added."""

    def __init__(self, manifest: Manifest, repins: Mapping[str, Repin]) -> None:
        self.notes: list[str] = []
        self._citations: dict[str, list[Citation]] = {source.name: [] for source in manifest.sources}
        for citation in manifest.citations:
            self._citations[citation.source.name].append(citation)
        self._targets = {
            source.name: _targets(source, self._citations[source.name], repins) for source in manifest.sources
        }
        # What is changed in place is known first: citations of others may join a source there, or no longer.
        self._now = {source.name: self._in_place(source) for source in manifest.sources}
        self._added: dict[str, list[Source]] = {source.name: [] for source in manifest.sources}
        self._chosen: dict[str, Source] = {}
        """The source of each citation that goes to another one, by the citation's id."""

    def of(self, citation: Citation) -> Source:
        """The source that a citation has then."""
        return self._chosen.get(citation.id) or self._now[citation.source.name]

    def all(self) -> tuple[Source, ...]:
        """All sources, those that are added behind the ones they come from."""
        return tuple(one for name, now in self._now.items() for one in (now, *self._added[name]))

    def settle(self, source: Source) -> None:
        """Find a source for each citation that leaves this one, and note what a person must look at."""
        if self._now[source.name] is not source:
            self._note_change(source)
            return
        targets = self._targets[source.name]
        chosen = {target: self._joined(source, target) for target in dict.fromkeys(targets.values())}
        self._chosen |= {id_: chosen[target] for id_, target in targets.items()}
        if targets and len(targets) == len(self._citations[source.name]):
            self.notes.append(f"no citation is left of the source {source.name}: it can be taken away")

    def _in_place(self, source: Source) -> Source:
        """The source at the one revision that all its citations go to; as it is where they do not."""
        targets = self._targets[source.name]
        revisions = set(targets.values())
        if len(revisions) != 1 or len(targets) != len(self._citations[source.name]):
            return source
        if _plain_name(source) != source.name:
            return source  # its name tells its revision
        return replace(source, revision=revisions.pop())

    def _joined(self, source: Source, target: str) -> Source:
        others = [one for one in self.all() if one.git == source.git and same_revision(one.revision, target)]
        if others:
            return next((one for one in others if one.revision == target), others[0])
        name = _name(_plain_name(source), target, {one.name for one in self.all()})
        new = replace(source, name=name, revision=target, alternates=(), stated=None, position=None)
        self._added[source.name].append(new)
        return new

    def _note_change(self, source: Source) -> None:
        now = self._now[source.name].revision
        if source.alternates:
            held = ", ".join(str(release) for release in source.alternates)
            self.notes.append(
                f"the source {source.name} is now at {now}, and its alternates ({held}) hold "
                f"the files of {source.revision}: name releases of the new revision, or take them away"
            )
        if source.stated is not None:
            self.notes.append(
                f"the document states {source.stated} for {source.name}, which is now at {now}: "
                "edit the document, and `stated` with it"
            )


def _targets(source: Source, citations: Iterable[Citation], repins: Mapping[str, Repin]) -> dict[str, str]:
    """The revisions that citations leave their source for, by id; one spelling for one commit."""
    targets: dict[str, str] = {}
    for citation in citations:
        repin = repins.get(citation.id)
        if repin is None or same_revision(repin.revision, source.revision):
            continue
        known = (one for one in targets.values() if same_revision(one, repin.revision))
        targets[citation.id] = next(known, repin.revision)
    return targets


def _endings(revision: str) -> Sequence[str]:
    """What tells a revision in a source's name, the shortest first."""
    if _COMMIT.fullmatch(revision.lower()):
        return [revision[:_SHORT], revision[:_LONGER]]
    return [_NOT_IN_A_NAME.sub("-", revision)[:_SLUG].strip("-.") or "other"]


def _plain_name(source: Source) -> str:
    """A source's name without the revision that it tells."""
    for ending in reversed(_endings(source.revision)):
        if source.name.endswith(f"-{ending}") and len(source.name) > len(ending) + 1:
            return source.name[: -len(ending) - 1]
    return source.name


def _name(old: str, revision: str, taken: set[str]) -> str:
    """A name for a source at another revision, which none has yet."""
    parts = _endings(revision)
    numbered = (f"{parts[-1]}-{number}" for number in range(2, len(taken) + 3))
    names = (f"{old[: NAME_LENGTH - 1 - len(part)].rstrip()}-{part}" for part in (*parts, *numbered))
    return next(name for name in names if name not in taken)
