from __future__ import annotations

import pytest
from support.origins import FakeOrigins

from provenance.configuration import Repository
from provenance.links.anchors import Anchor
from provenance.links.reading import read_link
from provenance.links.targets import ContentLink, FileLink, NotUnderstood, PlainPlace, RefKind, RelativeLink
from provenance.references import References
from provenance.scan.resolving import ARCHIVE, Asked, Meaning, Resolving, asked, resolution_digest

GIT = "https://github.com/example/engine"
OLD, NEW, THIRD = "a" * 40, "b" * 40, "c" * 40
HERE = Anchor(1, 2)
PLACE = PlainPlace("valve.py", HERE)


def link(rest: str, site: str = GIT) -> FileLink:
    """A link to lines; `rest` is a revision and a path."""
    found = read_link(f"{site}/blob/{rest}#L1-L2")
    assert isinstance(found, FileLink)
    return found


def refs(head: str | None = None, default: str | None = None, **commits: str) -> References:
    """What a server lists; `heads_main` is `refs/heads/main`, and two lines stand for a slash in a name."""
    named = {
        f"refs/{name.replace('__', '/').replace('_', '/', 1)}": commit for name, commit in commits.items()
    }
    return References(named, head, default, everything=head is not None)


@pytest.mark.parametrize(
    ("rest", "wanted"),
    [
        (f"{OLD}/a.py", False),
        (f"{OLD.upper()}/a.py", False),
        ("abcdef1/a.py", False),
        ("1234567/a.py", False),
        ("abcdef/a.py", True),
        ("main/a.py", True),
        ("HEAD/a.py", True),
        ("v1/a.py", True),
        ("refs/heads/main/a.py", True),
    ],
)
def test_what_pins_by_its_looks_is_not_asked_for(rest: str, *, wanted: bool) -> None:
    assert (asked(link(rest), None) is not None) == wanted


@pytest.mark.parametrize(
    ("target", "repository", "item"),
    [
        (PLACE, None, None),
        (PLACE, Repository(GIT, OLD), None),
        (PLACE, Repository(GIT, "main"), Asked(GIT, "main/valve.py", RefKind.ANY, "main")),
        (PLACE, Repository(GIT, "a/b", "src"), Asked(GIT, "a/b/src/valve.py", RefKind.ANY, "a/b")),
        (RelativeLink("a.py", HERE), Repository(GIT, "main"), None),
        (NotUnderstood("x", "y"), Repository(GIT, "main"), None),
        (ContentLink("swh:1:cnt:x", OLD, None, None, None, HERE), None, None),
    ],
)
def test_a_plain_place_is_asked_for_with_its_repository(
    target: PlainPlace | RelativeLink | NotUnderstood | ContentLink,
    repository: Repository | None,
    item: Asked | None,
) -> None:
    assert asked(target, repository) == item


def test_secrets_of_a_configured_repository_are_not_kept() -> None:
    item = asked(PLACE, Repository("https://user:secret@example.org/o/r", "main"))
    assert item is not None
    assert "secret" not in repr(item)


def resolve(origins: FakeOrigins | None, *items: Asked | None) -> Resolving:
    resolving = Resolving(origins, jobs=2)
    resolving.ask(item for item in items if item is not None)
    return resolving


def one(rest: str, listed: References) -> tuple[Meaning, ...]:
    target = link(rest)
    origins = FakeOrigins(listed={GIT: listed})
    return resolve(origins, asked(target, None)).meanings(target, None)


def test_a_branch_means_its_commit_of_today() -> None:
    assert one("main/a/b.py", refs(heads_main=NEW)) == (
        Meaning(GIT, NEW, "a/b.py", moving="main", written="main"),
    )


def test_a_tag_stays_as_it_is_written() -> None:
    assert one("v1/a.py", refs(tags_v1=OLD)) == (Meaning(GIT, "v1", "a.py"),)


def test_the_longest_name_is_the_likeliest_and_the_others_are_kept() -> None:
    first, second = one("a/b/c.py", refs(heads_a=OLD, tags_a__b=NEW))
    assert (first.revision, first.path, first.moving) == ("a/b", "c.py", None)
    assert (second.revision, second.path, second.moving) == (OLD, "b/c.py", "a")
    assert first.notes == second.notes != ()


def test_head_names_the_default_branch() -> None:
    (found,) = one("HEAD/a.py", refs(head=NEW, default="trunk", heads_trunk=NEW))
    assert (found.revision, found.moving, found.written) == (NEW, "trunk", "HEAD")


