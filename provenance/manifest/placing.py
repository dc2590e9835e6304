"""Where the parts of a manifest that can be changed in place stand in its text."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    import yaml

_BLOCKS = frozenset("|>")
_INDICATOR = re.compile(r"[1-9]")


class Edit(NamedTuple):
    """A stretch of a text, and what is to stand in its place."""

    start: int
    """Index of its first character."""
    end: int
    """Index after its last one; `start` where something is put in."""
    text: str


_BYTE_ORDER_MARK = b"\xef\xbb\xbf"
"""Of UTF-8."""


def unmarked(data: bytes) -> tuple[bytes, str]:
    """A file's byte order mark, empty where it has none, and its text behind that."""
    mark = _BYTE_ORDER_MARK if data.startswith(_BYTE_ORDER_MARK) else b""
    return mark, data.removeprefix(mark).decode("utf-8")


def edited(text: str, edits: Iterable[Edit]) -> str:
    """A text with changes, none of which overlap, in any order."""
    parts: list[str] = []
    done = 0
    for edit in sorted(edits, key=lambda one: one.start):
        parts += text[done : edit.start], edit.text
        done = edit.end
    return "".join((*parts, text[done:]))


@dataclass(frozen=True, slots=True)
class Span:
    """A scalar as it is written. Indices count the characters of the text."""

    value: str
    """The string that it stands for."""
    style: str
    """`'`, `"`, `|` or `>`; empty where it is plain."""
    start: int
    """Index of its first character, which is a quote or a block's header where it has one."""
    end: int
    """Index after its last character; of a block, after the last line end that belongs to it."""
    flow: bool
    """Whether it stands between braces or brackets."""

    @property
    def is_block(self) -> bool:
        """Whether it is a literal or a folded block."""
        return self.style in _BLOCKS


@dataclass(frozen=True, slots=True)
class Entry:
    """A source, a citation, a quantity or an expectation: a mapping, and where it stands."""

    keys: Mapping[str, Span]
    """Its keys, in the order of the file."""
    values: Mapping[str, Span]
    """The values that are scalars, by key."""
    start: int
    """Index of its first character."""
    end: int
    """Index after its last character that is no line end."""
    column: int
    """Spaces before its keys; of one in braces, before the brace."""
    flow: bool
    """Whether it is written in braces."""
    inside: int
    """Index after its last value, which in braces is before the closing one."""
    inner: Mapping[str, Entry]
    """The `expect` that it has, by that key."""


@dataclass(frozen=True, slots=True)
class Places:
    """The sources, citations and quantities of a manifest."""

    sources: Mapping[str, Entry]
    """By name, in the order of the file."""
    names: Mapping[str, Span]
    """The keys of the sources, by name."""
    sources_column: int
    """Spaces before the names of the sources; of sources in braces, before the brace."""
    sources_flow: bool
    """Whether the sources are written in braces."""
    citations: Mapping[str, Entry]
    """By id, in the order of the file."""
    quantities: Mapping[str, Entry]
    """By id, in the order of the file; none where the manifest has no arithmetic."""


class _Entries(Mapping[str, Entry]):
    """What a list holds, by id, in the order of the file. Each is measured when it is asked for: few are changed."""

    def __init__(self, text: str, listing: yaml.SequenceNode) -> None:
        self._text = text
        self._flow = bool(listing.flow_style)
        self._nodes = {_id_of(node): node for node in listing.value}

    def __getitem__(self, id_: str) -> Entry:
        return _entry(self._text, self._nodes[id_], flow=self._flow)

    def __iter__(self) -> Iterator[str]:
        return iter(self._nodes)

    def __len__(self) -> int:
        return len(self._nodes)


