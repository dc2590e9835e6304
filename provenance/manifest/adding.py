"""Sources added to the text of a manifest, laid out like the one that they stand behind."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from provenance.manifest.placing import Edit, line_ending
from provenance.manifest.requoting import respelled

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from provenance.citation import Source
    from provenance.manifest.placing import Entry, Places, Span

_COPIED = ("git", "revision", "license")
"""What a source has that is added, in the order of its neighbour."""
_LINE_END = re.compile(r"\r?\n|\Z")
_COMMENT_LINE = re.compile(r"\r?\n(?P<indent>[ \t]+)#[^\n]*?(?=\r?\n|\Z)")
_COMMA = re.compile(r"(?P<comma>[ \t]*,)?[ \t]*(?:[ \t]#[^\n]*?)?(?=\r?\n)")
"""What stands behind a source in braces that has its line for itself."""


def added(text: str, places: Places, name: str, sources: Sequence[Source]) -> Iterator[Edit]:
    """Sources behind the one that they come from.

    Args:
        text: the file.
        places: its sources.
        name: the source that the others stand behind and are laid out like.
        sources: those that are added, in their order.
    """
    neighbour = places.sources[name]
    if places.sources_flow:
        yield from _in_braces(text, places.names[name], neighbour, sources)
        return
    end = end_in_block(text, neighbour, places.sources_column)
    ending = line_ending(text, end)
    lines = (line for source in sources for line in _lines(text, places, name, source))
    yield Edit(end, end, "".join(ending + line for line in lines))


def end_in_block(text: str, entry: Entry, column: int) -> int:
    """The end of the last line of a source or citation, or of the comments below it that are indented as its own.

    Args:
        text: the file.
        entry: what something is to stand behind.
        column: spaces before its name or its dash.
    """
    found = _LINE_END.search(text, entry.end)
    end = len(text) if found is None else found.start()
    while (comment := _COMMENT_LINE.match(text, end)) and len(comment["indent"]) > column:
        end = comment.end()
    return end


def _lines(text: str, places: Places, name: str, source: Source) -> Iterator[str]:
    """A source in a block."""
    neighbour = places.sources[name]
    start = f"{' ' * places.sources_column}{respelled(places.names[name], source.name)}:"
    if neighbour.flow:
        yield f"{start} {_braces(text, neighbour, source)}"
        return
    yield start
    yield from (f"{' ' * neighbour.column}{field}" for field in _fields(text, neighbour, source))


def _in_braces(text: str, key: Span, neighbour: Entry, sources: Sequence[Source]) -> Iterator[Edit]:
    """Sources in the braces that their neighbour stands in: on lines of their own where it is on one."""
    colon = _between(text, key, neighbour.start)
    written = [
        f"{respelled(key, source.name)}{colon}{_braces(text, neighbour, source)}" for source in sources
    ]
    margin = text[text.rfind("\n", 0, key.start) + 1 : key.start]
    behind = _COMMA.match(text, neighbour.end)
    if margin.strip(" \t") or behind is None:
        yield Edit(neighbour.end, neighbour.end, "".join(f", {one}" for one in written))
        return
    if not behind["comma"]:
        yield Edit(neighbour.end, neighbour.end, ",")
    start = line_ending(text, behind.end()) + margin
    lines = f",{start}".join(written)
    yield Edit(behind.end(), behind.end(), start + lines + ("," if behind["comma"] else ""))


def _braces(text: str, neighbour: Entry, source: Source) -> str:
    """A source in braces, on one line."""
    space = " " if text.startswith("{ ", neighbour.start) else ""
    return f"{{{space}{', '.join(_fields(text, neighbour, source))}{space}}}"


def _fields(text: str, neighbour: Entry, source: Source) -> Iterator[str]:
    """Keys and values as the neighbour has them, with the revision of the source."""
    for key, span in neighbour.keys.items():
        if key not in _COPIED:
            continue
        value = neighbour.values[key]
        shown = respelled(value, source.revision if key == "revision" else value.value)
        if key != "revision" and not value.is_block:
            raw = text[value.start : value.end]
            shown = shown if "\n" in raw else raw
        word = text[span.start : span.end]
        yield f"{key}: {shown}" if "\n" in word else f"{word}{_between(text, span, value.start)}{shown}"


def _between(text: str, key: Span, start: int) -> str:
    """The colon behind a key, with the white space around it where its value stands on the same line."""
    between = text[key.end : start]
    return ": " if "\n" in between else between
