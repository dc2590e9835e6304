"""Other languages than Python, from the repository to the report."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from support.project import Cite, Source, World, results

if TYPE_CHECKING:
    from pathlib import Path

GO = """\
package cache

// Get returns what is kept.
func (c *Cache) Get(
	key string,
) (string, error) {
	value, ok := c.items[key]
	return value, nil // never fails
}
"""
RUST = """\
impl Cache {
    fn get(&self, key: &str) -> Option<&str> {
        self.items.get(key)
    }
}
"""
FILES = {"cache.go": GO, "cache.rs": RUST, "cache.inc": "def get(key):\n    return key\n"}
WITHOUT_GO = """\
import sys


class Lacking:
    def find_spec(self, name, path=None, target=None):
        if name == "tree_sitter_go":
            raise ModuleNotFoundError(name)


sys.meta_path.insert(0, Lacking())
"""


@pytest.fixture
def cited(world: World) -> World:
    commit = world.repository.commit(FILES)
    comment = "\treturn value, nil // cannot fail\n"
    world.project.manifest(
        Source(world.url, commit),
        Cite("get-go", "cache.go", "4-9", "\n".join(GO.split("\n")[3:9]) + "\n"),
        Cite("cut", "cache.go", "5-6", "\tkey string,\n) (string, error) {\n"),
        Cite("comment", "cache.go", "8", comment),
        Cite("get-rust", "cache.rs", "2-4", "\n".join(RUST.split("\n")[1:4]) + "\n"),
        Cite("get-inc", "cache.inc", "1-2", FILES["cache.inc"]),
    )
    return world


def test_symbols_cuts_and_differences(cited: World) -> None:
    found = cited.project.verify(code=1)
    assert found["get-go"]["symbol"] == "Cache.Get"
    assert found["get-rust"]["symbol"] == "Cache.get"
    assert "cuts the statement" in found["cut"].text("notes")
    assert found["comment"]["difference"] == "comments"
    assert found["get-inc"]["symbol"] is None


def test_a_project_says_what_its_files_are(cited: World) -> None:
    assert cited.project.verify(code=1)["get-inc"]["symbol"] is None
    file = cited.project.root / "pyproject.toml"
    file.write_text('[tool.prov.languages]\n"*.inc" = "python"\n"*.go" = "text"\n')
    found = cited.project.verify(code=1)
    assert found["get-inc"]["symbol"] == "get"
    assert found["get-go"]["symbol"] is None
    assert found["comment"]["difference"] == "code"


def test_what_to_install_is_said_once_where_a_grammar_is_not_there(cited: World, tmp_path: Path) -> None:
    (tmp_path / "lacking").mkdir()
    (tmp_path / "lacking" / "sitecustomize.py").write_text(WITHOUT_GO)
    cited.project.environ["PYTHONPATH"] = str(tmp_path / "lacking")
    ran = cited.project.run("verify", "--format", "json")
    assert ran.code == 1, ran.said
    assert ran.err.count("Go is read as plain text: pip install 'prov-verify[go]'") == 1
    del cited.project.environ["PYTHONPATH"]
    again = cited.project.run("verify", "--format", "json", "--refresh")
    assert "plain text" not in again.err
    assert {id_: each["verdict"] for id_, each in results(ran).items()} == {
        id_: each["verdict"] for id_, each in results(again).items()
    }
