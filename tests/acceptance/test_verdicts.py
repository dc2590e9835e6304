"""Every verdict once, from a repository to the report's fields."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import pytest
from support.project import Cite, Result, Source, World

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

CODE = """\
import os


class Store:
    def __init__(self, path):
        self.path = path
        self.items = {}

    def put(self, key, value):
        if key in self.items:
            raise KeyError(key)
        self.items[key] = value
        return value


def open_store(path):
    # the default
    return Store(path or os.getcwd())
"""
PUT = """\
    def put(self, key, value):
        if key in self.items:
            raise KeyError(key)
        self.items[key] = value
        return value
"""
INIT = "    def __init__(self, path):\n        self.path = path\n        self.items = {}\n"


@dataclass(frozen=True)
class Case:
    """What is cited, and what must be said of it."""

    lines: str
    quote: str | None
    verdict: str
    level: str
    path: str = "store.py"
    source: str = "code"
    fields: Mapping[str, object] = field(default_factory=dict)
    """Fields of the result that are texts, numbers or null."""
    spans: Mapping[str, str | list[str] | None] = field(default_factory=dict)
    """Fields that are ranges."""
    says: str = ""
    """A part of the message or the notes."""


CASES = {
    "exact": Case("9-13", PUT, "exact", "ok", fields={"similarity": 1.0, "symbol": "Store.put", "diff": ""}),
    "whitespace": Case(
        "9-13",
        "\n".join(line[4:] for line in PUT.split("\n")),
        "whitespace",
        "ok",
        fields={"similarity": 1.0},
    ),
    "elided": Case(
        "9-13",
        "    def put(self, key, value):\n        …\n        return value\n",
        "elided",
        "ok",
        spans={"omitted": ["10-12"]},
    ),
    "elided-stated": Case(
        "9-13",
        "    def put(self, key, value):\n… lines 10–12 omitted …\n        return value\n",
        "elided",
        "ok",
        spans={"omitted": ["10-12"]},
    ),
    "anchored": Case("9", PUT, "anchored", "ok", spans={"suggestion": "9-13"}),
    "unquoted": Case(
        "4-13", None, "unquoted", "ok", fields={"kind": "range", "symbol": "Store", "similarity": None}
    ),
    "partial": Case(
        "4-13", PUT, "partial", "warning", spans={"suggestion": "9-13"}, says="lines 4-8 without a mark"
    ),
    "shifted": Case("4-8", PUT, "shifted", "failure", spans={"found_at": ["9-13"], "suggestion": "9-13"}),
    "changed-code": Case(
        "9-13",
        PUT.replace("KeyError", "ValueError"),
        "changed",
        "failure",
        fields={"difference": "code"},
        spans={"found_at": ["9-13"]},
    ),
    "changed-comments": Case(
        "16-18",
        "def open_store(path):\n    # a default\n    return Store(path or os.getcwd())\n",
        "changed",
        "failure",
        fields={"difference": "comments"},
    ),
    "changed-whitespace": Case(
        "10-11",
        "        if key in self.items:\n          raise KeyError(key)\n",
        "changed",
        "failure",
        fields={"difference": "whitespace"},
    ),
    "changed-by-a-lie": Case(
        "9-13",
        "    def put(self, key, value):\n… lines 10–11 omitted …\n        return value\n",
        "changed",
        "failure",
    ),
    "absent": Case(
        "9-13",
        "Lorem ipsum dolor sit amet,\nconsectetur adipiscing elit\n",
        "absent",
        "failure",
        spans={"found_at": []},
    ),
    "out-of-range": Case(
        "9-19", PUT, "out-of-range", "failure", spans={"found_at": ["9-13"]}, says="18 lines"
    ),
    "not-text": Case("1-3", None, "not-text", "failure", path="image.bin", says="binary"),
    "no-path": Case("1", "x\n", "no-path", "failure", path="nothing.py", fields={"swhid": None}),
    "no-revision": Case("1", "import os\n", "no-revision", "failure", source="gone", fields={"swhid": None}),
    "unavailable": Case(
        "1",
        "import os\n",
        "unavailable",
        "unavailable",
        source="down",
        fields={"assurance": None, "origin": None},
    ),
}


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, Result]]:
    """All cases, judged in one run."""
    with World(tmp_path_factory.mktemp("verdicts")) as world:
        commit = world.repository.commit({"store.py": CODE, "image.bin": b"\0\1\2"})
        sources = {
            "code": world.source(commit),
            "gone": world.source("f" * 40),
            "down": Source("http://127.0.0.1:9/r.git", commit),
        }
        cites = [Cite(name, case.path, case.lines, case.quote, case.source) for name, case in CASES.items()]
        world.project.manifest(sources, *cites)
        yield world.project.verify(code=1)


@pytest.mark.parametrize("name", CASES)
def test_each_verdict_has_its_fields(found: dict[str, Result], name: str) -> None:
    case, result = CASES[name], found[name]
    assert (result["verdict"], result["level"]) == (case.verdict, case.level), result
    assert {key: result[key] for key in case.fields} == case.fields
    for key, expected in case.spans.items():
        assert (result.spans(key) if isinstance(expected, list) else result.span(key)) == expected
    assert case.says in result.text("message") + result.text("notes")
    had = case.verdict not in {"unavailable", "no-revision", "no-path"}
    assert result["assurance"] == ("commit" if had else None)


def test_the_diff_of_a_changed_quote_goes_from_quote_to_source(found: dict[str, Result]) -> None:
    lines = found["changed-code"].text("diff").split("\n")
    assert "-            raise ValueError(key)" in lines
    assert "+            raise KeyError(key)" in lines
    similarity = found["changed-code"]["similarity"]
    assert isinstance(similarity, float)
    assert 0.9 < similarity < 1


def test_a_range_that_cuts_a_statement_gets_a_note(found: dict[str, Result]) -> None:
    assert found["changed-whitespace"]["symbol"] == "Store.put"
    assert found["exact"]["notes"] == []
