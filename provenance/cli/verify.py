"""`prov verify`: fetch what is missing, compare, report."""

from __future__ import annotations

import dataclasses
from contextlib import ExitStack
from functools import partial
from typing import TYPE_CHECKING

import click

from provenance.cli import completing
from provenance.cli.exits import exit_code
from provenance.cli.expecting import check_inside, expecting, tell, wish
from provenance.cli.options import Reach, reaching
from provenance.cli.output import distinct, print_problems, reporting, target, write
from provenance.cli.runs import run_of
from provenance.cli.since import manifests_since, since_option
from provenance.origins import closing
from provenance.report.run import Findings, Run, Subject
from provenance.verify import (
    Settings,
    findings,
    is_notable,
    notable,
    summarise,
    summary_of,
    verify,
    verify_locked,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from provenance.expecting import Wish, Written
    from provenance.project import LockFiles, ManifestFile, Project
    from provenance.report.notices import Mending
    from provenance.store.store import Store


@click.command("verify")
@click.argument("paths", metavar="[PATH]…", nargs=-1, shell_complete=completing.files)
@click.option("--locked", is_flag=True, help="Answer from prov.lock alone: no network, no database.")
@since_option
@expecting
@reporting
@reaching
@click.pass_context
def command(
    ctx: click.Context,
    /,
    paths: tuple[str, ...],
    *,
    locked: bool,
    since: str | None,
    writes: bool,
    until: str | None,
    because: str | None,
    strict: bool,
    format_: str,
    outputs: tuple[str, ...],
) -> None:
    """Compare the quotes of manifests with the code that they cite.

    PATH is a manifest or a folder of them, manifests/ where left out. What is missing is fetched;
    nothing is written to prov.lock, and to a manifest only with --write-expect.

    \b
    prov verify                              everything below manifests/
    prov verify --strict --output out.json   in CI, with a report for machines
    prov verify --locked                     what prov.lock vouches for, in an instant
    prov verify --since origin/main          what a branch changed
    prov verify --write-expect               what is wrong today is a warning from now on
    """
    reach = ctx.ensure_object(Reach)
    targets = [target(text) for text in outputs]
    project = reach.project()
    files = project.manifest_files(paths)
    distinct(targets, [*(file.file for file in files), *reach.own_files(project, files)])
    settings = reach.settings(project, reach.talk())
    wished = wish(settings.today, writes=writes, until=until, because=because, locked=locked)
    written: Written | None = None
    locks = reach.locks(project)
    chosen = manifests_since(since, files, project, reach)
    with ExitStack() as stack:
        if locked:
            found, problems = _locked(chosen, locks, settings)
        else:
            store = stack.enter_context(reach.store(project, "verify"))
            found, problems, written = _verify(chosen, locks, store, project, reach, settings, wished)
        if not found.summary.total and not problems and len(chosen) == len(files):
            problems = ["no citation in any manifest"]
        problems = [*problems, *(written.problems if written is not None else ())]
        subjects = found.run.subjects
        run = run_of(
            "verify", reach, project, chosen, strict=strict, problems=problems, subjects=subjects, locks=locks.all()
        )  # fmt: skip
        found = dataclasses.replace(found, run=run)
        write(
            found,
            format_,
            targets,
            everything=bool(reach.verbose),
            changes=partial(_ranges, chosen, subjects),
        )
    if written is not None:
        tell(written, is_text=format_ == "text")
    print_problems(problems)
    ctx.exit(exit_code(found.summary, problems=bool(problems), strict=strict))


def _ranges(files: Sequence[ManifestFile], judged: Sequence[Subject]) -> Mending:
    from provenance.suggesting import Ranges

    return Ranges(files, judged)


def _verify(
    files: Sequence[ManifestFile],
    locks: LockFiles,
    store: Store,
    project: Project,
    reach: Reach,
    settings: Settings,
    wished: Wish | None,
) -> tuple[Findings, list[str], Written | None]:
    if wished is not None:
        check_inside(files, project.root)
    talk = reach.talk()
    written: Written | None = None
    with closing(reach.origins(project, talk)) as origins:
        asking = reach.asking(project, origins)
        verification = verify(files, store, locks, asking, talk.judged)
        if wished is not None:
            from provenance.expecting import write as write_expects

            written = write_expects(verification, store, settings, wished)
            if written.lines:  # the report is of what the manifests say now
                asking = dataclasses.replace(asking, refresh=False)
                verification = verify(files, store, locks, asking, talk.judged)
    reach.conclude(talk)
    batches = verification.batches
    found = Findings(
        summarise(batches, store, settings),
        lambda: (item for batch in batches for item in findings(batch, store, settings)),
        lambda: notable(batches, store, settings),
        run=Run(
            subjects=tuple(
                Subject(item.path, item.sha256) for item in (batch.manifest.stored for batch in batches)
            )
        ),
    )
    return found, verification.problems, written


def _locked(
    files: Sequence[ManifestFile], locks: LockFiles, settings: Settings
) -> tuple[Findings, list[str]]:
    verification = verify_locked(files, locks, settings)
    items = verification.findings
    found = Findings(
        summary_of(items),
        lambda: iter(items),
        lambda: filter(is_notable, items),
        run=Run(subjects=tuple(map(Subject._make, verification.judged.items()))),
    )
    return found, verification.problems
