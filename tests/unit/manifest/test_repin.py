from __future__ import annotations

from dataclasses import replace

import pytest

from provenance.citation import Citation, EvidenceKind, LineRange, Manifest, Source
from provenance.manifest import Repin, Repinned, parse, repin
from provenance.manifest.moving import moved, same_revision

GIT = "https://example.org/engine"
OLD = "0c66117d4297"
NEW = "9b63575ef42771a015060c964af2c3da4cf7c8ab"
VALVE = Repin("valve", GIT, NEW, "src/valve.py", None)


def put(text: str, *repins: Repin) -> str:
    """The text re-pinned, which reads well, and which stays as it is when that is done again."""
    found = repin(text.encode(), "m.yaml", repins)
    assert isinstance(found, Repinned), [str(error) for error in found]
    assert isinstance(parse(found.data, "m.yaml"), Manifest)
    assert repin(found.data, "m.yaml", repins) == Repinned(found.data, (), ())
    return found.data.decode()


def refused(text: str, *repins: Repin) -> list[str]:
    found = repin(text.encode(), "m.yaml", repins)
    assert isinstance(found, tuple)
    return [str(error) for error in found]


DOCUMENT = """\
# An engine.
prov: 1
title: Engine   # with a valve

sources:
  engine:
    git: https://example.org/engine
    revision: {revision}
    license: MIT
citations:
  # Where it opens.
  - id: valve
    source: engine
    path: {path}
    lines: {lines}
    evidence: direct
    claim: >-
      It opens,
      and it closes.
    quote: {quote}
    expect: {{verdict: partial, because: as shown, until: 2027-06-30}}
quantities: []
# The end.
"""
WRITTEN = {"revision": OLD, "path": "src/valve.py", "lines": "99-103", "quote": "open()  # as shown"}


def document(**parts: str) -> str:
    return DOCUMENT.format(**WRITTEN | parts)


SPELLINGS = {
    "plain": ("path", "src/valve.py", "lib/a.py", "lib/a.py"),
    "plain no longer": ("path", "src/valve.py", "lib: a.py", '"lib: a.py"'),
    "single quotes": ("path", "'src/valve.py'", "it's.py", "'it''s.py'"),
    "single quotes no longer": ("path", "'src/valve.py'", "a\u00a0b", r'"a\xa0b"'),
    "double quotes": ("path", '"src/valve.py"  # c', 'a"\\.py', r'"a\"\\.py"  # c'),
    "double quotes on two lines": ("path", '"src/\\\n      valve.py"', "lib/a.py", '"lib/a.py"'),
    "on two lines": ("path", "src\n      valve.py  # c", "lib/a.py", "lib/a.py  # c"),
    "on its own line": ("path", "\n      # c\n      src/valve.py", "lib/a.py", "\n      # c\n      lib/a.py"),
    "folded": ("path", ">-  # c\n        src\n        valve.py\n", "a.py", ">-  # c\n        a.py\n"),
    "folded no longer": ("path", ">-  # c\n      src\n      valve.py\n", "a\u00a0b", '"a\\xa0b"  # c\n'),
    "literal with its indent": ("path", "|3-\n       src/valve.py\n\n", "# a", "|3-\n       # a\n\n"),
    "literal no longer": ("path", "|-\n      src/valve.py", "a\u2009b", r'"a\u2009b"'),
    "like another type": ("revision", OLD, "1e10", "1e10"),
    "quoted revision": ("revision", f"'{OLD}'", NEW, f"'{NEW}'"),
    "tag": ("revision", f"{OLD}  # pinned", "v1.0 #2", '"v1.0 #2"  # pinned'),
}


@pytest.mark.parametrize(("key", "written", "value", "expected"), SPELLINGS.values(), ids=SPELLINGS)
def test_a_value_of_one_line_keeps_its_form(key: str, written: str, value: str, expected: str) -> None:
    before = document(**{key: written})
    read = parse(before.encode(), "m.yaml")
    assert isinstance(read, Manifest), read
    now = replace(VALVE, path=read.citations[0].path, revision=OLD)
    asked = replace(now, path=value) if key == "path" else replace(now, revision=value)
    assert put(before, asked) == document(**{key: expected})


