"""`prov show`: one place, for a reviewer."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from provenance.answers import Lacking
from provenance.cli import completing
from provenance.cli.exits import Exit
from provenance.cli.options import Reach, reaching
from provenance.cli.output import print_problems, printing
from provenance.cli.screens import screen_of
from provenance.evidence import Statement
from provenance.origins import closing
from provenance.show import NotShown, View, show

if TYPE_CHECKING:
    from provenance.report.show import Place


@click.command("show")
@click.argument("locator", metavar="LOCATOR", shell_complete=completing.locators)
@click.option(
    "--context", "-C", type=click.IntRange(0, 10_000), default=0, metavar="N", help="Lines around it."
)
@click.option("--at", metavar="REV", help="The same lines at another revision.")
@click.option(
    "--format", "format_", type=click.Choice(["text", "json"]), default="text", help="Of the output."
)
@reaching
@click.pass_context
def command(ctx: click.Context, /, locator: str, context: int, at: str | None, format_: str) -> None:
    """Show one cited place: its lines, what documents claim of them, and how that holds.

    LOCATOR is a path with lines (the end of a path will do), the id of a citation or quantity, a permalink or an
    SWHID.

    \b
    prov show transformer.py:99-103
    prov show conv-relu --context 5
    prov show 'https://github.com/openai/gpt-2/blob/9b63575ef427/src/model.py#L50-L56'
    """
    reach = ctx.ensure_object(Reach)
    project = reach.project()
    files = project.manifest_files(())
    settings = reach.settings(project)
    talk = reach.talk()
    with reach.store(project, "show") as store, closing(reach.origins(project, talk)) as origins:
        asking = reach.asking(project, origins)
        view = View(context, at)
        found = show(locator, files, store, reach.locks(project), asking, settings, view)
    reach.conclude(talk)
    if isinstance(found, NotShown):
        print_problems([*found.problems, f"{locator}: {found.failure.message}"])
        ctx.exit(_exit_code(found))
    with printing():
        click.echo(_rendered(found, format_), nl=False)


def _exit_code(found: NotShown) -> Exit:
    if found.problems:
        return Exit.USAGE
    return Exit.FAILURE if isinstance(found.failure, Lacking) else Exit.UNAVAILABLE


def _rendered(found: Place | Statement, format_: str) -> str:
    if isinstance(found, Statement):
        from provenance.report import statement

        if format_ == "json":
            return statement.as_json(found)
        return statement.render_statement(found, screen=screen_of(sys.stdout))
    from provenance.report.show import as_json, render_place

    return as_json(found) if format_ == "json" else render_place(found, screen=screen_of(sys.stdout))
