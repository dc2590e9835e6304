"""Names that a link shows, such as `get_samples()`, and blocks that begin with their definitions."""

from __future__ import annotations

import re
from itertools import pairwise

_NAME = re.compile(r"[A-Za-z_]*(?:[a-z0-9]_|_[a-z]|[a-z][A-Z])\w*")
"""A name that is no word of a language: `get_samples`, `getSamples`."""
_MOST = 300
"""Characters of a link's text, and of a block, that are looked at for names."""
_LINES = 8
"""Lines within which a block that is a definition begins it: comments and decorators come before."""
_KEYWORD = re.compile(
    r"\b(?:class|def|defn|enum|fn|func|function|interface|macro|method|module|proc|record|struct|sub|trait|type|union)\b"
)
_HEAD = re.compile(
    r"[ \t]*(?!(?:assert|await|case|elif|else|for|if|not|return|throw|while|yield)\b)[\w \t*&:<>,\[\]~]*"
)
"""What may stand before a name that is defined without a keyword, as in C."""


def names_in(label: str) -> frozenset[str]:
    """The names that a link's text shows."""
    return frozenset(_NAME.findall(label[:_MOST]))


def begins_with(text: str, names: frozenset[str]) -> bool:
    """Whether one of the names stands where a block begins."""
    return bool(names) and not names.isdisjoint(_NAME.findall(text[:_MOST]))


def defines(text: str, names: frozenset[str]) -> bool:
    """Whether a block begins with the definition of one of the names: then it is no example of its use."""
    if not names:
        return False
    lines = [line[:_MOST] for line in text.split("\n", 2 * _LINES)[: 2 * _LINES] if line.strip()]
    return any(_is_definition(line, after, names) for line, after in pairwise([*lines[: _LINES + 1], ""]))


def _is_definition(line: str, after: str, names: frozenset[str]) -> bool:
    found = next((found for found in _NAME.finditer(line) if found[0] in names), None)
    if found is None:
        return False
    before, behind = line[: found.start()], line[found.end() :].strip()
    if _KEYWORD.search(before):
        return "=" not in before
    if not behind.startswith("(") or _HEAD.fullmatch(before) is None:
        return False
    return behind.endswith("{") or (after.lstrip().startswith("{") and not behind.endswith(";"))
