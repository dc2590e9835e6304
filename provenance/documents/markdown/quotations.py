"""Markdown's quotations, read in bounded time.

markdown-it looks for the end of a quotation with the rules of every block, line by line, and does so again in each
quotation within, and from the line on where the text in it turns out to have ended before. So the time is bounded
by nothing but the square of the lines.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from markdown_it.rules_block import blockquote

if TYPE_CHECKING:
    from markdown_it.rules_block import StateBlock

_MOST = 400_000
"""Lines without a mark that are looked at in a document's quotations, those included that are looked at in vain."""
_SPENT = "quotations: lines looked at"
_REACHED = "quotations: the last lines looked at"
"""Keys of the parser's environment: a number, and a line for each quotation that is being read."""


class TooMuchQuoted(RuntimeError):
    """Reading a document's quotations would take too long."""


def lazy(state: StateBlock, start: int, end: int, silent: bool) -> bool:  # noqa: ARG001 - as rules are called
    """A rule that ends no quotation, and is asked on each line that may go on with one without a mark."""
    reached: list[int] = state.env.get(_REACHED, [])
    if silent and reached:
        reached[-1] = start
        _spend(state, 1)
    return False


def quotation(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """markdown-it's rule.

    Raises:
        TooMuchQuoted: the document has been looked at for too long.
    """
    if silent:
        return blockquote(state, start, end, silent)
    reached: list[int] = state.env.setdefault(_REACHED, [])
    reached.append(start)
    found = blockquote(state, start, end, silent)
    if reached.pop() > state.line and found:
        _spend(state, _together(state, state.line, end))
    return found


def _together(state: StateBlock, start: int, end: int) -> int:
    """How many lines there are from one on until a blank one."""
    return next((line for line in range(start, end) if state.isEmpty(line)), end) - start


def _spend(state: StateBlock, lines: int) -> None:
    state.env[_SPENT] = state.env.get(_SPENT, 0) + lines
    if state.env[_SPENT] > _MOST:
        message = "its quotations take too long to read"
        raise TooMuchQuoted(message)
