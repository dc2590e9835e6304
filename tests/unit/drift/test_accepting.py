from __future__ import annotations

import pytest

from provenance.drift.accepting import read_accepted
from provenance.errors import UsageError

HAVING = {"conv": ["m/a.yaml"], "relu": ["m/a.yaml", "m/b.yaml"], "odd#id": ["m/a.yaml"], "id": ["m/#b.yaml"]}


def having(name: str) -> list[str]:
    return HAVING.get(name, [])


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("conv", ("m/a.yaml", "conv")),
        ("m/a.yaml#conv", ("m/a.yaml", "conv")),
        ("./m/a.yaml#conv", ("m/a.yaml", "conv")),
        ("m/b.yaml#relu", ("m/b.yaml", "relu")),
        ("odd#id", ("m/a.yaml", "odd#id")),
        ("m/a.yaml#odd#id", ("m/a.yaml", "odd#id")),
        ("m/#b.yaml#id", ("m/#b.yaml", "id")),
    ],
)
def test_an_id_alone_or_with_its_manifest(text: str, meant: tuple[str, str]) -> None:
    assert read_accepted([text, text], having) == {meant}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("con", "no such citation"),
        ("", "no such citation"),
        ("m/b.yaml#conv", "no such citation"),
        ("relu", r"several citations:\n  m/a.yaml#relu\n  m/b.yaml#relu"),
    ],
)
def test_what_means_none_or_several_is_wrong_usage(text: str, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        read_accepted([text], having)
