from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.elements import Short, short

from provenance.documents.notebook import read_notebook
from provenance.documents.unreadable import Unreadable

if TYPE_CHECKING:
    from provenance.document import Element

PYTHON = {"language_info": {"name": "Python"}, "kernelspec": {"language": "r"}}


def read(notebook: object) -> list[Element]:
    elements = read_notebook(json.dumps(notebook))
    assert not isinstance(elements, Unreadable)
    return list(elements)


def cells(*cells: dict[str, object], metadata: object = PYTHON) -> list[tuple[int | None, Short]]:
    elements = read({"nbformat": 4, "metadata": metadata, "cells": cells})
    return list(zip((each.where.cell for each in elements), short(elements), strict=True))


def test_cells_are_documents_of_their_own() -> None:
    assert cells(
        {"cell_type": "markdown", "source": ["# a\n", "\n", "[b](c)"]},
        {"cell_type": "code", "source": "x\ny\n", "outputs": [{"text": "# no"}]},
        {"cell_type": "raw", "source": "d\r\ne"},
        {"cell_type": "code", "source": []},
        {"cell_type": "markdown", "source": "```r\nz\n```"},
    ) == [
        (1, ("prose", 1, 1, "a")),
        (1, ("prose", 3, 3, "\ufffc")),
        (1, ("link", 3, 3, "c", "c", 3, "b")),
        (2, ("block", 1, 2, 1, "python", "", "x\ny")),
        (3, ("prose", 1, 2, "d\ne")),
        (5, ("block", 1, 3, 2, "r", "", "z")),
    ]


def test_sections_orders_and_containers_go_on() -> None:
    elements = read(
        {
            "cells": [
                {"cell_type": "markdown", "source": "# a\n- b"},
                {"cell_type": "markdown", "source": "c\n# d\n- e"},
                {"cell_type": "code", "source": "f"},
            ]
        }
    )
    wheres = [each.where for each in elements]
    assert [where.order for where in wheres] == [0, 1, 2, 3, 4, 5]
    assert [where.section for where in wheres] == [1, 1, 1, 2, 2, 2]
    assert [where.nest for where in wheres] == [(), (1,), (), (), (2,), ()]


@pytest.mark.parametrize(
    ("metadata", "language"),
    [
        (PYTHON, "python"),
        ({"kernelspec": {"language": "R"}}, "r"),
        ({"language_info": {"name": 1}, "kernelspec": []}, ""),
        ({}, ""),
        (None, ""),
    ],
)
def test_the_language_of_code(metadata: object, language: str) -> None:
    ((_, block),) = cells({"cell_type": "code", "source": "x"}, metadata=metadata)
    assert block == ("block", 1, 1, 1, language, "", "x")


def test_the_third_format() -> None:
    notebook = {
        "worksheets": [
            {"cells": [{"cell_type": "heading", "level": 2, "source": ["a"]}]},
            {"cells": [{"cell_type": "code", "language": "Julia", "input": ["x\n", "y"]}, None]},
            {},
        ]
    }
    heading, block = read(notebook)
    assert (heading.where.cell, heading.where.heading, heading.where.section) == (1, True, 1)
    assert (block.where.cell, block.where.section) == (2, 1)
    assert short([block]) == [("block", 1, 2, 1, "julia", "", "x\ny")]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "it is no notebook: Expecting value: line 1 column 1 (char 0)"),
        ("[" * 100_000, "it is no notebook: maximum recursion depth exceeded"),
        ("[]", "it is no notebook: there are no cells in it"),
        ("{}", "it is no notebook: there are no cells in it"),
        ('{"cells": {}, "worksheets": 1}', "it is no notebook: there are no cells in it"),
    ],
)
def test_what_is_no_notebook(text: str, message: str) -> None:
    outcome = read_notebook(text)
    assert isinstance(outcome, Unreadable)
    assert outcome.message.startswith(message)


def test_half_a_character() -> None:
    assert cells({"cell_type": "markdown", "source": "a\ud83db"}) == [(1, ("prose", 1, 1, "a?b"))]


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(
            st.sampled_from(["cells", "worksheets", "source", "input", "cell_type", "x"]), inner
        )
    ),
)
CELLS = st.lists(
    st.fixed_dictionaries(
        {},
        optional={
            "cell_type": st.sampled_from(["code", "markdown", "raw", "heading"]) | JSON,
            "source": st.text() | st.lists(st.text()) | JSON,
            "input": st.text() | JSON,
            "language": JSON,
        },
    )
    | JSON,
    max_size=5,
)


@given(JSON | st.fixed_dictionaries({"cells": CELLS, "metadata": JSON}) | st.text())
def test_any_notebook_is_read(notebook: object) -> None:
    outcome = read_notebook(notebook if isinstance(notebook, str) else json.dumps(notebook))
    elements = [] if isinstance(outcome, Unreadable) else list(outcome)
    orders = [each.where.order for each in elements]
    assert orders == sorted(set(orders))
    assert all(each.where.cell for each in elements)
