"""Where in a link the revision ends and the path begins: a branch's name can hold slashes, so its references tell.

The order in which a name is looked for is that of gitrevisions(7): a tag goes before a branch.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from provenance.links.targets import RefKind
from provenance.references import BRANCHES, DEFAULT_BRANCH, TAGS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from provenance.references import References

_FULL = re.compile(r"[0-9a-fA-F]{40}(?:[0-9a-fA-F]{24})?")
"""A commit id of a repository with SHA-1, or with SHA-256."""
_SPELT_OUT = re.compile(r"refs/(?:(?:heads|tags)/|(?!(?:heads|tags)/)[^/]++/[^/]++/)[^/]++")
"""A reference with its namespace, such as `refs/heads/main` or `refs/pull/1/head`, as long as its name has no slash."""
_LONGEST_NAME = 1024
"""Characters of a reference's name: no file system holds more of them in one path."""
_MOST_READINGS = 5


@dataclass(frozen=True, slots=True)
class Reading:
    """One way to tell a link's revision from its path."""

    revision: str
    """As the link has it, such as `v1` or `refs/heads/main`."""
    path: str
    """What follows it; empty where nothing does."""
    commit: str | None
    """Full id; None where the repository must be asked what the revision is: a short id, or no name that it lists."""
    moves: bool = False
    """Whether it may be another commit tomorrow: a branch, the default branch, or a reference of the server's own."""
    name: str = ""
    """The tag or branch without its namespace, of `HEAD` the default branch; empty for an id and what is not known."""
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class _Meaning:
    """A reference that a revision names."""

    commit: str
    name: str
    kind: RefKind
    """`ANY` for what is neither branch nor tag."""


def readings(
    rest: str, references: References | None, ref_kind: RefKind, *, stated: str | None = None
) -> tuple[Reading, ...]:
    """How a link can be read, the likeliest way first; there is always one.

    Args:
        rest: revision and path, decoded and joined.
        references: what the repository lists; None where that is not known.
        ref_kind: what the link's form says of the revision.
        stated: the revision, where the link itself tells that it ends there.
    """
    first = _first(rest) if stated is None else stated
    if ref_kind is RefKind.COMMIT or "@{" in first:
        return (_unlisted(rest, first),)
    if ref_kind is RefKind.ANY and _FULL.fullmatch(first):
        return (_unlisted(rest, first),)
    found = [] if references is None else _listed(rest, references, ref_kind, stated)
    if found:
        return tuple(_told(found))
    return (_unlisted(rest, _spelt_out(rest) if stated is None else stated),)


def _first(rest: str) -> str:
    """The first segment, or all of a `HEAD@{…}`: what stands in its braces is a time, and may hold a slash."""
    end = rest.find("/")
    braces = rest.find("@{", 0, end if end >= 0 else len(rest))
    if braces >= 0:
        end = rest.find("/", max(rest.find("}", braces), 0))
    return rest if end < 0 else rest[:end]


def _spelt_out(rest: str) -> str:
    match = _SPELT_OUT.match(rest)
    return _first(rest) if match is None else match[0]


def _unlisted(rest: str, revision: str) -> Reading:
    """A revision that is no reference: a commit id, or what the repository must be asked for."""
    commit = revision.lower() if _FULL.fullmatch(revision) else None
    return Reading(revision, _behind(rest, revision), commit)


def _behind(rest: str, revision: str) -> str:
    return rest[len(revision) + 1 :]


def _listed(rest: str, references: References, ref_kind: RefKind, stated: str | None) -> list[Reading]:
    """The readings whose revision is a reference: one with a path behind it, if there is such a one."""
    revisions = _beginnings(rest) if stated is None else (stated,)
    found: list[Reading] = []
    bare: list[Reading] = []
    for revision in revisions:
        if not revision or revision.endswith("/"):
            continue  # no reference is called so, whatever a server lists
        for reading in _readings(rest, revision, references, ref_kind):
            (found if reading.path else bare).append(reading)
        if len(found) >= _MOST_READINGS:
            break
    return found[:_MOST_READINGS] or bare[:_MOST_READINGS]


def _beginnings(rest: str) -> Iterator[str]:
    """All that a reference's name can be, the longest first."""
    if len(rest) <= _LONGEST_NAME:
        yield rest
    end = min(len(rest), _LONGEST_NAME + 1)
    while (end := rest.rfind("/", 0, end)) > 0:
        yield rest[:end]


def _readings(rest: str, revision: str, references: References, ref_kind: RefKind) -> Iterator[Reading]:
    meanings = [one for one in _meanings(revision, references) if ref_kind in {RefKind.ANY, one.kind}]
    is_one = len({one.commit for one in meanings}) == 1
    for one in meanings[:1] if is_one else meanings:
        is_tag = one.kind is RefKind.TAG
        meant = f"{revision} names a tag and a branch: the {'tag' if is_tag else 'branch'} is meant"
        path = _behind(rest, revision)
        yield Reading(revision, path, one.commit, not is_tag, one.name, () if is_one else (meant,))


def _meanings(revision: str, references: References) -> Iterator[_Meaning]:
    """What a name can mean, a tag first."""
    if revision == DEFAULT_BRANCH and references.head is not None:
        yield _Meaning(references.head, references.default or DEFAULT_BRANCH, RefKind.BRANCH)
        return
    commits = references.commits
    spelt_out = revision if revision.startswith("refs/") else f"refs/{revision}"
    for full in (TAGS + revision, BRANCHES + revision, spelt_out):
        commit = commits.get(full)
        if commit is None:
            continue
        if full.startswith(TAGS):
            yield _Meaning(commit, full.removeprefix(TAGS), RefKind.TAG)
        elif full.startswith(BRANCHES):
            yield _Meaning(commit, full.removeprefix(BRANCHES), RefKind.BRANCH)
        else:
            yield _Meaning(commit, full.removeprefix("refs/"), RefKind.ANY)


def _told(found: list[Reading]) -> Iterator[Reading]:
    """The readings; where their revisions end in several places, each says so."""
    ways = dict.fromkeys((one.revision, one.path) for one in found)
    if len(ways) < 2:  # noqa: PLR2004 - one way is none to choose from
        yield from found
        return
    listed = ", ".join(f"{path} at {revision}" for revision, path in ways)
    note = f"the link can be read in several ways: {listed}"
    yield from (replace(one, notes=(*one.notes, note)) for one in found)
