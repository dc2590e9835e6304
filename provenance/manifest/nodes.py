"""YAML text -> a tree of strings, lists and mappings, each with its place.

Read from the event stream, for three reasons: every scalar stays the string that was written, whatever YAML
would resolve it to; what a manifest may not use (anchors, aliases, tags, several documents) is told where it
stands; and no depth of nesting recurses. Source: YAML 1.1, https://yaml.org/spec/1.1/, as libyaml reads it.
"""

from __future__ import annotations

import re
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple, NoReturn, TypeAlias

from provenance.errors import ManifestError, Position

if TYPE_CHECKING:
    from collections.abc import Iterator

    import yaml

MAX_BYTES = 16 * 1024 * 1024
"""Size of the largest manifest that is read."""
MAX_DEPTH = 20
"""Lists and mappings within each other; a manifest needs five."""
_TOO_DEEP = f"lists and mappings are nested more than {MAX_DEPTH} deep"
MAX_NODES = 1_000_000
"""Scalars, lists and mappings of one file: some 60,000 citations in a few hundred MiB."""
MAX_ERRORS = 100
"""Errors of one file that are told."""
MAX_DIRECTIVES = 10
"""Lines that begin with a percent sign: libyaml compares each `%TAG` with all that stand before it."""
_DIRECTIVE = re.compile(r"^%", re.MULTILINE)

NOT_YAML = re.compile(
    "[^\t\n\r\x20-\x7e\xa0-\u2027\u202a-\ud7ff\ue000-\ufefe\uff00-\ufffd\U00010000-\U0010ffff]|\r(?!\n)"
)
"""What may not stand raw: control characters, and what YAML takes for a line end where git sees none."""
_LINE_ENDS = ("\x85", "\u2028", "\u2029", "\ufeff")
_UNSPEAKABLE = re.compile("[\0\ud800-\udfff]")
"""What an escape can name and no text holds."""
_SHOWN = 60
"""Characters of a value that an error repeats."""


class Scalar(NamedTuple):
    """A value, as the string that was written."""

    value: str
    line: int
    """1-based, as for every node."""
    column: int
    """1-based, in characters, as for every node."""


class Sequence(NamedTuple):
    """A list."""

    items: list[Node]
    line: int
    column: int


class Mapping(NamedTuple):
    """Keys and values in their order; a key may stand twice."""

    pairs: list[tuple[Scalar, Node]]
    line: int
    column: int


class Broken(NamedTuple):
    """What has been told as an error already."""

    line: int
    column: int


Node: TypeAlias = Scalar | Sequence | Mapping | Broken


class Errors:
    """The errors of one file, in the file's order, and no more than are of use."""

    def __init__(self, file: str) -> None:
        self.file = file
        """The manifest's path, relative to the project's root."""
        self.count = 0
        """How many there are, with those that are not told."""
        self._found: list[ManifestError] = []

    @property
    def full(self) -> bool:
        """Whether a further error would not be told."""
        return self.count >= MAX_ERRORS

    def add(self, line: int, column: int | None, message: str) -> None:
        """Note an error."""
        self.count += 1
        if self.count <= MAX_ERRORS:
            self._found.append(ManifestError(Position(self.file, line, column), message))

    def at(self, node: Node, message: str) -> None:
        """Note an error where a node begins."""
        self.add(node.line, node.column, message)

    def told(self) -> tuple[ManifestError, ...]:
        """The errors by their place in the file; the last one counts those that are left out."""
        found = sorted(self._found, key=lambda error: (error.position.line, error.position.column or 0))
        if self.count > MAX_ERRORS:
            rest = f"{self.count - MAX_ERRORS} more errors are not shown"
            found.append(ManifestError(found[-1].position, rest))
        return tuple(found)


class _Stop(Exception):
    """Nothing more can be learnt from this file."""


def shown(text: str) -> str:
    """A value in an error: quoted, bounded, and with every character visible."""
    return repr(text if len(text) <= _SHOWN else text[: _SHOWN - 1] + "…")


def read(data: bytes, errors: Errors) -> Node | None:
    """The root of a manifest's only document; None where the file cannot be read on.

    What is wrong is added to `errors`.
    """
    try:
        return _Reader(_decode(data, errors), errors).root()
    except _Stop:
        return None


def _decode(data: bytes, errors: Errors) -> str:
    if len(data) > MAX_BYTES:
        errors.add(1, None, f"the file has {len(data):,} bytes; a manifest has at most {MAX_BYTES:,}")
        raise _Stop
    try:
        text = data.decode("utf-8").removeprefix("\ufeff")
    except UnicodeDecodeError as error:
        line, column = _place(data[: error.start].decode("utf-8"))
        errors.add(line, column, f"byte 0x{data[error.start]:02x} is not UTF-8; a manifest is UTF-8")
        raise _Stop from error
    # Of control characters the parser tells; these it would take for line ends, or skip, without a word.
    if any(end in text for end in _LINE_ENDS) or text.count("\r") != text.count("\r\n"):
        _tell_character(text, errors)
        raise _Stop
    many = next(islice(_DIRECTIVE.finditer(text), MAX_DIRECTIVES, None), None)
    if many is not None:
        errors.add(*_place(text[: many.start()]), f"more than {MAX_DIRECTIVES} directives")
        raise _Stop
    return text


def _place(before: str) -> tuple[int, int]:
    """Line and column of the character after `before`."""
    return before.count("\n") + 1, len(before) - before.rfind("\n")


