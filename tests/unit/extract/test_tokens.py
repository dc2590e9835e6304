"""Tokens, and when two strings are the same."""

from __future__ import annotations

import ast
import io
import tokenize

import pytest
from hypothesis import given
from hypothesis import strategies as st

from provenance.extract.languages import PYTHON
from provenance.extract.tokens import string_key


def key(text: str) -> bytes:
    return string_key(text.encode(), PYTHON.quoting)


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("'a'", '"a"'),
        ("'a'", '"""a"""'),
        ("'''a'''", '"a"'),
        ("''", '""'),
        ("''", '""""""'),
        ("'it\\'s'", '"it\'s"'),
        ("'it\\'s'", "'''it's'''"),
        ("'\\\"'", "'\"'"),
        ("'\\\\'", '"\\\\"'),
        ("b'a'", 'B"a"'),
        ("rb'a'", 'bR"a"'),
        ("f'{x[\"a\"]} b'", "f\"{x['a']} b\""),
        ('f\'{{"}} {x["a"]}\'', "f'''{{\"}} {x['a']}'''"),
        ("'é'", '"é"'),
    ],
)
def test_the_same_string(left: str, right: str) -> None:
    assert key(left) == key(right)
    assert key(left).startswith(b'"')


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("'a'", "'b'"),
        ("'a'", "b'a'"),
        ("'a'", "u'a'"),
        ("r'\\''", '"\'"'),
        ("r'\\d'", "'\\d'"),
        ("'\\\\'", "'\\\\\\\\'"),
        ("'\\\\''", "'\\''"),
        ("'it\"s'", '"it\'s"'),
        ("f'{x} \"'", 'f"{x} \'"'),
        ("f'{{\"a\"}}'", "f\"{{'a'}}\""),
        ("'a'", "a"),
        ("'a ' ", "'a'"),
    ],
)
def test_another_string(left: str, right: str) -> None:
    assert key(left) != key(right)


@pytest.mark.parametrize("text", ["", "a", "'", "'a", "rb", "x'", '"""', '"""a"', "''''"])
def test_what_is_no_literal_is_its_own_key(text: str) -> None:
    assert key(text) in {text.encode(), b'""' + text.encode()[1:-1]}
    assert string_key(text.encode(), None) == text.encode()


def strings_in(code: str) -> int:
    found = tokenize.generate_tokens(io.StringIO(code).readline)
    return sum(token.type == tokenize.STRING for token in found)


def value(literal: str) -> object:
    """What Python takes it for; None where it is not one literal."""
    try:
        found = [token.type for token in tokenize.generate_tokens(io.StringIO(literal).readline)]
        return ast.literal_eval(literal) if found.count(tokenize.STRING) == 1 else None
    except (SyntaxError, ValueError, tokenize.TokenError):
        return None


MARKS = st.sampled_from(["'", '"', "'''", '"""'])


@given(st.text("ab'\"\\n \n{}", max_size=12), st.sampled_from(["", "b", "r", "Rb"]), MARKS, MARKS)
def test_equal_keys_mean_equal_values(body: str, prefix: str, first: str, second: str) -> None:
    left, right = f"{prefix}{first}{body}{first}", f"{prefix}{second}{body}{second}"
    if value(left) is not None and value(right) is not None and key(left) == key(right):
        assert value(left) == value(right)
