"""Stored contents as people read them: decoded text, outlines and trees, each made once and not held for ever."""

from __future__ import annotations

from collections import OrderedDict
from typing import TYPE_CHECKING, Generic, TypeVar

from provenance.errors import StoreError
from provenance.extract.decode import NotText, decode
from provenance.extract.languages.table import PLAIN
from provenance.extract.outline import Outline

if TYPE_CHECKING:
    from provenance.extract.languages.table import Languages
    from provenance.extract.lines import Text
    from provenance.extract.syntax import NoSyntax, Syntax
    from provenance.store.store import Store

_TEXTS_HELD = 16 * 1024 * 1024
"""Characters of decoded files that are held at once."""

_OUTLINES_HELD = 64

_TREES_HELD = 2 * 1024 * 1024
"""Characters of the files whose syntax trees are held at once: a tree takes some twenty times as many bytes."""

_Key = tuple[str, str]
"""A blob, and how it is read."""
_Thing = TypeVar("_Thing")


class _Held(Generic[_Thing]):
    """What was read last, up to a size in all; the newest stays, however large it is."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._things: OrderedDict[_Key, tuple[_Thing, int]] = OrderedDict()
        self._size = 0

    def get(self, key: _Key) -> _Thing | None:
        """What is held; None where it is not."""
        found = self._things.get(key)
        return None if found is None else found[0]

    def put(self, key: _Key, thing: _Thing, size: int) -> None:
        """Hold a thing, and let go of the oldest ones."""
        self._things[key] = thing, size
        self._size += size
        while self._size > self._most and len(self._things) > 1:
            _, (_, freed) = self._things.popitem(last=False)
            self._size -= freed


class Reading:
    """Reads contents out of the store."""

    def __init__(self, store: Store, languages: Languages = PLAIN) -> None:
        self._store = store
        self.languages = languages
        """Which language a file is in."""
        self._texts: _Held[Text | NotText] = _Held(_TEXTS_HELD)
        self._trees: _Held[Syntax | NoSyntax] = _Held(_TREES_HELD)
        self._outlines: OrderedDict[_Key, Outline | None] = OrderedDict()
        self.new_outlines: dict[_Key, Outline] = {}
        """By blob and language: made here, and not in the store yet."""

    def text(self, blob: str, path: str) -> Text | NotText:
        """A content's text; the path tells how it may declare its encoding.

        Raises:
            StoreError: the store has no such content, or damaged bytes.
        """
        key = blob, path
        found = self._texts.get(key)
        if found is None:
            content = self._store.content(blob)
            if content is None:
                message = f"the evidence database has no bytes for blob {blob}; delete it and run prov fetch"
                raise StoreError(message)
            found = decode(content.data, path)
            self._texts.put(key, found, _size(found))
        return found

    def outline(self, blob: str, path: str) -> Outline | None:
        """A content's definitions and statements; None where its language is not known."""
        language = self.languages.of(path)
        if language is None:
            return None
        key = blob, language.name
        if key not in self._outlines:
            self._outlines[key] = self._read_outline(blob, path, language.name)
            if len(self._outlines) > _OUTLINES_HELD:
                self._outlines.popitem(last=False)
        return self._outlines[key]

    def syntax(self, blob: str, path: str) -> Syntax | None:
        """A content's syntax tree; None where its language is not known, or it cannot be parsed."""
        from provenance.extract.syntax import Syntax

        language, text = self.languages.of(path), self.text(blob, path)
        if language is None or isinstance(text, NotText):
            return None
        key = blob, language.name
        found = self._trees.get(key)
        if found is None:
            found = Syntax.of(text, language)
            self._trees.put(key, found, _size(text))
        return found if isinstance(found, Syntax) else None

    def complete(self, blob: str, path: str) -> None:
        """Make the outline of a content that has none in the store."""
        language = self.languages.of(path)
        if language is not None and self._store.outline(blob, language.name) is None:
            self.outline(blob, path)

    def _read_outline(self, blob: str, path: str, name: str) -> Outline | None:
        stored = self._store.outline(blob, name)
        if stored is not None:
            return Outline.from_json(stored)
        from provenance.extract.symbols import outline, outline_of

        text, language = self.text(blob, path), self.languages.of(path)
        if isinstance(text, NotText) or language is None:
            return None
        tree = self._trees.get((blob, name))
        made = outline(text, language) if tree is None else outline_of(tree)
        self.new_outlines[blob, name] = made
        return made


def _size(text: Text | NotText) -> int:
    return 0 if isinstance(text, NotText) else len(text.text)
