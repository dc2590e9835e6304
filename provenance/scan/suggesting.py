"""What `prov scan --fix` would make of links, as changes of a document's text. Nothing is written."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

from provenance.documents.mending import stretches
from provenance.errors import UsageError
from provenance.report.notice import Change
from provenance.scan.mending import wanted_by_id
from provenance.scan.telling import findings

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from provenance.documents.mending import Mend, Stretch
    from provenance.project import DocumentFile
    from provenance.report.notice import Notice
    from provenance.scan.scanning import Scanned
    from provenance.store.store import Store
    from provenance.verify import Settings


class Links:
    """Suggests links; it holds what is wanted of the document that was asked about last."""

    def __init__(
        self, scanned: Scanned, files: Iterable[DocumentFile], store: Store, settings: Settings
    ) -> None:
        """Suggest for documents.

        Args:
            scanned: the documents, judged; one that has changed since is left alone.
            files: the same.
            store: where it was kept how their links are written.
            settings: what their results are weighed with.
        """
        self._documents = {document.name: document for document in scanned.documents}
        self._files = {file.name: file for file in files}
        self._store = store
        self._settings = settings
        self._path = ""
        self._wanted: Mapping[str, Mend] = {}
        self._stretches: Mapping[Mend, tuple[Stretch, ...]] = {}

    def __call__(self, notice: Notice) -> Sequence[Change]:
        """The changes that make the link what it should be; none where that is not clear."""
        if notice.path != self._path:
            self._open(notice.path)
        mend = self._wanted.get(notice.id)
        found = () if mend is None else self._stretches.get(mend, ())
        return [Change(notice.path, at.line, at.column, at.line, at.end, at.new) for at in found]

    def _open(self, path: str) -> None:
        self._path, self._wanted, self._stretches = path, {}, {}
        document, file = self._documents.get(path), self._files.get(path)
        if document is None or file is None:
            return
        try:
            data = file.read()
        except UsageError:
            return  # it was there when it was judged
        if hashlib.sha256(data).hexdigest() != document.sha256:
            return
        found = findings(document, self._store, self._settings)
        self._wanted, staying = wanted_by_id(document, found, self._store, self._settings.hosts)
        self._stretches = stretches(data, [*self._wanted.values(), *staying])
