"""Documents as they are read: many at once in processes of their own, where that pays."""

from __future__ import annotations

import hashlib
import json
import os
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, assert_never

from provenance import __version__
from provenance.documents.formats import read_document
from provenance.documents.unreadable import Unreadable
from provenance.links.permalinks import public_url
from provenance.links.targets import ContentLink, FileLink, NotUnderstood, PlainPlace, RelativeLink

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from concurrent.futures import Executor

    from provenance.document import Mention, Sheet
    from provenance.links.forges import Forge
    from provenance.project import DocumentFile, Repository

    Reader = Callable[[Sequence["Document"]], Iterator[Sheet | Unreadable]]
    """Reads documents, one result each, in their order. Other processes may begin at once."""

_WORTH_PROCESSES = 1024 * 1024
"""Bytes of documents from which on the time to start processes is made up for by reading in several."""
_READ_TOGETHER = 16
"""Documents that a process is handed at once, at the most."""
_TURNS = 4
"""Times that a process is handed some, at the least, so that none is left with the last ones alone."""
_MOST_PROCESSES = 4
"""What more of them could read, the one process that judges would not keep up with."""


@dataclass(frozen=True, slots=True)
class Document:
    """A document's bytes, and what they are to be read with."""

    name: str
    """Relative to the project's root, with forward slashes."""
    data: bytes = field(repr=False)
    repository: Repository | None
    """What plain places in it mean."""

    def digest(self, hosts: Mapping[str, Forge]) -> str:
        """Of all that reading it depends on, 64 hexadecimal digits."""
        known = sorted((host, forge.name) for host, forge in hosts.items())
        meant = self.repository
        place = None if meant is None else [meant.git, meant.revision, meant.folder]
        parts = json.dumps([__version__, self.name, known, place, hashlib.sha256(self.data).hexdigest()])
        return hashlib.sha256(parts.encode()).hexdigest()


def opened(file: DocumentFile) -> Document:
    """Read a document's bytes.

    Raises:
        UsageError: it cannot be read, a link leads out of the project, or its name cannot be written down.
    """
    return Document(file.name, file.read(), file.repository)


@contextmanager
def sheets(hosts: Mapping[str, Forge], *, jobs: int) -> Iterator[Reader]:
    """Something that reads documents, one result each, in their order.

    Args:
        hosts: what further hosts are.
        jobs: how many processes may be used.
    """
    plain = dict(hosts)  # a read-only view cannot be sent to another process
    with ExitStack() as stack:
        pools: list[Executor] = []

        def read(documents: Sequence[Document]) -> Iterator[Sheet | Unreadable]:
            tasks = [(document, plain) for document in documents]
            size = sum(len(document.data) for document in documents)
            if jobs == 1 or len(documents) == 1 or size < _WORTH_PROCESSES:
                return map(_sheet, tasks)
            if not pools:
                pools.append(_pool(stack, min(jobs, _MOST_PROCESSES)))
            count = min(_READ_TOGETHER, 1 + len(documents) // (_TURNS * _MOST_PROCESSES))
            return pools[0].map(_sheet, tasks, chunksize=count)

        yield read


def _pool(stack: ExitStack, jobs: int) -> Executor:
    """Processes, which end with what the stack is for."""
    import multiprocessing
    from concurrent.futures import ProcessPoolExecutor

    # Not forked: this process may have threads, whose locks a copy would hold for ever.
    pool = ProcessPoolExecutor(jobs, mp_context=multiprocessing.get_context("spawn"), initializer=_begin)

    def end(kind: type[BaseException] | None, *_: object) -> None:
        if kind is not None:  # nobody waits for what they are reading
            for process in multiprocessing.active_children():
                process.terminate()
        pool.shutdown(cancel_futures=True)

    stack.push(end)
    return pool


def _begin() -> None:
    """An interrupt is for the process that waits: it ends the others, and they end where it is gone."""
    import signal
    from threading import Thread

    signal.signal(signal.SIGINT, signal.SIG_IGN)
    Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    import multiprocessing

    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


def _sheet(task: tuple[Document, Mapping[str, Forge]]) -> Sheet | Unreadable:
    document, hosts = task
    sheet = read_document(document.data, document.name, hosts, plain=document.repository is not None)
    if isinstance(sheet, Unreadable):
        return sheet
    return replace(sheet, mentions=tuple(map(_writable, sheet.mentions)))


def _writable(mention: Mention) -> Mention:
    """The same, not understood where it names what no database and no manifest can hold: half a surrogate pair."""
    match mention.target:
        case FileLink(git=git, rest=rest):
            names = git + rest
        case ContentLink(origin=origin, path=path):
            names = f"{origin}{path}"
        case RelativeLink(path=path) | PlainPlace(path=path):
            names = path
        case NotUnderstood():
            return mention
        case _:
            assert_never(mention.target)
    try:
        names.encode()
    except UnicodeEncodeError:
        return replace(mention, target=NotUnderstood(public_url(mention.raw), "a name in it is not UTF-8"))
    return mention
