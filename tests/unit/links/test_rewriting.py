from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from provenance.citation import LineRange
from provenance.links.forges import Forge
from provenance.links.reading import read_link
from provenance.links.rewriting import rewritten
from provenance.links.targets import ContentLink, FileLink, RefKind

OLD = "ab" * 20
COMMIT = "0c66117d4297d6f778d415790bfbce6cfafe1239"
BLOB = "8ab686927022341905da0c5c1eab5e6db7f5b9e5"
GITHUB = "https://github.com/o/r"
SERVER = "https://bitbucket.example.org/projects/K/repos/r/browse/a.py"
KERNEL = "https://git.kernel.org/pub/scm/git/git.git"
ANDROID = "https://android.googlesource.com/platform/build"
AZURE = "https://dev.azure.com/o/p/_git/r?path=/a.cs"
HOSTS = {"git.example.org": Forge.GITEA, "w.example.org": Forge.GITWEB}

PINNED = [
    (f"{GITHUB}/blob/main/a.py#L3", f"{GITHUB}/blob/{COMMIT}/a.py#L3"),
    (f"{GITHUB}/blob/main/a%20b.py?plain=1#L3C1-L4C2", f"{GITHUB}/blob/{COMMIT}/a%20b.py?plain=1#L3C1-L4C2"),
    (f"{GITHUB}/tree/main//a.py#L3", f"{GITHUB}/blob/{COMMIT}//a.py#L3"),
    (f"{GITHUB}/raw/refs/heads/main/a.py", f"{GITHUB}/raw/{COMMIT}/a.py"),
    (
        "https://user:pw@github.com/o/r/blob/v1/a\\_b.py",
        f"https://user:pw@github.com/o/r/blob/{COMMIT}/a\\_b.py",
    ),
    ("http://WWW.github.com/o/r/blame/v1/a.py#L1-3", f"http://WWW.github.com/o/r/blame/{COMMIT}/a.py#L1-3"),
    (
        "https://raw.githubusercontent.com/o/r/refs/heads/main/a.py",
        f"https://raw.githubusercontent.com/o/r/{COMMIT}/a.py",
    ),
    ("https://gitlab.com/g/s/r/-/blob/main/a.py#L3-4", f"https://gitlab.com/g/s/r/-/blob/{COMMIT}/a.py#L3-4"),
    (
        "https://gitlab.com/g/r/-/blob/main/a.py?ref_type=heads#L3",
        f"https://gitlab.com/g/r/-/blob/{COMMIT}/a.py#L3",
    ),
    (
        "https://gitlab.com/g/r/-/blob/main/a.py?ref_type=heads&plain=1",
        f"https://gitlab.com/g/r/-/blob/{COMMIT}/a.py?plain=1",
    ),
    (
        "https://gitlab.com/g/r/-/blob/main/a.py?plain=1&ref_type=heads",
        f"https://gitlab.com/g/r/-/blob/{COMMIT}/a.py?plain=1",
    ),
    ("https://codeberg.org/o/r/src/branch/main/a.py", f"https://codeberg.org/o/r/src/commit/{COMMIT}/a.py"),
    ("https://codeberg.org/o/r/raw/tag/v1/a.py", f"https://codeberg.org/o/r/raw/commit/{COMMIT}/a.py"),
    ("https://git.example.org/o/r/src/main/a.py", f"https://git.example.org/o/r/src/commit/{COMMIT}/a.py"),
    (
        "https://bitbucket.org/o/r/src/main/a.py#lines-3:4",
        f"https://bitbucket.org/o/r/src/{COMMIT}/a.py#lines-3:4",
    ),
    (f"{SERVER}?at=refs%2Fheads%2Fmain#3", f"{SERVER}?at={COMMIT}#3"),
    (f"{SERVER}?x=1#3", f"{SERVER}?x=1&at={COMMIT}#3"),
    (f"{SERVER}#3", f"{SERVER}?at={COMMIT}#3"),
    (f"{SERVER}?at=#3", f"{SERVER}?at={COMMIT}#3"),
    ("https://git.sr.ht/~u/r/tree/f/x/item/a.py#L3", f"https://git.sr.ht/~u/r/tree/{COMMIT}/item/a.py#L3"),
    ("https://huggingface.co/gpt2/resolve/main/a.py", f"https://huggingface.co/gpt2/resolve/{COMMIT}/a.py"),
    ("https://huggingface.co/u/m/tree/main/a.py#L3", f"https://huggingface.co/u/m/blob/{COMMIT}/a.py#L3"),
    (f"{KERNEL}/tree/a.c?h=v2.0#n3", f"{KERNEL}/tree/a.c?id={COMMIT}#n3"),
    (f"{KERNEL}/tree/a.c?h=v2.0&id={OLD}#n3", f"{KERNEL}/tree/a.c?h=v2.0&id={COMMIT}#n3"),
    (f"{KERNEL}/tree/a.c#n3", f"{KERNEL}/tree/a.c?id={COMMIT}#n3"),
    (f"{ANDROID}/+/refs/heads/main/a.mk#3", f"{ANDROID}/+/{COMMIT}/a.mk#3"),
    (f"{ANDROID}/+blame/main/a.mk", f"{ANDROID}/+blame/{COMMIT}/a.mk"),
    (
        "https://w.example.org/?p=r.git;a=blob;f=a.c;hb=main#l3",
        f"https://w.example.org/?p=r.git;a=blob;f=a.c;hb={COMMIT}#l3",
    ),
    (
        "https://w.example.org/?p=r.git;a=blob;f=a.c#l3",
        f"https://w.example.org/?p=r.git;a=blob;f=a.c;hb={COMMIT}#l3",
    ),
    ("https://w.example.org/r.git/blob/HEAD:/a.c#l3", f"https://w.example.org/r.git/blob/{COMMIT}:/a.c#l3"),
    (f"{AZURE}&version=GBmain&line=3", f"{AZURE}&version=GC{COMMIT}&line=3"),
    (f"{AZURE}&line=3", f"{AZURE}&line=3&version=GC{COMMIT}"),
]


