"""The events of a YAML text, and what scalars, lists and mappings are: nothing is constructed or expanded.

A plain scalar is what the core schema of YAML 1.2 makes of it; `yes`, `no`, `on` and `off` are true and false too,
as YAML 1.1 has them and Python's usual reader. Source: https://yaml.org/spec/1.2.2/, chapter 10.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from provenance.extract.data.values import Found, Numeral, Opaque, cut

if TYPE_CHECKING:
    from collections.abc import Iterator

    import yaml

    from provenance.extract.data.values import Value

_DEPTH = 900
"""Lists and mappings within each other; newer versions of libyaml have a bound of 1,000 themselves."""
_EVENTS = 1_000_000
"""Scalars, lists, mappings and their ends in one file."""
_SHOWN = 60
"""Characters of a tag that a note repeats."""
_MOST_NOTES = 5
"""Tags that are told."""

_NULL = frozenset({"", "~", "null", "Null", "NULL"})
_TRUE = frozenset({"true", "yes", "on"})
_FALSE = frozenset({"false", "no", "off"})
_NUMERAL = re.compile(
    r"[-+]?(?:0|[1-9][0-9_]*)"
    r"|[-+]?(?:0x[0-9a-fA-F_]+|0o[0-7_]+|0b[01_]+)"
    r"|[-+]?(?:\.[0-9]+|[0-9][0-9_]*\.[0-9]*|[0-9][0-9_]*(?=[eE]))(?:[eE][-+]?[0-9]+)?"
    r"|[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN)"
)
"""Without integers that begin with a zero: YAML 1.1 reads them as octal, 1.2 as decimal, so they stay text."""
_TAG = "tag:yaml.org,2002:"
_RESOLVED = frozenset({_TAG + name for name in ("bool", "float", "int", "null")})
_OF_TEXT = frozenset({"!", _TAG + "str"})
MERGE = "<<"
"""The key whose value is mappings to take in: https://yaml.org/type/merge.html."""


class Unread(Exception):
    """The file is not read on; the message says why."""


class _Open(NamedTuple):
    """A list or mapping whose end has not been read."""

    children: list[Value]
    """Of a mapping, keys and values by turns; a key is its text."""
    is_object: bool

    @property
    def at_key(self) -> bool:
        return self.is_object and len(self.children) % 2 == 0

    def closed(self) -> Value:
        if not self.is_object:
            return self.children
        made: dict[str, Value] = {}
        children = iter(self.children)
        for key, value in zip(children, children, strict=True):
            if isinstance(key, Opaque):
                return Opaque(f"a mapping with {key.why}")
            made[str(key)] = value
        return made


class Making:
    """A value in the middle of being read."""

    def __init__(self, text: str, event: yaml.NodeEvent) -> None:
        self._text = text
        self._start, self._last = _span(event)
        self._open: list[_Open] = []
        self._notes: dict[str, None] = {}
        """In their order, each once."""
        self.found: Found | None = None
        """The value, once its end has been read."""
        self.node(event)

    def node(self, event: yaml.NodeEvent) -> None:
        """Take in the next scalar, alias, or beginning of a list or mapping."""
        import yaml

        self._last = _span(event)[1]
        is_key = bool(self._open) and self._open[-1].at_key
        match event:
            case yaml.CollectionStartEvent():
                self._tagged(event)
                if event.flow_style and not self._open:
                    self._start = self._last - 1  # what stands before the bracket is an anchor or a tag
                self._open.append(_Open([], isinstance(event, yaml.MappingStartEvent)))
            case yaml.ScalarEvent():
                self._tagged(event)
                if not self._open:
                    self._scalar(event)
                else:
                    self._open[-1].children.append(_key(event) if is_key else resolved(event))
            case _:
                self._open[-1].children.append(Opaque("an alias"))
                self._notes["it holds an alias, which is not followed"] = None

    def end(self, event: yaml.CollectionEndEvent) -> None:
        """End the innermost list or mapping."""
        start, last = _span(event)
        if last > start:  # a bracket; the end of a block has no width, and stands further on
            self._last = last
        value = self._open.pop().closed()
        if not self._open:
            self._finish(value)
        else:
            holder = self._open[-1]
            holder.children.append(Opaque("a key that is no scalar") if holder.at_key else value)

    def _scalar(self, event: yaml.ScalarEvent) -> None:
        if is_plain(event) and self._text.endswith(event.value, self._start, self._last):
            self._start = self._last - len(event.value)  # what stands before is an anchor
        self._finish(resolved(event))

    def _finish(self, value: Value) -> None:
        while self._last > self._start and self._text[self._last - 1] in " \n":
            self._last -= 1
        span = (self._start, self._last)
        self.found = Found(value, self._text[slice(*span)], span, tuple(self._notes))

    def _tagged(self, event: yaml.ScalarEvent | yaml.CollectionStartEvent) -> None:
        tag = event.tag
        told = len(self._notes) >= _MOST_NOTES
        if tag is not None and tag not in _OF_TEXT and not tag.startswith(_TAG) and not told:
            self._notes[f"it has the tag {cut(tag, _SHOWN)}, which is not followed"] = None


def events(text: str, notes: list[str]) -> Iterator[tuple[int, yaml.NodeEvent | yaml.CollectionEndEvent]]:
    """What the first document consists of, numbered; a note where there are others.

    Raises:
        Unread: it is too large or nested too deeply.
        yaml.YAMLError: it is malformed.
    """
    import yaml

    deep = documents = 0
    for number, event in enumerate(yaml.parse(text, Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))):
        if isinstance(event, yaml.DocumentStartEvent):
            documents += 1
            if documents > 1:
                notes.append("the file has several documents; the first counts")
                return
        elif isinstance(event, (yaml.NodeEvent, yaml.CollectionEndEvent)):
            deep += isinstance(event, yaml.CollectionStartEvent) - isinstance(event, yaml.CollectionEndEvent)
            if deep > _DEPTH:
                message = f"the file is nested more than {_DEPTH} deep, and is not read"
                raise Unread(message)
            if number > _EVENTS:
                message = f"the file holds more than {_EVENTS:,} values, and is not read"
                raise Unread(message)
            yield number, event


def _span(event: yaml.Event) -> tuple[int, int]:
    """Where an event begins and ends, in characters."""
    start, end = event.start_mark, event.end_mark
    if start is None or end is None:
        message = "the reader keeps no places"
        raise Unread(message)
    return start.index, end.index


def is_plain(event: yaml.NodeEvent) -> bool:
    """Whether a scalar is written without quotes, and no tag says what it is."""
    import yaml

    return isinstance(event, yaml.ScalarEvent) and bool(event.implicit[0])


def _key(event: yaml.ScalarEvent) -> Value:
    """A key: its text, whatever YAML would resolve it to."""
    text: str = event.value
    if text == MERGE and is_plain(event):
        return Opaque("a key <<, whose mappings are not followed")
    return text


def resolved(event: yaml.ScalarEvent) -> Value:
    """What a scalar is."""
    text: str = event.value
    if not is_plain(event) and event.tag not in _RESOLVED:
        return text
    if text in _NULL:
        return None
    word = text.lower() if text in {text.lower(), text.upper(), text.capitalize()} else text
    if word in _TRUE or word in _FALSE:
        return word in _TRUE
    return Numeral(text) if _NUMERAL.fullmatch(text) else text