RANGES = {
    "range": ("99-103", LineRange(5, 6), "5-6"),
    "en dash": ("99–103", LineRange(5, 6), "5–6"),
    "white space": ("'  99 - 103 '", LineRange(5, 6), "'  5 - 6 '"),
    "quoted": ('"99-103"  # c', LineRange(5, 6), '"5-6"  # c'),
    "from a line to a range": ("60", LineRange(5, 6), "5-6"),
    "from a range to a line": ("99–103", LineRange(5, 5), "5"),
    "literal": ("|-\n      99–103", LineRange(5, 6), "|-\n      5–6"),
    "left alone": ("99–103", None, "99–103"),
    "the same": ("099 – 103", LineRange(99, 103), "099 – 103"),
}


@pytest.mark.parametrize(("written", "lines", "expected"), RANGES.values(), ids=RANGES)
def test_a_range_keeps_its_dash(written: str, lines: LineRange | None, expected: str) -> None:
    asked = replace(VALVE, revision=OLD, lines=lines)
    assert put(document(lines=written), asked) == document(lines=expected)


QUOTES = {
    "block for a block": ("|\n      a\n      b", "c\n  d\n", "|\n      c\n        d"),
    "as deep": ("|  # c\n         a", "c\n\nd\n", "|  # c\n         c\n\n         d"),
    "indented": ("|\n      a", "  c\nd\n", "|2\n        c\n      d"),
    "indented no longer": ("|2\n        a", "c\n", "|\n      c"),
    "its own indent": ("|1\n      a", " c\n", "|1\n      c"),
    "one line in a block": ("|\n      a", "c", "|-\n      c"),
    "folded": (">\n      a\n      b", "c\nd\n", "|\n      c\n      d"),
    "no last LF": ("|\n      a", "c\nd", "|-\n      c\n      d"),
    "blank lines at its end": ("|\n      a", "c\n\n\n", "|+\n      c\n\n"),
    "blank lines that were its own": ("|+\n      a\n\n", "c\n", "|\n      c"),
    "blank lines that were and are": ("|+\n      a\n\n", "c\n\n", "|+\n      c\n"),
    "blank lines below": ("|\n      a\n\n", "c\n", "|\n      c\n\n"),
    "blank lines below and at its end": ("|\n      a\n\n", "c\n\n", '"c\\n\\n"\n\n'),
    "line of spaces at its end": ("|\n      a\n         ", "c\n", "|\n      c"),
    "comment below": ("|\n      a\n     # c", "c\n", "|\n      c\n     # c"),
    "carriage return": ("|  # c\n      a", "c\r\nd\n", '"c\\r\\nd\\n"  # c'),
    "too deep to be stated": (f"|\n{' ' * 14}a", " c\n", '" c\\n"'),
    "deep": (f"|\n{' ' * 14}a", "c\n", f"|\n{' ' * 14}c"),
    "plain": ("open()  # c", "c\n d\n", "|  # c\n      c\n       d"),
    "single quotes": ("'open()'", "c\nd", "|-\n      c\n      d"),
    "double quotes": ('"a\\n\n\n      b"', "c\nd\n", "|\n      c\n      d"),
    "one line": ("'a'  # c", "it's", "'it''s'  # c"),
    "blank line after a plain one": ("open()\n", "c\n\n", '"c\\n\\n"\n'),
    "blank line after a plain one, none in it": ("open()\n", "c\n", "|\n      c\n"),
    "a comment that would fall in": ("open()\n\n      # c", "c\n", '"c\\n"\n\n      # c'),
    "a comment that would not": ("open()\n\n     # c", "c\n", "|\n      c\n\n     # c"),
    "on its own line": ("\n      open()", "c\n", '\n      "c\\n"'),
}


@pytest.mark.parametrize(("written", "quote", "expected"), QUOTES.values(), ids=QUOTES)
@pytest.mark.parametrize("ending", ["\n", "\r\n"])
def test_an_accepted_quote_reads_back(written: str, quote: str, expected: str, ending: str) -> None:
    asked = replace(VALVE, revision=OLD, quote=quote)
    before, after = (document(quote=one).replace("\n", ending) for one in (written, expected))
    assert put(before, asked) == after
    read = parse(after.encode(), "m.yaml")
    assert isinstance(read, Manifest)
    assert read.citations[0].quote == quote


