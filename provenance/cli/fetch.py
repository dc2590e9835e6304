"""`prov fetch`: every cited content into evidence.db, what was found into prov.lock."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from provenance.answers import Lacking, Unreached
from provenance.cli import completing
from provenance.cli.exits import Exit
from provenance.cli.options import Reach, reaching
from provenance.cli.output import print_problems, printing
from provenance.errors import UsageError
from provenance.fetch import fetch
from provenance.origins import closing

if TYPE_CHECKING:
    from collections.abc import Sequence

    from provenance.fetch import Fetched, FetchedFile


@click.command("fetch")
@click.argument("paths", metavar="[PATH]…", nargs=-1, shell_complete=completing.files)
@click.option(
    "--update",
    multiple=True,
    metavar="SOURCE",
    shell_complete=completing.sources,
    help="Resolve a source's pin anew, and let its blob ids change.",
)
@reaching
@click.pass_context
def command(ctx: click.Context, /, paths: tuple[str, ...], *, update: tuple[str, ...]) -> None:
    """Get every cited content; write evidence.db and prov.lock.

    PATH is a manifest or a folder of them, manifests/ where left out. Quotes are compared too, for the
    lock, but a quote that does not hold is for prov verify to tell.

    \b
    prov fetch                          what is missing, and what came from a release where git can be reached
    prov fetch --update tensor2tensor   follow a moved tag or branch
    """
    reach = ctx.ensure_object(Reach)
    if reach.offline:
        message = "prov fetch asks origins: --offline leaves it nothing to do"
        raise UsageError(message)
    project = reach.project()
    files = project.manifest_files(paths)
    talk = reach.talk()
    with reach.store(project, "fetch") as store, closing(reach.origins(project, talk)) as origins:
        asking = reach.asking(project, origins, update)
        fetched = fetch(files, store, reach.locks(project), asking, talk.judged)
    reach.conclude(talk)
    unknown = [name for name in update if not _names(name, fetched.files)]
    problems = [*fetched.verification.problems, *(f"--update {name}: no such source" for name in unknown)]
    if not fetched.files and not problems:
        problems = ["no citation in any manifest"]
    with printing():
        _print(fetched, quiet=reach.quiet)
    print_problems(problems)
    ctx.exit(_exit_code(fetched, problems=bool(problems)))


def _names(name: str, files: Sequence[FetchedFile]) -> bool:
    return any(name in {item.need.source.name, item.need.source.git} for item in files)


def _exit_code(fetched: Fetched, *, problems: bool) -> Exit:
    if problems:
        return Exit.USAGE
    if any(_lacking(item) is not None for item in fetched.files):
        return Exit.FAILURE
    if any(isinstance(item.standing.failure, Unreached) for item in fetched.files):
        return Exit.UNAVAILABLE
    return Exit.OK


def _lacking(item: FetchedFile) -> str | None:
    """Why a cited file does not exist; None where it does, or nobody could say."""
    failure, file = item.standing.failure, item.standing.file
    if isinstance(failure, Lacking):
        return f"{failure.verdict.value}: {failure.message}"
    if file is not None and file.verdict is not None:
        return f"{file.verdict.value}: {file.message}"
    return None


def _print(fetched: Fetched, *, quiet: bool) -> None:
    from provenance.report.inert import no_commands, visible

    for item in fetched.files:
        place = f"{item.need.source.name} {item.standing.revision[:12]} {item.need.path}"
        lacking, failure, file = _lacking(item), item.standing.failure, item.standing.file
        if lacking is not None:
            line = f"{place}  {lacking}"
        elif isinstance(failure, Unreached):
            line = f"{place}  unavailable: {failure.message}"
        elif quiet or file is None:
            continue
        else:
            artifact = f" {file.artifact.name}" if file.artifact else ""
            line = f"{place}  {(file.blob or '')[:12]}  {item.standing.assurance} ({file.origin}{artifact})"
        click.echo(no_commands(visible(line)))
    had = sum(1 for item in fetched.files if item.standing.file is not None and item.standing.file.blob)
    click.echo(f"{had} of {len(fetched.files)} files at hand")
    for name in fetched.written:
        click.echo(f"wrote {no_commands(visible(name))}")
