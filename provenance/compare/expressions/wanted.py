"""What an expression asks for: its tokens in their order, with omission marks between them.

The grammar of the file's language cuts it. What may be code or an omission mark, such as `...`, makes two readings.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import TYPE_CHECKING

from provenance.compare.expressions.marking import Cut, Named, Role, fault_of, roles_of
from provenance.extract.code import BREAK, CLOSES, COMMA, NO_EDGE, OPENS, Steps
from provenance.extract.leaves import TreeLeaves, is_blank
from provenance.extract.plain import Plain
from provenance.extract.syntax import Syntax

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from provenance.extract.code import Edge
    from provenance.extract.languages import Language

_LONGEST = 8_192
"""Bytes of an expression that is cut into tokens."""
_MOST_TOKENS = 2_000
"""Of an expression that is looked for token by token."""
_REMEMBERED = 2_000
"""Characters of an expression whose tokens are kept for the next citation that shows it."""
_LEAD = 4
"""Tokens by which the places are found where an expression may begin."""
_BREAKS = b";"
"""What may stand behind the last token, beside white space."""
_BODIES = frozenset({b":", b"{"})
"""Tokens right behind which a body begins."""
_LOST = b"\0"
"""Begins the key of text that the grammar makes nothing of: no token is like it."""
_SURE_MARKS = frozenset({Role.MARK})
_MARKS = frozenset({Role.MARK, Role.CODE_OR_MARK, Role.LAYOUT_OR_MARK})
_LAYOUT = frozenset({Role.LAYOUT})
_UNSURE = frozenset({Role.CODE_OR_MARK, Role.LAYOUT_OR_MARK})
_LIKELY_LAYOUT = frozenset({Role.LAYOUT, Role.LAYOUT_OR_MARK})


@dataclass(frozen=True, slots=True)
class Pattern:
    """One reading of an expression. All its sequences go by the same index."""

    keys: tuple[bytes | None, ...]
    """Tokens, by what they have in common with others that mean the same; None for an omission mark."""
    nested: tuple[bool, ...] = ()
    """Whether each stands in brackets; empty where there are no marks."""
    edges: tuple[Edge, ...] = ()
    """What ends right before each; empty where that does not matter."""
    idle: tuple[Edge, ...] = ()
    """What ends right before each where a mark before it stands for nothing; likewise."""
    marked: bool = False
    """Whether it has omission marks. One at the very beginning is not among the keys."""
    led: bool = False
    """Whether there is one at the very beginning."""
    single: bool = False
    """Whether it is known to be one statement, or a piece of one."""
    inner: bool = False
    """Whether it may only stand where no statement begins: as a piece of one in brackets, over several lines."""

    @property
    def bounded(self) -> bool:
        """Whether the edges matter: there are several statements, and it is known where each ends."""
        return bool(self.edges)

    @property
    def begins(self) -> bytes:
        """The first token; empty where that is a string, which may be spelt in several ways."""
        return _spelt(self.keys[0])

    @property
    def prefix(self) -> int:
        """How many letters stand before the first token's quotation mark, where it is a string."""
        first = self.keys[0] or b""
        return max(0, first.find(b'"', 1) - 1)

    @property
    def follows(self) -> tuple[bytes, ...]:
        """The tokens right behind it, as far as only layout and comments can stand before them; not many."""
        behind = self.keys[1:_LEAD]
        stop = next((at for at, key in enumerate(behind) if not _spelt(key) or key in CLOSES), len(behind))
        return tuple(key for key in behind[:stop] if key is not None)


def _spelt(key: bytes | None) -> bytes:
    return b"" if key is None or key.startswith(b'"') else key


@dataclass(frozen=True, slots=True)
class Wanted:
    """What an expression asks for."""

    readings: tuple[Pattern, ...]
    """The one to try first first; none where there is no token to look for."""
    fault: str = ""
    """Where the expression does not parse: `column 9`; empty where it does, or where its marks may be why."""
    is_long: bool = False
    """Whether it is too long to be looked for token by token."""


