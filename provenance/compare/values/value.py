"""The verdict on an entry of a JSON, YAML or TOML file: `exact`, `changed` or `absent`."""

from __future__ import annotations

import json
from dataclasses import replace
from difflib import get_close_matches
from typing import TYPE_CHECKING

from provenance.citation import LineRange
from provenance.compare.diff import unified
from provenance.compare.values.equality import agreement
from provenance.compare.wording import length
from provenance.errors import InvalidRecord
from provenance.evidence import Judgement, Verdict
from provenance.extract.data.lookup import find
from provenance.extract.data.pointer import parts, pointer
from provenance.extract.data.values import Found, Missing, Numeral, Opaque, Unreadable, cut, described

if TYPE_CHECKING:
    from collections.abc import Sequence

    from provenance.citation import ExpectedValue
    from provenance.extract.lines import Text

_SHOWN = 60
"""Characters of a value, or of a name, that a message repeats."""
_POINTED = 200
"""Characters of a pointer that a message repeats."""
_LONG_LINE = 2_000
"""Characters of a line in a diff."""
_MANY_LINES = 100
"""Lines of a value that has a diff."""


def judge_value(value: ExpectedValue, lines: LineRange | None, text: Text, *, path: str) -> Judgement:
    """Compare an entry of a file with what a document says it is.

    Args:
        value: The pointer, and what the document says.
        lines: The cited range, which the entry need not stand in; None where none is cited.
        text: The file.
        path: The file's name, which says how it is read.
    """
    try:
        tokens = parts(value.pointer)
    except InvalidRecord as error:
        found: Found | Missing | Unreadable = Unreadable(str(error))
        tokens = ()
    else:
        found = find(text.text, path, tokens)
    place = _place(found, text)
    if lines is not None and lines.last > len(text):
        return _out_of_range(place, text)
    match found:
        case Unreadable(why=why):
            return Judgement(Verdict.ABSENT, why)
        case Missing():
            return Judgement(Verdict.ABSENT, _missing(found, tokens), notes=found.notes)
        case Found():
            judgement = _compared(found, place, value, text, path=path)
            if lines is None or place is None or lines.holds(place):
                return judgement
            notes = (*judgement.notes, f"the value stands on {_lines(place)}")
            return replace(judgement, suggestion=place, notes=notes)


def _compared(
    found: Found,
    place: LineRange | None,
    value: ExpectedValue,
    text: Text,
    *,
    path: str,
) -> Judgement:
    found_at = () if place is None else (place,)
    agreed = agreement(found, value.equals)
    if agreed is not None:
        noted = (*found.notes, agreed.note) if agreed.note else found.notes
        return Judgement(Verdict.EXACT, found_at=found_at, notes=noted)
    said = value.equals
    is_quoted = isinstance(found.value, str) or not said.isprintable() or not said
    where = cut(value.pointer, _POINTED) or "the file"
    return Judgement(
        Verdict.CHANGED,
        f"{where} is {_shown(found)}, and the document says {_quoted(said) if is_quoted else cut(said, _SHOWN)}",
        found_at=found_at,
        diff=_diff(found, value.equals, place, text, path=path),
        notes=found.notes,
    )


def _out_of_range(place: LineRange | None, text: Text) -> Judgement:
    count = len(text)
    holds = length(count)
    if place is None:
        return Judgement(Verdict.OUT_OF_RANGE, holds)
    stands = f"{holds}; the value stands on {_lines(place)}"
    return Judgement(Verdict.OUT_OF_RANGE, stands, found_at=(place,), suggestion=place)


def _place(found: Found | Missing | Unreadable, text: Text) -> LineRange | None:
    """The lines at which a value stands."""
    if not isinstance(found, Found) or found.span is None or not len(text):
        return None
    start, end = found.span
    first = text.text.count("\n", 0, start) + 1
    return LineRange(first, first + text.text.count("\n", start, end))


def _lines(place: LineRange) -> str:
    return f"line {place}" if len(place) == 1 else f"lines {place}"


def _missing(found: Missing, tokens: Sequence[str]) -> str:
    """What there is instead, as far as the pointer leads."""
    wanted = cut(pointer(tokens[: found.depth + 1]), _POINTED)
    holder = cut(pointer(tokens[: found.depth]), _POINTED) or "the file"
    if not found.is_object:
        return f"{holder} is {found.holder}, and has no {wanted}"
    near = _near(tokens[found.depth], found.names)
    if near is None:
        return f"there is no {wanted}; {holder} is {found.holder}"
    meant = cut(pointer([*tokens[: found.depth], near]), _POINTED)
    return f"there is no {wanted}; did you mean {meant}?"


def _near(token: str, names: Sequence[str]) -> str | None:
    """The name that is most like one that is missing, with letters of either size alike."""
    if len(token) > _SHOWN:
        return None
    by_fold = {name.casefold(): name for name in reversed(names) if len(name) <= _SHOWN}
    near = get_close_matches(token.casefold(), by_fold, n=1)
    return by_fold[near[0]] if near else None


def _shown(found: Found) -> str:
    """A value as a message has it."""
    value, written = found.value, found.written
    match value:
        case str():
            return _quoted(value)
        case list() | dict() | Opaque() if len(written) > _SHOWN or not written.isprintable() or not written:
            return described(value)
        case Numeral(written=number):
            return cut(number, _SHOWN)
        case _:
            return written or described(value)


def _quoted(text: str) -> str:
    """The beginning of a string, between quotes."""
    text = text if len(text) <= _SHOWN else text[: _SHOWN - 1] + "…"
    written = json.dumps(text, ensure_ascii=False)
    return cut(written, len(written))


def _diff(found: Found, equals: str, place: LineRange | None, text: Text, *, path: str) -> str:
    """From the lines with the document's value to the file's; empty where these are too many or too long."""
    if found.span is None or place is None or len(place) > _MANY_LINES:
        return ""
    source = text.slice(place)
    if max(map(len, source)) > _LONG_LINE or len(equals) > _LONG_LINE:
        return ""
    said = json.dumps(equals, ensure_ascii=False) if found.written.startswith('"') else equals
    start, end = found.span
    before = text.text[text.text.rfind("\n", 0, start) + 1 : start]
    after = text.text[end:].partition("\n")[0]
    return unified(f"{before}{said}{after}".split("\n"), source, place, path=path)
