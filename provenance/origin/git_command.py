"""The one place that runs git: through GitPython's command layer, bounded in time and size.

What a child says leaves this module without secrets.
"""

from __future__ import annotations

import os
import re
import signal
import subprocess
import threading
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from typing import IO, TYPE_CHECKING

from provenance.errors import ProvError
from provenance.origin.git_environment import REMOTE, Recipe, Remote, UserConfig, redact, url_secrets

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path

    from provenance.origin.git_environment import Child

LEAST_VERSION = (2, 30)
"""The oldest git that is supported."""

_VERSION = re.compile(r"git version (\d+)\.(\d+)")
_RECEIVING = re.compile(
    r"(?:Receiving|Unpacking) objects: +\d+% \((?P<objects>\d+)/\d+\)(?:, (?P<size>[\d.]+) (?P<unit>\w+))?"
)
"""What `git fetch --progress` prints (progress.c); the size stands there after a second, and at the end."""
_PROGRESS = re.compile(r"^(?:remote: )?[A-Z][a-z]+ [a-z]+: +(?:\d+%|\d+)|^remote: (?:Enumerating|Total) ")
_UNITS = {"bytes": 1, "byte": 1, "KiB": 1 << 10, "MiB": 1 << 20, "GiB": 1 << 30}
_KEPT_ERRORS = 1 << 16
"""Bytes of a child's talk that are kept: a server decides how much it says."""


class GitFault(ProvError):
    """git, or the cache that it works in, cannot be used; the message says how to mend it."""


@dataclass(frozen=True, slots=True)
class Limits:
    """Bounds on what a repository may cost."""

    blob: int = 64 << 20
    """Bytes of one file."""
    fetch_bytes: int = 2 << 30
    """Bytes that one transfer may receive."""
    printed_bytes: int = 64 << 20
    """Bytes that a child may print, such as the list of a server's references: about a million of them."""
    seconds: float = 300.0
    """Wall clock of one child process that uses the network."""
    connect_seconds: float = 5.0
    """How long a host may take to accept a connection."""
    retries: int = 2
    """How often a call that failed for a passing reason is made again."""
    backoff: float = 1.0
    """Seconds before the first of those; each later one waits twice as long."""


DEFAULT_LIMITS = Limits()


@dataclass(frozen=True, slots=True)
class Finished:
    """A child process that has ended."""

    code: int
    out: bytes = field(repr=False)
    err: str
    """What it said, without progress and without secrets."""
    stopped: str = ""
    """Why it was ended before its time; empty where it ended by itself."""


class GitProcess:
    """A running child, with its pipes; it leads a process group of its own."""

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        if process.stdin is None or process.stdout is None or process.stderr is None:
            message = "git was started without pipes"
            raise GitFault(message)
        self._process = process
        self.stdin: IO[bytes] = process.stdin
        self.stdout: IO[bytes] = process.stdout
        self.talk = _Talk(process.stderr)
        """What it says on its standard error."""

    def kill(self) -> None:
        """End the child and all that it started."""
        if self._process.poll() is None:
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(self._process.pid, signal.SIGKILL)

    def wait(self) -> int:
        """Its exit code, once it has ended."""
        return self._process.wait()

    def close(self) -> None:
        """Close its pipes, and end it where that does not."""
        for pipe in (self.stdin, self.stdout):
            with suppress(OSError):  # what is still to be written finds no reader
                pipe.close()
        try:
            self._process.wait(timeout=1)
        except subprocess.TimeoutExpired:
            self.kill()
            self._process.wait()
        self.talk.text()


