"""URLs in one spelling, so that a page is asked for once. Pure text; nothing is asked."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING
from urllib.parse import quote, urljoin, urlsplit, urlunsplit

if TYPE_CHECKING:
    from collections.abc import Callable

_PORTS = {"http": 80, "https": 443}
_LONGEST = 2048
"""Characters of a URL that is asked for."""
_LONGEST_WRITTEN = 4096
"""Characters of one as a page writes it."""
_PERCENT = re.compile("%([0-9A-Fa-f]{2})?")
_UNRESERVED = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")
_IN_PATH = "/%:@!$&'()*+,;="
_IN_QUERY = _IN_PATH + "?[]|^`{}\\"
_AROUND = "".join(map(chr, range(0x21)))
"""White space and control characters, which browsers strip."""


def resolved(base: str, href: str) -> str | None:
    """Where a link leads, in one spelling and without its fragment; None where that is no page of the web.

    Args:
        base: the absolute URL that it is relative to.
        href: as the page writes it.
    """
    if len(href) > _LONGEST_WRITTEN:
        return None
    try:
        return normalised(urljoin(base, href.strip(_AROUND).replace("\\", "/")))
    except ValueError:
        return None


def normalised(url: str) -> str | None:
    """An absolute URL in one spelling (RFC 3986, 6.2.2 and 6.2.3), without its fragment.

    None where it is no http or https URL, holds user information, or is too long.
    """
    try:
        parts = urlsplit(url.strip(_AROUND))
        scheme, host, port = parts.scheme.lower(), (parts.hostname or "").rstrip("."), parts.port
    except ValueError:
        return None
    if scheme not in _PORTS or not host or "@" in parts.netloc or not host.isascii():
        return None
    where = f"[{host}]" if ":" in host else host
    if port is not None and port != _PORTS[scheme]:
        where += f":{port}"
    path = _without_dots(_spelled(parts.path, _IN_PATH, _plain)) or "/"
    found = urlunsplit((scheme, where, path, _spelled(parts.query, _IN_QUERY, _upper), ""))
    return found if len(found) <= _LONGEST else None


def site_of(url: str) -> tuple[str, str]:
    """Scheme, and host with port: what the pages of one site have in common.

    Args:
        url: in the spelling of `normalised`.
    """
    parts = urlsplit(url)
    return parts.scheme, parts.netloc


def _spelled(text: str, safe: str, escape: Callable[[re.Match[str]], str]) -> str:
    """Text of a URL with all that needs it percent-encoded, and nothing twice."""
    return quote(_PERCENT.sub(escape, text).encode("utf-8", "surrogatepass"), safe=safe)


def _plain(match: re.Match[str]) -> str:
    """A letter that needs no encoding, itself; any other in upper case; a lone percent sign, encoded."""
    if match[1] is None:
        return "%25"
    letter = chr(int(match[1], 16))
    return letter if letter in _UNRESERVED else match[0].upper()


def _upper(match: re.Match[str]) -> str:
    return "%25" if match[1] is None else match[0].upper()


def _without_dots(path: str) -> str:
    """A path without `.` and `..` (RFC 3986, 5.2.4)."""
    kept: list[str] = []
    segments = path.split("/")
    for segment in segments:
        if segment == "..":
            if len(kept) > 1:
                kept.pop()
        elif segment != ".":
            kept.append(segment)
    if segments[-1] in {".", ".."}:
        kept.append("")
    return "/".join(kept)
