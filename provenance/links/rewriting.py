"""The same link with its revision pinned or its lines corrected, every other character of it as written."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from provenance.links.address import parse_address, reach
from provenance.links.anchors import read_anchor
from provenance.links.forges import NO_HOSTS, Forge
from provenance.links.forms import spot_of
from provenance.links.permalinks import can_select, selecting
from provenance.links.queries import write_lines_in_query
from provenance.links.reading import read_link
from provenance.links.selection import select
from provenance.links.spots import Edit
from provenance.links.swhids import names_swhid
from provenance.links.targets import ContentLink, FileLink, RelativeLink

if TYPE_CHECKING:
    from provenance.citation import LineRange
    from provenance.links.forges import Hosts
    from provenance.links.selection import Selection
    from provenance.links.spots import Spot

_BROKEN = re.compile(r"[\t\r\n]")
"""A link that is wrapped is read without the break, which then stands in nobody's span."""
_QUALIFIER = re.compile(r"(?P<name>lines=)[^\s;/&\\<>]*[0-9]")
_RANGED = re.compile(r"#(?P<mark>[a-z]?)[0-9]+-")


def rewritten(
    url: str,
    *,
    revision: str | None = None,
    lines: LineRange | None = None,
    hosts: Hosts = NO_HOSTS,
    written: str | None = None,
) -> str | None:
    """The link at another revision or with other lines, in the host's own form; None where that cannot be done.

    Args:
        url: as the document has it.
        revision: a full commit id; None to leave what is there.
        lines: what the link is to select; None to leave what is there.
        hosts: what further hosts run.
        written: the revision that the link names now, decoded, where that goes beyond the next slash.
    """
    target = read_link(url, hosts)
    if isinstance(target, ContentLink):
        return _swhid(url, target, revision, lines)
    if isinstance(target, RelativeLink):
        return _relative(url, target, lines) if revision is None else None
    address = None if _BROKEN.search(url) else parse_address(url)
    spot = None if address is None else spot_of(address, hosts)
    if spot is None or not isinstance(target, FileLink):
        return None
    chosen = select(spot, spot.read()[1])
    pinning = () if revision is None else _pinning(spot, revision, written)
    selecting_edits = () if lines is None else _selecting(spot, chosen, lines)
    if pinning is None or selecting_edits is None:
        return None
    return _edited(url, (*pinning, *selecting_edits))


def _pinning(spot: Spot, revision: str, written: str | None) -> tuple[Edit, ...] | None:
    start, end = spot.revision
    if written is not None and not spot.stated:
        text = spot.address.text
        length = reach(text[start : spot.path[1]], written)
        if length is None or start + length >= spot.path[1]:
            return None
        end = start + length
    if spot.address.text[start:end] == revision:
        return ()
    return (*spot.pinning, Edit((start, end), spot.before + revision))


def _selecting(spot: Spot, chosen: Selection, lines: LineRange) -> tuple[Edit, ...] | None:
    if chosen.anchor is not None and chosen.anchor.lines == lines:
        return ()
    if spot.forge is Forge.AZURE:
        return write_lines_in_query(spot.address, lines)
    if chosen.span is None and spot.address.fragment is not None:
        return None  # a heading, or what could not be read
    end = len(spot.address.text)
    span = chosen.span or (end, end)
    text = selecting(spot.forge, lines)
    if not can_select(spot.forge, lines):
        ranged = _RANGED.match(spot.address.text, *span)
        if ranged is None:
            return None
        text = f"#{ranged['mark']}{lines}"
    return (Edit(span, text),)


def _edited(text: str, edits: tuple[Edit, ...]) -> str:
    """A text with edits that do not overlap."""
    kept, done = [], 0
    for edit in sorted(edits, key=lambda edit: edit.span):
        kept += [text[done : edit.span[0]], edit.text]
        done = edit.span[1]
    return "".join([*kept, text[done:]])


def _swhid(url: str, content: ContentLink, revision: str | None, lines: LineRange | None) -> str | None:
    """The SWHID with other lines; its revision is where its content was found, and stays."""
    if revision not in {None, content.revision}:
        return None
    if lines is None or (content.anchor is not None and content.anchor.lines == lines):
        return url
    if not names_swhid(url):
        return None
    if content.anchor is not None:
        changed, count = _QUALIFIER.subn(rf"\g<name>{lines}", url)
        return changed if count == 1 else None
    kept = url.rstrip("/ \t\r\n")
    return None if "%3A" in kept.upper() or "lines=" in kept else f"{kept};lines={lines}{url[len(kept) :]}"


def _relative(url: str, target: RelativeLink, lines: LineRange | None) -> str | None:
    if lines is None or target.anchor.lines == lines:
        return url
    place, _, fragment = url.partition("#")
    read = read_anchor(fragment, None, target.path)
    return None if read is None else f"{place}{selecting(Forge.GITHUB, lines)}{fragment[read.end :]}"
