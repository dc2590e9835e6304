"""A text -> how YAML writes it. Source: YAML 1.1, https://yaml.org/spec/1.1/, "Scalar Styles"."""

from __future__ import annotations

import re

from provenance.manifest.nodes import NOT_YAML

_PLAIN = re.compile(r"(?!(?:---|\.\.\.)(?: |$))(?:[^\s\-?:,\[\]{}#&*!|>'\"%@`]|[-?:](?=\S))(?:.*\S)?")
"""What may stand without quotes, in a block: YAML 1.1, "Plain" scalars."""
_NOT_PLAIN = re.compile(r": | #|:$")
_NOT_PLAIN_IN_FLOW = re.compile(r"[,\[\]{}:?]|^-| #")
_ESCAPES = {"\\": "\\\\", '"': '\\"', "\n": "\\n", "\t": "\\t", "\r": "\\r"}


def scalar(text: str, *, flow: bool = False) -> str:
    """One line: plain where that means the same, else in double quotes with what cannot be seen escaped.

    Args:
        text: what is to be read back.
        flow: whether it stands between braces or brackets, where less may be plain.
    """
    refused = _NOT_PLAIN_IN_FLOW if flow else _NOT_PLAIN
    if text.isprintable() and _PLAIN.fullmatch(text) and not refused.search(text):
        return text
    return double_quoted(text)


def single_quoted(text: str) -> str:
    """In single quotes, or in double quotes where it needs an escape."""
    if not text.isprintable():
        return double_quoted(text)
    return "'" + text.replace("'", "''") + "'"


def double_quoted(text: str) -> str:
    """On one line in double quotes, with what cannot be seen escaped."""
    return '"' + "".join(_escaped(character) for character in text) + '"'


def fits_block(text: str) -> bool:
    """Whether a literal block can hold a text."""
    return bool(text.strip("\n")) and "\r" not in text and not NOT_YAML.search(text)


def block(text: str, parent: int, step: int) -> list[str]:
    """A literal block for a text that fits one: its header, such as `|2-`, and its lines without line ends.

    Args:
        text: what is to be read back.
        parent: spaces before the key that it belongs to.
        step: spaces by which it is indented beyond that, 1 to 9.
    """
    body = text.rstrip("\n")
    ends = len(text) - len(body)
    # Where the first line does not show how far the block is indented, the header says so.
    indent = str(step) if text[0] in " \t\n" else ""
    chomping = "-" if ends == 0 else "" if ends == 1 else "+"
    margin = " " * (parent + step)
    lines = (f"{margin}{line}" if line else "" for line in body.split("\n"))
    return [f"|{indent}{chomping}", *lines, *[""] * (ends - 1)]


def _escaped(character: str) -> str:
    if character in _ESCAPES:
        return _ESCAPES[character]
    if character.isprintable():
        return character
    code = ord(character)
    if code <= 0xFF:  # noqa: PLR2004 - the widths of YAML's three escapes
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code <= 0xFFFF else f"\\U{code:08x}"  # noqa: PLR2004
