"""Names that are made of what a page says: safe, bounded, and each given once."""

from __future__ import annotations

import hashlib
import re
import unicodedata
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

_LENGTH = 100
"""Characters of the longest name that a manifest takes."""
_SLUG_LENGTH = 80
"""Characters of the longest file name, without its ending."""


def slug(title: str) -> str:
    """A file name for a title: ASCII letters, digits and hyphens, 1 to 80 of them."""
    plain = unicodedata.normalize("NFKD", title).encode("ascii", "ignore").decode("ascii").lower()
    found = re.sub(r"[^a-z0-9]+", "-", plain)[:_SLUG_LENGTH].strip("-")
    # A title in another script still gets a name that no other title has.
    return found or f"page-{hashlib.sha256(title.encode('utf-8', 'replace')).hexdigest()[:12]}"


class Names:
    """The names that are taken, within which a name stands for one thing."""

    def __init__(self, taken: Iterable[str] = ()) -> None:
        self._taken = set(taken)
        self._numbers: dict[str, int] = {}
        """The last number that was given to a name."""

    def __contains__(self, name: str) -> bool:
        return name in self._taken

    def take(self, name: str) -> str:
        """The name, bounded, with a number where it is taken already; it is taken from now on."""
        candidate = name[:_LENGTH].rstrip()
        stem = name[: _LENGTH - 8]
        while candidate in self._taken:
            self._numbers[stem] = self._numbers.get(stem, 1) + 1
            candidate = f"{stem}-{self._numbers[stem]}"
        self._taken.add(candidate)
        return candidate
