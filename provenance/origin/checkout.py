"""The checkout that a folder stands in: what git has at its paths at a revision. Only objects are read.

Git is told where the repository is, and looks for none. What a stranger's `.git/config` could have it run (hooks, a
file-system monitor, filters, diff drivers, a pager) belongs to commands that compare or write a work tree: here
`rev-parse`, `merge-base` and `ls-tree` alone are run, which take neither an index nor a work tree.
"""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import TYPE_CHECKING, Self

from provenance.history import TreeEntry
from provenance.origin.git_command import GitCommand, GitFault
from provenance.origin.git_environment import Recipe

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from provenance.origin.git_command import Finished

_MARK = ".git"
"""What stands in the top folder of a work tree: the repository, or a file that says where that is.

Source: gitrepository-layout(5), "gitfile" in gitglossary(7).
"""
_LINKED = b"gitdir: "
_LONGEST = 4096
"""Bytes of such a file."""
_ID = re.compile(r"[0-9a-f]{40,64}")
_UNKNOWN = 1
"""The exit code of `rev-parse --verify --quiet` for what names nothing, and of `merge-base` where there is none."""
_TOGETHER = 200
"""Paths that one child is asked about: a path has 4 kB at the most, and an argument list 2 MB."""


class Checkout:
    """A work tree and its repository."""

    def __init__(self, top: Path, directory: Path) -> None:
        self.top = top
        """The work tree's first folder, to which paths in git are relative."""
        self._directory = directory
        self._command = GitCommand(Recipe(credentials=False, allow_local=False, home=Path(os.devnull)))

    @classmethod
    def around(cls, folder: Path) -> Self | None:
        """The checkout that an absolute folder stands in, found as git finds it; None where it stands in none."""
        for place in (folder, *folder.parents):
            directory = _repository(place / _MARK)
            if directory is not None:
                return cls(place, directory)
        return None

    def commit(self, revision: str) -> str | None:
        """The full id of the commit that a revision names; None where it names none.

        Args:
            revision: a commit id, full or short, a branch, a tag, or what else gitrevisions(7) has.

        Raises:
            GitFault: git or the repository cannot be used.
        """
        named = self._named(
            revision
        )  # by itself first: `:/text` would take what is put behind it as its text
        return None if named is None else self._named(f"{named}^{{commit}}")

    def _named(self, revision: str) -> str | None:
        """The full id of the object that a revision names; None where it names none."""
        return self._id(self._read(("rev-parse", "--verify", "--quiet", "--end-of-options", revision)))

    def base(self, one: str, other: str) -> str | None:
        """The newest commit that both descend from; None where there is none, or where history is cut off before it.

        Args:
            one: full commit id.
            other: full commit id.

        Raises:
            GitFault: git or the repository cannot be used.
        """
        return self._id(self._read(("merge-base", one, other)))

    @property
    def is_shallow(self) -> bool:
        """Whether its history is cut off.

        Raises:
            GitFault: git or the repository cannot be used.
        """
        return _checked(self._read(("rev-parse", "--is-shallow-repository"))).strip() == b"true"

    def entries(self, commit: str, paths: Iterable[str]) -> dict[str, TreeEntry]:
        """What stands at some paths; those where nothing stands, or a folder, are left out.

        Args:
            commit: full commit id.
            paths: relative to `top`, each meant literally; bytes that are no UTF-8 stand in them as surrogates.

        Raises:
            GitFault: git or the repository cannot be used, or lacks objects of the commit.
        """
        wanted = sorted(set(paths))
        found: dict[str, TreeEntry] = {}
        for at in range(0, len(wanted), _TOGETHER):
            some = wanted[at : at + _TOGETHER]
            asked = ("--literal-pathspecs", "ls-tree", "-z", "--full-tree", commit, "--", *some)
            found |= _listed(_checked(self._read(asked)))
        return found

    def _read(self, arguments: Sequence[str]) -> Finished:
        return self._command.read(arguments, self._directory)

    @staticmethod
    def _id(answer: Finished) -> str | None:
        """The id that was printed first; None where it is none, as the `^…` of a commit that is left out."""
        if answer.code == _UNKNOWN and not answer.stopped:
            return None
        line = _checked(answer).decode("ascii", "replace").split("\n")[0]
        return line if _ID.fullmatch(line) else None


def _repository(mark: Path) -> Path | None:
    """The repository that a folder's `.git` is, or leads to; None where it is no such thing."""
    try:
        if mark.is_dir():
            return mark if os.path.lexists(mark / "HEAD") else None
        if not mark.is_file():
            return None
        with mark.open("rb") as stream:
            said = stream.read(_LONGEST)
    except OSError:
        return None
    if not said.startswith(_LINKED):
        return None
    return mark.parent / os.fsdecode(said.removeprefix(_LINKED).rstrip(b"\r\n"))


def _checked(answer: Finished) -> bytes:
    """What a child printed.

    Raises:
        GitFault: it failed.
    """
    if answer.code or answer.stopped:
        lines = [line for line in answer.err.split("\n") if line.strip()]
        reason = answer.stopped or (lines[-1] if lines else f"git ended with code {answer.code}")
        raise GitFault(reason)
    return answer.out


def _listed(listing: bytes) -> Iterator[tuple[str, TreeEntry]]:
    """The files of a listing: `mode SP type SP id TAB path NUL` each (git-ls-tree(1), "OUTPUT FORMAT")."""
    for item in filter(None, listing.split(b"\0")):
        head, _, path = item.partition(b"\t")
        mode, kind, id_ = head.decode("ascii").split(" ")
        if kind != "tree":
            yield path.decode("utf-8", "surrogateescape"), TreeEntry(mode, id_)
