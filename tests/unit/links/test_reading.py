from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from provenance.links.anchors import Anchor
from provenance.links.forges import Forge
from provenance.links.permalinks import repository_url
from provenance.links.reading import read_link
from provenance.links.targets import ContentLink, FileLink, NotUnderstood, RefKind, RelativeLink

COMMIT = "0c66117d4297d6f778d415790bfbce6cfafe1239"
BLOB = "8ab686927022341905da0c5c1eab5e6db7f5b9e5"
GITHUB = "https://github.com/o/r"
KERNEL = "https://git.kernel.org/pub/scm/linux/kernel/git/torvalds/linux.git"
ANDROID = "https://android.googlesource.com/platform/frameworks/base"
SERVER = "https://bitbucket.example.org"
HOSTS = {"git.example.org": Forge.GITEA, "code.example.org": Forge.GITHUB, "git.example.org:8080": Forge.CGIT}


def read(url: str) -> FileLink:
    link = read_link(url, HOSTS)
    assert isinstance(link, FileLink), link
    return link


@pytest.mark.parametrize(
    ("url", "git", "rest"),
    [
        (f"{GITHUB}/blob/main/a/b.py", GITHUB, "main/a/b.py"),
        (f"{GITHUB}/raw/main/a/b.py", GITHUB, "main/a/b.py"),
        (f"{GITHUB}/raw/refs/heads/main/a/b.py", GITHUB, "main/a/b.py"),
        (f"{GITHUB}/blame/main/a/b.py", GITHUB, "main/a/b.py"),
        (f"{GITHUB}/edit/main/a/b.py", GITHUB, "main/a/b.py"),
        (f"{GITHUB}/blob/main/a/b.py?plain=1", GITHUB, "main/a/b.py"),
        (f"{GITHUB}/blob/main/a/b.py?raw=true", GITHUB, "main/a/b.py"),
        (f"{GITHUB}.git/blob/main/a/b.py", GITHUB, "main/a/b.py"),
        ("http://www.github.com/o/r/blob/main/a.py", GITHUB, "main/a.py"),
        ("HTTPS://GitHub.com/o/r/blob/main/a.py", GITHUB, "main/a.py"),
        ("https://github.com:443/o/r/blob/main/a.py", GITHUB, "main/a.py"),
        ("//github.com/o/r/blob/main/a.py", GITHUB, "main/a.py"),
        ("https://github.dev/o/r/blob/main/a.py", GITHUB, "main/a.py"),
        (" https://github.com/o/r/blob/main/\n  a.py ", GITHUB, "main/a.py"),
        ("https://raw.githubusercontent.com/o/r/main/a.py", GITHUB, "main/a.py"),
        ("https://raw.githubusercontent.com/o/r/refs/tags/v1/a.py", GITHUB, "v1/a.py"),
        ("https://media.githubusercontent.com/media/o/r/main/a.bin", GITHUB, "main/a.bin"),
        ("https://code.example.org/o/r/blob/main/a.py", "https://code.example.org/o/r", "main/a.py"),
        ("https://github.example.org/o/r/blob/main/a.py", "https://github.example.org/o/r", "main/a.py"),
        ("https://gitlab.com/g/s/r/-/blob/main/a.py", "https://gitlab.com/g/s/r", "main/a.py"),
        ("https://gitlab.com/g/s/r/-/raw/main/a.py", "https://gitlab.com/g/s/r", "main/a.py"),
        ("https://gitlab.com/g/s/r/-/blame/main/a.py", "https://gitlab.com/g/s/r", "main/a.py"),
        ("https://gitlab.com/g/s/r/blob/main/a.py", "https://gitlab.com/g/s/r", "main/a.py"),
        ("https://gitlab.example.org/r/-/blob/main/a.py", "https://gitlab.example.org/r", "main/a.py"),
        ("https://codeberg.org/o/r/src/commit/abc123/a.py", "https://codeberg.org/o/r", "abc123/a.py"),
        ("https://codeberg.org/o/r/raw/branch/main/a.py", "https://codeberg.org/o/r", "main/a.py"),
        ("https://git.example.org/o/r/media/tag/v1/a.py", "https://git.example.org/o/r", "v1/a.py"),
        ("https://git.example.org/o/r/src/master/a.py", "https://git.example.org/o/r", "master/a.py"),
        ("https://git.example.org:8080/r/tree/a.py", "https://git.example.org:8080/r", "HEAD/a.py"),
        ("https://bitbucket.org/o/r/src/main/a.py", "https://bitbucket.org/o/r", "main/a.py"),
        ("https://bitbucket.org/o/r/annotate/main/a.py", "https://bitbucket.org/o/r", "main/a.py"),
        ("https://bitbucket.org/o/r/src/abc123/a.py?at=main", "https://bitbucket.org/o/r", "abc123/a.py"),
        (f"{SERVER}/projects/KEY/repos/r/browse/a.py", f"{SERVER}/scm/KEY/r.git", "HEAD/a.py"),
        (
            f"{SERVER}/projects/KEY/repos/r/browse/a.py?at=refs%2Fheads%2Ff%2Fx",
            f"{SERVER}/scm/KEY/r.git",
            "f/x/a.py",
        ),
        (f"{SERVER}/users/me/repos/r/raw/a.py?at=v1", f"{SERVER}/scm/~me/r.git", "v1/a.py"),
        (f"{SERVER}/ctx/projects/K/repos/r/browse/a.py", f"{SERVER}/ctx/scm/K/r.git", "HEAD/a.py"),
        ("https://git.sr.ht/~u/r/tree/main/item/a/b.py", "https://git.sr.ht/~u/r", "main/a/b.py"),
        ("https://git.sr.ht/~u/r/tree/f/x/item/a/b.py", "https://git.sr.ht/~u/r", "f/x/a/b.py"),
        ("https://git.sr.ht/~u/r/tree/main/a.py", "https://git.sr.ht/~u/r", "main/a.py"),
        ("https://git.sr.ht/~u/r/blob/main/a.py", "https://git.sr.ht/~u/r", "main/a.py"),
        (
            "https://huggingface.co/u/m/blob/main/config.json",
            "https://huggingface.co/u/m",
            "main/config.json",
        ),
        (
            "https://huggingface.co/gpt2/resolve/main/config.json",
            "https://huggingface.co/gpt2",
            "main/config.json",
        ),
        ("https://hf.co/datasets/u/x/raw/main/a.py", "https://huggingface.co/datasets/u/x", "main/a.py"),
        (
            "https://huggingface.co/spaces/u/x/blame/main/a.py",
            "https://huggingface.co/spaces/u/x",
            "main/a.py",
        ),
        (f"{KERNEL}/tree/kernel/fork.c", KERNEL, "HEAD/kernel/fork.c"),
        (f"{KERNEL}/tree/kernel/fork.c?h=v5.10", KERNEL, "v5.10/kernel/fork.c"),
        (f"{KERNEL}/plain/kernel/fork.c?h=v5.10&id={COMMIT}", KERNEL, f"{COMMIT}/kernel/fork.c"),
        (f"{ANDROID}/+/{COMMIT}/a/b.java", ANDROID, f"{COMMIT}/a/b.java"),
        (f"{ANDROID}/+/refs/heads/main/a/b.java", ANDROID, "main/a/b.java"),
        (f"{ANDROID}/+blame/main/a/b.java", ANDROID, "main/a/b.java"),
        (
            f"https://git.postgresql.org/gitweb/?p=postgresql.git;a=blob;f=src/a.c;h={BLOB};hb={COMMIT}",
            "https://git.postgresql.org/git/postgresql.git",
            f"{COMMIT}/src/a.c",
        ),
        (
            "https://sourceware.org/git/?p=glibc.git;a=blob;f=a.c;hb=HEAD",
            "https://sourceware.org/git/glibc.git",
            "HEAD/a.c",
        ),
        ("https://repo.or.cz/x.git/blob/f/x:/a/b.c", "https://repo.or.cz/x.git", "f/x/a/b.c"),
        ("https://dev.azure.com/o/p/_git/r?path=/a.cs", "https://dev.azure.com/o/p/_git/r", "HEAD/a.cs"),
        (
            "https://dev.azure.com/o/p/_git/r?path=%2Fa.cs&version=GBf%2Fx",
            "https://dev.azure.com/o/p/_git/r",
            "f/x/a.cs",
        ),
        (
            "https://o.visualstudio.com/p/_git/r?path=/a.cs&version=GTv1",
            "https://o.visualstudio.com/p/_git/r",
            "v1/a.cs",
        ),
    ],
)
def test_a_link_to_a_file_on_a_known_forge(url: str, git: str, rest: str) -> None:
    link = read(url)
    assert (link.git, link.rest, link.anchor, link.notes) == (git, rest, None, ())
    assert link.rest == f"{link.revision}/{link.path}"


