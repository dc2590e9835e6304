"""Stored contents as people read them: decoded text and outlines, each made once and not held for ever."""

from __future__ import annotations

from collections import OrderedDict
from typing import TYPE_CHECKING

from provenance.errors import StoreError
from provenance.extract.decode import NotText, decode
from provenance.extract.languages import language_of
from provenance.extract.outline import Outline

if TYPE_CHECKING:
    from provenance.extract.lines import Text
    from provenance.store.store import Store

_TEXTS_HELD = 16 * 1024 * 1024
"""Characters of decoded files that are held at once."""

_OUTLINES_HELD = 64


class Reading:
    """Reads contents out of the store."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._texts: OrderedDict[tuple[str, str], Text | NotText] = OrderedDict()
        self._held = 0
        self._outlines: OrderedDict[tuple[str, str], Outline | None] = OrderedDict()
        self.new_outlines: dict[tuple[str, str], Outline] = {}
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
            self._hold(key, found)
        return found

    def outline(self, blob: str, path: str) -> Outline | None:
        """A content's definitions and statements; None where its language is not known."""
        language = language_of(path)
        if language is None:
            return None
        key = blob, language.name
        if key not in self._outlines:
            self._outlines[key] = self._read_outline(blob, path, language.name)
            if len(self._outlines) > _OUTLINES_HELD:
                self._outlines.popitem(last=False)
        return self._outlines[key]

    def complete(self, blob: str, path: str) -> None:
        """Make the outline of a content that has none in the store."""
        language = language_of(path)
        if language is not None and self._store.outline(blob, language.name) is None:
            self.outline(blob, path)

    def _read_outline(self, blob: str, path: str, name: str) -> Outline | None:
        stored = self._store.outline(blob, name)
        if stored is not None:
            return Outline.from_json(stored)
        from provenance.extract.symbols import outline

        text, language = self.text(blob, path), language_of(path)
        if isinstance(text, NotText) or language is None:
            return None
        made = outline(text, language)
        self.new_outlines[blob, name] = made
        return made

    def _hold(self, key: tuple[str, str], text: Text | NotText) -> None:
        self._texts[key] = text
        self._held += _size(text)
        while self._held > _TEXTS_HELD and len(self._texts) > 1:
            _, gone = self._texts.popitem(last=False)
            self._held -= _size(gone)


def _size(text: Text | NotText) -> int:
    return 0 if isinstance(text, NotText) else len(text.text)
