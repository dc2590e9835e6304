"""JSON pointers: the way from a document's root to a value. Source: RFC 6901."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from provenance.errors import InvalidRecord

if TYPE_CHECKING:
    from collections.abc import Sequence

_LOST = re.compile(r"~(?![01])")
"""Section 3: a tilde is the first half of `~0` (a tilde) or `~1` (a slash)."""
_SHOWN = 60
"""Characters of a pointer that an error repeats."""


def parts(text: str) -> tuple[str, ...]:
    """The parts of a pointer: none for the empty one, which is the whole document.

    Raises:
        InvalidRecord: it is no pointer.
    """
    if not text:
        return ()
    shown = repr(text if len(text) <= _SHOWN else text[: _SHOWN - 1] + "…")
    if not text.startswith("/"):
        message = f"{shown} is no JSON pointer: it begins with /, such as /n_embd"
        raise InvalidRecord(message)
    if _LOST.search(text):
        message = f"{shown} is no JSON pointer: in a name ~ is written ~0, and / is written ~1"
        raise InvalidRecord(message)
    return tuple(part.replace("~1", "/").replace("~0", "~") for part in text[1:].split("/"))


def pointer(tokens: Sequence[str]) -> str:
    """The pointer that has these parts."""
    return "".join("/" + token.replace("~", "~0").replace("/", "~1") for token in tokens)
