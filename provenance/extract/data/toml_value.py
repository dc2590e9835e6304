"""One value of a TOML text. Python's reader keeps no places, so there are none.

Source: TOML 1.0, https://toml.io/en/v1.0.0, as `tomllib` reads it.
"""

from __future__ import annotations

from datetime import date, time
from typing import TYPE_CHECKING

from provenance.extract.data.values import Found, Holder, Missing, Moment, Numeral, Unreadable, described

if TYPE_CHECKING:
    from collections.abc import Sequence

    from provenance.extract.data.values import Outcome, Value

_LARGEST = 4 * 1024 * 1024
"""Characters of the largest file that is read: the reader is written in Python, and takes some seconds for it."""
_DOTS = 25_000_000
"""Bound of the squares of the dots that each line holds: the reader's work on a dotted key grows with them."""
_BITS = 14_000
"""Bits of the largest integer that is written in decimal: Python writes 4,300 digits at the most."""


def find(text: str, tokens: Sequence[str]) -> Outcome:
    """Follow a pointer through a TOML text.

    Args:
        text: the file.
        tokens: the pointer's parts.
    """
    at = _read(text)
    if isinstance(at, Unreadable):
        return at
    for depth, token in enumerate(tokens):
        holder = Holder(token, is_object=isinstance(at, dict))
        if isinstance(at, dict):
            hit = next((value for name, value in at.items() if holder.entry(name)), None)
        elif isinstance(at, list):
            hit = next((value for value in at if holder.item()), None)
        else:
            return Missing(depth, described(_value(at)))
        if not holder.hits:
            return holder.missing(depth)
        at = hit
    value = _value(at)
    return Found(value, value.written if isinstance(value, Numeral) else "")


def _read(text: str) -> object:
    """The root table, or why there is none."""
    import tomllib

    if len(text) > _LARGEST or sum(line.count(".") ** 2 for line in text.split("\n")) > _DOTS:
        return Unreadable("the file is too large to be read as TOML")
    try:
        return tomllib.loads(text, parse_float=Numeral)
    except RecursionError:
        return Unreadable("the file is nested too deeply to be read as TOML")
    except tomllib.TOMLDecodeError as error:
        problem = str(error)
        return Unreadable(f"the file is not TOML: {problem[:1].lower()}{problem[1:]}")
    except ValueError:
        return Unreadable("the file holds an integer of more digits than are read")


def _value(root: object) -> Value:
    """What `tomllib` read, as a value. Without recursion: dotted keys nest as deep as a line is long."""
    made: list[Value] = []
    todo: list[tuple[object, list[Value] | dict[str, Value], str]] = [(root, made, "")]
    while todo:
        item, into, name = todo.pop()
        value: Value
        match item:
            case dict():
                value = members = dict[str, "Value"]()
                todo.extend((inner, members, key) for key, inner in item.items())
            case list():
                value = items = list["Value"]()
                todo.extend((inner, items, "") for inner in reversed(item))
            case _:
                value = _scalar(item)
        if isinstance(into, list):
            into.append(value)
        else:
            into[name] = value
    return made[0]


def _scalar(item: object) -> Value:
    match item:
        case bool() | str() | Numeral():
            return item
        case int():
            return Numeral(str(item) if item.bit_length() < _BITS else hex(item))
        case date() | time():  # a datetime is a date
            return Moment(item)
        case _:
            message = f"tomllib makes no {type(item).__name__}"
            raise TypeError(message)