@pytest.mark.parametrize(
    ("url", "anchor"),
    [
        (f"{GITHUB}/blob/main/a.py?plain=1#L3", Anchor(3, 3)),
        (f"{GITHUB}/blob/main/a.py#L17C1-L21C20", Anchor(17, 21, 1, 20)),
        ("https://gitlab.com/g/s/r/-/blob/main/a.py#L10-20", Anchor(10, 20)),
        ("https://codeberg.org/o/r/src/branch/main/a.py#L3-L4", Anchor(3, 4)),
        ("https://bitbucket.org/o/r/src/main/a.py#lines-10:20", Anchor(10, 20)),
        ("https://bitbucket.org/o/r/src/main/x/a.py?fileviewer=f#a.py-10", Anchor(10, 10)),
        (f"{SERVER}/projects/KEY/repos/r/browse/a.py?at=v1#10-20", Anchor(10, 20)),
        ("https://git.sr.ht/~u/r/tree/main/item/a.py#L10-20", Anchor(10, 20)),
        ("https://huggingface.co/u/m/blob/main/a.py#L1-L2", Anchor(1, 2)),
        (f"{KERNEL}/tree/kernel/fork.c?id={COMMIT}#n123", Anchor(123, 123)),
        (f"{ANDROID}/+/{COMMIT}/a/b.java#123", Anchor(123, 123)),
        (f"https://git.example.org/gitweb/?p=r.git;a=blob;f=a.c;hb={COMMIT}#l10", Anchor(10, 10)),
        ("https://dev.azure.com/o/p/_git/r?path=/a.cs&line=10", Anchor(10, 10)),
        ("https://dev.azure.com/o/p/_git/r?path=/a.cs&line=10&lineEnd=20", Anchor(10, 20)),
        (
            "https://dev.azure.com/o/p/_git/r?path=/a.cs&line=10&lineEnd=21&lineStartColumn=1&lineEndColumn=1",
            Anchor(10, 20),
        ),
        (
            "https://dev.azure.com/o/p/_git/r?path=/a.cs&line=3&lineEnd=3&lineStartColumn=5&lineEndColumn=9",
            Anchor(3, 3, 5, 9),
        ),
        (f"{GITHUB}/blob/main/a.md#usage", None),
        (f"{GITHUB}/blob/main/a.md#:~:text=word", None),
        (f"{GITHUB}/blob/main/a.md#2023-10", None),
    ],
)
def test_lines_of_a_file(url: str, anchor: Anchor | None) -> None:
    hosts = {"git.example.org": Forge.GITWEB}
    link = read_link(url, hosts)
    assert isinstance(link, FileLink)
    assert (link.anchor, link.notes) == (anchor, ())