@pytest.mark.parametrize(("url", "pinned"), PINNED)
def test_a_branch_becomes_a_commit_and_nothing_else_changes(url: str, pinned: str) -> None:
    assert rewritten(url, revision=COMMIT, hosts=HOSTS) == pinned
    assert rewritten(pinned, revision=COMMIT, hosts=HOSTS) == pinned
    before, after = read_link(url, HOSTS), read_link(pinned, HOSTS)
    assert isinstance(before, FileLink)
    assert isinstance(after, FileLink)
    assert (after.git, after.path, after.anchor) == (before.git, before.path, before.anchor)
    assert (after.revision, after.ref, after.stated) == (COMMIT, RefKind.COMMIT, True)


@pytest.mark.parametrize(
    ("url", "written", "pinned"),
    [
        (f"{GITHUB}/blob/f/x/a.py#L3", "f/x", f"{GITHUB}/blob/{COMMIT}/a.py#L3"),
        (f"{GITHUB}/blob/f%2Fx/a.py#L3", "f/x", f"{GITHUB}/blob/{COMMIT}/a.py#L3"),
        (f"{GITHUB}/blob/f//x/a.py#L3", "f/x", f"{GITHUB}/blob/{COMMIT}/a.py#L3"),
        (f"{GITHUB}/blob/f\\_/%C3%A9/a.py#L3", "f_/é", f"{GITHUB}/blob/{COMMIT}/a.py#L3"),
        (f"{GITHUB}/blob/refs/heads/f/x/a.py#L3", "f/x", f"{GITHUB}/blob/{COMMIT}/a.py#L3"),
        (
            "https://codeberg.org/o/r/src/branch/f/x/y/a.py",
            "f/x/y",
            f"https://codeberg.org/o/r/src/commit/{COMMIT}/a.py",
        ),
        (
            "https://git.sr.ht/~u/r/tree/f/x/item/a.py",
            "f/x",
            f"https://git.sr.ht/~u/r/tree/{COMMIT}/item/a.py",
        ),
        (f"{GITHUB}/blob/f/x/a.py#L3", "f", f"{GITHUB}/blob/{COMMIT}/x/a.py#L3"),
        (f"{GITHUB}/blob/f/x/a.py#L3", "f/y", None),
        (f"{GITHUB}/blob/f/xy/a.py#L3", "f/x", None),
        (f"{GITHUB}/blob/f/x/a.py#L3", "f/x/a.py", None),
        (f"{GITHUB}/blob/f/x/a.py#L3", "f/x/a.py/b", None),
    ],
)
def test_the_caller_says_how_far_a_branch_goes(url: str, written: str, pinned: str | None) -> None:
    assert rewritten(url, revision=COMMIT, written=written) == pinned


