"""Characters that change how code is shown and do not show themselves (see "Trojan Source", CVE-2021-42574)."""

from __future__ import annotations

import re
import unicodedata

_INVISIBLE = re.compile("[\u200b-\u200f\u202a-\u202e\u2066-\u2069\ufeff]")


def invisible(text: str) -> str:
    """Name the bidirectional controls and invisible characters of a text; empty where it has none.

    For example `U+202E (right-to-left override), U+200B (zero width space)`.
    """
    if text.isascii():
        return ""
    found = dict.fromkeys(_INVISIBLE.findall(text))
    return ", ".join(f"U+{ord(sign):04X} ({unicodedata.name(sign).lower()})" for sign in found)
