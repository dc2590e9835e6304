"""Blocks -> lines: as they stand in files and pipes, and as they fit a terminal that has no room for tables.

How wide text is on a terminal is for the caller to measure: what files have is counted in characters.
"""

from __future__ import annotations

import re
import textwrap
from typing import TYPE_CHECKING, assert_never

from provenance.report.blocks import Code, Line, Prose, Row, Span, Style, Table
from provenance.report.inert import in_line

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from provenance.report.blocks import Block

    Measure = Callable[[str], int]
    """How many cells of a terminal a text takes."""

GAP = 2
"""Characters between two columns."""
_BAR = "|"
_SHORTEST_PLACE = 24
"""Characters that a column which is made narrower is given at the least."""
_NARROWEST = 20
"""Characters that a sentence is given at the least, however narrow the terminal is."""
_NARROW_INDENT = 2
_BREAKS = ("/ →", ":#@=", "-_.,;")
"""Characters after which a long word may go on in the next line, the best first."""
_TOKENS = re.compile(r"[^ ]+ *| +")


def lines(blocks: Iterable[Block], width: int) -> Iterator[Line]:
    """The lines of a report, for a file or a pipe: nothing is wrapped that a program may look for, but sentences.

    Args:
        blocks: the report.
        width: how wide a line should be, in characters.
    """
    for block in blocks:
        match block:
            case Line():
                yield block
            case Prose():
                yield from _prose(block, width)
            case Code():
                yield from code_lines(block)
            case Table():
                yield from _table(block, width)
            case _:
                assert_never(block)


def narrow_lines(blocks: Iterable[Block], width: int, measure: Measure) -> Iterator[Line]:
    """The lines of a report, for a terminal of few columns: all but code is broken where it would not fit.

    Args:
        blocks: the report.
        width: the terminal's, in cells.
        measure: how many cells a text takes.
    """
    for block in blocks:
        match block:
            case Line(code=True):
                yield block
            case Line():
                yield from _folded(block, width, measure)
            case Prose():
                yield from _narrow_prose(block, width, measure)
            case Code():
                yield from code_lines(block)
            case Table():
                for row in block.rows:
                    yield from _narrow_row(block, row, width, measure)
            case _:
                assert_never(block)


def worded(line: Line, width: int, measure: Measure) -> Iterator[Line]:
    """A line as several that fit, broken between words: a long word stays whole, so that it can be copied.

    Args:
        line: of code nothing is broken.
        width: of a line, in cells.
        measure: how many cells a text takes.
    """
    text = line.text
    if line.code or measure(text) <= width:
        yield line
        return
    deep = at = len(text) - len(text.lstrip(" "))
    room = max(width - deep - _NARROW_INDENT, 1)
    for number, piece in enumerate(_between_words(text[deep:], room, measure)):
        indent = deep if number == 0 else deep + _NARROW_INDENT
        yield stripped(Line((Span(" " * indent), *_slice(line, at, at + len(piece)).spans)))
        at += len(piece)


def filled(text: str, width: int, measure: Measure) -> Iterator[str]:
    """A sentence on as many lines as it takes; a long word stays whole, so that it can be copied.

    Args:
        text: the sentence, without line feeds and tabs.
        width: of a line, in cells.
        measure: how many cells a text takes.
    """
    for piece in _between_words(text, width, measure):
        if line := piece.rstrip(" "):
            yield line


def _between_words(text: str, width: int, measure: Measure) -> Iterator[str]:
    """A text cut between words into pieces that fit but for white space at their ends; together they are it."""
    piece = ""
    for token in _TOKENS.findall(text):
        if piece and measure(f"{piece}{token}".rstrip(" ")) > width:
            yield piece
            piece = token
        else:
            piece += token
    if piece:
        yield piece


def wrapped(text: str, *, indent: int, width: int) -> list[str]:
    """A sentence on as many lines as it takes; a long word, such as a path, stays whole."""
    return textwrap.wrap(
        in_line(text),
        max(width, indent + _NARROWEST),
        initial_indent=" " * indent,
        subsequent_indent=" " * indent,
        break_long_words=False,
        break_on_hyphens=False,
    )


def lead(line: str, prose: Prose) -> Line:
    """The first line of a sentence, with what stands in its indent."""
    before, rest = prose.lead, line[len(prose.lead.text) :]
    return Line((before, Span(rest, prose.style))) if before.text else Line((Span(line, prose.style),))


def _prose(prose: Prose, width: int) -> Iterator[Line]:
    for number, line in enumerate(wrapped(prose.text, indent=prose.indent, width=width)):
        yield lead(line, prose) if number == 0 else Line((Span(line, prose.style),))


def _table(table: Table, width: int) -> Iterator[Line]:
    if not table.rows:
        return
    widths = natural_widths(table, len)
    at = table.shortened
    spare = width - table.indent - (sum(widths) - widths[at]) - GAP * (len(widths) - 1)
    widths[at] = min(widths[at], max(spare, _SHORTEST_PLACE))
    for row in table.rows:
        cells = [
            span._replace(text=_fitted(span.text, length))
            for span, length in zip(row.cells, widths, strict=True)
        ]
        yield _joined(cells, table.indent)
        yield from lines(row.below, width)


def natural_widths(table: Table, measure: Measure) -> list[int]:
    """How wide the columns of a table with rows would be if there were room for everything."""
    widths = [0] * len(table.columns)
    for row in table.rows:
        widths = [max(width, measure(span.text)) for width, span in zip(widths, row.cells, strict=True)]
    return widths