def wanted(expression: str, language: Language | None) -> Wanted:
    """Read an expression.

    Args:
        expression: As the document shows it, with LF line ends and without white space at its ends.
        language: The file's; None where it is not known.
    """
    return (_remembered if len(expression) <= _REMEMBERED else _read)(expression, language)


def _read(expression: str, language: Language | None) -> Wanted:
    cut = _cut(expression, language)
    if cut is None:
        return Wanted((), is_long=True)
    roles = roles_of(cut)
    kinds = set(roles.values())
    if kinds <= _LAYOUT:
        readings = [_plainly(cut, roles)]
    elif kinds & _UNSURE:
        readings = [_pattern(cut, roles, free=False), _pattern(cut, roles, free=True)]
    else:
        readings = [_pattern(cut, roles, free=False)]
    found = [each for reading in readings if any(reading.keys) for each in _in_brackets(reading)]
    return Wanted(tuple(found), fault_of(cut))


_remembered = lru_cache(4096)(_read)


def _cut(expression: str, language: Language | None) -> Cut | None:
    """The expression's tokens; None where there are too many."""
    shown = expression.encode("utf-8", "replace")
    if len(shown) > _LONGEST:
        return None
    named = Named(shown)
    cut = Cut(named, None if language is None else language.quoting)
    steps = Steps(10 * _LONGEST)
    syntax = None if language is None else Syntax.of_bytes(named.data, language)
    if isinstance(syntax, Syntax):
        cut.syntax = syntax
        _cut_leaves(cut, syntax, steps)
    else:
        place = Plain(named.data).first(steps)
        while place.key and len(cut.keys) <= _MOST_TOKENS:
            cut.add(place.key, place.start, place.end)
            place.advance()
    return cut if len(cut.keys) <= _MOST_TOKENS else None


def _cut_leaves(cut: Cut, syntax: Syntax, steps: Steps) -> None:
    block = hollow = False
    telling = syntax.root.child_count != 1 or any(sign in syntax.data for sign in syntax.kinds.bodies)
    keys, starts, ends = cut.keys, cut.starts, cut.ends
    leaf = TreeLeaves.first(syntax, steps, telling=telling)
    before = NO_EDGE
    while leaf.key and len(keys) <= _MOST_TOKENS:
        if telling:
            # What ends before a comment counts as ending before the next token, too.
            cut.edges.append(before.then(leaf.edge or NO_EDGE))
            before = cut.edges[-1] if leaf.is_comment else NO_EDGE
            block, hollow = leaf.in_block, leaf.hollow
        if leaf.is_comment:
            cut.comments.add(len(keys))
            leaf.is_comment = False
        keys.append(leaf.key)
        starts.append(leaf.start)
        ends.append(leaf.end)
        leaf.advance()
    end = ends[-1] if ends else 0
    rest = syntax.data[end:].translate(None, _BREAKS)
    if rest and len(keys) <= _MOST_TOKENS and not is_blank(rest):
        cut.add(_LOST + rest, end, len(syntax.data))
        if telling:
            cut.edges.append(NO_EDGE)
    cut.clean = not syntax.root.has_error and not hollow  # every edge is known, then
    cut.block = block
    if cut.named.name:
        cut.restore()


def _plainly(cut: Cut, layout: Collection[int]) -> Pattern:
    """The one reading of an expression without marks."""
    keys, edges = cut.keys, cut.edges
    if layout:
        keys = [key for index, key in enumerate(keys) if index not in layout]
        edges = [edge for index, edge in enumerate(edges) if index not in layout]
    told = tuple(edges) if _is_bounded(cut, edges) else ()
    return Pattern(tuple(keys), (), told, told, single=cut.clean and not told)


