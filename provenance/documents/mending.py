"""Links replaced within a document's bytes; every other byte stays as it is. Pure."""

from __future__ import annotations

import json
import re
from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

_BEFORE = rb"(?<![A-Za-z0-9_/.\-])"
_BEHIND = rb"(?![A-Za-z0-9_/\-]|[.:][0-9]|\xe2\x80[\x90-\x95])"
"""What would make a link a longer one: `#L10` begins `#L100`, `#L10-L20` and `#L10–20`, and is none of them."""


@dataclass(frozen=True, slots=True)
class Mend:
    """A link that is to be another one."""

    raw: str
    """As it stands in the document."""
    new: str
    line: int | None
    """The document's line on which it stands, 1-based; None where that is not known: in a notebook."""

    def at(self, document: str) -> str:
        """Where it stands, for a person."""
        return document if self.line is None else f"{document}:{self.line}"


@dataclass(frozen=True, slots=True)
class Mended:
    """A document after its links were mended."""

    data: bytes
    done: tuple[Mend, ...]
    left: tuple[Mend, ...]
    """Those that could not be found as they were read, or are wanted to be two things at once."""


@dataclass(frozen=True, slots=True)
class Stretch:
    """Where a link stands that is to be another one. Lines and columns are 1-based; columns count characters."""

    line: int
    column: int
    end: int
    """The column behind its last character."""
    new: str
    """What is to stand there, as the document writes it."""


def mended(data: bytes, mends: Iterable[Mend]) -> Mended:
    """Replace links. Those that are wanted otherwise on the same line are all left as they are."""
    lines = data.split(b"\n")
    done: list[Mend] = []
    left: list[Mend] = []
    for (line, raw), same in _by_place(mends).items():
        new = {mend.new for mend in same}
        place = _place(line, lines)
        changed = list(_replaced(lines, place, raw, new.pop(), quoted=line is None)) if len(new) == 1 else []
        for index, text in changed:
            lines[index] = text
        (done if changed else left).extend(same)
    return Mended(b"\n".join(lines), tuple(done), tuple(left))


def stretches(data: bytes, mends: Iterable[Mend]) -> dict[Mend, tuple[Stretch, ...]]:
    """Where `mended` would replace links, by what is wanted; those that it would leave are not among them.

    What stands in a line that is no UTF-8 has no column, and is left out, too.
    """
    lines = data.split(b"\n")
    found: dict[Mend, tuple[Stretch, ...]] = {}
    for (line, raw), same in _by_place(mends).items():
        if len({mend.new for mend in same}) > 1 or same[0].new == raw:
            continue
        pattern = _pattern(raw, quoted=line is None)
        new = _bytes(same[0].new, quoted=line is None).decode("utf-8", "replace")
        try:
            places = tuple(
                Stretch(
                    index + 1, _column(lines, index, match.start()), _column(lines, index, match.end()), new
                )
                for index in _place(line, lines)
                for match in pattern.finditer(lines[index])
            )
        except UnicodeDecodeError:
            continue
        if places:
            found |= dict.fromkeys(same, places)
    return found


def _column(lines: Sequence[bytes], index: int, at: int) -> int:
    """The column of a byte, 1-based; a byte order mark is no character of the document."""
    return len(lines[index][:at].decode("utf-8" if index else "utf-8-sig")) + 1


def _by_place(mends: Iterable[Mend]) -> dict[tuple[int | None, str], list[Mend]]:
    """What is wanted of links that are written alike, by their lines."""
    wanted: dict[tuple[int | None, str], list[Mend]] = defaultdict(list)
    for mend in mends:
        wanted[mend.line, mend.raw].append(mend)
    return wanted


def _place(line: int | None, lines: Sequence[bytes]) -> range:
    """Indices of the lines on which a link may stand."""
    return range(len(lines)) if line is None else range(line - 1, min(line, len(lines)))


def _pattern(raw: str, *, quoted: bool) -> re.Pattern[bytes]:
    return re.compile(_BEFORE + re.escape(_bytes(raw, quoted=quoted)) + _BEHIND)


def _replaced(
    lines: Sequence[bytes], place: range, raw: str, new: str, *, quoted: bool
) -> Iterator[tuple[int, bytes]]:
    """The lines of a place that hold a link, with another in its stead.

    Args:
        lines: those of the document.
        place: which of them.
        raw: the link.
        new: what it is to be.
        quoted: whether it stands in a string of JSON.
    """
    pattern = _pattern(raw, quoted=quoted)
    for index in place:
        text, count = pattern.subn(lambda _: _bytes(new, quoted=quoted), lines[index])
        if count:
            yield index, text


def _bytes(text: str, *, quoted: bool) -> bytes:
    return (json.dumps(text, ensure_ascii=False)[1:-1] if quoted else text).encode("utf-8", "surrogatepass")
