"""What most acceptance tests stand on: a project, and a repository on a real server."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from support.project import Project, World

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@pytest.fixture
def project(tmp_path: Path) -> Project:
    """A project without manifests."""
    return Project(tmp_path)


@pytest.fixture
def world(tmp_path: Path) -> Iterator[World]:
    """A project, and an empty repository on a server."""
    with World(tmp_path) as made:
        yield made
