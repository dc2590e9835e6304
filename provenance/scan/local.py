"""Files of the project itself, which a document's relative links lead to."""

from __future__ import annotations

import os.path
import posixpath
from typing import TYPE_CHECKING

from provenance.answers import Lacking
from provenance.errors import UsageError
from provenance.evidence import Content, Verdict
from provenance.extract.decode import NotText, decode
from provenance.files import read_within

if TYPE_CHECKING:
    from pathlib import Path

    from provenance.extract.lines import Text

_MOST_BYTES = 64 * 1024 * 1024


class LocalFiles:
    """Reads the project's files as they stand now, and nothing outside the project."""

    def __init__(self, root: Path) -> None:
        self._root = root
        self._read: dict[str, tuple[Content, Text | NotText] | Lacking] = {}

    def path(self, document: str, link: str) -> str | None:
        """Where a link leads from a document: a path within the project; None where it leads out of it.

        Args:
            document: the document's path within the project.
            link: relative to the document's folder, or to the project's root where it begins with a slash.
        """
        folder = "" if link.startswith("/") else posixpath.dirname(document)
        path = posixpath.normpath(posixpath.join(folder, link.lstrip("/") if folder == "" else link))
        return None if path.startswith("../") or path in {"..", "."} or posixpath.isabs(path) else path

    def read(self, path: str) -> tuple[Content, Text | NotText] | Lacking:
        """A file's content and text; what is wrong, where there is none."""
        if path not in self._read:
            self._read[path] = self._answer(path)
        return self._read[path]

    def _answer(self, path: str) -> tuple[Content, Text | NotText] | Lacking:
        file = self._root / path
        if not os.path.lexists(file):
            return Lacking(Verdict.NO_PATH, f"the project has no {path}")
        if file.is_dir():
            return Lacking(Verdict.NOT_TEXT, f"{path} is a directory")
        try:
            data = read_within(file, self._root, most=_MOST_BYTES)
        except UsageError as error:
            return Lacking(Verdict.NOT_TEXT, str(error))
        return Content.of(data), decode(data, path)
