"""Contents that an identifier of the Software Heritage archive names, where their commit cannot be had any more."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from provenance.answers import Unreached
from provenance.evidence import Verdict
from provenance.scan.aiming import key
from provenance.scan.resolving import ARCHIVE

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from provenance.gather import Standing
    from provenance.scan.aiming import Aim, Aimed


def by_their_ids(aims: Sequence[Aimed], standings: Mapping[tuple[str, str, str], Standing]) -> list[Aimed]:
    """The same, each content whose repository or commit cannot be had looked for in the archive, by its id."""
    return [replace(item, aims=tuple(_archived(aim, standings) for aim in item.aims)) for item in aims]


def _archived(aim: Aim, standings: Mapping[tuple[str, str, str], Standing]) -> Aim:
    if len(aim.meanings) != 1 or aim.meanings[0].blob is None or aim.meanings[0].git == ARCHIVE:
        return aim
    meaning = aim.meanings[0]
    failure = standings[key(meaning)].failure
    is_gone = isinstance(failure, Unreached) or (
        failure is not None and failure.verdict is Verdict.NO_REVISION
    )
    if not is_gone or meaning.blob is None:
        return aim
    note = f"read by its id: {failure.message}" if failure is not None else ""
    by_id = replace(meaning, git=ARCHIVE, revision=meaning.blob, notes=(*meaning.notes, note))
    return replace(aim, meanings=(by_id,))