@pytest.mark.parametrize("written", ["|\n      a", "'a'", "|+\n      a\n"])
@pytest.mark.parametrize("quote", ["c", "c\n", "c\nd", "c\n\n", "\n c\n\n\n"])
def test_a_quote_at_the_end_of_a_file_without_a_line_end(written: str, quote: str) -> None:
    head, _, _ = document().partition("    quote:")
    for before in (f"{head}    quote: {written}", f"{head}    quote: {written}\n"):
        after = put(before, replace(VALVE, revision=OLD, quote=quote))
        read = parse(after.encode(), "m.yaml")
        assert isinstance(read, Manifest)
        assert read.citations[0].quote == quote
        assert after.startswith(f"{head}    quote: ")


def test_a_quote_in_braces() -> None:
    head, _, _ = document().partition("  # Where")
    entry = "  - {{id: valve, source: engine, path: a.py, lines: 1, evidence: direct, quote: {}}}\n"
    asked = replace(VALVE, revision=OLD, path="a, b.py", quote="c\n{d}\n")
    expected = entry.format('"c\\n{d}\\n"').replace("a.py", '"a, b.py"')
    assert put(head + entry.format("open()"), asked) == head + expected


TWO = """\
prov: 1
title: Engine
{sources}citations:
  - {{id: valve, source: {source}, path: src/valve.py, lines: 1, evidence: direct}}
  - {{id: rod, source: engine, path: src/rod.py, lines: 1, evidence: direct}}
"""
ADDED = {
    "block": (
        f"sources:\n  engine:\n    git: {GIT}\n    revision: {OLD}\n",
        f"  engine-9b63575:\n    git: {GIT}\n    revision: {NEW}\n",
        "",
    ),
    "its order, its quotes, its columns, not its comments": (
        (
            "sources:\n    'engine' : # c\n       license:  MIT # c\n"
            f"       # c\n       revision: '{OLD}'\n       \"git\":      {GIT}\n"
        ),
        f"    'engine-9b63575':\n       license:  MIT\n       revision: '{NEW}'\n       \"git\":      {GIT}\n",
        "",
    ),
    "without alternates and what is stated": (
        (
            f"sources:\n  engine:\n    git: {GIT}\n    stated: {OLD}\n    revision: {OLD}\n    alternates:\n"
            "    - pypi: engine==1.0 # c\n"
        ),
        f"  engine-9b63575:\n    git: {GIT}\n    revision: {NEW}\n",
        "",
    ),
    "comments below": (
        f"sources:\n  engine:\n    git: {GIT}\n    revision: {OLD} # c\n    # of the engine\n",
        f"  engine-9b63575:\n    git: {GIT}\n    revision: {NEW}\n",
        "  # of another\n\n  other: {git: o, revision: o}\n",
    ),
    "a block at its end": (
        f"sources:\n  engine:\n    git: >-\n      {GIT}\n    revision: |-\n      {OLD}\n",
        f"  engine-9b63575:\n    git: {GIT}\n    revision: {NEW}\n",
        "\n\n",
    ),
    "values on lines of their own": (
        f"sources:\n  engine:\n    git:\n      {GIT}\n    license: MIT\n      OR X\n    revision:\n      {OLD}\n",
        f"  engine-9b63575:\n    git: {GIT}\n    license: MIT OR X\n    revision: {NEW}\n",
        "",
    ),
    "written out": (
        f"sources:\n  ? engine\n  : ? git\n    : {GIT}\n    ? |-\n      revision\n    : {OLD}\n",
        f"  engine-9b63575:\n    git: {GIT}\n    revision: {NEW}\n",
        "",
    ),
    "braces in a block": (
        f"sources:\n  engine: {{ git: {GIT}, revision: {OLD},\n    stated: {OLD} }} # c\n",
        f"  engine-9b63575: {{ git: {GIT}, revision: {NEW} }}\n",
        "",
    ),
    "braces": (
        f'sources: {{engine: {{git: "{GIT}", revision: {OLD}}}',
        f', engine-9b63575: {{git: "{GIT}", revision: {NEW}}}',
        ", other: {git: o, revision: o}}\n",
    ),
    "braces with lines": (
        f'sources: {{\n  "engine":{{"git":"{GIT}", "revision":"{OLD}"}}, # c\n',
        f'  "engine-9b63575":{{"git":"{GIT}", "revision":"{NEW}"}},\n',
        "  }\n",
    ),
    "braces with lines, one brace too many": (
        f"sources: {{\n  engine: {{git: '{GIT}', revision: {OLD}}}",
        f", engine-9b63575: {{git: '{GIT}', revision: {NEW}}}",
        "}\n",
    ),
}


