"""An `expect` put into the text of a manifest, or brought up to date there."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from provenance.errors import InvalidRecord
from provenance.manifest.placing import Edit, line_ending
from provenance.manifest.requoting import out_of_block, respelled
from provenance.manifest.scalars import double_quoted, scalar

if TYPE_CHECKING:
    from collections.abc import Iterator

    from provenance.citation import Expectation
    from provenance.manifest.placing import Entry

_KEY = "expect"
_REST = re.compile(r"[^\n]*?(?=\r?\n|\Z)")
"""What stands behind a value to the end of its line: nothing, or a comment."""
_KEPT = re.compile(r"\|[0-9]?\+|>[0-9]?\+|[|>]\+[0-9]?")
"""The header of a block that keeps the empty lines behind it."""


def written(expect: Expectation, *, quoted: bool = False) -> str:
    """An expectation in braces, on one line.

    Args:
        expect: what a manifest can say.
        quoted: whether keys and values are put in double quotes, as in JSON.

    Raises:
        InvalidRecord: it names no verdict or no day, as a manifest must.
    """
    parts = _parts(expect)
    if quoted:
        shown = (f"{double_quoted(key)}: {double_quoted(value)}" for key, value in parts.items())
    else:
        shown = (f"{key}: {scalar(value, flow=True)}" for key, value in parts.items())
    return f"{{{', '.join(shown)}}}"


def expected(
    text: str, entry: Entry, before: Expectation | None, after: Expectation | None
) -> Iterator[Edit]:
    """What changes where a citation or a quantity expects something else than before; nothing is taken out.

    Args:
        text: the file.
        entry: the citation or the quantity.
        before: what it expects there.
        after: what it is to expect.

    Raises:
        InvalidRecord: that names no verdict or no day, as a manifest must.
    """
    if after is None or before == after:
        return
    if before is None:
        yield _added(text, entry, after)
        return
    inner = entry.inner[_KEY]
    was = _parts(before)
    for key, value in _parts(after).items():
        if value != was[key]:
            span = inner.values[key]
            if span.is_block:
                yield out_of_block(text, inner, span, value)
            else:
                yield Edit(span.start, span.end, respelled(span, value))


def _parts(expect: Expectation) -> dict[str, str]:
    if expect.verdict is None or expect.until is None:
        message = "an expect names a verdict, and the last day on which it is accepted"
        raise InvalidRecord(message)
    return {"verdict": expect.verdict, "because": expect.because, "until": expect.until.isoformat()}


def _added(text: str, entry: Entry, expect: Expectation) -> Edit:
    """An `expect` behind what stands last: on a line of its own, or in the braces.

    It stands before a block whose last line the file ends in: behind it, that line would get an end, which is text.
    """
    quoted = all(span.style == '"' for span in entry.keys.values())
    shown = f"{double_quoted(_KEY) if quoted else _KEY}: {written(expect, quoted=quoted)}"
    if entry.flow:
        return Edit(entry.inside, entry.inside, f", {shown}")
    ending = line_ending(text, entry.start)
    line = " " * entry.column + shown
    open_ = _start_of_open_block(text, entry)
    if open_ is not None:
        return Edit(open_, open_, line + ending)
    kept = _end_of_kept_block(text, entry)
    if kept is not None:
        return Edit(kept, kept, line + ending if text.endswith("\n", 0, kept) else ending + line)
    rest = _REST.match(text, entry.end)
    end = entry.end if rest is None else rest.end()
    return Edit(end, end, ending + line)


def _start_of_open_block(text: str, entry: Entry) -> int | None:
    """Index of the line of the last key, where its value is a block that the file ends in without a line end."""
    *_, (last, key) = entry.keys.items()
    span = entry.values.get(last)
    if span is None or not span.is_block or span.end < len(text) or text.endswith("\n"):
        return None
    return text.rfind("\n", 0, key.start) + 1


def _end_of_kept_block(text: str, entry: Entry) -> int | None:
    """Index after the empty lines that a block keeps which stands last; None where none does."""
    *_, last = entry.keys
    span = entry.values.get(last)
    if span is None or not span.is_block or _KEPT.match(text, span.start) is None:
        return None
    return span.end
