"""`prov import`: evidence pages -> manifests, one a page."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from provenance.cli import completing
from provenance.cli.exits import Exit
from provenance.errors import UsageError

if TYPE_CHECKING:
    from provenance.documents.pages import Page
    from provenance.importing import Import, Imported

_STDIN = "-"


@click.command("import")
@click.argument("pages", metavar="PAGE...", nargs=-1, required=True, shell_complete=completing.files)
@click.option(
    "-o",
    "--output",
    default="manifests/",
    show_default=True,
    metavar="DIR/|FILE",
    shell_complete=completing.files,
    help="Write manifests into this folder, or the only one into this file.",
)
@click.pass_context
def command(ctx: click.Context, pages: tuple[str, ...], output: str) -> None:
    """Read evidence pages and write a manifest for each.

    PAGE is the text of an evidence page; - is standard input. What a person added to a manifest that is there
    (url, license, alternates, expect, further citations) is kept. Where a page says nothing new, its manifest
    is left as it is.

    \b
    prov import page.txt                     into manifests/, named after the page's title
    prov import pages/*.txt -o checks/       some pages into another folder
    prov import - -o manifests/page.yaml     from standard input, into this file
    """
    from provenance.importing import Import, refuse_clashes

    file = only_file(output)
    if file is not None and len(pages) > 1:
        message = f"{output} is one file, and there are {len(pages)} pages: name a folder, such as manifests/"
        raise UsageError(message)
    failed = False
    imports: list[Import] = []
    for name in pages:
        try:
            page = _page(name)
        except UsageError as error:
            _talk(str(error))
            failed = True
        else:
            imports.append(Import(name, page, file or Path(output) / page.manifest.path))
    refuse_clashes(imports)
    for each in imports:
        try:
            _write(each)
        except UsageError as error:
            _talk(str(error))
            failed = True
    ctx.exit(Exit.USAGE if failed else Exit.OK)


def only_file(output: str) -> Path | None:
    """The file that `-o` names; None where it names a folder."""
    path = Path(output)
    if output.endswith("/") or path.is_dir():
        return None
    return path if path.is_file() or path.suffix in {".yaml", ".yml"} else None


def _page(name: str) -> Page:
    """Read one page and tell what is to be remarked on it."""
    from provenance.importing import page_of

    page = page_of(_bytes(name), name)
    for remark in page.remarks:
        _talk(str(remark))
    return page


def _bytes(name: str) -> bytes:
    """A file's bytes, or standard input's; at most one more than the largest page has."""
    from provenance.importing import LARGEST

    try:
        if name == _STDIN:
            return sys.stdin.buffer.read(LARGEST + 1)
        with Path(name).open("rb") as file:
            return file.read(LARGEST + 1)
    except OSError as error:
        message = f"{name} cannot be read: {error.strerror}"
        raise UsageError(message) from error


def _write(each: Import) -> None:
    from provenance.importing import write

    imported = write(each)
    for note in imported.notes:
        _talk(note)
    click.echo(told(imported))


def told(imported: Imported) -> str:
    """What became of an import, in one line."""
    from provenance.importing import counted
    from provenance.report.inert import no_commands, visible

    what = "wrote" if imported.written else "unchanged"
    return no_commands(visible(f"{what} {imported.manifest.path} ({counted(imported.manifest)})"))


def _talk(text: str) -> None:
    from provenance.report.inert import no_commands, visible

    click.echo(no_commands(visible(text)), err=True)
