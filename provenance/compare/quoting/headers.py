"""The header that a document puts on top of code: the file that it is from."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence

_MOST = 3
"""Lines of a header."""
_LONGEST = 300
"""A longer line is never one (characters)."""
_OPENING = re.compile(
    r"(?://+|#+|--+|\+\+\+|;+|%+|/\*+|<!--+|\*+|==+|>+)(?=[ \t])|(?://|#|/\*|<!--)(?=[\w.@])"
)
_CLOSING = re.compile(r"(?:\*+/|--+>?|==+|#+|\*+)$")
_WORD = re.compile(
    r"(?:file ?name|file|path|source|location|from|in)[ \t]*(?P<colon>[:=])?[ \t]+", re.IGNORECASE
)
_LINES = (
    r"(?:#(?:L|lines-)?[0-9]{1,9}(?:C[0-9]{1,9})?(?:[-:](?:L)?[0-9]{1,9}(?:C[0-9]{1,9})?)?"
    r"|:[0-9]{1,9}(?:[-\u2013:][0-9]{1,9})?"
    r"|,?[ \t]{0,4}\(?(?:lines?|L)[ \t]?[0-9]{1,9}(?:[ \t]?(?:-|\u2013|to)[ \t]?L?[0-9]{1,9})?\)?)"
)
_FILE = re.compile(rf"""[`"'(\[]?(?P<path>[^\s:#"'`<>|?*()]+)[`"')\]]?(?P<lines>{_LINES})?[`"')\]]?:?""")
_PASTED = re.compile(r"Lines? [0-9]{1,9}(?: to [0-9]{1,9})? in [0-9a-f]{7,40}")
"""The second line of what GitHub shows for a permalink."""
_EXTENSION = re.compile(r"[^.].*\.[A-Za-z][A-Za-z0-9]{0,9}")


_PARTS = 3
"""Segments from which on `a/` and `b/` are those of a diff."""


class Header(NamedTuple):
    """What stands on top of code and is not of the file."""

    height: int
    """Lines that it takes, blank ones among and below them included."""
    path: str | None
    """The file that it names."""


def header(lines: Sequence[str], path: str) -> Header | None:
    """Read the first lines as a header; None where they are code.

    Args:
        lines: The block's lines.
        path: The cited path, which makes a header of what else could be code.
    """
    named: str | None = None
    end = taken = 0
    for at, line in enumerate(lines):
        body = line.strip()
        if not body:
            continue
        found = None if taken == _MOST else _named(body, path)
        if found is None or (
            named and found and not body.startswith("+++")
        ):  # a second path is the code's own
            break
        named = named or found or None
        taken, end = taken + 1, at + 1
    while end and end < len(lines) and not lines[end].strip():
        end += 1
    return Header(end, named) if end else None


def _named(body: str, path: str) -> str | None:
    """The file that a line names, the empty text where it only says which lines; None where it is no header."""
    if len(body) > _LONGEST:
        return None
    opening = _OPENING.match(body)
    if opening:
        body = _CLOSING.sub("", body[opening.end() :]).strip()
    if _PASTED.fullmatch(body):
        return ""
    word = _WORD.match(body)
    found = _FILE.fullmatch(body, word.end() if word else 0)
    if found is None:
        return None
    shown = found["path"].rstrip(".,")
    marked = bool(opening or (word and word["colon"]))
    if names(shown, path):
        return shown if marked or word or "." in shown or "/" in shown else None
    known = _EXTENSION.fullmatch(shown.rpartition("/")[2])
    told = bool(word and word["colon"]) or (marked and "/" in shown)
    return shown if known and told else None


def names(shown: str, path: str) -> bool:
    """Whether a path as a document shows it means the cited one: one is the end of the other, segment by segment."""
    ours, theirs = _segments(shown), _segments(path)
    count = min(len(ours), len(theirs))
    return count > 0 and ours[-count:] == theirs[-count:]


def _segments(path: str) -> list[str]:
    parts = [part for part in path.replace("\\", "/").split("/") if part not in {"", "."}]
    return parts[1:] if len(parts) >= _PARTS and parts[0] in {"a", "b"} else parts
