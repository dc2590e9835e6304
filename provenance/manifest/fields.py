"""What a manifest may say: one table, which the loader, its errors and the JSON Schema all follow.

Patterns are written in what Python and ECMA 262 have in common, because editors run the latter.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from provenance.citation import EvidenceKind
from provenance.evidence import DEFAULT_LEVELS, Level, Verdict

if TYPE_CHECKING:
    from collections.abc import Mapping


@dataclass(frozen=True, slots=True)
class Text:
    """A scalar, read as the string that was written."""

    expected: str
    """What an error says should stand there."""
    pattern: re.Pattern[str]
    """What the whole string matches."""
    number: bool = False
    """Whether it is an integer where YAML is read with types, as editors do."""
    words: tuple[str, ...] = ()
    """All the strings there are, where they are few."""


def _choice(*words: str) -> Text:
    return Text("one of " + ", ".join(words), re.compile("|".join(words)), words=words)


@dataclass(frozen=True, slots=True)
class Table:
    """A mapping with fixed keys."""

    name: str
    """What an error calls it, with its article."""
    fields: Mapping[str, Field]
    one_of: tuple[str, ...] = ()
    """Keys of which no two may stand together."""

    def text(self, key: str) -> Text:
        """What a key's scalar must be."""
        kind = self.fields[key].kind
        if not isinstance(kind, Text):
            raise TypeError(key)
        return kind

    def __str__(self) -> str:
        return f"{self.name}: a mapping with {', '.join(self.fields)}"


@dataclass(frozen=True, slots=True)
class Listing:
    """A list."""

    of: Kind


@dataclass(frozen=True, slots=True)
class Named:
    """A mapping whose keys are names that the manifest chooses."""

    key: Text
    of: Kind


Kind: TypeAlias = Text | Table | Listing | Named


@dataclass(frozen=True, slots=True)
class Field:
    """One key of a table."""

    kind: Kind
    description: str
    """For the author of a manifest."""
    required: bool = False
    unless: str | None = None
    """Another key, in whose presence a required one may be missing."""
    only_with: tuple[str, str] | None = None
    """Another key and its value, without which this key has no meaning."""


_CONTROL = r"\x00-\x1f\x7f-\x9f\u2028\u2029"
_LINE = rf"[^\s{_CONTROL}](?:[^{_CONTROL}]*[^\s{_CONTROL}])?"
_DASH = r"\s*[-\u2010-\u2015\u2212]\s*"

NAME_LENGTH = 100
"""Characters of the longest name: YAML bounds a key to 1,024, and an escape has up to ten."""

LINE = Text("a line of text", re.compile(_LINE))
NAME = Text(
    f"a name of at most {NAME_LENGTH} characters",
    re.compile(rf"[^\s{_CONTROL}](?:[^{_CONTROL}]{{0,{NAME_LENGTH - 2}}}[^\s{_CONTROL}])?"),
)
PROSE = Text("some text", re.compile(r"\s*\S[\s\S]*"))
WEB = Text("an https or http address", re.compile(rf"https?://[^\s{_CONTROL}]+"))
LINES = Text(
    "a line such as 60 or a range such as 99-103, counted from 1",
    re.compile(rf"\s*0*[1-9][0-9]{{0,8}}(?:{_DASH}[0-9]{{1,9}})?\s*"),
    number=True,
)
DATE = Text("a date such as 2027-06-30", re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}"))
RELEASE = Text(
    "a release such as tensor2tensor==1.0.14",
    re.compile(
        r"([A-Za-z0-9](?:[A-Za-z0-9._-]{0,98}[A-Za-z0-9])?)\s*==\s*([A-Za-z0-9][A-Za-z0-9.!+_-]{0,99})"
    ),
)
"""Source: PyPA specifications, "Names and normalization" and "Version specifiers", `==` clauses."""

ANYTHING = Text("some text", re.compile(r"[\s\S]*"))
POINTER = Text(
    "a JSON pointer such as /n_embd, in which ~0 is ~ and ~1 is /",
    re.compile(rf"(?:/(?:[^/~{_CONTROL}]|~[01])*)*"),
)
"""Source: RFC 6901, section 3; without control characters."""
NUMBER = Text(
    "a number such as 1,050,624",
    re.compile(
        r"[-+\u2212]?(?:[0-9](?:[0-9,._' \u00a0\u2009\u202f]{0,200}[0-9])?|\.[0-9]{1,200})(?:[eE][-+]?[0-9]{1,4})?"
    ),
)

