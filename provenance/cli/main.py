"""The entry point: finds a command's module when it is called, and turns what escapes into an exit code."""

from __future__ import annotations

import _thread
import errno
import gc
import os
import signal
import sys
import time
from importlib import import_module
from io import StringIO
from typing import TYPE_CHECKING

import click

from provenance import __version__
from provenance.cli.exits import Exit

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

_COMMANDS = {
    "fetch": ("fetch", "Get every cited content; write evidence.db and prov.lock."),
    "verify": ("verify", "Compare quotes with the code they cite, and report."),
    "show": ("show", "Show one cited place, for a reviewer."),
    "drift": ("drift", "Tell where cited code is today, and move manifests along."),
    "scan": ("scan", "Judge the links and quotes that stand in documents."),
    "import": ("import_", "Turn evidence pages into manifests, one a page."),
    "crawl": ("crawl", "Turn the evidence pages of a site into manifests."),
    "report": ("report", "Write a static site for people."),
    "log": ("log", "Tell how a citation's verdict came to be what it is."),
    "cite": ("cite", "Print a citation of some lines, or add it to a manifest."),
    "schema": ("schema", "Print the manifest's JSON Schema."),
}
"""Each command's module and its line of help, so that `prov --help` imports none of them."""

_COMPLETE = "_PROV_COMPLETE"
"""The variable by which a shell asks for completion."""
_SOON = 0.05
"""Seconds."""
_YOUNG = 10_000
"""New objects after which Python looks for cycles. With its own 700 that is up to a third of a run's time, for a run
makes many records that stay, and few cycles."""


class _Commands(click.Group):
    """A group whose commands are imported when they are called."""

    def list_commands(self, _ctx: click.Context, /) -> list[str]:
        return list(_COMMANDS)

    def get_command(self, _ctx: click.Context, cmd_name: str, /) -> click.Command | None:
        if cmd_name not in _COMMANDS:
            return None
        command: click.Command = import_module(f"provenance.cli.{_COMMANDS[cmd_name][0]}").command
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str], /
    ) -> tuple[str | None, click.Command | None, list[str]]:
        name = args[0]
        if name not in _COMMANDS and not name.startswith("-") and not ctx.resilient_parsing:
            ctx.fail(f"No such command {name!r}.{_meant(name)}")
        return super().resolve_command(ctx, args)

    def shell_complete(self, ctx: click.Context, incomplete: str, /) -> list[CompletionItem]:
        from click.shell_completion import CompletionItem

        return [
            *(
                CompletionItem(name, help=line)
                for name, (_, line) in _COMMANDS.items()
                if name.startswith(incomplete)
            ),
            *click.Command.shell_complete(self, ctx, incomplete),  # not the group's: it imports all commands
        ]

    def format_commands(self, _ctx: click.Context, formatter: click.HelpFormatter, /) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(name, line) for name, (_, line) in _COMMANDS.items()])


def _meant(name: str) -> str:
    """Which commands a name that is none looks like."""
    from difflib import get_close_matches

    found = [f"'{each}'" for each in get_close_matches(name, _COMMANDS)]
    return f" Did you mean {' or '.join(found)}?" if found else ""


@click.group(
    cls=_Commands,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog="Exit codes: 0 all hold, 1 a failure, 2 wrong input, 3 something was unavailable, 4 a fault of prov.",
)
@click.version_option(__version__, "-V", "--version", prog_name="prov")
def prov() -> None:
    """Check that the code a document quotes is the code it cites, at the pinned revision.

    \b
    prov import page.txt             evidence pages -> manifests/
    prov cite LINK                   a citation with its quote, ready to paste
    prov fetch                       cited code -> evidence.db and prov.lock
    prov verify                      compare, report, exit 1 where a quote does not hold
    prov show transformer.py:99-103  one place, for a reviewer
    prov log conv-relu               when a verdict changed
    prov drift                       where the cited code is today
    prov scan docs/                  links and quotes in documents, without a manifest
    prov report -o site              pages for people
    """


def main() -> None:
    """Run `prov` and leave with its exit code."""
    gc.set_threshold(_YOUNG)
    _open_streams()
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:  # what a terminal cannot show is spelled out, never a crash
            reconfigure(errors="backslashreplace")
    sys.unraisablehook = _interrupted_again
    sys.exit(_run())


def _interrupted_again(lost: sys.UnraisableHookArgs) -> None:
    """An interrupt that comes while Python lets go of something is lost there: it is sent once more."""
    if isinstance(lost.exc_value, KeyboardInterrupt):
        _thread.start_new_thread(
            _interrupt_soon, ()
        )  # not `threading`: it waits, and would be interrupted here
    else:
        sys.__unraisablehook__(lost)


def _interrupt_soon() -> None:
    """Interrupt the main thread when it has left the hook."""
    time.sleep(_SOON)
    os.kill(os.getpid(), signal.SIGINT)  # which ends a wait, too


def _open_streams() -> None:
    """Give a process whose output was closed somewhere to print to."""
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:
            setattr(sys, name, os.fdopen(os.open(os.devnull, os.O_WRONLY), "w", encoding="utf-8"))


def _run() -> int:
    try:
        if _COMPLETE in os.environ:
            from provenance.cli.completion import complete

            return complete(prov, os.environ[_COMPLETE])
        code = prov.main(standalone_mode=False)
        sys.stdout.flush()
    except (Exception, KeyboardInterrupt) as error:  # noqa: BLE001 - the last resort: a fault of prov's own
        return _ending(error)
    return code if isinstance(code, int) else Exit.OK


def _ending(error: BaseException) -> int:
    """The exit code of what ended the run, once it was told."""
    from provenance.errors import ProvError, UsageError

    match error:
        case click.ClickException():
            return _refused(error)
        case click.Abort() | KeyboardInterrupt():
            code = _ended("interrupted", Exit.INTERRUPTED)
        case UsageError():
            code = _ended(str(error), Exit.USAGE)
        case ProvError():
            code = _ended(str(error), Exit.FAULT)
        case BrokenPipeError():  # whoever read our output has seen enough
            _print_nowhere()
            code = Exit.OK
        case OSError(errno=errno.ENOSPC | errno.EIO | errno.EBADF):
            _print_nowhere()
            code = _ended(f"the output cannot be written: {error.strerror}", Exit.FAULT)
        case _:
            code = _fault(error)
    return code


def _print_nowhere() -> None:
    """Keep Python from writing, when it ends, what could not be written now."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _ended(message: str, code: Exit) -> Exit:
    from provenance.cli.saying import told

    click.echo(f"prov: {told(message)}", err=True)
    return code


def _refused(error: click.ClickException) -> int:
    """Click's own words on wrong usage; what it quotes of the arguments is made inert."""
    from provenance.cli.saying import told

    words = StringIO()
    error.show(words)
    click.echo(told(words.getvalue()), err=True, nl=False)
    return error.exit_code


def _fault(error: BaseException) -> Exit:
    import traceback

    from provenance.cli.saying import told

    click.echo(told("".join(traceback.format_exception(error))), err=True)
    click.echo("prov: this is a fault of prov itself; please report the lines above", err=True)
    return Exit.FAULT
