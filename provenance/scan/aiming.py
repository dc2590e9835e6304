"""From mentions to the files that they may mean, and what must be had of those."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from provenance.ask import Needed
from provenance.citation import Source
from provenance.links.targets import NotUnderstood, PlainPlace, RelativeLink
from provenance.lock import Lock, LockedFile, LockedSource, Proof
from provenance.scan.resolving import ARCHIVE

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from provenance.document import Mention, Sheet
    from provenance.scan.resolving import Meaning, Resolving
    from provenance.scan.sheets import Document


@dataclass(frozen=True, slots=True)
class Aim:
    """A mention, and the files that it may mean."""

    at: int
    """Which of the sheet's mentions it is, from 0."""
    mention: Mention
    meanings: tuple[Meaning, ...] = ()
    """The likeliest first; none for what is not understood, and for a file of the project itself."""


@dataclass(frozen=True, slots=True)
class Aimed:
    """A document's mentions, those left out that mean nothing here."""

    document: Document
    sheet: Sheet = field(repr=False)
    aims: tuple[Aim, ...]


def aimed(sheet: Sheet, document: Document, resolving: Resolving) -> Aimed:
    """Say what each mention may mean. A plain place means nothing where no repository is configured for it."""
    aims: list[Aim] = []
    for at, mention in enumerate(sheet.mentions):
        match mention.target:
            case NotUnderstood() | RelativeLink():
                aims.append(Aim(at, mention))
            case PlainPlace() if document.repository is None:
                continue
            case target if target.anchor is not None:
                aims.append(Aim(at, mention, resolving.meanings(target, document.repository)))
            case _:
                continue  # a content without lines is a reference to a whole file
    return Aimed(document, sheet, tuple(aims))


def needs(aims: Iterable[Aimed]) -> Iterator[Needed]:
    """The files that all of them may mean."""
    for item in aims:
        for aim in item.aims:
            for meaning in aim.meanings:
                yield Needed(
                    Source(meaning.public, meaning.public, meaning.revision), meaning.path, _lock(meaning)
                )


def key(meaning: Meaning) -> tuple[str, str, str]:
    """What answers are found by."""
    return meaning.public, meaning.revision, meaning.path


def _lock(meaning: Meaning) -> Lock:
    """What the archive is asked for: these bytes and no others, as a lock would say."""
    if meaning.git != ARCHIVE or meaning.blob is None:
        return Lock()
    files = {meaning.path: LockedFile(meaning.blob, Proof.COMMIT)}
    return Lock({(meaning.public, meaning.revision): LockedSource(meaning.revision, files)})