EXPECTABLE = tuple(
    verdict.value
    for verdict, level in DEFAULT_LEVELS.items()
    if level in {Level.WARNING, Level.FAILURE} and verdict is not Verdict.BROKEN
)
"""The verdicts that a citation's `expect` can name."""


def _expect(*verdicts: str) -> Table:
    return Table(
        "an expect",
        {
            "verdict": Field(_choice(*verdicts), "The verdict that is known.", required=True),
            "because": Field(PROSE, "Why it is accepted.", required=True),
            "until": Field(DATE, "The last day on which it counts as a warning.", required=True),
        },
    )


EXPECT = _expect(*EXPECTABLE)
EXPECT_BROKEN = _expect(Verdict.BROKEN)

ALTERNATE = Table(
    "an alternate",
    {"pypi": Field(RELEASE, "A release on the package index that pip is configured for.", required=True)},
)

SOURCE = Table(
    "a source",
    {
        "git": Field(LINE, "The repository's URL.", required=True),
        "revision": Field(LINE, "The pin: a commit id, full or short, or a tag.", required=True),
        "license": Field(LINE, "SPDX expression for the licence of the cited code."),
        "alternates": Field(
            Listing(ALTERNATE), "Other places that hold the same files, in the order in which they are asked."
        ),
        "stated": Field(
            LINE,
            "The revision that the document names elsewhere for this repository: it must be the same commit.",
        ),
    },
)

VALUE = Table(
    "a value",
    {
        "pointer": Field(POINTER, "Where the value stands in the file (RFC 6901).", required=True),
        "equals": Field(ANYTHING, "What the document says it is.", required=True),
    },
)

CITATION = Table(
    "a citation",
    {
        "id": Field(NAME, "Unique in this manifest.", required=True),
        "source": Field(NAME, "A name under `sources`.", required=True),
        "path": Field(LINE, "Path in the repository, from its root, with forward slashes.", required=True),
        "lines": Field(
            LINES,
            "The cited lines, counted from 1, both ends included. A value can do without.",
            required=True,
            unless="value",
        ),
        "evidence": Field(
            _choice(*EvidenceKind), "Whether the lines show the claim, or its surroundings.", required=True
        ),
        "of": Field(
            LINE,
            "Contextual evidence: the component it is evidence for.",
            only_with=("evidence", "contextual"),
        ),
        "claim": Field(PROSE, "What the document says of the cited lines."),
        "quote": Field(PROSE, "The code that the document shows, with its white space."),
        "expression": Field(
            PROSE, "Code that begins within the lines; … stands for any run of arguments or statements."
        ),
        "value": Field(VALUE, "An entry of a JSON, YAML or TOML file."),
        "expect": Field(EXPECT, "A known verdict other than ok: a counted warning until its date."),
    },
    one_of=("quote", "expression", "value"),
)

TERM = Table(
    "a term",
    {
        "name": Field(LINE, "What the term is for.", required=True),
        "calculation": Field(LINE, "As the document shows it, such as 512 × 2048.", required=True),
        "equals": Field(NUMBER, "What the document says it comes to.", required=True),
    },
)

QUANTITY = Table(
    "a quantity",
    {
        "id": Field(NAME, "Unique in this manifest, among citations as well.", required=True),
        "terms": Field(Listing(TERM), "The rows of a sum."),
        "total": Field(NUMBER, "What the terms come to together."),
        "repeated": Field(NUMBER, "How often the total is taken."),
        "overall": Field(NUMBER, "What that comes to."),
        "statements": Field(
            Listing(LINE), "What the document says of the same quantity elsewhere: numbers and equations."
        ),
        "shapes": Field(Listing(LINE), "Shapes that the document states; dimensions come out of them."),
        "expect": Field(EXPECT_BROKEN, "It is known to be broken: a counted warning until its date."),
    },
)

VERSION = "1"
"""The version of the format."""

MANIFEST = Table(
    "a manifest",
    {
        "prov": Field(
            Text(f"{VERSION}, the version of the format", re.compile(VERSION), number=True, words=(VERSION,)),
            "The version of the format.",
            required=True,
        ),
        "title": Field(LINE, "The title of the document that these citations stand in.", required=True),
        "url": Field(WEB, "Where the document is published."),
        "sources": Field(Named(NAME, SOURCE), "Repositories at pinned revisions, by name.", required=True),
        "citations": Field(Listing(CITATION), "The claims' pointers into the sources.", required=True),
        "quantities": Field(Listing(QUANTITY), "Arithmetic that the document shows."),
    },
)
