"""`prov report`: a static site for people."""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING

import click

from provenance.cli import completing
from provenance.cli.exits import Exit
from provenance.cli.options import Reach, reaching
from provenance.cli.output import print_problems
from provenance.extract.languages.table import Languages
from provenance.origins import closing
from provenance.publish.folder import refuse_others, site_folder
from provenance.report.inert import no_commands, visible
from provenance.verify import verify

if TYPE_CHECKING:
    from provenance.publish.publishing import Published


@click.command("report")
@click.argument("paths", metavar="[PATH]…", nargs=-1, shell_complete=completing.files)
@click.option(
    "-o",
    "--output",
    required=True,
    metavar="DIR",
    shell_complete=completing.folders,
    help="The folder that the site is written to.",
)
@reaching
@click.pass_context
def command(ctx: click.Context, /, paths: tuple[str, ...], *, output: str) -> None:
    """Write a static site for people: every result with its code, and every cited file.

    PATH is a manifest or a folder of them, manifests/ where left out. What is missing is fetched. The site works
    from a folder and from a web server, and asks the network for nothing. It is written whatever the verdicts are, and
    they do not change the exit code: that is for prov verify to tell.

    \b
    prov report -o site                      open site/index.html
    prov report -o site --offline            of what is stored
    prov report manifests/a.yaml -o site     of one document
    """
    from provenance.publish.publishing import publish  # with Jinja, which help and completion do without

    reach = ctx.ensure_object(Reach)
    folder = Path(output)
    refuse_others(folder)
    project = reach.project()
    files = project.manifest_files(paths)
    settings = reach.settings(project)
    talk = reach.talk()
    with ExitStack() as stack:
        store = stack.enter_context(reach.store(project, "report"))
        with closing(reach.origins(project, talk)) as origins:
            asking = reach.asking(project, origins)
            found = verify(files, store, reach.locks(project), asking, talk.judged)
        problems = list(dict.fromkeys(found.problems))
        if not any(batch.tally for batch in found.batches):
            print_problems(problems or ["no citation in any manifest"])
            ctx.exit(Exit.USAGE)
        writer = stack.enter_context(
            site_folder(
                folder, lambda pages, size: talk.advance(f"writing {output}", received=size, objects=pages)
            )
        )
        languages = Languages(project.languages)
        published = publish(found.batches, store, settings, writer, problems=problems, languages=languages)
    reach.conclude(talk)
    click.echo(no_commands(visible(_told(published, folder))))
    print_problems(problems)
    ctx.exit(Exit.USAGE if problems else Exit.OK)


def _told(published: Published, folder: Path) -> str:
    """What was written, in two lines."""
    pages, files = published.summary.total, published.files
    counts = f"{pages:,} result{'' if pages == 1 else 's'}, {files:,} cited file{'' if files == 1 else 's'}"
    return f"{published.conclusion}\nwrote {folder / 'index.html'} ({counts})"
