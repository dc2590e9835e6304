"""Options that several commands take, and what they build."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, date, datetime
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

import click

from provenance.cli import completing
from provenance.compare.grade import softer
from provenance.errors import UsageError
from provenance.evidence import Assurance
from provenance.extract.languages.table import Languages, note_of
from provenance.files import leads_out
from provenance.gather import Asking
from provenance.lock import NAME
from provenance.project import CONFIGURATION, LockFiles, Project

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from provenance.cli.talk import Talk
    from provenance.origins import NetworkOrigins
    from provenance.project import ManifestFile
    from provenance.store.store import Store
    from provenance.verify import Settings

Command = TypeVar("Command", bound="Callable[..., object]")

_JOBS = 4


@dataclass(slots=True)
class Reach:
    """How far a command reaches: the values of the options below, filled in by click."""

    db: str | None = None
    lock: str | None = None
    jobs: int | None = None
    offline: bool = False
    refresh: bool = False
    assurance: str = Assurance.ARTIFACT.value
    allow_local: bool = False
    allow_host: tuple[str, ...] = ()
    no_credentials: bool = False
    verbose: int = 0
    quiet: bool = False
    asked: Asking | None = None
    """What the run was told to ask, once it was told."""

    def project(self) -> Project:
        """The project around the current folder."""
        return Project.discover(Path.cwd())

    def store(self, project: Project, command: str) -> Store:
        """The evidence database, opened when it is first used.

        Raises:
            UsageError: the project's own database is a link that leads out of it.
        """
        from provenance.store.store import Store

        return Store(self.database(project), command)

    def database(self, project: Project) -> str:
        """Where the evidence database is: a path, or a SQLAlchemy URL.

        Raises:
            UsageError: the project's own database is a link that leads out of it.
        """
        if self.db is not None:
            return self.db
        file = project.root / project.db
        if leads_out(file, project.root):
            message = f"{project.db} is a link that leads out of the project; name the database with --db"
            raise UsageError(message)
        return str(file)

    def settings(self, project: Project, talk: Talk | None = None) -> Settings:
        """What a verdict's level depends on; a talk is told what the project makes of verdicts that are wrong."""
        from provenance.verify import Settings

        softened = softer(project.levels)
        if softened and talk is not None:
            talk.say(f"{CONFIGURATION} says that {softened}")
        return Settings(today(), project.levels, Assurance(self.assurance), project.hosts)

    def own_files(self, project: Project, files: Sequence[ManifestFile]) -> Iterator[Path]:
        """The configuration, the database, where it is a file, and the locks."""
        yield project.root / CONFIGURATION
        yield Path(self.db) if self.db is not None else project.root / project.db
        yield from [Path(self.lock)] if self.lock else {file.file.parent / NAME for file in files}

    def locks(self, project: Project) -> LockFiles:
        """The locks of the run."""
        return LockFiles(project, self.lock)

    def talk(self) -> Talk:
        """Who tells the user how it goes."""
        from provenance.cli.talk import Talk

        return Talk(verbose=self.verbose, quiet=self.quiet)

    def asking(
        self, project: Project, origins: NetworkOrigins | None, update: tuple[str, ...] = ()
    ) -> Asking:
        """How much may be asked."""
        self.asked = Asking(
            origins=origins,
            refresh=self.refresh,
            update=frozenset(update),
            least=Assurance(self.assurance),
            jobs=self.jobs or project.jobs or _JOBS,
            languages=Languages(project.languages),
        )
        return self.asked

    def conclude(self, talk: Talk) -> None:
        """Take the progress line away, and say what would have been read more closely with another grammar."""
        talk.done()
        for language in self.asked.languages.missed.values() if self.asked is not None else ():
            talk.say(note_of(language))

    def origins(self, project: Project, talk: Talk) -> NetworkOrigins | None:
        """Whom to ask; None with `--offline`."""
        return None if self.offline else self.past(project, talk)

    def past(self, project: Project, talk: Talk) -> NetworkOrigins:
        """Whom to ask for history; with `--offline` what the cache has of it is read."""
        from provenance.origins import NetworkOrigins, NetworkReach

        reach = NetworkReach(
            root=project.root,
            allow_local=self.allow_local,
            allow_hosts=frozenset(self.allow_host),
            credentials=not self.no_credentials,
            offline=self.offline,
        )
        return NetworkOrigins(talk, reach)


def _keep(ctx: click.Context, parameter: click.Parameter, value: object) -> None:
    setattr(ctx.ensure_object(Reach), str(parameter.name), value)


_option = partial(click.option, callback=_keep, expose_value=False)

_DB = _option(
    "--db",
    metavar="DB",
    shell_complete=completing.files,
    help="Evidence database: a path or a SQLAlchemy URL.",
)
_LOCK = _option(
    "--lock",
    metavar="FILE",
    shell_complete=completing.files,
    help="The lock, where it is not beside the manifests.",
)

_OPTIONS = (
    _DB,
    _LOCK,
    _option("--jobs", type=click.IntRange(1, 64), metavar="N", help="Repositories asked at once."),
    _option("--offline", is_flag=True, help="Ask nobody."),
    _option("--refresh", is_flag=True, help="Ask origins and judge anew, whatever is stored."),
    _option(
        "--assurance",
        type=click.Choice([item.value for item in Assurance]),
        default=Assurance.ARTIFACT.value,
        help="The least that counts as judged.",
    ),
    _option("--allow-local", is_flag=True, help="Allow paths, file: and http to this machine."),
    _option("--allow-host", multiple=True, metavar="HOST", help="Allow a host with a private address."),
    _option("--no-credentials", is_flag=True, help="Use no credential helpers, headers, agents or netrc."),
    _option("-v", "--verbose", count=True, help="Say more, and list what holds."),
    _option("-q", "--quiet", is_flag=True, help="Say less."),
)


def reaching(command: Command) -> Command:
    """Add the options of a command that may ask origins; `ctx.ensure_object(Reach)` has their values."""
    return with_options(_OPTIONS, command)


def reaching_unlocked(command: Command) -> Command:
    """The same for a command that no lock speaks to."""
    return with_options([option for option in _OPTIONS if option is not _LOCK], command)


def remembering(command: Command) -> Command:
    """Add the option of a command that asks the evidence database alone."""
    return with_options([_DB], command)


def with_options(options: Sequence[Callable[[Command], Command]], command: Command) -> Command:
    """Add options to a command, which its help lists in this order."""
    for option in reversed(options):
        command = option(command)
    return command


def today() -> date:
    """Today, in UTC: the day on which an `expect` holds or does not."""
    return datetime.now(UTC).date()
