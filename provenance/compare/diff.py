"""A unified diff from a quote to the source: bounded work, whatever the lines are.

Lines are compared in canonical form (trailing white space, tabs and one common indentation aside) and shown as they
are. The pairs come from `lcs`, since difflib's matching is cubic at worst.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

from provenance.compare.layout import Canon, layouts
from provenance.compare.lcs import pairs

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from provenance.citation import LineRange
    from provenance.compare.layout import Layout

_MOST_LINES = 2_000
"""Lines of either side that are compared, the equal ones at both ends aside."""
_LONGEST = 2_000
"""Characters of one line that are shown."""
_FEW = 500
"""Lines up to which every way of showing tabs is tried."""
_CONTEXT = 3
"""Equal lines that are shown around a difference."""


class _Edit(NamedTuple):
    sign: str
    """`-` the quote alone has it, `+` the source alone, a space both."""
    text: str
    quote: int
    """Lines of the quote before this one."""
    source: int
    """Lines of the source before this one."""


def unified(quote: Sequence[str], source: Sequence[str], lines: LineRange, *, path: str) -> str:
    """The diff, without a last LF; empty where there is no difference but white space without meaning.

    Args:
        quote: The quote's lines as the document shows them.
        source: The source's lines.
        lines: Where these stand; hunks count the file's lines.
        path: The file's name, for the header.
    """
    left, right = _canonical(quote, source)
    short = min(len(left), len(right))
    head = next((at for at in range(short) if left[at] != right[at]), short)
    tail = next((at for at in range(short - head) if left[-1 - at] != right[-1 - at]), short - head)
    ends = (len(left) - tail, len(right) - tail)
    stops = (min(ends[0], head + _MOST_LINES), min(ends[1], head + _MOST_LINES))
    matched = [(at, at) for at in range(head)]
    matched += [(i + head, j + head) for i, j in pairs(left[head : stops[0]], right[head : stops[1]])]
    if stops == ends:
        matched += [(ends[0] + at, ends[1] + at) for at in range(tail)]
        stops = (len(left), len(right))
    shown = list(_hunks(list(_edits(quote, source, matched, stops)), lines.first))
    if stops != (len(left), len(right)):
        rest = max(len(left) - stops[0], len(right) - stops[1])
        shown.append(f"\\ The diff is cut here: {rest} more lines.")
    return "\n".join(["--- quote", f"+++ {path or 'source'}:{lines}", *shown]) if shown else ""


def _edits(
    quote: Sequence[str], source: Sequence[str], matched: Sequence[tuple[int, int]], stops: tuple[int, int]
) -> Iterator[_Edit]:
    i = j = 0
    for left, right in [*matched, stops]:
        yield from (_Edit("-", quote[at], at, j) for at in range(i, left))
        yield from (_Edit("+", source[at], left, at) for at in range(j, right))
        if (left, right) != stops:
            yield _Edit(" ", source[right], left, right)
        i, j = left + 1, right + 1


def _hunks(edits: Sequence[_Edit], first: int) -> Iterator[str]:
    """The edits with the lines around them, each hunk with its header."""
    near: list[int] = []
    for at, edit in enumerate(edits):
        if edit.sign != " ":
            start = max(at - _CONTEXT, near[-1] + 1 if near else 0)
            near += range(start, min(at + _CONTEXT + 1, len(edits)))
    start = 0
    for end in range(1, len(near) + 1):
        if end == len(near) or near[end] != near[end - 1] + 1:
            hunk = [edits[at] for at in near[start:end]]
            ours = sum(edit.sign != "+" for edit in hunk)
            theirs = sum(edit.sign != "-" for edit in hunk)
            yield (
                f"@@ -{hunk[0].quote + bool(ours)},{ours} "
                f"+{hunk[0].source + first - (not theirs)},{theirs} @@"
            )
            yield from (edit.sign + _cut(edit.text) for edit in hunk)
            start = end


def _cut(line: str) -> str:
    if len(line) <= _LONGEST:
        return line
    return f"{line[:_LONGEST]} … ({len(line) - _LONGEST} more characters)"


def _canonical(quote: Sequence[str], source: Sequence[str]) -> tuple[list[str], list[str]]:
    """Both sides with tabs spread and the quote's indentation shifted as most of its lines ask for."""
    ways = layouts("\n".join(quote), "\n".join(source))
    if max(len(quote), len(source)) > _FEW:
        ways = ways[:1]
    tried = [_aligned(quote, source, layout) for layout in ways]
    return max(tried, key=lambda sides: (Counter(sides[0]) & Counter(sides[1])).total())


def _aligned(quote: Sequence[str], source: Sequence[str], layout: Layout) -> tuple[list[str], list[str]]:
    ours, theirs = Canon.of(quote, layout), Canon.of(source, layout)
    indents = dict(zip(reversed(theirs.bodies), reversed(theirs.indents), strict=True))
    shifts = Counter(
        indent - indents[body]
        for indent, body in zip(ours.indents, ours.bodies, strict=True)
        if body in indents
    )
    shift = shifts.most_common(1)[0][0] if shifts else 0
    return _keys(ours, shift), _keys(theirs, 0)


def _keys(canon: Canon, shift: int) -> list[str]:
    """One string a line; blank lines are all alike."""
    keys = [""] * (canon.last - canon.first + 1)
    for number, indent, body in zip(canon.numbers, canon.indents, canon.bodies, strict=True):
        keys[number - canon.first] = f"{indent - shift} {body}"
    return keys