ONE, SEVERAL = LineRange(7, 7), LineRange(10, 20)


@pytest.mark.parametrize(
    ("url", "one", "several"),
    [
        (f"{GITHUB}/blob/main/a.py#L3", f"{GITHUB}/blob/main/a.py#L7", f"{GITHUB}/blob/main/a.py#L10-L20"),
        (f"{GITHUB}/blob/main/a.py", f"{GITHUB}/blob/main/a.py#L7", f"{GITHUB}/blob/main/a.py#L10-L20"),
        (f"{GITHUB}/blob/main/a.py#3", f"{GITHUB}/blob/main/a.py#L7", f"{GITHUB}/blob/main/a.py#L10-L20"),
        (
            f"{GITHUB}/blob/main/a.py?x#L3C1-L4C2:~:text=w",
            f"{GITHUB}/blob/main/a.py?x#L7:~:text=w",
            f"{GITHUB}/blob/main/a.py?x#L10-L20:~:text=w",
        ),
        (f"{GITHUB}/tree/main/a.py#L3)", f"{GITHUB}/tree/main/a.py#L7)", f"{GITHUB}/tree/main/a.py#L10-L20)"),
        (f"{GITHUB}/blob/main/a.py%23L3", f"{GITHUB}/blob/main/a.py#L7", f"{GITHUB}/blob/main/a.py#L10-L20"),
        (
            "https://gitlab.com/g/r/-/blob/main/a.py#L3-L4",
            "https://gitlab.com/g/r/-/blob/main/a.py#L7",
            "https://gitlab.com/g/r/-/blob/main/a.py#L10-20",
        ),
        (
            "https://bitbucket.org/o/r/src/main/a.py#a.py-3",
            "https://bitbucket.org/o/r/src/main/a.py#lines-7",
            "https://bitbucket.org/o/r/src/main/a.py#lines-10:20",
        ),
        (f"{SERVER}?at=v1#3-4", f"{SERVER}?at=v1#7", f"{SERVER}?at=v1#10-20"),
        (f"{KERNEL}/tree/a.c#n3", f"{KERNEL}/tree/a.c#n7", None),
        (f"{KERNEL}/tree/a.c#n3-4", f"{KERNEL}/tree/a.c#n7", f"{KERNEL}/tree/a.c#n10-20"),
        (f"{ANDROID}/+/main/a.mk#3", f"{ANDROID}/+/main/a.mk#7", None),
        (
            f"{AZURE}&line=3&lineEnd=5&lineStartColumn=2&lineEndColumn=9&x=1",
            f"{AZURE}&line=7&lineEnd=8&lineStartColumn=1&lineEndColumn=1&x=1",
            f"{AZURE}&line=10&lineEnd=21&lineStartColumn=1&lineEndColumn=1&x=1",
        ),
        (
            AZURE,
            f"{AZURE}&line=7&lineEnd=8&lineStartColumn=1&lineEndColumn=1",
            f"{AZURE}&line=10&lineEnd=21&lineStartColumn=1&lineEndColumn=1",
        ),
        ("../a.py?x#L3", "../a.py?x#L7", "../a.py?x#L10-L20"),
        (
            f"swh:1:cnt:{BLOB};lines=3-4;path=/a",
            f"swh:1:cnt:{BLOB};lines=7;path=/a",
            f"swh:1:cnt:{BLOB};lines=10-20;path=/a",
        ),
        (
            f"swh:1:cnt:{BLOB};\n  lines=3",
            f"swh:1:cnt:{BLOB};\n  lines=7",
            f"swh:1:cnt:{BLOB};\n  lines=10-20",
        ),
        (
            f"https://archive.softwareheritage.org/swh:1:cnt:{BLOB}/",
            f"https://archive.softwareheritage.org/swh:1:cnt:{BLOB};lines=7/",
            f"https://archive.softwareheritage.org/swh:1:cnt:{BLOB};lines=10-20/",
        ),
    ],
)
def test_lines_are_corrected_in_the_hosts_own_form(url: str, one: str, several: str | None) -> None:
    for lines, expected in ((ONE, one), (SEVERAL, several)):
        assert rewritten(url, lines=lines) == expected
        if expected is not None:
            assert rewritten(expected, lines=lines) == expected
            link = read_link(expected)
            assert link is not None
            assert getattr(link, "anchor").lines == lines  # noqa: B009 - of any kind of link


