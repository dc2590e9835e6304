"""What revisions as written mean."""

from __future__ import annotations

import pytest

from provenance.answers import Lacking, Resolved
from provenance.evidence import Verdict
from provenance.origin import git_revision
from provenance.origin.git_revision import Kind, Ref
from provenance.references import beyond_branches_and_tags, is_short_id

A, B, C = "a" * 40, "b" * 40, "c" * 40

LISTING = (
    f"{A}\tHEAD\n{A}\trefs/heads/main\n{B}\trefs/heads/both\n{C}\trefs/tags/both\n"
    f"{B}\trefs/tags/v1\n{C}\trefs/tags/v1^{{}}\n{B}\trefs/tags/1234567\n{A}\trefs/pull/1/head\n"
).encode()


@pytest.mark.parametrize(
    ("revision", "kind"),
    [
        (A, Kind.FULL),
        (A.upper(), Kind.FULL),
        ("1234567", Kind.NAME),
        ("v1", Kind.NAME),
        ("feature/x", Kind.NAME),
        ("HEAD", Kind.NAME),
        ("refs/heads/main", Kind.NAME),
        ("", Kind.NONE),
        ("HEAD@{2019-04-21T09:31:40Z}", Kind.NONE),
        ("HEAD@%7B2019-04-21T09%3A31%3A40Z%7D", Kind.NONE),
        ("--upload-pack=touch PWNED", Kind.NONE),
        ("-x", Kind.NONE),
        ("a..b", Kind.NONE),
        ("a:b", Kind.NONE),
        ("main~1", Kind.NONE),
        ("main^", Kind.NONE),
        ("a b", Kind.NONE),
        ("a\nb", Kind.NONE),
        ("refs/heads/*", Kind.NONE),
        ("x.lock", Kind.NONE),
        ("@", Kind.NONE),
        ("/main", Kind.NONE),
    ],
)
def test_kinds(revision: str, kind: Kind) -> None:
    assert git_revision.kind_of(revision) is kind


def test_refs_are_read_with_annotated_tags_peeled() -> None:
    refs = git_revision.parse_refs(LISTING)
    assert refs["refs/tags/v1"] == Ref("refs/tags/v1", C)
    assert refs["HEAD"].commit == A
    assert git_revision.parse_refs(b"warning: nothing\n") == {}


def test_a_listing_is_a_record_and_back() -> None:
    found = git_revision.references(
        b"ref: refs/heads/main\tHEAD\n" + LISTING, everything=True, moved="https://example.org/new"
    )
    assert (found.head, found.default, found.everything) == (A, "main", True)
    assert found.moved == "https://example.org/new"
    assert (found.branch("both"), found.tag("both"), found.tag("v1"), found.branch("v1")) == (B, C, C, None)
    assert found.commits["refs/pull/1/head"] == A
    assert "HEAD" not in found.commits
    assert git_revision.refs_of(found) == git_revision.parse_refs(LISTING)


@pytest.mark.parametrize(
    ("listing", "head", "default"),
    [
        (b"", None, None),
        (f"{A}\trefs/heads/main\n".encode(), None, None),
        (f"{A}\tHEAD\n".encode(), A, None),
        (f"ref: refs/heads/a/b\tHEAD\n{A}\tHEAD\n".encode(), A, "a/b"),
        (f"ref: refs/heads/main\trefs/heads/alias\n{A}\tHEAD\n".encode(), A, None),
        ("ref: refs/heads/größe\tHEAD\n".encode(), None, "größe"),
        (b"ref: refs/heads/\xff\tHEAD\n", None, "\udcff"),
        (b"ref: refs/prov/x\tHEAD\n", None, None),
    ],
)
def test_the_default_branch_is_told_or_not(listing: bytes, head: str | None, default: str | None) -> None:
    found = git_revision.references(listing, everything=True, moved=None)
    assert (found.head, found.default) == (head, default)


def test_a_reference_may_be_called_anything_that_git_allows() -> None:
    name = "refs/heads/a\u3000b\u00a0c\u2028d"
    assert git_revision.parse_refs(f"{A}\t{name}\n".encode()) == {name: Ref(name, A)}


@pytest.mark.parametrize(
    ("revision", "commit", "note"),
    [
        ("v1", C, ""),
        ("main", A, "main is a branch and moves"),
        ("HEAD", A, "HEAD is the default branch and moves"),
        ("both", C, "the tag is meant"),
        ("1234567", B, ""),
        ("refs/tags/v1", C, ""),
        ("tags/v1", C, ""),
        ("heads/main", A, "moves"),
        ("refs/pull/1/head", A, "moves"),
        ("none", None, ""),
    ],
)
def test_names(revision: str, commit: str | None, note: str) -> None:
    found = git_revision.named(revision, git_revision.parse_refs(LISTING))
    assert (found.commit if found else None) == commit
    if found is not None:
        assert note in " ".join(found.notes)
        assert bool(found.notes) == bool(note)
        assert found.moves is ("moves" in note)


@pytest.mark.parametrize(
    ("revision", "found"),
    [("a" * 12, Resolved(A)), ("A" * 12, Resolved(A)), ("a" * 11, None), ("d" * 12, None)],
)
def test_a_tip_is_believed_from_twelve_digits_on(revision: str, found: Resolved | None) -> None:
    assert git_revision.among_tips(revision, git_revision.parse_refs(LISTING)) == found


def test_a_short_id_that_fits_one_commit_is_that_commit() -> None:
    assert git_revision.among_commits("aaaaaaa", [A]) == Resolved(A)


@pytest.mark.parametrize(
    ("commits", "says"),
    [
        ([], "none holds a commit"),
        ([B, A], f"ambiguous: it may be {A}, {B}"),
        ([f"{n}" * 40 for n in range(9)], "and 4 more"),
    ],
)
def test_a_short_id_that_fits_none_or_several_is_told(commits: list[str], says: str) -> None:
    answer = git_revision.among_commits("1234567", commits)
    assert isinstance(answer, Lacking)
    assert answer.verdict is Verdict.NO_REVISION
    assert says in answer.message


@pytest.mark.parametrize(
    ("revision", "short"), [("123456", False), ("1234567", True), ("ABCDEF0", True), ("v1", False)]
)
def test_what_can_be_a_short_id(revision: str, short: bool) -> None:
    assert is_short_id(revision) is short


@pytest.mark.parametrize(("revision", "hint"), [("abc12", True), ("main2", False)])
def test_too_few_digits_are_told(revision: str, hint: bool) -> None:
    assert ("at least 7 digits" in git_revision.unknown(revision).message) is hint


@pytest.mark.parametrize(
    ("revision", "beyond"),
    [
        ("HEAD", True),
        ("refs/pull/1/head", True),
        ("refs/heads/x", False),
        ("refs/tags/x", False),
        ("main", False),
        ("HEAD/a.py", True),
        ("HEADS/a.py", False),
        ("refs/pull/1/head/a.py", True),
        ("refs", True),
        ("refs/heads/x/a.py", False),
        ("", False),
    ],
)
def test_which_names_need_all_references(revision: str, beyond: bool) -> None:
    assert beyond_branches_and_tags(revision) is beyond
