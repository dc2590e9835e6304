from __future__ import annotations

import json
import re
from dataclasses import replace
from html.parser import HTMLParser
from typing import TYPE_CHECKING
from urllib.parse import unquote

import pytest
from support.origins import OFFLINE, commit
from support.published import BREAKOUT, PUMP, Site, citations, project, remember_drift
from support.workspace import TODAY, Workspace, cite, source

from provenance.citation import Expectation

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

VOID = {"meta", "link", "input", "br", "img"}


class Page(HTMLParser):
    """A page, read strictly: every element is closed in its order, every id is there once."""

    def __init__(self, text: str) -> None:
        super().__init__(convert_charrefs=True)
        self.open: list[str] = []
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.ids: list[str] = []
        self.shown: list[str] = []
        self.feed(text)
        self.close()
        assert not self.open

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert len(attrs) == len(dict(attrs)), attrs
        self.elements.append((tag, dict(attrs)))
        self.ids += [value for name, value in attrs if name == "id" and value]
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if "script" not in self.open and "style" not in self.open:
            self.shown.append(data)

    @property
    def text(self) -> str:
        return "".join(self.shown)

    def of(self, tag: str) -> Iterator[dict[str, str | None]]:
        return (attributes for name, attributes in self.elements if name == tag)


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Site:
    root = tmp_path_factory.mktemp("site")
    made = Site(project(root, many=120), root / "out")
    remember_drift(made.space)
    made.publish(["manifests/broken.yaml:3: <b>no</b> '\u202e'"])
    return made


@pytest.fixture(scope="module")
def pages(site: Site) -> dict[str, str]:
    return {
        file.relative_to(site.folder).as_posix(): file.read_text("utf-8")
        for file in site.folder.rglob("*.html")
    }


def test_every_page_is_whole_and_every_link_leads_to_one(site: Site, pages: dict[str, str]) -> None:
    read = {name: Page(text) for name, text in pages.items()}
    for name, page in read.items():
        assert len(page.ids) == len(set(page.ids)), name
        folder = (site.folder / name).parent
        links = [
            item.get("href") or item.get("src") or ""
            for tag in ("a", "link", "script")
            for item in page.of(tag)
        ]
        for link in links:
            path, _, anchor = link.partition("#")
            if re.match("https?://", link):
                continue
            assert ":" not in link
            target = (folder / unquote(path)).resolve() if path else site.folder / name
            assert target.is_file(), (name, link)
            assert target.is_relative_to(site.folder.resolve()) or not path
            if anchor and target.suffix == ".html":
                assert (
                    anchor in read[target.relative_to(site.folder.resolve()).as_posix() if path else name].ids
                )


def test_no_page_has_script_style_or_handlers_of_its_own(pages: dict[str, str]) -> None:
    for name, text in pages.items():
        page = Page(text)
        for tag, attributes in page.elements:
            assert not [key for key in attributes if key.startswith("on") or key in {"style", "srcdoc"}], name
            assert tag not in {"style", "iframe", "object", "embed", "img", "base"}
        assert all(item["src"] in {"assets/site.js", "assets/data.js", "../assets/site.js", "../assets/data.js"}
                   for item in page.of("script"))  # fmt: skip
        policy = next(item for item in page.of("meta") if item.get("http-equiv"))
        assert policy["content"] == (
            "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; base-uri 'none'; "
            "form-action 'none'"
        )
        for link in page.of("a"):
            if (link.get("href") or "").startswith("http"):
                assert link["rel"] == "noopener noreferrer"


def test_nothing_is_hidden_and_nothing_is_a_command(site: Site) -> None:
    for file in site.folder.rglob("*"):
        if not file.is_file():
            continue
        text = file.read_bytes().decode("utf-8")
        assert not re.search(
            "[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2066-\u2069\ufeff]", text
        ), file
        assert not re.search(r"(?m)^\s*::|##\w*\[", text), file


def test_hostile_text_is_shown_as_it_is(site: Site) -> None:
    name = BREAKOUT.replace("<", "&lt;").replace(">", "&gt;").replace("'", "&#39;")
    page = Page(site.page(name))
    assert BREAKOUT in page.text
    assert "{{ 7 * 7 }}" in page.text
    assert '<span class="hidden-sign">\\u202e</span>' in site.page("turned")
    assert "javascript:window.hacked" in Page(site.page("unreached")).text
    assert not re.search('href="[^"]*javascript:', site.page("unreached"))


def test_ids_that_differ_in_little_have_pages_of_their_own(site: Site) -> None:
    names = [name.casefold() for name in site.pages("results")]
    assert len(names) == len(set(names)) == 12 + 8 + 2 + 1 + 120
    for id_ in ("Case", "case", "ca/se", "../../../etc/passwd", "語"):
        assert site.page(id_)


