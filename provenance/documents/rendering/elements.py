"""What the elements of HTML do to the text that they hold (HTML, "Rendering")."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from provenance.documents.html.codes import PREFORMATTED
from provenance.documents.html.tokens import VERBATIM
from provenance.documents.rendering.flow import LINE, PARAGRAPH

if TYPE_CHECKING:
    from provenance.documents.html.tokens import Tag


def _words(names: str) -> frozenset[str]:
    return frozenset(names.split())


UNSEEN = (VERBATIM - PREFORMATTED) | _words(
    "audio canvas datalist noscript object rp select svg template video"
)
"""Elements whose text is not shown among the page's own."""

BREAKS = {
    **dict.fromkeys(
        _words(
            "address article aside blockquote body caption center details dialog dl fieldset figcaption figure footer "
            "form h1 h2 h3 h4 h5 h6 header hgroup hr listing main menu nav ol p pre search section summary table ul "
            "xmp"
        ),
        PARAGRAPH,
    ),
    **dict.fromkeys(_words("dd div dt html legend li optgroup option tr"), LINE),
}
"""How an element stands apart from what is around it."""

_NOT_DISPLAYED = re.compile(r"(?:^|;)\s*(?:display\s*:\s*none|visibility\s*:\s*hidden)\b", re.IGNORECASE)
_PRESERVED = re.compile(
    r"(?:^|;)\s*white-space\s*:\s*(?:pre|pre-wrap|break-spaces)\s*(?:;|!|$)", re.IGNORECASE
)
_LONGEST_STYLE = 2_000
"""Characters of a style that are looked at."""
_COLUMNS = re.compile("0*[1-9][0-9]{0,3}")
_MOST_COLUMNS = 20
"""Columns that one cell may take."""


def is_hidden(tag: Tag) -> bool:
    """Whether an element is not shown."""
    if tag.name in UNSEEN:
        return True
    if not tag.attributes:
        return False
    hidden = tag.get("hidden")
    if hidden is not None and hidden.value.lower() != "until-found":
        return True
    if "katex-html" in tag.classes:
        return True  # KaTeX writes each formula twice; this one is for the eye alone
    if tag.name == "button" and _copies(tag):
        return True  # it belongs to the code beside it, and is none of it
    return _NOT_DISPLAYED.search(_style(tag)) is not None


def _style(tag: Tag) -> str:
    return tag.value("style")[:_LONGEST_STYLE]


def _copies(tag: Tag) -> bool:
    """Whether a button says of itself that it copies something."""
    said = " ".join(tag.value(name) for name in ("class", "aria-label", "title")).lower()
    return "copy" in said or any(each.name.startswith("data-clipboard") for each in tag.attributes)


def is_verbatim(tag: Tag) -> bool:
    """Whether white space counts in an element."""
    return tag.name in PREFORMATTED or _PRESERVED.search(_style(tag)) is not None


def columns(tag: Tag) -> int:
    """How many columns a cell takes."""
    said = tag.value("colspan").strip()
    return min(int(said), _MOST_COLUMNS) if _COLUMNS.fullmatch(said) else 1
