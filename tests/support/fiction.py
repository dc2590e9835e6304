"""Made-up files that look like a project's: Python, JavaScript, Go, YAML and Markdown, without a meaning."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from random import Random

_VERBS = ("get", "load", "make", "check", "find", "merge", "parse", "read", "send", "update", "build", "drop")
_NOUNS = (
    "account", "batch", "buffer", "cache", "channel", "config", "cursor", "decoder", "entry", "event", "field",
    "filter", "frame", "group", "handle", "header", "index", "item", "layer", "limit", "message", "model", "node",
    "option", "packet", "page", "queue", "record", "request", "response", "result", "route", "schema", "session",
    "shard", "signal", "state", "stream", "table", "token", "trace", "user", "value", "vector", "weight", "worker",
)  # fmt: skip
_WORDS = (
    "the",
    "a",
    "each",
    "when",
    "only",
    "is",
    "not",
    "for",
    "of",
    "with",
    "from",
    "to",
    "as",
    "once",
    "its",
)


class Language(StrEnum):
    """What a file is written in, by the ending of its name."""

    PYTHON = ".py"
    JAVASCRIPT = ".js"
    GO = ".go"
    YAML = ".yaml"
    MARKDOWN = ".md"

    @property
    def is_code(self) -> bool:
        """Whether it has functions."""
        return self in {Language.PYTHON, Language.JAVASCRIPT, Language.GO}

    @property
    def has_classes(self) -> bool:
        """Whether functions can stand in a class."""
        return self in {Language.PYTHON, Language.JAVASCRIPT}

    @property
    def comment(self) -> str:
        """What a comment begins with."""
        return "#" if self in {Language.PYTHON, Language.YAML} else "//"

    @property
    def unit(self) -> str:
        """One step of indentation."""
        return {Language.PYTHON: "    ", Language.GO: "\t"}.get(self, "  ")


class Fiction:
    """Invents text; the same generator of random numbers gives the same text."""

    def __init__(self, random: Random) -> None:
        self._random = random

    def noun(self) -> str:
        """A short name."""
        return self._random.choice(_NOUNS)

    def name(self) -> str:
        """A name of two or three words."""
        return "_".join(
            [self._random.choice(_VERBS), *self._random.sample(_NOUNS, self._random.choice((1, 2, 2)))]
        )

    def title(self) -> str:
        """A name of a class."""
        return "".join(noun.capitalize() for noun in self._random.sample(_NOUNS, 2))

    def sentence(self, most: int = 10) -> str:
        """Words with a full stop."""
        words = self._random.choices(_NOUNS + _WORDS * 2, k=self._random.randint(4, most))
        return " ".join(words).capitalize() + "."

    def call(self) -> str:
        """A call of something."""
        arguments = self._random.sample(_NOUNS, self._random.randint(1, 3))
        last = f"{self.noun()}={self._random.randrange(4096)}" if self._random.random() < 0.3 else self.noun()
        return f"{self.noun()}.{self.name()}({', '.join([*arguments, last])})"

    def head(self, language: Language) -> list[str]:
        """What a file begins with."""
        match language:
            case Language.PYTHON:
                imports = sorted({f"from project.{self.noun()} import {self.name()}" for _ in range(4)})
                return [f'"""{self.sentence()}"""', "", "from __future__ import annotations", "", *imports]
            case Language.JAVASCRIPT:
                return ["'use strict';", "", *(f"const {n} = require('./{n}');" for n in self._nouns(4))]
            case Language.GO:
                imports = [f'\t"project/{noun}"' for noun in self._nouns(4)]
                return [
                    "// Copyright of the project.",
                    f"package {self.noun()}",
                    "",
                    "import (",
                    *imports,
                    ")",
                ]
            case Language.YAML:
                return [f"# {self.sentence()}", "version: 2"]
            case Language.MARKDOWN:
                return [f"# {self.sentence()}", "", *self.prose(3)]

    def prose(self, lines: int) -> list[str]:
        """Lines of a text."""
        return [f"{self.sentence(7)} {self.sentence(7)}" for _ in range(lines)]

    def class_head(self, language: Language) -> list[str]:
        """The first lines of a class."""
        if language is Language.PYTHON:
            return [f"class {self.title()}({self.title()}):", f'    """{self.sentence()}"""']
        return [f"class {self.title()} extends {self.title()} {{"]

    def piece(self, language: Language, *, is_method: bool = False) -> list[str]:
        """A function, a section, or an item of a mapping."""
        match language:
            case Language.YAML:
                values = [
                    f"  {noun}: {self._random.randrange(9999)}" for noun in self._nouns(self._size(2, 6))
                ]
                return [f"{self.name()}:", f"  run: {self.sentence()}", *values, *self._items()]
            case Language.MARKDOWN:
                code = ["", "```", self.call(), self.call(), "```"] if self._random.random() < 0.4 else []
                return [f"## {self.sentence(6)}", "", *self.prose(self._size(2, 6)), *code, *self._items()]
            case _:
                depth = language.unit if is_method else ""
                return [
                    f"{depth}{line}" if line else "" for line in self._function(language, is_method=is_method)
                ]

    def statements(self, language: Language) -> list[str]:
        """What could stand in a function's body, not indented; or in a text."""
        if not language.is_code:
            return [f"  {self.noun()}: {self.call()}"] if language is Language.YAML else self.prose(1)
        comment = [f"{language.comment} {self.sentence()}"] if self._random.random() < 0.25 else []
        return comment + self._statement(language)

    def _nouns(self, count: int) -> list[str]:
        return self._random.sample(_NOUNS, count)

    def _size(self, least: int, most: int) -> int:
        return self._random.randint(least, most)

    def _items(self) -> list[str]:
        return [f"  - {self.sentence(6)}" for _ in range(self._random.choice((0, 0, 2, 4)))]

    def _function(self, language: Language, *, is_method: bool) -> list[str]:
        unit, name, taken = language.unit, self.name(), ", ".join(self._nouns(self._size(1, 4)))
        body = [line for _ in range(self._size(2, 7)) for line in self.statements(language)]
        inner = [f"{unit}{line}" if line else "" for line in body]
        match language:
            case Language.PYTHON:
                mark = ["@" + self.noun()] if self._random.random() < 0.15 else []
                docstring = [f'    """{self.sentence()}"""'] if self._random.random() < 0.6 else []
                own = "self, " if is_method else ""
                last = "    return None" if self._random.random() < 0.3 else f"    return {self.call()}"
                return [*mark, f"def {name}({own}{taken}):", *docstring, *inner, last]
            case Language.GO:
                told = f"// {name} {self.sentence()}"
                return [told, f"func {name}({taken} string) error {{", *inner, "\treturn nil", "}"]
            case _:
                first = f"{name}({taken}) {{" if is_method else f"function {name}({taken}) {{"
                return [first, *inner, f"  return {self.call()};", "}"]

    def _statement(self, language: Language) -> list[str]:
        unit, name, end = language.unit, self.noun(), ";" if language is Language.JAVASCRIPT else ""
        assign = {Language.JAVASCRIPT: "const {} = {};", Language.GO: "{} := {}"}.get(language, "{} = {}")
        plain = assign.format(name, self.call())
        kind, inner = self._random.randrange(6), [f"{unit}{self.call()}{end}"]
        if kind > 1:
            return [plain]
        if language is Language.PYTHON:
            if kind:
                return [f"for {name} in {self.call()}:", *inner]
            return [f"if {name} is None:", unit + self._random.choice(("return None", "continue", "pass"))]
        if language is Language.GO:
            return [plain, f"if {name} != nil {{", "\treturn err", "}", ""]
        return [f"if ({name} > {self._random.randrange(99)}) {{", *inner, "}"]
