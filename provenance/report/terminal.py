"""Blocks -> a terminal: tables that fit it, colour and links. All that reports need of rich is here.

What is given to rich is text, never markup; that nothing in it is obeyed was seen to before.
"""

from __future__ import annotations

from io import StringIO
from typing import TYPE_CHECKING, assert_never

from rich.cells import cell_len
from rich.color import ColorSystem
from rich.console import Console
from rich.style import Style as RichStyle
from rich.table import Table as RichTable
from rich.text import Text

from provenance.report import plain
from provenance.report.blocks import Code, Line, Prose, Row, Span, Style, Table
from provenance.report.inert import in_line
from provenance.report.screen import Layout

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from provenance.report.blocks import Block, Column
    from provenance.report.screen import Screen

_WIDEST = 120
"""Characters of a line of prose at the most: longer ones are hard to read."""
_MOST_ROWS = 500
"""Rows up to which they are wrapped; laying out more takes long, and nobody reads them one by one."""
_MOST_PIECES = 6
"""Lines of a cell at the most."""
_GAP = plain.GAP
_COLOURS = ColorSystem.STANDARD
"""The colours that every terminal has, as its user has set them."""
_STYLES: dict[Style | None, RichStyle] = {None: RichStyle()}
_STYLES.update((style, RichStyle.parse(style)) for style in Style)


def drawn(blocks: Sequence[Block], screen: Screen) -> str:
    """A report for a terminal; each line ends, and none with white space.

    Args:
        blocks: the report.
        screen: what it is drawn on.
    """
    out = StringIO()
    console = Console(
        file=out,
        force_terminal=True,
        color_system="standard" if screen.colour else None,
        width=max(screen.width, 1),
        legacy_windows=False,
        no_color=not screen.colour,
    )
    artist = _Artist(screen)
    for item in artist.every(blocks):
        if isinstance(item, Line):
            out.write(f"{artist.painted(item)}\n")  # a tenth of what the console would take
        else:
            console.print(item)
    return "".join(f"{line.rstrip(' ')}\n" for line in out.getvalue().split("\n")[:-1])


class _Artist:
    """Turns blocks into lines, and into tables of rich."""

    def __init__(self, screen: Screen) -> None:
        self._screen = screen

    def every(self, blocks: Iterable[Block]) -> Iterator[Line | RichTable]:
        """What to print, in order."""
        if self._screen.layout is Layout.NARROW:
            for block in blocks:
                yield from self._narrow(block)
            return
        for block in blocks:
            match block:
                case Line():
                    yield from plain.worded(block, self._screen.width, cell_len)
                case Prose():
                    yield from self._prose(block)
                case Code():
                    yield from self._code(block)
                case Table():
                    yield from self._table(block)
                case _:
                    assert_never(block)

    def painted(self, line: Line) -> str:
        """A line with its colours and links."""
        if not self._screen.colour:
            return line.text.rstrip(" ")
        spans = plain.stripped(line).spans
        return "".join(self._style(span).render(span.text, color_system=_COLOURS) for span in spans)

    def _style(self, span: Span) -> RichStyle:
        style = _STYLES[span.style]
        if span.link is not None and self._screen.links:
            style += RichStyle(link=in_line(span.link))
        return style

    def _narrow(self, block: Block) -> Iterator[Line]:
        if isinstance(block, Code):
            yield from self._code(block)
        else:
            yield from plain.narrow_lines([block], self._screen.width, cell_len)

    def _prose(self, prose: Prose) -> Iterator[Line]:
        width = min(self._screen.width, _WIDEST)
        found = plain.filled(in_line(prose.text), max(width - prose.indent, 1), cell_len)
        for number, line in enumerate(found):
            whole = f"{' ' * prose.indent}{line}"
            yield plain.lead(whole, prose) if number == 0 else Line((Span(whole, prose.style),))

    def _code(self, code: Code) -> Iterator[Line]:
        from provenance.report.highlight import highlighted

        texts = [item.text for item in code.lines]
        coloured = highlighted(texts, code.path, code.language) if self._screen.colour else None
        yield from plain.code_lines(code, coloured)

    def _table(self, table: Table) -> Iterator[Line | RichTable]:
        if not table.rows:
            return
        if len(table.rows) > _MOST_ROWS:
            yield from plain.lines([table], self._screen.width)
            return
        heads = [cell_len(column.head) for column in table.columns]
        widths = list(map(max, plain.natural_widths(table, cell_len), heads))
        room = self._screen.width - table.indent - _GAP * len(widths)
        shared = shares(table.columns, widths, room)
        if shared is None:
            yield from plain.narrow_lines([table], self._screen.width, cell_len)
            return
        if any(heads):
            yield self._head(table, shared)
        for row in table.rows:
            yield self._row(table, row, shared)
            yield from self.every(row.below)

    def _head(self, table: Table, widths: Sequence[int]) -> RichTable:
        return self._row(table, Row(tuple(Span(column.head, Style.BOLD) for column in table.columns)), widths)

    def _row(self, table: Table, row: Row, widths: Sequence[int]) -> RichTable:
        grid = RichTable.grid(padding=(0, _GAP, 0, 0))
        if table.indent:
            grid.add_column(width=table.indent - _GAP)
        for width in widths:
            grid.add_column(width=width, no_wrap=True)
        cells = [self._cell(span, width) for span, width in zip(row.cells, widths, strict=True)]
        grid.add_row(*([""] if table.indent else []), *cells)
        return grid

    def _cell(self, span: Span, width: int) -> Text:
        """A cell on as many lines as it takes; of a very long one its end."""
        pieces = plain.fold(span.text, width, cell_len)
        if len(pieces) > _MOST_PIECES:
            pieces = ["…", *pieces[1 - _MOST_PIECES :]]
        # Not the style of the whole cell, which would be that of the white space beside it, too.
        return Text.assemble(("\n".join(piece.rstrip(" ") for piece in pieces), self._style(span)))


def shares(columns: Sequence[Column], widths: Sequence[int], room: int) -> list[int] | None:
    """How wide columns become where there is so much room; None where it is too little.

    Args:
        columns: which of them may be narrower than they would be, and how narrow.
        widths: how wide they would be.
        room: for all of them, in cells.
    """
    least = [
        width if column.least is None else min(width, column.least)
        for column, width in zip(columns, widths, strict=True)
    ]
    spare = room - sum(least)
    if spare < 0:
        return None
    wanting = [width - low for width, low in zip(widths, least, strict=True)]
    wanted = sum(wanting)
    if wanted <= spare:
        return list(widths)
    given = [want * spare // wanted for want in wanting]
    return [low + more for low, more in zip(least, given, strict=True)]
