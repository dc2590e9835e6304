"""Laying a pattern of tokens on a file's leaves: where it fits, what its marks stand for, what it leaves out.

From one place at which the pattern may begin, its tokens are followed one by one. A mark stands for a node or for a run
of siblings, the shortest first; the ways from there are tried one after another, none of them twice.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from provenance.extract.code import BREAK, CLOSES, COMMA, NO_EDGE, OPENS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from provenance.compare.expressions.wanted import Pattern
    from provenance.extract.code import Code, Edge, Leaves, Span, Steps

_WHOLE = 8
"""Steps that it costs to ask whether a stretch is a piece of code in itself, beside those to its place."""

_OPERATOR = re.compile(rb"[-!%&*+./:<=>?@^|~]{2,4}")


@dataclass(frozen=True, slots=True)
class Fit:
    """A stretch of a file that is what an expression shows."""

    start: int
    """Offset of its first byte."""
    end: int
    """One past its last byte."""
    marked: tuple[Span, ...] = ()
    """What marks stand for."""
    left: tuple[Span, ...] = ()
    """Arguments left out without a mark."""
    idle: tuple[bool, ...] = ()
    """For each mark that stands for nothing, whether it is in brackets, so that it would stand for arguments."""
    is_marked: bool = False
    """Whether the expression has omission marks at all."""


class _Trail(NamedTuple):
    """What was met on the way, the latest first."""

    marked: Span | None
    left: tuple[Span, ...]
    idle: bool | None
    before: _Trail | None


class _State(NamedTuple):
    """How far a pattern has been laid."""

    at: int
    """Index of the next of its keys."""
    leaves: Leaves
    """The place of the next leaf."""
    end: int
    """Where the last leaf ends that was laid upon."""
    trail: _Trail | None
    edge: Edge | None
    """What has to end before the next leaf; None where nothing is asked."""
    run: bool = False
    """Whether a mark stands for what is right before, so that a statement may end here in any case."""
    lacks: bool = False
    """Whether arguments were left out without a mark."""


_Key = tuple[int, int, "Edge | None", bool, bool]
"""What tells two states apart: `at`, where the next leaf begins, `edge`, `run` and `lacks`."""


class Fitting:
    """Lays one pattern at one place after another."""

    def __init__(self, pattern: Pattern, code: Code, steps: Steps) -> None:
        self._pattern = pattern
        self._keys = pattern.keys
        self._code = code
        self._steps = steps
        self._seen: set[_Key] = set()
        """The states that were met at this place."""

    def at(self, offset: int) -> Fit | None:
        """The pattern from the leaf that begins at an offset; None where it does not fit, or steps have run out.

        Arguments at the end of a list may be left out without a mark, where there is no other way.
        """
        before = self._steps.left
        if before <= 0 or (self._pattern.inner and self._code.begins_statement(offset, self._steps)):
            return None
        leaves = self._code.leaves(offset, self._steps, bounded=self._pattern.bounded)
        if leaves is None:
            return None
        cost = before - self._steps.left + _WHOLE
        lacking: Fit | None = None
        self._seen = set()
        pending: list[Iterator[_State]] = [iter((_State(0, leaves, offset, None, None),))]
        while pending and self._steps.left > 0:
            state = next(pending[-1], None)
            if state is None:
                pending.pop()
                continue
            state = self._follow(state)
            if state is None or (state.lacks and lacking is not None):
                continue
            if state.at < len(self._keys):
                pending.append(self._ways(state))
                continue
            self._steps.left -= cost
            if state.end > offset and self._is_whole(offset, state.end):
                fit = _fit(offset, state, is_marked=self._pattern.marked)
                if not state.lacks:
                    return fit
                lacking = fit
        return lacking

    def _is_whole(self, start: int, end: int) -> bool:
        pattern = self._pattern
        return self._code.whole(start, end, single=pattern.single, led=pattern.led)

    def _follow(self, state: _State) -> _State | None:
        """Lay tokens up to the next mark, or up to the end; None where one does not fit, or did not before."""
        at, leaves, end, trail, edge, run, lacks = state
        keys, last, bounded = self._keys, len(self._keys), self._pattern.bounded
        if at < last and not self._is_new((at, leaves.start, edge, run, lacks)):
            return None
        while at < last:
            key = keys[at]
            if key is None or (key == COMMA and at + 1 < last and keys[at + 1] is None):
                break
            if leaves.key != key:
                more = self._joined(at, leaves.key)
                closed = self._close(at, leaves) if key in CLOSES else None
                if more:
                    at += more
                elif closed is None:
                    return None
                else:
                    leaves, left = closed
                    trail, lacks = (_Trail(None, left, None, trail), True) if left else (trail, lacks)
            elif bounded and at and not _agrees(leaves.edge, edge, run=run):
                return None
            end = leaves.end
            at += 1
            if at < last:
                leaves.advance()
            edge, run = self._pattern.edges[at] if bounded and at < last else None, False
        if state.at < at < last and not self._is_new((at, leaves.start, edge, run, lacks)):
            return None
        return _State(at, leaves, end, trail, edge, run, lacks)

    def _is_new(self, state: _Key) -> bool:
        """Whether a state was not met before at this place; from now on it was."""
        if state in self._seen:
            return False
        self._seen.add(state)
        return True

    def _joined(self, at: int, found: bytes) -> int:
        """How many tokens more it takes to make up a leaf.

        What can be no operator where an expression stands alone is cut into smaller ones: `**` before arguments.
        """
        made, more = self._keys[at] or b"", 0
        if not _OPERATOR.fullmatch(found):
            return 0
        while len(made) < len(found) and at + more + 1 < len(self._keys):
            more += 1
            made += self._keys[at + more] or found
        return more if made == found else 0

    def _close(self, at: int, leaves: Leaves) -> tuple[Leaves, tuple[Span, ...]] | None:
        """The closing bracket that is wanted, behind a comma that means nothing or behind what is left out."""
        key, before = self._keys[at], self._keys[at - 1] if at else None
        if leaves.key == COMMA:
            behind = leaves.fork()
            behind.advance()
            if behind.key == key and leaves.spare():
                return behind, ()
        if before is None and not self._is_value(at - 1):
            return None
        rest = leaves.rest(opened=before in OPENS)
        if rest is None or rest[1].key != key:
            return None
        return rest[1], tuple(rest[0])

    def _is_value(self, at: int) -> bool:
        """Whether a mark stands for a value, as in `size=…`: then arguments may be left out behind it."""
        return at > 0 and self._keys[at - 1] not in {None, COMMA, *OPENS}

    def _ways(self, state: _State) -> Iterator[_State]:
        """The ways to go on from a mark, or from a comma before one."""
        at, leaves, end, trail, edge, _, lacks = state
        nested = self._pattern.nested
        if self._keys[at] == COMMA:
            if leaves.key == COMMA:
                behind = leaves.fork()
                behind.advance()
                yield _State(at + 1, behind, leaves.end, trail, NO_EDGE, lacks=lacks)
            idle = _Trail(None, (), nested[at + 1], trail)
            yield _State(at + 2, leaves.fork(), end, idle, None, lacks=lacks)
            return
        behind_mark = self._keys[at + 1] if at + 1 < len(self._keys) else None
        bounded = self._pattern.bounded and behind_mark is not None
        if leaves.key and (not self._pattern.bounded or _agrees(leaves.edge, edge, run=False)):
            wanted = self._pattern.edges[at + 1] if bounded else None
            for stop, place in leaves.past_runs(behind_mark):
                met = _Trail((leaves.start, stop), (), None, trail)
                yield _State(at + 1, place, stop, met, wanted, run=True, lacks=lacks)
        idle = _Trail(None, (), nested[at], trail)
        if behind_mark == COMMA and not (at and self._keys[at - 1] == COMMA):
            yield _State(at + 2, leaves.fork(), end, idle, None, lacks=lacks)
        else:
            wanted = self._pattern.idle[at + 1] if bounded else None
            yield _State(at + 1, leaves.fork(), end, idle, wanted, lacks=lacks)


def _agrees(found: Edge | None, asked: Edge | None, *, run: bool) -> bool:
    """Whether what ends before a leaf is what is asked for."""
    if found is None or asked is None or found == asked:
        return True
    return run and asked == NO_EDGE and found == BREAK


def _fit(start: int, state: _State, *, is_marked: bool) -> Fit:
    marked: list[Span] = []
    left: list[Span] = []
    idle: list[bool] = []
    trail = state.trail
    while trail is not None:
        if trail.marked is not None:
            marked.append(trail.marked)
        left += reversed(trail.left)
        if trail.idle is not None:
            idle.append(trail.idle)
        trail = trail.before
    return Fit(
        start, state.end, tuple(reversed(marked)), tuple(reversed(left)), tuple(reversed(idle)), is_marked
    )
