"""What a site's pages are made of. Frozen records without I/O; every address is relative to the site's root."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from provenance.evidence import Level

if TYPE_CHECKING:
    from collections.abc import Sequence

    from markupsafe import Markup

    from provenance.citation import LineRange
    from provenance.evidence import Evidence, Statement, Summary


WORST_FIRST = (Level.FAILURE, Level.UNAVAILABLE, Level.WARNING, Level.OK)


@dataclass(frozen=True, slots=True)
class Document:
    """What citations stand in."""

    manifest: str
    """The manifest's path, relative to the project's root."""
    title: str
    url: str | None = None
    """As the manifest has it, which may be any text."""


@dataclass(frozen=True, slots=True)
class Entry:
    """A result in the list of all."""

    level: Level
    verdict: str
    id: str
    document: Document
    line: int | None
    """Of the manifest, 1-based."""
    page: str
    """The result's page."""
    repository: str = ""
    """Short, such as `openai/gpt-2`; empty for arithmetic."""
    path: str = ""
    """The cited file; of a statement, what is stated."""
    lines: LineRange | None = None
    assurance: str = ""
    claim: str = ""
    file: str = ""
    """The page of the cited file, at the lines; empty where there is none."""

    @property
    def place(self) -> str:
        """What the result is about, on one line."""
        return self.path if self.lines is None else f"{self.path}:{self.lines}"


@dataclass(frozen=True, slots=True)
class Fact:
    """One thing that is known, with its name."""

    name: str
    value: str
    link: str | None = None
    """An address on the web, which may be any text; it is made a link only where it is http or https."""
    is_code: bool = False


@dataclass(frozen=True, slots=True)
class Change:
    """One entry of a verdict's history."""

    when: str
    verdict: str
    revision: str
    assurance: str
    origin: str
    run: str = ""
    """The command, and prov's version."""


@dataclass(frozen=True, slots=True)
class Moved:
    """What became of the cited lines at another revision, as it was last found out."""

    status: str
    level: Level
    asked: str
    """The revision that was asked for, as written."""
    facts: Sequence[Fact]
    message: str = ""
    diff: str = ""
    notes: Sequence[str] = ()
    when: str = ""
    """UTC, ISO 8601."""


@dataclass(frozen=True, slots=True)
class Fold:
    """Lines that unfold."""

    label: str
    html: Markup


@dataclass(frozen=True, slots=True)
class Shown:
    """What a citation's page shows of the code."""

    above: Fold | None = None
    below: Fold | None = None
    compared: Markup | None = None
    """Rows of a table: the quote on the left, the source on the right."""
    stretch: LineRange | None = None
    """The lines that the source has in it."""
    source: Markup | None = None
    """The source's lines where there is nothing to lay beside them."""
    quote: Markup | None = None
    """The quote alone, where the source is not at hand or is not compared line by line."""
    cited: Fold | None = None
    """The cited lines, where those are not the ones that the quote is compared with."""
    cut: int = 0
    """How many lines more there would be."""
    unquoted: int = 0
    """How many lines more the quote has."""
    has_marks: bool = False
    """Whether anything differs, so that the signs want a legend."""


@dataclass(frozen=True, slots=True)
class CitationView:
    """A citation's page."""

    entry: Entry
    evidence: Evidence
    facts: Sequence[Fact]
    shown: Shown
    history: Sequence[Change] = ()
    moved: Sequence[Moved] = ()


@dataclass(frozen=True, slots=True)
class StatementView:
    """A page of what a document states beside its citations."""

    entry: Entry
    statement: Statement
    facts: Sequence[Fact]
    history: Sequence[Change] = ()


@dataclass(frozen=True, slots=True)
class Stretch:
    """Lines of a file that follow one another, as HTML."""

    lines: LineRange
    html: Markup


@dataclass(frozen=True, slots=True)
class FileView:
    """A cited file's page."""

    page: str
    repository: str
    path: str
    facts: Sequence[Fact]
    entries: Sequence[Entry]
    stretches: Sequence[Stretch]
    count: int
    """Lines that the file has."""
    notes: Sequence[str] = ()
    most: int = 0
    """Lines that are shown of each citation at the most, where one has more; else 0."""


@dataclass(frozen=True, slots=True)
class ListView:
    """A page of the list of results."""

    summary: Summary
    entries: Sequence[Entry]
    number: int
    """The page's, 1-based."""
    pages: Sequence[str]
    """The addresses of all pages of the list."""
    first: int
    """The place of the first entry among all, 1-based."""
    marks: dict[int, Level]
    """By place on the page, from 0: where a level begins."""
    starts: dict[Level, str]
    """By level: where its first entry stands."""
    conclusion: str
    problems: Sequence[str] = ()
    """What could not be read."""


@dataclass(frozen=True, slots=True)
class Neighbours:
    """The results before and after one in the list; empty where there is none."""

    before: str = ""
    after: str = ""
