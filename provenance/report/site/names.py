"""File names of a site's pages: stable from run to run, safe on every file system, and each given once."""

from __future__ import annotations

import hashlib
import re
import unicodedata
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

_PART = 48
"""Characters of the longest part of a name."""
_DIGITS = 12
"""Hexadecimal digits of the digest that a name ends in, 48 bits."""


def name_of(shown: Sequence[str], *identity: str) -> str:
    """A file name without its ending: what a person knows a thing by, then a digest of what tells it from all others.

    It has lower-case ASCII letters, digits and hyphens alone, at most some 110 of them. Names that differ in case,
    in another script or in punctuation alone differ in their digests.

    Args:
        shown: what the name is made of, such as a manifest's name and a citation's id.
        identity: what the digest is made of.
    """
    data = b"\0".join(part.encode("utf-8", "surrogatepass") for part in identity)
    digest = hashlib.sha256(data).hexdigest()[:_DIGITS]
    return "-".join([*filter(None, map(_slug, shown)), digest])


def _slug(text: str) -> str:
    """The letters and digits of a text, joined by hyphens; empty where it has none that ASCII knows."""
    # Bounded before it is taken apart: an id can be as long as its author likes.
    parts = unicodedata.normalize("NFKD", text[: 4 * _PART])
    plain = "".join(sign for sign in parts if not unicodedata.combining(sign)).lower()
    return re.sub(r"[^a-z0-9]+", "-", plain).strip("-")[:_PART].strip("-")


class Names:
    """The names that a folder has so far."""

    def __init__(self) -> None:
        self._taken: set[str] = set()

    def take(self, name: str) -> str:
        """The name; with a number where two things have one digest, which somebody may have brought about."""
        candidate, number = name, 1
        while candidate in self._taken:
            number += 1
            candidate = f"{name}-{number}"
        self._taken.add(candidate)
        return candidate
