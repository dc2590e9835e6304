"""What the elements of HTML do to the text that they hold (HTML, "Rendering")."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from provenance.documents.rendering.flow import LINE, PARAGRAPH

if TYPE_CHECKING:
    from collections.abc import Mapping


def _words(names: str) -> frozenset[str]:
    return frozenset(names.split())


VOID = _words(
    "area base basefont bgsound br col embed frame hr img input keygen link meta param source track wbr"
)
"""Elements without content, which nothing ends."""

UNSEEN = _words(
    "audio canvas datalist iframe noembed noframes noscript object rp script select style svg template textarea "
    "title video"
)
"""Elements whose text is not shown among the page's own."""

VERBATIM = frozenset({"listing", "pre", "xmp"})

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

_PARAGRAPH_ENDERS = _words(
    "address article aside blockquote center details dialog div dl fieldset figcaption figure footer form h1 h2 h3 "
    "h4 h5 h6 header hgroup hr main menu nav ol p pre search section table ul"
)
_ENDED = {
    **dict.fromkeys(_PARAGRAPH_ENDERS, frozenset({"p"})),
    "li": frozenset({"li"}),
    "dt": frozenset({"dt", "dd"}),
    "dd": frozenset({"dt", "dd"}),
    "td": frozenset({"td", "th"}),
    "th": frozenset({"td", "th"}),
    "tr": frozenset({"tr"}),
    "tbody": frozenset({"thead", "tbody", "tr"}),
    "tfoot": frozenset({"thead", "tbody", "tr"}),
}
_FENCES = {
    **dict.fromkeys(_PARAGRAPH_ENDERS, frozenset({"button", "td", "th", "caption", "table"})),
    "li": frozenset({"ul", "ol", "menu"}),
    "dt": frozenset({"dl"}),
    "dd": frozenset({"dl"}),
    "td": frozenset({"table", "tr"}),
    "th": frozenset({"table", "tr"}),
    "tr": frozenset({"table"}),
    "tbody": frozenset({"table"}),
    "tfoot": frozenset({"table"}),
}
_NONE: frozenset[str] = frozenset()

_NOT_DISPLAYED = re.compile(r"(?:^|;)\s*(?:display\s*:\s*none|visibility\s*:\s*hidden)\b", re.IGNORECASE)
_PRESERVED = re.compile(
    r"(?:^|;)\s*white-space\s*:\s*(?:pre|pre-wrap|break-spaces)\s*(?:;|!|$)", re.IGNORECASE
)
_LONGEST_STYLE = 2_000
"""Characters of a style that are looked at."""
_COLUMNS = re.compile("0*[1-9][0-9]{0,3}")
_MOST_COLUMNS = 20
"""Columns that one cell may take."""


def ended_by(tag: str) -> frozenset[str]:
    """The elements that a start tag ends where their end tags are left out."""
    return _ENDED.get(tag, _NONE)


def fenced_by(tag: str) -> frozenset[str]:
    """The elements behind which it ends none."""
    return _FENCES.get(tag, _NONE)


def is_hidden(tag: str, attributes: Mapping[str, str]) -> bool:
    """Whether an element is not shown."""
    if tag in UNSEEN or attributes.get("hidden", "until-found").lower() != "until-found":
        return True
    if "katex-html" in attributes.get("class", "").split():
        return True  # KaTeX writes each formula twice; this one is for the eye alone
    if tag == "button" and _copies(attributes):
        return True  # it belongs to the code beside it, and is none of it
    return _NOT_DISPLAYED.search(attributes.get("style", "")[:_LONGEST_STYLE]) is not None


def _copies(attributes: Mapping[str, str]) -> bool:
    """Whether a button says of itself that it copies something."""
    said = " ".join(attributes.get(name, "") for name in ("class", "aria-label", "title")).lower()
    return "copy" in said or any(name.startswith("data-clipboard") for name in attributes)


def is_verbatim(tag: str, attributes: Mapping[str, str]) -> bool:
    """Whether white space counts in an element."""
    return tag in VERBATIM or _PRESERVED.search(attributes.get("style", "")[:_LONGEST_STYLE]) is not None


def columns(attributes: Mapping[str, str]) -> int:
    """How many columns a cell takes."""
    said = attributes.get("colspan", "").strip()
    return min(int(said), _MOST_COLUMNS) if _COLUMNS.fullmatch(said) else 1
