"""Which language a file is in, and what becomes of it where the grammar is not installed."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace
from fnmatch import fnmatchcase
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from provenance.errors import InvalidRecord
from provenance.extract.languages import (
    NAMES,
    PYTHON,
    Language,
    Languages,
    all_languages,
    language_of,
    note_of,
    table,
)
from provenance.extract.lines import Text
from provenance.extract.outline import Outline
from provenance.extract.symbols import lexer, outline
from provenance.extract.syntax import NoSyntax, Syntax
from provenance.extract.tokens import generic

KNOWN = [
    ("a/b.py", "python"),
    ("rules.bzl", "python"),
    ("pkg/BUILD", "python"),
    ("pkg/BUILD.bazel", "python"),
    ("build", None),
    ("a.js", "javascript"),
    ("a.JSX", "javascript"),
    ("a.min.mjs", "javascript"),
    ("a.ts", "typescript"),
    ("a.d.ts", "typescript"),
    ("a.tsx", "tsx"),
    ("a.go", "go"),
    ("a.rs", "rust"),
    ("a.c", "c"),
    ("include/a.h", "c"),
    ("a.hpp", "cpp"),
    ("A.CPP", "cpp"),
    ("a.c++", "cpp"),
    ("a.cu", "cuda"),
    ("A.java", "java"),
    ("run.sh", "bash"),
    ("home/.bashrc", "bash"),
    ("a.rb", "ruby"),
    ("Rakefile", "ruby"),
    ("a.cs", "csharp"),
    ("a.php", "php"),
    ("a.kt", "kotlin"),
    ("build.gradle.kts", "kotlin"),
    ("a.swift", "swift"),
    ("a.scala", "scala"),
    ("a.lua", "lua"),
    ("Makefile", None),
    ("a.md", None),
    ("a.go/readme", None),
    ("go", None),
    ("", None),
]


@pytest.fixture
def _bare(monkeypatch: pytest.MonkeyPatch) -> None:
    """No grammar but Python's is installed."""
    monkeypatch.setattr(table, "is_installed", lambda language: language == PYTHON)


@pytest.mark.parametrize(("path", "name"), KNOWN)
def test_a_name_tells_the_language(path: str, name: str | None) -> None:
    found = language_of(path)
    assert (found and found.name) == name
    assert Languages().named(path) == found
    assert Languages().lacking(path) is None


def test_no_two_languages_share_a_name() -> None:
    entries = table.TABLE
    suffixes = [suffix for entry in entries for suffix in entry.suffixes]
    filenames = [name for entry in entries for name in entry.filenames]
    assert len(set(suffixes)) == len(suffixes)
    assert len(set(filenames)) == len(filenames)
    assert len(set(NAMES)) == len(NAMES)
    assert all(suffix == suffix.lower() and suffix.startswith(".") for suffix in suffixes)
    assert table.TEXT not in NAMES


@pytest.mark.parametrize("language", all_languages(), ids=NAMES)
def test_a_record_says_what_its_grammar_knows(language: Language) -> None:
    from importlib import import_module

    from tree_sitter import Language as Grammar

    capsule: object = getattr(import_module(language.grammar), language.function)()
    grammar = Grammar(capsule)
    count = grammar.node_kind_count
    named = {
        grammar.node_kind_for_id(number) for number in range(count) if grammar.node_kind_is_named(number)
    }
    anything = {grammar.node_kind_for_id(number) for number in range(count)}
    asked = (
        language.definitions
        | language.wrappers
        | language.leading
        | language.compounds
        | language.groups
        | language.blocks
        | language.comments
        | language.atoms
        | language.undivided
        | language.lists
        | language.calls
        | language.operations
        | language.tuples
    )
    assert asked - named <= {"ERROR"}
    assert language.calls | language.tuples <= language.lists
    assert language.wrappers.isdisjoint(language.blocks)
    assert len(language.fragments - anything) <= len(language.fragments) / 2


@pytest.mark.parametrize(
    ("patterns", "path", "name"),
    [
        ({"*.inc": "php"}, "lib/a.inc", "php"),
        ({"*.inc": "php"}, "a.INC", None),
        ({"*.h": "cpp"}, "a.h", "cpp"),
        ({"*.h": "cpp"}, "a.c", "c"),
        ({"include/*.h": "cpp"}, "include/deep/a.h", "cpp"),
        ({"include/*.h": "cpp"}, "src/a.h", "c"),
        ({"*.py": "text"}, "a.py", None),
        ({"old.py": "text", "*.py": "python"}, "x/old.py", None),
        ({"old.py": "text", "*.py": "python"}, "x/new.py", "python"),
        ({"Makefile": "bash"}, "Makefile", "bash"),
    ],
)
def test_a_project_names_its_own_files(patterns: dict[str, str], path: str, name: str | None) -> None:
    found = Languages(patterns).of(path)
    assert (found and found.name) == name