@pytest.mark.parametrize(("before", "added", "behind"), ADDED.values(), ids=ADDED)
@pytest.mark.parametrize("ending", ["\n", "\r\n"])
def test_a_source_is_added_behind_the_one_that_some_citations_leave(
    before: str, added: str, behind: str, ending: str
) -> None:
    text = TWO.format(sources=before + behind, source="engine").replace("\n", ending)
    expected = TWO.format(sources=before + added + behind, source="engine-9b63575").replace("\n", ending)
    assert put(text, VALVE) == expected


def test_braces_with_lines_and_no_last_comma() -> None:
    old, new = (f"{{git: '{GIT}', revision: {one}}}" for one in (OLD, NEW))
    text = TWO.format(sources=f"sources: {{\n  engine: {old} # c\n  }}\n", source="engine")
    sources = f"sources: {{\n  engine: {old}, # c\n  engine-9b63575: {new}\n  }}\n"
    assert put(text, VALVE) == TWO.format(sources=sources, source="engine-9b63575")
    other = new.replace(NEW, "v2")
    sources = f"sources: {{\n  engine: {old}, # c\n  engine-9b63575: {new},\n  engine-v2: {other}\n  }}\n"
    expected = TWO.format(sources=sources, source="engine-9b63575").replace(
        "rod, source: engine", "rod, source: engine-v2"
    )
    assert put(text, VALVE, Repin("rod", GIT, "v2", "src/rod.py", None)) == expected


def test_sources_at_the_end_of_a_file_without_a_line_end() -> None:
    sources = f"sources:\n  engine:\n    git: {GIT}\n    revision: {OLD}"
    text = TWO.format(sources="", source="engine") + sources
    expected = TWO.format(sources="", source="engine-9b63575") + sources
    assert put(text, VALVE) == f"{expected}\n  engine-9b63575:\n    git: {GIT}\n    revision: {NEW}"


def test_a_byte_order_mark_stays() -> None:
    assert put("\ufeff" + document(), VALVE) == "\ufeff" + document(revision=NEW)


def test_nothing_to_do_is_the_same_file() -> None:
    data = document().encode()
    now = replace(VALVE, revision=OLD, lines=LineRange(99, 103), quote="open()")
    for repins in ((), (now,), (replace(now, revision=OLD + "71a015"),), (replace(now, revision=OLD[:7]),)):
        assert repin(data, "m.yaml", repins) == Repinned(data, (), ())


SIMPLE = Source("engine", GIT, OLD, "MIT")
PATHS = {
    "all of them": ("engine:old", {"a": NEW, "b": NEW}, "engine:new", "engine engine"),
    "one commit in two spellings": ("engine:old", {"a": NEW, "b": NEW[:9]}, "engine:new", "engine engine"),
    "one of them": ("engine:old", {"a": NEW}, "engine:old engine-9b63575:new", "engine-9b63575 engine"),
    "one is there already": (
        "engine:old",
        {"a": NEW, "b": OLD},
        "engine:old engine-9b63575:new",
        "engine-9b63575 engine",
    ),
    "two ways": (
        "engine:old",
        {"a": NEW, "b": "v2/β"},
        "engine:old engine-9b63575:new engine-v2:v2/β",
        "engine-9b63575 engine-v2",
    ),
    "no letter of a name": ("engine:old", {"a": "β"}, "engine:old engine-other:β", "engine-other engine"),
    "there is one": ("engine:old next:new", {"a": NEW}, "engine:old next:new", "next engine"),
    "there is a short one": (
        f"next:{NEW[:7]} engine:old",
        {"a": NEW},
        f"next:{NEW[:7]} engine:old",
        "next engine",
    ),
    "the better one": (
        f"engine:old one:{NEW[:8]} next:new",
        {"a": NEW},
        f"engine:old one:{NEW[:8]} next:new",
        "next engine",
    ),
    "the name is taken": (
        "engine:old engine-9b63575:x",
        {"a": NEW},
        "engine:old engine-9b63575ef427:new engine-9b63575:x",
        "engine-9b63575ef427 engine",
    ),
    "all names are taken": (
        "engine:old engine-9b63575:x engine-9b63575ef427:x",
        {"a": NEW},
        "engine:old engine-9b63575ef427-2:new engine-9b63575:x engine-9b63575ef427:x",
        "engine-9b63575ef427-2 engine",
    ),
}


