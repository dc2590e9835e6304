"""`prov drift`: where cited code is at another revision, and manifests moved along."""

from __future__ import annotations

from contextlib import closing
from functools import partial
from typing import TYPE_CHECKING, TextIO

import click

from provenance.cli import completing
from provenance.cli.exits import Exit, exit_code
from provenance.cli.options import Reach, reaching
from provenance.cli.output import (
    distinct,
    print_problems,
    reporting,
    target,
    tell_written,
    write_notices,
    write_reports,
)
from provenance.cli.runs import run_of
from provenance.drift.drifting import Wish, drift
from provenance.errors import UsageError
from provenance.report.drift import summary_of
from provenance.report.formats import INTOTO

if TYPE_CHECKING:
    from collections.abc import Sequence

    from provenance.cli.output import Target
    from provenance.drift.drifting import Drifted
    from provenance.drift.writing import Written
    from provenance.evidence import Summary
    from provenance.gather import Asking
    from provenance.project import LockFiles, ManifestFile
    from provenance.relocation import Drift
    from provenance.report.run import Run
    from provenance.report.screen import Screen
    from provenance.store.store import Store


@click.command("drift")
@click.argument("paths", metavar="[PATH]…", nargs=-1, shell_complete=completing.files)
@click.option(
    "--to",
    "to",
    multiple=True,
    metavar="[SOURCE=]REV",
    shell_complete=completing.targets,
    help="Where to: a commit, branch, tag or release; latest, the default branch, where left out.",
)
@click.option("--write", "writes", is_flag=True, help="Re-pin manifests where the text is the same.")
@click.option(
    "--accept",
    multiple=True,
    metavar="ID",
    shell_complete=completing.ids,
    help="With --write: take an edited citation's new text, too.",
)
@reporting
@reaching
@click.pass_context
def command(
    ctx: click.Context,
    /,
    paths: tuple[str, ...],
    *,
    to: tuple[str, ...],
    writes: bool,
    accept: tuple[str, ...],
    strict: bool,
    format_: str,
    outputs: tuple[str, ...],
) -> None:
    """Tell where cited code is at another revision, and what became of it.

    PATH is a manifest or a folder of them, manifests/ where left out. What is missing is fetched. Lines are
    followed from their pins; a citation that does not hold at its pin is not followed.

    \b
    prov drift                            to the default branch of every repository
    prov drift --to v2.0 --to gpt-2=main  to a tag, and one source to a branch
    prov drift --to requests==2.32.0      to a release, from the one among a source's alternates
    prov drift --write                    re-pin what is the same, and prov.lock with it
    prov drift --write --accept conv      and one edit that a person has read
    """
    reach = ctx.ensure_object(Reach)
    _check(reach, writes=writes, accept=accept)
    targets = [target(text) for text in outputs]
    _check_formats(targets)
    project = reach.project()
    files = project.manifest_files(paths)
    distinct(targets, [*(file.file for file in files), *reach.own_files(project, files)])
    settings = reach.settings(project)
    talk, locks = reach.talk(), reach.locks(project)
    with reach.store(project, "drift") as store, closing(reach.past(project, talk)) as origins:
        asking = reach.asking(project, None if reach.offline else origins)
        found = drift(
            files, store, locks, asking, origins,
            wish=Wish(to, accept), settings=settings, judged=talk.judged,
        )  # fmt: skip
        reach.conclude(talk)
        drifts = found.drifts
        summary = summary_of(drifts)
        problems = list(found.problems)
        if not drifts and not problems:
            problems = ["no citation in any manifest"]
        run = run_of("drift", reach, project, files, strict=strict, problems=problems, locks=locks.all())
        report = partial(_report, run, summary, drifts, everything=bool(reach.verbose))
        write_reports(report, format_, targets)
        written = _write(found, files, store, reach.locks(project), asking) if writes else None
    if written is not None:
        talk.done()
        problems += written.problems
        notes = (f"note: {note}" for note in dict.fromkeys(written.notes))
        tell_written([*written.lines, *notes], is_text=format_ == "text")
    print_problems(problems)
    code = exit_code(summary, problems=bool(problems), strict=strict)
    ctx.exit(Exit.UNAVAILABLE if code is Exit.OK and written is not None and written.lacks else code)


def _check(reach: Reach, *, writes: bool, accept: Sequence[str]) -> None:
    """Refuse options that do not go together.

    Raises:
        UsageError: they do not.
    """
    if accept and not writes:
        message = "--accept says what --write takes: give both"
        raise UsageError(message)
    if writes and reach.offline:
        message = (
            "--write lets prov.lock say what the new pins hold, and asks origins for it: not with --offline"
        )
        raise UsageError(message)


def _check_formats(targets: Sequence[Target]) -> None:
    """Refuse an attestation.

    Raises:
        UsageError: one is asked for.
    """
    for item in targets:
        if item.format == INTOTO:
            message = (
                f"--output {item.file}: prov drift judges no document, and attests nothing; prov verify does"
            )
            raise UsageError(message)


def _report(
    run: Run,
    summary: Summary,
    drifts: Sequence[Drift],
    format_: str,
    stream: TextIO,
    /,
    *,
    screen: Screen,
    everything: bool,
) -> None:
    match format_:
        case "json":
            from provenance.report.drift_json import write_json

            write_json(stream, summary, drifts)
        case "jsonl":
            from provenance.report.drift_json import write_jsonl

            write_jsonl(stream, drifts)
        case "text":
            from provenance.report.drift import render

            stream.write(render(summary, drifts, everything=everything, screen=screen))
        case _:
            from provenance.report.notices import notices_of_drift

            write_notices(format_, stream, notices_of_drift(run, summary, drifts))


def _write(
    found: Drifted, files: Sequence[ManifestFile], store: Store, locks: LockFiles, asking: Asking
) -> Written:
    from provenance.drift.deciding import decide
    from provenance.drift.writing import write

    return write(decide(found), found, files, store, locks, asking)