def _fitted(cell: str, length: int) -> str:
    """A cell as wide as its column: the end of a path says more than its beginning."""
    return cell.ljust(length) if len(cell) <= length else f"…{cell[len(cell) - length + 1 :]}"


def _joined(cells: Sequence[Span], indent: int) -> Line:
    """Cells that are as wide as their columns, on one line that does not end in white space."""
    length = len((" " * GAP).join(cell.text for cell in cells).rstrip())
    spans, gap = [Span(" " * indent)] if indent else [], ""
    for cell in cells:
        text = f"{gap}{cell.text}"[:length]
        length -= len(text)
        spans.append(cell._replace(text=text))
        gap = " " * GAP
    return Line(tuple(span for span in spans if span.text))


def code_lines(code: Code, texts: Sequence[Line] | None = None) -> Iterator[Line]:
    """The lines of code, each with its number, and a bar beside those that were asked for.

    Args:
        code: the lines.
        texts: their texts in colour; as they are where it is left out.
    """
    digits = max((len(str(item.number or "")) for item in code.lines), default=0)
    for at, item in enumerate(code.lines):
        text = (Span(item.text),) if texts is None else texts[at].spans
        number = Span(str(item.number or "").rjust(digits), Style.DIM)
        bar = Span(_BAR, Style.CYAN) if item.marked else Span(" ")
        yield stripped(Line((Span(" " * code.indent), number, Span(" "), bar, Span(" "), *text), code=True))


def stripped(line: Line) -> Line:
    """A line without white space at its end."""
    spans = list(line.spans)
    while spans and not spans[-1].text.rstrip():
        spans.pop()
    if spans:
        spans[-1] = spans[-1]._replace(text=spans[-1].text.rstrip())
    return Line(tuple(spans), line.code)


def _narrow_prose(prose: Prose, width: int, measure: Measure) -> Iterator[Line]:
    """A sentence that is indented little."""
    indent = min(prose.indent, _NARROW_INDENT)
    text = f"{prose.lead.text} {prose.text}" if prose.lead.text else prose.text
    room = max(width - indent, 1)
    lines = (fold(line, room, measure) for line in filled(in_line(text), room, measure))
    for number, piece in enumerate(piece for pieces in lines for piece in pieces):
        is_led = number == 0 and prose.lead.text
        line = piece.rstrip(" ") if is_led else " " * indent + piece.rstrip(" ")
        yield _led(line, prose) if number == 0 else Line((Span(line, prose.style),))


def _led(line: str, prose: Prose) -> Line:
    length = len(prose.lead.text)
    return lead(line, prose) if length < len(line) else Line((Span(line, prose.lead.style or prose.style),))


def _narrow_row(table: Table, row: Row, width: int, measure: Measure) -> Iterator[Line]:
    """The cells of a row below each other: on the first lines what is short."""
    rigid = [
        cell
        for cell, column in zip(row.cells, table.columns, strict=True)
        if column.least is None and cell.text
    ]
    others = [cell for cell, column in zip(row.cells, table.columns, strict=True) if column.least is not None]
    if rigid:
        yield from _folded(_joined(rigid, 0), width, measure)
    for cell in others:
        yield from _folded(Line((Span(" " * _NARROW_INDENT), cell)), width, measure)
    yield from narrow_lines(row.below, width, measure)


def _folded(line: Line, width: int, measure: Measure) -> Iterator[Line]:
    """A line that is indented little as several, none longer than the width; those that go on are indented."""
    text = line.text
    deep = len(text) - len(text.lstrip(" "))
    line = _slice(line, max(deep - _NARROW_INDENT, 0), len(text))
    if measure(line.text) <= width:
        yield line
        return
    indent = min(deep or _NARROW_INDENT, _NARROW_INDENT)
    at = min(deep, _NARROW_INDENT)
    for number, piece in enumerate(fold(line.text[at:], max(width - indent, 1), measure)):
        first = number == 0 and not deep
        gap = len(piece) - len(piece.lstrip(" "))
        part = stripped(_slice(line, at + gap, at + len(piece)))
        if part.spans:
            yield part if first else Line((Span(" " * indent), *part.spans))
        at += len(piece)


def _slice(line: Line, begin: int, end: int) -> Line:
    """The characters of a line from one place to another."""
    spans: list[Span] = []
    at = 0
    for span in line.spans:
        text = span.text[max(begin - at, 0) : max(end - at, 0)]
        at += len(span.text)
        if text:
            spans.append(span._replace(text=text))
    return Line(tuple(spans), line.code)


def fold(text: str, width: int, measure: Measure) -> list[str]:
    """A text cut into pieces that fit, after a separator where one stands in the piece's second half.

    Args:
        text: what to cut; the pieces together are it.
        width: of a piece, in cells.
        measure: how many cells a text takes.
    """
    pieces: list[str] = []
    begin = 0
    while (end := _most(text, begin, width, measure)) < len(text):
        cut = _cut(text, begin + (end - begin) // 2, end)
        pieces.append(text[begin:cut])
        begin = cut
    return [*pieces, text[begin:]]


def _cut(text: str, begin: int, end: int) -> int:
    """After which character to cut: the last of the best separators, or where the piece ends at the latest."""
    found = (max(text.rfind(each, begin, end) for each in separators) for separators in _BREAKS)
    return next((at + 1 for at in found if at >= 0), end)


def _most(text: str, begin: int, width: int, measure: Measure) -> int:
    """Where a piece ends at the latest; it has one character at the least, so that there is always progress."""
    used = 0
    for at in range(begin, len(text)):
        used += measure(text[at])
        if used > width:
            return max(at, begin + 1)
    return len(text)
