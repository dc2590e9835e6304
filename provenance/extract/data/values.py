"""What stands in a JSON, YAML or TOML file, and what comes of looking for it. Records alone."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple, TypeAlias, assert_never

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import date, time

_NAMES_KEPT = 500
"""Names of an object that are kept for a suggestion."""


class Numeral(NamedTuple):
    """A number as the file writes it: nothing is rounded, and no exponent is carried out."""

    written: str


class Moment(NamedTuple):
    """A date or a time of TOML."""

    value: date | time
    """A `datetime` where it is both."""


class Opaque(NamedTuple):
    """A part of a collection that is not read, and so equals nothing."""

    why: str
    """Such as `an alias`."""


Value: TypeAlias = "str | bool | Numeral | Moment | Opaque | list[Value] | dict[str, Value] | None"


@dataclass(frozen=True, slots=True)
class Found:
    """What a pointer leads to."""

    value: Value
    written: str
    """As the file writes it; empty where that is not known (TOML)."""
    span: tuple[int, int] | None = None
    """Where it stands in the text, in characters, the end exclusive; None where that is not known (TOML)."""
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Missing:
    """A pointer that leads to nothing."""

    depth: int
    """How many of its parts were found."""
    holder: str
    """What the last of them is, such as `a number`."""
    names: tuple[str, ...] = ()
    """What an object has instead, the first of them."""
    is_object: bool = False
    """Whether the last of them could have had such a name."""
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Unreadable:
    """A file or a pointer that cannot be read."""

    why: str
    """One sentence for a person, with the line where that is known."""


Outcome = Found | Missing | Unreadable


class Holder:
    """An object or an array on the way of a pointer, as far as it has been read."""

    __slots__ = ("count", "hits", "is_object", "names", "token")

    def __init__(self, token: str, *, is_object: bool) -> None:
        self.token = token
        """The part of the pointer that is looked for in it."""
        self.is_object = is_object
        self.count = 0
        """Entries or items so far."""
        self.hits = 0
        """How many of them the part means: a name can stand twice."""
        self.names: list[str] = []

    def item(self) -> bool:
        """Count one more item of an array; whether it is the one."""
        index = self.count
        self.count += 1
        # RFC 6901, section 4: digits without leading zeros, or `-` for the item after the last.
        return self._hit(str(index) == self.token)

    def entry(self, name: str | None) -> bool:
        """Count one more entry of an object; whether it is the one. None for a name that is no text."""
        self.count += 1
        if name is not None and len(self.names) < _NAMES_KEPT:
            self.names.append(name)
        return self._hit(name == self.token)

    def _hit(self, wanted: bool) -> bool:
        self.hits += wanted
        return wanted

    def missing(self, depth: int, notes: Iterable[str] = ()) -> Missing:
        """What is to be said where the part is not in it.

        Args:
            depth: how many parts of the pointer lead to it.
            notes: what a reader should know beside.
        """
        holder = counted("object" if self.is_object else "array", self.count)
        return Missing(depth, holder, tuple(self.names), is_object=self.is_object, notes=tuple(notes))


def counted(kind: str, count: int) -> str:
    """`an array of 3 items`, `an object of 1 entry`."""
    one, several = ("entry", "entries") if kind == "object" else ("item", "items")
    return f"an {kind} of {count} {one if count == 1 else several}"


def described(value: Value) -> str:
    """What a value is, in a few words."""
    match value:
        case None | bool():
            words = "null" if value is None else str(value).lower()
        case Numeral():
            words = "a number"
        case Moment():
            words = value.value.isoformat()
        case str():
            words = "a string"
        case list():
            words = counted("array", len(value))
        case dict():
            words = counted("object", len(value))
        case Opaque():
            words = value.why
        case _:
            assert_never(value)
    return words


def cut(text: str, most: int) -> str:
    """The beginning of a text, as a message may repeat it: on one line, every character visible.

    Args:
        text: a name, a pointer or a value.
        most: characters that are kept.
    """
    text = text if len(text) <= most else text[: most - 1] + "…"
    if text.isprintable():
        return text
    # Half a surrogate pair is not printable: no file and no database would take it.
    return "".join(letter if letter.isprintable() else repr(letter)[1:-1] for letter in text)
