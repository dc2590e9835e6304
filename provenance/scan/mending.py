"""Which links of a document should be others: anchors that are wrong, and branches that should be pins."""

from __future__ import annotations

import html
import os
import re
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from provenance.documents.mending import Mend, mended
from provenance.errors import UsageError
from provenance.evidence import Verdict, is_object_id
from provenance.files import replace_bytes
from provenance.links.finding import find_in
from provenance.links.rewriting import rewritten
from provenance.links.targets import PlainPlace
from provenance.scan.outcome import STANDING
from provenance.scan.telling import findings, stands_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from provenance.citation import LineRange
    from provenance.evidence import Evidence
    from provenance.links.forges import Hosts
    from provenance.project import DocumentFile
    from provenance.scan.outcome import Stand
    from provenance.scan.scanning import Scanned, ScannedDocument
    from provenance.store.store import Store
    from provenance.verify import Settings

_ANCHORS = frozenset({Verdict.ANCHORED, Verdict.SHIFTED})
"""Verdicts with which the quote is where the link should lead."""
_PLAIN = re.compile(
    r"(?<![0-9])(?P<first>[0-9]{1,9})(?:(?P<dash>\s?(?:[-\u2010-\u2015\u2212]|to)\s?L?)(?P<last>[0-9]{1,9}))?(?![0-9])"
)


@dataclass(frozen=True, slots=True)
class Fixed:
    """What was done to the links of one document."""

    document: str
    done: tuple[Mend, ...] = ()
    left: tuple[Mend, ...] = ()
    """Those that could not be replaced without doubt."""


def fix_all(
    scanned: Scanned, files: Iterable[DocumentFile], store: Store, settings: Settings
) -> Iterator[Fixed]:
    """Mend each document once; what is wrong with one is added to the problems, and does not stop the others.

    Args:
        scanned: the documents, judged.
        files: the same.
        store: where it was kept how their links are written.
        settings: what their results are weighed with.
    """
    by_name = {file.name: file for file in files}
    seen: set[str] = set()
    for document in scanned.documents:
        file = by_name[document.name]
        real = os.path.realpath(file.file)
        if real in seen:
            continue  # a link to a document that was mended already
        seen.add(real)
        try:
            yield fix(file, document, findings(document, store, settings), store, settings.hosts)
        except UsageError as error:
            scanned.problems.append(str(error))


def fix(
    file: DocumentFile, document: ScannedDocument, found: Iterable[Evidence], store: Store, hosts: Hosts
) -> Fixed:
    """Mend a document's links where the answer is clear; nothing else in it is touched.

    Args:
        file: the document.
        document: the same as it was scanned.
        found: its results.
        store: where it was kept how its links are written.
        hosts: what further hosts run.

    Raises:
        UsageError: it has changed meanwhile, or cannot be written.
    """
    wanted_of, staying = wanted_by_id(document, found, store, hosts)
    wanted = [*wanted_of.values(), *staying]
    if not wanted:
        return Fixed(file.name)
    data = file.read()
    made = mended(data, wanted)
    if made.done:
        if file.read() != data:
            message = f"{file.name}: it was changed by somebody else meanwhile; nothing was mended"
            raise UsageError(message)
        replace_bytes(Path(os.path.realpath(file.file)), made.data)  # a link stays one
    return Fixed(file.name, made.done, tuple(mend for mend in made.left if mend.new != mend.raw))


def wanted_by_id(
    document: ScannedDocument, found: Iterable[Evidence], store: Store, hosts: Hosts
) -> tuple[dict[str, Mend], list[Mend]]:
    """What links should be, by their citations' ids.

    Args:
        document: where they stand.
        found: its results.
        store: where it was kept how its links are written.
        hosts: what further hosts run.

    Returns:
        Those, and links whose quotes want them to stay: each is in the way of others that are written as it is.
    """
    stands = {**stands_of(document.name, store), **{item.citation.id: item.stand for item in document.direct}}
    mends: dict[str, Mend] = {}
    staying: list[Mend] = []
    for item in found:
        stand = stands.get(item.id)
        if stand is None:
            continue
        mend = next(_mend(item, stand, hosts), None)
        if mend is not None:
            mends[item.id] = mend
        elif item.citation.quote is not None:
            staying.append(Mend(stand.cited, stand.cited, _line(stand)))
    places = {(mend.line, mend.raw) for mend in mends.values()}
    return mends, [mend for mend in staying if (mend.line, mend.raw) in places]


def _line(stand: Stand) -> int | None:
    return stand.raw_line if stand.cell is None else None


def _mend(item: Evidence, stand: Stand, hosts: Hosts) -> Iterator[Mend]:
    """What a link should be; nothing where it is right, or where that is not clear."""
    verdict = item.judgement.verdict
    lines = _lines(item) if verdict in _ANCHORS else None
    if verdict is Verdict.SHIFTED and lines is None:
        return
    pins = stand.written is not None and verdict in STANDING and is_object_id(item.revision)
    revision = item.revision if pins else None
    new = _rewritten(stand, revision, lines, hosts)
    if new is not None and new != stand.cited:
        yield Mend(stand.cited, new, _line(stand))


def _lines(item: Evidence) -> LineRange | None:
    """Where a quote stands, if that is one place alone."""
    judgement = item.judgement
    if judgement.verdict is Verdict.SHIFTED and len(judgement.found_at) > 1:
        return None
    return judgement.suggestion


def _rewritten(stand: Stand, revision: str | None, lines: LineRange | None, hosts: Hosts) -> str | None:
    raw = stand.cited
    plain = next(iter(find_in(raw)), None)
    if plain is not None and isinstance(plain.target, PlainPlace):
        return None if lines is None else _plain(raw, plain.target, lines)
    written = None if revision is None else stand.written
    new = rewritten(raw, revision=revision, lines=lines, hosts=hosts, written=written)
    if html.unescape(raw) == raw:
        return new
    plainer = rewritten(html.unescape(raw), revision=revision, lines=lines, hosts=hosts, written=written)
    if plainer is None or (new is not None and html.unescape(new) == plainer):
        return new
    return html.escape(plainer)  # an entity stands for what tells the link's parts apart, such as `&num;`


def _plain(raw: str, target: PlainPlace, lines: LineRange) -> str | None:
    """A place in running text with other lines; None where its numbers are not clear."""
    found = [
        match
        for match in _PLAIN.finditer(raw)
        if (int(match["first"]), int(match["last"] or match["first"]))
        == (target.anchor.first, target.anchor.last)
    ]
    if len(found) != 1:
        return None
    match = found[0]
    # A link's own form, which the renderer of the document takes to a forge.
    dash = "-L" if raw[: match.start()].endswith("#L") else match["dash"] or "-"
    span = str(lines.first) if len(lines) == 1 else f"{lines.first}{dash}{lines.last}"
    return raw[: match.start()] + span + raw[match.end() :]
