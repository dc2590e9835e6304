"""Which reader a document has, by its name. A reader is imported when it is used: some take long."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from provenance.document import Link, Sheet
from provenance.documents.mentions import sheet
from provenance.documents.unreadable import Unreadable
from provenance.extract.decode import NotText, decode

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from provenance.document import Element
    from provenance.links.forges import Hosts

    Reader = Callable[[str], Iterable[Element] | Unreadable]


def _markdown() -> Reader:
    from provenance.documents.markdown.reading import read_markdown

    return read_markdown


def _html() -> Reader:
    from provenance.documents.html import read_html

    def read(text: str) -> Iterable[Element] | Unreadable:
        fence = _FENCE.search(text)
        is_page = _MARKUP.search(text, 0, fence.start() if fence else len(text)) is not None
        return read_html(text) if is_page else _markdown()(text)

    return read


def _rst() -> Reader:
    from provenance.documents.rst import read_rst

    return read_rst


def _notebook() -> Reader:
    from provenance.documents.notebook import read_notebook

    return read_notebook


def _docstrings() -> Reader:
    from provenance.documents.docstrings import read_docstrings

    return read_docstrings


def _plain() -> Reader:
    from provenance.documents.plain import read_plain

    return read_plain


@dataclass(frozen=True, slots=True)
class Format:
    """A kind of document."""

    name: str
    """As a message says it."""
    suffixes: tuple[str, ...]
    """The endings of its files, in lower case."""
    reader: Callable[[], Reader]
    """Imports it."""
    walked: bool = True
    """Whether such files are looked for in a folder; others are read where they are named."""
    is_free: bool = True
    """Whether any text is such a document; else the reader tells one that is broken."""


_PLAIN = Format("plain text", (".txt", ".text"), _plain)

FORMATS = (
    Format("Markdown", (".md", ".markdown", ".mdown", ".mkd", ".mdx", ".qmd", ".rmd"), _markdown),
    Format("HTML", (".html", ".htm", ".xhtml"), _html),
    Format("reStructuredText", (".rst", ".rest"), _rst),
    Format("a notebook", (".ipynb",), _notebook, is_free=False),
    Format("Python", (".py", ".pyi"), _docstrings, walked=False),
    _PLAIN,
)

_LIKE_A_LINK = re.compile(
    r"https?:|swh:|#(?:lc?|n|cl-|lines?-)?[0-9]|%23|&#|github\.com|prov:\s*ignore", re.IGNORECASE
)
"""What every link with lines has some of, in whatever way it is spelt, and a comment that ignores one."""

_MARKUP = re.compile(
    r"<(?:!doctype|html|head|body|main|article|section|div|p|br|pre|h[1-6]|[uod]l|li|table)\b", re.IGNORECASE
)
"""What a page has some of; a file without any above its first fence is Markdown, which a site's generator makes a page
of."""
_FENCE = re.compile(r"^ {0,3}(?:`{3}|~{3})", re.MULTILINE)

_MOST_WRITTEN = 16 * 1024 * 1024
"""Characters of a document's links altogether: a definition is written once, and used any number of times."""

_BY_SUFFIX = {suffix: each for each in FORMATS for suffix in each.suffixes}
_WALKED_WITHOUT_SUFFIX = frozenset(
    {"readme", "contributing", "changelog", "changes", "hacking", "notes", "news"}
)
"""Names without an ending that documents have."""


def format_of(name: str) -> Format | None:
    """The format of a file that is to be read; None where its ending is of no document.

    Args:
        name: the file's name or path. One without an ending is plain text.
    """
    base = name.replace("\\", "/").rpartition("/")[2].lower()
    stem, dot, ending = base.rpartition(".")
    return _BY_SUFFIX.get(f".{ending}") if dot and stem else _PLAIN


def is_document(name: str) -> bool:
    """Whether a file that is met in a folder is read: a document by its ending, or a `README` without one."""
    found = format_of(name)
    if found is None or not found.walked:
        return False
    base = name.replace("\\", "/").rpartition("/")[2].lower()
    return base.endswith(found.suffixes) or base in _WALKED_WITHOUT_SUFFIX


def read_document(data: bytes, name: str, hosts: Hosts, *, plain: bool = True) -> Sheet | Unreadable:
    """Read a document.

    Args:
        data: the file's bytes.
        name: its name or path, which tells its format.
        hosts: further hosts that run a forge.
        plain: whether plain places count; else what holds no link with lines need not be read closely.
    """
    found = format_of(name)
    if found is None:
        known = " ".join(suffix for each in FORMATS for suffix in each.suffixes)
        return Unreadable(f"no kind of document has this ending; known are {known}")
    text = decode(data, name)
    if isinstance(text, NotText):
        return Unreadable(text.reason)
    if found.is_free and not plain and _LIKE_A_LINK.search(text.text) is None:
        return Sheet((), ())
    elements = found.reader()(text.text)
    if isinstance(elements, Unreadable):
        return elements
    try:
        return sheet(_within_bounds(elements), hosts)
    except _TooLong:
        return Unreadable(f"links that are defined once and used often come to {_MOST_WRITTEN} characters")


class _TooLong(ValueError):
    """The links of a document are too long altogether."""


def _within_bounds(elements: Iterable[Element]) -> Iterator[Element]:
    """The same, as long as links that stand once in the document do not come to more than a document can hold."""
    written = 0
    for element in elements:
        written += len(element.raw) if isinstance(element, Link) else 0
        if written > _MOST_WRITTEN:
            raise _TooLong
        yield element
