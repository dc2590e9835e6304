"""A document's mentions -> the citations of a manifest, each with the quote that was chosen for it."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from provenance.answers import Lacking
from provenance.citation import Citation, EvidenceKind, LineRange, Manifest, Source
from provenance.compare.quoting.columns import selects
from provenance.compare.quoting.pairing import pair
from provenance.document import Sheet
from provenance.documents.names import Names, slug
from provenance.errors import Position
from provenance.evidence import Judgement, Sighted, Unread, Verdict
from provenance.extract.decode import NotText
from provenance.extract.lines import Text
from provenance.links.permalinks import public_url
from provenance.links.targets import NotUnderstood, RelativeLink
from provenance.places import Place
from provenance.scan.aiming import key
from provenance.scan.ignoring import Ignoring, closed_up, in_order
from provenance.scan.outcome import Outcome, Stand

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from provenance.citation import Expectation
    from provenance.compare.quoting.weighing import Option
    from provenance.comparing import Comparing
    from provenance.document import Mention
    from provenance.evidence import Content
    from provenance.gather import Standing
    from provenance.links.anchors import Anchor
    from provenance.reading import Reading
    from provenance.scan.aiming import Aim, Aimed
    from provenance.scan.local import LocalFiles
    from provenance.scan.resolving import Meaning

_ID_DIGITS = 12
"""Digits of a commit in the name of a source."""
_HERE = Source("this-project", ".", "as it stands")
"""What a relative link leads into."""


@dataclass(frozen=True, slots=True)
class Direct:
    """A citation that is judged without a repository, or without its lines being compared as a whole."""

    citation: Citation
    stand: Stand
    judgement: Judgement
    revision: str
    standing: Standing | None = None
    """Of the file in its repository; None for a file of the project itself."""
    blob: str | None = None


@dataclass(frozen=True, slots=True)
class Cited:
    """A document as a manifest, and what stands beside it."""

    manifest: Manifest
    outcome: Outcome
    direct: tuple[Direct, ...]

    def digest(self) -> str:
        """Of all that its verdicts depend on beside the files, 64 hexadecimal digits."""
        citations = [
            [
                item.id,
                item.source.name,
                item.basis(),
                item.position and item.position.line,
                *_parts(item.expect),
            ]
            for item in self.manifest.citations
        ]
        return hashlib.sha256(json.dumps(citations).encode()).hexdigest()


@dataclass(frozen=True, slots=True)
class _Subject:
    """What a mention is compared with."""

    aim: Aim
    path: str
    place: Place | None = None
    """Of a repository's file; None for one of the project itself."""
    meaning: Meaning | None = None
    content: Content | None = None
    text: Text | None = None
    """None where there is none to compare with."""
    failure: Judgement | None = None
    """Of a file of the project itself that cannot be read."""

    @property
    def anchor(self) -> Anchor | None:
        target = self.aim.mention.target
        return None if isinstance(target, NotUnderstood) else target.anchor

    @property
    def lines(self) -> LineRange | None:
        return None if self.anchor is None else self.anchor.lines

    def compare(self, quote: str, comparing: Comparing) -> Judgement | None:
        """What a text is to the cited lines; None where those are not to be had."""
        if self.text is None or self.anchor is None or self.lines is None:
            return None
        if selects(self.anchor, self.text, quote):
            return Judgement(Verdict.EXACT, similarity=1.0)
        citation = Citation("it", _HERE, self.path, self.lines, EvidenceKind.DIRECT, quote=quote)
        return comparing.compared(citation, self.text, self.place)


