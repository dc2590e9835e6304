"""Which blocks may be the quote of which mention, by where they stand and what they look like."""

from __future__ import annotations

from dataclasses import replace

import pytest

from provenance.compare.quoting.candidates import candidates
from provenance.compare.quoting.relations import Candidate, Relation
from provenance.compare.quoting.shares import STRETCH
from provenance.document import Block, Mention, Sheet, Where
from provenance.links.anchors import Anchor
from provenance.links.targets import ContentLink, FileLink, NotUnderstood, RefKind, RelativeLink

CODE = "def send(message):\n    return post(message)"


def link(first: int = 1, last: int | None = None, path: str = "a/b.py") -> FileLink:
    return FileLink(
        "u", "https://example.org/r", f"main/{path}", "main", path, RefKind.ANY, Anchor(first, last or first)
    )


def mention(
    order: int, line: int, *, target: FileLink | None = None, text: str = "", **where: object
) -> Mention:
    return Mention(_where(order, line, line, **where), target or link(), "u", line, text)


def block(
    order: int, line: int, text: str = CODE, *, language: str = "", title: str = "", **where: object
) -> Block:
    return Block(_where(order, line, line + text.count("\n") + 2, **where), text, line + 1, language, title)


def _where(order: int, line: int, last: int, **where: object) -> Where:
    return replace(Where(line, last, order), **where)  # type: ignore[arg-type]


def found(mentions: list[Mention], blocks: list[Block]) -> tuple[tuple[Candidate, ...], ...]:
    return candidates(Sheet(tuple(blocks), tuple(mentions)))


def likelihoods(mention: Mention, *blocks: Block) -> dict[int, float]:
    return {each.block: each.likelihood for each in found([mention], list(blocks))[0]}


@pytest.mark.parametrize(
    ("block", "relation"),
    [
        (block(2, 3), Relation.DIRECTLY_AFTER),
        (block(2, 2), Relation.DIRECTLY_AFTER),
        (block(2, 7), Relation.DIRECTLY_AFTER),  # the paragraph's rest
        (block(4, 7), Relation.AFTER),  # prose is between
        (block(3, 7, nest=(1,)), Relation.DIRECTLY_AFTER),  # a summary is between
        (block(3, 10, nest=(1,)), Relation.AFTER),
        (block(2, 42), None),
        (block(20, 9), None),
        (block(2, 3, section=1), None),  # headings are walls
    ],
)
def test_blocks_below(block: Block, relation: Relation | None) -> None:
    every = found([mention(1, 1)], [block])[0]
    assert [each.relation for each in every] == ([relation] if relation else [])


@pytest.mark.parametrize(
    ("block", "relation"),
    [
        (block(97, 95), Relation.BEFORE),
        (block(98, 96), Relation.BEFORE),
        (block(98, 91), Relation.BEFORE),
        (block(96, 91), Relation.NEAR),
        (block(98, 51), None),
        (block(80, 91), None),
        (block(98, 95, section=1), None),
    ],
)
def test_blocks_above(block: Block, relation: Relation | None) -> None:
    every = found([mention(100, 100)], [block])[0]
    assert [each.relation for each in every] == ([relation] if relation else [])


def test_a_link_in_a_heading_owns_what_is_below_it() -> None:
    heading = mention(10, 20, section=1, heading=True)
    every = found([heading], [block(8, 14), block(12, 22, section=1)])[0]
    assert [(each.block, each.relation) for each in every] == [(12, Relation.DIRECTLY_AFTER)]


def test_a_heading_may_be_the_caption_of_what_is_directly_above() -> None:
    heading = mention(10, 20, section=1, heading=True)
    every = found([heading], [block(4, 10), block(8, 16), block(12, 22, section=1)])[0]
    assert [(each.block, each.relation) for each in every] == [
        (12, Relation.DIRECTLY_AFTER),
        (8, Relation.NEAR),
    ]


