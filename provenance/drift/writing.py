"""Manifests moved along in place, and prov.lock with them."""

from __future__ import annotations

import dataclasses
import hashlib
import os
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from provenance.answers import Lacking
from provenance.errors import UsageError
from provenance.fetch import fetch
from provenance.files import replace
from provenance.manifest import repin

if TYPE_CHECKING:
    from collections.abc import Sequence

    from provenance.drift.deciding import Decision
    from provenance.drift.drifting import Drifted
    from provenance.fetch import Fetched
    from provenance.gather import Asking
    from provenance.manifest import Repin
    from provenance.project import LockFiles, ManifestFile
    from provenance.store.store import Store

_NAMED = 3
"""Revisions that a line names."""


@dataclass(slots=True)
class Written:
    """What was written."""

    lines: list[str] = field(default_factory=list)
    """One a file."""
    notes: list[str] = field(default_factory=list)
    """What a person must look at, one sentence each."""
    problems: list[str] = field(default_factory=list)
    """What could not be written. Exit code 2."""
    lacks: bool = False
    """Whether a lock does not speak of all pins. Exit code 3."""


def write(
    decision: Decision,
    drifted: Drifted,
    files: Sequence[ManifestFile],
    store: Store,
    lock_files: LockFiles,
    asking: Asking,
) -> Written:
    """Write manifests, then let the locks of this run say what the new pins hold.

    Args:
        decision: what is to be written.
        drifted: what was read, and under which bytes it holds.
        files: the manifests of the run.
        store: where evidence is kept.
        lock_files: read anew: nothing of this run has looked into them.
        asking: who is asked for the contents at the new pins.

    Raises:
        StoreError: the evidence database cannot be used.
        DiskFault: there is no room; what was not written yet stands as it was.
    """
    written = Written(notes=list(decision.notes), problems=list(decision.problems))
    for path, repins in decision.repins.items():
        manifest = drifted.manifests[path]
        try:
            _manifest(manifest.file, manifest.stored.sha256, repins, written)
        except UsageError as error:
            written.problems.append(str(error))
    if written.lines or not written.problems:
        # Though no manifest changed: a run that was killed may have left one of which the lock does not know yet.
        fetched = fetch(files, store, lock_files, dataclasses.replace(asking, refresh=False))
        _locks(fetched, written)
    return written


def _manifest(file: ManifestFile, sha256: str, repins: Sequence[Repin], written: Written) -> None:
    """Re-pin one manifest.

    Raises:
        UsageError: it cannot be read or written.
    """
    data = file.read()
    if hashlib.sha256(data).hexdigest() != sha256:
        written.problems.append(f"{file.name}: changed meanwhile, and is left as it is; run prov drift again")
        return
    done = repin(data, file.name, repins)
    if isinstance(done, tuple):
        written.problems += [str(error) for error in done]
        return
    written.notes += [f"{file.name}: {note}" for note in done.notes]
    if done.data == data:
        return
    if file.read() != data:
        written.problems.append(f"{file.name}: changed meanwhile, and is left as it is; run prov drift again")
        return
    replace(Path(os.path.realpath(file.file)), done.data.decode("utf-8"))  # a link stays one
    written.lines.append(_told(file.name, repins, done.changed))


def _told(name: str, repins: Sequence[Repin], changed: Sequence[str]) -> str:
    revisions = Counter(one.revision for one in repins if one.id in changed)
    named = ", ".join(revision for revision, _ in revisions.most_common(_NAMED))
    more = f" and {len(revisions) - _NAMED} more" if len(revisions) > _NAMED else ""
    count = f"{len(changed):,} citation{'' if len(changed) == 1 else 's'}"
    return f"wrote {name}: {count} re-pinned to {named}{more}"


def _locks(fetched: Fetched, written: Written) -> None:
    """What became of the locks; a pin that could not be had has no entry there yet."""
    written.lines += [f"wrote {name}" for name in fetched.written]
    written.problems += fetched.verification.problems
    for item in fetched.files:
        failure = item.standing.failure
        if failure is not None:
            written.lacks = True
            kind = failure.verdict if isinstance(failure, Lacking) else "unavailable"
            where = f"{item.need.source.name} {item.need.source.revision} {item.need.path}"
            note = f"the lock has no entry for {where}: {kind}: {failure.message}; run prov fetch"
            written.notes.append(note)
