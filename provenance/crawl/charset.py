"""Bytes of a page -> its text: as it declares, else UTF-8, else Latin-1."""

from __future__ import annotations

import codecs
import re

_HEADER = re.compile(r"charset\s*=\s*[\"']?\s*([-_.:a-z0-9]{1,40})", re.IGNORECASE)
_META = re.compile(
    rb"<meta\s[^>]{0,200}?charset\s*=\s*[\"']?\s*([-_.:a-z0-9]{1,40})"
    rb"|<\?xml\s[^>]{0,200}?encoding\s*=\s*[\"']([-_.:a-z0-9]{1,40})",
    re.IGNORECASE,
)
_HEAD = 1024
"""Bytes within which a page declares its encoding (HTML, 4.2.5.4)."""
_BOMS = ((codecs.BOM_UTF8, "utf-8"), (codecs.BOM_UTF16_LE, "utf-16-le"), (codecs.BOM_UTF16_BE, "utf-16-be"))
_WIDE = frozenset({"utf-16", "utf-16-le", "utf-16-be"})
_WESTERN = frozenset({"ascii", "iso8859-1"})
"""What stands for windows-1252 on the web (Encoding, "Names and labels")."""
_LATIN = frozenset({"cp1252", "iso8859-15"})
_NARROW = (
    "utf-8 cp866 cp874 cp932 cp949 cp1250 cp1251 cp1252 cp1253 cp1254 cp1255 cp1256 cp1257 cp1258 big5 big5hkscs "
    "euc_jp euc_kr gb2312 gb18030 gbk iso2022_jp iso8859-2 iso8859-3 iso8859-4 iso8859-5 iso8859-6 iso8859-7 "
    "iso8859-8 iso8859-10 iso8859-13 iso8859-14 iso8859-15 iso8859-16 koi8-r koi8-u mac-cyrillic mac-roman shift_jis"
)
CODECS = _WIDE | frozenset(_NARROW.split())
"""Python's names of the encodings of the web. Its other codecs decode what is no text, or obey escapes."""


def decoded(data: bytes, content_type: str) -> tuple[str, str]:
    """Read a page's bytes as text.

    Args:
        data: the whole page.
        content_type: the header, as the server writes it.

    Returns:
        The text without a byte order mark, and what is odd about its encoding, or an empty text.
    """
    for mark, codec in _BOMS:
        text = _tried(data[len(mark) :], codec) if data.startswith(mark) else None
        if text is not None:
            return text, ""
    declared = _declared(data, content_type)
    if declared in _LATIN and not data.isascii() and (text := _tried(data, "utf-8")) is not None:
        return text, f"read as UTF-8, which it is, and not as {declared}, which it declares"
    # Bytes without a NUL are no HTML in wide units, and can be read as such nevertheless.
    fits = declared not in _WIDE or b"\0" in data
    if declared and fits and (text := _tried(data, declared)) is not None:
        return text, ""
    otherwise = f", and not as {declared}, which it declares and is not" if declared else ""
    if (text := _tried(data, "utf-8")) is not None:
        return text, f"read as UTF-8{otherwise}" if otherwise else ""
    return data.decode("latin-1"), f"read as Latin-1, for it is not UTF-8{otherwise}"


def _declared(data: bytes, content_type: str) -> str:
    """Python's name of the encoding that a page declares; empty where it declares none that is known."""
    header = _HEADER.search(content_type[:_HEAD])
    codec = _codec(header[1]) if header is not None else ""
    if codec:
        return codec
    meta = _META.search(data, 0, _HEAD)
    codec = _codec((meta[1] or meta[2]).decode("ascii")) if meta is not None else ""
    # What declares itself in ASCII has no wide units.
    return "utf-8" if codec in _WIDE else codec


def _codec(label: str) -> str:
    try:
        name = codecs.lookup(label.strip()).name
    except (LookupError, ValueError):
        return ""
    return "cp1252" if name in _WESTERN else name if name in CODECS else ""


def _tried(data: bytes, codec: str) -> str | None:
    try:
        return data.decode(codec)
    except ValueError:
        return None
