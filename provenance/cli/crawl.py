"""`prov crawl`: the evidence pages of a site -> manifests, one a page."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from provenance.cli import completing
from provenance.cli.exits import Exit
from provenance.cli.import_ import only_file, told
from provenance.cli.output import print_problems, printing
from provenance.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from provenance.cli.talk import Talk
    from provenance.crawl.events import Found, Notice, Tally
    from provenance.importing import Import

_LONGEST_DELAY = 3600.0


@click.command("crawl")
@click.argument("urls", metavar="URL...", nargs=-1, required=True)
@click.option(
    "-o",
    "--output",
    default="manifests/",
    show_default=True,
    metavar="DIR/",
    shell_complete=completing.folders,
    help="Write manifests into this folder.",
)
@click.option(
    "--depth", type=click.IntRange(0, 100), default=3, show_default=True, metavar="N", help="Follow N links."
)
@click.option(
    "--max-pages",
    type=click.IntRange(1, 100_000),
    default=1000,
    show_default=True,
    metavar="N",
    help="Ask for N pages of a site at most.",
)
@click.option(
    "--delay",
    type=click.FloatRange(0, _LONGEST_DELAY),
    default=0.5,
    show_default=True,
    metavar="SECONDS",
    help="Pause between two requests.",
)
@click.option("--offline", is_flag=True, help="Ask nobody: read what was had before.")
@click.option("--refresh", is_flag=True, help="Ask for every page anew, be it the same or not.")
@click.option("--allow-local", is_flag=True, help="Allow http to this machine.")
@click.option("--allow-host", multiple=True, metavar="HOST", help="Allow a host with a private address.")
@click.option("--no-credentials", is_flag=True, help="Use no netrc.")
@click.option("-v", "--verbose", count=True, help="Say more: what was left out, and what is unchanged.")
@click.option("-q", "--quiet", is_flag=True, help="Say less.")
@click.pass_context
def command(
    ctx: click.Context,
    urls: tuple[str, ...],
    output: str,
    depth: int,
    max_pages: int,
    delay: float,
    verbose: int,
    *,
    offline: bool,
    refresh: bool,
    allow_local: bool,
    allow_host: tuple[str, ...],
    no_credentials: bool,
    quiet: bool,
) -> None:
    """Read the evidence pages of sites and write a manifest for each, as `prov import` does.

    From URL on, links to the same host are followed, and the site's sitemap is read. robots.txt is kept to. A
    crawl that is cut off goes on where it was, and one that came to its end costs little the next time: what the
    server says has not changed is not sent again.

    \b
    prov crawl https://example.org/evidence/        a site, from one of its pages on
    prov crawl https://example.org/ --depth 1       its first page, and what that links to
    prov crawl https://example.org/page --depth 0   one page
    """
    from provenance.cli.talk import Talk
    from provenance.crawl.crawling import Crawl, Manner
    from provenance.crawl.events import Bounds
    from provenance.origin.address import AddressPolicy

    if only_file(output) is not None:
        message = f"{output} is one file, and a site may have many pages: name a folder, such as manifests/"
        raise UsageError(message)
    manner = Manner(
        AddressPolicy(allow_local=allow_local, allow_hosts=frozenset(allow_host)),
        Bounds(depth, max_pages),
        delay=delay,
        credentials=not no_credentials,
        refresh=refresh,
        offline=offline,
    )
    talk = Talk(verbose=verbose, quiet=quiet)
    run = _Run(talk, verbose=verbose > 0)
    crawl = Crawl(urls, manner, talk)
    run.write(run.hear(crawl.events()), Path(output))
    with printing():
        click.echo(run.summary(crawl.tally))
    ctx.exit(run.code(crawl.tally))


class _Run:
    """What a person is told of a crawl, and what it ends with."""

    def __init__(self, talk: Talk, *, verbose: bool) -> None:
        self._talk = talk
        self._verbose = verbose
        self._wrong = False
        self._unavailable = False
        self._written = 0
        self._unchanged = 0

    def hear(self, events: Iterator[Found | Notice]) -> list[Found]:
        """Go through a crawl; the evidence pages that it found."""
        from provenance.crawl.events import Found

        found: list[Found] = []
        try:
            for event in events:
                if isinstance(event, Found):
                    found.append(event)
                else:
                    self.tell(event)
        finally:
            self._talk.done()
        return found

    def tell(self, notice: Notice) -> None:
        """Tell what a notice says, a problem also where little is to be said."""
        from provenance.crawl.events import Trouble

        match notice.trouble:
            case Trouble.WRONG:
                self._wrong = True
                self._problem(notice.message)
            case Trouble.UNAVAILABLE:
                self._unavailable = True
                self._problem(notice.message)
            case Trouble.NONE:
                self._talk.say(notice.message)
            case Trouble.DETAIL:
                if self._verbose:
                    self._talk.say(notice.message)

    def write(self, found: list[Found], folder: Path) -> None:
        """Write the manifests of pages. One that cannot be written does not stop the others."""
        from provenance.crawl.crawling import imports_of

        imports, notices = imports_of(found, folder)
        for notice in notices:
            self.tell(notice)
        for each in imports:
            self._write(each)

    def _write(self, each: Import) -> None:
        from provenance.importing import write

        try:
            imported = write(each)
        except UsageError as error:
            self._wrong = True
            self._problem(str(error))
            return
        for note in imported.notes:
            self._talk.say(note)
        self._written += imported.written
        self._unchanged += not imported.written
        if imported.written or self._verbose:
            with printing():
                click.echo(told(imported))

    def _problem(self, message: str) -> None:
        self._talk.done()
        print_problems([message])

    def summary(self, tally: Tally) -> str:
        """The run in one line."""
        alone = (
            f"; {_count(tally.disallowed, 'page')} left alone as the site asks" if tally.disallowed else ""
        )
        manifests = "manifest" if self._written == 1 else "manifests"
        return (
            f"{_count(tally.pages, 'page')}, {tally.unmodified:,} not modified; "
            f"{_count(tally.evidence, 'evidence page')}: {self._written:,} {manifests} written, "
            f"{self._unchanged:,} unchanged; {tally.failed:,} failed{alone}"
        )

    def code(self, tally: Tally) -> Exit:
        """What the run ends with. A site without a single evidence page is not what anybody meant to crawl."""
        if self._wrong:
            return Exit.USAGE
        if self._unavailable:
            return Exit.UNAVAILABLE
        if not tally.evidence:
            self._problem("no evidence page was found")
            return Exit.USAGE
        return Exit.OK


def _count(count: int, what: str) -> str:
    return f"{count:,} {what if count == 1 else f'{what}s'}"
