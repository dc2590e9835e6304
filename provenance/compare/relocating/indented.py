"""Definitions told by the way in which code is laid out, where no grammar is at hand.

A definition is a header that names something, what stands before it and belongs to it, and the lines below it that are
indented more, with a last line that closes it. Where the header opens a brace, only what closes it ends the definition.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from provenance.compare.relocating.definition import Definition
from provenance.compare.relocating.naming import mentions, named

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_LEADING = re.compile(
    r"""\s*(?:@\w|\#\[|///?|/\*|\*|--|\#(?!\s*(?:define|if|include)\b)|;;|'''|\"{3}|\[\w+\]\s*$|$)"""
)
"""What may stand before a header and belong to it: decorators, attributes, comments, nothing."""
_CLOSING = re.compile(r"[)\]}{]|end\b|(?:begin|is|as)\s*$", re.IGNORECASE)
"""What may begin a line that belongs to the header above it though it is not indented more."""
_LAST = re.compile(r"\}|end\b", re.IGNORECASE)
"""What begins the last line of a definition."""
_MOST_LEADING = 60
"""Lines before a header that may belong to it."""
_MOST_LINES = 5_000
"""Lines of one definition."""
_MOST_MENTIONS = 200
"""Lines that mention a name among which a definition is looked for."""
_MOST_HEADER = 12
"""Lines of a header, up to the brace that opens the body."""
_MOST_LOST = 8
"""Lines at the beginning of a definition that may have been rewritten."""
_ALIKE = 0.6
"""Share of lines in common from which on a definition is taken for what lines belong to."""


def is_leading(line: str) -> bool:
    """Whether a line may stand before a header and belong to it."""
    return _LEADING.match(line) is not None


def block(lines: Sequence[str], first: int) -> Definition | None:
    """The definition with a body that begins on a line, or behind the decorators and comments there; else None."""
    header = first
    while header < len(lines) and is_leading(lines[header]) and header < first + _MOST_LEADING:
        header += 1
    name = named(lines[header]) if header < len(lines) else None
    if name is None:
        return None
    last = _last(lines, header)
    return None if last == header else Definition(name, first, header, last)


def block_around(lines: Sequence[str], first: int, last: int) -> Definition | None:
    """The definition that some lines are hardly less than, though its header may not be among them."""
    for at in range(first, max(-1, first - _MOST_LOST), -1):
        found = block(lines, at)
        if found is None:
            continue
        shared = min(found.last, last) - max(found.header, first) + 1
        if 2 * shared >= _ALIKE * (found.last - found.header + last - first + 2):
            return found._replace(first=_above(lines, found.header))
    return None


def blocks_called(lines: Sequence[str], name: str) -> Iterator[Definition]:
    """The definitions of a name that have a body, with what stands right above their headers.

    None where so many lines mention the name that it tells nothing.
    """
    word = mentions(name)
    mentioned = [
        at for at, line in enumerate(lines) if name in line and word.search(line) and not is_leading(line)
    ]
    if len(mentioned) <= _MOST_MENTIONS:
        for at in mentioned:
            found = block(lines, at) if named(lines[at]) == name else None
            if found is not None:
                yield found._replace(first=_above(lines, at))


def _above(lines: Sequence[str], header: int) -> int:
    """The first of the decorators and comments that stand right above a header."""
    first, base = header, _indent(lines[header])
    while first > max(0, header - _MOST_LEADING):
        above = lines[first - 1]
        if not above.strip() or not is_leading(above) or _indent(above) < base:
            break
        first -= 1
    return first


def _last(lines: Sequence[str], header: int) -> int:
    base, is_braced = _indent(lines[header]), _opens(lines, header)
    last = header
    for at in range(header + 1, min(len(lines), header + _MOST_LINES)):
        text = lines[at].strip()
        if not text:
            continue
        indent = _indent(lines[at])
        if indent > base:
            last = at
        elif indent == base and _CLOSING.match(text):
            last = at
            if _LAST.match(text) and not text.endswith("{"):  # `} else {` goes on
                break
        elif not is_braced:
            break
    return last


def _opens(lines: Sequence[str], header: int) -> bool:
    """Whether a header ends with a brace that opens a body, on its own line or below."""
    base = _indent(lines[header])
    for at in range(header, min(header + _MOST_HEADER, len(lines))):
        line = lines[at].rstrip()
        if 0 < line.count("{") <= line.count("}"):
            return False
        if line.endswith("{"):
            return True
        if line.endswith(";") or (at > header and line and _indent(line) < base):
            return False
    return False


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())
