from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from provenance.citation import LineRange
from provenance.links.anchors import Anchor, is_in_diff, is_like_lines, read_anchor
from provenance.links.forges import Forge


@pytest.mark.parametrize(
    ("fragment", "anchor"),
    [
        ("L10", Anchor(10, 10)),
        ("L10-L20", Anchor(10, 20)),
        ("L10-20", Anchor(10, 20)),
        ("L10%E2%80%93L20", Anchor(10, 20)),
        ("L10\u2013L20", Anchor(10, 20)),
        ("L10%2DL20", Anchor(10, 20)),
        ("LC10", Anchor(10, 10)),
        ("LC10-LC20", Anchor(10, 20)),
        ("L17C1-L21C20", Anchor(17, 21, 1, 20)),
        ("L133C9-L133C20", Anchor(133, 133, 9, 20)),
        ("L5C9", Anchor(5, 5, 9)),
        ("L20-L10", Anchor(20, 10)),
        ("L0", Anchor(0, 0)),
        ("L10:~:text=word", Anchor(10, 10)),
    ],
)
def test_lines_that_are_written_as_they_are_meant(fragment: str, anchor: Anchor) -> None:
    for forge in (Forge.GITHUB, Forge.GITLAB, Forge.GITEA, Forge.SOURCEHUT, Forge.HUGGINGFACE, None):
        read = read_anchor(fragment, forge, "a.py")
        assert read is not None
        assert (read.anchor, read.plain, read.notes) == (anchor, True, ())


@pytest.mark.parametrize(
    ("fragment", "forge", "anchor"),
    [
        ("lines-10", Forge.BITBUCKET, Anchor(10, 10)),
        ("lines-10:20", Forge.BITBUCKET, Anchor(10, 20)),
        ("cl-10", Forge.BITBUCKET, Anchor(10, 10)),
        ("line-10", Forge.BITBUCKET, Anchor(10, 10)),
        ("a.py-10", Forge.BITBUCKET, Anchor(10, 10)),
        ("a.py-10:20", Forge.BITBUCKET, Anchor(10, 20)),
        ("10-20", Forge.BITBUCKET_SERVER, Anchor(10, 20)),
        ("10", Forge.BITBUCKET_SERVER, Anchor(10, 10)),
        ("n10", Forge.CGIT, Anchor(10, 10)),
        ("n10-20", Forge.CGIT, Anchor(10, 20)),
        ("123", Forge.GITILES, Anchor(123, 123)),
        ("l10", Forge.GITWEB, Anchor(10, 10)),
    ],
)
def test_a_host_has_its_own_form(fragment: str, forge: Forge, anchor: Anchor) -> None:
    read = read_anchor(fragment, forge, "x/a.py")
    assert read is not None
    assert (read.anchor, read.plain, read.notes) == (anchor, True, ())


@pytest.mark.parametrize(
    ("fragment", "anchor", "notes"),
    [
        ("10", Anchor(10, 10), ("the anchor has no L",)),
        ("10-20", Anchor(10, 20), ("the anchor has no L",)),
        ("l10", Anchor(10, 10), ("the anchor has l for L",)),
        ("n10", Anchor(10, 10), ("the anchor has n for L",)),
        ("L10:20", Anchor(10, 20), ("the anchor has : for a dash",)),
        ("L10:5", Anchor(10, 10, 5), ("the anchor has : for a dash",)),
        ("L10,L20", Anchor(10, 20), ("the anchor has , for a dash",)),
        ("L10#L20", Anchor(10, 20), ("the anchor has # for a dash",)),
        ("L10-#L20", Anchor(10, 20), ("the anchor has -# for a dash",)),
        ("L10)", Anchor(10, 10), (") stands after the anchor",)),
        ("L10-L20`.", Anchor(10, 20), ("`. stands after the anchor",)),
        ("L10-", Anchor(10, 10), ("- stands after the anchor",)),
    ],
)
def test_what_is_odd_is_read_past_and_told(fragment: str, anchor: Anchor, notes: tuple[str, ...]) -> None:
    read = read_anchor(fragment, Forge.GITHUB, "a.py")
    assert read is not None
    assert (read.anchor, read.notes) == (anchor, notes)


@pytest.mark.parametrize(
    "fragment",
    [
        "",
        "heading",
        "l10n",
        "L",
        "L2TP",
        "lines-of-code",
        "L10foo",
        "1-introduction",
        "2023-10-01",
        "L1234567890",
        "L-10",
    ],
)
def test_what_names_no_lines(fragment: str) -> None:
    for forge in (*Forge, None):
        assert read_anchor(fragment, forge, "a.py") is None


@pytest.mark.parametrize("fragment", ["10", "10-20", "n10", "l10", "line-10"])
def test_a_number_means_lines_on_a_forge_alone(fragment: str) -> None:
    assert read_anchor(fragment, None, "a.py") is None


@pytest.mark.parametrize("fragment", ["2023-10", "10", "l1", "n1"])
def test_a_number_on_a_rendered_page_is_a_heading(fragment: str) -> None:
    assert read_anchor(fragment, Forge.GITHUB, "CHANGELOG.md") is None
    assert read_anchor(fragment, Forge.GITHUB, "CHANGELOG.md", source=True) is not None
    assert read_anchor("L10", Forge.GITHUB, "CHANGELOG.md") is not None


@pytest.mark.parametrize(
    ("anchor", "lines"),
    [
        (Anchor(1, 1), LineRange(1, 1)),
        (Anchor(3, 9, 1, 2), LineRange(3, 9)),
        (Anchor(9, 3), None),
        (Anchor(0, 0), None),
        (Anchor(0, 5), None),
    ],
)
def test_lines_that_can_be(anchor: Anchor, lines: LineRange | None) -> None:
    assert anchor.lines == lines


@pytest.mark.parametrize(
    ("fragment", "is_like"),
    [
        ("L1-L2-L3", True),
        ("L10-L20,L30-L40", True),
        ("L-10", True),
        ("L12345678901", True),
        ("l10n", False),
        ("L2TP", False),
        ("L", False),
        ("2023-10-01", False),
        ("lines-of-code", False),
        ("", False),
    ],
)
def test_what_was_meant_to_name_lines(fragment: str, is_like: bool) -> None:
    assert is_like_lines(fragment) is is_like


@pytest.mark.parametrize(
    ("fragment", "is_in"),
    [
        ("diff-b335630551682c19a781afebcf4d07bf978fb1f8ac04c6bf87428ed5106870f5R10", True),
        ("diff-abcL10-R12", True),
        ("diff-abc", False),
        ("file-setup-py-L10", True),
        ("file-setup-py-L10-L12", True),
        ("file-setup-py", False),
        (f"{'a' * 40}_10_20", True),
        ("discussion_r123", False),
    ],
)
def test_lines_of_a_comparison(fragment: str, is_in: bool) -> None:
    assert is_in_diff(fragment) is is_in


@given(
    st.lists(
        st.sampled_from(
            ["L", "l", "1", "20", "-", "\u2013", ":", ",", "C", "n", "lines-", "%2D", "%", "a.py-", ")", " "]
        )
    ).map("".join),
    st.sampled_from([*Forge, None]),
)
def test_the_end_is_within_the_fragment(fragment: str, forge: Forge | None) -> None:
    read = read_anchor(fragment, forge, "a.py")
    is_like_lines(fragment)
    if read is not None:
        assert 0 < read.end <= len(fragment)
        again = read_anchor(fragment[: read.end], forge, "a.py")
        assert again is not None
        assert again.anchor == read.anchor
