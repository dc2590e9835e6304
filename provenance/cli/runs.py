"""What reports are told of a run beside its results: its files, what configured it, and where they stand."""

from __future__ import annotations

import hashlib
import os
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from provenance.errors import UsageError
from provenance.evidence import Assurance
from provenance.files import absolute, read_within
from provenance.project import CONFIGURATION
from provenance.report.run import Run, Subject

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from provenance.cli.options import Reach
    from provenance.project import DocumentFile, LockFile, ManifestFile, Project


def run_of(
    command: str,
    reach: Reach,
    project: Project,
    files: Sequence[ManifestFile | DocumentFile],
    *,
    strict: bool,
    problems: Iterable[str],
    subjects: Iterable[Subject] = (),
    locks: Iterable[LockFile] = (),
) -> Run:
    """The run that a report is of.

    Args:
        command: its name.
        reach: how far it reached.
        project: where it ran.
        files: the manifests or documents that were asked for.
        strict: whether warnings count as failures.
        problems: what is wrong with the input.
        subjects: the files that were judged.
        locks: those that were read.
    """
    repository = _repository(project.root)
    read = [lock for lock in locks if lock.sha256]
    named = {file.name: file.name for file in files}
    named |= {str(file.file): file.name for file in files}
    named |= {name: lock.name for lock in read for name in (lock.name, str(lock.file))}
    return Run(
        command,
        least=Assurance(reach.assurance),
        strict=strict,
        files=named,
        subjects=tuple(subjects),
        configuration=(*_configuration(project.root), *(Subject(lock.name, lock.sha256) for lock in read)),
        problems=tuple(problems),
        folder="" if project.root == repository else project.root.relative_to(repository).as_posix(),
        elsewhere=dict(_elsewhere(files, repository)),
    )


def _configuration(root: Path) -> Iterator[Subject]:
    with suppress(UsageError):  # which it is, where there is none
        data = read_within(root / CONFIGURATION, root)
        yield Subject(CONFIGURATION, hashlib.sha256(data).hexdigest())


def _repository(root: Path) -> Path:
    """The folder of the repository that a project stands in; the project's own where it stands in none."""
    return next((folder for folder in (root, *root.parents) if (folder / ".git").exists()), root)


def _elsewhere(files: Iterable[ManifestFile | DocumentFile], repository: Path) -> Iterator[tuple[str, str]]:
    """Where files stand whose name is not relative to the project's root."""
    inside = os.path.join(repository, "")  # noqa: PTH118 - as a prefix
    for file in files:
        if file.name.startswith(("/", "../")):
            plain = absolute(file.file)
            real = Path(os.path.realpath(plain.parent), plain.name)  # the way to it may be one, too
            found = next((path for path in map(str, (plain, real)) if path.startswith(inside)), str(plain))
            yield file.name, found.removeprefix(inside)
