"""`prov log`: how a citation's verdict came to be what it is."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from provenance.cli import completing
from provenance.cli.options import Reach, remembering
from provenance.cli.output import printing
from provenance.log import log

if TYPE_CHECKING:
    from provenance.report.log import Log


@click.command("log")
@click.argument("locator", metavar="CITATION", shell_complete=completing.ids)
@click.option(
    "--format",
    "format_",
    type=click.Choice(["text", "json", "jsonl"]),
    default="text",
    help="Of the output.",
)
@remembering
@click.pass_context
def command(ctx: click.Context, /, locator: str, format_: str) -> None:
    """Tell how a citation's verdict came to be what it is: when it changed, and in which run, the newest first.

    CITATION is the id of a citation or a quantity, with the end of its manifest's path where several have it, or
    what prov show takes, where it means one citation. What has gone from its manifest is remembered by its id.
    Nobody is asked, and nothing is judged.

    \b
    prov log conv-relu
    prov log gpt2.yaml#conv-relu
    prov log common_layers.py:1160-1194 --format json
    """
    reach = ctx.ensure_object(Reach)
    project = reach.project()
    with reach.store(project, "log") as store:
        found = log(locator, store, project, reach.locks(project))
    with printing():
        _print(found, format_)


def _print(found: Log, format_: str) -> None:
    from provenance.report.log import render_log, write_log, write_log_lines

    match format_:
        case "json":
            write_log(sys.stdout, found)
        case "jsonl":
            write_log_lines(sys.stdout, found)
        case _:
            from provenance.cli.screens import screen_of

            sys.stdout.write(render_log(found, screen=screen_of(sys.stdout)))
