"""Jupyter notebooks (nbformat 3 and 4) -> elements. Outputs are no part of the document."""

from __future__ import annotations

import json
import re
from itertools import takewhile
from typing import TYPE_CHECKING

from provenance.document import Block, Ignore, Prose, Where
from provenance.documents.ignoring import ignored
from provenance.documents.markdown.reading import read_markdown
from provenance.documents.numbering import Numbering
from provenance.documents.plain import read_plain
from provenance.documents.unreadable import Unreadable

if TYPE_CHECKING:
    from collections.abc import Iterator

    from provenance.document import Element

_Json = dict[str, object]
_COMMENT = re.compile(r"\s*(?:#|//|--|%|;)")
"""How a comment begins in the languages of notebooks."""


def read_notebook(text: str) -> Iterator[Element] | Unreadable:
    """Read a notebook. Lines count within a cell's source, cells from 1 whatever their kind."""
    try:
        notebook: object = json.loads(text)
    except (ValueError, RecursionError) as error:
        return Unreadable(f"it is no notebook: {str(error) or 'too deep'}")
    cells = _cells(notebook) if isinstance(notebook, dict) else None
    if not isinstance(notebook, dict) or cells is None:
        return Unreadable("it is no notebook: there are no cells in it")
    return _elements(cells, _language(notebook))


def _cells(notebook: _Json) -> list[object] | None:
    """All cells; in nbformat 3 they stand in work sheets."""
    cells = notebook.get("cells")
    if isinstance(cells, list):
        return cells
    sheets = notebook.get("worksheets")
    if not isinstance(sheets, list):
        return None
    within = (sheet.get("cells") for sheet in sheets if isinstance(sheet, dict))
    return [cell for some in within if isinstance(some, list) for cell in some]


def _language(notebook: _Json) -> str:
    """The language of a notebook's code; empty where it names none."""
    for part, key in (("language_info", "name"), ("kernelspec", "language")):
        named = _value(_value(notebook, "metadata"), part)
        language = _value(named, key)
        if isinstance(language, str) and language:
            return language.lower()
    return ""


def _value(of: object, key: str) -> object:
    return of.get(key) if isinstance(of, dict) else None


def _elements(cells: list[object], language: str) -> Iterator[Element]:
    numbering = Numbering()
    for number, cell in enumerate(cells, 1):
        numbering.cell = number
        kind = _value(cell, "cell_type")
        source = _source(
            _value(cell, "input" if kind == "code" and _value(cell, "source") is None else "source")
        )
        if not source.strip():
            continue
        last = source.count("\n") + 1
        if kind == "code":
            own = _value(cell, "language")
            yield from _code(source, own.lower() if isinstance(own, str) else language, numbering)
        elif kind == "heading":
            numbering.open_section()
            yield Prose(numbering.where(1, last, heading=True), source)
        elif kind == "markdown":
            yield from numbering.adopt(read_markdown(source))
        else:
            yield from numbering.adopt(read_plain(source))


def _code(source: str, language: str, numbering: Numbering) -> Iterator[Element]:
    """A cell's code. Comments that are its first lines speak of all of it, and are no part of it."""
    lines = source.split("\n")
    said = [*takewhile(lambda each: each is not None, map(_ignored, lines))]
    code = "\n".join(lines[len(said) :])
    covers = (numbering.order, numbering.order + 1) if code.strip() else None
    for line, text in enumerate(said, 1):
        where = Where(line, line, numbering.order, numbering.section, cell=numbering.cell)
        yield Ignore(where, text or "", covers)
    if covers is not None:
        first = len(said) + 1
        yield Block(numbering.where(first, len(lines)), code, first, language)


def _ignored(line: str) -> str | None:
    """What a line of code says behind `prov: ignore` that is nothing but such a comment; None for any other."""
    sign = _COMMENT.match(line)
    return None if sign is None else ignored(line[sign.end() :])


def _source(source: object) -> str:
    """A cell's source, which is a string or a list of lines with their terminators.

    JSON can hold half of a surrogate pair, which no text can.
    """
    parts = source if isinstance(source, list) else [source]
    text = "".join(part for part in parts if isinstance(part, str))
    text = text.encode("utf-8", "replace").decode("utf-8")
    return text.replace("\r\n", "\n").removesuffix("\n")
