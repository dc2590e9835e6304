"""Comments of a block that hold a link to a place in code: they are the document's, not the file's."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

_URL = re.compile(r"(?:https?://|swh:1:cnt:)[^\s<>\"'`]+")
_PLACE = re.compile(r"#(?:L|l|lines?[-=]|n)?[0-9]|;l(?:ines)?=[0-9]|/(?:blob|src/(?:commit|branch|tag))/")
"""What a link to lines has."""
_OPENERS = r"(?://+|#+|--+|;+|%+|/\*+|<!--+|\*+|'''|\"\"\")"
_BEFORE = re.compile(
    rf"[ \t]*{_OPENERS}?!?[ \t]*"
    r"(?:(?:see|source|sources|from|taken|copied|adapted|based|code|link|ref|reference|permalink|at|in|on|via|"
    r"original|github|url|here|also|defined|implementation|the|is|cf\.?|e\.g\.)[ \t:]{1,4}){0,5}[<(\[\"'`]?",
    re.IGNORECASE,
)
_AFTER = re.compile(r"[ \t]{0,8}[>)\]\"'`.,;:]{0,3}[ \t]{0,8}(?:\*+/|--+>|'''|\"\"\")?[ \t\r]*")
_COMMENT = re.compile(rf"(?:^|[ \t]){_OPENERS}(?=[ \t])")
_EMPTY_COMMENT = re.compile(rf"(?:^|[ \t]){_OPENERS}$")


def has_links(text: str) -> bool:
    """Whether there can be a link: a quick look, since most code has none."""
    return "://" in text or "swh:1:" in text


def is_remark(line: str) -> bool:
    """Whether a line is nothing but a link to lines, in a comment or bare."""
    found = _link(line)
    if found is None:
        return False
    return bool(_BEFORE.fullmatch(line, 0, found.start()) and _AFTER.fullmatch(line, _end(found)))


def without_remarks(lines: Sequence[str]) -> list[str] | None:
    """The lines without links to lines in comments; None where there are none."""
    kept = [bare for line in lines if (bare := _bare(line)) is not None]
    return kept if kept != list(lines) else None


def _bare(line: str) -> str | None:
    """The line without a link at the end of its comment; None where nothing else stands on it."""
    found = _link(line)
    if found is None:
        return line
    if is_remark(line):
        return None
    before = line[: found.start()]
    if not (_COMMENT.search(before) and _AFTER.fullmatch(line, _end(found))):
        return line
    code = before.rstrip(" \t<([")
    empty = _EMPTY_COMMENT.search(code)
    return code[: empty.start()].rstrip() if empty else code


def _link(line: str) -> re.Match[str] | None:
    return next((found for found in _URL.finditer(line) if _PLACE.search(found[0])), None)


def _end(found: re.Match[str]) -> int:
    """Where the link ends: what closes a comment without a space before it is not of the link."""
    text = found[0]
    for closing in ("*/", "--"):
        text = text.removesuffix(closing)
    return found.start() + len(text.rstrip(").,;:]"))
