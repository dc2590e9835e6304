from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from support.elements import Short, check_elements, check_sheet, pasted, short

from provenance.documents.docstrings import read_docstrings
from provenance.documents.mentions import sheet
from provenance.links.forges import NO_HOSTS

PIECES = [
    *('"""', "'''", '"', "'", "# a\n", "# https://github.com/o/r/blob/main/a.py#L1\n", "def f():\n", "    "),
    *("class C:\n", "x = 1\n", "\\\n", "(", ")", ";", "\x0c", "\r", "\0", "\u2028", "f'{x}'"),
    *(">>> a\n", "\n\n    b\n", "r'", "::"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", []),
        ('"""a\n\n    b\n"""\n', [("prose", 1, 1, "a"), ("block", 3, 3, 3, "", "", "b")]),
        ("x = 1\n'a'\n", [("prose", 2, 2, "a")]),
        ("'''a''' # b\n", [("prose", 1, 1, " b"), ("prose", 1, 1, "a")]),
        ('def f():\n    r"""a \\n\n\n    ::\n\n      c\n    """\n    return "d"\n', [
            ("prose", 2, 2, "    a \\n"), ("prose", 4, 4, "    ::"), ("block", 6, 6, 6, "", "", "c"),
        ]),
        ('class C:\n    x: int = 1\n    """b"""\n\n    def f(self):\n        """c"""\n', [
            ("prose", 3, 3, "    b"), ("prose", 6, 6, "        c"),
        ]),
        ('"""a\n```py\nb\n```\n"""', [("prose", 1, 1, "a"), ("block", 2, 4, 3, "py", "", "b")]),
        ('def f():\n    """A.\n\n    >>> f()\n    1\n    """\n', [
            ("prose", 2, 2, "    A."), ("block", 4, 5, 4, "pycon", "", ">>> f()\n1"),
        ]),
        ("f('a')\nx = '''b'''\ny = 'c' 'd'\n", []),
        ("# a\n# b\n\n#: c\nx = 1  # d\n# e\n", [
            ("prose", 1, 2, " a\n b"), ("prose", 4, 4, ": c"), ("prose", 5, 5, " d"), ("prose", 6, 6, " e"),
        ]),
        ("#\n#\n", []),
        ("# a\nx = (\n# b\n  1)\n", [("prose", 1, 1, " a"), ("prose", 3, 3, " b")]),
        ("x = 'a # no\n# b\n'''c\n# d\n", [("prose", 2, 2, " b"), ("prose", 4, 4, " d")]),
        ("def f(:\n  '''a\n  # b", [("prose", 3, 3, " b")]),
        ("x = 1\n\x0c\n# a\u2028b\n'c'", [("prose", 3, 3, " a\u2028b"), ("prose", 4, 4, "c")]),
    ],
)  # fmt: skip
def test_python(text: str, expected: list[Short]) -> None:
    assert short(read_docstrings(text)) == expected


def test_each_text_is_a_section() -> None:
    text = '"""a\n\nb"""\n# c\ndef f():\n    "d"\n'
    assert [each.where.section for each in read_docstrings(text)] == [1, 1, 2, 3]


@given(st.text() | pasted(PIECES))
@example('"""a')
@example("if x:\n        1\n    # a\n  2")
def test_any_text_is_read(text: str) -> None:
    elements = list(read_docstrings(text))
    check_elements(elements, text)
    check_sheet(sheet(elements, NO_HOSTS), text)
