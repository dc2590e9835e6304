"""The past of a repository: how its files change from one revision to another. Records, and who can be asked.

A path is text as git has it, decoded as UTF-8; bytes that are none stand in it as surrogates.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple, Protocol

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping, Sequence
    from types import TracebackType
    from typing import Self

    from provenance.answers import Unreached

_FILE = "100"
"""What the mode of a regular file begins with, executable or not."""
_LINK = "120000"
_SUBMODULE = "160000"


class TreeEntry(NamedTuple):
    """What stands at a path: a file, a symbolic link or a submodule, never a folder."""

    mode: str
    """Six octal digits."""
    id: str
    """Of a blob, or of a submodule's commit."""

    @property
    def is_file(self) -> bool:
        """Whether it is a regular file."""
        return self.mode.startswith(_FILE)

    @property
    def kind(self) -> str:
        """A word for it."""
        return {_LINK: "symbolic link", _SUBMODULE: "submodule"}.get(self.mode, "file")


class FileChange(NamedTuple):
    """What a step makes of one path; a file that is renamed goes from one path and comes to another."""

    path: str
    old: TreeEntry | None
    """None where nothing stood there."""
    new: TreeEntry | None
    """None where nothing stands there."""


class Link(NamedTuple):
    """Two revisions that are next to each other on a way through history: child and parent, or parent and child."""

    old: str
    """Full commit id of where the step begins."""
    new: str
    """Full commit id of where it ends."""
    commit: str
    """The one of the two that made the difference: the child."""


@dataclass(frozen=True, slots=True)
class Step:
    """All that changes between two revisions."""

    link: Link
    changes: tuple[FileChange, ...]
    """In the order of their paths."""


@dataclass(frozen=True, slots=True)
class Commit:
    """Who is to be asked about a change."""

    id: str
    """Full commit id."""
    date: str
    """When it was committed: ISO 8601 with the offset, such as `2019-02-14T09:41:00+01:00`."""
    subject: str
    """The first paragraph of its message on one line."""


@dataclass(frozen=True, slots=True)
class NoWay:
    """There is no way through history from one revision to another that could be walked."""

    reason: str


class History(Protocol):
    """The past of one repository. For one thread; git processes end when it is closed."""

    def __enter__(self) -> Self: ...

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None: ...

    def way(self, old: str, new: str) -> Sequence[Link] | NoWay:
        """The links that lead from one commit to another, each of which begins where the one before it ends.

        Of a merge the first parent is taken that leads to the other end. Empty where both are the same. Where the new
        revision is the older one, the way leads back.

        Args:
            old: full commit id.
            new: full commit id.
        """

    def sides(self, commit: str) -> Sequence[str]:
        """The parents of a commit, in their order."""

    def base(self, one: str, other: str) -> str | None:
        """The newest commit that both descend from; None where there is none or it is not known."""

    def steps(self, links: Sequence[Link], paths: Collection[str] | None = None) -> Iterator[Step]:
        """What changes on the way, link by link; links without changes are left out.

        Args:
            links: any links, in the order in which steps are to come.
            paths: the only paths that count, each meant literally; None for all of them.
        """

    def between(self, old: str, new: str) -> Step:
        """All that differs between two commits, however far apart; the link's `commit` is the new one.

        Raises:
            ProvError: a commit is not here, or git or the cache cannot be used. So do `steps`, `entries` and `sides`:
                an answer without it would read as if files had been deleted.
        """

    def entries(self, commit: str, paths: Collection[str]) -> Mapping[str, TreeEntry]:
        """What stands at some paths; those where nothing stands, or a folder, are left out."""

    def lacks(self, blobs: Collection[str]) -> Collection[str]:
        """Which of some blobs are not here, without asking anybody."""

    def have(self, blobs: Collection[str]) -> Mapping[str, Unreached]:
        """Make sure that blobs are here, in as few requests as can be.

        Returns:
            Why, for each that could not be had.
        """

    def read(self, blob: str) -> bytes | None:
        """A blob's bytes, checked against its id; None where it is not here, or larger than prov reads of one file."""

    def commits(self, ids: Collection[str]) -> Mapping[str, Commit]:
        """Date and subject of commits; what is not here is left out."""