class Naming:
    """Gives citations and sources names that stay the same while a document is edited elsewhere."""

    def __init__(self) -> None:
        self._names = Names()
        self._sources: dict[tuple[str, str], Source] = {}
        self._source_names = Names()

    def source(self, meaning: Meaning, position: Position) -> Source:
        """The source of a repository and revision: named for the repository, from the second on with its revision."""
        pin = meaning.public, meaning.revision
        if pin not in self._sources:
            stem = slug(meaning.public.rstrip("/").rpartition("/")[2].removesuffix(".git"))
            name = f"{stem}-{slug(meaning.revision[:_ID_DIGITS])}" if stem in self._source_names else stem
            self._sources[pin] = Source(self._source_names.take(name), *pin, position=position)
        return self._sources[pin]

    def id(self, path: str, anchor: Anchor) -> str:
        """A citation's id: the file's name without its ending, and the lines as the link has them."""
        name = path.rpartition("/")[2]
        return self._names.take(f"{slug(name.partition('.')[0] or name)}-{anchor}")

    @property
    def sources(self) -> tuple[Source, ...]:
        """All that were named, in their order."""
        return tuple(self._sources.values())


def cite(
    item: Aimed,
    standings: Mapping[tuple[str, str, str], Standing],
    reading: Reading,
    local: LocalFiles,
    comparing: Comparing,
) -> Cited:
    """Choose each mention's file and quote, and make the manifest of a document.

    Args:
        item: the document.
        standings: what became of the files that its mentions may mean.
        reading: reads those that were had.
        local: reads the project's own.
        comparing: compares what may be a quote with them.
    """
    subjects = [_subject(aim, item.document.name, standings, reading, local) for aim in item.aims]
    sheet = Sheet(item.sheet.blocks, tuple(aim.mention for aim in item.aims), item.sheet.ignores)
    quotes = pair(closed_up(sheet), lambda at, quote: subjects[at].compare(quote, comparing))
    return _manifest(item.document.name, subjects, quotes, sheet, comparing)


def _subject(
    aim: Aim,
    document: str,
    standings: Mapping[tuple[str, str, str], Standing],
    reading: Reading,
    local: LocalFiles,
) -> _Subject:
    if aim.meanings:
        places = [(meaning, Place(standings[key(meaning)], reading)) for meaning in aim.meanings]
        meaning, place = next((each for each in places if isinstance(each[1].text(), Text)), places[0])
        text = place.text()
        return _Subject(aim, meaning.path, place, meaning, None, text if isinstance(text, Text) else None)
    target = aim.mention.target
    if not isinstance(target, RelativeLink):
        return _Subject(aim, "")
    path = local.path(document, target.path)
    if path is None:
        return _Subject(aim, target.path)
    answer = local.read(path)
    if isinstance(answer, Lacking):
        return _Subject(aim, path, failure=Judgement(answer.verdict, answer.message))
    content, text = answer
    if isinstance(text, NotText):
        return _Subject(aim, path, content=content, failure=Judgement(Verdict.NOT_TEXT, text.reason))
    return _Subject(aim, path, content=content, text=text)


def _manifest(
    document: str,
    subjects: Sequence[_Subject],
    quotes: Sequence[Option | None],
    sheet: Sheet,
    comparing: Comparing,
) -> Cited:
    naming = Naming()
    ignoring = Ignoring(sheet.ignores)
    blocks = {block.where.order: block.where for block in sheet.blocks} if sheet.ignores else {}
    citations: list[Citation] = []
    stands: dict[str, Stand] = {}
    unread: list[Unread] = []
    direct: list[Direct] = []
    for subject, option in zip(subjects, quotes, strict=True):
        why = _not_understood(subject)
        if why is not None:
            unread.append(Unread(_sighted(document, subject.aim.mention), why))
            continue
        citation, stand = _citation(document, subject, option, naming)
        if sheet.ignores:
            quoted = () if option is None else (blocks[option.candidate.block],)
            citation = replace(citation, expect=ignoring.of(subject.aim.mention.where, *quoted))
        judgement = _directly(subject, citation, comparing)
        if judgement is None:
            citations.append(citation)
            stands[citation.id] = stand
        else:
            direct.append(_direct(subject, citation, stand, judgement))
    unread += ignoring.unread(document)
    manifest = Manifest(document, document, None, naming.sources, tuple(citations))
    return Cited(manifest, Outcome(stands, in_order(unread)), tuple(direct))


def _parts(expect: Expectation | None) -> list[str | None]:
    if expect is None:
        return []
    until = None if expect.until is None else expect.until.isoformat()
    return [expect.verdict, expect.because, until]


