"""The past of a repository on a real server, and ways to look at it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from support.histories import Grown, grow
from support.listening import Recorder
from support.repositories import Repository, run

from provenance.answers import Unreached
from provenance.evidence import object_id
from provenance.history import Link, NoWay, TreeEntry
from provenance.origin.address import AddressPolicy
from provenance.origin.git import GitOrigin, Limits
from provenance.origin.git_history import GitHistory

if TYPE_CHECKING:
    from collections.abc import Sequence
    from contextlib import AbstractContextManager
    from pathlib import Path

    from support.githttp import GitServer

ABSENT = "1" * 40
QUICK = Limits(seconds=60, retries=0)


class Past:
    """A served repository and a cache."""

    def __init__(self, folder: Path, server: GitServer) -> None:
        self.folder = folder
        self.server = server
        self.repository = Repository.at(folder / "served" / "r.git")
        self.listener = Recorder()

    def origin(self, *, offline: bool = False, limits: Limits = QUICK) -> GitOrigin:
        return GitOrigin(
            self.folder / "cache",
            policy=AddressPolicy(allow_local=True),
            listener=self.listener,
            offline=offline,
            limits=limits,
        )

    def open(
        self, *commits: str, name: str = "r", offline: bool = False
    ) -> AbstractContextManager[GitHistory]:
        """A history, and forget the traffic of before."""
        self.server.reset()
        opened = self.origin(offline=offline).history(f"{self.server.url}/{name}.git", commits)
        assert isinstance(opened, GitHistory), opened
        return opened

    def refuse(self, *commits: str, offline: bool = False, name: str = "r") -> str:
        answer = self.origin(offline=offline).history(f"{self.server.url}/{name}.git", commits)
        assert isinstance(answer, Unreached), answer
        return answer.message

    @property
    def requests(self) -> int:
        return len(self.server.traffic.requests)

    @property
    def cached(self) -> Path:
        (found,) = (self.folder / "cache").glob("*-history.git")
        return found

    def refs(self) -> set[str]:
        listed = run("--git-dir", str(self.cached), "for-each-ref", "--format=%(refname)")
        return {name.removeprefix("refs/prov/") for name in listed.split()}


def names(way: Sequence[Link] | NoWay, ids: dict[str, str]) -> list[str]:
    """The names of the commits on a way."""
    assert not isinstance(way, NoWay), way
    by_id = {one: name for name, one in ids.items()}
    return [by_id[way[0].old], *(by_id[one.new] for one in way)]


def length(way: Sequence[Link] | NoWay) -> int:
    assert not isinstance(way, NoWay), way
    return len(way)


def line(repository: Repository, count: int) -> list[str]:
    """Commits in a row; each changes one file and one more of fifty, the first of them add those."""
    first = Grown(files={"f": "0\n", "d/g": "0\n"})
    commits = {"c0": first} | {
        f"c{n}": Grown([f"c{n - 1}"], {"f": f"{n}\n", f"d/x{n % 50}": f"{n // 50}\n"})
        for n in range(1, count)
    }
    return list(grow(repository, commits).values())


def blob(text: str) -> TreeEntry:
    return TreeEntry("100644", object_id("blob", text.encode()))
