"""A name or a number that a claim mentions."""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from fractions import Fraction


class Sort(Enum):
    """What a mention is."""

    NAME = "name"
    """Written as nothing but code is: `c_proj`, `tf.nn.relu`."""
    IDEA = "idea"
    """`LayerNorm`, `sha256`, `d_model` of `d_model = 512`: the name of a thing as often as the code's."""
    NUMBER = "number"


class Mention(NamedTuple):
    """A name or a number, and where the claim has it."""

    start: int
    """0-based, in characters of the claim."""
    text: str
    """As the claim writes it, without back quotes."""
    sort: Sort
    values: tuple[Fraction, ...] = ()
    """What a number may be in code, itself first: `10%` is 0.1, and 10."""
    places: int | None = None
    """Decimal places to which a number may have been rounded, below zero for `124M`; None where it is exact."""
