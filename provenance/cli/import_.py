"""`prov import`: evidence pages -> manifests, one a page."""

from __future__ import annotations

import os
import sys
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from provenance.cli.exits import Exit
from provenance.errors import PageError, Position, UsageError

if TYPE_CHECKING:
    from collections.abc import Iterable

    from provenance.citation import Manifest
    from provenance.documents.pages import Page

_LARGEST = 16 * 1024 * 1024
"""Bytes of the largest page that is read."""
_STDIN = "-"


@dataclass(frozen=True, slots=True)
class _Import:
    """A page that has been read, and where its manifest goes."""

    name: str
    """The page, as it was named."""
    page: Page
    target: Path


@click.command("import")
@click.argument("pages", metavar="PAGE...", nargs=-1, required=True)
@click.option(
    "-o",
    "--output",
    default="manifests/",
    show_default=True,
    metavar="DIR/|FILE",
    help="Write manifests into this folder, or the only one into this file.",
)
@click.pass_context
def command(ctx: click.Context, pages: tuple[str, ...], output: str) -> None:
    """Read evidence pages and write a manifest for each.

    PAGE is the text of an evidence page; - is standard input. What a person added to a manifest that is there
    (url, license, alternates, expect, further citations) is kept. Where a page says nothing new, its manifest
    is left as it is.
    """
    file = _only_file(output)
    if file is not None and len(pages) > 1:
        message = f"{output} is one file, and there are {len(pages)} pages: name a folder, such as manifests/"
        raise UsageError(message)
    failed = False
    imports: list[_Import] = []
    for name in pages:
        try:
            page = _page(name)
        except UsageError as error:
            _talk(str(error))
            failed = True
        else:
            imports.append(_Import(name, page, file or Path(output) / page.manifest.path))
    _refuse_clashes(imports)
    for each in imports:
        try:
            _write(each)
        except UsageError as error:
            _talk(str(error))
            failed = True
    ctx.exit(Exit.USAGE if failed else Exit.OK)


def _only_file(output: str) -> Path | None:
    """The file that `-o` names; None where it names a folder."""
    path = Path(output)
    if output.endswith("/") or path.is_dir():
        return None
    return path if path.is_file() or path.suffix in {".yaml", ".yml"} else None


def _page(name: str) -> Page:
    """Read one page and tell what is to be remarked on it."""
    from provenance.documents.pages import read_page

    data = _bytes(name)
    if len(data) > _LARGEST:
        raise PageError(Position(name, 1), f"the page has more than {_LARGEST:,} bytes")
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise PageError(Position(name, line), f"byte 0x{data[error.start]:02x} is not UTF-8") from error
    page = read_page(text, name)
    for remark in page.remarks:
        _talk(str(remark))
    return page


def _bytes(name: str) -> bytes:
    """A file's bytes, or standard input's; at most one more than the largest page has."""
    try:
        if name == _STDIN:
            return sys.stdin.buffer.read(_LARGEST + 1)
        with Path(name).open("rb") as file:
            return file.read(_LARGEST + 1)
    except OSError as error:
        message = f"{name} cannot be read: {error.strerror}"
        raise UsageError(message) from error


def _refuse_clashes(imports: Iterable[_Import]) -> None:
    """Nothing is written where two pages would be written to one file."""
    names: dict[Path, str] = {}
    for each in imports:
        other = names.setdefault(each.target, each.name)
        if other is not each.name:
            message = (
                f"{other} and {each.name} would both be written to {each.target}: import one with -o FILE"
            )
            raise UsageError(message)


def _stay_inside(target: Path) -> None:
    """A folder of the project may be a stranger's link: nothing is written through one that leads out of it.

    Raises:
        UsageError: the target stands in the current folder, and is really elsewhere.
    """
    here = Path.cwd()
    stands = Path(os.path.abspath(target)).is_relative_to(here)  # noqa: PTH100 - links are to stay
    if stands and not Path(os.path.realpath(target)).is_relative_to(os.path.realpath(here)):
        message = f"{target}: a link leads out of this folder; name the folder that it leads to with -o"
        raise UsageError(message)


def _write(each: _Import) -> None:
    """Bring the manifest up to its page; leave it alone where the page says nothing new."""
    from provenance.documents.merge import merge
    from provenance.files import replace as replace_file
    from provenance.manifest import render

    target = each.target
    _stay_inside(target)
    manifest = replace(each.page.manifest, path=target.as_posix())
    if target.exists() or target.is_symlink():
        text, there = _there(target)
        merged = merge(there, manifest)
        manifest = merged.manifest
        if manifest == there:
            for note in merged.kept:
                _talk(f"{target}: {note}")
            _report("unchanged", manifest)
            return
        for change in merged.changes:
            _talk(f"{target}: {change}")
        if text != render(there):
            _talk(f"{target}: written anew, so comments and layout of its own are gone")
    replace_file(target, render(manifest))
    _report("wrote", manifest)


def _there(target: Path) -> tuple[str, Manifest]:
    """The text and the records of a manifest that stands where one is to be written."""
    from provenance.citation import Manifest
    from provenance.files import read_within
    from provenance.manifest import parse

    data = read_within(target, target.parent)
    there = parse(data, target.as_posix())
    if isinstance(there, Manifest):
        return data.decode("utf-8"), there
    for error in there:
        _talk(str(error))
    message = f"{target} is there and cannot be read as a manifest: mend it, or move it away"
    raise UsageError(message)


def _report(what: str, manifest: Manifest) -> None:
    from provenance.report.inert import no_commands, visible

    counted = [_counted(len(manifest.citations), "citation", "citations")]
    if manifest.quantities:
        counted.append(_counted(len(manifest.quantities), "quantity", "quantities"))
    line = f"{what} {manifest.path} ({', '.join(counted)})"
    click.echo(no_commands(visible(line)))


def _counted(count: int, one: str, many: str) -> str:
    return f"{count} {one if count == 1 else many}"


def _talk(text: str) -> None:
    from provenance.report.inert import no_commands, visible

    click.echo(no_commands(visible(text)), err=True)
