"""The files of the revision that citations are followed to, for what more than their lines tells."""

from __future__ import annotations

from collections import OrderedDict
from typing import TYPE_CHECKING, Protocol

from provenance.extract.decode import decode

if TYPE_CHECKING:
    from collections.abc import Mapping

    from provenance.extract.decode import NotText
    from provenance.extract.lines import Text
    from provenance.history import History

_HELD = 16
"""Texts that are held: citations of one file come together."""


class Landing(Protocol):
    """The files of one revision."""

    @property
    def revision(self) -> str:
        """The full commit id, or the release."""

    def text(self, path: str) -> Text | NotText | None:
        """A file as people read it; None where there is none, or it is not at hand."""

    def leads(self, link: str) -> bool:
        """Whether a symbolic link stands as it did at the pin."""


class CommitLanding:
    """The files of a commit."""

    def __init__(self, history: History, old: str, new: str) -> None:
        self._history = history
        self._old = old
        self._new = new
        self._texts: OrderedDict[str, Text | NotText | None] = OrderedDict()

    @property
    def revision(self) -> str:
        """The full commit id."""
        return self._new

    def text(self, path: str) -> Text | NotText | None:
        """A file as people read it; None where there is none, or it is not at hand."""
        if path not in self._texts:
            self._texts[path] = self._read(path)
            if len(self._texts) > _HELD:
                self._texts.popitem(last=False)
        return self._texts[path]

    def leads(self, link: str) -> bool:
        """Whether a symbolic link stands as it did at the pin."""
        stands = (self._history.entries(commit, [link]).get(link) for commit in (self._old, self._new))
        old, new = stands
        return old is not None and old == new and not old.is_file

    def _read(self, path: str) -> Text | NotText | None:
        entry = self._history.entries(self._new, [path]).get(path)
        if entry is None or not entry.is_file or self._history.have([entry.id]):
            return None
        data = self._history.read(entry.id)
        return None if data is None else decode(data, path)


class ReleaseLanding:
    """The files of a release."""

    def __init__(self, revision: str, files: Mapping[str, bytes]) -> None:
        self._revision = revision
        self._files = files

    @property
    def revision(self) -> str:
        """The release, `project==version`."""
        return self._revision

    def text(self, path: str) -> Text | NotText | None:
        """A file as people read it; None where there is none."""
        data = self._files.get(path)
        return None if data is None else decode(data, path)

    def leads(self, link: str) -> bool:
        """An artifact tells nothing of links, but that a file stands there."""
        return link in self._files
