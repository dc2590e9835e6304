from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from provenance.answers import Lacking
from provenance.evidence import Content, Verdict
from provenance.extract.decode import NotText
from provenance.extract.lines import Text
from provenance.scan.local import LocalFiles

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.parametrize(
    ("document", "link", "path"),
    [
        ("docs/a.md", "b.py", "docs/b.py"),
        ("docs/a.md", "./b.py", "docs/b.py"),
        ("docs/a.md", "../b.py", "b.py"),
        ("docs/a.md", "../docs/./x/../b.py", "docs/b.py"),
        ("docs/a.md", "/b.py", "b.py"),
        ("docs/a.md", "//b.py", "b.py"),
        ("a.md", "b.py", "b.py"),
        ("a.md", "..b/c.py", "..b/c.py"),
        ("docs/a.md", "../../b.py", None),
        ("docs/a.md", "/../b.py", None),
        ("docs/a.md", "..", None),
        ("docs/a.md", "/", None),
        ("a.md", "..", None),
        ("a.md", "../", None),
    ],
)
def test_a_link_leads_from_the_documents_folder_and_stays_in_the_project(
    tmp_path: Path, document: str, link: str, path: str | None
) -> None:
    assert LocalFiles(tmp_path).path(document, link) == path


@given(st.lists(st.sampled_from(["..", ".", "a", "b.md", "", "...", "~"]), max_size=8).map("/".join))
def test_no_link_leads_out(link: str) -> None:
    files = LocalFiles.__new__(LocalFiles)
    path = files.path("docs/deep/a.md", link)
    assert path is None or not os.path.relpath(f"/p/{path}", "/p").startswith("../")
    assert path is None or not path.startswith("/")


def test_files_are_read_as_they_stand_and_once(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_bytes(b"one\r\ntwo\n")
    files = LocalFiles(tmp_path)
    answer = files.read("a.py")
    assert not isinstance(answer, Lacking)
    assert answer[0] == Content.of(b"one\r\ntwo\n")
    assert isinstance(answer[1], Text)
    (tmp_path / "a.py").write_text("else")
    assert files.read("a.py") is answer


def test_what_cannot_be_read_says_why(tmp_path: Path) -> None:
    root = tmp_path / "project"
    (root / "folder").mkdir(parents=True)
    (tmp_path / "secret").write_text("secret")
    (root / "binary").write_bytes(b"\x00\x01")
    (root / "out").symlink_to("../secret")
    (root / "dangling").symlink_to("nowhere")
    (root / "loop").symlink_to("loop")
    os.mkfifo(root / "pipe")
    files = LocalFiles(root)
    said = {
        name: files.read(name) for name in ("gone", "folder", "out", "dangling", "loop", "pipe", "x\x00y")
    }
    verdicts = {name: answer.verdict for name, answer in said.items() if isinstance(answer, Lacking)}
    assert verdicts.keys() == said.keys()
    assert verdicts["gone"] is Verdict.NO_PATH
    assert {verdicts[name] for name in ("folder", "out", "pipe")} == {Verdict.NOT_TEXT}
    binary = files.read("binary")
    assert not isinstance(binary, Lacking)
    assert isinstance(binary[1], NotText)
