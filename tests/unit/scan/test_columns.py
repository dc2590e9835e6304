from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from provenance.compare.quoting.columns import selects
from provenance.extract.lines import Text
from provenance.links.anchors import Anchor

TEXT = Text("plain = valve.open(3)\n# \u9600\u9580 = Valve\n\U0001f6b0 = \u9600\u9580.open\n")


@pytest.mark.parametrize(
    ("anchor", "quote"),
    [
        (Anchor(1, 1, 9, 13), "valve"),  # the last is selected
        (Anchor(1, 1, 9, 14), "valve"),  # the last is the first that is not
        (Anchor(1, 1, 9), "valve.open(3)"),
        (Anchor(2, 2, 3, 4), "\u9600\u9580"),  # characters
        (Anchor(2, 2, 3, 9), "\u9600\u9580"),  # bytes: two and six of them
        (Anchor(3, 3, 5, 6), "\u9600\u9580"),  # characters, the first of which is one
        (Anchor(3, 3, 6, 7), "\u9600\u9580"),  # units of UTF-16, of which it is two
        (Anchor(3, 3, 8, 14), "\u9600\u9580"),  # bytes, of which it is four
        (Anchor(1, 2, 9, 4), "valve.open(3)\n# \u9600\u9580"),
        (Anchor(1, 3, 20, 1), "3)\n# \u9600\u9580 = Valve\n\U0001f6b0"),
    ],
)
def test_columns_select_a_quote_however_they_are_counted(anchor: Anchor, quote: str) -> None:
    assert selects(anchor, TEXT, quote)


@pytest.mark.parametrize(
    ("anchor", "quote"),
    [
        (Anchor(1, 1), "valve"),
        (Anchor(1, 1, 9, 13), "val"),
        (Anchor(1, 1, 9, 13), "alve"),
        (Anchor(1, 1, 8, 8), " "),
        (Anchor(1, 1, 900, 901), ""),
        (Anchor(4, 4, 1, 2), "x"),
        (Anchor(2, 1, 1, 2), "x"),
        (Anchor(0, 1, 1, 2), "x"),
        (Anchor(2, 2, 4, 5), "\u9600"),
    ],
)
def test_columns_do_not_select_what_is_not_there(anchor: Anchor, quote: str) -> None:
    assert not selects(anchor, TEXT, quote)


NUMBER = st.none() | st.integers(0, 40)


@given(st.text(max_size=60), st.integers(0, 5), st.integers(0, 5), NUMBER, NUMBER, st.text(max_size=10))
def test_any_columns_of_any_text_can_be_asked_for(
    text: str, first: int, last: int, left: int | None, right: int | None, quote: str
) -> None:
    if selects(Anchor(first, last, left, right), Text(text), quote):
        assert quote in text


@given(st.text(st.characters(exclude_characters="\n\r", exclude_categories=["Cs"]), min_size=1), st.data())
def test_columns_of_characters_select_what_stands_there(line: str, data: st.DataObject) -> None:
    first = data.draw(st.integers(1, len(line)))
    last = data.draw(st.integers(first, len(line)))
    quote = line[first - 1 : last]
    assert selects(Anchor(1, 1, first, last), Text(line), quote) == (quote.strip() != "")