def revisions(text: str) -> tuple[Source, ...]:
    named = {"old": OLD, "new": NEW}
    pairs = (one.split(":") for one in text.split())
    return tuple(replace(SIMPLE, name=name, revision=named.get(rev, rev)) for name, rev in pairs)


@pytest.mark.parametrize(("sources", "targets", "after", "used"), PATHS.values(), ids=PATHS)
def test_which_source_a_citation_goes_to(
    sources: str, targets: dict[str, str], after: str, used: str
) -> None:
    had = revisions(sources)
    engine = next(source for source in had if source.name == "engine")
    line, direct = LineRange(1, 1), EvidenceKind.DIRECT
    citations = tuple(Citation(id_, engine, "a.py", line, direct) for id_ in "ab")
    repins = {id_: Repin(id_, GIT, target, "a.py", None) for id_, target in targets.items()}
    new, _ = moved(Manifest("m.yaml", "t", None, had, citations), repins)
    assert new.sources == revisions(after)
    assert [citation.source for citation in new.citations] == [
        next(source for source in new.sources if source.name == name) for name in used.split()
    ]
    assert moved(new, repins) == (new, ())


def test_a_source_that_changes_in_place_is_joined_where_it_goes_and_not_where_it_was() -> None:
    one, other = revisions(f"one:old two:{NEW}")
    line, direct = LineRange(1, 1), EvidenceKind.DIRECT
    citations = (
        Citation("a", one, "a.py", line, direct),
        Citation("b", one, "a.py", line, direct),
        Citation("c", other, "a.py", line, direct),
    )
    manifest = Manifest("m.yaml", "t", None, (one, other), citations)
    leaves = {id_: Repin(id_, GIT, to, "a.py", None) for id_, to in {"a": NEW, "c": "v3"}.items()}
    new, _ = moved(manifest, leaves)
    assert [(source.name, source.revision) for source in new.sources] == [
        ("one", OLD),
        ("one-9b63575", NEW),
        ("two", "v3"),
    ]
    follows = {id_: Repin(id_, GIT, "v3", "a.py", None) for id_ in "ac"}
    assert [citation.source.name for citation in moved(manifest, follows)[0].citations] == [
        "two",
        "one",
        "two",
    ]


def test_another_repository_is_not_joined() -> None:
    had = (SIMPLE, Source("other", "https://example.org/other", NEW))
    line, direct = LineRange(1, 1), EvidenceKind.DIRECT
    citations = tuple(Citation(id_, SIMPLE, "a.py", line, direct) for id_ in "ab")
    new, _ = moved(Manifest("m.yaml", "t", None, had, citations), {"a": VALVE})
    assert [source.name for source in new.sources] == ["engine", "engine-9b63575", "other"]


def test_the_longest_name_has_room_for_a_revision() -> None:
    name = "n" * 99 + "e"
    sources = f"sources:\n  {name}:\n    git: {GIT}\n    revision: {OLD}\n"
    text = TWO.format(sources=sources, source=name).replace("source: engine", f"source: {name}")
    assert f"  {'n' * 92}-9b63575:\n" in put(text, VALVE)


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        (OLD, OLD, True),
        (NEW, NEW[:7], True),
        (NEW[:7].upper(), NEW, True),
        (NEW, NEW[:6], False),
        (OLD, NEW, False),
        ("v1", "v1", True),
        ("v1.0", "v1.0.1", False),
        ("main", "mainline", False),
    ],
)
def test_when_two_revisions_are_one(one: str, other: str, *, same: bool) -> None:
    assert same_revision(one, other) is same
    assert same_revision(other, one) is same


def test_what_a_person_must_look_at() -> None:
    sources = (
        f"sources:\n  engine:\n    git: {GIT}\n    revision: {OLD}\n    stated: 0c66117\n"
        "    alternates: [{pypi: engine==1.0}, {pypi: motor==2}]\n"
    )
    text = TWO.format(sources=sources, source="engine")
    rod = Repin("rod", GIT, NEW, "src/rod.py", None)
    found = repin(text.encode(), "m.yaml", [rod, VALVE])
    assert isinstance(found, Repinned)
    assert found.changed == ("valve", "rod")
    assert found.data == text.replace(f"revision: {OLD}", f"revision: {NEW}").encode()
    assert found.notes == (
        (
            f"the source engine is now at {NEW}, and its alternates (engine==1.0, motor==2) hold the files of {OLD}: "
            "name releases of the new revision, or take them away"
        ),
        f"the document states 0c66117 for engine, which is now at {NEW}: edit the document, and `stated` with it",
    )
    apart = repin(text.encode(), "m.yaml", [replace(rod, revision="v2"), VALVE])
    assert isinstance(apart, Repinned)
    assert apart.notes == ("no citation is left of the source engine: it can be taken away",)
    assert apart.changed == ("valve", "rod")