def test_a_language_that_is_not_known_is_refused() -> None:
    with pytest.raises(
        InvalidRecord, match=r"\*\.x: no language is called cobol; these are known: bash, c, "
    ):
        Languages({"*.x": "cobol"})


@given(st.text(max_size=20), st.text("*?[]!-/.a", max_size=12))
def test_any_pattern_and_any_path_will_do(path: str, pattern: str) -> None:
    found = Languages({pattern: "go"}).named(path)
    base = path.rpartition("/")[2]
    if fnmatchcase(path if "/" in pattern else base, pattern):
        assert found is not None
        assert found.name == "go"
    else:
        assert found == Languages().named(path)


@pytest.mark.usefixtures("_bare")
@pytest.mark.parametrize(("path", "name"), KNOWN)
def test_without_a_grammar_a_file_is_plain_text(path: str, name: str | None) -> None:
    expected = PYTHON if name == "python" else None
    assert language_of(path) == expected
    lacking = Languages().lacking(path)
    assert (lacking and lacking.name) == (None if name == "python" else name)


@pytest.mark.parametrize(
    ("path", "note"),
    [
        ("a.go", "Go is read as plain text: pip install 'prov-verify[go]' for symbols and tokens"),
        ("a.tsx", "TSX is read as plain text: pip install 'prov-verify[typescript]' for symbols and tokens"),
        ("a.hpp", "C++ is read as plain text: pip install 'prov-verify[cpp]' for symbols and tokens"),
        ("a.py", "Python is read as plain text: pip install prov-verify for symbols and tokens"),
    ],
)
def test_a_note_says_what_to_install(path: str, note: str) -> None:
    found = Languages().named(path)
    assert found is not None
    assert note_of(found) == note


def test_whether_a_grammar_is_installed() -> None:
    assert table.is_installed(PYTHON)
    assert not table.is_installed(replace(PYTHON, name="other", grammar="tree_sitter_of_no_language"))
    assert not table.is_installed(replace(PYTHON, name="odd", grammar="sys.no.such"))


@pytest.mark.parametrize(
    ("grammar", "function"), [("tree_sitter_of_no_language", "language"), ("sys", "language")]
)
def test_a_grammar_that_cannot_be_loaded_after_all(grammar: str, function: str) -> None:
    language = replace(
        PYTHON, name="broken", title="Broken", grammar=grammar, function=function, extra="broken"
    )
    reason = f"the grammar {grammar} cannot be loaded: pip install --upgrade 'prov-verify[broken]'"
    assert Syntax.of(Text("x = 1"), language) == NoSyntax(reason)
    assert outline(Text("x = 1"), language) == Outline(notes=(f"no symbols: {reason}",))
    assert lexer(language)("x = 1") == generic("x = 1")


def test_only_what_is_needed_is_loaded() -> None:
    code = (
        "import sys\n"
        "from provenance.extract.languages import Languages\n"
        "from provenance.extract.lines import Text\n"
        "from provenance.extract.symbols import outline\n"
        "languages = Languages()\n"
        "first = sorted(name for name in sys.modules if 'tree_sitter' in name or '.languages.' in name)\n"
        "found = languages.of('a.go')\n"
        "second = sorted(name for name in sys.modules if 'tree_sitter' in name)\n"
        "if found: outline(Text('package a'), found)\n"
        "third = sorted(name for name in sys.modules if name.startswith('tree_sitter_') and '.' not in name)\n"
        "print([name.rpartition('.')[2] for name in first], second, third)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "['language', 'naming', 'python', 'table'] [] ['tree_sitter_go']\n"


def test_the_page_on_languages_has_them_all() -> None:
    page = (Path(__file__).parents[3] / "docs" / "languages.md").read_text(encoding="utf-8")
    rows = [line for line in page.split("\n") if line.startswith("| ") and line.count("|") == 5]
    expected = []
    for entry, language in zip(table.TABLE, all_languages(), strict=True):
        extra = f"`{language.extra}`" if language.extra else "always there"
        names = ", ".join(f"`{name}`" for name in (*entry.suffixes, *sorted(entry.filenames)))
        expected.append(f"| {language.title} | `{language.name}` | {extra} | {names} |")
    assert rows[2:] == expected
