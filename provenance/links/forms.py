"""The forms of links to files, forge by forge: where in a URL the repository, the revision and the path stand."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from provenance.links.forges import Forge, canonical, forge_of
from provenance.links.queries import FORMS as QUERY_FORMS
from provenance.links.spots import Edit, Spot, is_full_commit
from provenance.links.targets import RefKind

if TYPE_CHECKING:
    from collections.abc import Mapping

    from provenance.links.address import Address
    from provenance.links.forges import Hosts

_PREFIX = re.compile(r"refs(?:/|%2F)(?P<kind>heads|tags)(?:/|%2F)", re.IGNORECASE)
_KINDS = {
    "commit": RefKind.COMMIT,
    "branch": RefKind.BRANCH,
    "tag": RefKind.TAG,
    "heads": RefKind.BRANCH,
    "tags": RefKind.TAG,
}

_PAIR = r"(?P<repository>/+[^/]+/[^/]+)"
_DEEP = r"(?P<repository>/+[^/]+(?:/[^/]+)+?)"


@dataclass(frozen=True, slots=True)
class _Form:
    """A form whose path holds repository, revision and file."""

    forge: Forge
    pattern: re.Pattern[str]
    """With `repository` and `rest`, perhaps `word` and `kind`."""
    pinned: Mapping[str, str] = field(default_factory=dict)
    """What a permalink has instead of a word."""
    folders: frozenset[str] = frozenset()
    """Words that stand before a folder, and before a file by mistake."""


_BLOB = {"tree": "blob", "edit": "blob"}
_TREE = frozenset({"tree"})

_GITLAB = _Form(
    Forge.GITLAB,
    re.compile(r"(?P<repository>/.+?)/-/(?P<word>blob|raw|blame|tree|edit)/+(?P<rest>.+)", re.DOTALL),
    _BLOB,
    _TREE,
)
_GITLAB_OLD = _Form(
    Forge.GITLAB,
    re.compile(rf"{_DEEP}/(?P<word>blob|raw|blame|tree|edit)/+(?P<rest>.+)", re.DOTALL),
    _BLOB,
    _TREE,
)
_GITILES = _Form(
    Forge.GITILES,
    re.compile(
        r"(?:/plugins/gitiles)?(?!/c/)(?P<repository>/.+?)/\+(?:blame|show)?/+(?P<rest>.+)", re.DOTALL
    ),
)
_SOURCEHUT = _Form(
    Forge.SOURCEHUT,
    re.compile(r"(?P<repository>/~[^/]+/[^/]+)/(?P<word>tree|blob|blame)/+(?P<rest>.+)", re.DOTALL),
)
_GITEA = _Form(
    Forge.GITEA,
    re.compile(
        rf"{_PAIR}/(?:src|raw|media|blame|_edit)/(?P<kind>commit|branch|tag)/+(?P<rest>.+)", re.DOTALL
    ),
)
_GITEA_OLD = _Form(
    Forge.GITEA, re.compile(rf"{_PAIR}/(?:src|raw|media)(?P<insert>)/+(?P<rest>.+)", re.DOTALL)
)
_BITBUCKET = _Form(Forge.BITBUCKET, re.compile(rf"{_PAIR}/(?:src|annotate|raw)/+(?P<rest>.+)", re.DOTALL))
_GITHUB = _Form(
    Forge.GITHUB,
    re.compile(rf"{_PAIR}/(?P<word>blob|raw|blame|tree|edit)/+(?P<rest>.+)", re.DOTALL),
    _BLOB,
    _TREE,
)
_GITHUB_RAW = _Form(Forge.GITHUB, re.compile(rf"(?:/media)?{_PAIR}/+(?P<rest>.+)", re.DOTALL))
_HUGGINGFACE = _Form(
    Forge.HUGGINGFACE,
    re.compile(
        r"(?P<repository>/(?:datasets/[^/]+/|spaces/[^/]+/|datasets/|)[^/]+(?:/[^/]+)??)"
        r"/(?P<word>blob|resolve|raw|blame|edit|tree)/+(?P<rest>.+)",
        re.DOTALL,
    ),
    _BLOB,
    _TREE,
)
_RAW_HOSTS = {"raw.githubusercontent.com", "raw.github.com", "media.githubusercontent.com"}

_FORMS = {
    Forge.AZURE: (),
    Forge.BITBUCKET: (_BITBUCKET,),
    Forge.BITBUCKET_SERVER: (),
    Forge.CGIT: (),
    Forge.GITEA: (_GITEA, _GITEA_OLD),
    Forge.GITHUB: (_GITHUB,),
    Forge.GITILES: (_GITILES,),
    Forge.GITLAB: (_GITLAB, _GITLAB_OLD),
    Forge.GITWEB: (),
    Forge.HUGGINGFACE: (_HUGGINGFACE,),
    Forge.SOURCEHUT: (_SOURCEHUT,),
}
_TELLING = (_GITLAB, _GITILES, _SOURCEHUT, _GITEA)
_COMMON = (_GITHUB, _GITLAB_OLD, _BITBUCKET)
"""Forms that also tell what an unknown host runs, the most particular first; and those that do less so."""


def spot_of(address: Address, hosts: Hosts) -> Spot | None:
    """Where a URL names repository, revision and file; None where it names no file in a form that is known."""
    host = canonical(address.host)
    if host in _RAW_HOSTS:
        return _by_path(address, _GITHUB_RAW, "github.com")
    forge = forge_of(host, hosts, address.port)
    if forge is not None:
        forms, queries = _FORMS[forge], [form for kind, form in QUERY_FORMS if kind is forge]
        found = (_by_path(address, form, host) for form in forms)
        asked = (form(address, host, is_known=True) for form in queries)
        return next(filter(None, (*found, *asked)), None)
    telling = (_by_path(address, form, host) for form in _TELLING)
    asked = (form(address, host, is_known=False) for _, form in QUERY_FORMS)
    common = (_by_path(address, form, host) for form in _COMMON)
    return next((spot for spots in (telling, asked, common) for spot in spots if spot is not None), None)


def _by_path(address: Address, form: _Form, host: str) -> Spot | None:
    match = form.pattern.fullmatch(address.text, *address.path)
    if match is None:
        return None
    named = match.groupdict()
    edits = []
    word = named.get("word")
    if word is not None and word in form.pinned:
        edits.append(Edit(match.span("word"), form.pinned[word]))
    kind = named.get("kind")
    if kind not in {None, "commit"}:
        edits.append(Edit(match.span("kind"), "commit"))
    if "insert" in named:
        edits.append(Edit(match.span("insert"), "/commit"))
    start, end = match.span("rest")
    prefix = _PREFIX.match(address.text, start, end)
    if prefix is not None and prefix.end() < end:
        kind = prefix["kind"].lower()
        edits.append(Edit(prefix.span(), ""))
        start = prefix.end()
    if form.forge is Forge.GITLAB:
        kind = _ref_type(address, edits) or kind
    stop, stated = _revision_end(address.text, start, end, form.forge)
    path = _path_start(address.text, stop, end, form.forge)
    if path >= end or stop == start:
        return None
    is_full = is_full_commit(address.text[start:stop])
    return Spot(
        form.forge,
        address,
        host,
        match["repository"],
        (start, stop),
        (path, end),
        RefKind.COMMIT if is_full else _KINDS.get(kind or "", RefKind.ANY),
        stated or is_full or kind == "commit",
        tuple(edits),
        folder=word in form.folders,
    )


def _revision_end(text: str, start: int, end: int, forge: Forge) -> tuple[int, bool]:
    """Where the revision ends, and whether the form says so: SourceHut puts `/item/` after it."""
    slash = text.find("/", start, end)
    if forge is Forge.SOURCEHUT:
        item = text.find("/item/", start, end)
        return (item, True) if item >= 0 else (slash, False)
    return (slash, False) if slash >= 0 else (end, False)


def _path_start(text: str, stop: int, end: int, forge: Forge) -> int:
    if forge is Forge.SOURCEHUT and text.startswith("/item/", stop):
        stop += len("/item")
    while stop < end and text[stop] == "/":
        stop += 1
    return stop


def _ref_type(address: Address, edits: list[Edit]) -> str | None:
    """GitLab's `?ref_type=heads`, which a permalink must not have: it would look for a branch of that name."""
    part = address.parts.get("ref_type")
    if part is None or address.query is None:
        return None
    start, end = part.pair
    is_last = end == address.query[1]
    edits.append(Edit((start - 1, end) if is_last else (start, end + 1), ""))
    return address[part.value]
