"""What holds for every test: a home of its own, and properties that are not timed."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest
from hypothesis import settings
from support.webserver import misleading, serve_web

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from support.webserver import WebServer

# A machine that is busy with something else is no failure of a property.
settings.register_profile("prov", deadline=None)
settings.load_profile("prov")


@pytest.fixture(autouse=True)
def _own_home(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    """The user's configuration and cache are neither read nor written."""
    home: Path = tmp_path_factory.mktemp("home")
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("XDG_CACHE_HOME", str(home / "cache"))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(home / "config"))
    monkeypatch.setenv("GIT_CONFIG_NOSYSTEM", "1")
    for name in ("GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def plain_network(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """No proxy, certificate or index of the machine's own leads a test elsewhere; its folder is its home."""
    for name in misleading(os.environ):
        monkeypatch.delenv(name)
    monkeypatch.setenv("HOME", str(tmp_path))


@pytest.fixture
def web() -> Iterator[WebServer]:
    """A web server on the loopback interface."""
    with serve_web() as server:
        yield server
