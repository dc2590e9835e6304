"""Expressions judged on the syntax trees of the files that they are cited from, beside the parsing of those files."""

from __future__ import annotations

import json
import re
import sys
from collections import Counter
from random import Random
from typing import TYPE_CHECKING

from bench.code import Author
from bench.lab import Contender
from bench.measure import BenchError, Measurement, Unit, ratio, timed

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from bench.lab import Lab

_SEED = 20260301
_LINES = 1_000
"""Of a file."""
_EACH = 100
"""Expressions that are cited from one file."""
_MIX = (
    *("exact",) * 60,
    *("whitespace",) * 15,
    *("elided",) * 8,
    *("partial",) * 7,
    *("shifted",) * 10,
)
"""The verdicts of a file's expressions: one of each item."""
_ASSIGNMENT = re.compile(r"\s*(?P<code>\w+ = (?P<call>\w+\.\w+)\((?P<first>\w+), (?P<last>\w+=\S+)\))")
"""What the made-up files are full of."""
_AWAY = 40
"""Lines by which the citation of a shifted expression is off."""

_PARSE = """
import pathlib, sys
import tree_sitter_python
from tree_sitter import Language, Parser
parser = Parser(Language(tree_sitter_python.language()))
files = sorted(pathlib.Path(sys.argv[1]).glob("*.py"))
print(sum(not parser.parse(file.read_bytes()).root_node.has_error for file in files))
"""
_JUDGE = """
import collections, json, pathlib, sys
from provenance.citation import LineRange
from provenance.compare.expressions.expression import judge_expression
from provenance.extract.languages import PYTHON
from provenance.extract.lines import Text
from provenance.extract.syntax import Syntax
tally = collections.Counter()
for file in sorted(pathlib.Path(sys.argv[1]).glob("*.py")):
    text = Text(file.read_text(encoding="utf-8"))
    syntax = Syntax.of(text, PYTHON)
    for expression, first, last in json.loads(file.with_suffix(".json").read_bytes()):
        found = judge_expression(expression, LineRange(first, last), text, syntax=syntax, path=file.name)
        tally[found.verdict.value] += 1
print(json.dumps(tally))
"""


def measure(lab: Lab) -> Iterator[Measurement]:
    """Judge expressions over made-up files, and parse those files.

    Raises:
        BenchError: an expression had another verdict than it was made for.
    """
    files = lab.size.manifests // 5
    folder = lab.folder / "expressions"
    folder.mkdir()
    author = Author(Random(_SEED))  # noqa: S311 - it is to be the same each time
    random = Random(_SEED)  # noqa: S311
    for number in range(files):
        author.turn_to_a_file()
        lines = [line for block in author.module(_LINES) for line in block]
        (folder / f"{number:03}.py").write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
        (folder / f"{number:03}.json").write_text(json.dumps(_cited(lines, random)), encoding="utf-8")
    home = lab.folder / "home"
    runs = lab.race(
        {
            "parse": Contender((sys.executable, "-c", _PARSE, str(folder)), lab.folder, home),
            "judge": Contender((sys.executable, "-c", _JUDGE, str(folder)), lab.folder, home),
        }
    )
    made = Counter(_MIX * files)
    for run in runs["judge"]:
        if json.loads(run.output) != made:
            message = f"the expressions were made to be {dict(made)}, and were judged {run.output.strip()}"
            raise BenchError(message)
    yield Measurement(
        f"{made.total():,} expressions over {files} files, parsed and judged",
        "parsing those files once",
        ratio(runs["judge"], runs["parse"]),
        Unit.TIMES,
        3,
        f"{timed(runs['judge'])} and {timed(runs['parse'])}",
    )


def _cited(lines: Sequence[str], random: Random) -> list[tuple[str, int, int]]:
    """Expressions of a file, each with its first and last cited line."""
    found = [(match, number) for number, match in enumerate(map(_ASSIGNMENT.fullmatch, lines), 1) if match]
    chosen = random.sample(found, _EACH)
    cited = []
    for (match, number), verdict in zip(chosen, _MIX, strict=True):
        first, last = max(1, number - random.randrange(3)), min(len(lines), number + random.randrange(3))
        if verdict == "shifted":
            first = last = number - _AWAY if number > _AWAY else number + _AWAY
        cited.append((_shown(match, verdict), first, last))
    return cited


def _shown(match: re.Match[str], verdict: str) -> str:
    """An assignment of a call as a document shows it that gets a verdict."""
    call, code = match["call"], match["code"]
    match verdict:
        case "whitespace":
            return (
                code.replace("(", "(\n    ").replace(", ", ",\n    ").replace('"', "'").replace(")", ",\n)")
            )
        case "elided":
            return f"{call}(…)" if len(call) % 2 else f"{call}({match['first']}, …)"
        case "partial":
            return f"{call}({match['first']})"
        case _:
            return code
