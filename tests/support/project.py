"""A project folder with manifests, and the installed `prov` run in it as a user would.

The command gets an environment of its own: a home and a cache below the test's folder, no configuration of git or
pip, a package index and a proxy for https at which nobody listens. So a test that forgets to say where something
is had finds nobody, rather than the network.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import ssl
import subprocess
import sys
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Self

from support.githttp import GitServer, serve
from support.repositories import Repository
from support.standby import OWN, standing_by
from support.tunnel import Tunnel, certificate, tunnel

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from types import TracebackType

ARCHIVE = "archive.softwareheritage.org"
"""Where contents are had by their ids."""
NOWHERE = "http://127.0.0.1:9"
"""A place where nobody listens (the discard service's port)."""

_PATIENCE = 60
"""Seconds after which a command is taken to hang."""


def command() -> str:
    """The installed console script."""
    beside = Path(sys.executable).parent / "prov"
    found = str(beside) if beside.exists() else shutil.which("prov")
    assert found is not None, "prov is not installed"
    return found


@dataclass(frozen=True, slots=True)
class Source:
    """A source of a manifest."""

    git: str
    revision: str
    alternates: tuple[str, ...] = ()
    """Releases, such as `thing==1.0`."""


@dataclass(frozen=True, slots=True)
class Cite:
    """A citation of a manifest; what is not given is not written."""

    id: str
    path: str
    lines: str
    quote: str | None = None
    source: str = "code"
    claim: str | None = None
    expect: Mapping[str, str] | None = None


@dataclass(frozen=True, slots=True)
class Ran:
    """A command that has ended."""

    code: int
    stdout: bytes
    stderr: bytes

    @property
    def out(self) -> str:
        """What it printed."""
        return self.stdout.decode()

    @property
    def err(self) -> str:
        """What it said."""
        return self.stderr.decode()

    @property
    def said(self) -> str:
        """Both, for messages of tests."""
        return f"exit {self.code}\n{self.out}\n{self.err}"

    @property
    def last(self) -> str:
        """The last line printed."""
        return self.out.rstrip("\n").rpartition("\n")[2]

    def json(self) -> dict[str, object]:
        """What it printed, read as JSON."""
        found = json.loads(self.stdout)
        assert isinstance(found, dict)
        return found


class Result(dict[str, object]):
    """One result of `prov verify --format json`."""

    def span(self, key: str) -> str | None:
        """A range, as manifests write it."""
        value = self[key]
        return None if value is None else _span(value)

    def spans(self, key: str) -> list[str]:
        """Several."""
        value = self[key]
        assert isinstance(value, list)
        return [_span(item) for item in value]

    def text(self, key: str) -> str:
        """A string; a list of strings joined."""
        value = self[key]
        return "\n".join(map(str, value)) if isinstance(value, list) else str(value)


def _span(value: object) -> str:
    assert isinstance(value, dict)
    assert list(value) == ["first", "last"]
    return f"{value['first']}-{value['last']}"


@dataclass(slots=True)
class Project:
    """A project, its user's home, and how the command is run there."""

    base: Path
    """The test's folder."""
    options: tuple[str, ...] = ("--allow-local",)
    """What every command that may ask origins is given."""
    environ: dict[str, str] = field(default_factory=dict)
    """Variables beside the usual ones."""
    cwd: str = "."
    """Where commands run, relative to the project."""

    def __post_init__(self) -> None:
        for folder in (self.root / "manifests", self.home):
            folder.mkdir(parents=True, exist_ok=True)

    @property
    def root(self) -> Path:
        """The project's folder."""
        return self.base / "project"

    @property
    def home(self) -> Path:
        """Its user's."""
        return self.base / "home"

    @property
    def cache(self) -> Path:
        """The cache of bare repositories."""
        return self.home / ".cache" / "prov"

    @property
    def db(self) -> Path:
        """The evidence database."""
        return self.root / "evidence.db"

    @property
    def lock(self) -> Path:
        """The lock of the manifests."""
        return self.root / "manifests" / "prov.lock"

    def write(self, name: str, text: str | bytes) -> Path:
        """Write a file of the project."""
        file = self.root / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(text if isinstance(text, bytes) else text.encode())
        return file

    def manifest(
        self,
        source: Source | Mapping[str, Source],
        *citations: Cite,
        name: str = "page",
        title: str = "A page",
    ) -> Path:
        """Write a manifest; JSON's strings are YAML's, whatever they hold."""
        sources = {"code": source} if isinstance(source, Source) else source
        lines = ["prov: 1", f"title: {quoted(title)}", "sources:"]
        for key, item in sources.items():
            lines += [
                f"  {quoted(key)}:",
                f"    git: {quoted(item.git)}",
                f"    revision: {quoted(item.revision)}",
            ]
            if item.alternates:
                lines.append("    alternates:")
                lines += [f"      - pypi: {quoted(release)}" for release in item.alternates]
        lines.append("citations:")
        for cite in citations:
            lines += _citation(cite)
        return self.write(f"manifests/{name}.yaml", "\n".join(lines) + "\n")

    def environment(self) -> dict[str, str]:
        """What the command is given."""
        kept = {
            name: os.environ[name]
            for name in ("PATH", "TMPDIR", "COVERAGE_PROCESS_START")
            if name in os.environ
        }
        return {
            **kept,
            "HOME": str(self.home),
            "XDG_CACHE_HOME": str(self.home / ".cache"),
            "XDG_CONFIG_HOME": str(self.home / ".config"),
            "GIT_CONFIG_NOSYSTEM": "1",
            "GIT_CONFIG_GLOBAL": str(self.home / ".gitconfig"),
            "PIP_CONFIG_FILE": os.devnull,
            "PIP_INDEX_URL": f"{NOWHERE}/simple/",
            "https_proxy": NOWHERE,
            "LC_ALL": "C.UTF-8",
            "COLUMNS": "160",
            **self.environ,
        }

    def start(self, *arguments: str, stdout: int = subprocess.PIPE) -> subprocess.Popen[bytes]:
        """Start the command, as the leader of a process group, which ends with it."""
        return subprocess.Popen(
            [command(), *self.completed(arguments)],
            cwd=self.root / self.cwd,
            env=self.environment(),
            stdin=subprocess.DEVNULL,
            stdout=stdout,
            stderr=subprocess.PIPE,
            start_new_session=True,
        )

    def completed(self, arguments: Sequence[str]) -> list[str]:
        """The arguments with what every command that may ask origins is given."""
        asks = arguments[0] in {"fetch", "verify", "show", "drift"}
        return [arguments[0], *(self.options if asks else ()), *arguments[1:]]

    def run(self, *arguments: str) -> Ran:
        """Run the command to its end; that it is no fault of prov's own is always checked.

        It runs in a fork of a process that stands by, unless the environment wants an interpreter of its own.
        """
        if any(map(OWN.match, self.environ)) or "COVERAGE_PROCESS_START" in os.environ:
            ran = finish(self.start(*arguments))
        else:
            ready = next(standing_by(command()))
            folder = self.root / self.cwd
            ran = Ran(*ready.run(self.completed(arguments), folder, self.environment(), _PATIENCE))
        assert b"Traceback" not in ran.stderr, ran.said
        return ran

    def fetch(self, *arguments: str, code: int = 0) -> Ran:
        """Run `prov fetch`, which ends as given."""
        ran = self.run("fetch", *arguments)
        assert ran.code == code, ran.said
        return ran

    def verify(self, *arguments: str, code: int = 0) -> dict[str, Result]:
        """Run `prov verify`, which ends as given; its results by the citations' ids."""
        ran = self.run("verify", "--format", "json", *arguments)
        assert ran.code == code, ran.said
        return results(ran)

    def files(self) -> dict[str, bytes]:
        """All that was written, in the project and at home, by its path."""
        found = (file for folder in (self.root, self.home) for file in folder.rglob("*"))
        return {
            str(file.relative_to(self.base)): file.read_bytes()
            for file in found
            if file.is_file() and not file.is_symlink()
        }


class World:
    """A project, and a repository `r.git` on a server that can go down."""

    def __init__(self, base: Path) -> None:
        self._running = ExitStack()
        self._around = ExitStack()
        self.archive: Tunnel = self._around.enter_context(tunnel())
        """What stands in for every host behind https, the archive's too; at first nobody is there."""
        self.project = Project(base, environ={"https_proxy": self.archive.url})
        self.repository = Repository.at(base / "served" / "r.git")
        self.server: GitServer = self._running.enter_context(serve(base / "served"))

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.go_down()
        self._around.close()

    @property
    def url(self) -> str:
        """The repository's."""
        return f"{self.server.url}/r.git"

    @property
    def requests(self) -> list[str]:
        """What the server was asked since this was last looked at."""
        found = self.server.traffic.requests
        self.server.reset()
        return found

    def go_down(self) -> None:
        """Stop the server: from now on nobody listens there."""
        self._running.close()

    def open_archive(self, folder: Path, blob: str, data: bytes) -> str:
        """Let the archive be there, and have a content; the path that it is asked for."""
        file = certificate(folder, ARCHIVE)
        self.archive.context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        self.archive.context.load_cert_chain(file)
        self.project.environ["PIP_CERT"] = str(file)
        path = f"/api/1/content/sha1_git:{blob}/raw/"
        self.archive.answers[path] = data
        return path

    def source(self, revision: str, *alternates: str) -> Source:
        """The repository at a revision."""
        return Source(self.url, revision, alternates)


def finish(started: subprocess.Popen[bytes]) -> Ran:
    """Wait for a command to end; one that hangs is ended, and fails the test."""
    try:
        out, err = started.communicate(timeout=_PATIENCE)
    except subprocess.TimeoutExpired:
        os.killpg(started.pid, signal.SIGKILL)
        out, err = started.communicate()
        message = f"prov did not end within {_PATIENCE} s: {out!r} {err!r}"
        raise AssertionError(message) from None
    return Ran(started.returncode, out or b"", err)


def results(ran: Ran) -> dict[str, Result]:
    """The results that `--format json` printed, by the citations' ids."""
    found = ran.json()["results"]
    assert isinstance(found, list)
    return {item["id"]: Result(item) for item in found}


def quoted(text: str) -> str:
    """A YAML scalar that means exactly this text."""
    escaped = json.dumps(text, ensure_ascii=False)
    return re.sub(r"[\x7f-\x9f]", lambda match: f"\\x{ord(match[0]):02x}", escaped)


def _citation(cite: Cite) -> list[str]:
    lines = [
        f"  - id: {quoted(cite.id)}",
        f"    source: {quoted(cite.source)}",
        f"    path: {quoted(cite.path)}",
        f"    lines: {quoted(cite.lines)}",
        "    evidence: direct",
    ]
    if cite.claim is not None:
        lines.append(f"    claim: {quoted(cite.claim)}")
    if cite.quote is not None:
        lines.append(f"    quote: {quoted(cite.quote)}")
    if cite.expect is not None:
        pairs = ", ".join(f"{key}: {quoted(value)}" for key, value in cite.expect.items())
        lines.append(f"    expect: {{{pairs}}}")
    return lines
