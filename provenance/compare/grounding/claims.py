"""What a claim states that can be looked for in code: its numbers, and the names that are written as code is."""

from __future__ import annotations

import re
from itertools import chain, islice
from operator import attrgetter
from typing import TYPE_CHECKING, NamedTuple

from provenance.compare.grounding.amounts import amounts, quoted_amounts
from provenance.compare.grounding.lexicon import CODE_ROLES
from provenance.compare.grounding.mention import Sort
from provenance.compare.grounding.naming import names, quoted_names
from provenance.compare.grounding.prose import stated, without_addresses

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from provenance.compare.grounding.mention import Mention
    from provenance.compare.grounding.standing import Glance


class _Span(NamedTuple):
    start: int
    end: int


_MOST = 10_000
"""Mentions of a claim that are looked for: as many shown as code, as many names, as many numbers."""
_TICKS = re.compile(r"`+")
_CODE_TAG = re.compile(r"<(code|tt|kbd|samp)\b[^<>]{0,200}>", re.IGNORECASE)
_MARKUP = re.compile(r"<[^<>]{0,200}>|&#?\w{1,10};")
_NO_NAMES = re.compile(
    r"\$\$?(?=\S)[^$\n]{1,500}+(?<=\S)\$\$?(?!\d)"
    r"|\\\((?:[^\\\n]|\\[^()\n]){1,500}+\\\)|\\\[(?:[^\\\n]|\\[^\[\]\n]){1,500}+\\\]"
    r"|\[[^\[\],]{0,80}+,[^\[\]]{0,80}+\]|\bshapes?\s(?:\([^()\n]{0,80}+\)|(?:\[[^\[\]\n]{0,80}+\])++)"
)
"""Formulas, and shapes such as `[batch, source_length, 512]`: their names are mathematics', their numbers count."""
_ROLE = re.compile(r":(\w+):$")
_LONGEST_ROLE = 20


def mentions(claim: str, glance: Glance) -> list[Mention]:
    """The names and numbers that a claim may state of code, in its order, without those that a glance finds there.

    Some of them may yet be no statements.
    """
    spans = _code_spans(claim)
    prose = _blanked(claim, spans)
    shown = chain.from_iterable(_of_code(claim, span) for span in spans)
    bare = prose
    if "$" in prose or "\\" in prose or "[" in prose or "shape" in prose:
        bare = _NO_NAMES.sub(lambda match: " " * len(match[0]), prose)
    kinds = (islice(kind, _MOST) for kind in (shown, names(bare), amounts(prose, glance)))
    found = (mention for mention in chain.from_iterable(kinds) if not _seen(mention, glance))
    return sorted(found, key=attrgetter("start"))


def statements(claim: str, found: Sequence[Mention]) -> list[Mention]:
    """The mentions without those that say nothing of code: parts of references, versions, dates and addresses.

    What is a version once, such as `3.11`, is one wherever the claim has it.
    """
    text = stated(_blanked(claim, _code_spans(claim), "`"))
    aside = [mention for mention in found if text[mention.start].isspace()]
    versions = {mention.text for mention in aside if mention.sort is Sort.NUMBER and "." in mention.text}
    return [
        mention for mention in found if not text[mention.start].isspace() and mention.text not in versions
    ]


def _seen(mention: Mention, glance: Glance) -> bool:
    return glance.number(mention.text) if mention.sort is Sort.NUMBER else glance.name(mention.text)


def _blanked(text: str, spans: Iterable[_Span], blank: str = " ") -> str:
    """The text with blanks for stretches of it, which are in order; every other character keeps its place."""
    pieces: list[str] = []
    at = 0
    for span in spans:
        pieces += (text[at : span.start], blank * (span.end - span.start))
        at = span.end
    return "".join((*pieces, text[at:])) if pieces else text


def _code_spans(claim: str) -> list[_Span]:
    """What stands between back quotes, with them, and within HTML tags for code, in order."""
    spans = list(_between_ticks(claim)) if "`" in claim else []
    if "<" in claim:
        spans = sorted([*spans, *_within_tags(_blanked(claim, spans))])
    return spans


def _between_ticks(claim: str) -> Iterator[_Span]:
    """As in Markdown: a run of back quotes opens, and the next run of the same length closes."""
    runs = [_Span(*run.span()) for run in _TICKS.finditer(claim)]
    later: dict[int, list[_Span]] = {}
    for run in reversed(runs):
        later.setdefault(run.end - run.start, []).append(run)
    done = 0
    for run in runs:
        same = later[run.end - run.start]
        same.pop()  # the run itself, for those before it are gone
        if run.start >= done and same:
            done = same[-1].end
            yield _Span(run.start, done)


def _within_tags(text: str) -> Iterator[_Span]:
    at = 0
    while opening := _CODE_TAG.search(text, at):
        closing = text.find(f"</{opening[1]}", opening.end())
        if closing < 0:
            return
        yield _Span(opening.start(), closing)
        at = closing


def _of_code(claim: str, span: _Span) -> Iterator[Mention]:
    """The names and numbers of a stretch of code; none where reStructuredText has something else between the quotes."""
    role = _ROLE.search(claim[max(0, span.start - _LONGEST_ROLE) : span.start])
    if claim[span.end : span.end + 1] == "_" or (role and role[1] not in CODE_ROLES):
        return
    code = claim[span.start : span.end]
    if code.startswith("<"):
        code = _MARKUP.sub(lambda match: " " * len(match[0]), code)
    code = without_addresses(code)
    for mention in chain(quoted_names(code), quoted_amounts(code)):
        yield mention._replace(start=span.start + mention.start)