def test_names_of_pages_stay_from_run_to_run(site: Site, tmp_path: Path) -> None:
    other = Site(Workspace(tmp_path), tmp_path / "out")
    other.space.origins = site.space.origins
    other.space.write(*citations(source("v1"))[:3], name="pump", title="Another title")
    other.publish()
    assert set(other.pages("results")) < set(site.pages("results"))
    assert set(other.pages("files")) < set(site.pages("files"))


def test_a_change_is_told_word_by_word(site: Site) -> None:
    page = site.page("opens-otherwise")
    assert "<del>pascal</del>" in page
    assert "<ins>bar</ins>" in page
    text = Page(page).text
    assert "differs: " in text
    assert "the quote differs in code" in text
    assert 'data-n="11"' in page
    assert "10 lines above" in text
    assert "The difference, from the quote to the source" in text


@pytest.mark.parametrize(
    ("id_", "told"),
    [
        ("opens", ["exact (ok)", "Valve.open", "proven from the pinned commit", "swh:1:cnt:", "the git repository"]),
        ("closes", ["the quote stands at 15-16", "Suggestion: lines 15-16", "What stands at the cited lines 11-13"]),
        ("closes", ["The claim names 30; the cited lines do not."]),
        ("pumps", ["elided (ok)", "stands for lines left out", "left out by a mark"]),
        ("leaves-out", ["partial (warning)", "only in the source: "]),
        ("no-quote", ["unquoted (ok)", "Source", "def idle():"]),
        ("past-the-end", ["out-of-range (failure)", "The file has none of the cited lines", "nothing of the sort"]),
        ("nowhere", ["no-path (failure)", "The lines of the file are not at hand", "import os"]),
        ("picture", ["not-text (failure)", "binary content"]),
        ("unreached", ["unavailable", "the host does not answer", "import sys", "v9 (never resolved to a commit)"]),
        ("root", ["The expression that is cited:", "math.sqrt(litres) * speed"]),
        ("width", ["Entry", "/width", "Expected value", "768"]),
        ("weights", ["holds (ok)", "512 × 4", "total", "× 2", "4104"]),
        ("broken", ["broken (failure)", "2 × 2"]),
        ("far-down", ["value_6500", "15 lines above"]),
        ("opens", ["At v2", "edited (warning)", "Now at", "src/valve.py:21-23", "low", "2026-01-02", "as of 20"]),
        ("opens", ["How the verdict came about", "prov test", "git"]),
    ],
)  # fmt: skip
def test_a_page_tells_what_is_known(site: Site, id_: str, told: list[str]) -> None:
    text = Page(site.page(id_)).text
    assert not [words for words in told if words not in text]


def test_a_drift_of_another_pin_is_not_told(site: Site) -> None:
    assert "At v2" not in site.page("opens-otherwise")


def test_a_file_has_its_citations_in_place(site: Site) -> None:
    files = site.pages("files")
    page = next(text for name, text in files.items() if "pump-py" in name)
    lines = re.findall(r'id="L(\d+)"', page)
    assert lines == [str(number) for number in range(1, 30)]
    before, _, after = page.partition('id="L11"')
    assert "opens-otherwise</a>" in before
    assert page.index('<div class="note failure"><a href="../results/pump-opens-otherwise') < page.index(
        'id="L11"'
    )
    assert 'class="line cited failure" id="L12"' in after
    assert 'class="line" id="L14"' in after


def test_a_large_file_shows_what_is_cited_of_it(site: Site) -> None:
    page = next(text for name, text in site.pages("files").items() if "long-py" in name)
    numbers = [int(number) for number in re.findall(r'id="L(\d+)"', page)]
    assert numbers == [*range(1, 161), *range(6460, 6542)]
    assert "The cited stretches of 7,000 lines" in page


def test_what_has_no_text_has_no_page_of_a_file(site: Site) -> None:
    assert len(site.pages("files")) == 5
    assert not [name for name in site.pages("files") if "logo" in name or "gone" in name]


def test_the_list_begins_with_the_worst_and_tells_what_was_not_read(site: Site) -> None:
    page = Page(site.index)
    assert "manifests/broken.yaml:3: <b>no</b>" in page.text
    rows = re.findall(r'<td role="cell" class="verdict">.*?<span class="sr"> \((\w+)\)', site.index)
    assert len(rows) == 100
    assert rows[:12] == ["failure"] * 8 + ["unavailable", "warning", "ok", "ok"]
    assert "1–100 of 143 results, the worst first" in page.text
    assert 'rel="next" href="pages/2.html"' in site.index
    assert "101–143 of 143" in site.pages("pages")["2.html"]
    assert "broken.yaml" not in site.pages("pages")["2.html"]
    assert 'href="../index.html">the first page tells what' in site.pages("pages")["2.html"]


def test_pages_lead_from_result_to_result(site: Site) -> None:
    found = []
    match = re.search(r'class="what"><a href="(results/[^"]+)"', site.index)
    at = match[1] if match else ""
    while at:
        found.append(at)
        following = re.search(r'rel="next" href="\.\./([^"]+)"', (site.folder / at).read_text("utf-8"))
        at = following[1] if following else ""
    assert len(found) == len(set(found)) == 143


