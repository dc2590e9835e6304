"""Whether a value of a file is what a document says, however either writes it. No number becomes a float."""

from __future__ import annotations

import re
from datetime import date, datetime, time
from typing import TYPE_CHECKING, NamedTuple, assert_never

from provenance.extract.data.values import Moment, Numeral, Opaque, Unreadable

if TYPE_CHECKING:
    from provenance.extract.data.values import Found, Value

_LONGEST = 100_000
"""Characters of a number that is read as one."""
_LONGEST_NOTE = 60
"""Characters of a value that a note repeats."""
_LONGEST_COUNTED = 3_000
"""Digits of an exponent, or of a number to another base; Python writes integers of 4,300 at the most."""

_DECIMAL = re.compile(
    r"(?P<sign>[-+]?)(?P<whole>[0-9]{1,3}(?:,[0-9]{3})+|[0-9][0-9_]*)?"
    r"(?:\.(?P<part>[0-9][0-9_]*)?)?(?:[eE](?P<exponent>[-+]?[0-9]+))?"
)
_BASED = re.compile(r"(?P<sign>[-+]?)0(?:[xX](?P<x>[0-9a-fA-F_]+)|[oO](?P<o>[0-7_]+)|[bB](?P<b>[01_]+))")
_BASES = {"x": 16, "o": 8, "b": 2}
_STRAY = re.compile(r"_(?![0-9a-fA-F])|(?<![0-9a-fA-F])_")
"""An underscore that does not stand between digits."""


class Number(NamedTuple):
    """A number in its only form: equal numbers are equal records."""

    negative: bool
    digits: str
    """Without zeros at either end; empty for zero."""
    exponent: int
    """Power of ten that the last digit counts."""


def number(text: str) -> Number | None:
    """Read a number: `768`, `1e-05`, `7.68e2`, `1_000`, `50,257`, `0x1f`, also with a Unicode minus.

    None for anything else, and for what is too long to be read.
    """
    text = text.replace("\u2212", "-")
    if len(text) > _LONGEST or _STRAY.search(text):
        return None
    based = _BASED.fullmatch(text)
    if based is not None:
        base, digits = next(
            (key, value) for key, value in based.groupdict().items() if key != "sign" and value
        )
        if len(digits) > _LONGEST_COUNTED:
            return None
        return _number(based["sign"], str(int(digits, _BASES[base])), 0)
    match = _DECIMAL.fullmatch(text)
    if match is None or not (match["whole"] or match["part"]):
        return None
    whole, part, exponent = (match["whole"] or "", match["part"] or "", match["exponent"] or "0")
    if len(exponent) > _LONGEST_COUNTED:
        return None
    part = part.replace("_", "")
    return _number(match["sign"], whole.replace("_", "").replace(",", "") + part, int(exponent) - len(part))


def _number(sign: str, digits: str, exponent: int) -> Number:
    digits = digits.lstrip("0")
    bare = digits.rstrip("0")
    return Number(sign == "-", bare, exponent + len(digits) - len(bare)) if bare else Number(False, "", 0)


class Agreement(NamedTuple):
    """The document says what the file says."""

    note: str = ""
    """How the file writes it, where that is otherwise."""


def agreement(found: Found, equals: str) -> Agreement | None:
    """Compare a value with what the document says it equals; None where they differ.

    A number is compared as a number, true, false and null by these words, a string as it is, a date as a date,
    and an array or object with what the text is as JSON. What the file writes, letter by letter, always agrees.
    """
    value = found.value
    match value:
        case str():
            return _text(value, found.written, equals)
        case None:
            agrees = equals.lower() in {"null", "~"}
        case bool():
            agrees = equals.lower() == str(value).lower()
        case list() | dict():
            agrees = equals == found.written or _is_json_of(value, equals)
            return Agreement() if agrees else None
        case Numeral():
            agrees = same(value, Numeral(equals))
        case Moment() | Opaque():
            agrees = same(value, equals)
        case _:
            assert_never(value)
    if equals == found.written or (agrees and len(found.written) > _LONGEST_NOTE):
        return Agreement()
    return Agreement(f"the file writes {found.written}" if found.written else "") if agrees else None


def _is_json_of(value: Value, text: str) -> bool:
    from provenance.extract.data.json_value import read

    said = read(text)
    return not isinstance(said, Unreadable) and same(value, said)


def _text(value: str, written: str, equals: str) -> Agreement | None:
    if value == equals:
        is_other = number(equals) is not None or equals in {"true", "false", "null"}
        return Agreement("the file has it as a string" if is_other else "")
    if value.removesuffix("\n") == equals.removesuffix("\n"):
        return Agreement("the file ends the string with a line end" if value.endswith("\n") else "")
    # A document may show the quotes, too; then they are the file's own.
    return Agreement() if written == equals and equals[:1] in {'"', "'"} else None


def same(ours: Value, theirs: Value) -> bool:
    """Whether two values are equal, at any depth of nesting. A date equals a string that names it."""
    todo: list[tuple[Value, Value]] = [(ours, theirs)]
    while todo:
        match todo.pop():
            case list() as left, list() as right:
                if len(left) != len(right):
                    return False
                todo.extend(zip(left, right, strict=True))
            case dict() as left, dict() as right:
                if left.keys() != right.keys():
                    return False
                todo.extend((value, right[name]) for name, value in left.items())
            case left, right:
                if not _same_scalar(left, right):
                    return False
    return True


def _same_scalar(left: Value, right: Value) -> bool:
    match left, right:
        case Numeral(written=ours), Numeral(written=theirs):
            read = number(ours)
            return _spelled(ours) == _spelled(theirs) if read is None else read == number(theirs)
        case Moment(value=moment), str():
            return _moment(right, moment) == moment
        case Moment(value=one), Moment(value=other):
            return type(one) is type(other) and one == other
        case (str(), str()) | (bool(), bool()) | (None, None):
            return left == right
        case _:
            return False


def _spelled(text: str) -> str:
    """A number that is not read, with one spelling for `Infinity`, `.inf` and `inf`."""
    word = text.removeprefix("+").lower()
    sign = "-" if word.startswith("-") else ""
    bare = word.removeprefix("-").removeprefix(".")
    return f"{sign}{bare[:3]}" if bare in {"inf", "infinity", "nan"} else text


def _moment(text: str, like: date | time) -> date | time | None:
    """Read a date, a time or both in the form of ISO 8601."""
    kind: type[date | time] = type(like)
    try:
        read = kind.fromisoformat(text)
    except ValueError:
        return None
    # A day alone is no moment of it.
    return None if isinstance(read, datetime) and len(text) <= len("2026-01-01") else read
