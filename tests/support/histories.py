"""Histories of any shape made for a test: merges, octopuses, several roots, thousands of commits."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from support.repositories import START, run

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from support.repositories import Repository


@dataclass(frozen=True, slots=True)
class Grown:
    """A commit that is to be made."""

    parents: Sequence[str] = ()
    """Names of commits that were made before, the first parent first."""
    files: Mapping[str, str | bytes | None] = field(default_factory=dict)
    """What it writes on top of its first parent; None for a path that it removes."""
    message: bytes = b"made for a test\n"
    when: int | None = None
    """Seconds since 1970; None for a minute after the one before."""


def grow(repository: Repository, commits: Mapping[str, Grown]) -> dict[str, str]:
    """Make commits, and give their ids by name. Those that have no child are branches of their names."""
    marks = {name: number for number, name in enumerate(commits, 1)}
    lines: list[bytes] = []
    for name, commit in commits.items():
        when = commit.when if commit.when is not None else START + 60 * marks[name]
        lines.append(b"commit refs/heads/%s\nmark :%d\n" % (name.encode(), marks[name]))
        lines.append(b"committer C O Mitter <committer@example.org> %d +0100\n" % when)
        lines.append(b"data %d\n%s\n" % (len(commit.message), commit.message))
        for number, parent in enumerate(commit.parents):
            lines.append(b"%s :%d\n" % (b"merge" if number else b"from", marks[parent]))
        for path, data in commit.files.items():
            if data is None:
                lines.append(b"D %s\n" % path.encode())
            else:
                body = data.encode() if isinstance(data, str) else data
                lines.append(b"M 100644 inline %s\ndata %d\n%s\n" % (path.encode(), len(body), body))
    repository.git("fast-import", "--quiet", "--force", feed=b"".join(lines))
    listed = repository.git("for-each-ref", "--format=%(refname:short) %(objectname)", "refs/heads/")
    ids = dict(line.split(" ") for line in listed.split("\n"))
    parents = {parent for commit in commits.values() for parent in commit.parents}
    gone = "".join(f"delete refs/heads/{name}\n" for name in sorted(parents))
    repository.git("update-ref", "--stdin", feed=gone.encode())
    return {name: ids[name] for name in commits}


def shallow_copy(repository: Repository, depth: int) -> Repository:
    """A repository beside another one, that has only the newest commits of its branches."""
    copy = repository.path.with_name("shallow.git")
    run(
        "clone",
        "--quiet",
        "--bare",
        f"--depth={depth}",
        "--no-single-branch",
        f"file://{repository.path}",
        str(copy),
    )
    return type(repository)(copy)
