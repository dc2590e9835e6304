"""The results of a run as a site has them: in the list of all, and by the file that they are about."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, NamedTuple, assert_never

from provenance.citation import Quantity
from provenance.evidence import Evidence, Statement
from provenance.links.permalinks import public_url, repository_url
from provenance.report.site.listing import shortened
from provenance.report.site.names import Names, name_of
from provenance.report.site.views import Document, Entry
from provenance.verify import findings

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from provenance.evidence import Finding
    from provenance.judging import Batch
    from provenance.store.store import Store
    from provenance.verify import Settings


class Place(NamedTuple):
    """A file at a revision, by what tells it from all others."""

    git: str
    revision: str
    path: str
    blob: str | None


class Item(NamedTuple):
    """A result, and where its page will be."""

    finding: Finding
    document: Document
    page: str
    number: int
    """Its place among all results as they came."""


@dataclass(slots=True)
class Collected:
    """Results by what they are about."""

    cited: dict[Place, list[Item]] = field(default_factory=dict)
    statements: list[Item] = field(default_factory=list)
    entries: list[Entry] = field(default_factory=list)
    """Of all results as they came; a cited file's page is filled in when it is known that there is one."""


def noted(
    batches: Iterable[Batch], store: Store, settings: Settings, collected: Collected
) -> Iterator[Finding]:
    """Every result, which is noted on its way."""
    names = Names()
    for batch in batches:
        stored = batch.manifest.stored
        document = Document(stored.path, shortened(stored.title), stored.url)
        stem = stored.path.rpartition("/")[2].rpartition(".")[0]
        for finding in findings(batch, store, settings):
            page = f"results/{names.take(name_of([stem, finding.id], stored.path, finding.id))}.html"
            item = Item(finding, document, page, len(collected.entries))
            collected.entries.append(entry(finding, document, page))
            if isinstance(finding, Evidence):
                place = _place(finding)
                collected.cited.setdefault(place, []).append(item)
            else:
                collected.statements.append(item)
            yield finding


def _place(evidence: Evidence) -> Place:
    citation = evidence.citation
    return Place(public_url(citation.source.git), evidence.revision, citation.path, evidence.blob)


def entry(finding: Finding, document: Document, page: str, file: str = "", count: int = 0) -> Entry:
    """A result in the list of all.

    Args:
        finding: the result.
        document: what it stands in.
        page: its page.
        file: the page of the cited file; empty where there is none.
        count: how many lines that has.
    """
    position = finding.position
    listed = Entry(
        level=finding.level,
        verdict=finding.judgement.verdict.value,
        id=finding.id,
        document=document,
        line=None if position is None else position.line,
        page=page,
    )
    match finding:
        case Evidence(citation=citation, place=lines):
            return replace(
                listed,
                repository=short(citation.source.git),
                path=citation.path,
                lines=lines,
                assurance=finding.assurance or "",
                claim=citation.claim,
                file=f"{file}#L{min(lines.first, count)}" if file and lines and count else file,
            )
        case Statement(about=about, shown=shown):
            repository = "" if isinstance(about, Quantity) else short(about.git)
            return replace(listed, repository=repository, path=shown)
        case _:
            assert_never(finding)


def short(git: str) -> str:
    """A repository as a list names it, such as `openai/gpt-2`: the end of its address."""
    url = repository_url(git) or public_url(git)
    return "/".join(url.rstrip("/").removesuffix(".git").rsplit("/", 2)[-2:])