@pytest.mark.parametrize(
    ("order", "nest", "relation"),
    [
        (4, (1,), Relation.BEFORE),  # the list's or quotation's first paragraph stands right below
        (5, (1,), Relation.NEAR),  # a paragraph is between
        (5, (), Relation.BEFORE),
    ],
)
def test_a_list_below_a_paragraph_is_apart(order: int, nest: tuple[int, ...], relation: Relation) -> None:
    (every,) = found([mention(order, 8, nest=nest)], [block(2, 3)])
    assert [each.relation for each in every] == [relation]


def test_the_nearest_block_is_the_likeliest() -> None:
    assert [
        each.block for each in found([mention(5, 20)], [block(2, 10), block(7, 22), block(9, 30)])[0]
    ] == [7, 9, 2]


@pytest.mark.parametrize(
    ("nearer", "further"),
    [
        ((1, 2), (1,)),  # within the same list item, and below the list
        ((1, 2, 3), (1,)),
        ((1,), ()),
        ((1,), (2,)),  # in another item
    ],
)
def test_containers_bind(nearer: tuple[int, ...], further: tuple[int, ...]) -> None:
    inside = likelihoods(mention(1, 1, nest=nearer[:2]), block(2, 3, nest=nearer))
    outside = likelihoods(mention(1, 1, nest=nearer[:2]), block(2, 3, nest=further))
    assert inside[2] > outside[2]


def test_a_nearer_mention_owns_a_block() -> None:
    first, second = found([mention(1, 1), mention(3, 5)], [block(5, 7)])
    assert second[0].likelihood > first[0].likelihood


def test_links_of_one_paragraph_may_all_own_a_block() -> None:
    first, second = found([mention(1, 1), mention(2, 1)], [block(3, 3)])
    assert second[0].likelihood == first[0].likelihood


def test_a_caption_is_of_its_block() -> None:
    captioned = replace(block(5, 9), caption=(7, 8))
    (candidate,) = found([mention(8, 14)], [captioned])[0]
    assert (candidate.relation, candidate.sure) == (Relation.CAPTION, True)


def test_a_caption_may_stand_below() -> None:
    captioned = replace(block(5, 9), caption=(6, 7))
    assert [each.relation for each in found([mention(7, 14)], [captioned])[0]] == [Relation.CAPTION]


def test_lines_of_a_notebook_count_within_a_cell() -> None:
    next_cell = found([mention(5, 90, cell=1)], [block(6, 1, cell=2), block(3, 1, cell=1)])[0]
    assert [(each.block, each.relation) for each in next_cell] == [(6, Relation.DIRECTLY_AFTER)]
    assert next_cell[0].likelihood < likelihoods(mention(5, 90, cell=1), block(6, 92, cell=1))[6]
    assert [each.relation for each in found([mention(5, 1, cell=2)], [block(4, 90, cell=1)])[0]] == [
        Relation.BEFORE
    ]


def test_a_mention_of_no_block_is_like_another() -> None:
    lost = replace(mention(1, 1), block=7, block_line=0)
    assert [each.relation for each in found([lost], [block(2, 3)])[0]] == [Relation.DIRECTLY_AFTER]


def test_a_title_that_is_the_path_is_a_caption() -> None:
    titled = found([mention(1, 1)], [block(5, 9, title="a/b.py")])[0][0]
    assert (titled.relation, titled.sure) == (Relation.CAPTION, True)
    assert titled.likelihood > found([mention(1, 1)], [block(5, 9)])[0][0].likelihood
    assert not found([mention(1, 1)], [block(5, 9, title="How it is done")])[0][0].sure


def test_a_link_in_a_title_is_of_its_block() -> None:
    inside = replace(mention(1, 1), block=1)
    (candidate,) = found([inside], [block(1, 1, title="a URL")])[0]
    assert (candidate.relation, candidate.sure, candidate.part) == (Relation.CAPTION, True, None)


URL = "https://github.com/a/b/blob/main/a/b.py#L1"


def test_a_link_in_a_comment_is_of_what_follows() -> None:
    inside = replace(mention(1, 1), block=1, block_line=1, raw=URL)
    every = found([inside], [block(1, 1, f"import os\n# {URL}\n{CODE}"), block(3, 9)])[0]
    assert (every[0].relation, every[0].part, every[0].text) == (Relation.INSIDE, (2, 3), CODE)
    assert {each.block for each in every} == {1}


