"""Made-up Python that is shaped, and compresses, like a project's: modules of functions, and edits to them."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from random import Random

Module = list[list[str]]
"""A module's blocks (the head, then one a definition), each a list of lines without their ends."""

_STEMS = [
    start + end
    for start in ("b", "c", "d", "f", "g", "h", "l", "m", "n", "p", "r", "s", "t", "v", "w", "st")
    for end in (
        "ank",
        "ark",
        "ase",
        "ate",
        "ell",
        "ent",
        "ick",
        "ind",
        "ist",
        "ode",
        "ore",
        "ual",
        "ume",
        "unt",
    )
]
_WORDS = (
    *_STEMS,
    "the",
    "a",
    "each",
    "its",
    "that",
    "no",
    "for",
    "by",
    "in",
    "of",
    "with",
    "from",
    "to",
    "as",
)


class Author:
    """Writes and edits made-up code; the same generator of random numbers gives the same code."""

    def __init__(self, random: Random) -> None:
        self._random = random
        self._names = ["_".join(random.choices(_STEMS, k=random.choice((2, 2, 2, 3)))) for _ in range(8000)]
        self._own: list[str] = []
        self.turn_to_a_file()

    def turn_to_a_file(self) -> None:
        """Write for another file from now on: a file says the same few dozen names again and again."""
        self._own = self._random.choices(self._names, k=40)

    def name(self) -> str:
        """An identifier of two or three words."""
        return self._random.choice(self._own if self._random.random() < 0.9 else self._names)

    def sentence(self, most: int = 12) -> str:
        """Words that end with a full stop."""
        words = self._random.choices(_WORDS, k=self._random.randint(4, most))
        return " ".join(words).capitalize() + "."

    def prose(self, lines: int) -> list[str]:
        """Lines of text."""
        return [f"{self.sentence()} {self.sentence()}" for _ in range(lines)]

    def table(self, rows: int) -> list[str]:
        """Lines of numbers, which hardly compress: a project's test data."""
        return [
            f"{self.name()}\t{self._random.random():.12f}\t{self._random.getrandbits(48)}"
            for _ in range(rows)
        ]

    def module(self, lines: int) -> Module:
        """A module of at least so many lines."""
        imports = sorted({f"from project.{self.name()} import {self.name()}" for _ in range(6)})
        blocks = [
            ["# Licensed under the terms of the project.", f'"""{self.sentence()}"""', "", *imports, ""]
        ]
        while sum(map(len, blocks)) < lines:
            blocks.append(self.definition())
        return blocks

    def definition(self) -> list[str]:
        """A function, or now and then a class with methods, and the blank lines before it."""
        if self._random.random() < 0.8:
            return ["", *self._function("")]
        lines = ["", f"class {self.name().title().replace('_', '')}(object):", f'  """{self.sentence()}"""']
        for _ in range(self._random.randint(2, 5)):
            lines += self._function("  ")
        return lines

    def edit(self, blocks: Module) -> None:
        """Change a module as a commit does: some statements of one definition, rarely a whole one."""
        kind = self._random.random()
        place = self._random.randrange(len(blocks))
        if kind < 0.12:
            blocks.insert(place + 1, self.definition())
        elif (
            kind < 0.22 + len(blocks) / 500 and len(blocks) > 3 and place
        ):  # what is long is split, sooner or later
            del blocks[place]
        else:
            self._edit_block(blocks[place])

    def _edit_block(self, block: list[str]) -> None:
        start = self._random.randrange(len(block))
        for number in range(start, min(len(block), start + self._random.randint(1, 12))):
            line = block[number]
            indent = line[: len(line) - len(line.lstrip())]
            if line.startswith(" ") and " = " in line and not line.endswith(":"):
                block[number] = indent + self._assignment()

    def _function(self, indent: str) -> list[str]:
        arguments = ", ".join(dict.fromkeys(self.name() for _ in range(self._random.randint(1, 5))))
        inner = indent + "  "
        head = ["", f"{indent}def {self.name()}({arguments}):", f'{inner}"""{self.sentence()}']
        head += [f"{inner}{self.sentence(9)}" for _ in range(self._random.randint(0, 4))] + [f'{inner}"""']
        body: list[str] = []
        for _ in range(self._random.randint(2, 9)):
            body += self._statement(inner)
        return [*head, *body, f"{inner}return {self._call()}"]

    def _statement(self, indent: str) -> list[str]:
        match self._random.randrange(6):
            case 0:
                return [
                    f"{indent}if {self.name()} > {self._random.randrange(999)}:",
                    *self._lines(indent + "  "),
                ]
            case 1:
                return [f"{indent}for {self.name()} in {self._call()}:", *self._lines(indent + "  ")]
            case 2:
                return [f"{indent}# {self.sentence(8)}", indent + self._assignment()]
            case _:
                return [indent + self._assignment()]

    def _lines(self, indent: str) -> list[str]:
        return [indent + self._assignment() for _ in range(self._random.randint(1, 3))]

    def _assignment(self) -> str:
        return f"{self.name()} = {self._call()}"

    def _call(self) -> str:
        last = (
            f'name="{self.name()}"'
            if self._random.random() < 0.3
            else f"{self.name()}={self._random.randrange(4096)}"
        )
        return f"{self.name()}.{self.name()}({self.name()}, {last})"
