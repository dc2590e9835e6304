from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.elements import check_sheet, pasted

from provenance.document import Block, Link, Mention, Prose, Sheet, Where
from provenance.documents.markdown.reading import read_markdown
from provenance.documents.mentions import sheet
from provenance.documents.plain import read_plain
from provenance.links.forges import NO_HOSTS, Forge
from provenance.links.targets import ContentLink, FileLink, NotUnderstood, PlainPlace, RelativeLink

PIN = "0123456789abcdef0123456789abcdef01234567"
URL = f"https://github.com/owner/name/blob/{PIN}/src/a.py#L10-L12"
SWHID = f"swh:1:cnt:{PIN};lines=3-4"

Found = tuple[int, str, int | None, int | None]


def mentions(text: str) -> list[Mention]:
    return list(sheet(read_markdown(text), NO_HOSTS).mentions)


def found(text: str) -> list[Found]:
    """Where each mention's raw text stands, with the order of its block and the line in that."""
    return [(each.raw_line, each.raw, each.block, each.block_line) for each in mentions(text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("no citation, https://example.org/a and [b](https://example.org/c)", []),
        (f"see {URL}.", [(1, URL, None, None)]),
        (f"a\nb ({URL})\nc `{URL}` <{URL}>", [(2, URL, None, None), (3, URL, None, None), (3, URL, None, None)]),
        (f"[{URL}]({URL})", [(1, URL, None, None)]),
        (f"[src/a.py:10-12]({URL})", [(1, URL, None, None)]),
        (f"[`src/a.py` lines\n10-12][x]\n\n[x]: {URL}", [(4, URL, None, None)]),
        (f"[a]({URL}) [a]({URL})", [(1, URL, None, None)] * 2),
        (f"# a {URL}\n\n|b|\n|-|\n|{URL}|", [(1, URL, None, None), (5, URL, None, None)]),
        (f"**{URL}**", [(1, URL, None, None)]),
        (f"a\n\n<!-- b\n{URL} -->", [(4, URL, None, None)]),
        (f"a <!-- {URL} -->", [(1, URL, None, None)]),
        (f'<p>\n<a href="{URL}">b</a></p>', [(2, URL, None, None)]),
        (f'<img src="{URL}"> b <img src="{URL}">', []),
        (f"![a]({URL})", []),
        (f"[a](({URL}))", [(1, URL, None, None)]),
        ("see src/a.py:10-12", [(1, "src/a.py:10-12", None, None)]),
        ("see `src/a.py:10-12`,\nb.c:3", [(1, "src/a.py:10-12", None, None), (2, "b.c:3", None, None)]),
        ("[a](b.md#L7)", [(1, "b.md#L7", None, None)]),
        ("[a](b.md#usage)", []),
        (SWHID, [(1, SWHID, None, None)]),
        ("[a](https://github.com/owner/name/blob/main/a.py)", []),
        ("[a](https://github.com/owner/name)", []),
    ],
)  # fmt: skip
def test_mentions_in_text(text: str, expected: list[Found]) -> None:
    assert found(text) == expected


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        (f"x = 1\ny({URL!r})", [(3, URL, 0, 1)]),
        (f"# {URL}\nx\n# {URL}", [(2, URL, 0, 0), (4, URL, 0, 2)]),
        (f"x // mostly {URL}", [(2, URL, 0, 0)]),
        (f"get('{SWHID}')", [(2, SWHID, 0, 0)]),
        ('get("https://example.org/#L3")', []),
        ('get("https://github.com/owner/name/blob/main/a.py")', []),
        ("open('src/a.py:10')", []),
        ("open('src/a.py:10')\n# see src/a.py:10\nx = 'src/b.py:3'", [(3, "src/a.py:10", 0, 1)]),
        ("x = 1  # src/a.py:10", [(2, "src/a.py:10", 0, 0)]),
        ("/* a\n * src/a.py:10\n */", [(3, "src/a.py:10", 0, 1)]),
        ("-- src/a.lua:10", [(2, "src/a.lua:10", 0, 0)]),
        ("File: src/a.py:10-12\n\n10: x", [(2, "src/a.py:10-12", 0, 0)]),
        ("src/a.py:10-12\nx", [(2, "src/a.py:10-12", 0, 0)]),
        ("==> src/a.py:10-12 <==\nx", [(2, "src/a.py:10-12", 0, 0)]),
        ("x\nsrc/a.py:10-12: error", []),
        ("x\nsrc/a.py:10-12", []),
        ("vim --cmd src/a.py:10", []),
    ],
)  # fmt: skip
def test_mentions_in_code(code: str, expected: list[Found]) -> None:
    assert found(f"```\n{code}\n```") == expected