def test_a_block_of_links_alone_is_like_a_paragraph() -> None:
    inside = replace(mention(1, 1), block=1, block_line=0, raw=URL)
    every = found([inside], [block(1, 1, URL), block(3, 5)])[0]
    assert [(each.block, each.relation) for each in every] == [(3, Relation.DIRECTLY_AFTER)]


@pytest.mark.parametrize(
    ("likelier", "other", "target"),
    [
        (block(2, 3, language="python"), block(2, 3, language="rust"), link()),
        (block(2, 3), block(2, 3, language="rust"), link()),
        (block(2, 3), block(2, 3, language="console"), link()),
        (block(2, 3, language="rust"), block(2, 3, language="output"), link()),
        (block(2, 3), block(2, 3, language="md"), link()),
        (block(2, 3, language="brainfuck"), block(2, 3, language="bash"), link()),
        (block(2, 3, "a\nb"), block(2, 3, "a"), link(1, 2)),
        (block(2, 3, "a"), block(2, 3, "a\nb\nc"), link(1, 1, "a.c")),  # one line names a place: no factor
        (block(2, 3, "9: a\n10: b"), block(2, 3, "90: a\n91: b"), link(9, 10)),
        (block(2, 3, "File: a/b.py\na"), block(2, 3, "File: c/d.py\na"), link()),
        (block(2, 3), block(2, 3, title="c/d.py"), link()),
    ],
)
def test_looks_count(likelier: Block, other: Block, target: FileLink) -> None:
    one = likelihoods(mention(1, 1, target=target), likelier)[2]
    two = likelihoods(mention(1, 1, target=target), other)[2]
    assert one >= two if target.path == "a.c" else one > two


def test_a_name_that_the_link_shows_counts() -> None:
    named = likelihoods(mention(1, 1, text="`send_all()`"), block(2, 3, "def send_all(): ..."))
    assert named[2] > likelihoods(mention(1, 1, text="`send`"), block(2, 3, "def send_all(): ..."))[2]


def test_a_link_that_is_called_source_is_below_its_block() -> None:
    named = likelihoods(mention(9, 9, text="Source"), block(7, 4))
    assert named[7] > likelihoods(mention(9, 9, text="this"), block(7, 4))[7]


@pytest.mark.parametrize(
    ("text", "cited", "sure"),
    [
        ("9: a\n10: b", link(9, 10), True),
        ("90: a\n91: b", link(9, 10), False),
        ("1: a\n2: b", link(2), False),  # they count the block's own lines
        ("1: a\n2: b", link(1), True),
        ("File: a/b.py\na", link(), True),
        ("File: b.py\n\n90: a\n91: b", link(9, 10), False),
        (CODE, link(), False),
    ],
)
def test_a_block_may_say_what_it_is(text: str, cited: FileLink, sure: bool) -> None:
    assert [each.sure for each in found([mention(1, 1, target=cited)], [block(2, 3, text)])[0]] == [sure]


def test_printed_numbers_share_a_block_out() -> None:
    shown = block(4, 5, "File: a/b.py\n\n3: a\n\n7: b\n8: c")
    one, two, three = found(
        [mention(1, 1, target=link(3)), mention(2, 2, target=link(7)), mention(3, 3, target=link(9))], [shown]
    )
    assert [each.part for each in one] == [(2, 2), None]
    assert [each.part for each in two] == [(4, 5), None]
    assert [each.part for each in three] == [None]
    assert one[0].bare.text == "a"
    assert two[0].bare.text == "b\nc"


def test_a_share_may_leave_lines_out() -> None:
    shown = block(4, 5, "3: a\n5: b\n\n7: c\n9: d\n12: e")
    one, two, three = found(
        [
            mention(1, 1, target=link(3, 5)),
            mention(2, 2, target=link(7, 9)),
            mention(3, 3, target=link(4, 5)),
        ],
        [shown],
    )
    assert [each.part for each in one] == [(0, 1), None]
    assert [each.part for each in two] == [(3, 4), None]
    assert [each.part for each in three] == [None]