def test_the_same_evidence_makes_the_same_site(site: Site) -> None:
    before = {file: file.read_bytes() for file in site.folder.rglob("*") if file.is_file()}
    site.publish(["manifests/broken.yaml:3: <b>no</b> '\u202e'"])
    after = {file: file.read_bytes() for file in site.folder.rglob("*") if file.is_file()}
    assert after == before


def test_what_is_expected_is_told(tmp_path: Path, site: Site) -> None:
    space = Workspace(tmp_path, origins=site.space.origins)
    known = Expectation("changed", "it was <old>", TODAY)
    space.write(cite(source("v1"), "known", path=PUMP, lines="5", quote="SIZE = 5\n", expect=known))
    made = Site(space, tmp_path / "out")
    made.publish()
    text = Page(made.page("known")).text
    assert "changed until 2026-01-15: it was <old>" in text
    assert "changed (warning)" in text


def test_damaged_or_missing_bytes_are_no_page(tmp_path: Path, site: Site) -> None:
    space = Workspace(tmp_path, origins=site.space.origins)
    space.write(cite(source("v1"), "plain", path=PUMP, lines="5", quote="SIZE = 512\n"))
    space.fetch()
    space.db = str(tmp_path / "other.db")
    space.origins = replace(site.space.origins, down=OFFLINE)
    made = Site(space, tmp_path / "out")
    made.publish()
    page = Page(made.page("plain")).text
    assert "the lock; no bytes were seen" in page
    assert "SIZE = 512" in page
    assert not (made.folder / "files").exists()


def test_the_data_has_what_the_pages_have(site: Site) -> None:
    text = (site.folder / "assets" / "data.js").read_text("utf-8")
    found = json.loads(text.partition("provReport(")[2].removesuffix(");\n"))
    assert len(found["results"]) == 143
    assert {row[11] for row in found["results"]} == {f"results/{name}" for name in site.pages("results")}


def test_odd_files_have_pages(tmp_path: Path) -> None:
    space = Workspace(tmp_path)
    made = commit({"empty.py": b"", "mini.js": b"a" * 300_000, "crlf.py": b"\xef\xbb\xbfa = 1\r\nb = 2\r\n"})
    space.origins.add(made, "v1")
    of = source("v1")
    space.write(
        cite(of, "none", path="empty.py", lines="1", quote="a\n"),
        cite(of, "no-quote", path="empty.py", lines="1-2", quote=None),
        cite(of, "long", path="mini.js", lines="1", quote="a" * 200_000),
        cite(of, "ends", path="crlf.py", lines="1-2", quote="a = 1\nb = 2\n"),
    )
    site = Site(space, tmp_path / "out")
    assert site.publish().summary.total == 4
    files = site.pages("files")
    assert "The file is empty." in next(text for name, text in files.items() if "empty" in name)
    assert "298,000 more characters" in next(text for name, text in files.items() if "mini" in name)
    assert "and nothing is quoted" in Page(site.page("no-quote")).text
    assert all(len(text) < 50_000 for text in site.pages("results").values())


def test_what_many_pages_tell_of_one_source_is_cut(tmp_path: Path, site: Site) -> None:
    space = Workspace(tmp_path, origins=site.space.origins)
    of = replace(source("v1"), license="L" * 50_000)
    file = space.write(*(cite(of, f"c{at}", path=PUMP, lines="5", quote=None) for at in range(9)))
    text = file.read_text("utf-8").replace(
        "title: A document", f"title: {'T ' * 25_000}\nurl: https://a/{'u' * 50_000}"
    )
    file.write_text(text, "utf-8")
    made = Site(space, tmp_path / "out")
    made.publish()
    assert "48,000 more characters" in Page(made.page("c0")).text
    assert sum(found.stat().st_size for found in made.folder.rglob("*.*")) < 250_000


def test_a_site_has_an_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("provenance.publish.publishing._IN_ALL", 100_000)
    space = Workspace(tmp_path)
    made = commit({"wide.py": b"".join(b"%d#%s\n" % (at, b"x" * 990) for at in range(2_000))})
    space.origins.add(made, "v1")
    cited = [cite(source("v1"), f"c{at}", path="wide.py", lines="9-2000", quote=None) for at in range(3)]
    quoted = cite(source("v1"), "quoted", path="wide.py", lines="9", quote=f"{'y' * 1_000}\n" * 400)
    space.write(*cited, quoted)
    site = Site(space, tmp_path / "out")
    site.publish()
    assert "1,691 lines more of the source are not shown here" in Page(site.page("c0")).text
    assert "1,990 lines more of the source are not shown here" in Page(site.page("c1")).text
    assert "398 lines more of the quote are not shown here" in Page(site.page("quoted")).text
