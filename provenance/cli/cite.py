"""`prov cite`: a citation of a place, ready to paste or added to a manifest, read back before it is printed."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from provenance.answers import Lacking
from provenance.citation import EvidenceKind
from provenance.cite.aiming import Desk
from provenance.cite.appending import append, pins, there
from provenance.cite.finding import find
from provenance.cite.wish import NotFound, Wish, Words
from provenance.cite.writing import as_document, as_item, as_manifest
from provenance.cli import completing
from provenance.cli.exits import Exit
from provenance.cli.options import Reach, reaching
from provenance.cli.output import print_problems, printing
from provenance.errors import UsageError
from provenance.origins import closing
from provenance.report.citing import FORMS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from provenance.cite.appending import Appended
    from provenance.cite.wish import Found
    from provenance.cli.talk import Talk
    from provenance.project import Project

_YAML = "yaml"


@click.command("cite")
@click.argument("locator", metavar="LOCATOR", shell_complete=completing.locators)
@click.option(
    "--source",
    metavar="NAME",
    shell_complete=completing.sources,
    help="A source of a manifest: its repository and revision.",
)
@click.option("--git", metavar="URL", help="A repository, with --revision.")
@click.option("--revision", metavar="REV", help="Of --git: a commit, tag or branch, which becomes a commit.")
@click.option(
    "--symbol", metavar="NAME", help="A definition, in the place of lines: dotted, or its last parts."
)
@click.option(
    "--format", "format_", type=click.Choice([_YAML, *FORMS]), default=_YAML, help="Of the citation."
)
@click.option(
    "--append",
    "manifest",
    metavar="MANIFEST",
    shell_complete=completing.files,
    help="Add it, and its source, to a manifest or a new one.",
)
@click.option("--id", "id_", metavar="ID", help="Of the citation in a manifest.")
@click.option("--claim", metavar="TEXT", help="What the document says of the lines.")
@click.option(
    "--evidence",
    type=click.Choice([kind.value for kind in EvidenceKind]),
    help="Whether the lines show the claim, or its surroundings.",
)
@click.option("--of", metavar="TEXT", help="Contextual evidence: the component that it is evidence for.")
@reaching
@click.pass_context
def command(
    ctx: click.Context,
    /,
    locator: str,
    *,
    source: str | None,
    git: str | None,
    revision: str | None,
    symbol: str | None,
    format_: str,
    manifest: str | None,
    id_: str | None,
    claim: str | None,
    evidence: str | None,
    of: str | None,
) -> None:
    """Print a citation of some lines with its quote, which reads back as exact.

    LOCATOR is a path with lines, a path alone with --symbol, a link to lines on a forge, or an SWHID. A branch is
    pinned to its commit of today. With --source the YAML is an item for a manifest's list of citations, else a whole
    manifest.

    \b
    prov cite src/model.py:50-56 --source gpt-2                     for a manifest that has the source
    prov cite src/model.py --symbol conv1d --source gpt-2 --append manifests/gpt-2.yaml
    prov cite 'https://github.com/openai/gpt-2/blob/master/src/model.py#L50-L56' --format markdown
    """
    wish = Wish(locator, source, git, revision, symbol)
    words = Words(id_, claim, None if evidence is None else EvidenceKind(evidence), of)
    if format_ != _YAML and (manifest is not None or words.are_any):
        message = "--append, --id, --claim, --evidence and --of are for manifests: leave --format out"
        raise UsageError(message)
    reach = ctx.ensure_object(Reach)
    project = reach.project()
    target = None if manifest is None else Path(manifest)
    near = None if target is None else there(target, project)
    talk = reach.talk()
    with reach.store(project, "cite") as store, closing(reach.origins(project, talk)) as origins:
        places = [lambda: project.manifest_files(())]
        if near is not None:
            places.insert(0, lambda: [near])
        desk = Desk(places, store, reach.locks(project), reach.asking(project, origins), project.hosts)
        found = find(wish, desk)
        added = None
        if target is not None and not isinstance(found, NotFound):
            added = append(target, project, found, words, pins(desk, near))
    reach.conclude(talk)
    if isinstance(found, NotFound):
        told = found.failure.message
        print_problems([*found.problems, *([] if told in found.problems else [f"{locator}: {told}"])])
        ctx.exit(_exit_code(found))
    _tell(found.notes, talk)
    if added is not None:
        _tell([_outcome(added)], talk)
        return
    text = _written(found, words, format_, project, talk)
    with printing():
        # Whatever the terminal's encoding is: documents and manifests are UTF-8, and a quote is to stay what it is.
        click.echo(text.encode(), nl=False)


def _exit_code(found: NotFound) -> Exit:
    if found.problems:
        return Exit.USAGE
    return Exit.FAILURE if isinstance(found.failure, Lacking) else Exit.UNAVAILABLE


def _written(found: Found, words: Words, format_: str, project: Project, talk: Talk) -> str:
    if format_ != _YAML:
        text, notes = as_document(found, format_, project.hosts)
        _tell(notes, talk)
        return text
    return as_item(found, words) if found.manifests else as_manifest(found, words)


def _outcome(added: Appended) -> str:
    if not added.is_new:
        return f"{added.manifest} has it already: {added.id}"
    source = f", and the source {added.source}" if added.source is not None else ""
    return f"added {added.id} to {added.manifest}{source}"


def _tell(notes: Sequence[str], talk: Talk) -> None:
    for note in notes:
        talk.say(note)