def test_a_fence_says_what_it_holds() -> None:
    (mention,) = mentions('a\n\n> ```py title="src/a.py#L3-L4"\n> x\n> ```')
    assert (mention.raw, mention.raw_line, mention.block, mention.block_line) == (
        "src/a.py#L3-L4",
        3,
        1,
        None,
    )
    assert isinstance(mention.target, PlainPlace)


def test_where_a_mention_is() -> None:
    text = f"# a\n\n- b\n  {URL}\n\n  ```\n  x\n  # {URL}\n  ```\n"
    first, second = mentions(text)
    assert first.where == Where(4, 4, 1, 1, (1,))
    assert second.where == Where(6, 9, 2, 1, (1,))
    assert (second.raw_line, second.block, second.block_line) == (8, 2, 1)


def test_what_a_link_shows() -> None:
    shown, bare = mentions(f"[*the* `loop`]({URL}) {URL}")[::-1]
    assert (shown.text, bare.text) == ("the loop", "")


@pytest.mark.parametrize(
    ("url", "kind"),
    [
        (URL, FileLink),
        (SWHID, ContentLink),
        ("a.md#L7", RelativeLink),
        ("https://git.example.org/owner/name/blob/main/a.py#L3", FileLink),
        ("https://github.com/owner/name/blob/HEAD@%7B2019-04-21%7D/a/b.json", NotUnderstood),
        ("https://github.com/owner/name/blob/HEAD@%7B1%7D/a.json#L3", NotUnderstood),
    ],
)
def test_what_a_link_points_at(url: str, kind: type) -> None:
    (mention,) = sheet([Link(Where(1, 1, 0), url, url, 1)], {"git.example.org": Forge.GITLAB}).mentions
    assert isinstance(mention.target, kind)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("[`src/a.py:10-12`](https://github.com/owner/name/blob/main/src/a.py)", ("src/a.py", 10)),
        ("[a.py lines 10-12](../src/a.py)", ("../src/a.py", 10)),
        ("[b.py:10](../src/a.py)", None),
        ("[a.py:10 and a.py:12](../src/a.py)", None),
        ("[a.py:10](https://example.org/a.py)", None),
        ("[a.py:10](../src/a.py#usage)", None),
        ("[a](../src/a.py)", None),
    ],
)
def test_a_link_to_a_file_whose_text_names_lines(text: str, expected: tuple[str, int] | None) -> None:
    targets = [each.target for each in mentions(text)]
    places = [
        (target.path, target.anchor.first)
        for target in targets
        if isinstance(target, FileLink | RelativeLink) and target.anchor
    ]
    assert places == ([] if expected is None else [expected])
    assert len(targets) == len(places)


def test_a_place_in_a_log_is_no_pin() -> None:
    (mention,) = mentions("[a](https://github.com/owner/name/blob/HEAD@%7B2019-04-21T09:31:40Z%7D/a/b.json)")
    assert mention.target == NotUnderstood(
        "https://github.com/owner/name/blob/HEAD@%7B2019-04-21T09:31:40Z%7D/a/b.json",
        "HEAD@{2019-04-21T09:31:40Z} is no pinned revision: it is a place in the log of one clone",
    )


def test_blocks_are_kept_as_they_are() -> None:
    block = Block(Where(1, 3, 0), "x", 2)
    assert sheet([block, Prose(Where(4, 4, 1), "y")], NO_HOSTS) == Sheet((block,), ())


PIECES = [
    *(URL, SWHID, "a/b.py:10", "`b.py` lines\n10-20", "https://", "swh:1:", "#L3", "](", "[", ")", "<", ">"),
    *("# ", "//", "```\n", "    ", "File: ", "\n", "|", "title=", "@{", "\r", "\u2028"),
]  # fmt: skip


@given(st.text() | pasted(PIECES))
def test_mentions_stand_where_they_say(text: str) -> None:
    check_sheet(sheet(read_markdown(text), NO_HOSTS), text)
    check_sheet(sheet(read_plain(text), NO_HOSTS), text)


@pytest.mark.parametrize("piece", [f"{URL} ", "a/b.py:10 ", "# a.py:3\n", "x", "# ", " ", f"{SWHID},"])
def test_hostile_text_is_looked_through_in_bounded_time(piece: str) -> None:
    text = piece * (160_000 // len(piece))
    start = time.process_time()
    sheet([Prose(Where(1, 1, 0), text), Block(Where(1, 1, 1), text, 1)], NO_HOSTS)
    assert (
        time.process_time() - start < 20
    )  # a fraction of it where it is linear, and minutes where it is not