class _Talk:
    """Reads a child's standard error in a thread: progress goes to a callback, the rest is kept."""

    def __init__(self, stream: IO[bytes]) -> None:
        self.on_progress: Callable[[int, int], None] | None = None
        """Told the bytes and objects received so far."""
        self._stream = stream
        self._kept = bytearray()
        self._thread = threading.Thread(target=self._read, daemon=True)
        self._thread.start()

    def text(self) -> str:
        """All that was said but progress, once the child has ended."""
        # A connection that ssh keeps for later (ControlPersist) holds the pipe open when all has been said.
        self._thread.join(timeout=2)
        return self._kept.decode("utf-8", "replace").strip()

    def _read(self) -> None:
        with self._stream:
            line = bytearray()
            while chunk := os.read(self._stream.fileno(), 4096):
                *whole, rest = re.split(rb"[\r\n]", line + chunk)
                for one in whole:
                    self._take(one)
                line = bytearray(rest[-_KEPT_ERRORS:])
            self._take(bytes(line))

    def _take(self, line: bytes) -> None:
        text = line.decode("utf-8", "replace").rstrip()
        match = _RECEIVING.match(text)
        if match is not None and self.on_progress is not None:
            size = float(match["size"]) * _UNITS.get(match["unit"], 1) if match["size"] else 0
            self.on_progress(int(size), int(match["objects"]))
        if text and not _PROGRESS.match(text) and len(self._kept) < _KEPT_ERRORS:
            self._kept += line.rstrip() + b"\n"


class GitCommand:
    """Runs git for one origin. Safe to use from several threads."""

    def __init__(self, recipe: Recipe, limits: Limits = DEFAULT_LIMITS) -> None:
        self._recipe = recipe
        self._limits = limits
        self._lock = threading.Lock()
        self._config: UserConfig | None = None

    @property
    def config(self) -> UserConfig:
        """The user's configuration.

        Raises:
            GitFault: git is missing, too old, or cannot read its configuration.
        """
        with self._lock:
            if self._config is None:
                self._check_version()
                child = self._recipe.reading(os.environ, None)
                listing = self._run(child, ("config", "--list", "-z", "--includes"))
                _check_code(listing)
                self._config = UserConfig.parse(listing.out)
            return self._config

    def effective_url(self, url: str) -> str:
        """What the user's `insteadOf` makes of a URL. Nothing is reached.

        Raises:
            GitFault: git cannot be used.
        """
        child = self._recipe.asking(os.environ, Remote(url))
        answer = self._run(child, ("ls-remote", "--get-url", "--", REMOTE))
        _check_code(answer)
        return answer.out.decode("utf-8", "surrogateescape").removesuffix("\n")

    def read(self, arguments: Sequence[str], directory: Path) -> Finished:
        """Run a command that stays within a repository of the cache."""
        return self._run(self._recipe.reading(os.environ, directory), arguments)

    def reader(self, arguments: Sequence[str], directory: Path) -> GitProcess:
        """Start a command that answers questions about a repository of the cache until it is closed."""
        return self._start(self._recipe.reading(os.environ, directory), arguments)

    def reach(
        self,
        arguments: Sequence[str],
        directory: Path,
        remote: Remote,
        *,
        feed: bytes = b"",
        on_progress: Callable[[int, int], None] | None = None,
        trace: bool = False,
    ) -> Finished:
        """Run a command that uses the network, within the limits.

        Args:
            arguments: git's subcommand and what follows it; the remote is called `REMOTE`.
            directory: the repository of the cache.
            remote: where `REMOTE` is.
            feed: what the child reads on its standard input.
            on_progress: told the bytes and objects received so far.
            trace: whether HTTP's headers are traced to the child's standard error (git hides credentials).
        """
        child = self._recipe.fetching(os.environ, directory, remote, self.config)
        if trace:
            child.added.update(GIT_TRACE_CURL="2", GIT_TRACE_CURL_NO_DATA="1", GIT_TRACE_REDACT="1")
        done = self._run(child, arguments, feed=feed, on_progress=on_progress)
        return Finished(done.code, done.out, self.redact(done.err, remote.url), done.stopped)

    def redact(self, text: str, *urls: str) -> str:
        """The text without the secrets of the user's configuration and of the URLs."""
        config = self._config or UserConfig()
        return redact(
            text, frozenset([*config.secrets(), *(one for url in urls for one in url_secrets(url))])
        )

    def _check_version(self) -> None:
        answer = self._run(self._recipe.reading(os.environ, None), ("--version",))
        _check_code(answer)
        match = _VERSION.match(answer.out.decode("utf-8", "replace"))
        if match is None:
            message = "git does not say its version; prov needs git 2.30 or newer"
            raise GitFault(message)
        if (int(match[1]), int(match[2])) < LEAST_VERSION:
            message = f"this git is {match[1]}.{match[2]}; prov needs git 2.30 or newer"
            raise GitFault(message)

    def _run(
        self,
        child: Child,
        arguments: Sequence[str],
        *,
        feed: bytes = b"",
        on_progress: Callable[[int, int], None] | None = None,
    ) -> Finished:
        process = self._start(child, arguments)
        with _watched(process, self._limits) as watch:

            def progress(received: int, objects: int) -> None:
                watch.received(received)
                if on_progress is not None:
                    on_progress(received, objects)

            process.talk.on_progress = progress
            feeder = threading.Thread(target=_feed, args=(process.stdin, feed), daemon=True)
            feeder.start()
            out = bytearray()
            while chunk := process.stdout.read(1 << 16):
                out += chunk
                watch.printed(len(out))
            code = process.wait()
            err = process.talk.text()
            feeder.join()
        return Finished(code, bytes(out), err, watch.stopped)

    def _start(self, child: Child, arguments: Sequence[str]) -> GitProcess:
        try:
            from git.cmd import Git
            from git.exc import GitCommandNotFound
        except ImportError as error:  # GitPython looks for git when it is imported
            message = "git was not found: prov needs git 2.30 or newer on the PATH"
            raise GitFault(message) from error
        # GitPython gives its children all of this process's variables; env(1) is what can take some away.
        removing = (
            ["env", *(part for name in child.removed for part in ("-u", name))] if child.removed else []
        )
        try:
            started = Git().execute(
                [*removing, "git", *child.options, *arguments],
                istream=subprocess.PIPE,
                as_process=True,
                shell=False,
                env=child.added,
                start_new_session=True,
            )
        except (GitCommandNotFound, OSError) as error:
            message = "git could not be started: prov needs git 2.30 or newer on the PATH"
            raise GitFault(message) from error
        process, started.proc = (
            started.proc,
            None,
        )  # else GitPython ends the child when its wrapper is collected
        if process is None:
            message = "git could not be started"
            raise GitFault(message)
        return GitProcess(process)


