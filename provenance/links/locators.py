"""What a person or a program means by a place: a path with lines, a link, an SWHID or a citation's id.

Most are paths: the forms of links are imported where there is a link, for `prov show` is waited for.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from provenance.citation import DASH, LineRange
from provenance.errors import InvalidRecord
from provenance.links.forges import NO_HOSTS
from provenance.links.permalinks import repository_url

if TYPE_CHECKING:
    from provenance.links.forges import Hosts


@dataclass(frozen=True, slots=True)
class PathLocator:
    """A file by the end of its path. An id can look like one: whoever knows the ids looks there first."""

    path: str
    """The last parts of a path, with forward slashes."""
    lines: LineRange | None


@dataclass(frozen=True, slots=True)
class PermalinkLocator:
    """A link to a file on a forge."""

    git: str
    """The repository's address, as `repository_url` gives it."""
    revision: str
    """What stands where a revision does, up to the next slash; not pinned where it is a branch."""
    path: str
    """What follows."""
    lines: LineRange | None
    rest: str
    """Revision and path, still joined: a branch's name can hold slashes, and the link does not tell."""


@dataclass(frozen=True, slots=True)
class SwhidLocator:
    """A content in the Software Heritage archive."""

    blob: str
    """Its git blob id."""
    origin: str | None
    """The repository's address."""
    revision: str | None
    """The full commit id of the anchor."""
    path: str | None
    """In the repository, without a first slash."""
    lines: LineRange | None


@dataclass(frozen=True, slots=True)
class IdLocator:
    """A citation by its id."""

    id: str


@dataclass(frozen=True, slots=True)
class UnreadableLocator:
    """Text that names no place."""

    text: str
    message: str
    """What is wrong with it."""


Locator = PathLocator | PermalinkLocator | SwhidLocator | IdLocator | UnreadableLocator

_SPAN = rf"L?(?P<first>[0-9]{{1,9}})(?:C[0-9]+)?(?:\s*{DASH}\s*L?(?P<last>[0-9]{{1,9}})(?:C[0-9]+)?)?"
_PLACE = re.compile(rf"(?P<path>.+?)(?P<mark>:|#|\s)\s*{_SPAN}(?::[0-9]+)?")
"""`a/b.py:99-103`, `b.py#L99-L103`, `b.py 60`, and `b.py:60:5` as compilers print it."""


def parse_locator(text: str, hosts: Hosts = NO_HOSTS) -> Locator:
    """What a person or a program means by a place: a path with lines, a link, an SWHID or a citation's id."""
    text = text.strip()
    try:
        if "swh" in text and (found := _swhid_locator(text)) is not None:
            return found
        if "://" in text:
            return _link_locator(text, hosts)
        return _path_locator(text)
    except (InvalidRecord, ValueError) as error:
        return UnreadableLocator(text, str(error))


def _path_locator(text: str) -> Locator:
    if not text:
        return UnreadableLocator(text, "no place is named")
    match = _PLACE.fullmatch(text)
    path = text if match is None else match["path"]
    is_path = "." in path or "/" in path
    if match is not None and (is_path or not match["mark"].isspace()):
        return PathLocator(_relative(path), _span(match))
    return PathLocator(_relative(text), None) if is_path and match is None else IdLocator(text)


def _relative(path: str) -> str:
    return path.removeprefix("./").lstrip("/")


def _link_locator(text: str, hosts: Hosts) -> Locator:
    from provenance.links.address import parse_address
    from provenance.links.forms import spot_of
    from provenance.links.selection import select

    if urlsplit(text).scheme not in {"http", "https"}:
        return UnreadableLocator(text, "the link does not lead to a repository on the web")
    address = parse_address(text)
    spot = None if address is None else spot_of(address, hosts)
    if spot is None:
        return UnreadableLocator(text, "the link names no file in a form that is known")
    git = repository_url(spot.git, hosts)
    if git is None:
        return UnreadableLocator(text, "the link does not lead to a repository on the web")
    revision, path, _ = spot.read()
    chosen = select(spot, path)
    lines = None if chosen.anchor is None else LineRange(chosen.anchor.first, chosen.anchor.last)
    return PermalinkLocator(git, revision, chosen.path, lines, f"{revision}/{chosen.path}")


def _swhid_locator(text: str) -> Locator | None:
    """The content that an SWHID names; None where the text is not meant to be one."""
    from provenance.links.swhids import NO_CONTENT, names_swhid, read_swhid
    from provenance.links.targets import ContentLink, NotUnderstood

    if not names_swhid(text):
        return None
    match read_swhid(text):
        case ContentLink(blob=blob, origin=origin, revision=revision, path=path, anchor=anchor):
            lines = None if anchor is None else LineRange(anchor.first, anchor.last)
            return SwhidLocator(blob, origin, revision, path, lines)
        case NotUnderstood(message=message):
            return UnreadableLocator(text, message)
        case None:
            return UnreadableLocator(text, NO_CONTENT)


def _span(match: re.Match[str]) -> LineRange:
    """The lines that a match names.

    Raises:
        InvalidRecord: the range is reversed, or starts at line 0.
    """
    first = int(match["first"])
    return LineRange(first, int(match["last"] or first))
