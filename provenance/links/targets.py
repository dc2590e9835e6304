"""What in a document points at code. Frozen records."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from provenance.links.anchors import Anchor


class RefKind(Enum):
    """What a link's form says of its revision."""

    ANY = "any"
    """Nothing: it can be a commit, a branch or a tag."""
    COMMIT = "commit"
    """Its form says so, or it is a full commit id."""
    BRANCH = "branch"
    TAG = "tag"


@dataclass(frozen=True, slots=True)
class FileLink:
    """A link to a file on a forge."""

    url: str
    """As written, without a user's name and password."""
    git: str
    """The repository's address on the web, from which git can fetch: no user; `.git` only where a host needs it."""
    rest: str
    """Revision and path, decoded, still joined: a branch's name can hold slashes, and most links do not tell."""
    revision: str
    """What the link states, or else what stands up to the next slash; `HEAD` where it names none."""
    path: str
    """What follows, without a first or last slash."""
    ref: RefKind
    anchor: Anchor | None
    notes: tuple[str, ...] = ()
    """Oddities that were read past."""
    stated: bool = False
    """Whether the link itself tells where the revision ends, so that `rest` is to be cut nowhere else."""


@dataclass(frozen=True, slots=True)
class ContentLink:
    """A content in the Software Heritage archive, by its SWHID."""

    url: str
    """As written, without what wrapping or escaping put in."""
    blob: str
    """Its git blob id."""
    origin: str | None
    """The repository's address."""
    revision: str | None
    """The full commit id of the anchor."""
    path: str | None
    """In the repository, without a first slash."""
    anchor: Anchor | None


@dataclass(frozen=True, slots=True)
class RelativeLink:
    """A link without a scheme and a host, with lines."""

    path: str
    """Decoded, not resolved; a first slash is kept."""
    anchor: Anchor


@dataclass(frozen=True, slots=True)
class PlainPlace:
    """A path and lines in running text."""

    path: str
    """With forward slashes, without `./`."""
    anchor: Anchor


@dataclass(frozen=True, slots=True)
class NotUnderstood:
    """What looks like a citation and cannot be read."""

    url: str
    """As written, without a user's name and password."""
    message: str
    """What is wrong with it."""


Target = FileLink | ContentLink | RelativeLink | PlainPlace
