"""Projects to measure on: manifests that cite the served repository, with as many citations as are wanted."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random
from typing import TYPE_CHECKING

from bench.lab import PROV, Contender
from bench.measure import BenchError

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

    from bench.lab import Lab
    from bench.measure import Run

A_MANIFEST = 200
"""Citations of a manifest, all into one file: so files grow with citations."""

_LEAST_LINES = 30
"""Lines that are not blank in a file that is cited."""


@dataclass(frozen=True, slots=True)
class File:
    """A file that can be cited."""

    revision: str
    path: str
    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Cited:
    """A citation to be written: its quote is the cited lines, as most are."""

    file: File
    first: int
    last: int

    @property
    def quote(self) -> Sequence[str]:
        """The cited lines."""
        return self.file.lines[self.first - 1 : self.last]


@dataclass(frozen=True, slots=True)
class Project:
    """A project whose evidence has been fetched."""

    folder: Path
    home: Path
    citations: Sequence[Cited]
    fetched: Run
    """The first `prov fetch` of it."""

    def prov(self, *arguments: str) -> Contender:
        """A command of prov's, run here."""
        return Contender((PROV, *arguments), self.folder, self.home)


def project(lab: Lab, citations: int) -> Project:
    """The project of so many citations; it is made and fetched when it is first asked for.

    Raises:
        BenchError: it cannot be fetched, or a citation does not hold.
    """
    if citations not in lab.projects:
        lab.projects[citations] = _made(lab, citations)
    return lab.projects[citations]


def _made(lab: Lab, citations: int) -> Project:
    folder, home = lab.folder / f"project-{citations}", lab.home(f"home-{citations}")
    files = files_at(lab, lab.revision)
    Random("files").shuffle(files)  # noqa: S311 - it is to be the same each time
    cited: list[Cited] = []
    for number, start in enumerate(range(0, citations, A_MANIFEST)):
        random = Random(f"manifest {number}")  # noqa: S311 - it is to be the same each time
        file = files[number % len(files)]
        here = [cite(random, file) for _ in range(min(A_MANIFEST, citations - start))]
        write_manifest(folder, f"document-{number:03}", lab.url, here)
        cited += here
    run = lab.run(Contender((PROV, "fetch", "--allow-local", "--quiet"), folder, home))
    made = Project(folder, home, cited, run)
    check_all_hold(lab.run(made.prov("verify", "--offline")).output, citations)
    return made


def check_all_hold(output: str, citations: int) -> None:
    """See that a verification did what it is measured for.

    Raises:
        BenchError: a citation does not hold.
    """
    expected = f"{citations:,} of {citations:,} citations checked: {citations:,} ok"
    if expected not in output:
        message = f"expected {expected!r}, and prov verify ended with {output[-300:]!r}"
        raise BenchError(message)


def files_at(lab: Lab, revision: str) -> list[File]:
    """The Python files of a revision that have enough lines, and no character that YAML would not show as it is.

    Raises:
        BenchError: there is none.
    """
    listing = lab.git("ls-tree", "-r", "-z", "--full-tree", revision).decode(errors="replace").split("\0")
    entries = [
        entry.partition("\t") for entry in listing if entry.startswith("100") and entry.endswith(".py")
    ]
    paths = {path: head.split()[2] for head, _, path in entries}
    texts = zip(paths, contents_of(lab, list(paths.values())), strict=True)
    found = [File(revision, path, lines) for path, data in texts if (lines := _citable(data))]
    if not found:
        message = f"the repository has no Python file to cite at {revision}"
        raise BenchError(message)
    return found


def contents_of(lab: Lab, blobs: Sequence[str]) -> Iterator[bytes]:
    """The bytes of blobs, in their order."""
    output = lab.git("cat-file", "--batch", stdin="".join(f"{blob}\n" for blob in blobs).encode())
    at = 0
    for _ in blobs:
        end = output.index(b"\n", at)
        size = int(output[at:end].split()[2])
        yield output[end + 1 : end + 1 + size]
        at = end + size + 2


def _citable(data: bytes) -> tuple[str, ...]:
    """A file's lines; none where it is too short, or is no plain text."""
    try:
        lines = tuple(data.decode().removesuffix("\n").split("\n"))
    except UnicodeDecodeError:
        return ()
    plain = all(line.replace("\t", " ").isprintable() for line in lines)
    return lines if plain and sum(1 for line in lines if line.strip()) >= _LEAST_LINES else ()


def cite(random: Random, file: File) -> Cited:
    """Three to twelve lines of a file, the first and the last of them not blank."""
    filled = [number for number, line in enumerate(file.lines, 1) if line.strip()]
    first = random.choice(filled[:-2])
    last = max(number for number in filled if number <= first + random.randint(2, 11))
    return Cited(file, first, last)


def write_manifest(
    folder: Path, name: str, url: str, citations: Sequence[Cited], pins: Mapping[str, str] | None = None
) -> None:
    """Write a manifest in which each cited revision is a source of its own.

    Args:
        folder: the project's root.
        name: the manifest's name, without an ending.
        url: where the repository is.
        citations: what it cites.
        pins: how revisions are written, where not in full.
    """
    revisions = list(dict.fromkeys(item.file.revision for item in citations))
    names = {revision: f"at-{number}" for number, revision in enumerate(revisions)}
    text = [f"prov: 1\ntitle: {name}\nsources:\n"]
    for revision in revisions:
        pin = (pins or {}).get(revision, revision)
        text.append(f"  {names[revision]}:\n    git: {url}\n    revision: {pin}\n")
    text.append("citations:\n")
    for number, item in enumerate(citations):
        quote = "".join(f"      {line}\n" if line else "\n" for line in item.quote)
        text.append(
            f"  - id: place-{number}\n    source: {names[item.file.revision]}\n    path: {item.file.path}\n"
            f"    lines: {item.first}-{item.last}\n    evidence: direct\n"
            f"    claim: What the document says of place {number}, in a sentence.\n    quote: |2-\n{quote}"
        )
    (folder / "manifests").mkdir(parents=True, exist_ok=True)
    (folder / "pyproject.toml").write_text("[tool.prov]\n", encoding="ascii")
    (folder / "manifests" / f"{name}.yaml").write_text("".join(text), encoding="utf-8")
