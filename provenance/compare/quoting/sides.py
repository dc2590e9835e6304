"""The two sides of code that a document shows as a diff."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

_LANGUAGES = frozenset({"diff", "patch", "udiff"})
_OTHER_SIGNS = frozenset({"yaml", "yml", "markdown", "md", "rst", "text", "txt", "lisp", "scheme", "clojure"})
"""Languages whose lines begin with `-` or `+` of their own."""
_HUNK = re.compile(r"@@ -[0-9]{1,9}(?:,[0-9]{1,9})? \+[0-9]{1,9}(?:,[0-9]{1,9})? @@")
_HEADS = ("diff --git ", "index ", "--- ", "+++ ", "@@ ", "\\ No newline")
_UNIT = 2
"""Columns that indentation is a multiple of, if it is of anything."""


def sides(lines: Sequence[str], language: str) -> tuple[list[str], list[str]] | None:
    """The new side and the old side; None where the block is no diff."""
    if language not in _LANGUAGES and not any(_HUNK.match(line) for line in lines):
        return _unsaid(lines) if language not in _OTHER_SIGNS else None
    body = _body(lines)
    if not any(line[:1] in {"+", "-"} for line in body):
        return None
    return _both(body)


def _unsaid(lines: Sequence[str]) -> tuple[list[str], list[str]] | None:
    """The sides of what is called code and has signs at the edge of some of its lines, as no code has."""
    signed = [line for line in lines if line[:1] in {"+", "-"}]
    added = [line for line in signed if line[0] == "+"]
    solid = sum(bool(line.strip()) for line in lines)
    edge = all(line[1:2] in {"", " ", "\t"} for line in signed)
    return _both(lines) if added and edge and len(signed) < solid else None


def _both(body: Sequence[str]) -> tuple[list[str], list[str]]:
    column = _has_column(body)
    sign = "" if column or not _stands_in_place(body) else " "
    return _side(body, "-", column=column, sign=sign), _side(body, "+", column=column, sign=sign)


def _body(lines: Sequence[str]) -> list[str]:
    """The lines without what a diff says of its files and places: it stands before a hunk, or is the hunk's head."""
    hunks = [at for at, line in enumerate(lines) if _HUNK.match(line)]
    start = (
        hunks[0] if hunks else next((at for at, line in enumerate(lines) if not line.startswith(_HEADS)), 0)
    )
    return [line for line in lines[start:] if not line.startswith(("@@ ", "\\ No newline"))]


def _has_column(body: Sequence[str]) -> bool:
    """Whether the signs have a column of their own, as git prints them, or stand before the line as it is.

    Where every line could be of either sort, that one is taken whose indentations are more regular.
    """
    context = [line for line in body if line.strip() and line[0] not in "+-"]
    if not all(line.startswith(" ") for line in context):
        return False
    with_column = sum(_indent(line[1:]) % _UNIT for line in context)
    without = sum(_indent(line) % _UNIT for line in context)
    return not context or with_column <= without


def _stands_in_place(body: Sequence[str]) -> bool:
    """Whether signs without a column of their own stand in the place of a space, as typed over it."""
    signed = [line[1:] for line in body if line[:1] in {"+", "-"} and line[1:].strip()]
    return sum((_indent(line) + 1) % _UNIT for line in signed) < sum(_indent(line) % _UNIT for line in signed)


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip(" "))


def _side(body: Sequence[str], other: str, *, column: bool, sign: str) -> list[str]:
    """One side: the lines of the other are left out, and `sign` stands for those of its own."""
    side: list[str] = []
    for line in body:
        if line[:1] == other:
            continue
        if line[:1] in {"+", "-"}:
            side.append(sign + line[1:])
        else:
            side.append(line[1:] if column else line)
    return side
