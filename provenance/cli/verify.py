"""`prov verify`: fetch what is missing, compare, report."""

from __future__ import annotations

from contextlib import ExitStack
from typing import TYPE_CHECKING

import click

from provenance.cli.exits import exit_code
from provenance.cli.options import Reach, reaching, today
from provenance.cli.output import Findings, distinct, print_problems, reporting, target, write
from provenance.evidence import Assurance, Level
from provenance.origins import closing
from provenance.verify import Settings, findings, notable, summarise, summary_of, verify, verify_locked

if TYPE_CHECKING:
    from collections.abc import Sequence

    from provenance.project import LockFiles, ManifestFile, Project
    from provenance.store.store import Store


@click.command("verify")
@click.argument("paths", metavar="[PATH]…", nargs=-1)
@click.option("--locked", is_flag=True, help="Answer from prov.lock alone: no network, no database.")
@reporting
@reaching
@click.pass_context
def command(
    ctx: click.Context,
    /,
    paths: tuple[str, ...],
    *,
    locked: bool,
    strict: bool,
    format_: str,
    outputs: tuple[str, ...],
) -> None:
    """Compare the quotes of manifests with the code that they cite.

    PATH is a manifest or a folder of them, manifests/ where left out. What is missing is fetched;
    nothing is written to a manifest or to prov.lock.

    \b
    prov verify                              everything below manifests/
    prov verify --strict --output out.json   in CI, with a report for machines
    prov verify --locked                     what prov.lock vouches for, in an instant
    """
    reach = ctx.ensure_object(Reach)
    targets = [target(text) for text in outputs]
    project = reach.project()
    files = project.manifest_files(paths)
    distinct(targets, [*(file.file for file in files), *reach.own_files(project, files)])
    settings = Settings(today(), project.levels, Assurance(reach.assurance), project.hosts)
    with ExitStack() as stack:
        if locked:
            found, problems = _locked(files, reach.locks(project), settings)
        else:
            store = stack.enter_context(reach.store(project, "verify"))
            found, problems = _verify(files, store, project, reach, settings)
        if not found.summary.total and not problems:
            problems = ["no citation in any manifest"]
        write(found, format_, targets, everything=bool(reach.verbose))
    print_problems(problems)
    ctx.exit(exit_code(found.summary, problems=bool(problems), strict=strict))


def _verify(
    files: Sequence[ManifestFile], store: Store, project: Project, reach: Reach, settings: Settings
) -> tuple[Findings, list[str]]:
    talk = reach.talk()
    with closing(reach.origins(project, talk)) as origins:
        verification = verify(files, store, reach.locks(project), reach.asking(project, origins), talk.judged)
    reach.conclude(talk)
    batches = verification.batches
    found = Findings(
        summarise(batches, store, settings),
        lambda: (item for batch in batches for item in findings(batch, store, settings)),
        lambda: notable(batches, store, settings),
    )
    return found, verification.problems


def _locked(
    files: Sequence[ManifestFile], locks: LockFiles, settings: Settings
) -> tuple[Findings, list[str]]:
    verification = verify_locked(files, locks, settings)
    items = verification.findings
    found = Findings(
        summary_of(items), lambda: iter(items), lambda: (item for item in items if item.level is not Level.OK)
    )
    return found, verification.problems
