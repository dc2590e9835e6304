"""What holds for every test: a home of its own, and properties that are not timed."""

from __future__ import annotations

import gc
import os
from itertools import count
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


def pytest_collection_finish() -> None:
    """What thousands of tests are made of stays to the end: to look through it for garbage finds none."""
    gc.collect()
    gc.freeze()


@pytest.fixture(scope="session")
def _homes(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Folders that are not there yet; pytest would look through all that it has made for each further one."""
    base = tmp_path_factory.mktemp("homes")
    return (base / str(number) for number in count())


@pytest.fixture(autouse=True)
def _own_home(_homes: Iterator[Path], monkeypatch: pytest.MonkeyPatch) -> None:
    """The user's configuration and cache are neither read nor written."""
    home = next(_homes)
    home.mkdir()
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
