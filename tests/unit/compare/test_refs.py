"""Where in a link the revision ends."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from provenance.compare.refs import Reading, readings
from provenance.links.targets import RefKind
from provenance.references import References

A, B, C = "a" * 40, "b" * 40, "c" * 40
ANY, COMMIT, BRANCH, TAG = RefKind.ANY, RefKind.COMMIT, RefKind.BRANCH, RefKind.TAG


def refs(*, head: str | None = None, default: str | None = None, **commits: str) -> References:
    """Branches and tags: `heads__main` is `refs/heads/main`, and `_` in a name is a slash."""
    names = {f"refs/{name.replace('__', '/').replace('_', '/')}": commit for name, commit in commits.items()}
    return References(names, head, default, everything=head is not None)


REPOSITORY = References(
    {
        "refs/heads/main": A,
        "refs/heads/feature/x": B,
        "refs/heads/both": A,
        "refs/tags/both": B,
        "refs/heads/same": A,
        "refs/tags/same": A,
        "refs/tags/v1": C,
        "refs/tags/1234567": C,
        "refs/tags/release/1.0": B,
        "refs/heads/heads/odd": C,
        f"refs/heads/{B}": C,
        "refs/pull/7/head": B,
    },
    A,
    "main",
    everything=True,
)


def plain(found: tuple[Reading, ...]) -> list[tuple[str, str, str | None, bool, str]]:
    return [(one.revision, one.path, one.commit, one.moves, one.name) for one in found]


@pytest.mark.parametrize(
    ("rest", "kind", "expected"),
    [
        # commit ids
        (f"{A}/b/c.py", ANY, [(A, "b/c.py", A, False, "")]),
        (f"{A.upper()}/c.py", ANY, [(A.upper(), "c.py", A, False, "")]),
        ("d" * 64 + "/c.py", ANY, [("d" * 64, "c.py", "d" * 64, False, "")]),
        (f"{A}/b/c.py", COMMIT, [(A, "b/c.py", A, False, "")]),
        (A, ANY, [(A, "", A, False, "")]),
        (f"{'a' * 39}/c.py", ANY, [("a" * 39, "c.py", None, False, "")]),
        ("a" * 41 + "/c.py", ANY, [("a" * 41, "c.py", None, False, "")]),
        ("abcdef0/b/c.py", ANY, [("abcdef0", "b/c.py", None, False, "")]),
        ("abcdef0/b/c.py", COMMIT, [("abcdef0", "b/c.py", None, False, "")]),
        # a branch that is called like an id is one where the link says that it is a branch
        (f"{B}/c.py", ANY, [(B, "c.py", B, False, "")]),
        (f"{B}/c.py", BRANCH, [(B, "c.py", C, True, B)]),
        (f"{A}/c.py", BRANCH, [(A, "c.py", A, False, "")]),
        # tags that look like short ids
        ("1234567/c.py", ANY, [("1234567", "c.py", C, False, "1234567")]),
        ("1234567/c.py", COMMIT, [("1234567", "c.py", None, False, "")]),
        ("1234567/c.py", BRANCH, [("1234567", "c.py", None, False, "")]),
        # branches and tags
        ("main/b/c.py", ANY, [("main", "b/c.py", A, True, "main")]),
        ("main/b/c.py", BRANCH, [("main", "b/c.py", A, True, "main")]),
        ("main/b/c.py", TAG, [("main", "b/c.py", None, False, "")]),
        ("v1/c.py", ANY, [("v1", "c.py", C, False, "v1")]),
        ("v1/c.py", TAG, [("v1", "c.py", C, False, "v1")]),
        ("v1/c.py", BRANCH, [("v1", "c.py", None, False, "")]),
        ("feature/x/b/c.py", ANY, [("feature/x", "b/c.py", B, True, "feature/x")]),
        ("release/1.0/c.py", ANY, [("release/1.0", "c.py", B, False, "release/1.0")]),
        ("feature/y/c.py", ANY, [("feature", "y/c.py", None, False, "")]),
        ("main//c.py", ANY, [("main", "/c.py", A, True, "main")]),
        ("Main/c.py", ANY, [("Main", "c.py", None, False, "")]),
        # without a path
        ("main", ANY, [("main", "", A, True, "main")]),
        ("main/", ANY, [("main", "", A, True, "main")]),
        ("feature/x", ANY, [("feature/x", "", B, True, "feature/x")]),
        ("", ANY, [("", "", None, False, "")]),
        ("/c.py", ANY, [("", "c.py", None, False, "")]),
        # a tag and a branch of one name
        ("both/c.py", ANY, [("both", "c.py", B, False, "both"), ("both", "c.py", A, True, "both")]),
        ("both/c.py", TAG, [("both", "c.py", B, False, "both")]),
        ("both/c.py", BRANCH, [("both", "c.py", A, True, "both")]),
        ("same/c.py", ANY, [("same", "c.py", A, False, "same")]),
        # the default branch
        ("HEAD/b/c.py", ANY, [("HEAD", "b/c.py", A, True, "main")]),
        ("HEAD/b/c.py", BRANCH, [("HEAD", "b/c.py", A, True, "main")]),
        ("HEAD/b/c.py", TAG, [("HEAD", "b/c.py", None, False, "")]),
        ("head/b/c.py", ANY, [("head", "b/c.py", None, False, "")]),
        # spelt out
        ("refs/heads/main/c.py", ANY, [("refs/heads/main", "c.py", A, True, "main")]),
        ("refs/heads/feature/x/c.py", ANY, [("refs/heads/feature/x", "c.py", B, True, "feature/x")]),
        ("refs/tags/v1/c.py", ANY, [("refs/tags/v1", "c.py", C, False, "v1")]),
        ("refs/heads/both/c.py", ANY, [("refs/heads/both", "c.py", A, True, "both")]),
        ("refs/tags/v1/c.py", BRANCH, [("refs/tags/v1", "c.py", None, False, "")]),
        ("heads/main/c.py", ANY, [("heads/main", "c.py", A, True, "main")]),
        ("tags/v1/c.py", ANY, [("tags/v1", "c.py", C, False, "v1")]),
        ("heads/odd/c.py", ANY, [("heads/odd", "c.py", C, True, "heads/odd")]),
        ("refs/pull/7/head/c.py", ANY, [("refs/pull/7/head", "c.py", B, True, "pull/7/head")]),
        ("refs/heads/none/c.py", ANY, [("refs/heads/none", "c.py", None, False, "")]),
        ("refs/pull/8/head/a/c.py", ANY, [("refs/pull/8/head", "a/c.py", None, False, "")]),
        ("refs/c.py", ANY, [("refs", "c.py", None, False, "")]),
        ("refs/heads//c.py", ANY, [("refs", "heads//c.py", None, False, "")]),
        # what pins nothing
        (
            "HEAD@{2019-04-21T09:31:40Z}/a/b.json",
            ANY,
            [("HEAD@{2019-04-21T09:31:40Z}", "a/b.json", None, False, "")],
        ),
        ("HEAD@{2019/04/21}/a/b.json", ANY, [("HEAD@{2019/04/21}", "a/b.json", None, False, "")]),
        ("HEAD@{1", ANY, [("HEAD@{1", "", None, False, "")]),
        ("main@{1}/c.py", BRANCH, [("main@{1}", "c.py", None, False, "")]),
        ("main~1/c.py", ANY, [("main~1", "c.py", None, False, "")]),
        ("--upload-pack=x/c.py", ANY, [("--upload-pack=x", "c.py", None, False, "")]),
        ("main/a@{b}/c.py", ANY, [("main", "a@{b}/c.py", A, True, "main")]),
    ],
)
def test_a_link_is_read(
    rest: str, kind: RefKind, expected: list[tuple[str, str, str | None, bool, str]]
) -> None:
    assert plain(readings(rest, REPOSITORY, kind)) == expected


def test_all_that_fit_are_candidates_the_longest_name_first() -> None:
    both = refs(heads__a=A, tags__a_b=B)
    found = readings("a/b/c.py", both, ANY)
    assert plain(found) == [("a/b", "c.py", B, False, "a/b"), ("a", "b/c.py", A, True, "a")]
    assert {one.notes for one in found} == {
        ("the link can be read in several ways: c.py at a/b, b/c.py at a",)
    }
    (found_one,) = readings("a/b/c.py", both, BRANCH)
    assert (found_one.revision, found_one.notes) == ("a", ())
    (bare,) = readings("a/b", both, ANY)
    assert (bare.revision, bare.path, bare.notes) == ("a", "b", ())


def test_a_tag_and_a_branch_of_one_name_are_told() -> None:
    tag, branch = readings("both/c.py", REPOSITORY, ANY)
    assert tag.notes == ("both names a tag and a branch: the tag is meant",)
    assert branch.notes == ("both names a tag and a branch: the branch is meant",)
    assert readings("same/c.py", REPOSITORY, ANY)[0].notes == ()
    assert readings("both/c.py", REPOSITORY, TAG)[0].notes == ()


@pytest.mark.parametrize(
    ("head", "default", "expected"),
    [(B, "trunk", (B, True, "trunk")), (B, None, (B, True, "HEAD")), (None, None, (None, False, ""))],
)
def test_the_default_branch_may_not_be_told(
    head: str | None, default: str | None, expected: tuple[str | None, bool, str]
) -> None:
    (found,) = readings("HEAD/c.py", refs(head=head, default=default), ANY)
    assert (found.commit, found.moves, found.name) == expected
    assert (found.revision, found.path) == ("HEAD", "c.py")


@pytest.mark.parametrize(
    ("rest", "kind", "revision", "commit"),
    [
        (f"{A}/c.py", ANY, A, A),
        ("main/b/c.py", ANY, "main", None),
        ("main/b/c.py", BRANCH, "main", None),
        ("refs/heads/main/c.py", ANY, "refs/heads/main", None),
        ("HEAD/c.py", ANY, "HEAD", None),
        ("abcdef0/c.py", COMMIT, "abcdef0", None),
    ],
)
def test_where_nothing_is_known_of_a_repository(
    rest: str, kind: RefKind, revision: str, commit: str | None
) -> None:
    (found,) = readings(rest, None, kind)
    assert (found.revision, found.commit, found.moves) == (revision, commit, False)
    assert rest == f"{found.revision}/{found.path}"


@pytest.mark.parametrize(
    ("stated", "kind", "expected"),
    [
        ("feature/x", ANY, ("feature/x", "c.py", B, True)),
        ("feature/y", ANY, ("feature/y", "c.py", None, False)),
        ("feature/y", COMMIT, ("feature/y", "c.py", None, False)),
        ("refs/heads/feature/x", BRANCH, ("refs/heads/feature/x", "c.py", B, True)),
        (A, ANY, (A, "c.py", A, False)),
    ],
)
def test_a_revision_that_the_link_states_ends_there(
    stated: str, kind: RefKind, expected: tuple[str, str, str | None, bool]
) -> None:
    more = References({**REPOSITORY.commits, "refs/heads/feature/y/c.py": C, "refs/heads/feature": C})
    (found,) = readings(f"{stated}/c.py", more, kind, stated=stated)
    assert (found.revision, found.path, found.commit, found.moves) == expected


SEGMENTS = st.sampled_from(
    [
        "a",
        "b",
        "c.py",
        "main",
        "v1",
        "refs",
        "heads",
        "tags",
        "pull",
        "1",
        "HEAD",
        "HEAD@{1}",
        "abcdef0",
        A,
        "",
        "é",
    ]
)
PATHS = st.lists(SEGMENTS, max_size=8).map("/".join)
ROUGH = st.text(alphabet="ab/@{}\n\0…", max_size=40)


@given(
    rest=st.one_of(PATHS, ROUGH, st.text()),
    names=st.dictionaries(PATHS.map("refs/".__add__), st.sampled_from([A, B, C])),
    head=st.one_of(st.none(), st.just(A)),
    kind=st.sampled_from(RefKind),
)
def test_a_reading_always_is_the_link(
    rest: str, names: dict[str, str], head: str | None, kind: RefKind
) -> None:
    references = References(names, head, everything=True)
    found = readings(rest, references, kind)
    assert 1 <= len(found) <= 5
    for one in found:
        assert rest in {f"{one.revision}/{one.path}", one.revision}
        assert not (one.moves and one.commit is None)
        assert bool(one.name) == (one.commit is not None and one.commit != one.revision.lower())
    lengths = [len(one.revision) for one in found]
    assert lengths == sorted(lengths, reverse=True)
    assert len(set(plain(found))) == len(found)


@given(rest=PATHS, kind=st.sampled_from(RefKind))
def test_without_references_there_is_one_reading(rest: str, kind: RefKind) -> None:
    (found,) = readings(rest, None, kind)
    assert found.name == ""
    assert not found.moves


def test_a_long_link_and_many_references_take_no_time() -> None:
    many = References(
        {f"refs/heads/{'a/' * n}a": A for n in range(600)} | {f"refs/tags/{n}": B for n in range(100_000)}
    )
    began = time.perf_counter()
    for rest in (
        "a/" * 500_000,
        "/" * 1_000_000,
        "a" * 1_000_000,
        "refs/" + "x" * 1_000_000,
        "HEAD@{" * 200_000,
    ):
        assert len(readings(rest, many, ANY)) <= 5
    assert time.perf_counter() - began < 2
