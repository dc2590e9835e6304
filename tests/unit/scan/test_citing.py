from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from provenance.citation import Manifest
from provenance.document import Mention, Where
from provenance.errors import Position
from provenance.links.anchors import Anchor
from provenance.links.targets import RelativeLink
from provenance.manifest import parse, render
from provenance.scan.citing import Cited, Naming, line_of
from provenance.scan.outcome import Outcome
from provenance.scan.resolving import Meaning

GIT = "https://github.com/example/engine"
HERE = Position("a.md", 3)
OLD, NEW = "a" * 40, "b" * 40


@pytest.mark.parametrize(
    ("path", "anchor", "id_"),
    [
        ("src/valve.py", Anchor(5, 6), "valve-5-6"),
        ("valve.py", Anchor(5, 5), "valve-5"),
        ("valve.py", Anchor(5, 5, 3, 9), "valve-5"),
        ("valve.py", Anchor(9, 3), "valve-9-3"),
        ("valve.py", Anchor(0, 0), "valve-0"),
        ("a/.gitignore", Anchor(1, 1), "gitignore-1"),
        ("a/Valve Test.spec.ts", Anchor(1, 2), "valve-test-1-2"),
        ("Makefile", Anchor(1, 1), "makefile-1"),
        ("::error::/##[x].py", Anchor(1, 1), "x-1"),
    ],
)
def test_a_citation_is_called_after_its_file_and_lines(path: str, anchor: Anchor, id_: str) -> None:
    assert Naming().id(path, anchor) == id_


def test_names_that_are_taken_get_a_number() -> None:
    naming = Naming()
    found = [naming.id(path, Anchor(5, 6)) for path in ("valve.py", "other/valve.py", "valve.c")]
    assert found == ["valve-5-6", "valve-5-6-2", "valve-5-6-3"]


@given(st.lists(st.tuples(st.text(max_size=30), st.integers(0, 10**9), st.integers(0, 10**9)), max_size=10))
def test_every_name_is_another_and_fit_for_a_manifest(places: list[tuple[str, int, int]]) -> None:
    naming = Naming()
    found = [naming.id(path, Anchor(first, last)) for path, first, last in places]
    assert len(set(found)) == len(found)
    for name in found:
        assert 0 < len(name) <= 100
        assert not name.strip("abcdefghijklmnopqrstuvwxyz0123456789-")


def test_a_source_is_called_after_its_repository_and_others_of_it_after_their_revision() -> None:
    naming = Naming()
    meanings = [
        Meaning(GIT, OLD, "a.py"),
        Meaning(GIT, OLD, "b.py"),
        Meaning(GIT, NEW, "a.py"),
        Meaning(f"{GIT}.git", "v1/x", "a.py"),
        Meaning("https://user:secret@gitlab.com/other/engine", OLD, "a.py"),
    ]
    found = [naming.source(meaning, HERE) for meaning in meanings]
    assert found[0] is found[1]
    names = ["engine", "engine-bbbbbbbbbbbb", "engine-v1-x", "engine-aaaaaaaaaaaa"]
    assert [source.name for source in naming.sources] == names
    assert [source.revision for source in naming.sources] == [OLD, NEW, "v1/x", OLD]
    assert "secret" not in repr(naming.sources)


@given(st.lists(st.tuples(st.text(max_size=20), st.text(max_size=20)), max_size=8))
def test_every_source_has_a_name_of_its_own(pins: list[tuple[str, str]]) -> None:
    naming = Naming()
    for git, revision in pins:
        naming.source(Meaning(git, revision, "a.py"), HERE)
    names = [source.name for source in naming.sources]
    assert len(names) == len(set(names))


@pytest.mark.parametrize(
    ("where", "raw_line", "line"),
    [
        (Where(3, 3, 0), 3, 3),
        (Where(3, 6, 0), 5, 5),
        (Where(3, 6, 0), 40, 3),
        (Where(3, 6, 0), 1, 3),
    ],
)
def test_a_mention_stands_where_its_url_does_or_else_where_it_is_used(
    where: Where, raw_line: int, line: int
) -> None:
    mention = Mention(where, RelativeLink("a.py", Anchor(1, 1)), "a.py#L1", raw_line)
    assert line_of(mention) == line


def cited(text: str) -> Cited:
    manifest = parse(text.encode(), "a.md")
    assert isinstance(manifest, Manifest)
    return Cited(manifest, Outcome({}, ()), ())


def test_a_documents_digest_is_of_all_that_its_verdicts_depend_on() -> None:
    text = """\
prov: 1
title: a
sources:
  engine: {git: https://example.org/o/r, revision: v1}
citations:
  - {id: a, source: engine, path: a.py, lines: 5-6, evidence: direct, quote: x}
"""
    same = cited(text).digest()
    assert cited(text.replace("title: a", "title: b")).digest() == same
    for old, new in (
        ("id: a", "id: b"),
        ("v1", "v2"),
        ("o/r", "o/s"),
        ("a.py", "b.py"),
        ("5-6", "5-7"),
        ("quote: x", "quote: y"),
        (", quote: x", ""),
        ("title: a\n", "title: a\n\n"),
    ):
        assert cited(text.replace(old, new)).digest() != same, old
    assert cited(render(cited(text).manifest)).manifest.citations[0].quote == "x"
