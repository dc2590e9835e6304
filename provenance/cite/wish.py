"""What a person asks for, and what comes of it. Frozen records without I/O."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from provenance.errors import UsageError
from provenance.manifest.fields import LINE, NAME, PROSE
from provenance.manifest.nodes import shown

if TYPE_CHECKING:
    from provenance.answers import Lacking, Unreached
    from provenance.citation import EvidenceKind, LineRange, Source
    from provenance.evidence import Assurance
    from provenance.extract.lines import Text

_SURROGATE = re.compile("[\ud800-\udfff]")
"""What stands for a byte that is not UTF-8."""


@dataclass(frozen=True, slots=True)
class Wish:
    """The place that is to be cited, as it was written."""

    locator: str
    """A path with or without lines, a link, or an SWHID."""
    source: str | None = None
    """The name of a source of some manifest."""
    git: str | None = None
    """A repository's URL, with secrets where it has any."""
    revision: str | None = None
    """A commit id, full or short, a tag or a branch."""
    symbol: str | None = None
    """A definition's name, dotted, or the last parts of it."""

    def __post_init__(self) -> None:
        for text in (self.locator, self.source, self.git, self.revision, self.symbol):
            if text is not None and _SURROGATE.search(text):
                message = f"{text}: what is named is not UTF-8"
                raise UsageError(message)
        if self.symbol is not None and not self.symbol.strip():
            message = "--symbol needs the name of a definition"
            raise UsageError(message)
        if self.source is not None and (self.git is not None or self.revision is not None):
            message = "--source names repository and revision: leave --git and --revision out"
            raise UsageError(message)
        if (self.git is None) != (self.revision is None):
            message = "--git and --revision go together: a repository, and a commit, a tag or a branch of it"
            raise UsageError(message)


@dataclass(frozen=True, slots=True)
class Words:
    """What the citation is to say beside its place; None for what was not said."""

    id: str | None = None
    claim: str | None = None
    evidence: EvidenceKind | None = None
    of: str | None = None

    def __post_init__(self) -> None:
        for option, text, kind in (
            ("id", self.id, NAME),
            ("claim", self.claim, PROSE),
            ("of", self.of, LINE),
        ):
            if text is not None and (kind.pattern.fullmatch(text) is None or _SURROGATE.search(text)):
                message = f"--{option}: found {shown(text)}; expected {kind.expected}"
                raise UsageError(message)

    @property
    def are_any(self) -> bool:
        """Whether anything was said."""
        return any(one is not None for one in (self.id, self.claim, self.evidence, self.of))


@dataclass(frozen=True, slots=True)
class Found:
    """A place, read."""

    source: Source
    """As it is to be written, without secrets."""
    commit: str | None
    """Full commit id; None where it was never resolved."""
    moves: bool
    """Whether the revision as written may be another commit tomorrow."""
    path: str
    lines: LineRange
    text: Text = field(repr=False)
    """The whole file."""
    blob: str
    assurance: Assurance | None
    language: str | None
    """The language's name; None where it is not known."""
    manifests: tuple[str, ...] = ()
    """Those that have the source."""
    taken: frozenset[str] = frozenset()
    """Ids that are used there."""
    notes: tuple[str, ...] = ()
    """What a person should know, one sentence each."""

    @property
    def quoted(self) -> str:
        """The lines joined by LF, without a last LF."""
        return self.text.excerpt(self.lines)


@dataclass(frozen=True, slots=True)
class NotFound:
    """There is nothing to cite, and why."""

    failure: Lacking | Unreached
    problems: tuple[str, ...] = ()
    """What is wrong with what was asked for. Exit code 2."""
