"""What holds of lines that are followed, whatever the history."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hypothesis import given
from hypothesis import strategies as st
from support.remembered import Remembered

from provenance.citation import LineRange
from provenance.drift.follow import Place, follow
from provenance.relocation import Relocation, Spot, Status

if TYPE_CHECKING:
    from collections.abc import Mapping

_LINES = (
    "",
    "}",
    "    return None",
    "def load_item(index, queue):",
    "def send_state(index):",
    "    queue = index.parse(item, limit=12)",
    "    queue = index.parse(item, limit=13)",
    "    # What is sent stays in the queue.",
    "    for item in queue.read_all(index):",
    "        state.update(item, queue)",
    "class Queue(Table):",
    "import table",
    "    page = table.find(index, item)",
    "## How it is used",
)
Lines = list[str]
Tree = dict[str, Lines]

texts = st.lists(st.sampled_from(_LINES), min_size=1, max_size=14)
trees = st.dictionaries(st.sampled_from(["a.py", "b.py", "lib/a.py", "c.js"]), texts, max_size=4)


@st.composite
def pasts(draw: st.DrawFn) -> tuple[list[Tree], list[Place]]:
    """Trees of commits in a row, each made of the one before or of nothing, and places of the first."""
    versions: list[Tree] = [draw(trees.filter(bool))]
    for _ in range(draw(st.integers(1, 4))):
        tree = {path: draw(edited(lines)) for path, lines in versions[-1].items() if draw(st.integers(0, 4))}
        versions.append(tree | draw(trees) if draw(st.booleans()) else tree)
    count = draw(st.integers(1, 3))
    return versions, [draw(places(versions[0])) for _ in range(count)]


@st.composite
def edited(draw: st.DrawFn, lines: Lines) -> Lines:
    """Lines of which some are others, or gone."""
    first = draw(st.integers(0, len(lines)))
    last = draw(st.integers(first, len(lines)))
    return [*lines[:first], *draw(st.lists(st.sampled_from(_LINES), max_size=4)), *lines[last:]]


@st.composite
def places(draw: st.DrawFn, tree: Tree) -> Place:
    path = draw(st.sampled_from(sorted(tree)))
    first = draw(st.integers(1, len(tree[path])))
    return Place(path, LineRange(first, draw(st.integers(first, len(tree[path])))))


def followed(versions: list[Tree], asked: list[Place]) -> list[Relocation]:
    past = Remembered.line(*({path: written(lines) for path, lines in tree.items()} for tree in versions))
    return follow(past, past.ids["0"], past.ids[str(len(versions) - 1)], asked)


def written(lines: Lines) -> bytes:
    return "".join(f"{line}\n" for line in lines).encode()


def cut(tree: Mapping[str, Lines], path: str, lines: LineRange | None) -> Lines:
    assert lines is not None
    assert lines.last <= len(tree[path])
    return tree[path][lines.first - 1 : lines.last]


@given(pasts())
def test_what_is_said_to_be_the_same_is_the_same(past: tuple[list[Tree], list[Place]]) -> None:
    versions, asked = past
    for place, found in zip(asked, followed(versions, asked), strict=True):
        if found.status not in {Status.UNCHANGED, Status.MOVED, Status.RENAMED}:
            continue
        assert found.end is not None
        assert cut(versions[-1], found.end.path, found.end.lines) == cut(versions[0], *place)
        assert (found.end.path == place.path) == (found.status is not Status.RENAMED)
        if found.status is Status.UNCHANGED:
            assert found.end.lines == place.lines


@given(pasts())
def test_an_answer_shows_the_lines_that_it_names(past: tuple[list[Tree], list[Place]]) -> None:
    versions, asked = past
    for place, found in zip(asked, followed(versions, asked), strict=True):
        if found.end is not None:
            assert found.text == "\n".join(cut(versions[-1], found.end.path, found.end.lines))
            assert found.old_text == "\n".join(cut(versions[0], *place))
        if found.status is Status.EDITED:
            assert found.text != found.old_text


@given(pasts())
def test_places_that_are_asked_for_together_have_the_answers_that_each_has_alone(
    past: tuple[list[Tree], list[Place]],
) -> None:
    versions, asked = past
    assert followed(versions, asked) == [followed(versions, [place])[0] for place in asked]


@given(pasts(), texts, st.data())
def test_lines_of_a_file_that_is_not_touched_are_unchanged(
    past: tuple[list[Tree], list[Place]], lines: Lines, data: st.DataObject
) -> None:
    versions = [tree | {"still.py": lines} for tree in past[0]]
    place = data.draw(places({"still.py": lines}))

    (found,) = followed(versions, [place])

    assert (found.status, found.commit) == (Status.UNCHANGED, None)
    assert found.end is not None
    assert (found.end.path, found.end.lines) == place


@given(texts, st.data())
def test_a_line_on_top_moves_all_by_one(lines: Lines, data: st.DataObject) -> None:
    place = data.draw(places({"a.py": lines}))

    (found,) = followed([{"a.py": lines}, {"a.py": ["# There was no line here.", *lines]}], [place])

    assert found.status is Status.MOVED
    assert found.end is not None
    assert found.end.lines == LineRange(place.lines.first + 1, place.lines.last + 1)


@given(texts, st.data())
def test_a_file_of_another_path_has_the_same_lines(lines: Lines, data: st.DataObject) -> None:
    place = data.draw(places({"a.py": lines}))

    (found,) = followed([{"a.py": lines}, {"lib/b.py": lines}], [place])

    assert found.status is Status.RENAMED
    assert found.end is not None
    assert (found.end.path, found.end.lines) == ("lib/b.py", place.lines)


@given(pasts())
def test_what_is_taken_back_is_where_it_was(past: tuple[list[Tree], list[Place]]) -> None:
    versions, asked = past
    there_and_back = [*versions, versions[0]]
    for place, found in zip(asked, followed(there_and_back, asked), strict=True):
        assert found.status is Status.UNCHANGED
        assert found.end is not None
        assert (found.end.path, found.end.lines) == place


@given(pasts())
def test_nothing_happens_between_a_commit_and_itself(past: tuple[list[Tree], list[Place]]) -> None:
    versions, asked = past
    for place, found in zip(asked, followed(versions[:1], asked), strict=True):
        assert found.end is not None
        assert found.end == Spot(found.end.revision, place.path, place.lines)
        assert found.status is Status.UNCHANGED