def _check_code(finished: Finished) -> None:
    if finished.code:
        message = f"git cannot be used: {finished.stopped or redact(finished.err, frozenset())}"
        raise GitFault(message)


def _feed(stream: IO[bytes], data: bytes) -> None:
    with suppress(OSError):  # the child ended without reading all of it; its exit code says why
        stream.write(data)
        stream.close()


class _Watch:
    """The bounds on one child."""

    def __init__(self, process: GitProcess, limits: Limits) -> None:
        self.stopped = ""
        self._process = process
        self._limits = limits

    def late(self) -> None:
        self._stop(f"it took longer than {self._limits.seconds:g} seconds")

    def received(self, size: int) -> None:
        if size > self._limits.fetch_bytes:
            self._stop(f"it sent more than {self._limits.fetch_bytes:,} bytes")

    def printed(self, size: int) -> None:
        if size > self._limits.printed_bytes:
            self._stop(f"it listed more than {self._limits.printed_bytes:,} bytes")

    def _stop(self, why: str) -> None:
        self.stopped = self.stopped or why
        self._process.kill()


@contextmanager
def _watched(process: GitProcess, limits: Limits) -> Iterator[_Watch]:
    """Bound a child, and leave none behind: not after an interrupt either."""
    watch = _Watch(process, limits)
    timer = threading.Timer(limits.seconds, watch.late)
    timer.daemon = True
    timer.start()
    try:
        yield watch
    finally:
        timer.cancel()
        process.kill()
        process.close()
