"""From stored contents to verdicts.

Most citations of a large project are exact and were so before; those are judged without building a record.
Every other one takes the long way through `provenance.compare`.
"""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from provenance import __version__
from provenance import lock as locks
from provenance.answers import Unreached
from provenance.comparing import Comparing
from provenance.errors import StoreError
from provenance.evidence import DEFAULT_LEVELS, Assurance, Excerpt, Judgement, Level, OriginKind, Verdict
from provenance.extract.decode import NotText
from provenance.extract.languages.table import PLAIN
from provenance.places import Place, Places
from provenance.reading import Reading
from provenance.statements import reckoned, stated_in
from provenance.store.records import NewVerdict, StoredVerdict

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from provenance.citation import Citation, LineRange
    from provenance.extract.languages.table import Languages
    from provenance.extract.lines import Text
    from provenance.extract.outline import Outline
    from provenance.gather import Standing
    from provenance.loading import Loaded
    from provenance.store.records import Check, StoredCitation, StoredFile, StoredManifest
    from provenance.store.store import Store

_WRITE_TOGETHER = 2000
"""Verdicts that are written in one transaction at the most."""

_LONGEST_CLAIM = 20_000
"""Characters of a claim whose numbers and names are looked for: a longer one is no claim about some lines."""
_LONGEST_EXCERPT = 500_000
"""Characters of cited lines in which they are looked for."""

_TALLIES_TOGETHER = 400
"""Counted verdicts that are written in one transaction at the most."""

Tally = Counter[tuple[Verdict, Assurance | None]]
"""How many citations have a verdict with an assurance, before either is weighed."""


@dataclass(frozen=True, slots=True)
class Batch:
    """A manifest's citations, judged."""

    manifest: Loaded
    tally: Tally
    expects: bool = False
    """Whether a citation carries `expect`, so that its level depends on the day."""
    unrecorded: Mapping[int, StoredVerdict] = field(default_factory=dict)
    """By the citation's number in the store: verdicts that are no evidence, and so are not stored."""
    statements: int = 0
    """How many of the tally are no citations: arithmetic and pins."""
    lasts: bool = True
    """Whether the same inputs always count the same: not where an origin failed, which may pass."""


def settled_batch(manifest: Loaded) -> Batch:
    """The batch of a manifest whose counted verdicts still hold."""
    try:
        counts = json.loads(manifest.stored.tally or "[]")
        tally = Counter(
            {(Verdict(verdict), _assurance(how or None)): count for verdict, how, count in counts}
        )
    except (TypeError, ValueError) as error:
        message = f"the evidence database is damaged: {error}; delete it and run prov fetch"
        raise StoreError(message) from error
    statements = sum(tally[verdict, None] for verdict in (Verdict.HOLDS, Verdict.BROKEN))
    return Batch(manifest, tally, statements=statements)


