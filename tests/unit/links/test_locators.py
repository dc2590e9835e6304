from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from provenance.citation import LineRange
from provenance.links.locators import (
    IdLocator,
    Locator,
    PathLocator,
    PermalinkLocator,
    SwhidLocator,
    UnreadableLocator,
    parse_locator,
)
from provenance.links.permalinks import permalink, swhid

COMMIT = "0c66117d4297d6f778d415790bfbce6cfafe1239"
BLOB = "8ab686927022341905da0c5c1eab5e6db7f5b9e5"
GITHUB = "https://github.com/o/r"

FORGES = [
    (GITHUB, f"{GITHUB}/blob/{COMMIT}/a/b.py", "#L7", "#L10-L20"),
    (
        "https://github.example.org/o/r",
        f"https://github.example.org/o/r/blob/{COMMIT}/a/b.py",
        "#L7",
        "#L10-L20",
    ),
    ("https://gitlab.com/g/s/r", f"https://gitlab.com/g/s/r/-/blob/{COMMIT}/a/b.py", "#L7", "#L10-20"),
    (
        "https://gitlab.gnome.org/g/r",
        f"https://gitlab.gnome.org/g/r/-/blob/{COMMIT}/a/b.py",
        "#L7",
        "#L10-20",
    ),
    ("https://codeberg.org/o/r", f"https://codeberg.org/o/r/src/commit/{COMMIT}/a/b.py", "#L7", "#L10-L20"),
    (
        "https://bitbucket.org/o/r",
        f"https://bitbucket.org/o/r/src/{COMMIT}/a/b.py",
        "#lines-7",
        "#lines-10:20",
    ),
    ("https://git.sr.ht/~o/r", f"https://git.sr.ht/~o/r/tree/{COMMIT}/item/a/b.py", "#L7", "#L10-20"),
    ("https://huggingface.co/o/r", f"https://huggingface.co/o/r/blob/{COMMIT}/a/b.py", "#L7", "#L10-L20"),
    ("https://huggingface.co/gpt2", f"https://huggingface.co/gpt2/blob/{COMMIT}/a/b.py", "#L7", "#L10-L20"),
    (
        "https://huggingface.co/datasets/o/r",
        f"https://huggingface.co/datasets/o/r/blob/{COMMIT}/a/b.py",
        "#L7",
        "#L10-L20",
    ),
]


@pytest.mark.parametrize(("git", "link", "one", "several"), FORGES)
def test_a_permalink_is_written_as_its_host_does_and_read_again(
    git: str, link: str, one: str, several: str
) -> None:
    for fragment, lines in ((one, LineRange(7, 7)), (several, LineRange(10, 20))):
        assert permalink(git, COMMIT, "a/b.py", lines) == link + fragment
        assert parse_locator(link + fragment) == PermalinkLocator(
            git, COMMIT, "a/b.py", lines, f"{COMMIT}/a/b.py"
        )