def _tell_character(text: str, errors: Errors) -> None:
    found = NOT_YAML.search(text)
    if found is None:
        errors.add(1, None, "the file holds a character that YAML does not allow")
        return
    line, column = _place(text[: found.start()])
    code = ord(found[0])
    escape = f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}"  # noqa: PLR2004 - the end of Latin-1
    errors.add(
        line,
        column,
        f"character U+{code:04X} may not stand in YAML as it is; write {escape} in double quotes",
    )


class _Reader:
    """Makes a tree of a text's events."""

    def __init__(self, text: str, errors: Errors) -> None:
        self._text = text
        self._errors = errors

    def root(self) -> Node:
        import yaml

        root: Node | None = None
        unfinished: list[_Open] = []
        budget = MAX_NODES
        for event in self._events():
            if isinstance(event, yaml.ScalarEvent):
                node = self._scalar(event)
            elif isinstance(event, yaml.CollectionStartEvent):
                unfinished.append(self._opened(event, len(unfinished)))
                continue
            elif isinstance(event, yaml.CollectionEndEvent):
                node = unfinished.pop().close(self._errors)
            elif isinstance(event, yaml.AliasEvent):
                node = self._alias(event)
            elif isinstance(event, yaml.DocumentStartEvent) and root is not None:
                self._stop(event, "a second document starts here; a manifest is one document")
            else:
                continue
            budget -= 1
            if not budget:
                self._stop(event, f"the file holds more than {MAX_NODES:,} values")
            if unfinished:
                unfinished[-1].children.append(node)
            else:
                root = node
        if root is None:
            self._errors.add(1, None, "the file is empty; expected a mapping that begins with prov: 1")
            raise _Stop
        return root

    def _events(self) -> Iterator[yaml.Event]:
        import yaml

        loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
        try:
            yield from yaml.parse(self._text, Loader=loader)
        except yaml.reader.ReaderError as error:
            _tell_character(self._text, self._errors)
            raise _Stop from error
        except yaml.MarkedYAMLError as error:
            self._tell_syntax(error)
            raise _Stop from error

    def _tell_syntax(self, error: yaml.MarkedYAMLError) -> None:
        mark = error.problem_mark or error.context_mark
        context = f"{error.context}, " if error.context else ""
        message = f"this is not YAML: {context}{error.problem or 'it cannot be read'}"
        if mark is None:
            self._errors.add(1, None, message)
            return
        line = self._line(mark.line)
        if "nesting" in (error.problem or ""):  # libyaml looks ahead, and has a bound of its own
            message = _TOO_DEEP
        elif "\t" in line[: mark.column + 1] and not line[: mark.column].strip():
            message = "a tab stands in the indentation; YAML is indented with spaces"
        self._errors.add(mark.line + 1, mark.column + 1, message)

    def _line(self, index: int) -> str:
        lines = self._text.split("\n", index + 1)
        return lines[index] if index < len(lines) else ""

    def _scalar(self, event: yaml.ScalarEvent) -> Node:
        node = Scalar(event.value, *_start(event))
        if event.tag is not None or event.anchor is not None:
            self._properties(event, node)
        # Only double quotes have escapes.
        if event.style == '"' and (found := _UNSPEAKABLE.search(event.value)):
            self._errors.at(node, f"U+{ord(found[0]):04X} is no character of a text")
            return Broken(node.line, node.column)
        return node

    def _opened(self, event: yaml.CollectionStartEvent, depth: int) -> _Open:
        import yaml

        line, column = _start(event)
        if event.tag is not None or event.anchor is not None:
            self._properties(event, Broken(line, column))
        if depth >= MAX_DEPTH:
            self._stop(event, _TOO_DEEP)
        return _Open([], line, column, mapping=isinstance(event, yaml.MappingStartEvent))

    def _properties(self, event: yaml.ScalarEvent | yaml.CollectionStartEvent, node: Node) -> None:
        if event.anchor is not None:
            self._errors.at(node, f"anchors are refused: take away &{event.anchor[:_SHOWN]}")
        if event.tag is not None:
            tag = event.tag[:_SHOWN]
            self._errors.at(node, f"tags are refused: take away {tag}; every value is read as text")

    def _alias(self, event: yaml.AliasEvent) -> Node:
        node = Broken(*_start(event))
        name = (event.anchor or "")[:_SHOWN]
        self._errors.at(node, f"aliases are refused: write out what *{name} stands for")
        return node

    def _stop(self, event: yaml.Event, message: str) -> NoReturn:
        self._errors.add(*_start(event), message)
        raise _Stop


def _start(event: yaml.Event) -> tuple[int, int]:
    mark = event.start_mark
    return (1, 1) if mark is None else (mark.line + 1, mark.column + 1)


class _Open:
    """A list or mapping whose end has not been read."""

    __slots__ = ("children", "column", "line", "mapping")

    def __init__(self, children: list[Node], line: int, column: int, *, mapping: bool) -> None:
        self.children = children
        self.line = line
        self.column = column
        self.mapping = mapping

    def close(self, errors: Errors) -> Node:
        if not self.mapping:
            return Sequence(self.children, self.line, self.column)
        pairs: list[tuple[Scalar, Node]] = []
        children = iter(self.children)
        for key, value in zip(children, children, strict=True):
            if type(key) is Scalar:
                pairs.append((key, value))
            elif type(key) is not Broken:
                errors.at(key, "a key is a plain word, not a list or a mapping")
        return Mapping(pairs, self.line, self.column)
