"""What a document shows: blocks of code, links, prose, and what in them points at code. Frozen records without I/O.

A reader (`provenance.documents`) makes elements of a document; `Mention`s are those of them that may be citations.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from provenance.links.targets import NotUnderstood, Target

STAND_IN = "\ufffc"
"""What stands in prose where a link stood: U+FFFC, the object replacement character."""


@dataclass(frozen=True, slots=True)
class Where:
    """Where an element stands in a document."""

    line: int
    """Its first line, 1-based; in a notebook that of the cell's source."""
    last: int
    """Its last line, 1-based, inclusive: for a block that of the closing fence or tag."""
    order: int
    """Which element of the document it is, from 0: elements are numbered as a reader meets them."""
    section: int = 0
    """Which heading it stands under, from 1; 0 before the first. A heading's own text belongs to its section."""
    nest: tuple[int, ...] = ()
    """The containers around it, the outermost first, each with a number of its own in the document: list items,
    quotations, `<details>`, table rows, directives."""
    cell: int | None = None
    """The notebook's cell, 1-based; None elsewhere."""
    heading: bool = False
    """Whether it stands in a heading."""


@dataclass(frozen=True, slots=True)
class Block:
    """Preformatted text: a fence, an indented block, `<pre>`, a literal block, a table of code lines."""

    where: Where
    text: str
    """Joined by LF without a last LF, entities decoded; the indentation of what it stands in is taken off."""
    first: int
    """The line on which its text begins, 1-based: one past an opening fence."""
    language: str = ""
    """As the document names it, in lower case; empty where it names none."""
    title: str = ""
    """A caption or a `title=`; empty where there is none."""
    caption: tuple[int, int] | None = None
    """The orders, first and last inclusive, of elements that are the block's caption; None where there is none."""


@dataclass(frozen=True, slots=True)
class Link:
    """A hyperlink."""

    where: Where
    """Of the link's text, at the place where it is used."""
    url: str
    """Where it leads, entities and escapes decoded, nothing normalised."""
    raw: str
    """The same as it stands in the document, which may be elsewhere: a reference's definition."""
    raw_line: int
    """The line on which `raw` stands, 1-based."""
    text: str = ""
    """What it shows, white space as it stands."""


@dataclass(frozen=True, slots=True)
class Prose:
    """Running text of one paragraph, heading, table cell or comment; `STAND_IN` stands for each link in it."""

    where: Where
    text: str
    """Line n of it, counted from 0, stands on line `where.line + n` of the document."""


@dataclass(frozen=True, slots=True)
class Ignore:
    """A comment `prov: ignore`: what is wrong with citations beside it is known.

    Elements do not count it: the next one has its order.
    """

    where: Where
    """Of the comment."""
    text: str
    """What it says behind `prov: ignore`, on one line."""
    covers: tuple[int, int] | None = None
    """The orders, the first and the one behind the last, of what comes next; None where nothing does."""
    beside: bool = False
    """Whether something else stands on its lines, so that it speaks of these alone."""


Element = Block | Link | Prose | Ignore


@dataclass(frozen=True, slots=True)
class Mention:
    """Something in a document that looks as if it pointed at code."""

    where: Where
    target: Target | NotUnderstood
    raw: str
    """As it stands in the document."""
    raw_line: int
    """The line on which that is, 1-based."""
    text: str = ""
    """What a link shows; empty for a URL or a place in running text."""
    block: int | None = None
    """The order of the block that it stands in, such as in a comment; None elsewhere."""
    block_line: int | None = None
    """The line within that block's text, from 0."""


@dataclass(frozen=True, slots=True)
class Sheet:
    """A document as far as citations are concerned."""

    blocks: tuple[Block, ...]
    mentions: tuple[Mention, ...]
    """In their order."""
    ignores: tuple[Ignore, ...] = ()
    """The same."""
