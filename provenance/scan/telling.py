"""Scanned documents -> results, in the order of their lines, as they are read."""

from __future__ import annotations

from dataclasses import replace
from heapq import merge
from typing import TYPE_CHECKING

from provenance.compare.grade import level
from provenance.evidence import Assurance, Evidence, Level, Sighted, Verdict
from provenance.links.permalinks import permalink
from provenance.scan.outcome import STANDING, Outcome
from provenance.store.records import StoredVerdict
from provenance.verify import added, evidence, evidence_of, is_notable, summarise, summary_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from provenance.evidence import Summary, Unread
    from provenance.links.forges import Hosts
    from provenance.scan.citing import Direct
    from provenance.scan.outcome import Stand
    from provenance.scan.scanning import ScannedDocument
    from provenance.store.store import Store
    from provenance.verify import Settings


def findings(document: ScannedDocument, store: Store, settings: Settings) -> Iterator[Evidence]:
    """A document's results."""
    judged: Iterator[Evidence] = iter(())
    if document.batch is not None:
        stands = stands_of(document.name, store)
        judged = (
            _standing(item, stands[item.id], settings, is_of_today=document.is_of_today)
            for item in evidence(document.batch, store, settings, in_document=True)
            if item.id in stands  # another run may have read a newer document meanwhile
        )
    direct = sorted((_direct(document.name, item, settings) for item in document.direct), key=_line)
    yield from merge(judged, direct, key=_line)


def notable(documents: Iterable[ScannedDocument], store: Store, settings: Settings) -> Iterator[Evidence]:
    """The results that are not simply ok; documents in which all is ok and nothing is ignored are not read."""
    for document in documents:
        tally = () if document.batch is None else document.batch.tally
        may_fail = (document.batch is not None and document.batch.expects) or any(
            level(verdict, settings.levels, None, settings.today)[0] is not Level.OK for verdict, _ in tally
        )
        if may_fail or document.is_special or settings.least is not Assurance.ARTIFACT:
            yield from filter(is_notable, findings(document, store, settings))


def summary(documents: Iterable[ScannedDocument], store: Store, settings: Settings) -> Summary:
    """Count levels and assurances; records are made only of documents in which a branch is cited and the like."""
    documents = list(documents)
    plain = [each.batch for each in documents if each.batch is not None and not each.is_special]
    special = (item for each in documents if each.is_special for item in findings(each, store, settings))
    return added(summarise(plain, store, settings), summary_of(special))


def unread(document: ScannedDocument, store: Store) -> tuple[Unread, ...]:
    """What looks like a citation in a document and is not understood."""
    return _outcome(document.name, store).unread if document.brief.unread else ()


def stands_of(document: str, store: Store) -> Mapping[str, Stand]:
    """Where the citations of a document stand in it, by their ids."""
    return _outcome(document, store).stands


def _outcome(document: str, store: Store) -> Outcome:
    kept = store.outcome(document)
    return Outcome({}, ()) if kept is None else Outcome.from_json(kept, document)


def _line(item: Evidence) -> tuple[int, int]:
    sighted = item.sighted
    return (0, 0) if sighted is None else (sighted.cell or 0, sighted.line)


def _direct(document: str, direct: Direct, settings: Settings) -> Evidence:
    standing = direct.standing
    assurance = None if standing is None else standing.assurance
    origin = None if standing is None or standing.file is None else standing.file.origin
    notes = () if standing is None or standing.file is None else standing.file.notes
    judgement = replace(direct.judgement, notes=(*direct.judgement.notes, *notes))
    stored = StoredVerdict("", judgement, direct.revision, direct.blob, assurance, origin)
    weighed = evidence_of(document, direct.citation, stored, None, settings, in_document=True)
    return _standing(weighed, direct.stand, settings)


def _standing(item: Evidence, stand: Stand, settings: Settings, *, is_of_today: bool = True) -> Evidence:
    """A result with its place in the document; a link that is not pinned is worth a warning at the least."""
    notes = (*stand.notes, *item.notes)
    found = item.level
    if stand.moving is not None:
        found = Level.WARNING if found is Level.OK else found
        notes = (_moving(item, stand, settings.hosts, is_of_today=is_of_today), *notes)
    sighted = Sighted(item.manifest, stand.line, stand.cell, stand.cited)
    return replace(item, sighted=sighted, level=found, notes=notes)


def _moving(item: Evidence, stand: Stand, hosts: Hosts, *, is_of_today: bool) -> str:
    """What is to be said of a revision that moves, or of which nobody could be asked whether it does."""
    name = stand.moving
    if stand.written is None:
        return f"{name} is no commit id: nobody could be asked whether it is a branch, which moves"
    judgement, lines = item.judgement, item.citation.lines
    if judgement.verdict in {Verdict.ANCHORED, Verdict.SHIFTED} and judgement.suggestion is not None:
        lines = judgement.suggestion
    link = permalink(item.citation.source.git, item.revision, item.citation.path, lines, hosts)
    if judgement.verdict not in STANDING or link is None:
        return f"{name} is no pinned revision: it moves"
    when = "its commit of today" if is_of_today else "the commit that it was when it was last asked for"
    return f"{name} moves: judged at {when}; the permalink is {link}"
