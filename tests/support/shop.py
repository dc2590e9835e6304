"""The project that docs/ci.md speaks of: a repository, a manifest and a document, of each of which a part is wrong."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

from support.project import Cite
from support.project import Source as Of
from support.scanning import known_as

if TYPE_CHECKING:
    from collections.abc import Iterator

    from support.project import World

DOCUMENT = Path(__file__).parents[2] / "docs" / "ci.md"
SITE = "https://github.com/example/shop"

CODE = """\
def net(items):
    return sum(item.price for item in items)


def total(items, rate):
    return round(net(items) * (1 + rate), 2)
"""
NET, TOTAL = CODE.split("\n\n\n")
WRONG = TOTAL.replace("net(items) * (1 + rate)", "net(items) + rate")

_BLOCK = re.compile(
    r"^(?:<!-- (?P<mark>[a-z]+)(?:: (?P<name>[^\n]*?))? -->\n+)?(?P<fence>`{3,})(?P<language>[a-z]*)\n"
    r"(?P<body>.*?)^(?P=fence)$",
    re.MULTILINE | re.DOTALL,
)


def blocks(language: str = "", mark: str = "") -> Iterator[tuple[str, str]]:
    """The blocks of docs/ci.md in a language or below a comment `<!-- mark: name -->`: the name, and the text."""
    for found in _BLOCK.finditer(DOCUMENT.read_text(encoding="utf-8")):
        if language in {"", found["language"]} and mark in {"", found["mark"]}:
            yield found["name"] or "", found["body"]


def shown(name: str) -> str:
    """What docs/ci.md says is printed."""
    (found,) = (text for label, text in blocks(mark="shown") if label == name)
    return found


def prices(world: World, quote: str = TOTAL, *, locked: bool = True) -> None:
    """Write the manifest, and lock what it cites."""
    if not world.repository.tip("main"):
        world.repository.tag("v1", world.repository.commit({"src/price.py": CODE}))
    known_as(world, SITE)
    world.project.manifest(
        {"shop": Of(SITE, "v1")},
        Cite("net", "src/price.py", "1-2", f"{NET}\n", "shop", "The net price is a sum."),
        Cite("total", "src/price.py", "5-6", quote, "shop", "The tax comes last."),
        name="prices",
        title="How prices are made",
    )
    if locked:
        world.project.fetch()


def notes(lines: str = "L5-L6", quote: str = TOTAL) -> str:
    """A document that quotes the same function."""
    return f"# Prices\n\n[The total]({SITE}/blob/v1/src/price.py#{lines}):\n\n```python\n{quote}```\n"
