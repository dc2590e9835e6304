from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from provenance.report.site.names import Names, name_of

ANY = st.text(st.characters(), max_size=200)


@given(ANY, ANY)
def test_a_name_is_safe_on_every_file_system_and_the_same_in_every_run(manifest: str, id_: str) -> None:
    name = name_of([manifest, id_], manifest, id_)
    assert re.fullmatch(r"(?:[a-z0-9]+-)*[0-9a-f]{12}", name)
    assert len(name) <= 120
    assert name == name_of([manifest, id_], manifest, id_)


@pytest.mark.parametrize(
    ("one", "other"),
    [("Case", "case"), ("a/b", "a-b"), ("語", "字"), ("", " "), ("a" * 100, "a" * 101), ("\ud800", "\ud801")],
)
def test_what_differs_has_another_name(one: str, other: str) -> None:
    assert name_of([one], "m", one) != name_of([other], "m", other)


def test_manifest_and_id_are_kept_apart() -> None:
    assert name_of(["a"], "m", "a") != name_of(["a"], "m\0a", "")[:-1]
    assert name_of([], "ab", "c") != name_of([], "a", "bc")


def test_a_person_knows_the_name() -> None:
    assert name_of(["gpt-2-mlp", "Openai 123–130"], "x").startswith("gpt-2-mlp-openai-123-130-")


def test_a_name_is_given_once() -> None:
    names = Names()
    assert [names.take("a"), names.take("a"), names.take("a-2"), names.take("b")] == [
        "a",
        "a-2",
        "a-2-2",
        "b",
    ]
