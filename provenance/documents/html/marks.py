"""What class names and attributes of HTML say about code: its language, its title, its line numbers, its cells."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from provenance.documents.html.tokens import Tag

_LANGUAGE = re.compile(
    r"(?:language|lang|highlight-source|highlight-text|highlight|code)-([\w+#.-]+)", re.IGNORECASE
)
_BRUSH = re.compile(r"\bbrush:\s*([\w+#.-]+)", re.IGNORECASE)
_WRAPPERS = frozenset({"sourcecode", "hljs", "highlight", "src"})
"""Classes beside which a further class is the language's bare name."""
_NO_LANGUAGE = frozenset(
    {
        "",
        "none",
        "default",
        "notranslate",
        "literal",
        "block",
        "wrapper",
        "numbersource",
        "linenos",
        "numbers",
        "nohighlight",
    }
)
_LANGUAGE_ATTRIBUTES = ("data-lang", "data-language", "lang")
_BARE = re.compile(r"[a-z][\w+#]*", re.IGNORECASE)

_TITLE_ATTRIBUTES = ("title", "data-title", "data-filename", "data-file-name", "data-file")

_NUMBERS = frozenset(
    {
        "blob-num",
        "code-lineno",
        "diff-line-num",
        "gl",
        "hljs-ln-n",
        "hljs-ln-numbers",
        "linenodiv",
        "lineno",
        "linenos",
        "linenumber",
        "linenumbers",
        "line-no",
        "line-num",
        "line-number",
        "line-numbers",
        "line-numbers-rows",
        "line-numbers-wrapper",
        "lines-num",
        "ln",
        "lnt",
        "rouge-gutter",
    }
)
_HOLD_CODE = frozenset({"pre", "code", "div", "table", "ol"})
"""Elements on which `linenos` or `line-numbers` says that numbers are to be shown, not that these are some."""
_NUMBERS_OF_WRAPPERS = frozenset({"linenodiv", "line-numbers-wrapper"})

_CODE_CELLS = frozenset({"blob-code", "blob-code-inner", "lines-code", "line_content", "hljs-ln-code"})
_CODE_CELLS_BESIDE_NUMBERS = frozenset({"code", "lines", "rouge-code", "lntd", "line-content", "line-code"})

_CAPTIONS = frozenset(
    {
        "code-block-caption",
        "code-block-title",
        "code-caption",
        "code-filename",
        "code-title",
        "codeblock-title",
        "filename",
        "gatsby-code-title",
        "rehype-code-title",
        "remark-code-title",
    }
)
_CAPTION_PREFIXES = ("codeBlockTitle", "CodeBlockTitle")

_UNSEEN = frozenset({"headerlink", "anchorjs-link", "zeroclipboard-container", "copybtn"})
"""What a generator adds to a page beside its text: the sign behind a heading, the button on a block."""


def language_of(tag: Tag) -> str:
    """The language that a tag names, in lower case; empty where it names none."""
    for name in _LANGUAGE_ATTRIBUTES if tag.name in {"pre", "code"} else _LANGUAGE_ATTRIBUTES[:2]:
        if value := tag.value(name).strip().lower():
            return value
    classes = tag.classes
    if brush := _BRUSH.search(" ".join(classes)):
        return brush[1].lower()
    for each in classes:
        named = _LANGUAGE.fullmatch(each)
        if named and named[1].lower() not in _NO_LANGUAGE:
            return named[1].lower()
    if any(each.lower() in _WRAPPERS for each in classes):
        others = [each.lower() for each in classes if each.lower() not in _WRAPPERS]
        if len(others) == 1 and _BARE.fullmatch(others[0]) and others[0] not in _NO_LANGUAGE:
            return others[0]
    return ""


def title_of(tag: Tag) -> str:
    """The title that a tag gives to the code in it."""
    return next((value for name in _TITLE_ATTRIBUTES if (value := tag.value(name).strip())), "")


def is_line_number(tag: Tag) -> bool:
    """Whether what is in this tag is line numbers."""
    if not tag.classes:
        return False
    if tag.name in {"td", "th"} and "gutter" in tag.classes:
        return True
    return not (_NUMBERS_OF_WRAPPERS if tag.name in _HOLD_CODE else _NUMBERS).isdisjoint(tag.classes)


def is_code_cell(tag: Tag, *, beside_numbers: bool) -> bool:
    """Whether a table's cell holds a line of code; some class names mean that only where line numbers stand before."""
    if not _CODE_CELLS.isdisjoint(tag.classes):
        return True
    return beside_numbers and not _CODE_CELLS_BESIDE_NUMBERS.isdisjoint(tag.classes)


def is_caption(tag: Tag) -> bool:
    """Whether this tag holds the title of the code after it."""
    if tag.name in {"figcaption", "caption"}:
        return True
    return not _CAPTIONS.isdisjoint(tag.classes) or any(
        each.startswith(_CAPTION_PREFIXES) for each in tag.classes
    )


def is_unseen(tag: Tag) -> bool:
    """Whether what is in this tag is no text of the page's: a generator's sign or button, or line numbers."""
    return tag.name == "button" or not _UNSEEN.isdisjoint(tag.classes) or is_line_number(tag)
