"""`prov scan`: the links and quotes of documents, judged."""

from __future__ import annotations

import os
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from provenance.cli import completing
from provenance.cli.exits import Exit, exit_code
from provenance.cli.options import Reach, reaching_unlocked
from provenance.cli.output import distinct, print_problems, reporting, target, tell_written, write
from provenance.cli.runs import run_of
from provenance.cli.since import documents_since, since_option
from provenance.documents.formats import is_document
from provenance.errors import UsageError
from provenance.origins import closing
from provenance.report.run import Findings, Subject
from provenance.scan.local import LocalFiles
from provenance.scan.scanning import scan
from provenance.scan.telling import findings, notable, summary, unread

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from provenance.cli.talk import Talk
    from provenance.project import DocumentFile, Project
    from provenance.report.notices import Mending
    from provenance.scan.scanning import Scanned, ScannedDocument
    from provenance.store.store import Store
    from provenance.verify import Settings


@click.command("scan")
@click.argument("paths", metavar="[DOC]…", nargs=-1, shell_complete=completing.files)
@click.option("--fix", is_flag=True, help="Correct anchors, and make permalinks of links to branches.")
@click.option(
    "--write-manifest",
    "manifest",
    metavar="FILE",
    shell_complete=completing.files,
    help="Make a manifest of what was found.",
)
@since_option
@reporting
@reaching_unlocked
@click.pass_context
def command(
    ctx: click.Context,
    /,
    paths: tuple[str, ...],
    *,
    fix: bool,
    manifest: str | None,
    since: str | None,
    strict: bool,
    format_: str,
    outputs: tuple[str, ...],
) -> None:
    """Judge the links to code that stand in documents, with the code that is quoted beside them.

    DOC is a document or a folder of them: Markdown, HTML, reStructuredText, notebooks and plain text, and Python
    files where they are named; where left out, what pyproject.toml lists. What is missing is fetched, and no lock
    is used. A link to a branch is judged at today's commit, and is a warning.

    \b
    prov scan docs/ README.md                every link with lines, and what it shows
    prov scan docs/ --fix                    correct anchors, pin branches
    prov scan docs/ --write-manifest m.yaml  the same as a manifest
    prov scan --since origin/main            what a branch changed
    """
    if since is not None and manifest is not None:
        message = "--write-manifest makes a manifest of all that is named: not with --since"
        raise UsageError(message)
    reach = ctx.ensure_object(Reach)
    targets = [target(text) for text in outputs]
    project = reach.project()
    named = project.document_files(paths, is_document)
    written = () if manifest is None else (Path(manifest),)
    distinct(targets, [*(file.file for file in named), *written, *reach.own_files(project, [])])
    files = documents_since(since, named, project, reach)
    talk = reach.talk()  # one for both scans of --fix: what was said is not said again
    settings = reach.settings(project, talk)
    told: list[str] = []
    with reach.store(project, "scan") as store:
        scanned = _scan(files, store, project, reach, talk)
        if fix:
            problems = scanned.problems
            told += _fix(scanned, files, store, settings)
            if told:
                scanned = _scan(files, store, project, reach, talk)
                scanned.problems += problems  # what could not be written is seen in no scan
        subjects = [Subject(document.name, document.sha256) for document in scanned.documents]
        run = run_of(
            "scan", reach, project, files, strict=strict, problems=scanned.problems, subjects=subjects
        )
        found = replace(_found(scanned.documents, store, settings), run=run)
        changes = partial(_links, scanned, files, store, settings)
        write(found, format_, targets, everything=bool(reach.verbose), changes=changes)
        tell_written(told, is_text=format_ == "text")
        if manifest is not None:
            try:
                tell_written([*_write(Path(manifest), paths, scanned, store)], is_text=format_ == "text")
            except UsageError as error:  # the documents were read, and perhaps mended, all the same
                scanned.problems.append(str(error))
    print_problems(scanned.problems)
    code = exit_code(found.summary, problems=bool(scanned.problems), strict=strict)
    ctx.exit(Exit.FAILURE if strict and found.unread and code in {Exit.OK, Exit.UNAVAILABLE} else code)


def _links(scanned: Scanned, files: Sequence[DocumentFile], store: Store, settings: Settings) -> Mending:
    from provenance.scan.suggesting import Links

    return Links(scanned, files, store, settings)


def _scan(files: Sequence[DocumentFile], store: Store, project: Project, reach: Reach, talk: Talk) -> Scanned:
    with closing(reach.origins(project, talk)) as origins:
        scanned = scan(
            files,
            store,
            reach.asking(project, origins),
            project.hosts,
            LocalFiles(project.root),
            readers=len(os.sched_getaffinity(0)),
            judged=talk.judged,
        )
    reach.conclude(talk)
    return scanned


def _found(documents: Sequence[ScannedDocument], store: Store, settings: Settings) -> Findings:
    return Findings(
        summary(documents, store, settings),
        lambda: (item for each in documents for item in findings(each, store, settings)),
        lambda: notable(documents, store, settings),
        [item for each in documents for item in unread(each, store)],
    )


def _fix(scanned: Scanned, files: Sequence[DocumentFile], store: Store, settings: Settings) -> Iterator[str]:
    """Mend links, and say of each what it became or that it was left."""
    from provenance.scan.mending import fix_all

    for fixed in fix_all(scanned, files, store, settings):
        for mend in fixed.done:
            yield f"fixed {mend.at(fixed.document)}: {mend.raw} -> {mend.new}"
        for mend in fixed.left:
            at = mend.at(fixed.document)
            yield f"left {at}: {mend.raw}: it could not be replaced without doubt by {mend.new}"


def _write(target: Path, paths: Sequence[str], scanned: Scanned, store: Store) -> Iterator[str]:
    from provenance.importing import counted
    from provenance.scan.manifesting import write_manifest

    names = ", ".join(paths) or "this project"
    imported = write_manifest(target, f"Citations in {names}", scanned.documents, store)
    left = sum(len(document.direct) for document in scanned.documents)
    if left:
        yield f"{left} of the results need no repository, and have no place in a manifest"
    if imported is None:
        yield f"nothing to write to {target.as_posix()}"
        return
    yield from imported.notes
    what = "wrote" if imported.written else "unchanged"
    yield f"{what} {imported.manifest.path} ({counted(imported.manifest)})"
