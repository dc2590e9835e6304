"""What can stand at a cited path: links, submodules, pointers, odd names."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from support.project import Cite, Result, Source, World
from support.repositories import link, submodule

if TYPE_CHECKING:
    from collections.abc import Iterator

    from support.repositories import Files

INNER = "5" * 40
POINTER = "version https://git-lfs.github.com/spec/v1\noid sha256:{}\nsize 123456\n".format("ab" * 32)
FILES: Files = {
    "sample.json#etc": "{\n  1\n}\n",
    "src/Model.py": "upper\n",
    "src/model.py": "lower\n",
    "lib/Only.py": "only\n",
    "real/deep/file.py": "real\n",
    "to-file": link("real/deep/file.py"),
    "to-folder": link("real"),
    "real/up": link("../src/model.py"),
    "to-passwd": link("../../etc/passwd"),
    "to-root": link("/etc/passwd"),
    "to-itself": link("to-itself"),
    "to-nothing": link("no/such"),
    "sub": submodule(INNER),
    ".gitmodules": '[submodule "lib"]\n\tpath = sub\n\turl = https://user:SECRETWORD@example.org/lib.git\n',
    "big.bin": POINTER,
    "-x": "dashed\n",
    "a b/ü 文.py": "named\n",
    'quote"d\\name': "quoted\n",
}

CITES = {
    "hash": ("sample.json#etc", "2", "  1\n"),
    "upper": ("src/Model.py", "1", "upper\n"),
    "lower": ("src/model.py", "1", "lower\n"),
    "wrong-case": ("Lib/only.py", "1", "only\n"),
    "to-file": ("to-file", "1", "real\n"),
    "to-member": ("to-folder/deep/file.py", "1", "real\n"),
    "up": ("real/up", "1", "lower\n"),
    "to-folder": ("to-folder", "1", "real\n"),
    "to-passwd": ("to-passwd", "1", "root\n"),
    "to-root": ("to-root", "1", "root\n"),
    "to-itself": ("to-itself", "1", "x\n"),
    "to-nothing": ("to-nothing", "1", "x\n"),
    "in-submodule": ("sub/lib/x.c", "3", "int x;\n"),
    "submodule": ("sub", "1", "x\n"),
    "folder": ("real/deep", "1", "x\n"),
    "pointer": ("big.bin", "40", "x\n"),
    "pointer-text": ("big.bin", "1", POINTER.partition("\n")[0]),
    "dashed": ("-x", "1", "dashed\n"),
    "unicode": ("a b/ü 文.py", "1", "named\n"),
    "quoted": ('quote"d\\name', "1", "quoted\n"),
    "escaping": ("../../etc/passwd", "1", "root\n"),
    "absolute": ("/etc/passwd", "1", "root\n"),
    "through-a-file": ("-x/y", "1", "x\n"),
}


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, Result]]:
    """All of it, judged in one run."""
    with World(tmp_path_factory.mktemp("objects")) as world:
        (world.project.home / ".gitconfig").write_text(
            f'[url "{world.url}"]\n\tinsteadOf = https://github.com/o/r\n'
        )
        commit = world.repository.commit(FILES)
        source = Source("https://github.com/o/r", commit)
        cites = [Cite(name, path, lines, quote) for name, (path, lines, quote) in CITES.items()]
        world.project.manifest(source, *cites)
        yield world.project.verify(code=1)


def test_a_hash_in_a_name_is_part_of_it(found: dict[str, Result]) -> None:
    result = found["hash"]
    assert result["verdict"] == "exact"
    assert result.text("permalink").endswith("/sample.json%23etc#L2")


@pytest.mark.parametrize("name", ["upper", "lower"])
def test_paths_that_differ_in_case_alone_are_two(found: dict[str, Result], name: str) -> None:
    assert found[name]["verdict"] == "exact"


def test_a_path_in_the_wrong_case_is_missing_and_the_near_one_is_named(found: dict[str, Result]) -> None:
    assert found["wrong-case"]["verdict"] == "no-path"
    assert "lib/Only.py" in found["wrong-case"].text("message")


@pytest.mark.parametrize("name", ["to-file", "to-member", "up"])
def test_a_link_within_the_tree_is_followed_with_a_note(found: dict[str, Result], name: str) -> None:
    assert (found[name]["verdict"], found[name]["assurance"]) == ("exact", "commit")
    assert "link" in found[name].text("notes")


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("to-passwd", "leaves the tree"),
        ("to-root", "leaves the tree"),
        ("to-itself", "links"),
        ("to-folder", "directory"),
        ("folder", "directory"),
        ("submodule", "submodule"),
        ("pointer-text", "LFS"),
    ],
)
def test_what_has_no_lines_is_not_text_and_says_what_it_is(
    found: dict[str, Result], name: str, says: str
) -> None:
    assert found[name]["verdict"] == "not-text"
    assert says in found[name].text("message")


def test_a_link_to_nothing_is_no_path(found: dict[str, Result]) -> None:
    assert found["to-nothing"]["verdict"] == "no-path"


def test_a_path_in_a_submodule_names_where_that_is_had_and_at_which_commit(found: dict[str, Result]) -> None:
    assert found["in-submodule"]["verdict"] == "not-text"
    message = found["in-submodule"].text("message")
    assert "https://example.org/lib.git" in message
    assert INNER in message
    assert "SECRETWORD" not in message


def test_a_pointer_to_large_file_storage_is_not_out_of_range(found: dict[str, Result]) -> None:
    assert found["pointer"]["verdict"] == "not-text"
    assert "content in Git LFS" in found["pointer"].text("message")


@pytest.mark.parametrize("name", ["dashed", "unicode", "quoted"])
def test_odd_names_are_names(found: dict[str, Result], name: str) -> None:
    assert found[name]["verdict"] == "exact"


@pytest.mark.parametrize("name", ["escaping", "absolute", "through-a-file"])
def test_a_path_that_no_tree_has_is_no_path(found: dict[str, Result], name: str) -> None:
    assert found[name]["verdict"] == "no-path"