def _sighted(document: str, mention: Mention) -> Sighted:
    return Sighted(document, line_of(mention), mention.where.cell, public_url(mention.raw))


def _not_understood(subject: _Subject) -> str | None:
    """Why a mention cannot be judged at all."""
    target = subject.aim.mention.target
    if isinstance(target, NotUnderstood):
        return target.message
    if isinstance(target, RelativeLink) and subject.text is None and subject.failure is None:
        return "the link leads out of the project"
    return None


def _citation(
    document: str, subject: _Subject, option: Option | None, naming: Naming
) -> tuple[Citation, Stand]:
    mention, anchor, meaning = subject.aim.mention, subject.anchor, subject.meaning
    assert anchor is not None  # noqa: S101 - what names no lines has been left out
    position = Position(document, line_of(mention))
    source = _HERE if meaning is None else naming.source(meaning, position)
    citation = Citation(
        naming.id(subject.path, anchor),
        source,
        subject.path,
        anchor.lines or LineRange(max(1, min(anchor.first, anchor.last)), max(1, anchor.first, anchor.last)),
        EvidenceKind.DIRECT,
        quote=None if option is None else option.reading.text,
        position=position,
    )
    notes = () if option is None else option.reading.notes
    moving = written = None
    if meaning is not None:
        notes, moving, written = (*meaning.notes, *notes), meaning.moving, meaning.written
    cited = public_url(mention.raw)
    return citation, Stand(position.line, mention.where.cell, cited, mention.raw_line, moving, written, notes)


def line_of(mention: Mention) -> int:
    """The line on which a mention's URL stands; that of its use, where a definition elsewhere has the URL."""
    where = mention.where
    return mention.raw_line if where.line <= mention.raw_line <= where.last else where.line


def _directly(subject: _Subject, citation: Citation, comparing: Comparing) -> Judgement | None:
    """The judgement of what is not left to the comparison with a repository's lines."""
    anchor, place = subject.anchor, subject.place
    if subject.failure is not None:
        return subject.failure
    other = _other_content(subject)
    if other is not None:
        return other
    if anchor is not None and anchor.lines is None:
        is_had = place is None or place.standing.failure is None
        return _impossible(anchor) if is_had else None
    if subject.text is None or anchor is None:
        return None
    if citation.quote is not None and selects(anchor, subject.text, citation.quote):
        note = f"the quote is columns {anchor.first_column} to {anchor.last_column} of the cited lines"
        return Judgement(Verdict.EXACT, similarity=1.0, notes=(note,))
    return comparing.compared(citation, subject.text, None) if place is None else None


def _other_content(subject: _Subject) -> Judgement | None:
    """What is said of an identifier whose commit has another content at its path."""
    if subject.place is None or subject.meaning is None or subject.meaning.blob is None:
        return None
    file = subject.place.standing.file
    if file is None or file.blob in {None, subject.meaning.blob}:
        return None
    message = (
        f"the identifier names content {subject.meaning.blob}, and commit {file.revision[:_ID_DIGITS]} has"
        f" {file.blob} at this path"
    )
    return Judgement(Verdict.NO_PATH, message)


def _impossible(anchor: Anchor) -> Judgement:
    """What is said of lines that no file has."""
    if min(anchor.first, anchor.last) < 1:
        return Judgement(Verdict.OUT_OF_RANGE, f"the range {anchor} names line 0: lines count from 1")
    return Judgement(Verdict.OUT_OF_RANGE, f"the range {anchor} is reversed")


def _direct(subject: _Subject, citation: Citation, stand: Stand, judgement: Judgement) -> Direct:
    if subject.place is None:
        blob = None if subject.content is None else subject.content.blob
        notes = ("a file of this project, as it stands now",)
        return Direct(
            citation, replace(stand, notes=(*stand.notes, *notes)), judgement, _HERE.revision, None, blob
        )
    standing = subject.place.standing
    blob = None if standing.file is None else standing.file.blob
    return Direct(citation, stand, judgement, standing.revision, standing, blob)