@pytest.mark.parametrize(
    ("url", "ref", "stated"),
    [
        (f"{GITHUB}/blob/main/a.py", RefKind.ANY, False),
        (f"{GITHUB}/blob/{COMMIT[:12]}/a.py", RefKind.ANY, False),
        (f"{GITHUB}/blob/{COMMIT}/a.py", RefKind.COMMIT, True),
        (f"{GITHUB}/blob/{'ab' * 32}/a.py", RefKind.COMMIT, True),
        (f"{GITHUB}/blob/refs/tags/v1/a.py", RefKind.TAG, False),
        ("https://raw.githubusercontent.com/o/r/refs/heads/f/x/a.py", RefKind.BRANCH, False),
        ("https://gitlab.com/g/r/-/blob/f/x/a.py?ref_type=heads", RefKind.BRANCH, False),
        ("https://gitlab.com/g/r/-/blob/v1/a.py?x=1&ref_type=tags", RefKind.TAG, False),
        ("https://codeberg.org/o/r/src/branch/f/x/a.py", RefKind.BRANCH, False),
        ("https://codeberg.org/o/r/src/tag/v1/a.py", RefKind.TAG, False),
        ("https://codeberg.org/o/r/src/commit/abc123/a.py", RefKind.COMMIT, True),
        (f"{SERVER}/projects/KEY/repos/r/browse/a.py?at=refs/heads/f/x", RefKind.BRANCH, True),
        (f"{SERVER}/projects/KEY/repos/r/browse/a.py?at=f/x", RefKind.ANY, True),
        (f"{KERNEL}/tree/a.c?h=f/x", RefKind.ANY, True),
        ("https://git.sr.ht/~u/r/tree/f/x/item/a.py", RefKind.ANY, True),
        ("https://dev.azure.com/o/p/_git/r?path=/a.cs&version=GBmain", RefKind.BRANCH, True),
        (f"https://dev.azure.com/o/p/_git/r?path=/a.cs&version=GC{COMMIT}", RefKind.COMMIT, True),
    ],
)
def test_what_a_form_says_of_the_revision(url: str, ref: RefKind, stated: bool) -> None:
    link = read(url)
    assert (link.ref, link.stated) == (ref, stated)


