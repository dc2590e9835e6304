"""What of a block a link in one of its comments is about."""

from __future__ import annotations

import pytest

from provenance.compare.quoting.inside import Spot, parts

URL = "https://github.com/acme/lib/blob/main/a.py#L"


def found(*lines: str) -> list[list[tuple[tuple[int, int] | None, bool]]]:
    """For each link what it may be about, and whether the block says so."""
    spots = [Spot(at, line[line.index(URL) :].split()[0]) for at, line in enumerate(lines) if URL in line]
    return [[(part.lines, part.said) for part in every] for every in parts(lines, spots)]


@pytest.mark.parametrize(
    ("lines", "about"),
    [
        ([f"# {URL}1", "a", "b"], [[((1, 2), True)]]),
        ([f"{URL}1", "a"], [[((1, 1), True)]]),
        # a paragraph of its own: the block may be a text
        ([f"{URL}1", "", "a"], [[((2, 2), False)]]),
        ([f"# {URL}1", "", "a"], [[((2, 2), True)]]),
        ([f"# h/t {URL}1", "a"], [[((1, 1), False)]]),
        # items of a list are no comments
        (["a", f"* {URL}1 b"], [[(None, False)]]),
        (["/*", f" * {URL}1 b", " */", "a"], [[((3, 3), True), (None, True)]]),
        # several, each above its own code
        (
            [f"# {URL}1", "a", "", f"# {URL}2", "b"],
            [[((1, 1), True), (None, True)], [((4, 4), True), (None, True)]],
        ),
        # in a row: about the same code
        ([f"# {URL}1", f"# {URL}2", "a"], [[((2, 2), True)], [((2, 2), True)]]),
        ([f"# {URL}1", "", "a", "", "b", ""], [[((2, 4), True)]]),
        # below the code
        (["a", "b", f"# {URL}1"], [[((0, 1), True), (None, False)]]),
        # above and below
        ([f"# {URL}1", "a", f"# {URL}1"], [[((1, 1), True)], [((1, 1), True), (None, False)]]),
        # what is indented less is no longer its own
        (["f(() => {", f"  // {URL}1", "  a", "  b", "})"], [[((2, 3), True), (None, True)]]),
        (["f(() => {", f"  // {URL}1", "})"], [[(None, False)]]),
        # behind code
        ([f"a  # {URL}1", "b"], [[((0, 0), False), ((1, 1), False), (None, False)]]),
        # a comment that tells where more is
        ([f"# see {URL}1", "a"], [[((1, 1), False)]]),
        ([f"# adapted from {URL}1", "a"], [[((1, 1), False)]]),
        ([f"# taken from {URL}1", "a"], [[((1, 1), True)]]),
        # in code
        ([f'get("{URL}1")', "b"], [[(None, False)]]),
        # alone
        ([f"# {URL}1"], [[]]),
        (["", f"# {URL}1", f"# {URL}2", ""], [[], []]),
    ],
)
def test_what_a_link_is_about(
    lines: list[str], about: list[list[tuple[tuple[int, int] | None, bool]]]
) -> None:
    assert found(*lines) == about


@pytest.mark.parametrize(
    ("line", "raw", "said"),
    [
        ("File: lib/a.py:10-20", "lib/a.py:10-20", True),
        ("lib/a.py:10-20", "lib/a.py:10-20", True),
        ("// lib/a.py#L10", "lib/a.py#L10", True),
        ("raise Error in lib/a.py:10", "lib/a.py:10", False),
    ],
)
def test_a_header_is_like_a_comment(line: str, raw: str, said: bool) -> None:
    ((part, *_),) = parts([line, "a"], [Spot(0, raw)])
    assert (part.lines, part.said) == (((1, 1), True) if said else (None, False))


@pytest.mark.parametrize("head", ["File: lib/a.py", "// File: lib/a.py", "# lib/a.py"])
def test_a_header_above_a_link_is_no_code(head: str) -> None:
    assert found(head, f"{URL}1", f"{URL}2") == [[], []]
    assert found(head, f"{URL}1", "a") == [[((2, 2), True)]]


def test_the_end_of_a_comment_is_not_quoted() -> None:
    lines = ["/*", f" * {URL}1", " */", "a"]
    assert found(*lines)[0][0] == ((3, 3), True)
