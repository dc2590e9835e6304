"""What a URL in a document points at: a file on a forge, a content in the archive, a file beside the document.

Pure text; nothing is asked, so a branch is not told from a tag, nor a folder from a file.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from provenance.links.address import decoded, parse_address
from provenance.links.anchors import is_in_diff, is_like_lines, read_anchor
from provenance.links.forges import BARE_HOST, NO_HOSTS, Forge, canonical, forge_of
from provenance.links.forms import spot_of
from provenance.links.permalinks import public_url
from provenance.links.selection import select
from provenance.links.spots import is_full_commit
from provenance.links.swhids import names_swhid, read_browsed, read_swhid
from provenance.links.targets import ContentLink, FileLink, NotUnderstood, RelativeLink

if TYPE_CHECKING:
    from provenance.links.address import Address
    from provenance.links.forges import Hosts
    from provenance.links.selection import Selection
    from provenance.links.spots import Spot

_LONGEST = 8192
"""Characters of a URL at the most; servers take no more."""
_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.\-]*:")
_BARE = re.compile(BARE_HOST)
_NO_FILE = "the link names no file in a form that is known"
_NO_LINES = "#{} names no lines in a form that is known"
_IN_DIFF = "lines of a comparison or a gist are not read: link to the file at a commit"
_SEARCH = "lines in a code search are not read: link to the file at a commit on its forge"
_IN_SEARCH = re.compile(r";l=[0-9]+|\?L[0-9]+(?:-L?[0-9]+)?(?:$|&)")
"""How the code searches of Google and Sourcegraph name lines."""
_NO_FORGE = "the host is no forge that is known; name it under hosts in pyproject.toml"


def read_link(
    url: str, hosts: Hosts = NO_HOSTS
) -> FileLink | ContentLink | RelativeLink | NotUnderstood | None:
    """What a link points at; None where it is no citation, such as a link to a site or an issue.

    Args:
        url: the link's destination as the document means it: entities and escapes decoded, nothing normalised.
        hosts: what further hosts run.
    """
    is_wrapped = any(mark in url for mark in "\t\r\n") and not names_swhid(url)
    url = re.sub(r"[\t\r\n]+\s*", "", url.strip()) if is_wrapped else url.strip()
    if not url or len(url) > _LONGEST:
        return None
    if names_swhid(url):
        return read_swhid(url)
    address = parse_address(url)
    if address is None and _BARE.match(url):
        return _bare(url, hosts)
    if address is None:
        return None if _SCHEME.match(url) or url.startswith("//") else _relative(url)
    content = read_browsed(url, address)
    if content is not None:
        return content
    spot = spot_of(address, hosts)
    found = None if spot is None else _file(url, spot, hosts)
    return found or _not_read(url, address, hosts)


def _bare(url: str, hosts: Hosts) -> FileLink | None:
    """`github.com/o/r/blob/main/a.py`, whose scheme somebody left out."""
    link = read_link(f"https://{url}", hosts)
    if not isinstance(link, FileLink):
        return None
    return replace(link, url=url, notes=(*link.notes, "the link has no https://"))


def _file(url: str, spot: Spot, hosts: Hosts) -> FileLink | NotUnderstood | None:
    revision, path, odd = spot.read()
    chosen = select(spot, path)
    fragment = spot.address[spot.address.fragment]
    if chosen.anchor is None and is_like_lines(fragment):
        return NotUnderstood(public_url(url), _NO_LINES.format(fragment))
    if not _is_told(spot, chosen, hosts) or (spot.folder and chosen.anchor is None) or not chosen.path:
        return None
    notes = (*odd, *chosen.notes, *(["a /tree/ link to a file"] if spot.folder else []))
    return FileLink(
        public_url(url),
        spot.git,
        f"{revision}/{chosen.path}",
        revision,
        chosen.path,
        spot.ref,
        chosen.anchor,
        notes,
        spot.stated,
    )


def _is_told(spot: Spot, chosen: Selection, hosts: Hosts) -> bool:
    """Whether it is clear that this is a forge: an unknown host is one by a full commit id, or by lines.

    A path such as `/a/b/src/c/d` says too little, whatever is selected.
    """
    if forge_of(spot.host, hosts, spot.address.port) is not None:
        return True
    return is_full_commit(spot.address[spot.revision]) or (chosen.plain and spot.forge is not Forge.BITBUCKET)


def _not_read(url: str, address: Address, hosts: Hosts) -> NotUnderstood | None:
    """A link to no file; one that names lines all the same is told."""
    fragment = address[address.fragment]
    if is_in_diff(fragment):
        return NotUnderstood(public_url(url), _IN_DIFF)
    if _IN_SEARCH.search(address[address.path]) or _IN_SEARCH.search(f"?{address[address.query]}"):
        return NotUnderstood(public_url(url), _SEARCH)
    if not is_like_lines(fragment) and read_anchor(fragment, None, "") is None:
        return None
    is_known = forge_of(canonical(address.host), hosts, address.port) is not None
    return NotUnderstood(public_url(url), _NO_FILE if is_known else _NO_FORGE)


def _relative(url: str) -> RelativeLink | NotUnderstood | None:
    """`../a.py#L10`: a file beside the document; None for a heading, here or there."""
    place, _, fragment = url.partition("#")
    written = place.partition("?")[0].replace("\\", "/")
    path, _ = decoded(written)
    if not path:
        return None
    read = read_anchor(fragment, None, path)
    if read is not None:
        return RelativeLink(f"/{path}" if written.startswith("/") else path, read.anchor)
    return NotUnderstood(url, _NO_LINES.format(fragment)) if is_like_lines(fragment) else None
