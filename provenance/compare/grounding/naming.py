"""Which words of a sentence are names of code.

Prose has names of things too. What is taken here is what hardly anybody writes unless the code is meant; all else is
left out, since an alarm that is false costs the reader's trust in the others.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from provenance.compare.grounding.lexicon import BRANDS, ENDINGS, ENGLISH, KEYWORDS, MATHEMATICS, REMINDERS
from provenance.compare.grounding.mention import Mention, Sort

if TYPE_CHECKING:
    from collections.abc import Iterator

_WORD = r"[^\W\d](?:\w|\\(?=_))*+"
_JOINT = re.compile(r"\.|::|->")
_PATH = rf"{_WORD}(?:(?:\.|::|->){_WORD})*+"
_NAME = re.compile(rf"(?<![\w\\])(?![A-Z]?[a-z]*+(?![\w(\\]|\.\w|::|->))(?P<word>{_PATH})(?P<call>\()?")
"""A word that has more than small letters behind its first one, or something of code behind it."""
_FLAG = re.compile(r"(?<![\w\\-])--[A-Za-z]\w*+(?:-\w++)*+")
_QUOTED = re.compile(rf"(?<![\w\\%])(?:(?<!-)--)?{_WORD}(?:(?:\.|::|->|-){_WORD})*+")
_PHRASE = re.compile(r"(?<![\w.])(?:[A-Za-z]?[a-z]++,?\s){2}[a-z]++(?![\w.(=\[])")
"""Three plain words in a row: a phrase, or what stands between two quotes that only seem to be a pair."""

_UNDERSCORED = re.compile(r"[^\W_]\\?_+[^\W_]")
_INDEXED = re.compile(r"[^\W\d_]\\?_(?:\w|[i-t0-9]{2})")
"""`x_e`, `W_1`, `a_ij`: mathematics."""
_SYMBOL = r"[^\W\d_]\\?_[^\W\d_]{1,30}"
_NOTATION = re.compile(
    rf"(?<![\w\\.])(?P<word>{_SYMBOL})(?![\w\\])"
    rf"(?=(?:\s?(?:,|=|/|&|,?\s(?:and|or)\s)\s?{_SYMBOL}(?![\w\\])){{0,8}}"
    r"(?:\s?:?=(?:\s?[-\u2212]?\.?[0-9]|\s{3})|\sof\s[-\u2212]?\.?[0-9]))"
)
"""`d_model = 512`, `d_model, d_ff = 512, 2048`: how papers name what has a value. Three blanks are a value that is
shown as code or as a formula.
"""
_CAMEL = re.compile(r"[a-z]{2}[a-z0-9]*+[A-Z]\w*+")
_CAMEL_OR_BRAND = re.compile(r"[a-z0-9]++[A-Z0-9]++")
"""`macOS`, `cuDNN`, and `userID`."""
_UPPER_CAMEL = re.compile(r"[A-Z][a-z0-9]++[A-Z]\w*+|[A-Z]{2}[A-Z]*+[a-z0-9]\w*+")
_DIGITS_INSIDE = re.compile(r"[a-z]{3}[a-z]*+[0-9]++[a-z][a-z0-9]*+")
_DIGITS_LAST = re.compile(r"[a-z]{3}[a-z]*+[0-9]++")
_READ_OUT = re.compile(r"[a-z]{3}[a-z]*+(?:2[a-z]{3}[a-z]*+|[0-9]++x[0-9]++)")
"""`word2vec`, `conv1x1`: the name of an idea, in which 2 is read as "to" and x as "by"."""

_SHORTEST_CALLED = 3
_SHORTEST_PATH = 3
"""Letters of the longest segment: `e.g` and `p.m` have fewer."""
_LONGEST = 200
"""Characters of a name; what is longer is something else."""
_LONGEST_CALL = 80
"""Characters between the brackets of what is taken for a call."""
_ARGUMENTS = re.compile(r"[\w.,=*+/'\"\[\]: \u2026-]*+")
_TWO_WORDS = re.compile(r"\w \w")


def quoted_names(code: str) -> Iterator[Mention]:
    """The names in what a claim shows as code, the words of languages and single letters aside."""
    if _PHRASE.search(code):
        return
    for match in _QUOTED.finditer(code):
        bare = last(match[0]).strip("_\\")
        if len(bare) > 1 and len(match[0]) <= _LONGEST and bare.casefold() not in KEYWORDS:
            yield Mention(match.start(), match[0], Sort.NAME)


def names(prose: str) -> Iterator[Mention]:
    """The names that are written as code is, in text without what is shown as code and without formulas.

    What is a paper's notation once, such as `d_model = 512`, is an idea wherever the text has it.
    """
    if "--" in prose:
        yield from (Mention(flag.start(), flag[0], Sort.NAME) for flag in _FLAG.finditer(prose))
        prose = _FLAG.sub(lambda flag: " " * len(flag[0]), prose)
    notation = {match["word"] for match in _NOTATION.finditer(prose)} if "_" in prose else set()
    for match in _NAME.finditer(prose):
        word = match["word"]
        sort = _sort(match, prose) if len(word) <= _LONGEST else None
        if sort:
            yield Mention(match.start(), word, Sort.IDEA if word in notation else sort)


def last(name: str) -> str:
    """The last segment of a dotted name: what it is the name of."""
    return _JOINT.split(name)[-1]


def _sort(match: re.Match[str], prose: str) -> Sort | None:
    """What a word of prose is; None where it is no name of code."""
    word, end = match["word"], match.end()
    if _JOINT.search(word):
        return Sort.NAME if _is_path(word) else None
    if match["call"] and _is_called(word, prose, end):
        return Sort.IDEA if word[0].isupper() else Sort.NAME
    if word.casefold() in BRANDS:
        return None
    if _UNDERSCORED.search(word):
        return None if _INDEXED.fullmatch(word) or prose[end : end + 1] == "{" else Sort.NAME
    return _spelling(word)


def _spelling(word: str) -> Sort | None:
    """What a word is by its capitals and digits."""
    if _CAMEL.fullmatch(word):
        return Sort.IDEA if _CAMEL_OR_BRAND.fullmatch(word) else Sort.NAME
    if _DIGITS_INSIDE.fullmatch(word):
        return Sort.IDEA if _READ_OUT.fullmatch(word) else Sort.NAME
    private = (
        word.startswith("_") and len(word.strip("_")) > 1
    )  # `_emphasis_` and `__bold__` are Markdown too
    return Sort.IDEA if private or _UPPER_CAMEL.fullmatch(word) or _DIGITS_LAST.fullmatch(word) else None


def _is_path(word: str) -> bool:
    """Whether dots are those of code: `tf.layers.conv2d`, but neither `e.g` nor `end.The`, nor `xxx.xxx`."""
    segments = _JOINT.split(word)
    if len(segments[-1]) == 1 or segments[-1] in ENGLISH or len(set(segments)) == 1:
        return False
    return max(map(len, segments)) >= _SHORTEST_PATH


def _is_called(word: str, prose: str, at: int) -> bool:
    """Whether a bracket begins arguments: `conv1d(x, nf)`, but neither `layer(s)` nor `max(0, x)` nor `tuple(a, b)`.

    Args:
        word: What stands before the bracket.
        prose: The text.
        at: Where it goes on behind the bracket.
    """
    if len(word) < _SHORTEST_CALLED or word in REMINDERS or word.casefold() in MATHEMATICS | KEYWORDS:
        return False
    closing = prose.find(")", at, at + _LONGEST_CALL)
    inside = prose[at:closing]
    return (
        closing >= 0
        and inside not in ENDINGS
        and _ARGUMENTS.fullmatch(inside) is not None
        and _TWO_WORDS.search(inside) is None
    )
