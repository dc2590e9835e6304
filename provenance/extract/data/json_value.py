"""One value of a JSON text, with its place: only the way to it is walked, the rest is skipped by Python's decoder.

Source: RFC 8259; `NaN` and `Infinity`, which it lacks, are read as Python writes them.
"""

from __future__ import annotations

import json
import re
from dataclasses import replace
from typing import TYPE_CHECKING, NoReturn

from provenance.extract.data.pointer import pointer
from provenance.extract.data.values import Found, Holder, Missing, Numeral, Unreadable, cut, described

if TYPE_CHECKING:
    from collections.abc import Sequence

    from provenance.extract.data.values import Outcome, Value

_BLANK = re.compile(r"[ \t\n\r]*")
_WORDS = frozenset({"NaN", "Infinity", "-Infinity"})

_POINTED = 200
"""Characters of a pointer that a note repeats."""

_READER = json.JSONDecoder(parse_int=Numeral, parse_float=Numeral, parse_constant=Numeral)
_SKIPPER = json.JSONDecoder(parse_int=str, parse_float=str, parse_constant=str)
"""Numbers stay text: Python turns no more than 4,300 digits into an integer."""


def read(text: str) -> Value | Unreadable:
    """A whole JSON text as a value; of a name that stands twice the last one counts."""
    try:
        value: Value = _READER.decode(text)
    except json.JSONDecodeError as error:
        return Unreadable(_told(error))
    except RecursionError:
        return Unreadable("the file is nested too deeply to be read as JSON")
    return value


def find(text: str, tokens: Sequence[str]) -> Outcome:
    """Follow a pointer through a JSON text, all of which must be well-formed.

    Args:
        text: the file.
        tokens: the pointer's parts.
    """
    try:
        return _Walk(text, tokens).outcome()
    except json.JSONDecodeError as error:
        return Unreadable(_told(error))
    except RecursionError:
        return Unreadable("the file is nested too deeply to be read as JSON")


def repeated(tokens: Sequence[str]) -> str:
    """The note on a name that stands more than once in its object."""
    return f"{cut(pointer(tokens), _POINTED)} stands more than once; the last one counts"


def _told(error: json.JSONDecodeError) -> str:
    problem = error.msg[:1].lower() + error.msg[1:]
    return f"the file is not JSON: {problem}, line {error.lineno}, column {error.colno}"


class _Walk:
    """A single pass over the text. Objects and arrays that lead to the value are on a stack of our own."""

    def __init__(self, text: str, tokens: Sequence[str]) -> None:
        self._text = text
        self._tokens = tokens
        self._outcome: Found | Missing = Missing(0, "")
        self._repeated: set[int] = set()
        """Depths at which the name that leads on stands more than once."""

    def outcome(self) -> Found | Missing:
        text, holders = self._text, list[Holder]()
        at, wanted = self._blank(0), True
        while True:
            depth = len(holders)
            if wanted and depth < len(self._tokens) and text.startswith(("{", "["), at):
                holders.append(Holder(self._tokens[depth], is_object=text[at] == "{"))
                at += 1
            elif wanted:
                at = self._reached(at, depth)
            else:
                at = _SKIPPER.raw_decode(text, at)[1]
            at = self._blank(at)
            while holders and text.startswith("}" if holders[-1].is_object else "]", at):
                closed = holders.pop()
                if not closed.hits:
                    self._outcome = closed.missing(len(holders))
                at = self._blank(at + 1)
            if not holders:
                break
            at, wanted = self._member(holders[-1], len(holders) - 1, at)
        if at < len(text):
            self._fail("Extra data", at)
        return self._noted()

    def _reached(self, at: int, depth: int) -> int:
        """Read what stands where the pointer ends, or where it cannot go on; the end of that."""
        value, end = _READER.raw_decode(self._text, at)
        if depth < len(self._tokens):
            self._outcome = Missing(depth, described(value))
        else:
            self._outcome = Found(value, self._text[at:end], (at, end))
        return end

    def _member(self, holder: Holder, depth: int, at: int) -> tuple[int, bool]:
        """Read up to a container's next value: where that begins, and whether the pointer leads to it."""
        text = self._text
        if holder.count:
            if not text.startswith(",", at):
                self._fail("Expecting ',' delimiter", at)
            at = self._blank(at + 1)
        if not holder.is_object:
            return at, holder.item()
        if not text.startswith('"', at):
            self._fail("Expecting property name enclosed in double quotes", at)
        name, at = _SKIPPER.raw_decode(text, at)
        at = self._blank(at)
        if not text.startswith(":", at):
            self._fail("Expecting ':' delimiter", at)
        wanted = holder.entry(name)
        if wanted:
            self._repeated = {other for other in self._repeated if other < depth}
            if holder.hits > 1:
                self._repeated.add(depth)
        return self._blank(at + 1), wanted

    def _noted(self) -> Found | Missing:
        notes = [repeated(self._tokens[: depth + 1]) for depth in sorted(self._repeated)]
        found = self._outcome
        if isinstance(found, Found) and found.written in _WORDS:
            notes.append(f"the file writes {found.written}, which JSON does not have")
        return replace(found, notes=tuple(notes))

    def _blank(self, at: int) -> int:
        match = _BLANK.match(self._text, at)
        return at if match is None else match.end()

    def _fail(self, message: str, at: int) -> NoReturn:
        raise json.JSONDecodeError(message, self._text, at)