class Judge:
    """Judges the citations of manifests from what the store holds, and records what is new."""

    def __init__(
        self,
        store: Store,
        standings: Mapping[tuple[str, str, str], Standing],
        *,
        refresh: bool = False,
        languages: Languages = PLAIN,
        comparing: Comparing | None = None,
        counts_expecting: bool = False,
    ) -> None:
        """Judge from what was gathered.

        Args:
            store: where evidence is kept, and written where it is new.
            standings: what became of the files.
            refresh: whether to judge again what was judged.
            languages: of the files.
            comparing: who has compared some of the quotes already.
            counts_expecting: whether counted verdicts are remembered where a citation carries `expect`, too: by whoever
                keeps elsewhere that one does.
        """
        self._store = store
        self._standings = standings
        self._refresh = refresh
        self._reading = Reading(store, languages)
        self._comparing = Comparing(languages) if comparing is None else comparing
        self._counts_expecting = counts_expecting
        self._tallies: list[tuple[StoredManifest, str | None, str | None]] = []

    def batch(self, manifest: Loaded) -> Batch:
        """Judge one manifest.

        Raises:
            StoreError: the evidence database cannot be used.
        """
        places = Places(self._store.sources(manifest.stored), self._standings, self._reading)
        tally: Tally = Counter()
        kept: Counter[tuple[str | None, str | None]] = Counter()
        anew: set[int] = set()
        for check in self._store.checks(manifest.stored):
            if self._holds(check, places.numbered(check.source, check.path)):
                kept[check.verdict, check.assurance] += 1
            else:
                anew.add(check.id)
        if self._refresh:
            places.complete()
            self._record(manifest, [])
        for (known, assurance), count in kept.items():
            if known is not None:
                tally[Verdict(known), _assurance(assurance)] += count
        unrecorded = self._judge_anew(manifest, anew, places, tally) if anew else {}
        self._reckon(manifest)
        stated = Counter(item.judgement.verdict for item in stated_in(manifest, self._store))
        for verdict, count in stated.items():
            tally[verdict, None] += count
        expects = self._store.expects(manifest.stored)
        lasts = not places.has_failures and not stated[Verdict.UNAVAILABLE]
        counts = lasts and (self._counts_expecting or not expects)
        remembered = (manifest.stamp, tally_json(tally)) if counts else (None, None)
        if remembered != (manifest.stored.stamp, manifest.stored.tally):
            self._tallies.append((manifest.stored, *remembered))
            if len(self._tallies) >= _TALLIES_TOGETHER:
                self.remember()
        return Batch(manifest, tally, expects, unrecorded, stated.total(), lasts)

    def remember(self) -> None:
        """Write what was counted since the last time, so that it need not be counted again."""
        tallies, self._tallies = self._tallies, []
        if tallies:
            with self._store.transaction() as transaction:
                for manifest, stamp, tally in tallies:
                    transaction.put_tally(manifest, stamp, tally)

    def verdict(self, manifest: Loaded, item: StoredCitation) -> StoredVerdict:
        """Judge one citation whose file was gathered; nothing is recorded."""
        source, path = item.citation.source, item.citation.path
        place = Place(self._standings[source.git, source.revision, path], self._reading)
        if item.verdict is not None and item.verdict.inputs == place.inputs(item.basis):
            return item.verdict
        return self._finding(manifest, item, place).verdict

    def _reckon(self, manifest: Loaded) -> None:
        """Judge the manifest's arithmetic that this version of prov has not judged, and record what it comes to."""
        quantities = self._store.quantities(manifest.stored)
        asked = [item for item in quantities if self._refresh or item.version != __version__]
        new = [judged for item in asked if (judged := reckoned(item)) != item]
        if new:  # to write takes SQLAlchemy, and that takes long to import
            with self._store.transaction() as transaction:
                transaction.put_quantities(manifest.stored, new)

    def _holds(self, check: Check, place: Place) -> bool:
        """Whether a stored verdict serves: under the same inputs, and found again where that is asked for."""
        if check.inputs is None or check.inputs != place.inputs(check.basis):
            return False
        if not self._refresh:
            return True
        return check.verdict == Verdict.EXACT and place.is_exact(check.quote, check.first, check.last)

    def _judge_anew(
        self, manifest: Loaded, anew: set[int], places: Places, tally: Tally
    ) -> dict[int, StoredVerdict]:
        """Judge citations the long way; record what is evidence and was not known, hand back what is none."""
        unrecorded: dict[int, StoredVerdict] = {}
        new: list[NewVerdict] = []
        # By file: a few files are held at a time, read and parsed.
        for item in self._store.citations(manifest.stored, by_file=True):
            if item.id not in anew:
                continue
            place = places.of(item.citation.source, item.citation.path)
            finding = self._finding(manifest, item, place)
            tally[finding.verdict.judgement.verdict, _assurance(finding.verdict.assurance)] += 1
            if not finding.is_evidence:
                unrecorded[item.id] = finding.verdict
            elif finding.verdict != item.verdict:
                new.append(NewVerdict(item, finding.verdict, finding.excerpt))
            if len(new) >= _WRITE_TOGETHER:
                self._record(manifest, new)
                new = []
        self._record(manifest, new)
        return unrecorded

    def _finding(self, manifest: Loaded, item: StoredCitation, place: Place) -> _Finding:
        """What the comparison of one citation says, by whatever could be had of its file."""
        standing, citation = place.standing, item.citation
        if isinstance(standing.failure, Unreached):
            return _from_lock(manifest, item, standing, standing.failure)
        if standing.failure is not None:
            message = standing.failure.message + self._last_success(manifest, item)
            judgement = Judgement(standing.failure.verdict, message)
            verdict = StoredVerdict("", judgement, standing.revision, None, None, OriginKind.GIT)
            return _Finding(verdict, None)
        file, text = place.file, place.text()
        excerpt = None
        ungrounded: tuple[str, ...] = ()
        match text:
            case None:
                judgement = Judgement(file.verdict or Verdict.NOT_TEXT, file.message)
            case NotText(reason=reason):
                judgement = Judgement(Verdict.NOT_TEXT, reason)
            case _:
                judgement = _judged(citation, text, place, self._comparing)
                excerpt = _excerpt(citation.lines, text, file, place.outline())
                ungrounded = _ungrounded(citation, text, judgement)
        if file.notes:
            judgement = replace(judgement, notes=(*judgement.notes, *file.notes))
        inputs = place.inputs(item.basis) or ""
        origin = file.origin
        verdict = StoredVerdict(
            inputs, judgement, standing.revision, file.blob, standing.assurance, origin, ungrounded
        )
        return _Finding(verdict, excerpt)

    def _last_success(self, manifest: Loaded, item: StoredCitation) -> str:
        """When a citation whose revision has gone was last known to hold; empty where that is not known."""
        entries = self._store.history(manifest.stored.path, item.citation.id)
        held = [entry for entry in entries if DEFAULT_LEVELS[Verdict(entry.verdict)] is not Level.FAILURE]
        if not held:
            return ""
        return f"; it was {held[-1].verdict} when it was judged on {held[-1].when[:10]}"

    def _record(self, manifest: Loaded, new: Sequence[NewVerdict]) -> None:
        """Write verdicts, and the outlines that were made on the way to them."""
        if not new and not self._reading.new_outlines:
            return
        outlines, self._reading.new_outlines = self._reading.new_outlines, {}
        with self._store.transaction() as transaction:
            for (blob, language), outline in outlines.items():
                transaction.put_outline(blob, language, outline.to_json(), outline.definitions)
            transaction.put_verdicts(manifest.stored, new)


