from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from provenance.origin.members import Ambiguous, Member, locate_members

SDIST = True
WHEEL = False


@pytest.mark.parametrize(
    ("kind", "names", "path", "expected"),
    [
        (SDIST, ["p-1/a/b.py", "p-1/setup.py"], "a/b.py", "p-1/a/b.py"),
        (SDIST, ["p-1/src/a/b.py", "p-1/a/b.py"], "src/a/b.py", "p-1/src/a/b.py"),
        (SDIST, ["p-1/a/b.py", "p-1/c.py"], "src/a/b.py", "p-1/a/b.py"),
        (SDIST, ["p-1/a/b.py", "p-1/c.py"], "lib/a/b.py", "p-1/a/b.py"),
        (SDIST, ["p-1/a/b.py", "p-1/c.py"], "python/a/b.py", "p-1/a/b.py"),
        (SDIST, ["p-1/model.py", "p-1/c.py"], "src/model.py", "p-1/model.py"),
        (SDIST, ["p-1/model.py", "p-1/c.py"], "other/model.py", None),
        (SDIST, ["p-1/b/c.py", "p-1/a/b/c.py"], "x/a/b/c.py", "p-1/a/b/c.py"),
        (SDIST, ["p-1/b/c.py", "p-1/d.py"], "x/a/b/c.py", "p-1/b/c.py"),
        (SDIST, ["p-1/other/b/c.py", "p-1/d.py"], "a/b/c.py", None),
        (SDIST, ["p-1/A/b.py", "p-1/d.py"], "a/b.py", None),
        (SDIST, ["a/b.py", "setup.py"], "a/b.py", "a/b.py"),
        (SDIST, ["p-1/a/b.py", "setup.py"], "a/b.py", None),
        (SDIST, ["p-1/a/b.py", "p-1/a/b.py"], "a/b.py", Ambiguous(("p-1/a/b.py", "p-1/a/b.py"))),
        (WHEEL, ["t/m/g.py", "t-1.dist-info/RECORD"], "src/t/m/g.py", "t/m/g.py"),
        (WHEEL, ["t/g.py"], "t/g.py", "t/g.py"),
        (WHEEL, ["t/g.py"], "g.py", None),
        (WHEEL, ["t-1.data/purelib/t/g.py", "t-1.dist-info/RECORD"], "t/g.py", "t-1.data/purelib/t/g.py"),
        (
            WHEEL,
            ["t-1.data/purelib/t/g.py", "t/g.py"],
            "src/t/g.py",
            Ambiguous(("t-1.data/purelib/t/g.py", "t/g.py")),
        ),
        (WHEEL, ["../t/g.py"], "../t/g.py", None),
        (WHEEL, ["/t/g.py"], "/t/g.py", None),
        (WHEEL, ["t/./g.py", "t//h.py", "t\\i.py"], "t/./g.py", None),
        (WHEEL, [], "t/g.py", None),
    ],
)
def test_which_member_is_meant(
    kind: bool, names: list[str], path: str, expected: str | Ambiguous | None
) -> None:
    found = locate_members([path], [Member(name) for name in names], has_top_folder=kind).get(path)
    assert (found.name if isinstance(found, Member) else found) == expected


part = st.text("ab.\\", min_size=0, max_size=3)
name = st.lists(part, min_size=1, max_size=4).map("/".join)


@given(st.lists(name, max_size=12), name, st.booleans())
def test_what_is_found_is_a_safe_member_that_ends_the_path(names: list[str], path: str, kind: bool) -> None:
    for found in locate_members([path], map(Member, names), has_top_folder=kind).values():
        chosen = found.names if isinstance(found, Ambiguous) else (found.name,)
        for one in chosen:
            assert one in names
            assert not {"", ".", ".."} & set(one.split("/"))
            assert one.split("/")[-1] == path.rsplit("/", maxsplit=1)[-1]
