from __future__ import annotations

import pytest

from provenance.citation import LineRange
from provenance.links.anchors import Anchor
from provenance.links.reading import read_link
from provenance.links.rewriting import rewritten
from provenance.links.targets import ContentLink, FileLink, NotUnderstood

COMMIT = "0c66117d4297d6f778d415790bfbce6cfafe1239"
BLOB = "8ab686927022341905da0c5c1eab5e6db7f5b9e5"
GITHUB = "https://github.com/o/r"
CORE = f"swh:1:cnt:{BLOB}"
FULL = f"{CORE};origin={GITHUB};anchor=swh:1:rev:{COMMIT};path=/a/b.py;lines=10-20"


@pytest.mark.parametrize(
    "text",
    [
        FULL,
        f"  {FULL}\n",
        FULL.replace(";", ";\n  "),
        FULL.replace(";", "\n  ;"),
        FULL.replace(";", ";\r\n# "),
        FULL.replace(";", "\\;"),
        FULL.replace(";", "&#59;"),
        FULL.replace(";", ";amp;"),
        FULL.replace("_", "\\_"),
        FULL.replace("lines=10-20", "lines=10\u201320"),
        FULL.replace("lines=10-20", "lines=L10-L20"),
        FULL.replace(":", "%3A").replace(";", "%3B"),
        FULL.replace(f"origin={GITHUB}", "origin=https%3A//github.com/o/r"),
        f"https://archive.softwareheritage.org/{FULL}",
        f"https://archive.softwareheritage.org/{FULL}/",
        f"https://archive.softwareheritage.org/browse/{FULL}/",
        FULL.replace(BLOB, BLOB.upper()),
        f"{FULL};visit=swh:1:snp:{COMMIT}",
    ],
)
def test_an_swhid_however_it_came(text: str) -> None:
    link = read_link(text)
    assert isinstance(link, ContentLink)
    assert (link.blob, link.origin, link.revision, link.path) == (BLOB, GITHUB, COMMIT, "a/b.py")
    assert link.anchor == Anchor(10, 20)
    assert not {"\n", "\\", " "} & set(link.url)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (CORE, ContentLink(CORE, BLOB, None, None, None, None)),
        (f"{CORE};lines=9", ContentLink(f"{CORE};lines=9", BLOB, None, None, None, Anchor(9, 9))),
        (f"{CORE};lines=9-3", ContentLink(f"{CORE};lines=9-3", BLOB, None, None, None, Anchor(9, 3))),
        (
            f"{CORE};path=/a%3Bb/100%25.py",
            ContentLink(f"{CORE};path=/a%3Bb/100%25.py", BLOB, None, None, "a;b/100%.py", None),
        ),
        (
            f"{CORE};anchor=swh:1:dir:{COMMIT}",
            ContentLink(f"{CORE};anchor=swh:1:dir:{COMMIT}", BLOB, None, None, None, None),
        ),
        (f"swh:1:rev:{COMMIT}", None),
        (f"swh:1:snp:{COMMIT};origin={GITHUB}", None),
    ],
)
def test_what_an_swhid_says(text: str, expected: ContentLink | None) -> None:
    assert read_link(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "swh:1:cnt:",
        "swh:1:cnt:abc",
        f"swh:2:cnt:{BLOB}",
        f"{CORE};lines=x",
        f"swh:1:dir:{BLOB};path=/a;lines=3",
    ],
)
def test_what_is_no_content(text: str) -> None:
    assert isinstance(read_link(text), NotUnderstood)


def test_a_page_of_the_archive() -> None:
    url = (
        f"https://archive.softwareheritage.org/browse/content/sha1_git:{BLOB}/"
        "?origin_url=https://user:SECRET@github.com/o/r&path=a%20b.py#L3-L4"
    )
    link = read_link(url)
    assert link == ContentLink(url.replace("user:SECRET@", ""), BLOB, GITHUB, None, "a b.py", Anchor(3, 4))
    assert rewritten(url, lines=LineRange(3, 4)) == url
    assert rewritten(url, lines=LineRange(3, 5)) is None


def test_a_file_that_is_called_like_an_swhid_is_a_file() -> None:
    assert isinstance(read_link(f"{GITHUB}/blob/main/swh:1:cnt:{BLOB}"), FileLink)
