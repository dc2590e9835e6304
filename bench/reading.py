"""Reading contents out of evidence.db, each hashed, beside `git cat-file` over the same blobs."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from bench.lab import Contender
from bench.measure import BenchError, Measurement, Unit, ratio, sized, timed
from bench.project import contents_of
from provenance.evidence import Content, OriginKind
from provenance.store.records import StoredFile
from provenance.store.store import Store

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from bench.lab import Lab

_READ = "import sys; from provenance.store.store import Store; print(sum(1 for _ in Store(sys.argv[1]).contents()))"
_TOGETHER = 500
"""Contents of one transaction."""


def measure(lab: Lab) -> Iterator[Measurement]:
    """Fill a database with blobs of the repository's whole history, and read them.

    Raises:
        BenchError: not all of them were read.
    """
    blobs = _blobs(lab)
    database, ids = lab.folder / "reading.db", lab.folder / "blobs"
    size = _fill(lab, database, blobs)
    ids.write_text("".join(f"{blob}\n" for blob in blobs), encoding="ascii")
    home = lab.folder / "home"
    script = f"git --git-dir '{lab.repository}' cat-file --batch --buffer <'{ids}' >/dev/null"
    runs = lab.race(
        {
            "git": Contender(("sh", "-c", script), lab.folder, home),
            "prov": Contender((sys.executable, "-c", _READ, str(database)), lab.folder, home),
        }
    )
    if {run.output.strip() for run in runs["prov"]} != {str(len(blobs))}:
        message = f"{len(blobs)} contents are stored, and prov read {runs['prov'][0].output}"
        raise BenchError(message)
    yield Measurement(
        f"reading {len(blobs):,} contents of {sized(size)}, each hashed",
        "`git cat-file --batch --buffer`",
        ratio(runs["prov"], runs["git"]),
        Unit.TIMES,
        1.2,
        f"{timed(runs['prov'])} and {timed(runs['git'])}",
    )


def _blobs(lab: Lab) -> list[str]:
    """As many blobs as are wanted, the newest first."""
    objects = lab.git("rev-list", "--objects", "--no-object-names", "--missing=allow-any", lab.revision)
    listing = lab.git("cat-file", "--batch-check=%(objectname) %(objecttype)", stdin=objects).decode()
    blobs = [
        name for name, _, kind in (line.partition(" ") for line in listing.split("\n")) if kind == "blob"
    ]
    return blobs[: lab.size.contents]


def _fill(lab: Lab, database: Path, blobs: list[str]) -> int:
    """Store the blobs; the bytes that they have together."""
    size = 0
    with Store(str(database), "bench") as store:
        for start in range(0, len(blobs), _TOGETHER):
            some = blobs[start : start + _TOGETHER]
            with store.transaction() as transaction:
                for blob, data in zip(some, contents_of(lab, some), strict=True):
                    file = StoredFile(
                        lab.url, lab.revision, blob, blob, blob, OriginKind.GIT, None, None, "", ()
                    )
                    transaction.put_file(file, Content.checked(blob, data), ())
                    size += len(data)
    return size