def test_a_share_has_the_lines_below_its_head() -> None:
    shown = block(4, 5, "3: a(\n  b\n)\n\n7: c(\n  d\n)")
    one, two = found([mention(1, 1, target=link(3)), mention(2, 2, target=link(7))], [shown])
    assert (one[0].part, one[0].bare.text) == ((0, 2), "a(\n  b\n)")
    assert (two[0].part, two[0].bare.text) == ((4, 6), "c(\n  d\n)")


def test_places_in_any_order_are_shared_out() -> None:
    shown = block(4, 5, "File: a/b.py\n7: c\n3: a\n8: d")
    every = [link(3), link(8), link(7, 8)]
    one, two, three = found([mention(at, at, target=each) for at, each in enumerate(every, 1)], [shown])
    assert [each.part for each in one] == [(2, 2), None]
    assert [each.part for each in two] == [(3, 3), None]
    assert [each.part for each in three] == [None]  # another stands between its lines


def test_lines_of_other_files_share_nothing_out() -> None:
    mentions = [mention(1, 1, target=link(3)), mention(2, 2, target=link(7, path="c/d.py"))]
    for every in found(mentions, [block(4, 5, "3: a\n\n7: b")]):
        assert [each.part for each in every if not each.alone] == [None]


@pytest.mark.parametrize(
    ("text", "cited", "stretch"),
    [
        ("3: a\n\n7: b\n8: c", link(3), "a"),
        ("3: a\n\n7: b\n8: c", link(7, 8), "b\nc"),
        ("3: a\n\n7: b\n8: c", link(7, 9), "b\nc"),
        ("3: a\n\n7: b\n8: c", link(5), None),
        ("3: a {\n  b\n}\n\n7: c", link(3), "a {\n  b\n}"),  # lines without numbers are its own
        ("3: a\n\n/// odd\n7: c", link(3), "a"),
        ("3: a\n/// odd\n7: c", link(3), "a"),
        ("3: a(\n  b)\n7: c(\n  d)", link(3), None),  # the second head begins no stretch
        ("File: a/b.py\n\n# odd\n3: a", link(3), "a"),
        ("# odd\n3: a", link(3), "a"),
        ("odd()\n3: a", link(3), None),
        ("3: a\n4: b", link(3), None),
    ],
)
def test_a_stretch_may_stand_alone(text: str, cited: FileLink, stretch: str | None) -> None:
    (every,) = found([mention(1, 1, target=cited)], [block(4, 5, text)])
    alone = [each for each in every if each.alone]
    assert [each.bare.text for each in alone] == ([] if stretch is None else [stretch])
    assert all(STRETCH in reading.notes for each in alone for reading in each.readings)
    assert not every[0].alone  # all of the block goes first


def test_what_was_not_understood_has_none() -> None:
    odd = Mention(Where(1, 1, 1), NotUnderstood("u", "why"), "u", 1)
    assert candidates(Sheet((block(2, 3),), (odd,))) == ((),)


def test_every_kind_of_target_has_a_place() -> None:
    content = ContentLink("u", "0" * 40, None, None, None, Anchor(2, 1))
    relative = RelativeLink("../b.py", Anchor(3, 3))
    mentions = [Mention(Where(1, 1, 1), target, "u", 1) for target in (content, relative)]
    one, two = found(mentions, [block(2, 3)])
    assert (one[0].place.path, one[0].place.lines) == ("", None)
    assert two[0].place.path == "../b.py"


def test_a_heap_of_links_does_not_multiply_a_block() -> None:
    every = found([mention(1, 1, target=link(n + 1)) for n in range(1000)], [block(2, 3)])
    assert sum(map(len, every)) == 24
    inside = [replace(mention(1, 1, target=link(n + 1)), block=1, block_line=n, raw=URL) for n in range(1000)]
    assert sum(map(len, found(inside, [block(1, 1, f"# {URL}\n" * 1000 + CODE)]))) == 24
