"""A scalar of a manifest -> another text in its place, in the form that stands there as far as it holds the text."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from provenance.manifest.placing import Edit, body_end, body_step, line_ending
from provenance.manifest.scalars import block, double_quoted, fits_block, scalar, single_quoted

if TYPE_CHECKING:
    from collections.abc import Iterator

    from provenance.manifest.placing import Entry, Span

_HEADER = re.compile(r"[|>](?P<signs>[-+0-9]*)(?P<comment>[ \t]+#[^\r\n]*)?")
_REST = re.compile(r"[ \t]*(?:[ \t]#[^\n]*?)?(?=\r?\n|\Z)")
"""What may stand behind a value to the end of its line: nothing, or a comment."""
_BLANK_FOLLOWS = re.compile(r"\r?\n(?:[ \t]*\r?\n|[ \t]+\Z)")
_DEEPER_COMMENT = re.compile(r"(?:\r?\n[ \t]*(?=[\r\n]))*\r?\n(?P<indent>[ \t]+)#")
"""The next line that is not blank, where it is a comment."""
_STEP = 2
"""Spaces by which a new block is indented."""
_WIDEST = 9
"""Spaces that the header of a block can state."""


def respelled(span: Span, value: str) -> str:
    """A value on one line, plain or in the quotes of the scalar that stands there."""
    match span.style:
        case '"':
            return double_quoted(value)
        case "'":
            return single_quoted(value)
        case _:
            return scalar(value, flow=span.flow)


def out_of_block(text: str, entry: Entry, span: Span, value: str) -> Edit:
    """A value in double quotes where a block stands; a comment behind the block's header stays."""
    _, comment = _header(text, span)
    return Edit(span.start, _block_end(text, entry, span), double_quoted(value) + comment)


def requoted(text: str, entry: Entry, value: str) -> Iterator[Edit]:
    """Another quote: a literal block where one can hold it and nothing that follows would fall into it.

    Args:
        text: the file.
        entry: the citation, which has a quote.
        value: the new quote.
    """
    span = entry.values["quote"]
    if span.is_block:
        yield _in_block(text, entry, span, value) or out_of_block(text, entry, span, value)
        return
    end = _end_of_line(text, entry, span, value) if "\n" in value and fits_block(value) else None
    if end is None:
        yield Edit(span.start, span.end, respelled(span, value))
        return
    header, *lines = block(value, entry.column, _STEP)
    ending = line_ending(text, span.start)
    yield Edit(span.start, span.end, header)
    yield Edit(end, end, "".join(ending + line for line in lines) + _last_ending(text, end, value))


def _in_block(text: str, entry: Entry, span: Span, value: str) -> Edit | None:
    """A literal block in the place of a block, as deep as it; None where it cannot be."""
    if not fits_block(value):
        return None
    step = body_step(text, span, entry.column)
    end = _block_end(text, entry, span)
    if value[0] in " \t\n" and step > _WIDEST:
        return None
    if value.endswith("\n\n") and _BLANK_FOLLOWS.match(text, end):
        return None
    _, comment = _header(text, span)
    header, *lines = block(value, entry.column, step)
    written = line_ending(text, span.start).join((header + comment, *lines))
    return Edit(span.start, end, written + _last_ending(text, end, value))


def _end_of_line(text: str, entry: Entry, span: Span, value: str) -> int | None:
    """Where the lines of a new block can stand: at the end of the line of its header; None where they cannot."""
    rest = _REST.match(text, span.end)
    if rest is None or span.flow or text.rfind("\n", 0, span.start) > entry.keys["quote"].start:
        return None
    comment = _DEEPER_COMMENT.match(text, rest.end())
    if comment is not None and len(comment["indent"]) >= entry.column + _STEP:
        return None
    if value.endswith("\n\n") and _BLANK_FOLLOWS.match(text, rest.end()):
        return None
    return rest.end()


def _block_end(text: str, entry: Entry, span: Span) -> int:
    """Index after what a block holds, before its last line end; blank lines that it keeps are its own."""
    signs, _ = _header(text, span)
    if "+" not in signs:
        return body_end(text, span, entry.column)
    return span.start + len(text[span.start : span.end].removesuffix("\n").removesuffix("\r"))


def _header(text: str, span: Span) -> tuple[str, str]:
    """The signs of a block's header, and the comment behind it with the space before it."""
    match = _HEADER.match(text, span.start)
    return ("", "") if match is None else (match["signs"], match["comment"] or "")


def _last_ending(text: str, end: int, value: str) -> str:
    """The line end that a quote ends with, where the file ends without one."""
    return line_ending(text, end) if end == len(text) and value.endswith("\n") else ""