def test_a_name_that_is_not_listed_is_left_for_the_repository_to_answer() -> None:
    assert one("gone/a.py", refs(heads_main=NEW)) == (Meaning(GIT, "gone", "a.py"),)


def test_oddities_of_a_link_are_kept() -> None:
    found = read_link(f"{GIT}/tree/main/a.py#L1")
    assert isinstance(found, FileLink)
    (meaning,) = resolve(FakeOrigins(listed={GIT: refs(heads_main=NEW)}), asked(found, None)).meanings(
        found, None
    )
    assert meaning.notes == found.notes != ()


@pytest.mark.parametrize("origins", [None, FakeOrigins()])
def test_where_nobody_answers_a_name_is_kept_and_said_to_move(origins: FakeOrigins | None) -> None:
    target = link("main/a.py")
    item = asked(target, None)
    assert item is not None
    resolving = resolve(origins, item)
    assert resolving.meanings(target, None) == (Meaning(GIT, "main", "a.py", moving="main"),)
    assert resolving.moves(item)


def test_each_repository_is_asked_once_and_for_all_that_is_wanted() -> None:
    origins = FakeOrigins(
        listed={GIT: refs(head=NEW, default="main", heads_main=NEW), f"{GIT}2": refs(heads_x=OLD)}
    )
    items = [asked(link(rest), None) for rest in ("main/a.py", "v1/b.py", "HEAD/a.py", "main/a.py")]
    resolving = resolve(origins, *items, asked(link("x/a.py", f"{GIT}2"), None))
    assert sorted(origins.asked) == [f"references {GIT} everything", f"references {GIT}2"]
    resolving.ask(item for item in items if item is not None)
    assert len(origins.asked) == 2


def test_more_is_asked_for_only_where_branches_and_tags_are_not_enough() -> None:
    origins = FakeOrigins(listed={GIT: refs(heads_main=NEW)})
    resolving = resolve(origins, asked(link("main/a.py"), None))
    resolving.ask([Asked(GIT, "refs/pull/1/head/a.py", RefKind.ANY)])
    assert origins.asked == [f"references {GIT}", f"references {GIT} everything"]


@pytest.mark.parametrize(
    ("rest", "moves"), [("main/a.py", True), ("v1/a.py", False), ("gone/a.py", True), ("a/b/c.py", True)]
)
def test_what_may_be_another_commit_tomorrow_is_asked_for_again(rest: str, *, moves: bool) -> None:
    item = asked(link(rest), None)
    assert item is not None
    listed = refs(heads_main=NEW, tags_v1=OLD, tags_a__b=OLD, heads_a=NEW)
    assert resolve(FakeOrigins(listed={GIT: listed}), item).moves(item) is moves


def digest(item: Asked, listed: References | None) -> str:
    return resolution_digest(
        resolve(FakeOrigins(listed={} if listed is None else {GIT: listed}), item), [item]
    )


def test_what_links_mean_has_another_digest_whenever_any_reading_moves() -> None:
    item = Asked(GIT, "a/b/c.py", RefKind.ANY)
    both = refs(tags_a__b=OLD, heads_a=NEW)
    others = [
        refs(tags_a__b=OLD, heads_a=THIRD),
        refs(tags_a__b=THIRD, heads_a=NEW),
        refs(heads_a=NEW),
        refs(),
        None,
    ]
    found = [digest(item, listed) for listed in (both, *others)]
    assert len(set(found)) >= len(found) - 1, "of a name that is not listed and nobody who answers"
    assert found.count(found[0]) == 1
    assert digest(item, refs(tags_a__b=OLD, heads_a=NEW, heads_other=THIRD)) == found[0]


def test_a_content_is_had_by_its_commit_or_by_its_id_alone() -> None:
    resolving = Resolving(None, jobs=1)
    whole = ContentLink("swh", OLD, GIT, NEW, "a/b.py", HERE)
    assert resolving.meanings(whole, None) == (Meaning(GIT, NEW, "a/b.py", blob=OLD),)
    for bare in (
        ContentLink("swh", OLD, None, NEW, "a.py", HERE),
        ContentLink("swh", OLD, GIT, None, "a.py", HERE),
    ):
        assert resolving.meanings(bare, None) == (Meaning(ARCHIVE, OLD, "a.py", blob=OLD),)
    assert resolving.meanings(ContentLink("swh", OLD, None, None, None, HERE), None)[0].path == "content"
