"""Show: a locator -> one place in a repository, with what documents claim of it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from provenance.ask import Needed
from provenance.citation import LineRange
from provenance.compare.invisible import invisible
from provenance.errors import UsageError
from provenance.evidence import Lacking, Unreached, Verdict
from provenance.extract.decode import NotText
from provenance.extract.languages import language_of
from provenance.gather import gather
from provenance.judging import Judge
from provenance.loading import load
from provenance.locate import Locating
from provenance.reading import Reading
from provenance.report.show import Place, ShownLine
from provenance.verify import evidence_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from provenance.evidence import Evidence
    from provenance.gather import Asking, Standing
    from provenance.loading import Loaded
    from provenance.project import LockFiles, ManifestFile
    from provenance.store.records import CitedFile, StoredCitation
    from provenance.store.store import Store
    from provenance.verify import Settings


@dataclass(frozen=True, slots=True)
class View:
    """How much is shown, and of which revision."""

    context: int = 0
    """Lines before and after."""
    at: str | None = None
    """Another revision than the pinned one."""


@dataclass(frozen=True, slots=True)
class NotShown:
    """There are no lines to show, and why."""

    failure: Lacking | Unreached
    problems: tuple[str, ...] = ()


def show(
    locator: str,
    files: Sequence[ManifestFile],
    store: Store,
    lock_files: LockFiles,
    asking: Asking,
    settings: Settings,
    view: View,
) -> Place | NotShown:
    """Find a place and read it, asking for what is not stored.

    Raises:
        UsageError: the locator names nothing that is cited, or several things.
        StoreError: the evidence database cannot be used.
    """
    loading = load(files, store, lock_files)
    manifests = {manifest.stored.path: manifest for manifest in loading.loaded}
    locating = Locating(store, manifests)
    target = locating.target(locator)
    cited = locating.cited_in(target.file)
    lines = target.lines or _only_range(locator, cited)
    name, first = next(((name, item) for name, item in cited if name == target.manifest), cited[0])
    source = first.citation.source
    if view.at is not None:
        source, cited = replace(source, revision=view.at, alternates=()), []
    need = Needed(source, target.file.path, manifests[name].lock)
    gathered = gather([need], store, replace(asking, written=loading.written))
    problems = (*loading.problems, *gathered.contradictions, *gathered.refused.values())
    standing = gathered.standings[need.key]
    near = [(name, item) for name, item in cited if item.citation.lines.overlaps(lines)]
    judge = Judge(store, gathered.standings)
    evidence = [_evidence(judge, manifests[name], item, store, settings) for name, item in near]
    if isinstance(standing.failure, Unreached):
        quoted = _quoted(target.file, lines, standing, evidence)
        if quoted is not None:
            return quoted
    if standing.failure is not None:
        return NotShown(standing.failure, problems)
    return _place(target.file, lines, standing, evidence, Reading(store), view)


def _only_range(locator: str, cited: Sequence[tuple[str, StoredCitation]]) -> LineRange:
    """The lines of a file that is named without any: those of its only citation.

    Raises:
        UsageError: it has several.
    """
    ranges = sorted({item.citation.lines for _, item in cited})
    if len(ranges) == 1:
        return ranges[0]
    path = cited[0][1].citation.path
    message = "\n  ".join([f"{locator} has several cited ranges:", *(f"{path}:{lines}" for lines in ranges)])
    raise UsageError(message)


def _evidence(
    judge: Judge, manifest: Loaded, item: StoredCitation, store: Store, settings: Settings
) -> Evidence:
    verdict = judge.verdict(manifest, item)
    symbols = store.symbols(verdict.blob, item.citation.lines) if verdict.blob else None
    return evidence_of(manifest.stored.path, item.citation, verdict, symbols, settings)


def _quoted(
    file: CitedFile, lines: LineRange, standing: Standing, evidence: Iterable[Evidence]
) -> Place | None:
    """The quote of a citation that only the lock vouches for; None where it vouches for none."""
    vouched = [item for item in evidence if item.assurance is not None and item.citation.quote is not None]
    if not vouched:
        return None
    quote = vouched[0].citation.quote or ""
    return Place(
        git=file.git,
        revision=vouched[0].revision,
        path=file.path,
        lines=vouched[0].citation.lines if lines != vouched[0].citation.lines else lines,
        shown=tuple(ShownLine(None, text, cited=True) for text in quote.removesuffix("\n").split("\n")),
        blob=vouched[0].blob,
        evidence=tuple(vouched),
        assurance=vouched[0].assurance,
        origin=vouched[0].origin,
        notes=(standing.failure.message,) if standing.failure else (),
        quote_only=True,
    )


def _place(
    file: CitedFile,
    lines: LineRange,
    standing: Standing,
    evidence: Sequence[Evidence],
    reading: Reading,
    view: View,
) -> Place | NotShown:
    stored = standing.file
    if stored is None or stored.blob is None:
        verdict = stored.verdict if stored else None
        return NotShown(
            Lacking(verdict, stored.message) if stored and verdict else Unreached("nothing is stored")
        )
    text = reading.text(stored.blob, file.path)
    if isinstance(text, NotText):
        return NotShown(Lacking(Verdict.NOT_TEXT, text.reason))
    count = len(text)
    if lines.first > count and not evidence:  # a citation of such lines is shown with its verdict
        return NotShown(Lacking(Verdict.OUT_OF_RANGE, f"the file has {count} lines"))
    notes = [*stored.notes, *text.notes]
    if lines.last > count:
        notes.append(f"the file has {count} lines")
    shown = LineRange(max(1, lines.first - view.context), lines.last + view.context)
    outline = reading.outline(stored.blob, file.path)
    hidden = invisible(text.excerpt(lines))
    language = language_of(file.path)
    return Place(
        git=file.git,
        revision=standing.revision,
        path=file.path,
        lines=lines,
        shown=tuple(
            ShownLine(number, line, cited=number in lines)
            for number, line in enumerate(text.slice(shown), start=shown.first)
        ),
        blob=stored.blob,
        language=language.name if language else None,
        symbol=outline.symbol(lines) if outline else None,
        symbols=outline.symbols(lines) if outline else (),
        evidence=tuple(evidence),
        assurance=standing.assurance,
        origin=stored.origin,
        notes=(*notes, *([f"the lines hold {hidden}"] if hidden else [])),
    )
