"""One value of a YAML text, with its place, out of the stream of events: nothing is constructed or expanded.

Source: YAML 1.1, https://yaml.org/spec/1.1/, as libyaml reads it.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from provenance.extract.data.json_value import repeated
from provenance.extract.data.pointer import pointer
from provenance.extract.data.values import Found, Holder, Missing, Unreadable, cut, described
from provenance.extract.data.yaml_node import MERGE, Making, Unread, events, is_plain, resolved

if TYPE_CHECKING:
    from collections.abc import Sequence

    import yaml

    from provenance.extract.data.values import Outcome

_DIRECTIVES = 100
"""`%TAG` lines: libyaml compares each with all that stand before it."""
_SHOWN = 60
"""Characters of a name that a note repeats."""
_JUMPS = 10
"""Aliases that are followed on the way to a value; each one costs another pass over the file."""


class _Alias(NamedTuple):
    """The pointer comes upon an alias."""

    name: str
    depth: int
    """How many parts of the pointer lead to it."""
    target: int | None
    """Number of the event at which the node begins that it stands for; None where there is none."""


def find(text: str, tokens: Sequence[str]) -> Outcome:
    """Follow a pointer through the first document of a YAML text.

    Args:
        text: the file.
        tokens: the pointer's parts.
    """
    import yaml

    try:
        return _followed(text, tokens)
    except Unread as error:
        return Unreadable(str(error))
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        line = "" if mark is None else f", line {text.count(chr(10), 0, mark.index) + 1}"
        return Unreadable(
            f"the file is not YAML: {error.problem or error.context or 'it cannot be read'}{line}"
        )
    except yaml.YAMLError:  # of the reader: a control character
        return Unreadable("the file is not YAML: it holds a character that YAML does not allow")


def _followed(text: str, tokens: Sequence[str]) -> Outcome:
    if text.count("%TAG") > _DIRECTIVES:
        return Unreadable(f"the file has more than {_DIRECTIVES} %TAG directives, and is not read")
    start, walked = 0, 0
    notes: list[str] = []
    for _ in range(_JUMPS):
        reading = _Reading(text, tokens, walked, start)
        found = reading.outcome()
        notes += reading.notes
        if not isinstance(found, _Alias):
            return replace(found, notes=(*notes, *found.notes))
        if found.target is None:
            return Unreadable(f"the file is not YAML: *{cut(found.name, _SHOWN)} stands for nothing")
        where = cut(pointer(tokens[: found.depth]), _SHOWN) or "the file"
        notes.append(f"{where} is an alias of &{cut(found.name, _SHOWN)}")
        start, walked = found.target, found.depth
    return Unreadable(f"the way to the value leads over more than {_JUMPS} aliases, and is not followed")


class _Holder(Holder):
    """A mapping or a list on the way, in the middle of being read."""

    __slots__ = ("at_key", "merges", "name")

    def __init__(self, token: str, *, is_object: bool) -> None:
        super().__init__(token, is_object=is_object)
        self.at_key = True
        self.name: str | None = None
        """The last key; None for one that is no scalar."""
        self.merges = False


class _Reading:
    """One pass over the events: from a node on along the pointer, and on to the document's end."""

    def __init__(self, text: str, tokens: Sequence[str], walked: int, start: int) -> None:
        self._text = text
        self._tokens = tokens
        self._walked = walked
        """Parts of the pointer that lead to the node at which it begins."""
        self._start = start
        """Number of the event at which that node begins, or any before the first."""
        self._holders: list[_Holder] = []
        self._skipped = 0
        """Lists and mappings that have begun since the pointer was left."""
        self._making: Making | None = None
        self._outcome: Found | Missing | _Alias | None = None
        self._anchors: dict[str, int] = {}
        self._repeated: set[int] = set()
        self.notes: list[str] = []

    def outcome(self) -> Found | Missing | _Alias:
        import yaml

        for number, event in events(self._text, self.notes if self._start == 0 else []):
            if isinstance(event, yaml.NodeEvent):
                if event.anchor is not None and not isinstance(event, yaml.AliasEvent):
                    self._anchors[event.anchor] = number
                if number >= self._start and not self._done:
                    self._node(event)
            elif number >= self._start and not self._done:
                self._end(event)
        self.notes += [repeated(self._tokens[: depth + 1]) for depth in sorted(self._repeated)]
        if self._outcome is None:
            message = "the file is empty"
            raise Unread(message)
        return self._outcome

    @property
    def _done(self) -> bool:
        """Whether the node at which this pass begins has ended."""
        return self._outcome is not None and not (self._holders or self._skipped or self._making)

    def _node(self, event: yaml.NodeEvent) -> None:
        import yaml

        opens = isinstance(event, yaml.CollectionStartEvent)
        if self._making is not None:
            self._making.node(event)
        elif self._skipped:
            self._skipped += opens
        elif self._is_on_the_way(event):
            self._reached(event)
        else:
            self._skipped = int(opens)

    def _is_on_the_way(self, event: yaml.NodeEvent) -> bool:
        """Whether the pointer leads to the next node of the innermost list or mapping."""
        import yaml

        if not self._holders:
            return True
        holder = self._holders[-1]
        if not holder.is_object:
            return holder.item()
        holder.at_key = not holder.at_key
        if not holder.at_key:  # it was
            holder.name = event.value if isinstance(event, yaml.ScalarEvent) else None
            holder.merges = holder.merges or (holder.name == MERGE and is_plain(event))
            return False
        wanted = holder.entry(holder.name)
        if wanted:
            depth = self._walked + len(self._holders) - 1
            self._repeated = {other for other in self._repeated if other < depth}
            if holder.hits > 1:
                self._repeated.add(depth)
        return wanted

    def _reached(self, event: yaml.NodeEvent) -> None:
        """Take up a node that the pointer leads to or through."""
        import yaml

        depth = self._walked + len(self._holders)
        match event:
            case yaml.AliasEvent():
                name = event.anchor or ""
                self._outcome = _Alias(name, depth, self._anchors.get(name))
            case yaml.ScalarEvent() if depth < len(self._tokens):
                self._outcome = Missing(depth, described(resolved(event)))
            case _ if depth < len(self._tokens):
                is_object = isinstance(event, yaml.MappingStartEvent)
                self._holders.append(_Holder(self._tokens[depth], is_object=is_object))
            case _:
                self._making = Making(self._text, event)
                self._make()

    def _end(self, event: yaml.CollectionEndEvent) -> None:
        if self._making is not None:
            self._making.end(event)
            self._make()
        elif self._skipped:
            self._skipped -= 1
        else:
            holder = self._holders.pop()
            depth = self._walked + len(self._holders)
            if not holder.hits:
                where = cut(pointer(self._tokens[:depth]), _SHOWN) or "the file"
                merges = f"{where} takes in other mappings by <<, which are not followed"
                self._outcome = holder.missing(depth, [merges] if holder.merges else [])

    def _make(self) -> None:
        """End the value where all of it was read."""
        if self._making is not None and self._making.found is not None:
            self._outcome, self._making = self._making.found, None