@pytest.mark.parametrize(
    ("written", "revision", "path"),
    [
        ("main/sample.json%23etc#L2", "main", "sample.json#etc"),
        ("main/a%2520b.py", "main", "a%20b.py"),
        ("main/a%20b.py", "main", "a b.py"),
        ("main/a b.py", "main", "a b.py"),
        ("main/%D1%8F.py", "main", "я.py"),
        ("main/я.py", "main", "я.py"),
        ("main/caf%E9.py", "main", "caf\udce9.py"),
        ("f%2Fx/a.py", "f/x", "a.py"),
        ("HEAD@%7B2019-04-21T09:31:40Z%7D/a/b.json", "HEAD@{2019-04-21T09:31:40Z}", "a/b.json"),
        ("main/%7Btopic%7D/%7Bslug%7D.html", "main", "{topic}/{slug}.html"),
    ],
)
def test_a_path_is_decoded_once(written: str, revision: str, path: str) -> None:
    link = read(f"{GITHUB}/blob/{written}")
    assert (link.revision, link.path, link.notes) == (revision, path, ())
    assert link.url == f"{GITHUB}/blob/{written}"


@pytest.mark.parametrize(
    ("url", "rest", "anchor", "notes"),
    [
        (f"{GITHUB}/tree/main/a.py#L3", "main/a.py", Anchor(3, 3), ("a /tree/ link to a file",)),
        (
            f"{GITHUB}/tree/main//a/b.sol#L68",
            "main/a/b.sol",
            Anchor(68, 68),
            ("// in the path", "a /tree/ link to a file"),
        ),
        (f"{GITHUB}/blob/main/a//b.py#L3", "main/a/b.py", Anchor(3, 3), ("// in the path",)),
        ("github.com/o/r/blob/main/a.py#L3", "main/a.py", Anchor(3, 3), ("the link has no https://",)),
        (f"{GITHUB}/blob//main/a/b.py", "main/a/b.py", None, ()),
        (f"{GITHUB}/blob/main/a.py/#L3", "main/a.py", Anchor(3, 3), ("a slash at the end",)),
        (f"{GITHUB}/blob/main/a\\_b.py#L3", "main/a_b.py", Anchor(3, 3), ("a backslash",)),
        (f"{GITHUB}/blob/main/a%5C_b.py#L3", "main/a_b.py", Anchor(3, 3), ("a backslash",)),
        (f"{GITHUB}/blob/main\\src\\b.py#L3", "main/src/b.py", Anchor(3, 3), ("a backslash",)),
        (f"{GITHUB}/blob/main/a.sol#109", "main/a.sol", Anchor(109, 109), ("the anchor has no L",)),
        (f"{GITHUB}/blob/main/a.py%23L2-L3", "main/a.py", Anchor(2, 3), ("the anchor's # is written %23",)),
    ],
)
def test_what_is_odd_is_read_past_and_told(
    url: str, rest: str, anchor: Anchor | None, notes: tuple[str, ...]
) -> None:
    link = read(url)
    assert (link.rest, link.anchor, link.notes) == (rest, anchor, notes)


