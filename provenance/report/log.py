"""How a citation's verdict came to be what it is: as text, and as JSON."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from provenance.evidence import DEFAULT_LEVELS
from provenance.links.permalinks import public_url
from provenance.report.blocks import BLANK, LEVEL_STYLES, Column, Line, Prose, Row, Span, Style, Table
from provenance.report.finding import place
from provenance.report.inert import in_line
from provenance.report.json import line, maybe_span
from provenance.report.screen import printed

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import TextIO

    from provenance.citation import Citation
    from provenance.evidence import HistoryEntry
    from provenance.report.blocks import Block
    from provenance.report.screen import Screen

LOG_SCHEMA = "prov/log/1"

_INDENT = 2
_BELOW = 4
_COLUMNS = (Column("when (UTC)"), Column("verdict"), Column("proven by", 8), Column("found in", 20))
_RUN = 3
_ZERO = "+00:00"
"""How Python ends a time in UTC."""
_LEVELS = {verdict.value: level for verdict, level in DEFAULT_LEVELS.items()}


class Named(NamedTuple):
    """What a history is kept of."""

    manifest: str
    """Relative to the project's root; the document's path for a citation that stands in one."""
    id: str
    """Of a citation or a quantity, unique in its manifest."""

    def __str__(self) -> str:
        return f"{self.manifest}#{self.id}"


@dataclass(frozen=True, slots=True)
class Log:
    """How a verdict came to be what it is."""

    named: Named
    entries: tuple[HistoryEntry, ...]
    """The newest first; there is one at least."""
    is_cited: bool
    """Whether its manifest is there, and has it, as it was last read."""
    citation: Citation | None
    """As it is cited; None for a quantity, and for what has gone from its manifest."""
    gone: tuple[Named, ...] = ()
    """What has the same id in the history, and has gone from manifests."""


def render_log(log: Log, *, screen: Screen) -> str:
    """The log as text, the newest entry first.

    Args:
        log: what is remembered.
        screen: where it is read.
    """
    head = Line((Span(in_line(log.named.id), Style.BOLD), Span(f"  {in_line(log.named.manifest)}")))
    rows = tuple(map(_row, log.entries))
    return printed([head, *_facts(log), BLANK, Table(_COLUMNS, rows, shortened=_RUN)], screen)


def _facts(log: Log) -> Iterator[Block]:
    """What the citation is of, and what else could have been meant."""
    citation = log.citation
    if citation is not None:
        source = citation.source
        where = place(citation.path, citation.lines, citation.value)
        yield Prose(f"{where} of {public_url(source.git)} at {source.revision}", indent=_INDENT)
    elif not log.is_cited:
        yield Prose("gone from its manifest: this is what is remembered of it", Style.YELLOW, _INDENT)
    if log.gone:
        others = ", ".join(map(str, log.gone))
        yield Prose(f"note: the history has the same id of what has gone: {others}", Style.DIM, _INDENT)


def _row(entry: HistoryEntry) -> Row:
    level = _LEVELS.get(entry.verdict)
    proven = ", ".join(filter(None, (entry.assurance, entry.origin))) or "-"
    cells = (
        Span(in_line(entry.when.removesuffix(_ZERO) + "Z" if entry.when.endswith(_ZERO) else entry.when)),
        Span(in_line(entry.verdict), None if level is None else LEVEL_STYLES[level]),
        Span(in_line(proven)),
        Span(in_line(f"run {entry.run}: {entry.command}, prov {entry.version}")),
    )
    below = [
        *([f"revision {entry.revision}"] if entry.revision else []),
        *([f"blob {entry.blob}"] if entry.blob else []),
    ]
    return Row(cells, (Prose(", ".join(below), Style.DIM, _BELOW),) if below else ())


def write_log(stream: TextIO, log: Log) -> None:
    """Write one document of JSON, an entry a line, the newest first."""
    head = {"schema": LOG_SCHEMA, **_named(log), **_cited(log)}
    stream.write(f'{line(head)[:-1]},\n "results": [')
    stream.write(",".join(f"\n  {line(_entry(entry))}" for entry in log.entries))
    stream.write("\n ]}\n")


def write_log_lines(stream: TextIO, log: Log) -> None:
    """Write each entry as a line of its own, with what it is about."""
    stream.writelines(line(_named(log) | _entry(entry)) + "\n" for entry in log.entries)


def _named(log: Log) -> dict[str, object]:
    return {"manifest": log.named.manifest, "id": log.named.id}


def _cited(log: Log) -> dict[str, object]:
    """What is cited now; null for a quantity, and for what has gone from its manifest."""
    citation = log.citation
    return {
        "cited": log.is_cited,
        "kind": None if citation is None else citation.kind,
        "git": None if citation is None else public_url(citation.source.git),
        "path": None if citation is None else citation.path,
        "lines": None if citation is None else maybe_span(citation.lines),
    }


def _entry(entry: HistoryEntry) -> dict[str, object]:
    """One change; what a quantity lacks is null."""
    return {
        "run": entry.run,
        "when": entry.when,
        "command": entry.command,
        "version": entry.version,
        "verdict": entry.verdict,
        "revision": entry.revision or None,
        "blob": entry.blob,
        "assurance": entry.assurance,
        "origin": entry.origin,
    }
