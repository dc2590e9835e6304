"""Git repositories made for a test: any path, mode and message, with fixed authors and dates.

Trees are written by `git fast-import`, so that links, submodules and names that a work tree could not hold are
possible. Nothing of the user's configuration is read.
"""

from __future__ import annotations

import os
import subprocess
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    import pytest

START = 1_600_000_000
"""When a repository's first commit is made, in seconds since 1970; each further one is a minute later."""

_PROXIES = ("http_proxy", "https_proxy", "all_proxy", "no_proxy")


@dataclass(frozen=True, slots=True)
class Entry:
    """What stands at a path: a file, unless the mode says otherwise."""

    data: bytes
    """A file's bytes, a link's target, or the commit id of a submodule."""
    mode: str = "100644"


def link(target: str | bytes) -> Entry:
    """A symbolic link."""
    return Entry(target if isinstance(target, bytes) else target.encode(), "120000")


def submodule(commit: str) -> Entry:
    """A gitlink."""
    return Entry(commit.encode(), "160000")


Files = dict[str, bytes | str | Entry]
"""By path; bytes that are no UTF-8 stand in a path as surrogates (`surrogateescape`)."""


@dataclass(slots=True)
class Repository:
    """A bare repository."""

    path: Path
    made: int = field(default=0)
    """How many commits were made so far."""

    @classmethod
    def at(cls, path: Path) -> Repository:
        """Make an empty one."""
        path.parent.mkdir(parents=True, exist_ok=True)
        run("init", "--quiet", "--bare", "--initial-branch=main", str(path))
        return cls(path)

    def git(self, *arguments: str, feed: bytes = b"") -> str:
        """Run git in the repository, and give its output without the last line end."""
        return run("--git-dir", str(self.path), *arguments, feed=feed).removesuffix("\n")

    def commit(
        self, files: Mapping[str, bytes | str | Entry], *, branch: str = "main", message: str = ""
    ) -> str:
        """Make a commit with exactly these files on top of a branch, and give its id."""
        when = START + 60 * self.made
        self.made += 1
        text = (message or f"commit {self.made}").encode()
        parent = self.tip(branch)
        lines = [
            f"commit refs/heads/{branch}\n".encode(),
            f"author A U Thor <author@example.org> {when} +0000\n".encode(),
            f"committer C O Mitter <committer@example.org> {when} +0000\n".encode(),
            b"data %d\n%s\n" % (len(text), text),
            f"from {parent}\n".encode() if parent else b"",
            b"deleteall\n",
        ]
        for name, content in files.items():
            entry = _entry(content)
            quoted = _quoted(name)
            if entry.mode == "160000":
                lines.append(b"M 160000 %s %s\n" % (entry.data, quoted))
            else:
                lines.append(
                    b"M %s inline %s\ndata %d\n%s\n"
                    % (entry.mode.encode(), quoted, len(entry.data), entry.data)
                )
        self.git("fast-import", "--quiet", "--force", feed=b"".join(lines))
        return self.tip(branch)

    def tip(self, branch: str) -> str:
        """The id of a branch's newest commit; empty where there is no such branch."""
        return self.git("for-each-ref", "--format=%(objectname)", f"refs/heads/{branch}")

    def blob(self, commit: str, path: str) -> str:
        """The blob id at a path."""
        return self.git("rev-parse", f"{commit}:{path}")

    def tag(self, name: str, target: str, *, annotated: bool = False) -> None:
        """Make a tag."""
        self.git("tag", *(["-a", "-m", name] if annotated else []), name, target)

    def delete_branch(self, branch: str) -> None:
        """Delete a branch, and what only it held."""
        self.git("update-ref", "-d", f"refs/heads/{branch}")
        self.git("reflog", "expire", "--expire=now", "--all")
        self.git("gc", "--quiet", "--prune=now")


def run(*arguments: str, feed: bytes = b"") -> str:
    """Run git with an environment of its own."""
    environment = {
        "PATH": os.environ["PATH"],
        "HOME": "/dev/null",
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_AUTHOR_NAME": "A U Thor",
        "GIT_AUTHOR_EMAIL": "author@example.org",
        "GIT_AUTHOR_DATE": f"{START} +0000",
        "GIT_COMMITTER_NAME": "C O Mitter",
        "GIT_COMMITTER_EMAIL": "committer@example.org",
        "GIT_COMMITTER_DATE": f"{START} +0000",
        "LC_ALL": "C",
    }
    done = subprocess.run(["git", *arguments], input=feed, env=environment, capture_output=True, check=False)
    assert done.returncode == 0, done.stderr.decode("utf-8", "replace")
    return done.stdout.decode("utf-8", "surrogateescape")


def isolate(monkeypatch: pytest.MonkeyPatch, home: Path) -> None:
    """Let git, as the code under test runs it, find an empty home and no variable of the developer's."""
    home.mkdir(parents=True, exist_ok=True)
    for name in list(os.environ):
        if name.startswith("GIT_") or name.lower() in _PROXIES or name in {"SSH_AUTH_SOCK", "SSH_ASKPASS"}:
            monkeypatch.delenv(name)
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(home))
    monkeypatch.setenv("GIT_CONFIG_NOSYSTEM", "1")


def _entry(content: bytes | str | Entry) -> Entry:
    match content:
        case Entry():
            return content
        case str():
            return Entry(content.encode())
        case bytes():
            return Entry(content)


def _quoted(name: str) -> bytes:
    escaped = name.encode("utf-8", "surrogateescape")
    return b'"%s"' % b"".join(
        bytes([byte]) if 0x20 <= byte < 0x7F and byte not in b'"\\' else b"\\%03o" % byte for byte in escaped
    )
