"""What a few pages assert beside their quotes, verified with evidence at hand, beside the quotes alone."""

from __future__ import annotations

import re
from random import Random
from typing import TYPE_CHECKING

from bench.lab import PROV, Contender
from bench.measure import BenchError, Measurement, Unit, ratio, timed
from bench.project import cite, files_at, write_manifest

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from bench.lab import Lab
    from bench.project import Cited

_PAGES = 4
_QUOTES = 3
"""Of a page: four real ones have eleven."""
_STATEMENT = re.compile(r"\s+(?P<code>\w+ = \w+\.\w+\(.*\))")
"""A line that is an expression to cite."""
_MORE = 4
"""Rounds for each of the usual ones: these commands are short."""

_QUANTITY = """\
quantities:
  - id: sum
    terms:
      - {name: Weight matrix, calculation: 512 × 2048, equals: 1048576}
      - {name: Output bias, calculation: 2048, equals: 2048}
    total: 1050624
    repeated: 6
    overall: 6303744
    statements:
      - 1050624 × 6 layers = 6303744
      - 1050624
      - 1050624 × 6 = 6303744
    shapes:
      - "[B batch, T target positions, 512 d]"
      - "[B batch, T target positions, 2048 d_ff]"
"""


def measure(lab: Lab) -> Iterator[Measurement]:
    """Verify two projects that differ in what is asserted beside the quotes.

    Raises:
        BenchError: something does not hold.
    """
    plain, full = (
        _made(lab, name, asserting=asserting) for name, asserting in (("plain", False), ("full", True))
    )
    for what, how in (("with nothing changed", ()), ("all judged anew", ("--refresh",))):
        contenders = {
            name: Contender((PROV, "verify", "--offline", *how), folder, lab.folder / f"home-{folder.name}")
            for name, folder in (("plain", plain), ("full", full))
        }
        runs = lab.race(contenders, lab.rounds * _MORE)
        quotes = _PAGES * _QUOTES
        expected = {
            "plain": f"{quotes} of {quotes} citations checked: {quotes} ok",
            "full": f"{quotes + 3 * _PAGES} of {quotes + 3 * _PAGES} checked",
        }
        for name, text in expected.items():
            if any(text not in run.output or "failure" in run.output for run in runs[name]):
                message = f"expected {text!r}, and prov verify ended with {runs[name][-1].output[-300:]!r}"
                raise BenchError(message)
        yield Measurement(
            f"`prov verify`, {_PAGES} pages with an expression, a sum and a pin each, {what}",
            "their quotes alone",
            ratio(runs["full"], runs["plain"]),
            Unit.TIMES,
            1.1,
            f"{timed(runs['full'])} and {timed(runs['plain'])}",
        )


def _made(lab: Lab, name: str, *, asserting: bool) -> Path:
    """A project of a few pages, fetched."""
    folder = lab.folder / f"pages-{name}"
    random = Random("pages")  # noqa: S311 - it is to be the same each time
    files = files_at(lab, lab.revision)[:_PAGES]
    for number, file in enumerate(files):
        quotes = [cite(random, file) for _ in range(_QUOTES)]
        write_manifest(folder, f"page-{number}", lab.url, quotes)
        if asserting:
            _assert_more(folder / "manifests" / f"page-{number}.yaml", quotes[0])
    lab.run(Contender((PROV, "fetch", "--allow-local", "--quiet"), folder, lab.home(f"home-{folder.name}")))
    return folder


def _assert_more(manifest: Path, cited: Cited) -> None:
    """Add a pin, an expression and a sum to a page's manifest."""
    file = cited.file
    number, code = next(
        (number, match["code"])
        for number, line in enumerate(file.lines, 1)
        if (match := _STATEMENT.fullmatch(line)) is not None
    )
    revision = f"    revision: {file.revision}\n"
    text = manifest.read_text(encoding="utf-8").replace(
        revision, f"{revision}    stated: {file.revision[:7]}\n"
    )
    text += (
        f"\n  - id: call\n    source: at-0\n    path: {file.path}\n    lines: {number}\n    evidence: direct\n"
        f"    expression: |-\n      {code}\n{_QUANTITY}"
    )
    manifest.write_text(text, encoding="utf-8")
