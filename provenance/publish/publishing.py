"""Publish: judged manifests -> the pages of a site, file by file, so that each cited file is read and coloured once."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from provenance.evidence import Evidence, Statement
from provenance.extract.decode import decode
from provenance.extract.languages.table import PLAIN
from provenance.extract.lines import Text
from provenance.publish.collecting import Collected, entry, noted, short
from provenance.publish.filing import file_view
from provenance.publish.moving import moved
from provenance.publish.showing import MOST_CHARACTERS, shown
from provenance.report.site.code import Lines
from provenance.report.site.colour import Colours
from provenance.report.site.facts import citation_facts, statement_facts
from provenance.report.site.listing import ordered, pages, script
from provenance.report.site.names import Names, name_of
from provenance.report.site.rendering import ASSETS, DATA, Pages, asset
from provenance.report.site.views import Change, CitationView, Neighbours, StatementView
from provenance.report.text import conclusion
from provenance.verify import summary_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from provenance.evidence import Finding, Summary
    from provenance.extract.languages.table import Languages
    from provenance.judging import Batch
    from provenance.publish.collecting import Item, Place
    from provenance.publish.folder import Writer
    from provenance.report.site.views import Entry
    from provenance.store.store import Store
    from provenance.verify import Settings

_IN_ALL = 500_000_000
"""Characters of the citations' pages that show all they can: a short manifest can cite a large file many times."""
_LEAST = 2_000
"""Characters of code that the others show of it."""


@dataclass(frozen=True, slots=True)
class Published:
    """What was written."""

    summary: Summary
    conclusion: str
    """The counts in a sentence."""
    files: int
    """How many cited files have a page."""


def publish(
    batches: Sequence[Batch],
    store: Store,
    settings: Settings,
    writer: Writer,
    *,
    problems: Sequence[str] = (),
    languages: Languages = PLAIN,
) -> Published:
    """Write the site of judged manifests.

    Args:
        batches: the manifests, judged.
        store: where their evidence is.
        settings: what levels depend on.
        writer: where pages go.
        problems: what could not be read, which the site tells.
        languages: of the files.

    Raises:
        StoreError: the evidence database cannot be used.
        UsageError: a page cannot be written.
        DiskFault: there is no room for it.
    """
    collected = Collected()
    summary = summary_of(noted(batches, store, settings, collected))
    return _Site(collected, store, settings, writer, languages).written(summary, problems)


class _Site:
    """Writes the pages of what was collected."""

    def __init__(
        self, collected: Collected, store: Store, settings: Settings, writer: Writer, languages: Languages
    ) -> None:
        self._collected = collected
        self._store = store
        self._settings = settings
        self._writer = writer
        self._languages = languages
        self._pages = Pages(settings.today.isoformat())
        self._colours = Colours()
        self._names = Names()
        self._near = _neighbours(ordered(collected.entries))
        self._left = _IN_ALL

    def written(self, summary: Summary, problems: Sequence[str]) -> Published:
        """Write all pages."""
        files = 0
        cited = self._collected.cited
        while cited:  # what is written is let go of
            place = next(iter(cited))
            files += self._file(place, cited.pop(place))
        for item in self._collected.statements:
            self._statement(item)
        told = conclusion(summary)
        entries = ordered(self._collected.entries)
        self._writer.write(DATA, script(entries))
        for name in ASSETS:
            self._writer.write(f"assets/{name}", [asset(name)])
        for name, view in pages(entries, summary, told, problems):
            self._writer.write(name, [self._pages.listing(view)])
        return Published(summary, told, files)

    def _file(self, place: Place, items: Sequence[Item]) -> bool:
        """Write the page of a cited file, and those of its citations; whether there is one of the file."""
        text = self._text(place)
        source = page = None
        if text is not None:
            shown_as = [short(place.git), place.path[-60:]]
            page = f"files/{self._names.take(name_of(shown_as, place.git, place.revision, place.path))}.html"
            language = self._languages.of(place.path)
            name = None if language is None else language.name
            source = Lines(text.lines, self._colours.lines(text.text, place.path, name))
        for item in items:
            count = 0 if source is None else len(source)
            listed = entry(item.finding, item.document, item.page, page or "", count)
            self._collected.entries[item.number] = listed
            if isinstance(item.finding, Evidence):
                self._citation(item, item.finding, source)
        if text is None or source is None or page is None:
            return False
        evidence = [item.finding for item in items if isinstance(item.finding, Evidence)]
        entries = [self._collected.entries[item.number] for item in items]
        view = file_view(page, evidence[0], entries, source, text.notes, self._settings.hosts)
        self._writer.write(page, [self._pages.file(view)])
        return True

    def _text(self, place: Place) -> Text | None:
        """A cited file; None where its bytes are not at hand, or are no text."""
        content = None if place.blob is None else self._store.content(place.blob)
        found = None if content is None else decode(content.data, place.path)
        return found if isinstance(found, Text) else None

    def _citation(self, item: Item, evidence: Evidence, source: Lines | None) -> None:
        most = MOST_CHARACTERS if self._left > 0 else _LEAST
        listed = self._collected.entries[item.number]
        view = CitationView(
            listed,
            evidence,
            [*citation_facts(evidence, self._settings.hosts)],
            shown(evidence, source, most),
            [*self._history(evidence)],
            [*moved(evidence, self._store.drifts(evidence.manifest, evidence.id), self._settings.hosts)],
        )
        page = self._pages.citation(view, self._near[item.page])
        self._left -= len(page)
        self._writer.write(item.page, [page])

    def _history(self, finding: Finding) -> Iterator[Change]:
        """The verdicts that were recorded, the latest first."""
        for was in reversed(self._store.history(finding.manifest, finding.id)):
            run = f"prov {was.command}, {was.version}"
            yield Change(was.when, was.verdict, was.revision, was.assurance or "", was.origin or "", run)

    def _statement(self, item: Item) -> None:
        if isinstance(item.finding, Statement):
            listed = self._collected.entries[item.number]
            facts = [*statement_facts(item.finding, self._settings.hosts)]
            view = StatementView(listed, item.finding, facts, [*self._history(item.finding)])
            self._writer.write(item.page, [self._pages.statement(view, self._near[item.page])])


def _neighbours(entries: Sequence[Entry]) -> dict[str, Neighbours]:
    """The pages before and after each, in the list's order."""
    names = ["", *(item.page for item in entries), ""]
    return {
        name: Neighbours(before, after)
        for before, name, after in zip(names, names[1:], names[2:], strict=False)
    }