def tally_json(tally: Tally) -> str:
    """Counted verdicts as the store keeps them."""
    return json.dumps(
        sorted([verdict.value, assurance or "", count] for (verdict, assurance), count in tally.items())
    )


@dataclass(frozen=True, slots=True)
class _Finding:
    verdict: StoredVerdict
    excerpt: Excerpt | None
    is_evidence: bool = True
    """False where no origin was reached: that is not recorded."""


def _from_lock(manifest: Loaded, item: StoredCitation, standing: Standing, failure: Unreached) -> _Finding:
    """No origin could answer; the lock's digests may."""
    citation = item.citation
    source = citation.source
    judgement = locks.answer(manifest.lock.citations.get((manifest.lock_key, citation.id)), citation)
    if judgement is None or failure.refused or failure.contradicts:
        verdict = StoredVerdict(
            "", Judgement(Verdict.UNAVAILABLE, failure.message), standing.revision, None, None, None
        )
        return _Finding(verdict, None, is_evidence=False)
    file = manifest.lock.file(source.git, source.revision, citation.path)
    judgement = replace(judgement, notes=(*judgement.notes, failure.message))
    blob = file.blob if file else None
    verdict = StoredVerdict("", judgement, standing.revision, blob, locks.assurance(file), OriginKind.LOCK)
    return _Finding(verdict, None, is_evidence=False)


def _judged(citation: Citation, text: Text, place: Place, comparing: Comparing) -> Judgement:
    """Compare what a citation shows, by its kind, and add what is to be noted of the file and of the range."""
    found, cut = comparing.compared(citation, text, place), None
    lines = citation.lines
    if lines is not None and citation.expression is None and lines.last <= len(text):
        outline = place.outline()  # an expression may begin on the last of its lines, and go on
        cut = outline.cuts(lines) if outline else None
    notes = (*found.notes, *text.notes, *([cut] if cut else []))
    return replace(found, notes=notes) if notes != found.notes else found


def _ungrounded(citation: Citation, text: Text, judgement: Judgement) -> tuple[str, ...]:
    """What the claim names, and the lines that it is made of do not hold."""
    if not citation.claim:
        return ()
    lines = judgement.found_at if citation.lines is None else (citation.lines,)
    if not lines or lines[-1].last > len(text):
        return ()
    excerpt = "\n".join(text.excerpt(each) for each in lines)
    if len(citation.claim) > _LONGEST_CLAIM or len(excerpt) > _LONGEST_EXCERPT:
        return ()
    from provenance.compare.grounding.ungrounded import ungrounded

    return ungrounded(citation.claim, excerpt, path=citation.path, file=lambda: text.text)


def _excerpt(
    lines: LineRange | None, text: Text, file: StoredFile, outline: Outline | None
) -> Excerpt | None:
    if file.blob is None or lines is None or lines.last > len(text):
        return None
    symbol, symbols = (outline.symbol(lines), outline.symbols(lines)) if outline else (None, ())
    return Excerpt(lines, text.excerpt(lines), symbol, symbols)


def _assurance(value: str | None) -> Assurance | None:
    return None if value is None else Assurance(value)
