"""What a revision as written can mean, and what it means among a repository's references. Pure.

Which names git allows: git-check-ref-format(1). In which order a name is looked for: gitrevisions(7), where
a tag goes before a branch.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import Enum, auto
from typing import TYPE_CHECKING
from urllib.parse import unquote

from provenance.answers import Lacking, Resolved
from provenance.evidence import Verdict, is_object_id
from provenance.references import BRANCHES, DEFAULT_BRANCH, LEAST_DIGITS, TAGS, References

if TYPE_CHECKING:
    from collections.abc import Mapping

TELLING_DIGITS = 12
"""From so many on a match among the advertised tips is believed; with fewer, all commits are looked at."""
_MOST_NAMED = 5
_HEXADECIMAL = re.compile(r"[0-9a-fA-F]+")
_IMPOSSIBLE = re.compile(r"^[-/.]|\.\.|@\{|[\x00-\x20\x7f~^:?*\[\\]|//|/\.|[/.]$|\.lock(?:/|$)|^@$")
_REF_LINE = re.compile(r"([0-9a-f]{40})\t(.+)")
_SYMBOLIC = re.compile(rb"^ref: refs/heads/(.+)\tHEAD$", re.MULTILINE)
"""As `git ls-remote --symref` has it."""


class Kind(Enum):
    """What a revision as written is."""

    FULL = auto()
    """A full commit id."""
    NAME = auto()
    """A tag or branch, or a short commit id."""
    NONE = auto()
    """Nothing that pins."""


@dataclass(frozen=True, slots=True)
class Ref:
    """A reference that a repository advertises."""

    name: str
    """In full, such as `refs/tags/v1`."""
    commit: str
    """What it leads to, an annotated tag's object peeled off."""


def kind_of(revision: str) -> Kind:
    """What a revision as written is, by its looks."""
    if is_object_id(revision.lower()):
        return Kind.FULL
    if not revision or _IMPOSSIBLE.search(revision) or "@{" in unquote(revision):
        return Kind.NONE
    return Kind.NAME


def unpinned(revision: str) -> Lacking:
    """The answer to what pins nothing."""
    return Lacking(
        Verdict.NO_REVISION,
        f"{revision!r} is no pinned revision: write a commit id, a tag or a branch",
    )


def parse_refs(listing: bytes) -> dict[str, Ref]:
    """The references that `git ls-remote` lists, by full name; `^{}` marks what an annotated tag leads to."""
    refs: dict[str, Ref] = {}
    for line in listing.decode("utf-8", "surrogateescape").split("\n"):
        match = _REF_LINE.fullmatch(line)
        if match is not None:
            name = match[2].removesuffix("^{}")
            refs[name] = Ref(name, match[1])
    return refs


def references(listing: bytes, *, everything: bool, moved: str | None) -> References:
    """What `git ls-remote --symref` lists, as a record.

    Args:
        listing: what it printed.
        everything: whether it was asked for more than branches and tags.
        moved: the address to which the repository has moved.
    """
    commits = {name: ref.commit for name, ref in parse_refs(listing).items()}
    symbolic = _SYMBOLIC.search(listing)
    return References(
        commits,
        commits.pop(DEFAULT_BRANCH, None),
        None if symbolic is None else symbolic[1].decode("utf-8", "surrogateescape"),
        everything,
        moved,
    )


def refs_of(references: References) -> dict[str, Ref]:
    """The references of a record, by full name, as `parse_refs` has them."""
    refs = {name: Ref(name, commit) for name, commit in references.commits.items()}
    if references.head is not None:
        refs[DEFAULT_BRANCH] = Ref(DEFAULT_BRANCH, references.head)
    return refs


def named(revision: str, refs: Mapping[str, Ref]) -> Resolved | None:
    """The commit of the tag, else the branch, that a revision names; None where it names neither."""
    tag, branch = refs.get(TAGS + revision), refs.get(BRANCHES + revision)
    if tag is not None:
        also = branch is not None and branch.commit != tag.commit
        return Resolved(
            tag.commit, (f"{revision} names a tag and a branch: the tag is meant",) if also else ()
        )
    exact = branch or refs.get(revision) or refs.get(f"refs/{revision}")
    if exact is None:
        return None
    moving = not exact.name.startswith(TAGS)
    what = "the default branch" if exact.name == DEFAULT_BRANCH else "a branch"
    notes = (f"{revision} is {what} and moves: the lock is what pins it",) if moving else ()
    return Resolved(exact.commit, notes, moves=moving)


def among_tips(revision: str, refs: Mapping[str, Ref]) -> Resolved | None:
    """The one advertised tip that begins with enough digits; None where all commits must be looked at."""
    if len(revision) < TELLING_DIGITS:
        return None
    found = {ref.commit for ref in refs.values() if ref.commit.startswith(revision.lower())}
    return Resolved(found.pop()) if len(found) == 1 else None


def among_commits(revision: str, commits: list[str]) -> Resolved | Lacking:
    """What the commits whose ids begin with a short id make of it."""
    match sorted(commits):
        case []:
            return Lacking(
                Verdict.NO_REVISION,
                f"no tag or branch is named {revision}, and none holds a commit whose id begins so",
            )
        case [commit]:
            return Resolved(commit)
        case several:
            more = f" and {len(several) - _MOST_NAMED} more" if len(several) > _MOST_NAMED else ""
            return Lacking(
                Verdict.NO_REVISION,
                f"{revision} is ambiguous: it may be {', '.join(several[:_MOST_NAMED])}{more}",
            )


def unknown(revision: str) -> Lacking:
    """The answer to a name that no reference has and that is no short id."""
    if revision == DEFAULT_BRANCH:
        return Lacking(
            Verdict.NO_REVISION,
            "the repository has no default branch: it is empty, or its HEAD names a branch that is not there",
        )
    hint = (
        f"; a short commit id needs at least {LEAST_DIGITS} digits"
        if _HEXADECIMAL.fullmatch(revision) and len(revision) < LEAST_DIGITS
        else ""
    )
    return Lacking(Verdict.NO_REVISION, f"the repository has no tag or branch named {revision}{hint}")
