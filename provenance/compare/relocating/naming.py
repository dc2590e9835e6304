"""What the first line of a definition names, in languages for which no grammar is at hand."""

from __future__ import annotations

import re

_LONGEST = 500
"""Characters of a line that are looked at."""
_KEYWORD = re.compile(
    r"\b(class|struct|interface|enum|trait|impl|module|namespace|type|def|function|func|fn|sub|object|record|union)"
    r"\s+(?:\([^()]*\)\s*)?([\w$.:]+)"
)
"""A name behind a word that says what it is; Go has a receiver between the two."""
_TITLE = re.compile(r"""\s*[\w$.!]+\s*\(\s*["'`]([^"'`]{3,})["'`]\s*,.*[{(|]\s*$""")
"""The title of a test or a route, the first argument of a call that opens a block."""
_ASSIGNED = re.compile(
    r"""([\w$]+)["']?\s*[:=]\s*(?:async\s*)?(?:function\b\s*\*?\s*[\w$]*\s*\(|\([^()]*\)\s*=>|[\w$]+\s*=>)"""
)
"""A name that a function is assigned to."""
_CALLED = re.compile(r"(?<![.\w$~])([\w$~]+)\s*(?:<[^<>()]*>)?\s*\(")
"""A name before a list of parameters; behind a dot it would be a call."""
_TYPES = frozenset(("struct", "union", "enum", "type", "object", "record"))
"""Words that stand before the name of a type, in a list of parameters too."""
_STATEMENTS = frozenset(
    (
        *(
            "if",
            "for",
            "while",
            "switch",
            "catch",
            "return",
            "match",
            "when",
            "with",
            "using",
            "lock",
            "elif",
        ),
        *("until", "function", "throw", "await", "assert", "sizeof", "typeof", "new", "else", "do", "try"),
        *("yield", "case", "goto", "delete", "raise", "print", "defer", "go"),
    )
)
"""Words that can stand before a bracket and are no names."""


def named(header: str) -> str | None:
    """What a line defines, if it is the header of a definition; None where it looks like a statement."""
    header = header[:_LONGEST]
    titled = _TITLE.match(header) or _ASSIGNED.search(header)
    if titled is not None:
        return titled[1]
    keyword = _KEYWORD.search(header)
    if keyword is not None and not (keyword[1] in _TYPES and "(" in header):
        return keyword[2].rpartition(".")[2].rpartition(":")[2] or None
    called = _CALLED.search(header)
    if called is None or called[1] in _STATEMENTS:
        return None
    before = header[: called.start()]
    first = before.split(None, 1)[:1]
    return None if "=" in before or (first and first[0] in _STATEMENTS) else called[1]


def mentions(name: str) -> re.Pattern[str]:
    """What finds a name, or a title, in a line."""
    return re.compile(rf"(?<![\w$]){re.escape(name)}(?![\w$])")
