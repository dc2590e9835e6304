"""What a manifest should say where a citation's range is wrong, as changes of its text. Nothing is written."""

from __future__ import annotations

import hashlib
import re
from bisect import bisect_right
from typing import TYPE_CHECKING

from provenance.citation import LineRange
from provenance.errors import InvalidRecord, UsageError
from provenance.report.notice import Change

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from provenance.manifest.placing import Entry
    from provenance.project import ManifestFile
    from provenance.report.notice import Notice
    from provenance.report.run import Subject

_MARK = "\ufeff"


class Ranges:
    """Suggests the text of `lines:`; it holds the places of the manifest that was asked about last."""

    def __init__(self, files: Iterable[ManifestFile], judged: Iterable[Subject]) -> None:
        """Suggest for manifests.

        Args:
            files: the manifests of the run.
            judged: those that were judged, with the digests of their bytes: one that has changed since is left alone.
        """
        self._files = {file.name: file for file in files}
        self._digests = dict(judged)
        self._path = ""
        self._starts: Sequence[int] = ()
        """Index of the first character of each line."""
        self._entries: Mapping[str, Entry] = {}

    def __call__(self, notice: Notice) -> Sequence[Change]:
        """The change that makes the range the suggested one; none where nothing is suggested."""
        lines, cited = notice.suggestion, notice.cited
        if lines is None or cited is None or cited.lines is None:
            return ()
        if notice.path != self._path:
            self._open(notice.path)
        entry = self._entries.get(notice.id)
        span = None if entry is None else entry.values.get("lines")
        if span is None or span.is_block or _range(span.value) != cited.lines:
            return ()
        line, column = self._at(span.start)
        end_line, end_column = self._at(span.end)
        return (Change(notice.path, line, column, end_line, end_column, str(lines)),)

    def _open(self, path: str) -> None:
        self._path, self._starts, self._entries = path, (), {}
        file = self._files.get(path)
        if file is None:
            return
        try:
            data = file.read()
        except UsageError:
            return  # it was there when it was judged
        if hashlib.sha256(data).hexdigest() != self._digests.get(path):
            return
        from provenance.manifest.placing import places

        text = data.decode("utf-8").removeprefix(_MARK)
        self._starts = [0, *(match.end() for match in re.finditer("\n", text))]
        self._entries = places(text).citations

    def _at(self, index: int) -> tuple[int, int]:
        """Line and column of a character, 1-based."""
        line = bisect_right(self._starts, index)
        return line, index - self._starts[line - 1] + 1


def _range(text: str) -> LineRange | None:
    try:
        return LineRange.parse(text)
    except InvalidRecord:
        return None