def _in_brackets(pattern: Pattern) -> list[Pattern]:
    """The pattern, and where its lines may be those of one statement in brackets, that one, too."""
    if not pattern.edges or any(edge.closes for edge in pattern.edges):
        return [pattern]
    return [pattern, replace(pattern, edges=(), idle=(), single=True, inner=True)]


def _is_bounded(cut: Cut, edges: Sequence[Edge]) -> bool:
    """Whether an expression has several statements, or a body, and it is known where they end."""
    return cut.clean and (cut.block or any(edge is not NO_EDGE and edge != NO_EDGE for edge in edges[1:]))


def _pattern(cut: Cut, roles: Mapping[int, Role], *, free: bool) -> Pattern:
    """One reading.

    Args:
        cut: The expression.
        roles: What those of its tokens may mean that are not code for sure.
        free: Whether what may be a mark is one.
    """
    marks, layout = (_MARKS, _LAYOUT) if free else (_SURE_MARKS, _LIKELY_LAYOUT)
    made = _Making()
    for index, key in enumerate(cut.keys):
        role = roles.get(index)
        edge = cut.edges[index] if cut.edges else NO_EDGE
        if role in marks:
            made.add_mark(edge, nested=cut.nested[index])
        elif role not in layout:
            # What ends before a comment counts as ending before the next token already.
            told = index > 0 and index - 1 in cut.comments
            made.add_token(key, edge, nested=cut.nested[index], told=told)
    bounded = _is_bounded(cut, made.edges)
    return Pattern(
        tuple(made.keys),
        tuple(made.nested),
        tuple(made.edges) if bounded else (),
        tuple(made.idle) if bounded else (),
        marked=made.marked,
        led=made.led,
        single=cut.clean and not bounded,
    )


@dataclass(slots=True)
class _Making:
    """A pattern while it is made."""

    keys: list[bytes | None] = field(default_factory=list)
    edges: list[Edge] = field(default_factory=list)
    idle: list[Edge] = field(default_factory=list)
    nested: list[bool] = field(default_factory=list)
    marked: bool = False
    led: bool = False

    def add_mark(self, edge: Edge, *, nested: bool) -> None:
        """A mark; one at the beginning stands for whatever is there, and `…, …` says no more than one of them."""
        self.marked = True
        self.led = self.led or not self.keys
        if len(self.keys) > 1 and self.keys[-1] == COMMA and self._is_item(len(self.keys) - 2):
            for row in (self.keys, self.edges, self.idle, self.nested):
                row.pop()
        if self.keys and not (self.keys[-1] is None and self._says_no_more(edge)):
            self._add(None, edge, edge, nested=nested)

    def _is_item(self, at: int) -> bool:
        """Whether a mark at an index stands for items of a list, and not for what is behind an `=`, say."""
        return self.keys[at] is None and (not at or self.keys[at - 1] == COMMA or self.keys[at - 1] in OPENS)

    def _says_no_more(self, edge: Edge) -> bool:
        """Whether a mark right behind another one, with an edge between, is in the same run of items or statements."""
        if edge == NO_EDGE:
            return True
        is_statement = len(self.keys) == 1 or self.edges[-1] != NO_EDGE or self.keys[-2] in _BODIES
        return edge == BREAK and is_statement and not self.nested[-1]

    def add_token(self, key: bytes, edge: Edge, *, nested: bool, told: bool) -> None:
        """A token; `told` says that `edge` is all that ends since the last token, marks or not."""
        if not self.keys and self.marked and key == COMMA:
            return
        idle = edge
        if self.keys and self.keys[-1] is None and not told:
            before = self.edges[-1]
            idle = NO_EDGE if before == NO_EDGE and edge == BREAK else before.then(edge)
        self._add(key, edge, idle, nested=nested)

    def _add(self, key: bytes | None, edge: Edge, idle: Edge, *, nested: bool) -> None:
        self.keys.append(key)
        self.edges.append(edge)
        self.idle.append(idle)
        self.nested.append(nested)