def composed(text: str) -> yaml.MappingNode:
    """The nodes of a manifest that `provenance.manifest.parse` reads without an error, every scalar as it is written.

    Args:
        text: the file without its byte order mark.
    """
    import yaml

    # It has no anchors and no tags, and is not deep: `parse` refuses them.
    root = yaml.compose(text, Loader=getattr(yaml, "CBaseLoader", yaml.BaseLoader))
    assert isinstance(root, yaml.MappingNode)  # noqa: S101 - `parse` read it as a manifest
    return root


def places(text: str) -> Places:
    """Find the parts of a manifest that `provenance.manifest.parse` reads without an error.

    Args:
        text: the file without its byte order mark.
    """
    return places_of(text, composed(text))


def places_of(text: str, root: yaml.MappingNode) -> Places:
    """The same of a text that was composed already."""
    parts = {key.value: value for key, value in root.value}
    sources = parts["sources"]
    flow = bool(sources.flow_style)
    return Places(
        {key.value: _entry(text, node, flow=flow) for key, node in sources.value},
        {key.value: _span(key, flow=flow) for key, _ in sources.value},
        sources.start_mark.column,
        flow,
        _Entries(text, parts["citations"]),
        _Entries(text, parts["quantities"]) if "quantities" in parts else {},
    )


def body_end(text: str, span: Span, column: int) -> int:
    """Index after the last line of a block that is not blank, before its line end.

    Args:
        text: the file.
        span: the block.
        column: spaces before the key that it belongs to.
    """
    margin = column + body_step(text, span, column)
    end = span.end
    while True:  # it ends at the header at the latest
        start = text.rfind("\n", 0, end) + 1
        line = text[start:end].removesuffix("\r")
        if line.strip(" ") or len(line) > margin:
            return start + len(line)
        end = start - 1


def body_step(text: str, span: Span, column: int) -> int:
    """Spaces by which a block is indented beyond the key that it belongs to."""
    header, _, body = text[span.start : span.end].partition("\n")
    stated = _INDICATOR.search(header.partition("#")[0])
    if stated is not None:
        return int(stated[0])
    first = next((line for line in body.split("\n") if line.strip(" \r")), "")
    return len(first) - len(first.lstrip(" ")) - column


def line_ending(text: str, at: int) -> str:
    """How the line of an index ends, or the one before it where it is the last and does not."""
    end = text.find("\n", at)
    end = text.rfind("\n", 0, at) if end < 0 else end
    return "\r\n" if end > 0 and text[end - 1] == "\r" else "\n"


def _id_of(node: yaml.MappingNode) -> str:
    return next(str(value.value) for key, value in node.value if key.value == "id")


def _entry(text: str, node: yaml.Node, *, flow: bool) -> Entry:
    import yaml

    flow = flow or bool(node.flow_style)  # type: ignore[attr-defined]
    keys = {key.value: _span(key, flow=flow) for key, _ in node.value}
    values = {key.value: _span(value, flow=flow) for key, value in node.value if isinstance(value.value, str)}
    inner = {
        key.value: _entry(text, value, flow=flow)
        for key, value in node.value
        if isinstance(value, yaml.MappingNode) and value.value and key.value == "expect"
    }
    column = node.start_mark.column
    end = _end(text, node, column)
    inside = node.value[-1][1].end_mark.index if flow else end
    return Entry(keys, values, node.start_mark.index, end, column, flow, inside, inner)


def _end(text: str, node: yaml.Node, column: int) -> int:
    """Index after what a node ends with: the end of a collection in a block is where the next thing begins."""
    import yaml

    while isinstance(node, yaml.CollectionNode) and not node.flow_style and node.value:
        column = node.start_mark.column
        last = node.value[-1]
        node = last[1] if isinstance(last, tuple) else last
    if isinstance(node, yaml.ScalarNode) and node.style in _BLOCKS:
        return body_end(text, _span(node, flow=False), column)
    return node.end_mark.index


def _span(node: yaml.Node, *, flow: bool) -> Span:
    style = getattr(node, "style", None) or ""
    return Span(node.value, style, node.start_mark.index, node.end_mark.index, flow)
