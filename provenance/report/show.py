"""One place in a repository, for a reviewer: its lines, what documents claim of them, and how that holds."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from provenance.evidence import is_object_id
from provenance.links.permalinks import permalink, public_url, swhid
from provenance.report.blocks import BLANK, LEVEL_STYLES, Code, CodeLine, Line, Prose, Span, Style
from provenance.report.finding import details, indented, stands_in
from provenance.report.inert import in_line, visible
from provenance.report.json import line, result, span
from provenance.report.screen import printed

if TYPE_CHECKING:
    from collections.abc import Iterator

    from provenance.citation import LineRange
    from provenance.evidence import Assurance, Evidence, OriginKind
    from provenance.report.blocks import Block
    from provenance.report.screen import Screen

SHOW_SCHEMA = "prov/show/1"

_SHORT = 12
"""Digits of a commit id that are enough for a person."""
_LABEL = 12
"""Characters that the names of facts are given."""
_WHOLE = frozenset({"link", "swhid"})
"""Facts that are copied, and not broken however narrow the terminal is."""
_INDENT = 2


@dataclass(frozen=True, slots=True)
class ShownLine:
    """A line of the excerpt or of its context."""

    number: int | None
    """1-based; None where the manifest's quote is shown, whose place in the file was not seen."""
    text: str
    """Without its terminator."""
    cited: bool
    """Whether it is one of the lines that were asked for, not their context."""


@dataclass(frozen=True, slots=True)
class Place:
    """Lines of a file at a revision, and all that is known of them."""

    git: str
    """The repository's URL, as written."""
    revision: str
    """Full commit id, or the revision as written where it was never resolved."""
    path: str
    """In the repository, as cited."""
    lines: LineRange
    """What was asked for."""
    shown: tuple[ShownLine, ...]
    """Those lines and the context around them."""
    blob: str | None = None
    language: str | None = None
    """Its name, where the file's is known."""
    symbol: str | None = None
    """The smallest definition that holds the lines."""
    symbols: tuple[str, ...] = ()
    """The definitions among them."""
    evidence: tuple[Evidence, ...] = ()
    """The citations that overlap the lines."""
    assurance: Assurance | None = None
    origin: OriginKind | None = None
    notes: tuple[str, ...] = ()
    quote_only: bool = False
    """True where no bytes are at hand, and what is shown is a manifest's quote."""


def render_place(place: Place, *, screen: Screen) -> str:
    """The place as text; code and links are never wrapped.

    Args:
        place: what to show.
        screen: where it is read.
    """
    link = permalink(place.git, place.revision, place.path, place.lines)
    blocks: list[Block] = [
        Line((Span(in_line(f"{place.path}:{place.lines}"), Style.BOLD, link),)),
        *(_fact(name, text) for name, text in _facts(place)),
        BLANK,
        _code(place),
    ]
    for item in place.evidence:
        blocks += (BLANK, *_citation(item))
    return printed(blocks, screen)


def _fact(name: str, text: str) -> Line:
    label = Span(f"{' ' * _INDENT}{name.ljust(_LABEL)}", Style.DIM)
    return Line((label, Span(in_line(text))), code=name in _WHOLE)


def _facts(place: Place) -> Iterator[tuple[str, str]]:
    yield "repository", public_url(place.git)
    full = is_object_id(place.revision)
    yield "revision", f"{place.revision[:_SHORT]} ({place.revision})" if full else place.revision
    if place.symbol is not None:
        yield "in", place.symbol
    if place.symbols:
        yield "holds", ", ".join(place.symbols)
    if place.assurance is not None:
        yield (
            "assurance",
            place.assurance if place.origin is None else f"{place.assurance}, from {place.origin}",
        )
    link = permalink(place.git, place.revision, place.path, place.lines)
    if link is not None:
        yield "link", link
    identifier = swhid(place.git, place.blob, place.revision, place.path, place.lines)
    if identifier is not None:
        yield "swhid", identifier
    for note in place.notes:
        yield "note", note
    if place.quote_only:
        yield "note", "the bytes were not seen; this is the manifest's quote"


def _code(place: Place) -> Code:
    """The lines; what would be obeyed or hidden is made visible."""
    lines = tuple(CodeLine(shown.number, visible(shown.text), shown.cited) for shown in place.shown)
    return Code(lines, place.path, place.language, _INDENT)


def _citation(evidence: Evidence) -> Iterator[Block]:
    """What one document says of the lines, and how that holds."""
    citation, verdict = evidence.citation, evidence.judgement.verdict
    lines = "" if citation.lines is None else f"  lines {citation.lines}"
    yield Line(
        (
            Span(in_line(citation.id), Style.BOLD),
            Span("  "),
            Span(f"{verdict} ({evidence.level})", LEVEL_STYLES[evidence.level]),
            Span(f"{lines}  {stands_in(evidence)}"),
        )
    )
    if citation.expression is not None:
        yield indented(in_line(f"expression: {citation.expression}"), _INDENT)
    if citation.value is not None:
        yield indented(in_line(f"value: {citation.value.pointer} = {citation.value.equals}"), _INDENT)
    kind = str(citation.evidence) if citation.of is None else f"{citation.evidence}, of {citation.of}"
    yield Prose(f"{kind}: {citation.claim}" if citation.claim else kind, indent=_INDENT)
    yield from details(evidence, indent=_INDENT)


def as_json(place: Place) -> str:
    """The place as one line of JSON, with its end."""
    return line(_object(place)) + "\n"


def _object(place: Place) -> dict[str, object]:
    return {
        "schema": SHOW_SCHEMA,
        "git": public_url(place.git),
        "revision": place.revision,
        "path": place.path,
        "lines": span(place.lines),
        "symbol": place.symbol,
        "symbols": place.symbols,
        "excerpt": [
            {"line": shown.number, "text": shown.text, "cited": shown.cited} for shown in place.shown
        ],
        "quote_only": place.quote_only,
        "notes": place.notes,
        "assurance": place.assurance,
        "origin": place.origin,
        "permalink": permalink(place.git, place.revision, place.path, place.lines),
        "swhid": swhid(place.git, place.blob, place.revision, place.path, place.lines),
        "citations": [_cited(item) for item in place.evidence],
    }


def _cited(evidence: Evidence) -> dict[str, object]:
    """A result as verify gives it, and the claim."""
    citation = evidence.citation
    value = citation.value
    shown = {
        "evidence": citation.evidence,
        "of": citation.of,
        "claim": citation.claim,
        "expression": citation.expression,
        "value": None if value is None else {"pointer": value.pointer, "equals": value.equals},
    }
    return {**result(evidence), **shown}
