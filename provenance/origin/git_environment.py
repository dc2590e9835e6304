"""What a git child process is given: the user's own variables and configuration, and nothing that redirects it.

Pure: the environment comes in as a mapping. The names of the variables are those of git(1), "Environment
Variables", and git-config(1), "ENVIRONMENT".
"""

from __future__ import annotations

import base64
import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING
from urllib.parse import unquote

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

REMOTE = "prov-origin"
"""The name under which a child knows the repository. Its URL stands in the environment, so that no secret in it
is seen in a process list, and no configuration file of the cache ever holds it."""

_KEPT = re.compile(
    r"GIT_(?:CONFIG_\w+|SSH|SSH_COMMAND|SSH_VARIANT|SSL_\w+|ASKPASS|PROXY_SSL_\w+|HTTP_\w+|EXEC_PATH)"
)
"""The user's own variables. Every other `GIT_*` goes: it may redirect git (`GIT_DIR`, `GIT_OBJECT_DIRECTORY`) or
make it talk (`GIT_TRACE`), and new ones of either kind come with new versions."""
_CREDENTIAL = re.compile(
    r"GIT_(?:CONFIG_\w+|SSH|SSH_COMMAND|SSH_VARIANT|ASKPASS|SSL_CERT|SSL_KEY|SSL_CERT_PASSWORD_PROTECTED)"
    r"|SSH_ASKPASS|SSH_AUTH_SOCK"
)
_PUBLIC = re.compile(
    r"http\.(?:.+\.)?(?:proxy|proxyauthmethod|proxysslcainfo|sslbackend|sslcainfo|sslcapath|sslverify|sslversion"
    r"|version)|protocol\.version|safe\.directory",
    re.DOTALL,
)
"""The configuration that stays without credentials: the way to a host, not who asks."""
_BATCH_SSH = "ssh -o BatchMode=yes -o ConnectTimeout=5"
_ANONYMOUS_SSH = (
    "ssh -F /dev/null -o BatchMode=yes -o ConnectTimeout=5 -o IdentitiesOnly=yes -o IdentityAgent=none"
    " -o IdentityFile=/dev/null -o PubkeyAuthentication=no -o GSSAPIAuthentication=no"
    " -o HostbasedAuthentication=no"
)
_OPTIONS = (
    "core.hooksPath=/dev/null",
    "core.fsmonitor=false",
    "gc.auto=0",
    "maintenance.auto=false",
    "fetch.writeCommitGraph=false",
    "fetch.prune=false",
    "fetch.recurseSubmodules=false",
    "fetch.unpackLimit=1",
    "submodule.recurse=false",
    "transfer.bundleURI=false",
    "http.followRedirects=false",  # a redirect is looked at first: git would follow one to any host
    "http.lowSpeedLimit=1",
    "http.lowSpeedTime=30",
)
_USERINFO = re.compile(r"(?P<scheme>[A-Za-z][A-Za-z0-9+.\-]*)://(?P<user>[^/@\s:]*)(?P<rest>[^@\s/]*)@")
_LEAST_SECRET = 6
"""Shorter texts are not looked for by themselves: they would be found inside ordinary words."""


@dataclass(frozen=True, slots=True)
class Remote:
    """A repository as a child process is to reach it."""

    url: str = field(repr=False)
    """As git gets it: `insteadOf` still applies to it."""
    address: str = ""
    """`host:port:address`, for a name that was resolved and checked; empty where git looks it up itself."""


@dataclass(frozen=True, slots=True)
class UserConfig:
    """The user's configuration of git, as `git config --list -z` prints it."""

    entries: tuple[tuple[str, str], ...] = field(default=(), repr=False)
    """Key in git's canonical form, and value, the least specific file first."""

    @classmethod
    def parse(cls, listing: bytes) -> UserConfig:
        """Read git's listing: entries end with NUL, a key ends with LF."""
        entries = (
            entry.partition("\n") for entry in listing.decode("utf-8", "surrogateescape").split("\0") if entry
        )
        return cls(tuple((key, value) for key, _, value in entries))

    @property
    def proxied(self) -> bool:
        """Whether a proxy is configured, for whichever host: then names may not resolve here."""
        return any(
            key.startswith("http.") and key.endswith(".proxy") and value for key, value in self.entries
        )

    @property
    def has_ssh_command(self) -> bool:
        """Whether the user chose how ssh is run."""
        return any(key == "core.sshcommand" for key, _ in self.entries)

    def public(self) -> tuple[tuple[str, str], ...]:
        """The entries that say nothing of who asks."""
        return tuple(entry for entry in self.entries if _PUBLIC.fullmatch(entry[0]))

    def secrets(self) -> Iterator[str]:
        """The values of extra headers, whole and in parts, and what a Basic header encodes."""
        for key, value in self.entries:
            if key.startswith("http.") and key.endswith(".extraheader") and value:
                yield value
                token = value.split()[-1]
                yield token
                yield from _decoded(token)


def _decoded(token: str) -> Iterator[str]:
    try:
        text = base64.b64decode(token, validate=True).decode()
    except ValueError:
        return
    yield text
    yield text.partition(":")[2]


