"""HTML documents, and the pieces of HTML in Markdown.

The tokenizer (`tokens`) is our own and follows the standard's. What the libraries lack is what is needed here: an
attribute's text as it stands in the document, with its line, so that a URL can be mended in place. html5lib and lxml
keep no place of an attribute at all; Beautiful Soup and `html.parser` know that of a tag. `html.parser` in supported
versions of Python also raises on some declarations and needs quadratic time for unclosed comments. What ours takes for
a tag, text or a comment is compared with `html.parser` in the tests. Over the tokens goes a stack of open elements with
the standard's implied end tags (`stack`), so `<li>`, `<p>` and `<td>` end where a browser ends them. Every step costs a
bounded amount for each character of the document, however deep it is and whatever is left open. Whoever else reads
HTML does so over these two, as `documents.rendering`.

A document is read by `read_html`. Pieces of HTML between other text are read by one `Reader` for the whole document:

    reader = Reader(numbering)        # shares its `Numbering` with whoever numbers the other elements
    reader.enter() / reader.leave()   # at the beginning and the end of a list item or a quotation that is no HTML
    reader.feed(piece, line)          # for each piece, in order
    reader.nest                       # the containers open now, HTML's and those entered: for elements outside HTML
    reader.preformatted               # a <pre> is open: feed the lines up to where it ends as they stand
    reader.begin() / reader.end()     # around each paragraph, block, table, item or quotation that is no HTML
    reader.finish()                   # once, at the end: the elements of all pieces, to be merged by `where.order`
    reader.ignores                    # then: the comments that ignore citations, to come behind the elements

An element outside HTML takes `numbering.order` and adds one to it; a heading opens a section. Orders rise, and may
have gaps. For a tag within a line (`<a href=…>` … `</a>`) take `tokens(piece, line)` and `link_of(tag)`.

The order of elements: a paragraph's prose comes before the links in it, a block before the links in it, both before
comments in them. `STAND_IN` stands for `<a href>` only. A paragraph of nothing but links is left out.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from provenance.documents.html.addresses import Address, embedded_in, link_of
from provenance.documents.html.reader import Reader
from provenance.documents.html.tokens import Attribute, Comment, End, Tag, Text, tokens

if TYPE_CHECKING:
    from collections.abc import Iterator

    from provenance.document import Element

__all__ = [
    "Address",
    "Attribute",
    "Comment",
    "End",
    "Reader",
    "Tag",
    "Text",
    "embedded_in",
    "link_of",
    "read_html",
    "tokens",
]


def read_html(text: str, *, first_line: int = 1) -> Iterator[Element]:
    """The elements of an HTML document, in their order.

    Args:
        text: the document; any text is read, LF and CRLF end lines.
        first_line: the number of its first line.
    """
    reader = Reader(whole=True)
    reader.feed(text, first_line)
    yield from reader.finish()
    yield from reader.ignores