@pytest.mark.parametrize(
    ("url", "git"),
    [
        (f"https://x.example.org/o/r/blob/{COMMIT}/a.py", "https://x.example.org/o/r"),
        ("https://x.example.org/o/r/blob/main/a.py#L3", "https://x.example.org/o/r"),
        ("https://x.example.org/g/s/r/-/blob/main/a.py#L3-4", "https://x.example.org/g/s/r"),
        ("https://x.example.org/o/r/src/branch/main/a.py#L3-L4", "https://x.example.org/o/r"),
        (f"https://x.example.org/o/r/src/{COMMIT}/a.py", "https://x.example.org/o/r"),
        ("https://x.example.org/r/+/main/a.py#3", "https://x.example.org/r"),
        ("https://x.example.org/~u/r/tree/main/item/a.py#L3", "https://x.example.org/~u/r"),
        ("https://x.example.org/cgit/r/tree/a.c?h=main#n3", "https://x.example.org/cgit/r"),
        ("https://x.example.org/projects/K/repos/r/browse/a.py#3", "https://x.example.org/scm/K/r.git"),
        ("https://x.example.org/gitweb.cgi?p=r.git;a=blob;f=a.c;hb=main#l3", "https://x.example.org/r.git"),
        ("http://127.0.0.1:3000/o/r/src/branch/main/a.py#L3", "http://127.0.0.1:3000/o/r"),
    ],
)
def test_an_unknown_host_is_told_by_form_and_lines(url: str, git: str) -> None:
    link = read_link(url)
    assert isinstance(link, FileLink)
    assert link.git == git


@pytest.mark.parametrize(
    "url",
    [
        "https://example.org",
        "https://example.org/page#heading",
        "https://docs.example.org/page#lines-of-code",
        "https://docs.example.org/page#l10n",
        "https://docs.example.org/page#10",
        "https://x.example.org/o/r/blob/main/a.py",
        "https://x.example.org/docs/src/foo/bar.html",
        GITHUB,
        f"{GITHUB}#10-install",
        f"{GITHUB}/issues/3#issuecomment-123",
        f"{GITHUB}/pull/3/files",
        f"{GITHUB}/commit/{COMMIT}",
        f"{GITHUB}/compare/a...b",
        f"{GITHUB}/blob/main",
        f"{GITHUB}/tree/main/docs",
        f"{GITHUB}/tree/main/docs#readme",
        "https://gist.github.com/u/0123456789abcdef",
        "https://chromium-review.googlesource.com/c/chromium/src/+/123/4/a.cc",
        f"https://git.postgresql.org/gitweb/?p=r.git;a=blob;f=a.c;h={BLOB}",
        "#L7",
        "#heading",
        "a.md#l10n",
        "a.md",
        "",
        "mailto:me@example.org",
        "javascript:void(0)#L3",
        "ftp://example.org/a.py#L3",
        "https://[::1/o/r/blob/main/a.py",
        "https://example.org:99999/a#L3",
        "https://x" + "/a" * 5000 + "#L3",
        f"swh:1:dir:{BLOB}",
    ],
)
def test_what_is_no_citation(url: str) -> None:
    assert read_link(url) is None


