from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from support.site import EvidencePage, Shown

from provenance.documents.pages import Page, read_page
from provenance.errors import ManifestError, PageError, UsageError
from provenance.importing import LARGEST, Import, counted, page_of, refuse_clashes, write

URL = "https://pages.example/valve"
OTHER = "https://pages.example/moved/valve"
ELSEWHERE = "https://other.example/valve"


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def page(made: EvidencePage | None = None, url: str | None = URL) -> Page:
    read = read_page((made or EvidencePage()).text(), "page")
    return replace(read, manifest=replace(read.manifest, url=url))


def imported(made: Page) -> Import:
    return Import("page", made, Path("out", made.manifest.path))


def test_a_page_is_written_once() -> None:
    each = imported(page())
    first, second = write(each), write(each)
    assert (first.written, second.written) == (True, False)
    assert first.notes == second.notes == ()
    assert f"url: {URL}\n" in each.target.read_text()
    assert counted(second.manifest) == "1 citation"


def test_the_url_of_a_page_comes_into_a_manifest_that_has_none() -> None:
    write(imported(page(url=None)))
    found = write(imported(page()))
    assert found.written
    assert found.notes == (f"out/engine-valve.yaml: url: {URL}",)
    assert found.manifest.url == URL


def test_a_page_without_a_url_leaves_the_one_that_is_there() -> None:
    write(imported(page()))
    assert not write(imported(page(url=None))).written


def test_a_page_that_moved_on_its_site_takes_its_manifest_along() -> None:
    write(imported(page()))
    found = write(imported(page(url=OTHER)))
    assert found.notes == (f"out/engine-valve.yaml: url: {URL} -> {OTHER}",)
    assert found.manifest.url == OTHER


@pytest.mark.parametrize("there", [ELSEWHERE, "https://pages.example.org/valve", "https://[x"])
def test_a_manifest_of_another_site_is_left_alone(there: str) -> None:
    write(imported(page()))
    target = Path("out/engine-valve.yaml")
    target.write_text(target.read_text().replace(URL, there))
    before = target.read_bytes()
    with pytest.raises(
        UsageError, match=r"out/engine-valve\.yaml is that of .*, on another host than https://pages"
    ):
        write(imported(page()))
    assert target.read_bytes() == before


def test_what_changed_is_told_with_what_was_kept() -> None:
    two = EvidencePage(pieces=(Shown(), Shown(id="shut", lines="4–9")))
    write(imported(page(two, URL)))
    found = write(imported(page(EvidencePage(), OTHER)))
    assert found.notes == (
        f"out/engine-valve.yaml: url: {URL} -> {OTHER}",
        "out/engine-valve.yaml: shut: not on the page, kept",
    )


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"bread", "p:1: this is no evidence page"),
        (b"a\ncaf\xe9", "p:2: byte 0xe9 is not UTF-8"),
        (b"a" * (LARGEST + 1), "p:1: the page has more than 16,777,216 bytes"),
    ],
)
def test_what_is_no_page(data: bytes, message: str) -> None:
    with pytest.raises(PageError) as raised:
        page_of(data, "p")
    assert str(raised.value).startswith(message)


def test_pages_that_would_overwrite_each_other_are_refused() -> None:
    one, other = imported(page()), replace(imported(page()), name="other")
    refuse_clashes([one, replace(other, target=Path("else"))])
    with pytest.raises(UsageError, match="page and other would both be written to out/engine"):
        refuse_clashes([one, other])


def test_a_link_that_leads_out_is_not_followed(tmp_path_factory: pytest.TempPathFactory) -> None:
    outside = tmp_path_factory.mktemp("outside")
    Path("out").symlink_to(outside)
    with pytest.raises(UsageError, match="a link leads out of this folder"):
        write(imported(page()))
    assert list(outside.iterdir()) == []


def test_what_is_there_and_no_manifest_is_told_whole() -> None:
    each = imported(page())
    each.target.parent.mkdir()
    each.target.write_text("prov: 9\n")
    with pytest.raises(UsageError) as raised:
        write(each)
    assert not isinstance(raised.value, ManifestError)
    assert (
        str(raised.value).split("\n")[-1].endswith("cannot be read as a manifest: mend it, or move it away")
    )
