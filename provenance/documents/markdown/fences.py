"""The line that opens a fence: the language, and what the code is called."""

from __future__ import annotations

import re
from dataclasses import dataclass

_TITLE = re.compile(
    r"(?:^|(?<=[\s{,:]))(?:title|file|filename|name|path|caption)[ \t]{0,9}=[ \t]{0,9}"
    r"(?:\"(?P<double>[^\"]*)\"|'(?P<single>[^']*)'|(?P<bare>[^\s,}\"']+))",
    re.IGNORECASE,
)
"""`title="a.py"` as many site generators have it, `file=a.py` and `name=a.py` as some do."""
_LANGUAGE = re.compile(r"\{?[ \t]*\.?(?P<language>[^\s,:;{}\[(=]+)")
"""`python`, `{.python}`, `{python}`, and without what follows in `rust,ignore`, `js{1,3}` and `go:title=x`."""
_DIRECTIVE = re.compile(r"\{(?:code|code-block|code-cell|sourcecode)\}[ \t]*(?P<language>[^\s{]*)")
"""MyST's directives, whose argument is the language."""
_OPTION = re.compile(r":(?P<name>[A-Za-z][\w-]{0,40}):(?:[ \t]+(?P<value>.*))?")
_OPTIONS = 20
"""How many options a directive may have."""


@dataclass(frozen=True, slots=True)
class Info:
    """What a fence says of its code."""

    language: str
    title: str
    skipped: int = 0
    """How many of the first lines are options, and no code."""


def read_info(info: str, content: str) -> Info:
    """Read the line that opens a fence.

    Args:
        info: what follows the marks.
        content: the lines within, where a directive's options stand.
    """
    info = info.strip()
    title = _TITLE.search(info)
    called = "" if title is None else title["double"] or title["single"] or title["bare"] or ""
    directive = _DIRECTIVE.match(info)
    if directive is not None:
        return _directive(directive["language"].lower(), called, content)
    language = _LANGUAGE.match(info)
    # In `title=a.py`, which names no language, the first word is the option.
    named = language is not None and (title is None or language.end("language") <= title.start())
    return Info(language["language"].lower() if language is not None and named else "", called)


def _directive(language: str, title: str, content: str) -> Info:
    """A directive's options stand in the first lines."""
    skipped = 0
    for line in content.split("\n", _OPTIONS)[:_OPTIONS]:
        option = _OPTION.fullmatch(line.strip())
        if option is None:
            break
        skipped += 1
        if option["name"] in {"caption", "name"}:
            title = title or option["value"] or ""
    return Info(language, title, skipped)
