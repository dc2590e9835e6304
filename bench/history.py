"""A made-up repository in the shape of a real one, written by `git fast-import`.

Its numbers are those of tensorflow/tensor2tensor: 4,400 commits, a tenth of them merges, 550 files of which
most are small and some are large, 76 tags, 778 pull requests, 250 bytes a commit, a bare clone of 17.5 MB.
The seed is fixed, so the commit ids are too.
"""

from __future__ import annotations

import subprocess
from collections import defaultdict
from dataclasses import dataclass
from itertools import chain
from random import Random
from typing import TYPE_CHECKING

from bench.code import Author

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from pathlib import Path

    from bench.code import Module

_START = 1_500_000_000
"""When the first commit is made, in seconds since 1970."""


@dataclass(frozen=True, slots=True)
class Shape:
    """How large a repository is."""

    commits: int = 4400
    modules: int = 480
    texts: int = 60
    """Files that are read by people."""
    tables: int = 16
    """Files of numbers, which hardly compress."""
    tags: int = 76
    pulls: int = 778
    """Refs that a clone does not fetch and that a server lists all the same."""


@dataclass(slots=True)
class _Commit:
    """One commit, before it has files."""

    paths: list[int]
    """Numbers of the files that it changes."""
    parent: int | None
    merged: int | None = None


def write(repository: Path, shape: Shape, environment: Mapping[str, str]) -> None:
    """Make a bare repository, packed as a server would have it: deltas, a bitmap and a commit graph."""
    subprocess.run(["git", "init", "--quiet", "--bare", str(repository)], check=True, env=environment)
    command = ["git", "-C", str(repository), "fast-import", "--quiet", "--force", "--depth=50"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, env=environment) as importer:
        assert importer.stdin is not None
        for part in _stream(shape):
            importer.stdin.write(part)
    if importer.returncode:
        message = f"git fast-import ended with {importer.returncode}"
        raise RuntimeError(message)
    for tail in (["symbolic-ref", "HEAD", "refs/heads/main"], ["repack", "-q", "-a", "-d", "-b"],
                 ["commit-graph", "write", "--reachable", "--no-progress"], ["pack-refs", "--all"]):  # fmt: skip
        subprocess.run(["git", "-C", str(repository), *tail], check=True, env=environment)


def _stream(shape: Shape) -> Iterator[bytes]:
    """The input of fast-import: each file's versions one after the other, so that they are kept as deltas."""
    random = Random("a repository")  # noqa: S311 - it is to be the same each time
    author = Author(random)
    paths = _paths(author, random, shape)
    commits = _commits(random, shape, paths)
    changes: dict[int, list[int]] = defaultdict(list)
    for number, commit in enumerate(commits):
        for path in commit.paths:
            changes[path].append(number)
    marks: dict[tuple[int, int], int] = {}
    mark = shape.commits
    for path, numbers in changes.items():
        for number, data in zip(numbers, _versions(author, random, paths[path]), strict=False):
            mark += 1
            marks[number, path] = mark
            yield b"blob\nmark :%d\ndata %d\n%b\n" % (mark, len(data), data)
    for number, commit in enumerate(commits):
        yield _commit_record(author, random, number, commit)
        side = commits[commit.merged].paths if commit.merged is not None else []
        for path in side:
            yield _modify(marks[commit.merged or 0, path], paths[path])
        for path in commit.paths:
            yield _modify(marks[number, path], paths[path])
        yield b"\n"
    yield from _references(random, shape)


def _paths(author: Author, random: Random, shape: Shape) -> list[str]:
    """Paths in the order in which the files are born: 39 folders, up to four deep."""
    areas = [f"project/{author.name()}" for _ in range(12)]
    folders = [*areas, *(f"{random.choice(areas)}/{author.name()}" for _ in range(24)), "docs", "project"]
    endings = [".py"] * shape.modules + [".md"] * shape.texts + [".tsv"] * shape.tables
    random.shuffle(endings)
    names = {
        f"{random.choice(folders)}/{author.name()}_{number}{end}": None for number, end in enumerate(endings)
    }
    return ["README.md", *names]


def _commits(random: Random, shape: Shape, paths: list[str]) -> list[_Commit]:
    """Who changes what: a file is born by its first change, and some are changed far more than others."""
    files = len(paths)
    first = max(1, files // 12)
    commits = [_Commit(list(range(first)), None)]
    born = first
    popular = [0.0 if path.endswith(".tsv") else random.paretovariate(1.1) for path in paths]
    while len(commits) < shape.commits:
        number = len(commits)
        count = min(40, 1 + int(random.expovariate(0.31)))
        changed = set(random.choices(range(born), weights=popular[:born], k=count))
        while born < files and born < first + (files - first) * number / (shape.commits * 0.9):
            changed.add(born)
            born += 1
        match number % 10:
            case 8 if number + 1 < shape.commits:  # a side branch, of other files than its neighbour on main
                changed -= set(commits[-1].paths)
                commits.append(_Commit(sorted(changed), number - 2))
            case 9:
                commits.append(_Commit([], number - 2, merged=number - 1))
            case _:
                commits.append(_Commit(sorted(changed), number - 1))
    return commits


def _versions(author: Author, random: Random, path: str) -> Iterator[bytes]:
    """A file's versions, without end."""
    author.turn_to_a_file()
    if path.endswith(".py"):
        blocks: Module = author.module(int(min(2400, random.lognormvariate(4.9, 0.9))))
        while True:
            yield _bytes(chain.from_iterable(blocks))
            for _ in range(random.choice((1, 2, 6, 10, 16, 24))):
                author.edit(blocks)
    make = author.table if path.endswith(".tsv") else author.prose
    lines = make(random.randint(200, 9000) if path.endswith(".tsv") else random.randint(5, 120))
    while True:
        yield _bytes(lines)
        at = random.randrange(len(lines))
        lines[at : at + random.randint(0, 3)] = make(random.randint(1, 6))


def _bytes(lines: Iterable[str]) -> bytes:
    return ("\n".join(lines) + "\n").encode()


def _commit_record(author: Author, random: Random, number: int, commit: _Commit) -> bytes:
    who = f"{author.name()} {author.name()}".title()
    signature = f"{who} <{author.name()}@example.org> {_START + number * 14_000} +0000"
    body = "\n".join(author.prose(random.choice((0, 1, 1, 1))))
    message = f"{author.sentence(8)}\n\n{body}\nOrigin-Id: {random.getrandbits(40)}\n".encode()
    lines = [f"commit refs/heads/main\nmark :{number + 1}\nauthor {signature}\ncommitter {signature}"]
    record = "\n".join(lines).encode() + b"\ndata %d\n%b" % (len(message), message)
    if commit.parent is not None:
        record += b"from :%d\n" % (commit.parent + 1)
    if commit.merged is not None:
        record += b"merge :%d\n" % (commit.merged + 1)
    return record


def _modify(mark: int, path: str) -> bytes:
    return f"M 100644 :{mark} {path}\n".encode()


def _references(random: Random, shape: Shape) -> Iterator[bytes]:
    for number in range(shape.tags):
        commit = 1 + number * (shape.commits - 1) // shape.tags
        yield f"reset refs/tags/v1.{number}\nfrom :{commit}\n\n".encode()
    for number in range(shape.pulls):
        yield f"reset refs/pull/{number + 1}/head\nfrom :{random.randint(1, shape.commits)}\n\n".encode()
