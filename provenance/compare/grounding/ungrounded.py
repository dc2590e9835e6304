"""Which numbers and code names of a claim do not stand in the lines that it cites: advice to an author, no verdict.

What stands there as it is written is found by searching; only what is left is looked at closely, so that most claims
cost little.
"""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from provenance.compare.grounding.claims import mentions, statements
from provenance.compare.grounding.literals import numbers_of
from provenance.compare.grounding.mention import Sort
from provenance.compare.grounding.naming import last
from provenance.compare.grounding.standing import Glance, is_used, key, missing_names

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from provenance.compare.grounding.mention import Mention

_TEN = Fraction(10)
_MOST_IDEAS = 100
"""Names such as `LayerNorm` that are looked for in a file."""


def ungrounded(
    claim: str, excerpt: str, *, path: str = "", file: Callable[[], str] | None = None
) -> tuple[str, ...]:
    """The numbers and code names of a claim that do not stand in the cited lines; linear time.

    Args:
        claim: What a document says of the lines: plain text, Markdown or HTML, with formulas in LaTeX.
        excerpt: The cited lines.
        path: The cited file's path, which a claim may name too.
        file: Gives the whole file's text. Called at most once, and only for a name such as `LayerNorm`, which counts
            only where the file has it as an identifier; without it such a name never does.

    Returns:
        In the claim's order, each once, as the claim writes it, without back quotes.
    """
    found = mentions(claim, Glance(excerpt))
    if found:
        found = statements(claim, found)
    if found:
        found = _missing(found, excerpt, path)
    ideas = dict.fromkeys(mention.text for mention in found if mention.sort is Sort.IDEA)
    if ideas and file:
        whole = file()
        ideas = {text: None for text in list(ideas)[:_MOST_IDEAS] if is_used(text.replace("\\", ""), whole)}
    elif ideas:
        ideas = {}
    return tuple(
        dict.fromkeys(
            mention.text for mention in found if mention.sort is not Sort.IDEA or mention.text in ideas
        )
    )


def _missing(found: Sequence[Mention], excerpt: str, path: str) -> list[Mention]:
    """The mentions that stand nowhere in the lines, however they are spelled."""
    names = {mention.text: _spellings(mention.text) for mention in found if mention.sort is not Sort.NUMBER}
    wanted = {one for spellings in names.values() for spelling in spellings for one in spelling}
    absent = missing_names(wanted, f"{excerpt}\n{path}") if wanted else set()
    numbers = [mention for mention in found if mention.sort is Sort.NUMBER]
    unmet = _unmet(numbers, excerpt) if numbers else set()
    return [
        mention
        for mention in found
        if mention in unmet
        or (mention.sort is not Sort.NUMBER and not any(map(absent.isdisjoint, names[mention.text])))
    ]


def _spellings(name: str) -> list[tuple[str, ...]]:
    """The ways in which a name may stand in code, each with the keys of all that it takes."""
    base = last(name)
    whole = (key(base),)
    return [whole, tuple(key(part) for part in base.split("-") if len(part) > 1)] if "-" in base else [whole]


def _unmet(numbers: Sequence[Mention], excerpt: str) -> set[Mention]:
    """The numbers for which the lines have no value."""
    exact: dict[Fraction | int, list[Mention]] = {}
    rounded: dict[int, dict[int, list[Mention]]] = {}
    for mention in numbers:
        for value in mention.values:
            exact.setdefault(value, []).append(mention)
        if mention.places is not None:
            units = int(mention.values[0] * _TEN**mention.places)
            rounded.setdefault(mention.places, {}).setdefault(units, []).append(mention)
    left = set(numbers)
    for number in numbers_of(excerpt):
        left.difference_update(exact.pop(number, ()))
        for places, wanted in rounded.items():
            scaled = number * _TEN**places
            for near in {round(scaled), int(scaled)} & wanted.keys():
                left.difference_update(wanted.pop(near))
        if not left:
            break
    return left