@pytest.mark.parametrize(
    ("path", "encoded"),
    [
        ("sample.json#etc", "sample.json%23etc"),
        ("a?b", "a%3Fb"),
        ("a%20b", "a%2520b"),
        ("a b", "a%20b"),
        ("я.py", "%D1%8F.py"),
        ("{x}/{path}", "%7Bx%7D/%7Bpath%7D"),
    ],
)
def test_a_path_is_encoded_and_decoded(path: str, encoded: str) -> None:
    link = f"{GITHUB}/blob/{COMMIT}/{encoded}#L2"
    assert permalink(GITHUB, COMMIT, path, LineRange(2, 2)) == link
    assert parse_locator(link) == PermalinkLocator(GITHUB, COMMIT, path, LineRange(2, 2), f"{COMMIT}/{path}")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("transformer.py:99-103", PathLocator("transformer.py", LineRange(99, 103))),
        ("transformer.py:99\u2013103", PathLocator("transformer.py", LineRange(99, 103))),
        ("a/b.py#L99-L103", PathLocator("a/b.py", LineRange(99, 103))),
        ("a/b.py#L99-103", PathLocator("a/b.py", LineRange(99, 103))),
        ("a/b.py#L5C9-L6C3", PathLocator("a/b.py", LineRange(5, 6))),
        ("a/b.py#L5", PathLocator("a/b.py", LineRange(5, 5))),
        ("file.py:60", PathLocator("file.py", LineRange(60, 60))),
        ("file.py:60:5", PathLocator("file.py", LineRange(60, 60))),
        ("common_layers.py 354\u2013360", PathLocator("common_layers.py", LineRange(354, 360))),
        (" ./a/b.py:1 ", PathLocator("a/b.py", LineRange(1, 1))),
        ("a b 3/x.py:5", PathLocator("a b 3/x.py", LineRange(5, 5))),
        ("sample.json#etc#L2", PathLocator("sample.json#etc", LineRange(2, 2))),
        ("Makefile:3", PathLocator("Makefile", LineRange(3, 3))),
        ("common_layers.py", PathLocator("common_layers.py", None)),
        ("models/transformer", PathLocator("models/transformer", None)),
        ("conv-relu", IdLocator("conv-relu")),
        ("openai-123-130", IdLocator("openai-123-130")),
        ("claim 12", IdLocator("claim 12")),
        ("a.py:103-99", UnreadableLocator("a.py:103-99", "the range 103-99 is reversed")),
        ("a.py:0", UnreadableLocator("a.py:0", "line 0 does not exist: lines count from 1")),
        ("  ", UnreadableLocator("", "no place is named")),
    ],
)
def test_paths_and_ids(text: str, expected: Locator) -> None:
    assert parse_locator(text) == expected


@pytest.mark.parametrize(
    ("link", "git", "revision", "path", "lines"),
    [
        (f"{GITHUB}/blob/main/a.py?plain=1#L3", GITHUB, "main", "a.py", "3"),
        (f"{GITHUB}/blob/main/a.py", GITHUB, "main", "a.py", None),
        (f"{GITHUB}/blob/main/a.md#heading", GITHUB, "main", "a.md", None),
        (f"{GITHUB}/blame/main/a.py#L10-20", GITHUB, "main", "a.py", "10-20"),
        (f"{GITHUB}/blob/main/a.py#L10%E2%80%93L20", GITHUB, "main", "a.py", "10-20"),
        (f"{GITHUB}/blob/HEAD%40%7B2019-04-21%7D/a.json", GITHUB, "HEAD@{2019-04-21}", "a.json", None),
        ("https://user:secret@github.com/o/r/blob/main/a.py", GITHUB, "main", "a.py", None),
        (f"https://raw.githubusercontent.com/o/r/{COMMIT}/a/b.py", GITHUB, COMMIT, "a/b.py", None),
        ("https://raw.githubusercontent.com/o/r/refs/heads/main/a.py", GITHUB, "main", "a.py", None),
        ("https://gitlab.com/g/s/r/blob/main/a.py#L1-2", "https://gitlab.com/g/s/r", "main", "a.py", "1-2"),
        ("https://gitlab.com/g/s/r/-/raw/main/a.py", "https://gitlab.com/g/s/r", "main", "a.py", None),
        (
            "https://git.example.org/o/r/src/branch/main/a.py#L3-L4",
            "https://git.example.org/o/r",
            "main",
            "a.py",
            "3-4",
        ),
        (
            "https://git.sr.ht/~o/r/tree/main/item/item/a.py#L3",
            "https://git.sr.ht/~o/r",
            "main",
            "item/a.py",
            "3",
        ),
        ("https://huggingface.co/o/r/resolve/main/a.py", "https://huggingface.co/o/r", "main", "a.py", None),
    ],
)
def test_permalinks(link: str, git: str, revision: str, path: str, lines: str | None) -> None:
    span = None if lines is None else LineRange.parse(lines)
    assert parse_locator(link) == PermalinkLocator(git, revision, path, span, f"{revision}/{path}")


