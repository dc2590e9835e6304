"""Lists of lines of every kind, for properties of what compares texts."""

from __future__ import annotations

from hypothesis import strategies as st

from provenance.compare.relocating.body import Body, Stretch

Lines = list[str]

ODD = ("", " ", "\t", "\f", "\0", "\ud800", "\u2028", "\r", "{", "})", "é" * 3, "x" * 3_000, "a b " * 900)
"""Lines that few files have, and none may fail on."""
CODE = (
    "",
    "}",
    "    return None",
    "def load_item(index, queue):",
    "@cached",
    "    queue = index.parse(item, limit=12)",
    "    queue = index.parse(item, limit=13)",
    "\tfor item in queue.read_all(index):",
    "        state.update(item, queue)",
    "class Queue(Table):",
    '    name = "queue"',
    "    name = 'queue',",
)

few = st.lists(st.sampled_from("abc{"), max_size=8)
"""Short texts of few lines, which are often the same."""
code = st.lists(st.sampled_from(CODE), max_size=14)
odd = st.lists(st.sampled_from((*ODD, *CODE)) | st.text(st.characters(exclude_characters="\n")), max_size=12)
texts = few | code | odd


@st.composite
def pairs(draw: st.DrawFn) -> tuple[Lines, Lines]:
    """Two texts, of which the second one is often made of the first."""
    old = draw(texts)
    if draw(st.booleans()):
        return old, draw(texts)
    first = draw(st.integers(0, len(old)))
    last = draw(st.integers(first, len(old)))
    return old, [*old[:first], *draw(texts), *old[last:]]


@st.composite
def pairs_without_copies(draw: st.DrawFn) -> tuple[Lines, Lines]:
    """Two texts in which no line stands twice, so that none can be mistaken for another."""
    lines = [f"line_{at} = {at}" for at in range(9)]
    one, other = st.lists(st.sampled_from(lines), unique=True, max_size=9), st.permutations(lines)
    return draw(other)[: draw(st.integers(1, 9))], draw(one)


@st.composite
def ranged(draw: st.DrawFn) -> tuple[Body, Stretch, Body]:
    """Two texts, and lines of the first one."""
    old, new = draw(pairs().filter(lambda both: bool(both[0])))
    first = draw(st.integers(0, len(old) - 1))
    return Body(old), Stretch(first, draw(st.integers(first, len(old) - 1))), Body(new)


def cut(body: Body, lines: Stretch) -> Lines:
    """Lines of a text, all of which it has."""
    assert 0 <= lines.first <= lines.last < len(body)
    return list(body.lines[lines.first : lines.last + 1])
