"""The Software Heritage archive, asked for contents by their git blob id.

Source: its web API, endpoint `GET /api/1/content/[(hash_type):](hash)/raw/`, and its rate limits.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from provenance.answers import Acquired, Unreached
from provenance.errors import InvalidRecord
from provenance.evidence import Content, OriginKind, is_object_id
from provenance.links.swhids import ARCHIVE_HOST
from provenance.origin.http import MEBIBYTE
from provenance.origin.outcome import FailureKind, HttpFailure

if TYPE_CHECKING:
    from provenance.answers import Answer
    from provenance.origin.http import HttpSession
    from provenance.origin.listener import Listener

ARCHIVE_URL = f"https://{ARCHIVE_HOST}"
_NOT_FOUND = 404


class ArchiveOrigin:
    """Has contents of repositories that are gone, for whoever knows their blob ids."""

    def __init__(
        self,
        *,
        session: HttpSession,
        listener: Listener,
        offline: bool = False,
        url: str = ARCHIVE_URL,
        size_limit: int = 64 * MEBIBYTE,
    ) -> None:
        """Make the origin; nothing is asked yet.

        Args:
            session: what it is asked through.
            listener: told what is done.
            offline: answer everything as unreached.
            url: where it is, without a last slash.
            size_limit: bound of a content, in bytes.
        """
        self._session = session
        self._listener = listener
        self._offline = offline
        self._url = url
        self._size_limit = size_limit

    def acquire(self, blob: str, path: str = "") -> Answer:
        """Get a content.

        Args:
            blob: its git blob id.
            path: where it stands in its repository, which the archive is not asked.

        Returns:
            The bytes, which have that id, or why there are none. That the archive lacks them says nothing
            about the repository, so it is never `Lacking`.

        Raises:
            InvalidRecord: `blob` is no full object id.
        """
        if not is_object_id(blob):
            message = f"{blob!r} is no blob id"
            raise InvalidRecord(message)
        if self._offline:
            return Unreached(f"blob {blob} is not asked for: offline")
        self._listener.say(f"asking the archive for blob {blob}")
        answer = self._session.get(f"{self._url}/api/1/content/sha1_git:{blob}/raw/", limit=self._size_limit)
        if isinstance(answer, HttpFailure):
            return _unreached(blob, answer)
        content = Content.of(answer.data)
        if content.blob != blob:
            return Unreached(f"the archive's answer for blob {blob} has the id {content.blob}")
        return Acquired(path, content, OriginKind.ARCHIVE)


def _unreached(blob: str, failure: HttpFailure) -> Unreached:
    if failure.status == _NOT_FOUND:
        return Unreached(f"the archive has no such content: blob {blob}")
    return Unreached(
        f"blob {blob} in the archive: {failure.message}", refused=failure.kind is FailureKind.REFUSED
    )
