"""The references of a repository: its branches and tags, and what they lead to. A frozen record without I/O."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

BRANCHES = "refs/heads/"
TAGS = "refs/tags/"
DEFAULT_BRANCH = "HEAD"
"""What git calls the branch that a clone would check out."""


LEAST_DIGITS = 7
"""Fewer hexadecimal digits are no abbreviation of a commit id."""
_HEXADECIMAL = re.compile(r"[0-9a-fA-F]+")


def is_short_id(revision: str) -> bool:
    """Whether a revision that is no reference can be a commit id, full or abbreviated."""
    return len(revision) >= LEAST_DIGITS and _HEXADECIMAL.fullmatch(revision) is not None


@dataclass(frozen=True, slots=True)
class References:
    """What a repository's server lists."""

    commits: Mapping[str, str] = field(repr=False)
    """Full ids by full name, such as `refs/tags/v1`, without `HEAD`; of an annotated tag, what it leads to."""
    head: str | None = None
    """The default branch's full commit id; None where only branches and tags were asked for, or where there is none."""
    default: str | None = None
    """The default branch's name, without `refs/heads/`; None where the server does not tell."""
    everything: bool = False
    """Whether all references were asked for; else `commits` has branches and tags, and `head` is None."""
    moved: str | None = None
    """The address to which the repository has moved, fit to be printed; None where it has not."""

    def branch(self, name: str) -> str | None:
        """The commit of a branch; None where there is none of that name."""
        return self.commits.get(BRANCHES + name)

    def tag(self, name: str) -> str | None:
        """What a tag leads to; None where there is none of that name."""
        return self.commits.get(TAGS + name)


def beyond_branches_and_tags(revision: str) -> bool:
    """Whether a revision, or one with a path behind it, may be none of them: then everything must be asked for."""
    first = revision.partition("/")[0]
    return first == DEFAULT_BRANCH or (first == "refs" and not revision.startswith((BRANCHES, TAGS)))
