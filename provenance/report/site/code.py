"""Lines of code -> HTML: in colour, with words marked, and with nothing hidden in them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from markupsafe import Markup, escape

from provenance.report.inert import visible
from provenance.report.site.colour import Piece
from provenance.report.site.pairing import Sort
from provenance.report.site.views import WORST_FIRST

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from provenance.citation import LineRange
    from provenance.evidence import Level
    from provenance.report.site.colour import Pieces
    from provenance.report.site.pairing import Mark, Row, Side
    from provenance.report.site.views import Entry

LONGEST = 2_000
"""Characters of one line that are shown."""

_SIGNS = {
    Sort.SAME: ("", ""),
    Sort.CHANGED: ("~", "differs"),
    Sort.QUOTE: ("−", "only in the quote"),
    Sort.SOURCE: ("+", "only in the source"),
    Sort.MARK: ("…", "stands for lines left out"),
    Sort.OMITTED: ("…", "left out by a mark"),
}
"""What stands in the margin of a row, and what that means."""


class Lines:
    """The lines of a file, each made HTML when it is first shown."""

    def __init__(self, lines: Sequence[str], pieces: Sequence[Pieces] | None = None) -> None:
        """Take lines.

        Args:
            lines: without their terminators; the first is line 1.
            pieces: the same in colour, where they are.
        """
        self.plain = lines
        self._pieces = pieces
        self._made: dict[int, Markup] = {}

    def __len__(self) -> int:
        return len(self.plain)

    def html(self, at: int, marks: Sequence[Mark] = (), tag: str = "mark") -> Markup:
        """A line.

        Args:
            at: its place, from 0.
            marks: stretches of it that are put into an element.
            tag: that element's name.
        """
        if marks:
            return line_html(self._of(at), marks, tag)
        if at not in self._made:
            self._made[at] = line_html(self._of(at))
        return self._made[at]

    def _of(self, at: int) -> Pieces:
        return (Piece("", self.plain[at]),) if self._pieces is None else self._pieces[at]


def line_html(pieces: Sequence[Piece], marks: Sequence[Mark] = (), tag: str = "mark") -> Markup:
    """A line as HTML, cut where it is longer than anybody reads; a stretch that is marked is one element."""
    parts: list[str] = []
    at, waiting, opened = 0, [*reversed(marks)], False
    for style, text in pieces:
        start = 0
        while start < len(text) and at < LONGEST:
            edge = waiting[-1][1 if opened else 0] if waiting else at + len(text)
            if edge <= at:
                parts.append(f"</{tag}>" if opened else f"<{tag}>")
                opened = not opened
                if not opened:
                    waiting.pop()
                continue
            end = min(len(text), start + edge - at, start + LONGEST - at)
            parts.append(_piece(style, text[start:end]))
            at += end - start
            start = end
    if opened:
        parts.append(f"</{tag}>")
    left = sum(len(piece.text) for piece in pieces) - at if at >= LONGEST else 0
    if left:
        parts.append(f'<span class="cut"> … {left:,} more characters</span>')
    return Markup("".join(parts))  # noqa: S704 - each part is escaped above, or is a tag of this module's


def _piece(style: str, text: str) -> str:
    shown = seen(text)
    return f'<span class="{style}">{shown}</span>' if style else shown


def seen(text: str) -> Markup:
    """Text as HTML; what would hide is spelled out, and told from the same spelling in the text by its look."""
    shown = visible(text)
    if shown == text:
        return escape(text)
    return Markup("").join(
        escape(sign)
        if (spelled := visible(sign)) == sign
        else Markup('<span class="hidden-sign">{}</span>').format(spelled)
        for sign in text
    )


def rows_html(rows: Iterable[Row], quote: Lines, source: Lines, first: int) -> Markup:
    """The rows of a table with the quote on the left and the source on the right.

    Args:
        rows: what stands beside what.
        quote: the quote's lines.
        source: all lines of the source's file.
        first: the number of the line that the rows call 0.
    """
    return _joined(_row(row, quote, source, first) for row in rows)


def _row(row: Row, quote: Lines, source: Lines, first: int) -> str:
    sign, meaning = _SIGNS[row.sort]
    told = f'<span class="sr">{meaning}: </span>' if meaning else ""
    left, right = _quoted(row, quote, source, first), _cited(row.source, first, source)
    return (
        f'<tr class="{row.sort.value}"><td class="sign">{told}<span aria-hidden="true">{sign}</span></td>'
        f"{left}{right}</tr>\n"
    )


def _quoted(row: Row, quote: Lines, source: Lines, first: int) -> str:
    """The quote's side; a line that the source has just so is in its colours."""
    side = row.quote
    if side is None:
        return '<td class="code none"></td>'
    html = quote.html(side.at, side.marks, "del")
    if row.sort is Sort.SAME and row.source is not None:
        at = first - 1 + row.source.at
        if source.plain[at] == quote.plain[side.at]:
            html = source.html(at)
    return f'<td class="code quoted">{html}</td>'


