"""Contents as they are compared, held for a while: bytes are read once, and two versions are aligned once."""

from __future__ import annotations

from collections import OrderedDict
from typing import TYPE_CHECKING, Protocol

from provenance.compare.relocating.body import Body
from provenance.compare.relocating.carrying import Change
from provenance.compare.relocating.definitions import Definitions
from provenance.extract.decode import NotText, decode
from provenance.extract.languages import language_of

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from provenance.answers import Unreached
    from provenance.extract.lines import Text

_MOST_LINES = 400_000
"""Of all bodies that are held."""
_MOST_CHANGES = 256
_MOST_OUTLINES = 64


class Contents(Protocol):
    """Who has contents."""

    def have(self, blobs: Collection[str], /) -> Mapping[str, Unreached]:
        """Make sure that contents are here; why, for each that could not be had."""

    def read(self, blob: str) -> bytes | None:
        """The bytes of one; None where it is not here."""


class Bodies:
    """The contents of one repository. A path tells how bytes are decoded, and in what language they are."""

    def __init__(self, contents: Contents) -> None:
        self._contents = contents
        self._bodies: OrderedDict[tuple[str, str], Body | str] = OrderedDict()
        self._changes: OrderedDict[tuple[str, str], Change] = OrderedDict()
        self._definitions: OrderedDict[tuple[str, str], Definitions] = OrderedDict()
        self._lines = 0

    def have(self, blobs: Collection[str]) -> None:
        """Bring contents here together that will be looked at one by one."""
        self._contents.have(blobs)

    def body(self, blob: str, path: str) -> Body | None:
        """A content as it is compared; None where it is no text, or not here."""
        found = self._load(blob, path)
        return found if isinstance(found, Body) else None

    def why_not(self, blob: str, path: str) -> str:
        """Why a content cannot be compared; empty where it can."""
        found = self._load(blob, path)
        return found if isinstance(found, str) else ""

    def change(self, old: tuple[str, str], new: tuple[str, str]) -> Change | None:
        """Two contents, each with its path, aligned; None where one of them is no text, or not here."""
        key = (old[0], new[0])
        held = self._changes.get(key)
        if held is not None:
            self._changes.move_to_end(key)
            return held
        ours, theirs = self.body(*old), self.body(*new)
        if ours is None or theirs is None:
            return None
        change = self._changes[key] = Change(ours, theirs)
        if len(self._changes) > _MOST_CHANGES:
            self._changes.popitem(last=False)
        return change

    def definitions(self, blob: str, path: str) -> Definitions | None:
        """The definitions of a content; None where it is no text, or not here."""
        key = (blob, path)
        if key in self._definitions:
            self._definitions.move_to_end(key)
            return self._definitions[key]
        body = self.body(blob, path)
        if body is None:
            return None
        found = self._definitions[key] = _definitions(body, path)
        if len(self._definitions) > _MOST_OUTLINES:
            self._definitions.popitem(last=False)
        return found

    def _load(self, blob: str, path: str) -> Body | str:
        suffix = path.rpartition("/")[2].rpartition(".")[2]
        key = (blob, suffix)
        held = self._bodies.get(key)
        if held is not None:
            self._bodies.move_to_end(key)
            return held
        found = self._bodies[key] = self._read(blob, path)
        self._lines += _size(found)
        while self._lines > _MOST_LINES and len(self._bodies) > 1:
            _, dropped = self._bodies.popitem(last=False)
            self._lines -= _size(dropped)
        return found

    def _read(self, blob: str, path: str) -> Body | str:
        data = self._contents.read(blob)
        if data is None:
            lacking = self._contents.have([blob])
            data = self._contents.read(blob)
            if data is None:
                why = lacking.get(blob)
                return why.message if why is not None else f"{path} is larger than prov reads of one file"
        text: Text | NotText = decode(data, path)
        return f"{path} is no text: {text.reason}" if isinstance(text, NotText) else Body(text.lines)


def _size(found: Body | str) -> int:
    return len(found) if isinstance(found, Body) else 1


def _definitions(body: Body, path: str) -> Definitions:
    language = language_of(path)
    if language is None:
        return Definitions(body.lines, None)
    from provenance.extract.lines import Text
    from provenance.extract.symbols import outline

    return Definitions(body.lines, outline(Text("\n".join(body.lines)), language))
