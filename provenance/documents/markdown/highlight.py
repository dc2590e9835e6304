"""Code between the tags of site generators: Jekyll's `{% highlight python %}`, Hugo's `{{< highlight python >}}`."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from markdown_it.rules_block import StateBlock

_OPENING = re.compile(r"\{(?:%-?|\{[<%])[ \t]{0,9}highlight[ \t](?P<info>[^{}%>]*)(?:-?%\}|[>%]\}\})[ \t]*")
_CLOSING = re.compile(
    r"\{(?:%-?[ \t]{0,9}endhighlight[ \t]{0,9}-?%\}|\{[<%][ \t]{0,9}/[ \t]{0,9}highlight[ \t]{0,9}[>%]\}\})[ \t]*"
)
_SOUGHT = "highlight: where no closing tag is"
"""The key of the parser's environment for that: a stretch of lines for each level, so that each is sought once."""


def highlight(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """A rule for markdown-it: what stands between the tags is a fence. Tags that nothing closes are text."""
    opening = _OPENING.fullmatch(_line(state, start))
    if opening is None or state.is_code_block(start):
        return False
    last = _closing(state, start, end)
    if last is None:
        return False
    if not silent:
        token = state.push("fence", "code", 0)
        token.info = opening["info"]
        token.content = state.getLines(start + 1, last, state.sCount[start], True)
        token.map = [start, last + 1]
        state.line = last + 1
    return True


def _closing(state: StateBlock, start: int, end: int) -> int | None:
    """The line of the tag that closes, within the list item or quotation; None where there is none."""
    sought: dict[int, tuple[int, int]] = state.env.setdefault(_SOUGHT, {})
    first, last = sought.get(state.level, (0, 0))
    if first <= start < last:
        return None
    line = start + 1
    while line < end and (state.sCount[line] >= state.blkIndent or state.isEmpty(line)):
        if _CLOSING.fullmatch(_line(state, line)):
            return line
        line += 1
    sought[state.level] = (start, line)
    return None


def _line(state: StateBlock, line: int) -> str:
    return state.src[state.bMarks[line] + state.tShift[line] : state.eMarks[line]]
