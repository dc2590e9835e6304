"""Show: a locator -> one place in a repository, with what documents claim of it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from provenance.answers import Lacking, Unreached
from provenance.ask import Needed
from provenance.citation import LineRange
from provenance.compare.invisible import invisible
from provenance.errors import UsageError
from provenance.evidence import Verdict
from provenance.extract.decode import NotText
from provenance.gather import gather
from provenance.judging import Judge
from provenance.loading import load
from provenance.locate import Locating
from provenance.reading import Reading
from provenance.report.show import Place, ShownLine
from provenance.statements import stated_in
from provenance.verify import evidence_of, statement_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from provenance.citation import ExpectedValue
    from provenance.evidence import Evidence, Statement
    from provenance.extract.lines import Text
    from provenance.gather import Asking, Standing
    from provenance.loading import Loaded
    from provenance.locate import Target
    from provenance.project import LockFiles, ManifestFile
    from provenance.store.records import CitedFile, StoredCitation
    from provenance.store.store import Store
    from provenance.verify import Settings


_WHOLE = 40
"""Lines that are shown of a file in which a value stands nowhere."""


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
) -> Place | Statement | NotShown:
    """Find a place and read it, asking for what is not stored; or a statement, which needs nothing.

    Raises:
        UsageError: the locator names nothing that is cited, or several things.
        StoreError: the evidence database cannot be used.
    """
    loading = load(files, store, lock_files, asking.languages)
    manifests = {manifest.stored.path: manifest for manifest in loading.loaded}
    stated = _statement(locator, manifests, store, settings)
    if stated is not None:
        return stated
    locating = Locating(store, manifests)
    target = locating.target(locator)
    cited = locating.cited_in(target.file)
    name, first = next((item for item in cited if _is_meant(target, *item)), cited[0])
    source, lines = first.citation.source, target.lines
    if view.at is not None:
        lines = lines or _only_range(
            locator, target, [(name, item.citation.id, item.citation.lines) for name, item in cited]
        )
        source, cited = replace(source, revision=view.at, alternates=()), []
    need = Needed(source, target.file.path, manifests[name].lock)
    gathered = gather([need], store, replace(asking, written=loading.written))
    problems = (*loading.problems, *gathered.contradictions, *gathered.refused.values())
    standing = gathered.standings[need.key]
    judge = Judge(store, gathered.standings, languages=asking.languages)
    found = [
        _evidence(judge, manifests[name], item, store, settings)
        for name, item in cited
        if lines is None or item.citation.lines is None or item.citation.lines.overlaps(lines)
    ]
    if view.at is None and lines is None:
        lines = _only_range(locator, target, [(item.manifest, item.id, item.place) for item in found])
    evidence = [item for item in found if _is_at(item, lines)]
    if isinstance(standing.failure, Unreached):
        quoted = _quoted(target.file, standing, evidence)
        if quoted is not None:
            return quoted
    if standing.failure is not None:
        return NotShown(standing.failure, problems)
    value = first.citation.value if lines is None else None
    return _place(target.file, lines or value, standing, evidence, Reading(store, asking.languages), view)


def _is_meant(target: Target, manifest: str, item: StoredCitation) -> bool:
    """Whether a citation is the one that an id means."""
    return manifest == target.manifest and target.id in {None, item.citation.id}


def _statement(
    locator: str, manifests: Mapping[str, Loaded], store: Store, settings: Settings
) -> Statement | None:
    """The quantity or stated pin that an id means, if it means one.

    Raises:
        UsageError: several manifests have it.
    """
    name = locator.strip()
    found = [
        statement_of(path, stated, settings)
        for path in sorted(store.stating(name) & manifests.keys())
        for stated in stated_in(manifests[path], store)
        if stated.id == name
    ]
    if len(found) > 1:
        places = (f"{item.manifest}: {item.shown}" for item in found)
        message = "\n  ".join([f"{locator} means several statements:", *places])
        raise UsageError(message)
    return found[0] if found else None


def _only_range(
    locator: str, target: Target, cited: Iterable[tuple[str, str, LineRange | None]]
) -> LineRange | None:
    """The lines of a file that is named without any: those of its only citation, or of the one whose id it is.

    Args:
        locator: as it was written.
        target: what it means.
        cited: the file's citations, each by manifest, id and lines; a value that stands nowhere has none.

    Raises:
        UsageError: it has several.
    """
    meant = (
        lines
        for manifest, id_, lines in cited
        if target.id is None or (manifest, id_) == (target.manifest, target.id)
    )
    ranges = sorted({lines for lines in meant if lines is not None})
    if len(ranges) <= 1:
        return ranges[0] if ranges else None
    places = (f"{target.file.path}:{lines}" for lines in ranges)
    message = "\n  ".join([f"{locator} has several cited ranges:", *places])
    raise UsageError(message)


def _is_at(evidence: Evidence, lines: LineRange | None) -> bool:
    """Whether a citation is to be shown with lines, or, where there are none, for itself."""
    place = evidence.place
    return place is None if lines is None else place is not None and place.overlaps(lines)


def _evidence(
    judge: Judge, manifest: Loaded, item: StoredCitation, store: Store, settings: Settings
) -> Evidence:
    verdict = judge.verdict(manifest, item)
    symbols = store.symbols(verdict.blob, item.citation.lines)
    return evidence_of(manifest.stored.path, item.citation, verdict, symbols, settings)


def _quoted(file: CitedFile, standing: Standing, evidence: Iterable[Evidence]) -> Place | None:
    """The quote of a citation that only the lock vouches for; None where it vouches for none."""
    vouched = [item for item in evidence if item.assurance is not None and item.citation.quote is not None]
    lines = vouched[0].citation.lines if vouched else None
    if lines is None:
        return None
    quote = vouched[0].citation.quote or ""
    return Place(
        git=file.git,
        revision=vouched[0].revision,
        path=file.path,
        lines=lines,
        shown=tuple(ShownLine(None, text, cited=True) for text in quote.removesuffix("\n").split("\n")),
        blob=vouched[0].blob,
        evidence=tuple(vouched),
        assurance=vouched[0].assurance,
        origin=vouched[0].origin,
        notes=(standing.failure.message,) if standing.failure else (),
        quote_only=True,
    )


def _lines_of(value: ExpectedValue | None, text: Text, path: str) -> LineRange:
    """Where a value stands in a file; the file's beginning where it does not, or where that cannot be told."""
    if value is not None:
        from provenance.compare.values.value import judge_value

        for lines in judge_value(value, None, text, path=path).found_at:
            return lines
    return LineRange(1, max(1, min(len(text), _WHOLE)))


def _place(
    file: CitedFile,
    asked: LineRange | ExpectedValue | None,
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
    lines = asked if isinstance(asked, LineRange) else _lines_of(asked, text, file.path)
    count = len(text)
    if lines.first > count and not evidence:  # a citation of such lines is shown with its verdict
        return NotShown(Lacking(Verdict.OUT_OF_RANGE, f"the file has {count} lines"))
    notes = [*stored.notes, *text.notes]
    if lines.last > count:
        notes.append(f"the file has {count} lines")
    shown = LineRange(max(1, lines.first - view.context), lines.last + view.context)
    outline = reading.outline(stored.blob, file.path)
    hidden = invisible(text.excerpt(lines))
    language = reading.languages.of(file.path)
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
