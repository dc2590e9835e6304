"""Whether names stand in code, however it spells them.

A name stands where an identifier has it, as a whole or as a part between word boundaries: `layer_norm`, `LayerNorm` and
`layernorm` are one name, and `relu` stands in `relu_density_logit` and in `tf.nn.relu`.
"""

from __future__ import annotations

import re
from functools import cached_property
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

_JOINED = re.compile(r"\w+(?:-\w+)*")
"""An identifier, or several with hyphens between: `utf-8`, `--no-tags` and `target-space` are names too."""
_PART = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+|[^\W\d_A-Za-z]+")
"""What an identifier is made of: `HTTPServer` of `HTTP` and `Server`, `conv2d` of `conv`, `2` and `d`."""
_OTHER = re.compile(r"[\W_]+")
_HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_MOST_PARTS = 12
"""Parts in a row of a longer identifier that are tried as one name."""
_FEW = 32
"""Names that are looked for in the bare letters of a text, before it is cut into words."""
_MOST_SEEN = 10_000
"""Words that are remembered, so as not to be cut into parts twice."""
_MOST_LOOKS = 200
"""Searches of a glance, all names and numbers together."""
_MOST_USES = 1_000
"""Places of a file at which a name is looked at, to see whether it is used as code there."""

_STOPS = frozenset(".,'")
_JOINTS = _STOPS | frozenset("0123456789_eExX")
"""What may be more of a number beside some of its digits: the stops only with digits behind them."""

_BEFORE_USE = re.compile(
    r"(?:\b(?:class|def|struct|enum|interface|trait|type|func|function|fn|import|new|extends|implements|const|let|var)\s+"
    r"|\w\.|->|::)$"
)
_BEHIND_USE = re.compile(r"\(|\[|\.\w|::")
_ASSIGNED = re.compile(r"[ \t]*:?=(?!=)")
_ARGUMENT = re.compile(r"[^\n#]*\w\((?:[^()\n#]*,[ \t]*)?")
"""A line up to a parameter or an argument, as in `def f(x, ` and `f(x=1, `; what stands in a comment is none."""
_CONTEXT = 40
"""Characters before a name that show how it is used."""


def key(name: str) -> str:
    """What the spellings of one name share: letter case, what joins its words and a plural's ending are set aside."""
    return _OTHER.sub("", name).casefold().removesuffix("s")


class Glance:
    """A quick look at code for what stands there as it is written; its no says nothing.

    It looks a limited number of times, so that many names and much code do not multiply.
    """

    def __init__(self, code: str) -> None:
        self._code = code
        self._left = _MOST_LOOKS

    def name(self, name: str) -> bool:
        """Whether an identifier is the name, letter case aside, or has it between underscores."""
        if self._parted(name, self._code):
            return True
        small = name.lower()
        if self._parted(small, self._lowered):
            return True
        parted = _HUMP.sub("_", name).lower()
        return parted != small and self._parted(parted, self._lowered)

    def number(self, digits: str) -> bool:
        """Whether a literal is the number, or an identifier has its digits."""
        code, size, at = self._code, len(digits), -1
        while (at := self._find(digits, at + 1, code)) >= 0:
            before, after = code[at - 1 : at], code[at + size : at + size + 1]
            if before in _JOINTS and (before != "," or code[at - 2 : at - 1].isdigit()):
                continue
            if after in _JOINTS and (after not in _STOPS or code[at + size + 1 : at + size + 2].isdigit()):
                continue
            return True
        return False

    @cached_property
    def _lowered(self) -> str:
        return self._code.lower()

    def _parted(self, name: str, code: str) -> bool:
        """Whether a name stands in the code with neither letter nor digit beside it."""
        size, at = len(name), -1
        while (at := self._find(name, at + 1, code)) >= 0:
            if not (code[at - 1 : at].isalnum() or code[at + size : at + size + 1].isalnum()):
                return True
        return False

    def _find(self, text: str, at: int, code: str) -> int:
        self._left -= 1
        return code.find(text, at) if self._left >= 0 else -1


def missing_names(keys: Collection[str], code: str) -> set[str]:
    """Which of these keys belong to no name of the code; linear in both."""
    left = set(keys)
    if len(left) <= _FEW:
        letters = code.casefold().replace("_", "").replace("-", "")
        left = {one for one in left if one in letters}
    hopeless = set(keys) - left
    longest = max(map(len, left), default=0) + 1
    seen: set[str] = set()
    for match in _JOINED.finditer(code):
        if not left:
            break
        word = match[0]
        if word not in seen:
            if len(seen) < _MOST_SEEN:
                seen.add(word)
            left.discard(key(word))
            left.difference_update(_runs(word, longest))
    return hopeless | left


def _runs(word: str, longest: int) -> Iterator[str]:
    """The keys of what can be read out of a word between its boundaries."""
    parts = [part.casefold() for part in _PART.findall(word)]
    for start in range(len(parts)):
        run = ""
        for part in parts[start : start + _MOST_PARTS]:
            run += part
            if len(run) > longest:
                break
            yield run.removesuffix("s")


def is_used(name: str, file: str) -> bool:
    """Whether a file uses a name as an identifier, and not only in comments: defines, imports, calls, looks into it.

    Handing it over counts for a name such as `d_model`, for those that use it do little else with it. The names of
    classes are handed over as often by code that merely asks for them.
    """
    size, at = len(name), -1
    symbol = name[:1].isalpha() and name[1:2] == "_"
    for _ in range(_MOST_USES):
        at = file.find(name, at + 1)
        if at < 0:
            return False
        before, behind = file[max(0, at - _CONTEXT) : at], file[at + size : at + size + 4]
        if _is_wordlike(before[-1:]) or _is_wordlike(behind[:1]):
            continue
        if _BEHIND_USE.match(behind) or _BEFORE_USE.search(before):
            return True
        line = before.rpartition("\n")[2]
        if (_ASSIGNED.match(behind) and not line.strip()) or (symbol and _ARGUMENT.fullmatch(line)):
            return True
    return False


def _is_wordlike(character: str) -> bool:
    return character.isalnum() or character == "_"