@pytest.mark.parametrize(
    ("url", "message"),
    [
        (f"{GITHUB}/pull/3/files#diff-abc123R10", "comparison"),
        (f"{GITHUB}/commit/{COMMIT}#diff-abc123L10-R12", "comparison"),
        ("https://gist.github.com/u/0123456789abcdef#file-setup-py-L10", "gist"),
        (f"{GITHUB}#L10", "names no file"),
        (f"{GITHUB}/blob/main#L10", "names no file"),
        (f"{GITHUB}/blob/main/a.py#L-10", "#L-10 names no lines"),
        (f"{GITHUB}/blob/main/a.py#L1-L2-L3", "#L1-L2-L3 names no lines"),
        ("a.py#L1-L2-L3", "#L1-L2-L3 names no lines"),
        ("https://docs.example.org/page#L10", "name it under hosts"),
        ("https://x.example.org/o/r/src/main/a.py#L3", "name it under hosts"),
        ("https://cs.opensource.google/go/go/+/refs/tags/go1.18:src/x.go;l=10", "code search"),
        ("https://sourcegraph.com/github.com/o/r/-/blob/a.go?L10-20", "code search"),
        (f"swh:1:dir:{BLOB};lines=3", "not the SWHID of a content"),
    ],
)
def test_what_looks_like_a_citation_is_not_dropped(url: str, message: str) -> None:
    link = read_link(url)
    assert isinstance(link, NotUnderstood)
    assert link.url == url
    assert message in link.message


@pytest.mark.parametrize(
    ("url", "path", "anchor"),
    [
        ("file.md#L7", "file.md", Anchor(7, 7)),
        ("../src/a.py#L10-L20", "../src/a.py", Anchor(10, 20)),
        ("./a.c#L3", "./a.c", Anchor(3, 3)),
        ("/src/a.c#L3", "/src/a.c", Anchor(3, 3)),
        ("a%20b.py?plain=1#L20-L10", "a b.py", Anchor(20, 10)),
        ("..\\src\\a.py#L3", "../src/a.py", Anchor(3, 3)),
    ],
)
def test_a_file_beside_the_document(url: str, path: str, anchor: Anchor) -> None:
    assert read_link(url) == RelativeLink(path, anchor)


@pytest.mark.parametrize(
    "url",
    [
        "https://user:SECRET@github.com/o/r/blob/main/a.py#L3",
        "https://SECRET@github.com/o/r/blob/main/a.py#L3",
        "https://user:SECRET@github.com/o/r/blob/main/a.py?token=SECRET#L3",
        "https://user:SECRET@github.com/o/r#L3",
        "https://user:SEC/SECRET@github.com/o/r/blob/main/a.py#L3",
        "https://user:SECRET@x.example.org/page#L3",
        "https://user:SECRET@gitlab.com/o/r/-/blob/main/a.py#L1-L2-L3",
        "https://user:SECRET@bitbucket.example.org/projects/K/repos/r/browse/a.py#3",
        f"swh:1:cnt:{BLOB};origin=https://user:SECRET@example.org/r;lines=3",
        f"swh:1:cnt:{BLOB};origin=https://user:SECRET@example.org/r;lines=x",
    ],
)
def test_no_password_is_shown(url: str) -> None:
    assert "SECRET" not in repr(read_link(url, HOSTS))


PIECES = [
    "https://", "http:", "//", "github.com", "gitlab.com", "git.kernel.org", "dev.azure.com", "git.sr.ht", "x.org",
    "/", "\\", "~u", "o", "r", "blob", "tree", "src", "branch", "-", "+", "_git", "projects", "repos", "browse", "item",
    "refs/heads/", COMMIT, "main", "a.py", "?", "&", ";", "=", "h", "id", "at", "path", "version", "GB", "p", "f", "hb",
    "#", "L", "10", "%23", "%2F", "%", "@", ":", "swh:1:cnt:", BLOB, "lines=", "\n", " ", "\udce9", "é",
]  # fmt: skip


@given(st.one_of(st.text(), st.lists(st.sampled_from(PIECES), max_size=30).map("".join)))
def test_no_text_raises(text: str) -> None:
    link = read_link(text, HOSTS)
    if isinstance(link, FileLink):
        assert link.path
        assert not link.path.startswith("/")
        assert link.rest == f"{link.revision}/{link.path}"
        assert repository_url(link.git, HOSTS) is not None
    assert link is None or isinstance(link, FileLink | ContentLink | RelativeLink | NotUnderstood)
