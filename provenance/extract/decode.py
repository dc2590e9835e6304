"""Bytes of a file -> its text, or why it has none.

UTF-8, else the encoding that the file itself declares, else Latin-1, which every sequence of bytes has.
"""

from __future__ import annotations

import codecs
import re
from dataclasses import dataclass

from provenance.extract.lines import Text

_PROBED = 8000
"""How many bytes git looks at for a NUL: `FIRST_FEW_BYTES` in its xdiff-interface.c."""

_POINTER = re.compile(
    rb"version https://git-lfs\.github\.com/spec/v1\r?\n"
    rb"(?:ext-\d-\S{1,100} \S{1,200}\r?\n){0,10}"
    rb"oid (?P<oid>sha256:[0-9a-f]{64})\r?\n"
    rb"size (?P<size>\d{1,20})\r?\n?"
)
"""A Git LFS pointer file: its specification, "The Pointer" (docs/spec.md of git-lfs)."""

_LINE_DECLARATION = re.compile(rb"[ \t\f]*#.*?coding[:=][ \t]*([-_.a-zA-Z0-9]{1,40})")
"""A Python source's declaration, in one of its first two lines (PEP 263); others use the same form."""
_XML_DECLARATION = re.compile(rb"<\?xml\s[^>]{0,200}?encoding\s*=\s*[\"']([-_.:a-zA-Z0-9]{1,40})[\"']")
"""XML 1.0, section 2.8."""
_HTML_DECLARATION = re.compile(
    rb"<meta\s[^>]{0,200}?charset\s*=\s*[\"']?([-_.:a-zA-Z0-9]{1,40})", re.IGNORECASE
)
"""HTML, section 4.2.5.4, which wants it within the first 1024 bytes."""
_HTML_SUFFIXES = (".html", ".htm", ".xhtml")
_HTML_HEAD = 1024

_ESCAPES = (rb"\x41\u0041", b"+AGE-", b"xn--bcher-kva", b'\x1b$B$"\x1b(B')
"""What codecs that obey escapes take for something else: `unicode_escape`, `utf-7`, `idna`, `iso2022_jp`."""
_ASCII = bytes(range(0x80))


@dataclass(frozen=True, slots=True)
class NotText:
    """A file that has no lines to cite."""

    reason: str
    """What it is instead, as a message says it: `binary content`."""


def decode(content: bytes, path: str) -> Text | NotText:
    """Read a file's bytes as text.

    Args:
        content: the whole file.
        path: its name, which tells HTML from what only quotes it.
    """
    pointer = _POINTER.fullmatch(content, 0, 4096)
    if pointer is not None and len(content) <= pointer.end():
        size = int(pointer["size"])
        return NotText(
            f"content in Git LFS: the repository holds a pointer to {pointer['oid'].decode()}, {size} bytes"
        )
    if b"\0" in content[:_PROBED]:
        utf16 = content.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))
        return NotText(
            "binary content (UTF-16 or UTF-32, which git counts as binary)" if utf16 else "binary content"
        )
    try:
        return Text(content.decode("utf-8"))
    except UnicodeDecodeError:
        return _legacy(content, path)


def _legacy(content: bytes, path: str) -> Text:
    """Text that is not UTF-8."""
    declared = _declared(content, path)
    if declared is None:
        return Text(
            content.decode("latin-1"), encoding="latin-1", notes=("decoded as latin-1: it is not UTF-8",)
        )
    try:
        text = content.decode(declared)
    except ValueError:
        note = f"decoded as latin-1: it is neither UTF-8 nor {declared}, which it declares"
        return Text(content.decode("latin-1"), encoding="latin-1", notes=(note,))
    return Text(text, encoding=declared, notes=(f"decoded as {declared}, which the file declares",))


def _declared(content: bytes, path: str) -> str | None:
    """Python's name of the encoding that a file declares, where it is one to read text with."""
    found = _XML_DECLARATION.match(content)
    if found is None and path.lower().endswith(_HTML_SUFFIXES):
        found = _HTML_DECLARATION.search(content, 0, _HTML_HEAD)
    if found is None:
        first_two = content[:_PROBED].split(b"\n", 2)[:2]
        found = next(filter(None, map(_LINE_DECLARATION.match, first_two)), None)
    return None if found is None else _plain_codec(found[1].decode("ascii"))


def _plain_codec(name: str) -> str | None:
    """The codec's own name, where it reads ASCII as ASCII, so that an LF is an LF and nothing is an escape.

    This leaves out what is no text encoding (`rot13`, `zip`), what obeys escapes (`unicode_escape`,
    `punycode`) and what has wider units (`utf-16`), without a list that would age.
    """
    try:
        codec = codecs.lookup(name).name
        plain = all(probe.decode(codec) == probe.decode("ascii") for probe in (*_ESCAPES, _ASCII))
    except (LookupError, ValueError):
        return None
    return codec if plain and codec not in {"ascii", "utf-8"} else None
