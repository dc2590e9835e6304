"""Characters that Markdown changes, and a document's lines must not: a lone CR and NUL.

CommonMark takes a lone CR for a line end and NUL for U+FFFD. A lone CR ends no line here
(`provenance.extract.lines`), and what is read must stand in the document as it is.
"""

from __future__ import annotations

_SPARE = "\x01\x02\x03\x04\x05\x06\x07\x08"
"""Control characters, as they are, that text rarely holds and Markdown has no meaning for."""


class Controls:
    """Puts other control characters in the place of these, and back."""

    def __init__(self, text: str) -> None:
        spare = (character for character in _SPARE if character not in text)
        # Where a text holds all the spare ones, a space is read, which is what a CR is to Markdown within a line.
        stand_ins = {each: next(spare, " ") for each in "\r\0" if each in text}
        self._away = str.maketrans(stand_ins)
        self._back = str.maketrans({new: old for old, new in stand_ins.items() if new != " "})

    def away(self, text: str) -> str:
        """The text as Markdown may read it."""
        return text.translate(self._away) if self._away else text

    def back(self, text: str) -> str:
        """What was read, as the document has it."""
        return text.translate(self._back) if self._back else text
