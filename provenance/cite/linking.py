"""A link to a place, in a form that reads back as that place."""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import quote, urlsplit

from provenance.compare.refs import readings
from provenance.links.permalinks import permalink, public_url, repository_url
from provenance.links.reading import read_link
from provenance.links.swhids import ARCHIVE_HOST
from provenance.links.targets import ContentLink, FileLink

if TYPE_CHECKING:
    from provenance.cite.wish import Found
    from provenance.links.forges import Hosts
    from provenance.links.targets import NotUnderstood, Target

ARCHIVED = (
    "the repository's host is no forge whose links select these lines: the link is an SWHID, which prov scan reads from"
    " the repository, and the archive shows if it has a copy"
)


def link_to(found: Found, hosts: Hosts) -> str | None:
    """A permalink in the form of the repository's forge, else one to the archive; None where neither reads back.

    Args:
        found: a place at a commit.
        hosts: what further hosts run.
    """
    if found.commit is None:
        return None
    written = permalink(found.source.git, found.commit, found.path, found.lines, hosts)
    for url in (written, _archived(found)):
        if url is not None and leads_to(read_link(url, hosts), found, hosts):
            return url
    return None


def leads_to(target: Target | NotUnderstood | None, found: Found, hosts: Hosts) -> bool:
    """Whether a link's target is a place: repository, commit, path and lines."""
    match target:
        case FileLink(git=git, anchor=anchor):
            reading = readings(
                target.rest, None, target.ref, stated=target.revision if target.stated else None
            )[0]
            revision, path = reading.revision, reading.path
        case ContentLink(origin=str(git), revision=str(revision), path=str(path), anchor=anchor):
            if target.blob != found.blob:
                return False
        case _:
            return False
    is_there = (revision, path) == (found.commit, found.path) and _same(git, found.source.git, hosts)
    return is_there and anchor is not None and anchor.lines == found.lines


def is_archived(url: str) -> bool:
    """Whether a link leads to the archive."""
    return urlsplit(url).hostname == ARCHIVE_HOST


def _same(git: str, other: str, hosts: Hosts) -> bool:
    address = repository_url(git, hosts)
    return address is not None and address == repository_url(other, hosts)


def _archived(found: Found) -> str | None:
    """An SWHID at the archive, with the repository as it is asked: not every one is there without its `.git`."""
    git = public_url(found.source.git)
    if urlsplit(git).scheme not in {"http", "https"}:
        return None
    qualifiers = (
        f"origin={quote(git, safe='/:')};anchor=swh:1:rev:{found.commit}"
        f";path=/{quote(found.path, safe='/')};lines={found.lines}"
    )
    return f"https://{ARCHIVE_HOST}/swh:1:cnt:{found.blob};{qualifiers}"
