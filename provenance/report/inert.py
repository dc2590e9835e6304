"""Text from outside, so that neither a terminal nor a CI system obeys it, and a reader sees what is there."""

from __future__ import annotations

import re

_HIDDEN = (
    # Controls, but for tab and line feed: an escape starts a command to the terminal, a lone CR overwrites a line.
    r"\x00-\x08\x0b-\x1f\x7f-\x9f"
    # Zero widths, line separators and directions.
    r"\u200b-\u200f\u2028-\u202e\u2060-\u206f\u061c\ufeff"
    # Marks that take hold of their neighbours, and letters that show nothing.
    r"\u00ad\u034f\u0600-\u0605\u06dd\u070f\u0890\u0891\u08e2\u115f\u1160\u17b4\u17b5\u180b-\u180f\u3164\uffa0"
    r"\ufff9-\ufffb\U000110bd\U000110cd\U00013430-\U0001345f\U0001bca0-\U0001bca3\U0001d173-\U0001d17a"
    r"\U000e0000-\U000e007f"
    # Surrogates, which no encoding has.
    r"\ud800-\udfff"
)
"""A regular expression's class: Unicode's Cc, Cf, Cs, Zl and Zp, and some letters without a shape."""

_NOT_SEEN = re.compile(f"[{_HIDDEN}]")
_NOT_SEEN_IN_A_LINE = re.compile(f"[{_HIDDEN}\t\n]")

_BRACKET_COMMAND = re.compile(r"##(?=\w*\[)")
"""`##[error]`, `##vso[task.setvariable …]`: Azure Pipelines and GitHub's runner find them anywhere in a line."""
_COLON_COMMAND = re.compile(r"^([^\S\n]*)::", re.MULTILINE)
"""`::set-env …`: GitHub's runner looks for it at the start of a line, after white space."""


def visible(text: str) -> str:
    r"""Text of several lines in which nothing is hidden: `\x1b` where an escape character stood.

    Tabs and line feeds stay as they are.
    """
    return text if _is_plain(text) else _NOT_SEEN.sub(_escaped, text)


def in_line(text: str) -> str:
    """Text that stays on its line: tabs and line feeds are made visible, too."""
    return text if _is_plain(text) else _NOT_SEEN_IN_A_LINE.sub(_escaped, text)


def no_commands(text: str) -> str:
    r"""Visible text in which no line is a command to a CI system: a backslash breaks what introduces one."""
    return _COLON_COMMAND.sub(r"\1\\::", _BRACKET_COMMAND.sub(r"#\\#", text))


def _is_plain(text: str) -> bool:
    """Whether there is nothing to escape for certain, which holds of most text and is told thirty times faster."""
    return text.isascii() and text.isprintable()


def _escaped(match: re.Match[str]) -> str:
    code = ord(match[0])
    if code < 0x100:  # noqa: PLR2004 - two hexadecimal digits
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code <= 0xFFFF else f"\\U{code:08x}"  # noqa: PLR2004 - four


def in_json(line: str) -> str:
    r"""A line of JSON that means the same, with `\u` escapes for what is hidden or could start a command.

    A JSON string's own escapes stay whole: none of them has a character that is escaped here.
    """
    shown = line if _is_plain(line) else _NOT_SEEN.sub(_escaped_in_json, line)
    return _BRACKET_COMMAND.sub("\\\\u0023#", shown)


def _escaped_in_json(match: re.Match[str]) -> str:
    units = match[0].encode("utf-16-be", "surrogatepass")
    return "".join(f"\\u{units[at]:02x}{units[at + 1]:02x}" for at in range(0, len(units), 2))
