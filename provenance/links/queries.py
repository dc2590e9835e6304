"""The forms of links whose query names the revision or the file: Bitbucket Server, Azure DevOps, cgit and gitweb."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Protocol

from provenance.links.anchors import Anchor
from provenance.links.forges import Forge
from provenance.links.spots import Edit, Spot, is_full_commit
from provenance.links.targets import RefKind

if TYPE_CHECKING:
    from provenance.citation import LineRange
    from provenance.links.address import Address, Part, Span

_PREFIX = re.compile(r"(?:refs(?:/|%2F))?(?P<kind>heads|tags)(?:/|%2F)", re.IGNORECASE)
_SERVER = re.compile(
    r"(?P<base>(?:/[^/]+)*?)/(?P<of>projects|users)/(?P<key>[^/]+)/repos/(?P<name>[^/]+)/(?:browse|raw)/+(?P<path>.+)",
    re.DOTALL,
)
_AZURE = re.compile(r"(?P<repository>(?:/[^/]+)*?/_git/[^/]+)/?", re.DOTALL)
_CGIT = re.compile(r"(?P<repository>/.+?)/(?:tree|plain|blame)/+(?P<path>.+)", re.DOTALL)
_GITWEB = re.compile(
    r"(?P<repository>/.+?\.git)/(?:blob|blob_plain|blame)/(?P<revision>[^/:]+(?:/[^/:]+)*):/+(?P<path>.+)",
    re.DOTALL,
)
_NUMBER = re.compile("[0-9]{1,9}")
_SLASHES = re.compile("(?:/|%2F)+", re.IGNORECASE)
_VERSIONS = {"GC": RefKind.COMMIT, "GB": RefKind.BRANCH, "GT": RefKind.TAG}


class _Form(Protocol):
    def __call__(self, address: Address, host: str, *, is_known: bool) -> Spot | None: ...


def _server(address: Address, host: str, *, is_known: bool) -> Spot | None:
    """`/projects/KEY/repos/NAME/browse/PATH?at=REV`, which is cloned from `/scm/KEY/NAME.git`."""
    del is_known
    match = _SERVER.fullmatch(address.text, *address.path)
    if match is None:
        return None
    user = "~" if match["of"] == "users" else ""
    repository = f"{match['base']}/scm/{user}{match['key']}/{match['name']}.git"
    return _spot(Forge.BITBUCKET_SERVER, address, host, repository, match.span("path"), ("at",), "at")


def _azure(address: Address, host: str, *, is_known: bool) -> Spot | None:
    """`/_git/NAME?path=/PATH&version=GCsha`, where GB is a branch and GT a tag."""
    del is_known
    match = _AZURE.fullmatch(address.text, *address.path)
    path = address.parts.get("path")
    if match is None or path is None:
        return None
    start, end = path.value
    slashes = _SLASHES.match(address.text, start, end)
    start = slashes.end() if slashes else start
    version = address.parts.get("version")
    if version is None:
        place = (address.query or (0, 0))[1]
        spot = Spot(
            Forge.AZURE,
            address,
            host,
            match["repository"],
            (place, place),
            (start, end),
            RefKind.ANY,
            stated=True,
            before="&version=GC",
        )
        return spot if start < end else None
    first, last = version.value
    kind = _VERSIONS.get(address.text[first : first + 2])
    if kind is None or start >= end:
        return None
    edits = (Edit((first, first + 2), "GC"),)
    return Spot(
        Forge.AZURE,
        address,
        host,
        match["repository"],
        (first + 2, last),
        (start, end),
        kind,
        stated=True,
        pinning=edits,
    )


def _cgit(address: Address, host: str, *, is_known: bool) -> Spot | None:
    """`/REPOSITORY/tree/PATH?id=SHA` or `?h=BRANCH`; the default branch where there is neither."""
    match = _CGIT.fullmatch(address.text, *address.path)
    if match is None:
        return None
    if not is_known and not (address.parts.keys() & {"id", "h"} or match["repository"].endswith(".git")):
        return None
    return _spot(Forge.CGIT, address, host, match["repository"], match.span("path"), ("id", "h"), "id")


def _gitweb(address: Address, host: str, *, is_known: bool) -> Spot | None:
    """`?p=NAME.git;a=blob;f=PATH;hb=SHA`, or `/NAME.git/blob/SHA:/PATH`."""
    del is_known
    parts = address.parts
    if {"p", "f"} <= parts.keys():
        if "hb" not in parts and "h" in parts:
            return None  # the id of a blob says nothing of the commit
        base = re.sub(r"/(?:index\.cgi|gitweb\.cgi|gitweb\.perl)?$", "", address[address.path])
        base = re.sub(r"/(?:gitweb|gitweb\.cgi)$", "/git", base)
        repository = f"{base}/{address[parts['p'].value]}"
        return _spot(Forge.GITWEB, address, host, repository, parts["f"].value, ("hb",), "hb", separator=";")
    match = _GITWEB.fullmatch(address.text, *address.path)
    if match is None:
        return None
    ref = RefKind.COMMIT if is_full_commit(match["revision"]) else RefKind.ANY
    return Spot(
        Forge.GITWEB,
        address,
        host,
        match["repository"],
        match.span("revision"),
        match.span("path"),
        ref,
        stated=True,
    )


FORMS: tuple[tuple[Forge, _Form], ...] = (
    (Forge.BITBUCKET_SERVER, _server),
    (Forge.AZURE, _azure),
    (Forge.GITWEB, _gitweb),
    (Forge.CGIT, _cgit),
)
"""The most particular first."""


def _spot(
    forge: Forge,
    address: Address,
    host: str,
    repository: str,
    path: Span,
    names: tuple[str, ...],
    pinned: str,
    *,
    separator: str = "&",
) -> Spot:
    """The link, whose revision is what the first of `names` says that the query has."""
    part = next((address.parts[name] for name in names if name in address.parts), None)
    if part is None:
        place = (address.query or address.path)[1]
        mark = "?" if address.query is None else separator if address[address.query] else ""
        before = f"{mark}{pinned}="
        return Spot(
            forge, address, host, repository, (place, place), path, RefKind.ANY, stated=True, before=before
        )
    start, end = part.value
    edits = [] if part.name == pinned else [Edit(_name(part), pinned)]
    kind = RefKind.COMMIT if is_full_commit(address.text[start:end]) else RefKind.ANY
    prefix = _PREFIX.match(address.text, start, end)
    if prefix is not None:
        kind = RefKind.BRANCH if prefix["kind"].lower() == "heads" else RefKind.TAG
        edits.append(Edit(prefix.span(), ""))
        start = prefix.end()
    return Spot(forge, address, host, repository, (start, end), path, kind, stated=True, pinning=tuple(edits))


def _name(part: Part) -> Span:
    return part.pair[0], part.pair[0] + len(part.name)


_LINES = ("line", "lineEnd", "lineStartColumn", "lineEndColumn")


def lines_in_query(address: Address) -> Anchor | None:
    """The lines that Azure DevOps puts into the query; what ends before the first column ends a line above."""
    parts = address.parts
    first, last, first_column, last_column = (
        int(address[parts[name].value])
        if name in parts and _NUMBER.fullmatch(address.text, *parts[name].value)
        else None
        for name in _LINES
    )
    if first is None:
        return None
    last = first if last is None else last
    if last_column == 1 and last > first:
        return Anchor(first, last - 1)
    return Anchor(first, last, first_column, last_column)


def write_lines_in_query(address: Address, lines: LineRange) -> tuple[Edit, ...]:
    """The edits that make Azure DevOps select whole lines."""
    parts = address.parts
    wanted = dict(zip(_LINES, (lines.first, lines.last + 1, 1, 1), strict=True))
    edits = [Edit(parts[name].value, str(value)) for name, value in wanted.items() if name in parts]
    missing = "".join(f"&{name}={value}" for name, value in wanted.items() if name not in parts)
    end = (address.query or address.path)[1]
    return (*edits, Edit((end, end), missing)) if missing else tuple(edits)
