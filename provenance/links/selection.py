"""The lines that a link to a file selects, wherever in it they stand."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from provenance.links.address import decoded
from provenance.links.anchors import read_anchor
from provenance.links.forges import Forge
from provenance.links.queries import lines_in_query

if TYPE_CHECKING:
    from provenance.links.address import Span
    from provenance.links.anchors import Anchor
    from provenance.links.spots import Spot

_ENCODED_HASH = re.compile(r"%23(?P<fragment>L[0-9]{1,9}(?:-L?[0-9]{1,9})?)/?")


@dataclass(frozen=True, slots=True)
class Selection:
    """What a link selects."""

    path: str
    """The file, decoded."""
    anchor: Anchor | None
    span: Span | None
    """Where in the URL the anchor stands with its `#`; None where there is none, and where the query has it."""
    plain: bool = False
    """Whether it means lines wherever it stands, or is in the host's own form."""
    notes: tuple[str, ...] = ()


def select(spot: Spot, path: str) -> Selection:
    """What a link to `path` selects."""
    address = spot.address
    if spot.forge is Forge.AZURE:
        anchor = lines_in_query(address)
        return Selection(path, anchor, None, plain=anchor is not None)
    if address.fragment is None:
        return _encoded(spot, path)
    start, end = address.fragment
    source = bool({"plain", "raw"} & address.parts.keys())
    read = read_anchor(address.text[start:end], spot.forge, path, source=source)
    if read is None:
        return Selection(path, None, None)
    return Selection(path, read.anchor, (start - 1, start + read.end), read.plain, read.notes)


def _encoded(spot: Spot, path: str) -> Selection:
    """`a.py%23L10`, whose `#` somebody encoded: no file is called so, and a name with `#` in it stays one."""
    start, end = spot.path
    at = spot.address.text.rfind("%23", start, end)
    match = _ENCODED_HASH.fullmatch(spot.address.text, at, end) if at > start else None
    read = None if match is None else read_anchor(match["fragment"], spot.forge, path)
    if match is None or read is None or end != spot.address.path[1]:
        return Selection(path, None, None)
    kept, _ = decoded(spot.address.text[start:at])
    return Selection(kept, read.anchor, (at, match.end()), read.plain, ("the anchor's # is written %23",))
