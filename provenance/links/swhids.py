"""SWHIDs of contents, as a document has them: in a link to the archive, wrapped, escaped or encoded."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING
from urllib.parse import unquote

from provenance.citation import DASH
from provenance.errors import InvalidRecord
from provenance.links.anchors import Anchor, read_anchor
from provenance.links.targets import ContentLink, NotUnderstood

if TYPE_CHECKING:
    from provenance.links.address import Address

ARCHIVE_HOST = "archive.softwareheritage.org"

_NAMES = re.compile(r"\s*(?:https?://[^/\s]+/(?:browse/)?)?swh(?::|(?P<encoded>%3[Aa]))[0-9](?::|%3[Aa])")
_BROWSED = re.compile(r"/browse/content/sha1_git:(?P<blob>[0-9a-f]{40})/?")
_WRAPPED = re.compile(r"(?<=;)[\s#*>/-]+|\s[\s#*>/-]{0,80}(?=;)|[\r\n]\s*")
"""A break beside a semicolon, with the mark of a comment on the next line; and one anywhere else."""
_ESCAPE = re.compile(r"\\(?=[!-/:-@\[-`{-~])|amp;(?=[a-z]+=)")
"""A backslash before punctuation, and what is left of `&amp;` where somebody joined qualifiers with it."""
_SWHID = re.compile(
    r"(?:https?://[^/\s]+/(?:browse/)?)?swh:1:(?P<kind>[a-z]{3}):(?P<id>[0-9A-Za-z]*)(?P<qualifiers>(?:;[^;]*)*?)/?"
)
_USER = re.compile(r"(?<=://)[^/@\s;?#]*@")
_HEX = re.compile(r"[0-9a-fA-F]{40}")
_LINES = re.compile(rf"L?(?P<first>[0-9]{{1,9}})(?:\s*{DASH}\s*L?(?P<last>[0-9]{{1,9}}))?")

NO_CONTENT = "it is not the SWHID of a content: swh:1:cnt: and 40 hexadecimal digits"


def names_swhid(text: str) -> bool:
    """Whether a text is meant to be, or to lead to, an SWHID."""
    return _NAMES.match(text) is not None


def unwrapped(text: str) -> str:
    """An SWHID without what wrapping, escaping and encoding put in, and without a password in its origin."""
    text = text.strip()
    names = _NAMES.match(text)
    if names is not None and names["encoded"]:
        text = unquote(text)
    text = text.replace("&#59;", ";").replace("&semi;", ";")
    return _USER.sub("", _ESCAPE.sub("", _WRAPPED.sub("", text)))


def read_swhid(text: str) -> ContentLink | NotUnderstood | None:
    """The content that an SWHID names; None where it names something else and no lines."""
    url = unwrapped(text)
    match = _SWHID.fullmatch(url)
    if match is None:
        return NotUnderstood(url, NO_CONTENT)
    pairs = (pair.partition("=") for pair in match["qualifiers"].split(";"))
    known = {
        name.strip().lower(): unquote(value.strip(), errors="surrogateescape") for name, _, value in pairs
    }
    if match["kind"] != "cnt":
        return NotUnderstood(url, NO_CONTENT) if "lines" in known or "bytes" in known else None
    if not _HEX.fullmatch(match["id"]):
        return NotUnderstood(url, NO_CONTENT)
    try:
        anchor = _anchor(known.get("lines", ""))
    except InvalidRecord as error:
        return NotUnderstood(url, str(error))
    revision = known.get("anchor", "").removeprefix("swh:1:rev:")
    return ContentLink(
        url,
        match["id"].lower(),
        known.get("origin") or None,
        revision.lower() if _HEX.fullmatch(revision) else None,
        known.get("path", "").lstrip("/") or None,
        anchor,
    )


def read_browsed(url: str, address: Address) -> ContentLink | None:
    """The content that a page of the archive shows: `/browse/content/sha1_git:…/?origin_url=…&path=…#L10-L20`."""
    match = _BROWSED.fullmatch(address[address.path]) if address.host == ARCHIVE_HOST else None
    if match is None:
        return None
    origin, path = (
        unquote(address[part.value], errors="surrogateescape") if (part := address.parts.get(name)) else ""
        for name in ("origin_url", "path")
    )
    read = read_anchor(address[address.fragment], None, path)
    return ContentLink(
        _USER.sub("", url),
        match["blob"],
        _USER.sub("", origin) or None,
        None,
        path.lstrip("/") or None,
        None if read is None else read.anchor,
    )


def _anchor(lines: str) -> Anchor | None:
    """The qualifier's lines, as written.

    Raises:
        InvalidRecord: it is no range.
    """
    if not lines:
        return None
    match = _LINES.fullmatch(lines.rstrip(".,)/"))
    if match is None:
        message = f"{lines!r} is not a line range such as 60 or 99-103"
        raise InvalidRecord(message)
    first = int(match["first"])
    return Anchor(first, int(match["last"] or first))