def _cited(side: Side | None, first: int, source: Lines) -> str:
    """The source's side: the line's number, and the line."""
    if side is None:
        return '<td class="no none"></td><td class="code none"></td>'
    number = first + side.at
    html = source.html(number - 1, side.marks, "ins")
    return f'<td class="no" data-n="{number}"></td><td class="code">{html}</td>'


def listing(lines: Lines, numbers: Iterable[int]) -> Markup:
    """Lines of a file with their numbers, 1-based."""
    return _joined(
        f'<div class="line"><span class="no" data-n="{number}"></span><code>{lines.html(number - 1)}</code></div>\n'
        for number in numbers
    )


def bare(lines: Lines) -> Markup:
    """Lines whose place in a file is not known."""
    return _joined(f'<div class="line"><code>{lines.html(at)}</code></div>\n' for at in range(len(lines)))


def _joined(parts: Iterable[str]) -> Markup:
    """Pieces of HTML as one; `Markup.join` and `Markup.format` would look at each again, at ten times the cost."""
    return Markup("".join(parts))  # noqa: S704 - what calls this makes lines of HTML alone


def annotated(lines: Lines, shown: Iterable[LineRange], entries: Sequence[Entry]) -> Iterator[Markup]:
    """Stretches of a file, whose lines have addresses; above the first line of a citation stands a link to it.

    Args:
        lines: all lines of the file.
        shown: those that are shown, ascending.
        entries: the file's citations, by their first lines.
    """
    begins: dict[int, list[Entry]] = {}
    for entry in entries:
        if entry.lines is not None:
            begins.setdefault(entry.lines.first, []).append(entry)
    cited = _cited_lines(entries, len(lines))
    for stretch in shown:
        parts: list[str] = []
        for number in range(stretch.first, stretch.last + 1):
            parts += map(_note, begins.get(number, ()))
            style = f" cited {cited[number].value}" if number in cited else ""
            parts.append(
                f'<div class="line{style}" id="L{number}"><a class="no" href="#L{number}" aria-label="Line {number}" '
                f'data-n="{number}"></a><code>{lines.html(number - 1)}</code></div>\n'
            )
        yield _joined(parts)


def _cited_lines(entries: Iterable[Entry], count: int) -> dict[int, Level]:
    """The worst level of each cited line of a file with so many; lines that many cite are gone through once a level.

    Args:
        entries: the file's citations, by their first lines.
        count: how many lines it has.
    """
    found: dict[int, Level] = {}
    done: dict[Level, int] = {}
    for entry in entries:
        if entry.lines is None:
            continue
        start, end = max(entry.lines.first, done.get(entry.level, 0) + 1), min(entry.lines.last, count)
        for number in range(start, end + 1):
            found[number] = max(entry.level, found.get(number, entry.level), key=_worse)
        done[entry.level] = max(done.get(entry.level, 0), end)
    return found


def _worse(level: Level) -> int:
    return -WORST_FIRST.index(level)


def _note(entry: Entry) -> Markup:
    lines = entry.lines
    many = "" if lines is None or len(lines) == 1 else "s"
    return Markup(
        '<div class="note {}"><a href="../{}">{}</a> <span class="badge {}"><span class="glyph" aria-hidden="true">'
        '</span>{}</span> <span class="dim">line{} {}</span></div>\n'
    ).format(
        entry.level.value,
        entry.page,
        seen(entry.id),
        entry.level.value,
        entry.verdict,
        many,
        str(lines or ""),
    )
