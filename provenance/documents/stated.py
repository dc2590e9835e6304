r"""What lines and sentences of a page say of its parameters.

    parameters: 1,050,624 · × 6 layers = 6,303,744          in the head
    1,050,624 parameters per instance.
    Across 6 independent layers: $1{,}050{,}624 \times 6 = 6{,}303{,}744$ parameters.
    32 × 512 values.

What has a number and is not understood is remarked, for it is not checked.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from provenance.compare.arithmetic.evaluation import evaluate, tidy
from provenance.compare.numbers import plain
from provenance.documents.accounting import decimal
from provenance.documents.equations import DIGITS, WORDS, equations, is_arithmetic, result
from provenance.documents.remarks import Remark
from provenance.errors import PageError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from provenance.errors import Position

_NUMBER = r"[0-9]++(?:(?:[,_'’.]|\{,\})[0-9]++| [0-9]{3}(?![0-9]))*+"
"""A number in prose, with its separators."""
_NEARLY = re.compile(
    r"\$?(?:[≈~\u223c≃]|\\(?:approx|sim|simeq)\b|"
    r"(?:about|almost|approximately|around|circa|nearly|roughly|some)\b|ca?\. )",
    re.IGNORECASE,
)
"""How what is not exact begins."""

_SIGNED = re.compile(r"[×*] ?|x ?(?=[0-9])")
_COUNTED_OUT = re.compile(rf"{_NUMBER} [^\W\d_][^=]*+= ?{_NUMBER}")
_TOLD = re.compile(r"(?<=[^\W\d_]): ?(?=[0-9])")
"""A colon that stands for `=`, as in `× 6 layers: 6,144`."""
_BRACKETED = re.compile(r"(?P<first>[^()]*[^()\s]) ?\((?P<factor>[^()]*)\)")
_REPEATED = re.compile(
    rf"(?P<total>{DIGITS}){WORDS}(?P<factors>(?: [×*] {DIGITS}(?P<of>{WORDS}))++)(?: = (?P<overall>{DIGITS}))?"
)
_FACTOR = re.compile(rf" [×*] (?P<count>{DIGITS})")
_COUNT = re.compile(
    rf"(?P<number>{_NUMBER})(?= ?$| ?[(,;]| (?:each|learned|parameters?|per|shared|tied|trainable)\b)"
)
_CALCULATES = re.compile(r"[0-9=×→≈√∑\\]")

_VERB = r"(?:owns|has|have|holds|contains|carries|adds|uses|needs|comprises|learns)"
_THIS = (
    r"(?:(?:this|the) (?:component|module|instance|part|unit)|"
    r"this (?:block|embedding|layer|map|norm|operation|projection|sublayer)|each (?:instance|copy|one)|it)"
    r"(?: (?:itself|alone))?"
)
_OPENING = (
    rf"(?:(?P<altogether>in all|in total|altogether|all told|overall)\b,? |(?:so|thus|hence)\b,? )?"
    rf"(?:{_THIS} {_VERB} |(?:it|that|there|these|they|this) (?:is|are|makes?|gives?) )?"
    r"(?P<total>a total of )?(?:exactly |precisely )?"
)
_CALCULATION = r"(?:\$?(?:[^=$A-Za-z\\\s]|\\[A-Za-z]+| )++= ?)?+"
_KIND = (
    r"(?:(?:and|distinct|float|free|independent|individual|learnable|learned|model|scalar|separate|shared|tied|total|"
    r"trainable|trained|unique|weight),? )*+"
)
_COUNTED = re.compile(
    rf"(?i:{_OPENING})(?P<calculation>{_CALCULATION})\$?(?P<number>{_NUMBER})\$? {_KIND}parameters?\b(?P<rest>.*)"
)
_TITLED = re.compile(
    r"(?:total )?(?:parameter count|number of parameters|parameters)(?: per [a-z]+)?(?: ?[:=]| is) ?"
    rf"\$?(?P<number>{_NUMBER})\$?(?=[.;,)]|\s*$| per\b| \()(?P<rest>.*)",
    re.IGNORECASE,
)
_SIZED = re.compile(rf"(?:\$(?P<typeset>[^$]*)\$|(?P<plain>{_NUMBER}(?: ?[×*x] ?{_NUMBER})++)) values\b")
_PRODUCT = re.compile(rf"{DIGITS}(?: [×*] {DIGITS})+")
_ACROSS = re.compile(rf"Across (?:all |the )?(?P<repeated>{_NUMBER})\b(?P<rest>.*)")
_REPETITION = re.compile(rf"(?P<total>{DIGITS}){WORDS} [×*] (?P<repeated>{DIGITS}){WORDS}(?: = {DIGITS})?")
_OVERALL = re.compile(rf"[:,] \$?(?P<number>{_NUMBER})\$? parameters?\b")
_NOT_OF_ONE = re.compile(
    r"(?<!shared )\bacross\b|\b(?:altogether|(?:in|for|over) all|in total|overall)\b", re.IGNORECASE
)
"""Words by which a number of parameters is that of all instances."""
_OF_ONE = re.compile(r" per\b|, each\b| each\b", re.IGNORECASE)
_OF_OTHERS = re.compile(
    r" of (?:the|its|these|those) [$0-9]|\b(?:in|of) (?:the |a |its )?(?:complete |entire |full |whole |rest of the )?"
    r"(?:model|network)\b"
    r"|\A (?:belong|come|for(?! all\b)|form|from|make|sit|stand)\b"
    r"|\A are (?!all\b|counted\b|learned\b|owned\b|shared\b|stored\b|tied\b|train(?:ed|able)\b)"
    r"|\A in (?:the|its|each|every) (?:bias|embedding|gain|kernel|matrix|table|weight)"
    r"|\A per (?!block|component|copy|decoder|encoder|instance|layer|module|sublayer|unit)",
    re.IGNORECASE,
)
"""Words by which a number of parameters is that of something else, or a part of one."""
_OVER = re.compile(rf"\b(?:across|over|in) (?:all |the )?(?P<repeated>{_NUMBER})\b", re.IGNORECASE)
_BOLD = re.compile(rf"\*\*(\$?{_NUMBER}\$?)\*\*")
_BESIDE = re.compile(
    r"[0-9]\$?(?:[kKMBG]\b| ?(?:thousand|million|billion)\b)?(?: \([^()]{1,60}\))?(?:,? [^\W\d_][\w-]*+){0,2}"
    r" parameters?\b|\bparameters?(?: (?:amount to|are|come to|count|equals?|is|number|total))?(?: ?[:=])? ?"
    r"[($≈~]{0,2}[0-9]",
    re.IGNORECASE,
)
"""A number beside the word."""
_SHOWN = 60
"""Characters of a text that a remark shows."""


@dataclass(frozen=True, slots=True)
class Said:
    """What one sentence says of the quantity."""

    at: Position
    statement: str
    total: str | None = None
    """Of one instance, where the statement tells it."""
    repeated: str | None = None
    overall: str | None = None
    shape: str | None = None


@dataclass(frozen=True, slots=True)
class Shown:
    """An equation in a sentence, which may be of the quantity or of something else."""

    at: Position
    equation: str
    measured: bool
    """Whether a unit follows it, so that it does not count parameters."""


def of_head(text: str, at: Position) -> Iterator[Said | Remark]:
    """`16,384`, `1,024 · × 6 layers = 6,144`, or words, which say nothing here."""
    if _NEARLY.match(text):
        yield Remark(at, f"{_short(text)} is not exact, and is not checked")
        return
    first, *rest = text.split(" · ")
    if bracketed := _BRACKETED.fullmatch(first):
        factor = _factor(bracketed["factor"])
        first, rest = (bracketed["first"], [bracketed["factor"], *rest]) if factor else (first, rest)
    factors: list[str] = []
    while rest and (factor := _factor(rest[0])):
        factors.append(factor)
        del rest[0]
    tidied = tidy(_TOLD.sub(" = ", " × ".join([plain(first), *factors])))
    repetition = _REPEATED.fullmatch(tidied)
    if repetition is not None and (factors or (repetition["of"] and repetition["overall"])):
        overall = repetition["overall"]
        total = repetition["total"]
        yield Said(at, tidied if overall else total, total, _product(repetition["factors"]), overall)
    elif is_arithmetic(tidied):
        yield Said(at, tidied, result(tidied))
    elif count := _COUNT.match(first):
        number = _number(count["number"], at)
        yield Said(at, number, number)
        rest = [first[count.end() :], *factors, *rest]
    else:
        rest = [text]
    left = " · ".join(filter(None, map(str.strip, rest)))
    if _CALCULATES.search(left):
        yield Remark(at, f"{_short(left)} is not understood, and is not checked")


def _factor(text: str) -> str:
    """How often what stands before is taken, without its sign; empty where the text does not say so."""
    shown = _TOLD.sub(" = ", plain(text).strip(), count=1)
    signed = _SIGNED.match(shown)
    factor = shown[signed.end() :] if signed else shown if _COUNTED_OUT.fullmatch(shown) else ""
    return factor if factor[:1].isdigit() else ""


def _product(factors: str) -> str | None:
    """The product of ` × 6 layers × 2 per layer`, where it is one that a manifest takes."""
    counts = [match["count"] for match in _FACTOR.finditer(factors)]
    product = counts[0] if len(counts) == 1 else str(evaluate(" × ".join(counts)))
    return decimal(product)


def of_sentence(text: str, at: Position) -> Iterator[Said | Shown | Remark]:
    """What a sentence says, and each equation in it."""
    text = _BOLD.sub(r"\1", text.strip())
    if across := _ACROSS.match(text):
        found = list(_of_all(text, across, at))
    else:
        found = list(_of_count(text, at))
        counted = {said.statement for said in found if isinstance(said, Said)}
        found += (Shown(at, *each) for each in equations(text) if each[0] not in counted)
    yield from found
    if not found and _BESIDE.search(text):
        why = "exact" if _NEARLY.match(text) else "understood"
        yield Remark(at, f"{_short(text)} is not {why}, and its number of parameters is not checked")


def _of_all(text: str, across: re.Match[str], at: Position) -> Iterator[Said | Shown]:
    """Sentences that begin with `Across 6 layers`."""
    repeated = _number(across["repeated"], at)
    for equation, measured in equations(text):
        if measured:
            yield Shown(at, equation, measured)
            continue
        parts = _REPETITION.fullmatch(equation)
        total = None if parts is None or parts["repeated"] != repeated else parts["total"]
        yield Said(at, equation, total, repeated, result(equation))
    if counted := _OVERALL.search(across["rest"]):
        overall = _number(counted["number"], at)
        yield Said(at, overall, None, repeated, overall)


def _of_count(text: str, at: Position) -> Iterator[Said | Shown]:
    """Sentences such as `1,024 parameters per instance.` and `32 × 512 values.`, which count something."""
    if counted := _COUNTED.match(text) or _TITLED.match(text):
        parts = counted.groupdict()
        rest = counted["rest"]
        number = _number(counted["number"], at)
        calculated = next(iter(equations(text)), ("", False))[0] if parts.get("calculation") else ""
        statement = calculated if result(calculated) == number else number
        if _OF_OTHERS.search(rest):
            return
        if _NOT_OF_ONE.search(rest):
            over = _OVER.search(rest)
            yield Said(at, statement, None, _number(over["repeated"], at) if over else None, number)
        elif parts.get("altogether") and not _OF_ONE.match(rest):
            yield Said(at, statement)  # of one instance or of all
        else:
            yield Said(at, statement, number)
    elif sized := _SIZED.match(text):
        product = tidy(sized["plain"] if sized["typeset"] is None else sized["typeset"])
        if _PRODUCT.fullmatch(product):
            yield Said(at, product, shape=product)


def _number(text: str, at: Position) -> str:
    number = decimal(text)
    if number is None:
        raise PageError(at, f"{_short(text)} is no number of at most 200 digits")
    return number


def _short(text: str) -> str:
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…"