def test_a_value_keeps_to_its_pointer() -> None:
    head, _, _ = document().partition("  # Where")
    entry = (
        "  - {id: width, source: engine, path: a.json, evidence: direct, value: {pointer: /n, equals: 1}}\n"
    )
    asked = Repin("width", GIT, NEW, "b.json", LineRange(3, 3))
    assert put(head + entry, asked) == (head + entry).replace("a.json", "b.json").replace(OLD, NEW)


def test_user_information_need_not_be_known() -> None:
    secret = document().replace("https://", "https://user:secret@")
    assert put(secret, VALVE) == secret.replace(OLD, NEW)


EXPRESSION = document().replace("quote: open()", "expression: open()")
REFUSALS = {
    "no YAML": ("{", VALVE, "this is not YAML"),
    "unknown": (document(), replace(VALVE, id="x"), "m.yaml:1: there is no citation 'x' to re-pin"),
    "repository": (
        document(),
        replace(VALVE, git="https://u:p@example.org/x"),
        f"m.yaml:12:5: valve cannot be re-pinned: its source is {GIT}, and not https://example.org/x",
    ),
    "revision": (document(), replace(VALVE, revision=" "), "the revision ' ' cannot stand in a manifest"),
    "path": (document(), replace(VALVE, path="a\udcff"), r"the path 'a\udcff' cannot stand in a manifest"),
    "expression": (EXPRESSION, replace(VALVE, quote="c"), "it has no quote that could be replaced"),
    "blank": (document(), replace(VALVE, quote=" \n"), "the new quote cannot stand in a manifest"),
    "null": (document(), replace(VALVE, quote="a\0"), "the new quote cannot stand in a manifest"),
    "what would not be read": (
        document(),
        replace(VALVE, lines=LineRange(1, 10**9)),
        "m.yaml:1: nothing is written: re-pinned in place, it could not be read (found '1-1000000000'",
    ),
}


@pytest.mark.parametrize(("text", "asked", "message"), REFUSALS.values(), ids=REFUSALS)
def test_what_cannot_be_written_is_refused(text: str, asked: Repin, message: str) -> None:
    errors = refused(text, asked)
    assert len(errors) == 1
    assert message in errors[0]


def test_two_places_at_once_are_refused_and_one_place_twice_is_not() -> None:
    assert refused(document(), VALVE, replace(VALVE, revision="v2")) == [
        "m.yaml:12:5: valve cannot be re-pinned to two places at once"
    ]
    assert put(document(), VALVE, VALVE) == document(revision=NEW)


def test_what_would_mean_something_else_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    def swapped(text: str, _old: Manifest, _new: Manifest) -> str:
        return text.replace("src/valve.py", "src/rod.py")

    monkeypatch.setattr("provenance.manifest.guarding.rewritten", swapped)
    assert refused(document(), VALVE) == [
        "m.yaml:12:5: nothing is written: re-pinned in place, it would say something else; re-pin it by hand"
    ]


def test_a_name_that_tells_a_revision_is_not_kept_for_another_one() -> None:
    text = """prov: 1
title: Engine
sources:
  engine:
    git: https://example.org/engine
    revision: aaaaaaaaaaaa
  engine-v2.0:
    git: https://example.org/engine
    revision: v2.0
citations:
  - {id: a, source: engine-v2.0, path: x.py, lines: 1, evidence: direct, quote: x}
  - {id: b, source: engine, path: x.py, lines: 2, evidence: direct, quote: y}
"""
    done = repin(
        text.encode(), "m", [Repin("a", "https://example.org/engine", "b" * 12, "x.py", LineRange(3, 3))]
    )
    assert isinstance(done, Repinned)
    manifest = parse(done.data, "m")
    assert isinstance(manifest, Manifest)
    assert [source.name for source in manifest.sources] == ["engine", "engine-v2.0", "engine-bbbbbbb"]
    assert done.notes == ("no citation is left of the source engine-v2.0: it can be taken away",)