def url_secrets(url: str) -> Iterator[str]:
    """What a URL's user information holds that must not be shown: as written, unquoted, in Basic's encoding."""
    match = _USERINFO.match(url)
    if match is None:
        return
    user, password = unquote(match["user"]), unquote(match["rest"][1:])
    if password:
        yield from (match["rest"][1:], password, base64.b64encode(f"{user}:{password}".encode()).decode())
    elif match["scheme"].startswith("http"):  # a token may stand alone
        yield from (match["user"], user, base64.b64encode(f"{user}:".encode()).decode())


def without_userinfo(url: str) -> str:
    """The URL without the user information of http and https, and without a password in any other."""
    return _USERINFO.sub(_bare, url)


def _bare(match: re.Match[str]) -> str:
    keep = not match["scheme"].startswith("http") and match["user"]
    return f"{match['scheme']}://{match['user']}@" if keep else f"{match['scheme']}://"


def redact(text: str, secrets: frozenset[str]) -> str:
    """The text without user information in URLs and without the secrets."""
    for secret in sorted(secrets, key=len, reverse=True):
        if len(secret) >= _LEAST_SECRET:
            text = text.replace(secret, "***")
    return without_userinfo(text)


@dataclass(frozen=True, slots=True)
class Child:
    """How one child process is started."""

    removed: tuple[str, ...]
    """Names of variables that it must not inherit."""
    added: dict[str, str] = field(repr=False)
    """Variables that it is given."""
    options: tuple[str, ...]
    """Arguments before git's subcommand."""


@dataclass(frozen=True, slots=True)
class Recipe:
    """What all children of one origin have in common."""

    credentials: bool
    allow_local: bool
    home: Path
    """An empty folder that stands for the user's home where credentials are taken away (curl reads `~/.netrc`)."""

    def reading(self, environ: Mapping[str, str], directory: Path | None) -> Child:
        """A child that reads what is local, and can reach nothing."""
        return Child(
            self._redirecting(environ),
            {**_common(directory), "GIT_ALLOW_PROTOCOL": "none"},
            _settings("core.hooksPath=/dev/null"),
        )

    def asking(self, environ: Mapping[str, str], remote: Remote) -> Child:
        """A child that says what the user's configuration makes of a URL; it reaches nothing."""
        added = {**_common(None), "GIT_ALLOW_PROTOCOL": "none"}
        count = _count(environ)
        return Child(self._redirecting(environ), added | _entries(_named(remote), count), ())

    def fetching(
        self, environ: Mapping[str, str], directory: Path, remote: Remote, config: UserConfig
    ) -> Child:
        """A child that reaches the remote."""
        added = _common(directory)
        added["GIT_ALLOW_PROTOCOL"] = "https:ssh:http:file" if self.allow_local else "https:ssh"
        removed = self._redirecting(environ)
        options = [*_OPTIONS, *([f"http.curloptResolve={remote.address}"] if remote.address else [])]
        if self.credentials:
            if not (config.has_ssh_command or environ.get("GIT_SSH_COMMAND") or environ.get("GIT_SSH")):
                added["GIT_SSH_COMMAND"] = _BATCH_SSH
            added |= _entries(_named(remote), _count(environ))
        else:
            removed = tuple(sorted({*removed, *filter(_CREDENTIAL.fullmatch, environ)}))
            added |= self._anonymous() | _entries((*config.public(), *_named(remote)), 0)
            options.append("http.emptyAuth=false")
        return Child(tuple(name for name in removed if name not in added), added, _settings(*options))

    @staticmethod
    def _redirecting(environ: Mapping[str, str]) -> tuple[str, ...]:
        ours = _common(None)
        return tuple(
            sorted(
                name
                for name in environ
                if name.startswith("GIT_") and not _KEPT.fullmatch(name) and name not in ours
            )
        )

    def _anonymous(self) -> dict[str, str]:
        return {
            "HOME": str(self.home),
            "XDG_CONFIG_HOME": str(self.home),
            "GIT_CONFIG_NOSYSTEM": "1",
            "GIT_SSH_COMMAND": _ANONYMOUS_SSH,
            "KRB5CCNAME": "FILE:/dev/null",
        }


def _common(directory: Path | None) -> dict[str, str]:
    """Variables that every child gets."""
    return {
        "GIT_DIR": str(directory)
        if directory is not None
        else "/dev/null",  # else the project's own would be found
        "GIT_TERMINAL_PROMPT": "0",
        "GIT_NO_REPLACE_OBJECTS": "1",
        "GIT_NO_LAZY_FETCH": "1",
        "GIT_OPTIONAL_LOCKS": "0",
    }


def _named(remote: Remote) -> tuple[tuple[str, str], ...]:
    """The remote as configuration. Given a promisor with a filter, git writes neither of them to a file."""
    return (
        (f"remote.{REMOTE}.url", remote.url),
        (f"remote.{REMOTE}.promisor", "true"),
        (f"remote.{REMOTE}.partialclonefilter", "blob:none"),
    )


def _count(environ: Mapping[str, str]) -> int:
    count = environ.get("GIT_CONFIG_COUNT", "")
    return int(count) if count.isascii() and count.isdigit() else 0


def _entries(entries: tuple[tuple[str, str], ...], first: int) -> dict[str, str]:
    variables = {"GIT_CONFIG_COUNT": str(first + len(entries))}
    for number, (key, value) in enumerate(entries, first):
        variables[f"GIT_CONFIG_KEY_{number}"] = key
        variables[f"GIT_CONFIG_VALUE_{number}"] = value
    return variables


def _settings(*settings: str) -> tuple[str, ...]:
    return tuple(part for setting in settings for part in ("-c", setting))
