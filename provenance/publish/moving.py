"""What `prov drift` last found out of a citation, as its page tells it. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING

from provenance.links.permalinks import permalink
from provenance.relocation import LEVELS, Confidence
from provenance.report.site.views import Fact, Moved

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from provenance.evidence import Evidence
    from provenance.links.forges import Hosts
    from provenance.relocation import Spot
    from provenance.store.records import StoredDrift

_CANDIDATES = 10
"""Equally good places that are listed."""


def moved(evidence: Evidence, drifts: Iterable[StoredDrift], hosts: Hosts) -> Iterator[Moved]:
    """The drifts of a citation; those that began where it was cited before are left out.

    Args:
        evidence: the citation, judged.
        drifts: what is stored of it.
        hosts: what further hosts run.
    """
    git = evidence.citation.source.git
    for drift in drifts:
        start, found = drift.start, drift.relocation
        if (start.revision, start.path, start.lines) != (
            evidence.revision,
            evidence.citation.path,
            evidence.place,
        ):
            continue
        yield Moved(
            status=found.status.value,
            level=LEVELS[found.status],
            asked="the latest revision" if drift.target == "latest" else drift.target,
            facts=[*_facts(git, drift, hosts)],
            message=found.message,
            diff=drift.diff,
            notes=drift.notes,
            when=drift.when,
        )


def _facts(git: str, drift: StoredDrift, hosts: Hosts) -> Iterator[Fact]:
    found = drift.relocation
    if drift.reached is not None:
        yield Fact("Revision", drift.reached, is_code=True)
    if found.end is not None:
        yield _at("Now at", git, found.end, hosts)
    for spot in found.candidates[:_CANDIDATES]:
        yield _at("Perhaps at", git, spot, hosts)
    if found.similarity is not None:
        yield Fact("Similarity", f"{found.similarity:.0%}")
    if found.confidence is Confidence.LOW:
        yield Fact("Confidence", "low")
    if drift.commit is not None:
        date = drift.commit.date[:10]
        yield Fact("By commit", f"{drift.commit.id[:12]} {date} “{drift.commit.subject}”")
    elif found.commit is not None:
        yield Fact("By commit", found.commit[:12], is_code=True)


def _at(name: str, git: str, spot: Spot, hosts: Hosts) -> Fact:
    lines = "" if spot.lines is None else f":{spot.lines}"
    link = permalink(git, spot.revision, spot.path, spot.lines, hosts)
    return Fact(name, f"{spot.path}{lines}", link, is_code=True)
