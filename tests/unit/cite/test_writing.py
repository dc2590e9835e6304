"""A citation that is given away reads back as exact, whatever the lines hold; every other one is refused."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
import yaml
from docutils import nodes
from docutils.core import publish_doctree
from hypothesis import example, given, settings
from hypothesis import strategies as st

from provenance.citation import EvidenceKind, LineRange, Manifest, Source
from provenance.cite.wish import Found, Words
from provenance.cite.writing import as_document, as_item, as_manifest, citation_of
from provenance.documents.formats import read_document
from provenance.documents.unreadable import Unreadable
from provenance.errors import UsageError
from provenance.evidence import Assurance, object_id
from provenance.extract.lines import Text, normalise
from provenance.links.forges import NO_HOSTS, Forge
from provenance.links.targets import ContentLink, FileLink
from provenance.manifest import parse
from provenance.manifest.composing import empty
from provenance.report.citing import FORMS, is_inert

if TYPE_CHECKING:
    from collections.abc import Callable

COMMIT = "0c66117d4297d6f778d415790bfbce6cfafe1239"
GIT = "https://github.com/example/engine"

PIECES = st.sampled_from(
    [
        "def f():",
        "    return 1",
        "\t",
        "  ",
        "x = '```'",
        "~~~~",
        "</pre></code>",
        "</script>",
        "&lt;&amp;",
        "# https://github.com/o/r/blob/main/a.py#L1-L2",
        "::error::x",
        "::std::x",
        "##[error]",
        "##vso[x]",
        "...",
        "# src/valve.py",
        "12: code",
        "\u202e",
        "\u200d",
        "\x1b[2J",
        "\ufeff",
        "\r",
        "\x00",
        "\x85",
        "\u2028",
        "\ud800",
        "\ufffc",
        "é",
        "`a`_",
        "* - > x",
        "::",
        ":class: x",
        "|",
        "+-+-+",
        "![x](http://e.org/x.png) @someone",
        "---",
        "@@ -1 +1 @@",
        "+a",
        "-b",
        "\\",
        "'",
        '"',
        "{{ x }}",
        "#",
        ": ",
    ]
)
LINES = st.lists(st.lists(PIECES, max_size=3).map("".join), min_size=1, max_size=6)
TEXTS = (
    LINES
    | LINES.map(lambda lines: [f"    {line}" for line in lines])
    | st.lists(st.text(max_size=12), min_size=1)
)


def found(
    lines: list[str], *, path: str = "src/valve.py", git: str = GIT, language: str | None = "python"
) -> Found:
    """A place in a file that has one line before and one after it."""
    text = Text("\n".join(["first", *lines, "last"]) + "\n")
    source = Source("engine", git, COMMIT)
    return Found(
        source,
        COMMIT,
        moves=False,
        path=path,
        lines=LineRange(2, len(text) - 1),
        text=text,
        blob=object_id("blob", b""),
        assurance=Assurance.COMMIT,
        language=language,
    )


def attempted(make: Callable[[], str]) -> str | UsageError:
    """What is made, or why it is refused."""
    try:
        return make()
    except UsageError as error:
        return error


@settings(max_examples=150)
@given(TEXTS)
@example(["", "x"])
@example(["x", ""])
@example(["\ufeffx"])
@example(["a\r"])
@example(["    ::error::x"])
def test_a_manifest_says_the_lines_as_they_are(lines: list[str]) -> None:
    place = found(lines)
    written = attempted(lambda: as_manifest(place, Words()))
    if isinstance(written, UsageError):
        assert str(written).startswith(f"src/valve.py:{place.lines}: the lines ")
        assert not place.quoted.strip() or set(place.quoted) & set("\0\r\ufeff\ud800")
        return
    assert is_inert(written)
    manifest = parse(written.encode(), "m.yaml")
    assert isinstance(manifest, Manifest)
    assert normalise(manifest.citations[0].quote or "") == place.quoted
    assert yaml.safe_load(written)["citations"][0]["quote"] == f"{place.quoted}\n"
    assert written.endswith(as_item(place, Words()))


@settings(max_examples=100)
@given(TEXTS, st.sampled_from([*FORMS]))
@example(["    a", "", "    b"], "rst")
@example(["\ta", "  ", "\t\tb  "], "rst")
@example(["", "a"], "html")
@example(["::error::x", "</pre>"], "markdown")
def test_a_document_shows_the_lines_as_they_are(lines: list[str], format_: str) -> None:
    place = found(lines)
    written = attempted(lambda: as_document(place, format_, NO_HOSTS)[0])
    if isinstance(written, UsageError):
        assert str(written).startswith(f"src/valve.py:{place.lines}: the lines ")
        return
    assert is_inert(written)
    sheet = read_document(written.encode(), f"x{FORMS[format_][0]}", NO_HOSTS)
    assert not isinstance(sheet, Unreadable)
    (block,) = sheet.blocks
    assert normalise(block.text) == place.quoted
    link = sheet.mentions[0].target
    assert isinstance(link, FileLink)
    assert (link.git, link.revision, link.path) == (GIT, COMMIT, "src/valve.py")
    assert link.anchor is not None
    assert link.anchor.lines == place.lines


PLAIN = [
    (["x = 1"], "python"),
    (["    def f():", "", "        return 1"], "python"),
    (["```", "`````", "~~~"], None),
    (["</pre>", "<b>&amp;&quot;</b>"], "html"),
    (["::testing::Init();", "  ::std::f();"], "cpp"),
    (["#| label: x", ":class: x", ".. note::"], None),
    (["12: x", "13: y"], None),
    (["- a", "+ b"], "python"),
]


@pytest.mark.parametrize("format_", FORMS)
@pytest.mark.parametrize(("lines", "language"), PLAIN)
def test_what_code_is_made_of_is_never_refused(format_: str, lines: list[str], language: str | None) -> None:
    assert as_document(found(lines, language=language), format_, NO_HOSTS)[1] == ()


@pytest.mark.parametrize(
    "lines", [["    def f():", "", "        return 1"], ["x", "    y"], ["  :a: b", "   c"]]
)
def test_docutils_shows_the_indentation(lines: list[str]) -> None:
    written, _ = as_document(found(lines), "rst", NO_HOSTS)
    tree = publish_doctree(written, settings_overrides={"syntax_highlight": "none", "report_level": 5})
    (block,) = tree.findall(nodes.literal_block)
    assert block.astext().split("\n") == lines


def test_a_fence_is_longer_than_any_run_of_its_marks() -> None:
    written, _ = as_document(found(["````", "x"]), "markdown", NO_HOSTS)
    assert written.split("\n")[2:] == ["`````python", "````", "x", "`````", ""]


def test_what_a_fence_cannot_disarm_stands_in_pre() -> None:
    written, _ = as_document(found(["::warning::x", "a < b\u202e"]), "markdown", NO_HOSTS)
    assert written.split("\n")[2:] == [
        '<pre><code class="language-python">&#58;:warning::x',
        "a &lt; b&#x202e;</code></pre>",
        "",
    ]


@pytest.mark.parametrize(
    ("lines", "format_", "told"),
    [
        ([" ", "\t"], "markdown", "the lines are blank: there is nothing to quote"),
        (["a\x1b[2J"], "markdown", "hold U+001B (a control character), which cannot stand in markdown"),
        (["a\x1b[2J"], "html", "--format yaml may hold them"),
        (["a\u202e"], "rst", "U+202E (right-to-left override), which cannot stand in rst"),
        (["a\u202e\u200b\u200c\u200d"], "rst", "(zero width non-joiner), 1 more, which"),
        (
            ["", "a"],
            "rst",
            "begin or end with a blank one, which is lost in rst: cite 3; --format yaml may hold",
        ),
        (["", "a", "", "b", ""], "html", "lost in html: cite 3-5; "),
        (["::error::a"], "rst", "what a CI system takes for a command"),
        (["x = 1"] * 5000, "rst", "the lines would read back as whitespace in rst, and not as exact"),
    ],
)
def test_what_cannot_be_shown_is_refused_with_the_reason(lines: list[str], format_: str, told: str) -> None:
    with pytest.raises(UsageError) as caught:
        as_document(found(lines), format_, NO_HOSTS)
    assert told in str(caught.value)


def test_nobody_is_sent_to_yaml_with_what_it_cannot_hold() -> None:
    with pytest.raises(UsageError, match=r"cannot stand in markdown\Z"):
        as_document(found(["a\0b"]), "markdown", NO_HOSTS)


def test_docutils_takes_one_citation_below_another() -> None:
    written = as_document(found(["a"]), "rst", NO_HOSTS)[0] * 2
    tree = publish_doctree(written, settings_overrides={"report_level": 1, "warning_stream": False})
    assert len([*tree.findall(nodes.literal_block)]) == 2
    assert [*tree.findall(nodes.system_message)] == []


def test_a_manifest_holds_what_documents_cannot() -> None:
    place = found(["a\x1b[2J \u202e ##[error]", "::error::b"])
    assert '"a\\x1b[2J \\u202e #\\x23[error]\\n::error::b\\n"' in as_item(place, Words())


@pytest.mark.parametrize("text", ["a\0b", "a\ud800", "a\r\r"])
def test_what_no_manifest_holds_is_refused(text: str) -> None:
    with pytest.raises(UsageError, match="which cannot stand in YAML"):
        as_item(found([text]), Words())


@pytest.mark.parametrize(
    ("git", "hosts", "link"),
    [
        (
            "git@github.com:example/engine.git",
            {},
            f"https://github.com/example/engine/blob/{COMMIT}/a.py#L2-L3",
        ),
        ("https://gitlab.com/g/engine", {}, f"https://gitlab.com/g/engine/-/blob/{COMMIT}/a.py#L2-3"),
        (
            "https://code.example.org/g/engine",
            {"code.example.org": Forge.GITEA},
            f"/src/commit/{COMMIT}/a.py#L2-L3",
        ),
        ("https://dev.azure.com/o/p/_git/engine", {}, f"version=GC{COMMIT}&line=2&lineEnd=4"),
    ],
)
def test_links_are_those_of_the_forge(git: str, hosts: dict[str, Forge], link: str) -> None:
    written, notes = as_document(found(["x", "y"], path="a.py", git=git), "markdown", hosts)
    assert link in written
    assert notes == ()


@pytest.mark.parametrize("git", ["https://git.example.org/x/engine.git", "https://git.zx2c4.com/cgit"])
@pytest.mark.parametrize("format_", FORMS)
def test_where_no_forge_selects_lines_the_link_is_an_identifier(git: str, format_: str) -> None:
    path = "a (b)/[c] #d;e.py"
    written, notes = as_document(found(["x", "y"], path=path, git=git), format_, NO_HOSTS)
    assert len(notes) == 1
    sheet = read_document(written.encode(), f"x{FORMS[format_][0]}", NO_HOSTS)
    assert not isinstance(sheet, Unreadable)
    (link,) = [mention.target for mention in sheet.mentions]
    assert isinstance(link, ContentLink)
    assert (link.origin, link.revision, link.path) == (git, COMMIT, path)


@pytest.mark.parametrize("git", ["../engine", "file:///srv/engine", "ssh://git@git.example.org/engine"])
def test_no_link_leads_to_a_repository_that_is_not_on_the_web(git: str) -> None:
    with pytest.raises(UsageError, match="no link leads to lines of"):
        as_document(found(["x"], git=git), "html", NO_HOSTS)
    assert isinstance(parse(as_manifest(found(["x"], git=git), Words()).encode(), "m"), Manifest)


def test_no_link_leads_to_a_commit_that_is_not_known() -> None:
    with pytest.raises(UsageError, match="its commit is not known"):
        as_document(replace(found(["x"]), commit=None), "html", NO_HOSTS)


@pytest.mark.parametrize(
    "path",
    ["a`b`.py", "`a", "a]b[.py", "a_b*c_.py", "<a>&b.py", "@someone/x.py", "a|b.py", "\\a.py", "é é.py"],
)
@pytest.mark.parametrize("format_", FORMS)
def test_any_path_can_be_linked_to(path: str, format_: str) -> None:
    written, _ = as_document(found(["x = 1"], path=path), format_, NO_HOSTS)
    assert is_inert(written)


def test_links_within_the_lines_are_told() -> None:
    place = found(["# https://github.com/o/r/blob/main/a.py#L1-L2", "x = 1"])
    assert as_document(place, "markdown", NO_HOSTS)[1] == (
        "the lines hold links to code, which prov scan judges, too",
    )


@pytest.mark.parametrize(
    ("words", "kind"),
    [
        (Words(), EvidenceKind.DIRECT),
        (Words(of="head"), EvidenceKind.CONTEXTUAL),
        (Words(of="head", evidence=EvidenceKind.CONTEXTUAL), EvidenceKind.CONTEXTUAL),
        (Words(evidence=EvidenceKind.CONTEXTUAL), EvidenceKind.CONTEXTUAL),
    ],
)
def test_what_it_is_evidence_for(words: Words, kind: EvidenceKind) -> None:
    assert citation_of(found(["x"]), words, ()).evidence is kind


def test_ids_are_slugs_that_are_not_taken() -> None:
    place = found(["x"], path="src/Ventil Größe.test.py")
    assert citation_of(place, Words(), ()).id == "ventil-groe-2"
    assert citation_of(place, Words(), {citation_of(place, Words(), ()).id}).id.endswith("-2-2")
    with pytest.raises(UsageError, match="the id x is used already"):
        citation_of(place, Words(id="x"), {"x"})
    with pytest.raises(UsageError, match="--of goes with contextual"):
        citation_of(place, Words(of="x", evidence=EvidenceKind.DIRECT), ())


@pytest.mark.parametrize(
    "words",
    [{"id": ""}, {"id": "x" * 101}, {"id": "a\nb"}, {"claim": " "}, {"of": "a\nb"}, {"claim": "a\ud800"}],
)
def test_words_that_no_manifest_holds_are_refused(words: dict[str, str]) -> None:
    with pytest.raises(UsageError, match="expected"):
        Words(**words)  # type: ignore[arg-type]


def test_an_empty_manifest_is_one() -> None:
    assert isinstance(parse(empty("A: b # c"), "m.yaml"), Manifest)