def test_a_branch_with_slashes_leaves_the_choice_to_the_caller() -> None:
    found = parse_locator(f"{GITHUB}/blob/a/b/c.py#L1")
    assert isinstance(found, PermalinkLocator)
    assert (found.revision, found.path, found.rest) == ("a", "b/c.py", "a/b/c.py")


@pytest.mark.parametrize(
    ("link", "message"),
    [
        (GITHUB, "the link names no file in a form that is known"),
        (f"{GITHUB}/blob/main", "the link names no file in a form that is known"),
        (f"{GITHUB}/commit/{COMMIT}", "the link names no file in a form that is known"),
        ("https://raw.githubusercontent.com/o", "the link names no file in a form that is known"),
        (f"{GITHUB}/blob/main/a.py#L20-L10", "the range 20-10 is reversed"),
        ("file:///o/r/blob/main/a.py", "the link does not lead to a repository on the web"),
        ("https://[::1/o/r/blob/main/a.py", "Invalid IPv6 URL"),
    ],
)
def test_links_that_name_no_place(link: str, message: str) -> None:
    assert parse_locator(link) == UnreadableLocator(link, message)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (f"swh:1:cnt:{BLOB}", SwhidLocator(BLOB, None, None, None, None)),
        (f"swh:1:cnt:{BLOB};lines=9-15", SwhidLocator(BLOB, None, None, None, LineRange(9, 15))),
        (
            f"https://archive.softwareheritage.org/swh:1:cnt:{BLOB};origin={GITHUB};lines=9/",
            SwhidLocator(BLOB, GITHUB, None, None, LineRange(9, 9)),
        ),
        (f"swh:1:cnt:{BLOB};anchor=swh:1:dir:{COMMIT}", SwhidLocator(BLOB, None, None, None, None)),
        (
            f"swh:1:dir:{BLOB}",
            UnreadableLocator(
                f"swh:1:dir:{BLOB}", "it is not the SWHID of a content: swh:1:cnt: and 40 hexadecimal digits"
            ),
        ),
        (
            f"swh:1:cnt:{BLOB};lines=x",
            UnreadableLocator(f"swh:1:cnt:{BLOB};lines=x", "'x' is not a line range such as 60 or 99-103"),
        ),
    ],
)
def test_swhids(text: str, expected: Locator) -> None:
    assert parse_locator(text) == expected


paths = st.text(min_size=1, max_size=20).filter(
    # git has no such names, but for a backslash before _, which in a link comes from Markdown
    lambda path: path.strip("/") == path and "//" not in path and "\\_" not in path
)
spans = st.builds(
    lambda first, more: LineRange(first, first + more), st.integers(1, 9999), st.integers(0, 99)
)


@given(paths, spans)
def test_an_swhid_is_read_as_it_was_written(path: str, lines: LineRange) -> None:
    text = swhid(GITHUB, BLOB, COMMIT, path, lines)
    assert text is not None
    assert parse_locator(text) == SwhidLocator(BLOB, GITHUB, COMMIT, path, lines)


@given(st.sampled_from([git for git, *_ in FORGES]), paths, spans)
def test_a_permalink_is_read_as_it_was_written(git: str, path: str, lines: LineRange) -> None:
    text = permalink(git, COMMIT, path, lines)
    assert text is not None
    found = parse_locator(text)
    assert isinstance(found, PermalinkLocator)
    assert (found.git, found.revision, found.lines) == (git, COMMIT, lines)
    assert found.path == path


@given(
    st.one_of(
        st.text(),
        st.lists(
            st.sampled_from(
                [
                    "https://",
                    "github.com",
                    "/",
                    "blob",
                    "-",
                    "#L",
                    "9",
                    ":",
                    "swh:1:cnt:",
                    BLOB,
                    ";lines=",
                    "a.py",
                    "@",
                    "[",
                ]
            )
        ).map("".join),
    )
)
def test_no_text_raises(text: str) -> None:
    assert isinstance(parse_locator(text), Locator)
