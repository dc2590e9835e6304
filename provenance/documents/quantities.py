r"""The arithmetic of a page -> one quantity: its table, and what its prose says of the same number.

    parameters: 1,050,624 · × 6 layers = 6,303,744          in the head
    Parameters                                              and beneath this line, up to the code list:
    1,050,624 parameters per instance.
    Across 6 independent layers: $1{,}050{,}624 \times 6 = 6{,}303{,}744$ parameters.
    32 × 512 values.

Numbers are taken as they stand, and statements that disagree all are: whether they hold is judged elsewhere.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING

from provenance.citation import Quantity
from provenance.compare.arithmetic.evaluation import tidy
from provenance.documents.accounting import decimal, read_table
from provenance.errors import PageError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from provenance.documents.accounting import Table
    from provenance.documents.layout import Layout
    from provenance.errors import Position

_SECTION = "Parameters"

_NUMBER = r"[0-9]++(?:(?:[,_'’.]|\{,\})[0-9]++| [0-9]{3}(?![0-9]))*+"
"""A number in prose, with its separators."""
_HEAD = re.compile(r"parameters ?: ?(?P<said>\S.*)", re.IGNORECASE)
_TIMES = re.compile(r"\$? ?(?:[×*x]|\\times)")
_COUNT = re.compile(
    rf"(?P<number>{_NUMBER})(?= ?$| ?[(,;]| (?:each|learned|parameters?|per|shared|tied|trainable)\b)"
)
_COUNTED = re.compile(rf"\$?(?P<number>{_NUMBER})\$? parameters?\b(?P<rest>.*)")
_SIZED = re.compile(rf"(?:\$(?P<typeset>[^$]*)\$|(?P<plain>{_NUMBER}(?: ?[×*x] ?{_NUMBER})++)) values\b")
_ACROSS = re.compile(rf"Across (?:all |the )?(?P<repeated>{_NUMBER})\b(?P<rest>.*)")
_OVERALL = re.compile(rf"[:,] \$?(?P<number>{_NUMBER})\$? parameters?\b")
_NOT_OF_ONE = re.compile(
    r"(?<!shared )\bacross\b|\b(?:altogether|(?:in|for|over) all|in total|overall)\b", re.IGNORECASE
)
"""Words by which a number of parameters is that of all instances."""
_OVER = re.compile(rf"\b(?:across|over|in) (?:all |the )?(?P<repeated>{_NUMBER})\b", re.IGNORECASE)
_OF_PARAMETERS = re.compile(r"\b(?:parameters?|values)\b")
_SENTENCES = re.compile(r"(?<=[.!?]) ")

_MOST = 10_000
"""Equations and other statements that are looked at."""

_RUN = re.compile(r"[0-9(](?:[-0-9()+−×·*/÷^=_]|[.,](?=[0-9])|x(?= ?[0-9])| (?=[-0-9(+−×·*/÷^=]|x ?[0-9]))*+")
"""A stretch of prose that may be arithmetic."""
_JOINED = re.compile(r"[\w}\\]\Z|[-+−×·*/÷^=] ?\Z")
"""What stands before arithmetic that is a part of more, such as of a name or a calculation with names."""
_DIGITS = r"[0-9]+(?:\.[0-9]+)?"
_ARITHMETIC = re.compile(r"[0-9(][-0-9 ().+−×·*/÷^=]*")
"""A tidy calculation or equation, with nothing else in it."""
_OPERATOR = re.compile(r"[-+−×·*/÷^]")
_PRODUCT = re.compile(rf"{_DIGITS}(?: [×*] {_DIGITS})+")
_WORDS = r"(?: [^\W\d_][\w-]*+)*+"
_REPETITION = re.compile(
    rf"(?P<total>{_DIGITS}){_WORDS} [×*] (?P<repeated>{_DIGITS})(?P<of>{_WORDS})(?: = (?P<overall>{_DIGITS}))?"
)

_SHAPED = re.compile(r"(?:in|out|shape)(?: ?:| ?$)")
_SHAPE = re.compile(r"(?<!\S)\[[^\[\]]+\]")


@dataclass(frozen=True, slots=True)
class _Said:
    """What one sentence says of the quantity."""

    at: Position
    statement: str
    total: str | None = None
    """Of one instance, where the statement tells it."""
    repeated: str | None = None
    overall: str | None = None
    shape: str | None = None


def read_quantity(layout: Layout, name: str) -> Quantity | None:
    """The quantity of a page, by this name; None where the page has neither a table nor a statement.

    Raises:
        PageError: the table is none that can be read, or a number is too long.
    """
    table = read_table(layout)
    section = next(
        (i for i in range(layout.title + 1, layout.end) if layout.lines[i] == _SECTION), layout.end
    )
    limit = _Limit()
    said = [*_in_head(layout, section, limit), *_in_section(layout, section, table, limit)]
    if table is None and not said:
        return None
    total = _first([None if table is None else table.total, *(each.total for each in said)])
    repeated, overall = _first(each.repeated for each in said), _first(each.overall for each in said)
    statements = [] if table is None else [table.statement]
    for each in said:
        statements += [each.statement, _apart(each, total, repeated, overall)]
    shapes = chain(_shapes(layout, section), (each.shape for each in said))
    return Quantity(
        name,
        () if table is None else table.terms,
        total,
        repeated,
        overall,
        _distinct(statements),
        _distinct(shapes),
        position=said[0].at if table is None else table.at,
    )


def _first(texts: Iterable[str | None]) -> str | None:
    return next((text for text in texts if text is not None), None)


def _distinct(texts: Iterable[str | None]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(text for text in texts if text is not None))


def _apart(said: _Said, total: str | None, repeated: str | None, overall: str | None) -> str | None:
    """An equation for how often a sentence takes the total, where an earlier one takes it another number of times."""
    comes_to = said.overall or overall
    if said.repeated in {None, repeated} or total is None or comes_to is None:
        return None
    return f"{total} × {said.repeated} = {comes_to}"


class _Limit:
    """Ends the reading of a page that states more than any page does."""

    def __init__(self) -> None:
        self._left = _MOST

    def take(self, count: int, at: Position) -> None:
        self._left -= count
        if self._left < 0:
            raise PageError(at, f"more than {_MOST:,} statements of parameters: no page has so many")


def _in_head(layout: Layout, end: int, limit: _Limit) -> Iterator[_Said]:
    for index in range(layout.title + 1, end):
        match = _HEAD.fullmatch(layout.lines[index])
        if match is not None:
            limit.take(1, layout.at(index))
            yield from _of_head(match["said"], layout.at(index))


def _of_head(text: str, at: Position) -> Iterator[_Said]:
    """`16,384`, `1,024 · × 6 layers = 6,144`, or words, which say nothing here."""
    first, *more = text.split(" · ", 2)
    times = bool(more) and _TIMES.match(more[0]) is not None
    tidied = tidy(f"{first} {more[0]}" if times else first)
    repetition = _REPETITION.fullmatch(tidied)
    if repetition is not None and (times or (repetition["of"] and repetition["overall"])):
        total, repeated, overall = repetition["total"], repetition["repeated"], repetition["overall"]
        yield _Said(at, tidied if overall else total, total, repeated, overall)
    elif _is_arithmetic(tidied):
        yield _Said(at, tidied, _result(tidied))
    elif count := _COUNT.match(first):
        number = _number(count["number"], at)
        yield _Said(at, number, number)


def _in_section(layout: Layout, section: int, table: Table | None, limit: _Limit) -> Iterator[_Said]:
    inside = range(0) if table is None else table.lines
    for index in range(section + 1, layout.end):
        line = layout.lines[index]
        if not line or index in inside or not (_OF_PARAMETERS.search(line) or "=" in line):
            continue
        at = layout.at(index)
        for sentence in _SENTENCES.split(line.strip()):
            limit.take(1 + sentence.count("="), at)
            yield from _of_sentence(sentence, at)


def _of_sentence(text: str, at: Position) -> Iterator[_Said]:
    across = _ACROSS.match(text)
    if across is None:
        yield from _of_count(text, at)
        yield from (_Said(at, equation, _result(equation)) for equation in _equations(text))
        return
    repeated = _number(across["repeated"], at)
    for equation in _equations(text):
        parts = _REPETITION.fullmatch(equation)
        total = None if parts is None or parts["repeated"] != repeated else parts["total"]
        yield _Said(at, equation, total, repeated, _result(equation))
    if counted := _OVERALL.search(across["rest"]):
        overall = _number(counted["number"], at)
        yield _Said(at, overall, None, repeated, overall)


def _of_count(text: str, at: Position) -> Iterator[_Said]:
    """Sentences such as `1,024 parameters per instance.` and `32 × 512 values.`, which count something."""
    if counted := _COUNTED.match(text):
        number = _number(counted["number"], at)
        if _NOT_OF_ONE.search(counted["rest"]) is None:
            yield _Said(at, number, number)
        else:
            over = _OVER.search(counted["rest"])
            yield _Said(at, number, None, _number(over["repeated"], at) if over else None, number)
    elif sized := _SIZED.match(text):
        product = tidy(sized["plain"] if sized["typeset"] is None else sized["typeset"])
        if _PRODUCT.fullmatch(product):
            yield _Said(at, product, shape=product)


def _equations(text: str) -> Iterator[str]:
    """The equations of numbers alone, in order: all that are typeset, and plain ones in a sentence of parameters."""
    parts = text.split("$")
    plain = _OF_PARAMETERS.search(text) is not None
    for number, part in enumerate(parts):
        typeset = number % 2 == 1 and number < len(parts) - 1
        for shown in [part] if typeset else _runs(part) if plain else ():
            equation = tidy(shown) if "=" in shown else ""
            # Of words, only what names the instances may stand in one: `1,024 × 6 layers = 6,144`.
            if _is_arithmetic(equation) or _REPETITION.fullmatch(equation):
                yield equation


def _runs(text: str) -> Iterator[str]:
    """The stretches of prose that have an equals sign, and neither begin nor end within something else."""
    for run in _RUN.finditer(text):
        shown = run[0]
        left = shown.partition("=")[0]
        if shown.startswith("(") and left.count("(") == left.count(")") + 1:
            shown = shown[1:]  # brackets around an equation are the sentence's
        if shown.endswith(")") and shown.count(")") == shown.count("(") + 1:
            shown = shown[:-1]
        before, behind = text[max(0, run.start() - 2) : run.start()], text[run.end() : run.end() + 1]
        if "=" in shown and not _JOINED.search(before) and not behind.isalnum():
            yield shown


def _is_arithmetic(text: str) -> bool:
    """Whether a tidy text is a number, a calculation or an equation, and has nothing else in it."""
    sides = text.split("=")
    return (
        _ARITHMETIC.fullmatch(text) is not None
        and all(side.count("(") == side.count(")") and any(map(str.isdigit, side)) for side in sides)
        and (len(sides) == 1 or _OPERATOR.search(text) is not None)
    )


def _result(text: str) -> str | None:
    """The number that a tidy calculation or equation ends with; None where that is another calculation."""
    return decimal(text.rpartition("=")[2].strip())


def _number(text: str, at: Position) -> str:
    number = decimal(text)
    if number is None:
        shown = text if len(text) <= 60 else f"{text[:60]}…"  # noqa: PLR2004 - enough to find it
        raise PageError(at, f"{shown} is no number of at most 200 digits")
    return number


def _shapes(layout: Layout, end: int) -> Iterator[str]:
    """The shapes in the head: on lines that begin with `in:`, `out:` or `shape`, and on what belongs to them."""
    inside = False
    for index in range(layout.title + 1, end):
        line = layout.lines[index]
        if _SHAPED.match(line):
            inside = True
        elif not line or _HEAD.fullmatch(line):
            inside = False
        if inside:
            yield from _SHAPE.findall(line)
