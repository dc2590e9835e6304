"""What any table, list or text of a manifest has to be; an error is added where it is something else."""

from __future__ import annotations

from difflib import get_close_matches
from itertools import islice
from typing import TYPE_CHECKING, assert_never

from provenance.manifest.fields import Listing, Text
from provenance.manifest.nodes import Broken, Errors, Mapping, Node, Scalar, Sequence, shown

if TYPE_CHECKING:
    from collections.abc import Iterable

    from provenance.manifest.fields import Table

_NEAR = 64
"""Characters of the longest word for which a near miss is sought."""
_KNOWN = 1000
"""Words among which it is sought."""

MERGE = "merge keys are refused: write the keys out"

Found = dict[str, Node]
"""The values of a table, by key."""


class Checks:
    """Reads nodes as what they should be.

    A method whose node is wrong adds an error, and returns what keeps the walk going.
    """

    def __init__(self, errors: Errors) -> None:
        self._errors = errors

    def _table(self, node: Node, table: Table) -> Found | None:
        """The values of a table by key; None where the node is no mapping."""
        if type(node) is not Mapping:
            self._not(node, str(table))
            return None
        found: Found = {}
        keys: dict[str, Scalar] = {}
        for key, value in node.pairs:
            word = key.value
            if word in keys:
                self._errors.at(key, f"the key {shown(word)} stands here again, after line {keys[word].line}")
                continue
            keys[word] = key
            field = table.fields.get(word)
            if field is None:
                self._unknown(key, table)
            else:
                found[word] = value
        self._exclude(keys, found, table)
        for word, field in table.fields.items():
            if word not in found:
                if field.required and field.unless not in found:
                    self._errors.at(node, f"{table.name} needs the key {word}: {field.description}")
            elif field.only_with is not None:
                self._belongs(keys[word], found, table, field.only_with)
        return found

    def _exclude(self, keys: dict[str, Scalar], found: Found, table: Table) -> None:
        """Refuse keys that may not stand together."""
        there = [word for word in keys if word in table.one_of]
        for word in there[1:]:
            first = keys[there[0]]
            self._errors.at(
                keys[word],
                f"{word} cannot stand beside {there[0]} on line {first.line}: {table.name} has one of them",
            )
            found.pop(word, None)

    def _belongs(self, key: Scalar, found: Found, table: Table, only_with: tuple[str, str]) -> None:
        other, wanted = only_with
        node = found.get(other)
        if type(node) is Scalar and node.value != wanted and node.value in table.text(other).words:
            self._errors.at(key, f"{key.value} goes with {other}: {wanted} alone")

    def _unknown(self, key: Scalar, table: Table) -> None:
        if key.value == "<<":
            self._errors.at(key, MERGE)
            return
        hint = self._hint(key.value, table.fields)
        self._errors.at(key, f"unknown key {shown(key.value)}; expected {table}{hint}")

    def _text(self, found: Found, table: Table, key: str) -> str | None:
        """A checked scalar; None where the key is missing or its value is wrong."""
        node = found.get(key)
        if node is None:
            return None
        kind = table.text(key)
        if type(node) is Scalar and kind.pattern.fullmatch(node.value) is not None:
            return node.value
        hint = self._hint(node.value, kind.words) if type(node) is Scalar else ""
        self._not(node, f"{key}: {kind.expected}{hint}")
        return None

    def _texts(self, found: Found, table: Table, key: str) -> tuple[str, ...]:
        """A list of checked scalars, without those that are wrong."""
        listing = table.fields[key].kind
        if not isinstance(listing, Listing) or not isinstance(listing.of, Text):
            raise TypeError(key)
        texts: list[str] = []
        for node in self._items(found, key):
            if type(node) is Scalar and listing.of.pattern.fullmatch(node.value) is not None:
                texts.append(node.value)
            else:
                self._not(node, f"{key}: {listing.of.expected}")
        return tuple(texts)

    def _items(self, found: Found, key: str) -> list[Node]:
        node = found.get(key)
        if type(node) is Sequence:
            return node.items
        if node is not None:
            self._not(node, f"{key}: a list")
        return []

    def _not(self, node: Node, expected: str) -> None:
        match node:
            case Scalar(value):
                what = shown(value) if value else "nothing"
            case Sequence():
                what = "a list"
            case Mapping():
                what = "a mapping"
            case Broken():
                return
            case _:
                assert_never(node)
        self._errors.at(node, f"found {what}; expected {expected}")

    def _hint(self, word: str, known: Iterable[str]) -> str:
        """The question whether a near miss was meant, or nothing."""
        if self._errors.full or len(word) > _NEAR:
            return ""
        near = get_close_matches(word, islice(known, _KNOWN), 1)
        return f"; did you mean {near[0]}?" if near else ""
