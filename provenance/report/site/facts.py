"""What is known of a result beside its verdict, as names and values for its page."""

from __future__ import annotations

from typing import TYPE_CHECKING

from provenance.citation import EvidenceKind, Quantity
from provenance.evidence import Assurance, Evidence, OriginKind, is_object_id
from provenance.links.permalinks import permalink, public_url, repository_url, swhid
from provenance.links.swhids import ARCHIVE_HOST
from provenance.report.site.views import Fact

if TYPE_CHECKING:
    from collections.abc import Iterator

    from provenance.evidence import Statement
    from provenance.links.forges import Hosts

_SURE = {
    Assurance.COMMIT: "commit: the bytes were proven from the pinned commit, through its trees",
    Assurance.LOCKED: "locked: the lock's digests answered, or the bytes have the id that the lock proved",
    Assurance.ARTIFACT: "artifact: nothing ties the bytes to the commit; they can confirm, and cannot refute",
}

_FROM = {
    OriginKind.GIT: "the git repository",
    OriginKind.RELEASE: "a release on the package index",
    OriginKind.ARCHIVE: "the Software Heritage archive",
    OriginKind.HUB: "the Hugging Face hub",
    OriginKind.LOCK: "the lock; no bytes were seen",
}


def citation_facts(evidence: Evidence, hosts: Hosts) -> Iterator[Fact]:
    """What is known of a citation."""
    citation, source = evidence.citation, evidence.citation.source
    lines = "" if citation.lines is None else f":{citation.lines}"
    yield Fact("Cited", f"{citation.path}{lines}", evidence.permalink, is_code=True)
    if citation.value is not None:
        yield Fact("Entry", citation.value.pointer or "(the whole file)", is_code=True)
        yield Fact("Expected value", citation.value.equals, is_code=True)
    yield from place_facts(source.git, evidence.revision, hosts, written=source.revision)
    if source.license is not None:
        yield Fact("Licence", source.license)
    if evidence.symbol is not None:
        yield Fact("In", evidence.symbol, is_code=True)
    if evidence.symbols:
        yield Fact("Holds", ", ".join(evidence.symbols), is_code=True)
    yield Fact("Evidence", _kind(evidence))
    if evidence.assurance is not None:
        yield Fact("Assurance", _SURE[evidence.assurance])
    if evidence.origin is not None:
        yield Fact("Read from", _FROM[evidence.origin])
    if evidence.judgement.similarity not in {None, 1.0}:
        yield Fact("Similarity", f"{evidence.judgement.similarity:.0%}")
    if evidence.judgement.difference is not None:
        yield Fact("Difference", evidence.judgement.difference.value)
    if evidence.expect is not None:
        expect = evidence.expect
        until = "" if expect.until is None else f" until {expect.until}"
        yield Fact("Expected", f"{expect.verdict or 'any verdict'}{until}: {expect.because}")
    yield from _swhid(source.git, evidence)


def _kind(evidence: Evidence) -> str:
    citation = evidence.citation
    if citation.evidence is EvidenceKind.DIRECT:
        return "direct"
    return "contextual" if citation.of is None else f"contextual, for {citation.of}"


def place_facts(git: str, revision: str, hosts: Hosts, *, written: str = "") -> Iterator[Fact]:
    """What is known of a repository at a revision.

    Args:
        git: its URL, as written.
        revision: as full as it is known.
        hosts: what further hosts run.
        written: the revision as the manifest has it.
    """
    yield Fact("Repository", public_url(git), repository_url(git, hosts))
    as_written = f" (written {written})" if written and written != revision else ""
    unknown = "" if is_object_id(revision) else " (never resolved to a commit)"
    yield Fact("Revision", f"{revision}{as_written or unknown}", is_code=True)


def _swhid(git: str, evidence: Evidence) -> Iterator[Fact]:
    identifier = swhid(git, evidence.blob, evidence.revision, evidence.citation.path, evidence.place)
    if identifier is not None:
        yield Fact("SWHID", identifier, f"https://{ARCHIVE_HOST}/{identifier}", is_code=True)


def file_facts(evidence: Evidence, hosts: Hosts) -> Iterator[Fact]:
    """What is known of a cited file."""
    git, path = evidence.citation.source.git, evidence.citation.path
    link = permalink(git, evidence.revision, path, None, hosts)
    yield Fact("File", path, link, is_code=True)
    yield from place_facts(git, evidence.revision, hosts)
    if evidence.blob is not None:
        yield Fact("Content", evidence.blob, is_code=True)
        identifier = swhid(git, evidence.blob, evidence.revision, path, None)
        if identifier is not None:
            yield Fact("SWHID", identifier, f"https://{ARCHIVE_HOST}/{identifier}", is_code=True)


def statement_facts(statement: Statement, hosts: Hosts) -> Iterator[Fact]:
    """What is known of a statement."""
    about = statement.about
    if not isinstance(about, Quantity):
        yield from place_facts(about.git, statement.revision or about.revision, hosts, written=about.revision)
        if about.stated is not None:
            yield Fact("Stated", about.stated, is_code=True)
    if statement.expect is not None:
        expect = statement.expect
        until = "" if expect.until is None else f" until {expect.until}"
        yield Fact("Expected", f"{expect.verdict or 'any verdict'}{until}: {expect.because}")