def test_both_at_once() -> None:
    assert (
        rewritten(f"{KERNEL}/tree/a.c#n3", revision=COMMIT, lines=ONE) == f"{KERNEL}/tree/a.c?id={COMMIT}#n7"
    )
    assert rewritten(f"{AZURE}&version=GBf%2Fx", revision=COMMIT, lines=ONE) == (
        f"{AZURE}&version=GC{COMMIT}&line=7&lineEnd=8&lineStartColumn=1&lineEndColumn=1"
    )
    assert rewritten(f"{GITHUB}/tree/f/x/a.py#3", revision=COMMIT, lines=SEVERAL, written="f/x") == (
        f"{GITHUB}/blob/{COMMIT}/a.py#L10-L20"
    )


@pytest.mark.parametrize(
    "url",
    [
        "https://example.org/page#L3",
        f"{GITHUB}/pull/3/files#diff-abcR3",
        f"{GITHUB}/blob/main/a.md#usage",
        f"{GITHUB}/blob/main/a.py#L-3",
        "https://github.com/o/r/blob/main/\n  a.py#L3",
        "#L3",
        "mailto:me@example.org#L3",
        "",
        f"swh:1:dir:{BLOB}",
        f"swh%3A1%3Acnt%3A{BLOB}%3Blines%3D3",
    ],
)
def test_what_cannot_be_rewritten(url: str) -> None:
    assert rewritten(url, lines=ONE) is None


def test_the_revision_of_an_swhid_is_not_changed() -> None:
    url = f"swh:1:cnt:{BLOB};anchor=swh:1:rev:{OLD};lines=3"
    assert rewritten(url, revision=OLD, lines=ONE) == url.replace("lines=3", "lines=7")
    assert rewritten(url, revision=COMMIT) is None
    assert rewritten("a.py#L3", revision=COMMIT) is None


urls = st.one_of(
    st.sampled_from([url for pair in PINNED for url in pair]),
    st.lists(
        st.sampled_from(
            [
                "https://",
                "github.com/o/r/",
                "gitlab.com/g/r/-/",
                "git.kernel.org/r/",
                "blob/",
                "tree/",
                "main/",
                OLD,
                "/",
                "a.py",
                "\\_",
                "%2F",
                "?",
                "&",
                "h=",
                "id=",
                "x",
                "#",
                "L",
                "3",
                "-",
                ":",
                ")",
                "swh:1:cnt:",
                BLOB,
                ";",
                "lines=",
                "é",
            ]
        )
    ).map("".join),
)


@given(urls)
def test_a_link_that_is_right_already_stays_as_it_is(url: str) -> None:
    link = read_link(url, HOSTS)
    if rewritten(url, hosts=HOSTS) is not None:
        assert rewritten(url, hosts=HOSTS) == url
    if isinstance(link, FileLink | ContentLink) and link.anchor is not None and link.anchor.lines is not None:
        assert rewritten(url, lines=link.anchor.lines, hosts=HOSTS) == url


@given(
    urls,
    st.builds(lambda first, more: LineRange(first, first + more), st.integers(1, 999), st.integers(0, 9)),
)
def test_a_rewritten_link_says_what_it_is_to_say(url: str, lines: LineRange) -> None:
    before, text = read_link(url, HOSTS), rewritten(url, revision=COMMIT, lines=lines, hosts=HOSTS)
    if text is not None and isinstance(before, FileLink):
        after = read_link(text, HOSTS)
        assert isinstance(after, FileLink)
        assert after.anchor is not None
        assert (after.git, after.revision, after.path) == (before.git, COMMIT, before.path)
        assert after.anchor.lines == lines
        assert rewritten(text, revision=COMMIT, lines=lines, hosts=HOSTS) == text
