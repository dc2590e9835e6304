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


def mended(data: bytes, mends: Iterable[Mend]) -> Mended:
    """Replace links. Those that are wanted otherwise on the same line are all left as they are."""
    wanted: dict[tuple[int | None, str], list[Mend]] = defaultdict(list)
    for mend in mends:
        wanted[mend.line, mend.raw].append(mend)
    lines = data.split(b"\n")
    done: list[Mend] = []
    left: list[Mend] = []
    for (line, raw), same in wanted.items():
        new = {mend.new for mend in same}
        place = range(len(lines)) if line is None else range(line - 1, min(line, len(lines)))
        changed = list(_replaced(lines, place, raw, new.pop(), quoted=line is None)) if len(new) == 1 else []
        for index, text in changed:
            lines[index] = text
        (done if changed else left).extend(same)
    return Mended(b"\n".join(lines), tuple(done), tuple(left))


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
    old = _bytes(raw, quoted=quoted)
    pattern = re.compile(_BEFORE + re.escape(old) + _BEHIND)
    for index in place:
        text, count = pattern.subn(lambda _: _bytes(new, quoted=quoted), lines[index])
        if count:
            yield index, text


def _bytes(text: str, *, quoted: bool) -> bytes:
    return (json.dumps(text, ensure_ascii=False)[1:-1] if quoted else text).encode("utf-8", "surrogatepass")
