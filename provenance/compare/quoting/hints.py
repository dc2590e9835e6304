"""What a block looks like, held against the place that a mention names: factors of how likely it is the quote."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from provenance.compare.quoting.headers import names
from provenance.compare.quoting.naming import begins_with, defines, names_in

if TYPE_CHECKING:
    from collections.abc import Sequence

    from provenance.citation import LineRange
    from provenance.compare.quoting.cited import Cited
    from provenance.compare.quoting.frames import Framed
    from provenance.document import Block

_SESSIONS = frozenset(
    {
        "console",
        "shell-session",
        "shellsession",
        "session",
        "pycon",
        "doscon",
        "ps1con",
        "output",
        "log",
        "logs",
    }
    | {"terminal", "traceback", "pytb", "stdout", "ansi", "mermaid", "ascii", "http", "dot", "plantuml"}
)
"""Languages of what a program prints or a person types, and of pictures."""
_PROSE = frozenset({"text", "txt", "plain", "plaintext", "none", "markdown", "md"})
_FAMILIES = (
    ("python", "py python python3 py3 pyi pyx cython starlark bzl bazel build"),
    (
        "web",
        "js javascript jsx mjs cjs ts typescript tsx vue svelte html xhtml htm jinja jinja2 django css scss less",
    ),
    ("data", "json json5 jsonc yaml yml toml ini cfg conf properties lock"),
    ("c", "c h cc cpp c++ cxx hh hpp hxx inl cu cuda objc m mm objectivec objective-c ino"),
    ("jvm", "java kotlin kt kts scala groovy gradle clojure clj"),
    ("solidity", "sol solidity vy vyper yul"),
    ("rust", "rs rust"),
    ("go", "go golang"),
    ("ruby", "rb ruby cr crystal erb rake"),
    ("shell", "sh bash zsh shell fish ksh"),
    ("cs", "cs csharp c# fs fsharp f# vb"),
    ("swift", "swift"),
    ("php", "php php5 phtml"),
    ("haskell", "hs haskell lhs"),
    ("ml", "ml ocaml mli"),
    ("sql", "sql postgresql mysql plpgsql"),
    ("lua", "lua"),
    ("perl", "pl perl pm"),
    ("elixir", "ex exs elixir erl erlang"),
    ("rst", "rst rest restructuredtext"),
    ("d", "d dlang"),
    ("zig", "zig"),
    ("julia", "jl julia"),
    ("r", "r rmd"),
    ("nix", "nix"),
    ("tex", "tex latex"),
    ("proto", "proto protobuf"),
    ("terraform", "tf hcl terraform"),
    ("powershell", "ps1 powershell psm1"),
)
"""Names of languages and ends of file names that may stand for one another."""
_FAMILY = {name: family for family, every in _FAMILIES for name in every.split()}

_MOST = 300
"""Characters of a link's text that are looked at."""
_SOURCE = re.compile(r"\b(?:source|code|permalink|on github|on gitlab|from)\b", re.IGNORECASE)
_NAMED_BY_LABEL = 1.15
_SAME_LANGUAGE = 1.1
_OTHER_LANGUAGE = 0.6
_SESSION = 0.35
_AS_LONG = 1.2
_MUCH_SHORTER = 0.85
_HALF = 0.5
_NUMBERED_HERE = 1.4
_NUMBERED_ELSEWHERE = 0.5
_NAMED_HERE = 1.4
_NAMED_ELSEWHERE = 0.4


class Hint(NamedTuple):
    """What looks say."""

    factor: float
    sure: bool
    """Whether the block itself names the place."""
    against: bool
    """Whether it names another one."""
    defines: bool
    """Whether it is the definition of what the link shows."""


def hint(block: Block, cited: Cited, label: str, readings: Sequence[Framed]) -> Hint:
    """Hold a block's looks against a place.

    Args:
        block: The block.
        cited: The place.
        label: What the link shows.
        readings: The ways in which the block can be read.
    """
    bare, shown = readings[-1], names_in(label)
    numbered, named = _numbered(bare.numbers, cited.lines), _named(bare.header_path, cited.path)
    titled = _titled(block.title, cited.path)
    factor = _language(block.language, cited.path) * _length(bare.text, cited.lines)
    factor *= numbered * named * titled * (_NAMED_BY_LABEL if begins_with(bare.text, shown) else 1.0)
    against = min(numbered, named, titled) < 1
    told = named > 1 or (numbered > 1 and not _counted(bare.numbers, cited.lines))
    return Hint(factor, told and not against, against, defines(bare.text, shown))


def names_place(title: str, path: str) -> bool:
    """Whether a block's title is the cited path, or the end of it."""
    shown = title.strip().strip("`'\"")
    return bool(shown and path) and not any(map(str.isspace, shown)) and names(shown.partition("#")[0], path)


def names_source(label: str) -> bool:
    """Whether a link is called what it is, as one below a block is: "Source", "Full code is here", "Link to code"."""
    return _SOURCE.search(label[:_MOST]) is not None


def _language(language: str, path: str) -> float:
    if language in _SESSIONS:
        return _SESSION
    shown, real = _FAMILY.get(language), _FAMILY.get(path.rpartition(".")[2].lower())
    if language in _PROSE:
        return _OTHER_LANGUAGE if real and language in {"markdown", "md"} else 1.0
    if shown is None or real is None:
        return 1.0
    return _SAME_LANGUAGE if shown == real else _OTHER_LANGUAGE


def _length(text: str, lines: LineRange | None) -> float:
    """One line names a place, however much of it is shown; several are meant to be as many as the quote has."""
    if lines is None or len(lines) == 1:
        return 1.0
    count = text.count("\n") + 1
    if count == len(lines):
        return _AS_LONG
    return _MUCH_SHORTER if min(count, len(lines)) < _HALF * max(count, len(lines)) else 1.0


def _numbered(numbers: Sequence[int] | None, lines: LineRange | None) -> float:
    if not numbers or lines is None:
        return 1.0
    return _NUMBERED_HERE if any(number in lines for number in numbers) else _NUMBERED_ELSEWHERE


def _counted(numbers: tuple[int, ...] | None, lines: LineRange | None) -> bool:
    """Whether numbers count the block's own lines: they begin at 1, which tells nothing of the file."""
    return lines is not None and numbers is not None and numbers[:1] == (1,) and lines.first != 1


def _named(header: str | None, path: str) -> float:
    if header is None or not path:
        return 1.0
    return _NAMED_HERE if names(header, path) else _NAMED_ELSEWHERE


def _titled(title: str, path: str) -> float:
    """A title that names another file speaks against the block; any other title says nothing."""
    shown = title.strip()
    like_path = "/" in shown and "." in shown and not any(map(str.isspace, shown))
    return _NAMED_ELSEWHERE if like_path and path and not names_place(shown, path) else 1.0
