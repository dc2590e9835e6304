"""Adopting prov where much is wrong already: the verdicts of a run put into manifests as what is expected."""

from __future__ import annotations

import hashlib
import os
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from provenance.citation import Expectation, Kind
from provenance.compare.grade import covers
from provenance.errors import UsageError
from provenance.evidence import DEFAULT_LEVELS, Level, Statement, Verdict
from provenance.files import replace_bytes
from provenance.manifest import expecting
from provenance.manifest.fields import EXPECTABLE
from provenance.verify import notable

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import date

    from provenance.evidence import Finding
    from provenance.loading import Loaded
    from provenance.store.store import Store
    from provenance.verify import Settings, Verification

_AGAIN = "changed meanwhile, and is left as it is; run prov verify --write-expect again"


@dataclass(frozen=True, slots=True)
class Wish:
    """What is to be said of verdicts that are expected from now on."""

    until: date
    """The last day on which they are."""
    because: str | None = None
    """Why they are accepted, on one line. None keeps the reason of an entry that has run out, and states the day."""


@dataclass(slots=True)
class Written:
    """What was written."""

    lines: list[str] = field(default_factory=list)
    """One a file."""
    notes: list[str] = field(default_factory=list)
    """What could not be expected, one sentence a manifest."""
    problems: list[str] = field(default_factory=list)
    """What could not be written. Exit code 2."""


def known(item: Finding, wish: Wish, settings: Settings) -> Expectation | None:
    """What a manifest is to expect of a result from now on; None where it needs nothing, or could not say it."""
    verdict = item.judgement.verdict
    if not _is_wrong(verdict, settings) or covers(item.expect, verdict, settings.today):
        return None
    if not _can_be_said(item):
        return None
    because = wish.because
    if because is None and item.expect is not None and item.expect.verdict == verdict.value:
        because = item.expect.because
    if because is None:
        because = f"known on {settings.today.isoformat()} and not mended yet"
    return Expectation(verdict.value, because, wish.until)


def write(verification: Verification, store: Store, settings: Settings, wish: Wish) -> Written:
    """Put what was found into the manifests, so that it counts as a warning from now on.

    Args:
        verification: manifests, judged.
        store: where their evidence is kept.
        settings: what levels depend on.
        wish: what is to be said.

    Raises:
        DiskFault: there is no room; what was not written yet stands as it was.
        StoreError: the evidence database cannot be used.
    """
    written = Written()
    seen: set[str] = set()
    for batch in verification.batches:
        real = os.path.realpath(batch.manifest.file.file)
        if real in seen:  # a link to a manifest that was written already
            continue
        seen.add(real)
        expects: dict[str, Expectation] = {}
        left: Counter[str] = Counter()
        for item in notable([batch], store, settings):
            expect = known(item, wish, settings)
            if expect is not None:
                expects[item.id] = expect
            elif not _can_be_said(item) and _is_wrong(item.judgement.verdict, settings):
                left[_named(item)] += 1
        if left:
            what = ", ".join(f"{count:,} {name}" for name, count in sorted(left.items()))
            written.notes.append(
                f"{batch.manifest.file.name}: cannot be expected, and counts as ever: {what}"
            )
        if expects:
            try:
                _manifest(batch.manifest, Path(real), expects, written)
            except UsageError as error:
                written.problems.append(str(error))
    return written


def _is_wrong(verdict: Verdict, settings: Settings) -> bool:
    usual = settings.levels.get(verdict, DEFAULT_LEVELS[verdict])
    return usual in {Level.WARNING, Level.FAILURE}


def _can_be_said(item: Finding) -> bool:
    """Whether a manifest's `expect` can name it: not a pin, nor a verdict that only the project's levels make wrong."""
    if isinstance(item, Statement):
        return item.kind is Kind.QUANTITY
    return item.judgement.verdict.value in EXPECTABLE


def _named(item: Finding) -> str:
    return (
        f"{item.kind.value} {item.judgement.verdict.value}"
        if isinstance(item, Statement)
        else item.judgement.verdict
    )


def _manifest(manifest: Loaded, real: Path, expects: Mapping[str, Expectation], written: Written) -> None:
    """Write one manifest.

    Raises:
        UsageError: it cannot be read or written.
    """
    file = manifest.file
    data = file.read()
    if hashlib.sha256(data).hexdigest() != manifest.stored.sha256:
        written.problems.append(f"{file.name}: {_AGAIN}")
        return
    done = expecting(data, file.name, expects)
    if isinstance(done, tuple):
        written.problems += [str(error) for error in done]
        return
    if file.read() != data:
        written.problems.append(f"{file.name}: {_AGAIN}")
        return
    replace_bytes(real, done.data)
    count = len(done.added) + len(done.renewed)
    renewed = f", {len(done.renewed):,} of them renewed" if done.renewed else ""
    written.lines.append(
        f"wrote {file.name}: {count:,} expect {'entry' if count == 1 else 'entries'}{renewed}"
    )
