"""What can be asked of a file's code, whether there is a grammar for its language or not."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import accumulate
from typing import TYPE_CHECKING, Protocol, Self

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

Span = tuple[int, int]
"""A stretch of a file: the offset of its first byte, and one past that of its last."""

COMMA = b","
CLOSES = {b")": b"(", b"]": b"[", b"}": b"{"}
"""Brackets that close, and what each closes."""
OPENS = frozenset(CLOSES.values())


def line_starts(data: bytes) -> list[int]:
    """The offset at which each line begins; lines end in LF."""
    return list(accumulate((len(line) + 1 for line in data.split(b"\n")[:-1]), initial=0))


class Steps:
    """How much may still be looked at: a bound on the work for one judgement, whatever file and expression are."""

    __slots__ = ("left",)

    def __init__(self, left: int) -> None:
        self.left = left
        """A step is a node visited, or what costs as much. Below 1 everything comes to its end."""


@dataclass(frozen=True, slots=True)
class Edge:
    """What ends between a token and the one before it."""

    closes: int = 0
    """Blocks."""
    breaks: bool = False
    """Whether a statement ends of a block that goes on."""

    def then(self, other: Edge) -> Edge:
        """Both, one after the other, with nothing between."""
        return Edge(self.closes + other.closes, other.breaks if other.closes else self.breaks or other.breaks)


NO_EDGE = Edge()
BREAK = Edge(breaks=True)


class Leaves(Protocol):
    """A place among the tokens of a file, which moves on."""

    start: int
    """Where the token begins, in bytes; the file's length behind the last one."""
    end: int
    """One past its last byte."""
    key: bytes
    """Its text, or what it has in common with others that mean the same; empty behind the last one."""
    edge: Edge | None
    """What ends right before it; None where that cannot be told."""

    def advance(self) -> None:
        """Go on to the next token."""

    def fork(self) -> Self:
        """The same place, to go on from elsewhere."""

    def spare(self) -> bool:
        """Whether the comma here would mean nothing before a closing bracket."""

    def past_runs(self, before: bytes | None) -> Iterator[tuple[int, Self]]:
        """Each run that begins here and may be left out: where it ends, and the place behind it; short ones first.

        Args:
            before: What is wanted right behind it, for those runs to be passed over behind which it cannot stand; None
                where nothing is.
        """

    def rest(self, *, opened: bool) -> tuple[list[Span], Self] | None:
        """The last items of a call's or a definition's list, and the place of its closing bracket.

        They begin here, with a comma or with the first of them; None where there is no such list.

        Args:
            opened: Whether an opening bracket stands right before.
        """


class Code(Protocol):
    """A file that can be asked where code stands in it."""

    @property
    def data(self) -> bytes:
        """The file in UTF-8."""

    @property
    def starts(self) -> Sequence[int]:
        """The offset at which each line begins; `starts[0]` is line 1."""

    @property
    def gap(self) -> str:
        """A regular expression for what may stand between two tokens and mean nothing, comments left aside."""

    def leaves(self, offset: int, steps: Steps, *, bounded: bool = False) -> Leaves | None:
        """The tokens from the one that begins at an offset; None where none does.

        Args:
            offset: In bytes.
            steps: What it may cost.
            bounded: Whether the leaves are to tell their edges.
        """

    def whole(self, start: int, end: int, *, single: bool = False, led: bool = False) -> bool:
        """Whether a stretch is a piece of code in itself: a node, or a run of items or statements.

        Args:
            start: The first byte's offset, at which a token begins.
            end: One past the last byte; comments and layout behind it do not matter.
            single: Whether it has to be within one statement.
            led: Whether an omission mark stands before it, for whatever it takes to make up a piece of code.
        """

    def begins_statement(self, offset: int, steps: Steps) -> bool:
        """Whether a statement begins at an offset; false where that cannot be told."""

    def inside(self, start: int, end: int) -> str:
        """What sort of text holds a stretch: `comment` or `string`; empty where it is none that is known."""
