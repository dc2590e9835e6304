"""Which package index pip is configured for, read as pip reads it and without running pip.

Source: pip's documentation, "Configuration" (files, precedence, environment variables).
"""

from __future__ import annotations

import configparser
import os
import sys
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import unquote, urlsplit

from provenance.errors import RefusedURL
from provenance.origin.address import locate, shown
from provenance.origin.http import HttpSession, Limits, Login

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from provenance.origin.address import AddressPolicy
    from provenance.origin.hosts import Endpoint

_SECTIONS = ("global", "install", "download")
"""The sections that bear on getting a file, the one that counts most last."""
_KEYS = frozenset({"index-url", "extra-index-url", "no-index", "cert", "client-cert"})
_TRUE = frozenset({"y", "yes", "t", "true", "on", "1"})


@dataclass(frozen=True, slots=True)
class PipConfiguration:
    """Where packages are had, as the user's environment says."""

    indexes: tuple[str, ...]
    """URLs of the Simple API, in the order in which they are asked, without user information."""
    logins: Mapping[Endpoint, Login]
    """What the indexes are told of who asks."""
    endpoints: frozenset[Endpoint]
    """Where the indexes are: the user named them, so they may be private and without TLS."""
    ca_bundle: str | None = None
    """File of certificates to trust."""
    client_certificate: str | None = None
    """File with a certificate and its key."""
    notes: tuple[str, ...] = ()
    """What was left out, and why."""


def read_configuration(
    environment: Mapping[str, str], *, home: Path, prefix: Path = Path(sys.prefix), root: Path = Path("/")
) -> PipConfiguration:
    """Read the environment and pip's files. A file that cannot be read is left out, with a note.

    Args:
        environment: the process's variables.
        home: the user's home folder.
        prefix: the Python environment whose `pip.conf` counts; `VIRTUAL_ENV` goes before it.
        root: where the system's files are looked for.
    """
    notes: list[str] = []
    settings: dict[tuple[str, str], str] = {}
    for file in _files(environment, home, prefix, root):
        settings.update(_settings(file, notes))
    values = {
        key: settings[section, key] for section in _SECTIONS for key in _KEYS if (section, key) in settings
    }
    for key in _KEYS:
        if value := environment.get("PIP_" + key.upper().replace("-", "_")):
            values[key] = value
    return _configuration(values, notes)


def _files(environment: Mapping[str, str], home: Path, prefix: Path, root: Path) -> Iterator[Path]:
    """Pip's files, the one that counts most last."""
    named = environment.get("PIP_CONFIG_FILE")
    if named == os.devnull:
        return
    for folder in (environment.get("XDG_CONFIG_DIRS") or str(root / "etc/xdg")).split(os.pathsep):
        yield Path(folder, "pip", "pip.conf")
    yield root / "Library/Application Support/pip/pip.conf"
    yield root / "etc/pip.conf"
    if not (named and Path(named).exists()):
        yield home / ".pip" / "pip.conf"
        yield Path(environment.get("XDG_CONFIG_HOME") or home / ".config", "pip", "pip.conf")
        yield home / "Library/Application Support/pip/pip.conf"
    yield Path(environment.get("VIRTUAL_ENV") or prefix, "pip.conf")
    if named:
        yield Path(named)


def _settings(file: Path, notes: list[str]) -> Iterator[tuple[tuple[str, str], str]]:
    parser = configparser.RawConfigParser()
    try:
        if not file.is_file():
            return
        parser.read_string(file.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, configparser.Error) as error:
        notes.append(f"{file} is ignored: it cannot be read as pip's configuration ({type(error).__name__})")
        return
    for section in parser.sections():
        for name, value in parser.items(section):
            yield (section, name.removeprefix("--").replace("_", "-")), value


def _configuration(values: Mapping[str, str], notes: list[str]) -> PipConfiguration:
    indexes: list[str] = []
    logins: dict[Endpoint, Login] = {}
    endpoints: set[Endpoint] = set()
    for url in _index_urls(values):
        try:
            location = locate(url)
        except RefusedURL as error:
            notes.append(f"a package index is left out: {error}")
            continue
        if location.scheme not in {"https", "http"} or location.port is None:
            notes.append(f"the package index {shown(url)} is left out: it is no https:// URL")
            continue
        endpoint = location.host, location.port
        endpoints.add(endpoint)
        parts = urlsplit(url)
        if parts.username is not None:
            logins[endpoint] = Login(unquote(parts.username), unquote(parts.password or ""))
        indexes.append(parts._replace(netloc=parts.netloc.rpartition("@")[2]).geturl())
    return PipConfiguration(
        indexes=tuple(dict.fromkeys(indexes)),
        logins=logins,
        endpoints=frozenset(endpoints),
        ca_bundle=_file("cert", values, notes),
        client_certificate=_file("client-cert", values, notes),
        notes=tuple(notes),
    )


def open_session(
    configuration: PipConfiguration,
    policy: AddressPolicy,
    *,
    credentials: bool = True,
    limits: Limits | None = None,
) -> HttpSession:
    """The session through which the configured indexes, and any other host, are asked.

    Args:
        configuration: its indexes may be asked wherever they are.
        policy: holds for every other host.
        credentials: whether netrc, the indexes' logins and the client certificate are used.
        limits: how long, how often and how far; None for the usual.
    """
    return HttpSession(
        replace(policy, trusted=policy.trusted | configuration.endpoints),
        credentials=credentials,
        logins=configuration.logins,
        ca_bundle=configuration.ca_bundle,
        client_certificate=configuration.client_certificate,
        limits=limits or Limits(),
    )


def _index_urls(values: Mapping[str, str]) -> Iterable[str]:
    if values.get("no-index", "").strip().lower() in _TRUE:
        return []
    return [
        values.get("index-url", "").strip() or _default_index(),
        *values.get("extra-index-url", "").split(),
    ]


def _file(key: str, values: Mapping[str, str], notes: list[str]) -> str | None:
    if not values.get(key):
        return None
    path = os.path.expanduser(values[key])  # noqa: PTH111 - a user who does not exist is no error to pip
    if os.access(path, os.R_OK):
        return path
    notes.append(f"pip's {key} is left out: {path} cannot be read")
    return None


def _default_index() -> str:
    from pypi_simple import PYPI_SIMPLE_ENDPOINT

    return PYPI_SIMPLE_ENDPOINT
