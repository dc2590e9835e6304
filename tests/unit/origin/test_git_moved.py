"""What is remembered of a repository that has moved."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from provenance.origin import git_moved
from provenance.origin.git_cache import tidy

if TYPE_CHECKING:
    from pathlib import Path

NEW = "https://example.org/new/name"


@pytest.mark.parametrize(
    "address", [NEW, "ssh://example.org/x", "http://127.0.0.1:80/r.git", f"{NEW}/%C3%A4"]
)
def test_an_address_is_kept_and_forgotten(tmp_path: Path, address: str) -> None:
    assert git_moved.kept(tmp_path) == ""
    git_moved.keep(tmp_path, "")
    git_moved.keep(tmp_path, address)
    assert git_moved.kept(tmp_path) == address
    git_moved.keep(tmp_path, "https://example.org/other")
    assert git_moved.kept(tmp_path) == "https://example.org/other"
    git_moved.keep(tmp_path, "")
    assert git_moved.kept(tmp_path) == ""
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    "text",
    [b"", b"\xff", b"x", b"file:///etc", b"https://a b", f"{NEW}\nmore".encode(), NEW.encode() + b"x" * 3000],
)
def test_what_is_no_address_is_not_believed(tmp_path: Path, text: bytes) -> None:
    (tmp_path / "moved").write_bytes(text)
    assert git_moved.kept(tmp_path) == ""
    git_moved.keep(tmp_path, NEW)
    assert git_moved.kept(tmp_path) == NEW


@pytest.mark.parametrize(
    "address", ["https://example.org/\n", "https://example.org/ä", "https://" + "x" * 3000]
)
def test_an_address_that_cannot_be_read_again_is_not_kept(tmp_path: Path, address: str) -> None:
    git_moved.keep(tmp_path, address)
    assert list(tmp_path.iterdir()) == []


def test_what_cannot_be_written_is_no_fault(tmp_path: Path) -> None:
    git_moved.keep(tmp_path / "none", NEW)
    (tmp_path / "moved").mkdir()
    git_moved.keep(tmp_path, NEW)
    assert git_moved.kept(tmp_path) == ""
    tidy(tmp_path)
    assert [one.name for one in tmp_path.iterdir()] == ["moved"]
