"""Which language a file is in, by its name. A grammar that is not installed makes its files plain text."""

from __future__ import annotations

import hashlib
import json
from fnmatch import fnmatchcase
from functools import lru_cache
from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING, NamedTuple

from provenance.errors import InvalidRecord
from provenance.extract.languages.language import Language

if TYPE_CHECKING:
    from collections.abc import Mapping

TEXT = "text"
"""What a pattern maps names to whose files are in no language."""
_HERE = "provenance.extract.languages"


class Entry(NamedTuple):
    """How the files of a language are called."""

    name: str
    """The language's."""
    module: str
    """Where its record is, under its name in capitals; it is loaded when a file of the language is met."""
    suffixes: tuple[str, ...]
    """Ends of file names, in lower case, with the dot."""
    filenames: frozenset[str] = frozenset()
    """Whole file names."""


TABLE = (
    Entry(
        "python",
        "python",
        (".py", ".pyi", ".pyw", ".bzl", ".star"),
        frozenset({"BUILD", "BUILD.bazel", "SConscript", "SConstruct", "WORKSPACE", "wscript"}),
    ),
    Entry("bash", "bash", (".sh", ".bash"), frozenset({".bash_profile", ".bashrc", ".profile"})),
    Entry("c", "c", (".c", ".h")),
    Entry("cpp", "c", (".cc", ".cpp", ".cxx", ".c++", ".hh", ".hpp", ".hxx", ".h++", ".ipp", ".tpp")),
    Entry("cuda", "c", (".cu", ".cuh")),
    Entry("csharp", "csharp", (".cs", ".csx")),
    Entry("go", "go", (".go",)),
    Entry("java", "java", (".java",)),
    Entry("javascript", "javascript", (".js", ".cjs", ".jsx", ".mjs"), frozenset({"Jakefile"})),
    Entry("kotlin", "kotlin", (".kt", ".kts")),
    Entry("lua", "lua", (".lua", ".rockspec")),
    Entry("php", "php", (".php", ".phtml")),
    Entry(
        "ruby",
        "ruby",
        (".rb", ".gemspec", ".rake", ".ru"),
        frozenset({"Brewfile", "Fastfile", "Gemfile", "Guardfile", "Podfile", "Rakefile", "Vagrantfile"}),
    ),
    Entry("rust", "rust", (".rs",)),
    Entry("scala", "scala", (".scala", ".sbt", ".sc")),
    Entry("swift", "swift", (".swift",)),
    Entry("tsx", "javascript", (".tsx",)),
    Entry("typescript", "javascript", (".ts", ".cts", ".mts")),
)
"""Every language. A name is looked for from the top; no two entries share one."""

_BY_NAME = {entry.name: entry for entry in TABLE}
NAMES = tuple(_BY_NAME)
"""The names of all languages."""


class Languages:
    """Which language files are in, with what a project says of its own files."""

    def __init__(self, patterns: Mapping[str, str] | None = None) -> None:
        """Take patterns that come before the table.

        Args:
            patterns: By a pattern of names, such as `*.inc`, a language's name, or `text` for none. One with a slash is
                matched with the whole path, and `*` passes slashes. The first that matches counts.

        Raises:
            InvalidRecord: a language is not known.
        """
        self._patterns = tuple((patterns or {}).items())
        self.missed: dict[str, Language] = {}
        """Languages by name of which a file was read as text, for want of the grammar."""
        for pattern, name in self._patterns:
            if name != TEXT and name not in _BY_NAME:
                known = ", ".join(sorted(_BY_NAME))
                message = (
                    f"{pattern}: no language is called {name}; these are known: {known}, and {TEXT} for none"
                )
                raise InvalidRecord(message)

    @property
    def digest(self) -> str:
        """Of what a project says of its own files, 64 hexadecimal digits; empty where it says nothing.

        Which grammars are installed is no part of it.
        """
        if not self._patterns:
            return ""
        return hashlib.sha256(json.dumps(self._patterns).encode()).hexdigest()

    def of(self, path: str) -> Language | None:
        """The language of a file whose grammar is installed, as far as its name tells.

        Args:
            path: with forward slashes.
        """
        found = self.named(path)
        if found is None or is_installed(found):
            return found
        self.missed[found.name] = found
        return None

    def lacking(self, path: str) -> Language | None:
        """The language of a file that is read as text because the grammar is not installed."""
        found = self.named(path)
        return None if found is None or is_installed(found) else found

    def named(self, path: str) -> Language | None:
        """The language of a file, whether its grammar is installed or not."""
        base = path.rpartition("/")[2]
        for pattern, name in self._patterns:
            if fnmatchcase(path if "/" in pattern else base, pattern):
                return None if name == TEXT else _record(name)
        lower = base.lower()
        for entry in TABLE:
            if base in entry.filenames or lower.endswith(entry.suffixes):
                return _record(entry.name)
        return None


PLAIN = Languages()
"""What the names of files tell, where a project says nothing of its own."""


def language_of(path: str) -> Language | None:
    """The language of a file in a project that says nothing of its own files; see `Languages.of`."""
    return PLAIN.of(path)


def all_languages() -> tuple[Language, ...]:
    """Every language, with an installed grammar or without, in the table's order."""
    return tuple(map(_record, NAMES))


def note_of(language: Language) -> str:
    """What a person should know of a file that is read as text because its grammar is not installed."""
    return f"{language.title} is read as plain text: {language.remedy()} for symbols and tokens"


@lru_cache
def is_installed(language: Language) -> bool:
    """Whether a language's grammar is there to be loaded."""
    try:
        return find_spec(language.grammar) is not None
    except (ImportError, ValueError):
        return False


@lru_cache
def _record(name: str) -> Language:
    found: object = getattr(import_module(f"{_HERE}.{_BY_NAME[name].module}"), name.upper())
    if not isinstance(found, Language):
        message = f"{name} is no language"
        raise TypeError(message)
    return found
