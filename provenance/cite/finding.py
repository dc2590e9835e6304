"""From the files that may be meant to the one that is, read: its lines, or a definition's."""

from __future__ import annotations

from dataclasses import replace
from difflib import get_close_matches
from typing import TYPE_CHECKING

from provenance.answers import Lacking, Unreached
from provenance.ask import Needed
from provenance.cite.aiming import aim
from provenance.cite.wish import Found, NotFound
from provenance.compare.grade import settled_verdict
from provenance.compare.invisible import invisible
from provenance.errors import UsageError
from provenance.evidence import Assurance, Verdict, is_object_id
from provenance.extract.decode import NotText
from provenance.gather import gather
from provenance.reading import Reading

if TYPE_CHECKING:
    from collections.abc import Sequence

    from provenance.citation import LineRange
    from provenance.cite.aiming import Aim, Aimed, Desk
    from provenance.cite.wish import Wish
    from provenance.evidence import Symbol
    from provenance.extract.outline import Outline
    from provenance.gather import Asking, Gathered, Standing

_CANDIDATES = 20
"""Meanings that an error lists at the most."""


def find(wish: Wish, desk: Desk) -> Found | NotFound:
    """Find a place and read it, asking for what is not stored.

    Raises:
        UsageError: the locator names no place or several, or no definition can be looked for in the file.
        StoreError: the evidence database cannot be used.
    """
    aimed = aim(wish, desk)
    if isinstance(aimed, NotFound):
        return aimed
    if (aimed.lines is None) == (wish.symbol is None):
        message = f"{wish.locator}: name either lines, such as {aimed.aims[0].path}:10-20, or a --symbol"
        raise UsageError(message)
    chosen, gathered = _chosen(aimed, desk)
    standing = gathered.standings[_need(chosen).key]
    problems = (*gathered.contradictions, *gathered.refused.values())
    failure = _failure(standing, aimed, desk.asking)
    if failure is not None:
        return NotFound(failure, problems)
    if problems:
        return NotFound(Unreached(problems[0]), problems)
    return _read(wish, aimed, chosen, standing, desk)


def _need(meant: Aim) -> Needed:
    return Needed(meant.source, meant.path, meant.lock)


def _chosen(aimed: Aimed, desk: Desk) -> tuple[Aim, Gathered]:
    """The first file that is there, else the likeliest; a path that is not there may be the end of one."""
    asking = replace(desk.asking, written=aimed.written)
    gathered = gather(map(_need, aimed.aims), desk.store, asking)
    standings = [(one, gathered.standings[_need(one).key]) for one in aimed.aims]
    chosen, standing = next(
        ((one, item) for one, item in standings if item.file is not None and item.file.blob is not None),
        standings[0],
    )
    is_lost = standing.file is None or standing.file.verdict is Verdict.NO_PATH
    if not aimed.ends or not is_lost:
        return chosen, gathered
    paths, kind = _longer(chosen, standing, aimed, desk)
    if len(paths) > 1:
        rest = [f"and {len(paths) - _CANDIDATES} more"] if len(paths) > _CANDIDATES else []
        message = "\n  ".join([f"{chosen.path} is the end of several {kind}s:", *paths[:_CANDIDATES], *rest])
        raise UsageError(message)
    if not paths:
        return chosen, gathered
    note = f"{chosen.path} is taken for {paths[0]}, the one {kind} that ends so"
    meant = replace(chosen, path=paths[0], notes=(*chosen.notes, note))
    return meant, gather([_need(meant)], desk.store, asking)


def _longer(meant: Aim, standing: Standing, aimed: Aimed, desk: Desk) -> tuple[Sequence[str], str]:
    """The paths whose end a path is, and of what kind: the commit's, or where nobody can list those, the cited ones."""
    origins, git = desk.asking.origins, meant.source.git
    if origins is not None and standing.file is not None and is_object_id(standing.revision):
        found = origins.paths(aimed.written.get(git, git), standing.revision, {meant.path})
        if not isinstance(found, Unreached):
            return found.get(meant.path, ()), "path"
    cited = (
        file.path
        for manifest in aimed.manifests
        for file in desk.store.wanted(manifest.stored)
        if file.source.name == meant.source.name and file.path.endswith(f"/{meant.path}")
    )
    return list(dict.fromkeys(cited)), "cited path"


def _failure(standing: Standing, aimed: Aimed, asking: Asking) -> Lacking | Unreached | None:
    """Why there is nothing to read; None where there is."""
    if standing.failure is not None:
        return standing.failure
    file = standing.file
    if file is None:
        return Unreached("nothing is stored")
    if file.blob is None:
        return Lacking(file.verdict or Verdict.UNAVAILABLE, file.message)
    if aimed.blob is not None and file.blob != aimed.blob:
        message = f"the identifier names content {aimed.blob}, and the commit has {file.blob} at this path"
        return Lacking(Verdict.NO_PATH, message)
    if settled_verdict(Verdict.EXACT, standing.assurance, asking.least) is Verdict.UNAVAILABLE:
        seen = "nothing" if standing.assurance is None else standing.assurance.value
        return Unreached(f"it was seen with assurance {seen}, and --assurance asks for {asking.least.value}")
    return None


def _read(wish: Wish, aimed: Aimed, chosen: Aim, standing: Standing, desk: Desk) -> Found | NotFound:
    file = standing.file
    assert file is not None and file.blob is not None  # noqa: S101, PT018 - else that is the failure
    reading = Reading(desk.store, desk.asking.languages)
    text = reading.text(file.blob, chosen.path)
    if isinstance(text, NotText):
        return NotFound(Lacking(Verdict.NOT_TEXT, text.reason))
    outline = reading.outline(file.blob, chosen.path)
    lines = aimed.lines or _lines_of(wish.symbol or "", chosen.path, outline)
    if isinstance(lines, Lacking):
        return NotFound(lines)
    if lines.last > len(text):
        count = len(text)
        return NotFound(
            Lacking(Verdict.OUT_OF_RANGE, f"the file has {count} line{'' if count == 1 else 's'}")
        )
    cut = None if outline is None else outline.cuts(lines)
    hidden = invisible(text.excerpt(lines))
    language = desk.asking.languages.named(chosen.path)
    sure = _how_sure(standing)
    return Found(
        replace(chosen.source, stated=None),  # of that a document speaks, and not each that cites the source
        standing.revision if is_object_id(standing.revision) else None,
        chosen.moves,
        chosen.path,
        lines,
        text,
        file.blob,
        standing.assurance,
        None if language is None else language.name,
        tuple(manifest.stored.path for manifest in aimed.manifests),
        frozenset(one for manifest in aimed.manifests for one in desk.store.ids(manifest.stored)),
        (
            *chosen.notes,
            *file.notes,
            *text.notes,
            *([sure] if sure else []),
            *([f"the lines hold {hidden}"] if hidden else []),
            *([cut] if cut else []),
        ),
    )


def _how_sure(standing: Standing) -> str | None:
    """What is to be said of bytes that were not proven from their commit in this run."""
    match standing.assurance:
        case Assurance.COMMIT | None:
            return None
        case Assurance.LOCKED:
            return "the lines are those that the lock proved by commit (assurance: locked)"
        case _:
            file = standing.file
            where = file.artifact.name if file is not None and file.artifact is not None else "another place"
            return f"the lines come from {where}, and nothing ties them to the commit (assurance: artifact)"


def _lines_of(name: str, path: str, outline: Outline | None) -> LineRange | Lacking:
    """The lines of a definition.

    Raises:
        UsageError: definitions cannot be told in this file, or several are called so.
    """
    if outline is None or (outline.notes and not outline.definitions):
        why = outline.notes[0] if outline is not None and outline.notes else "no grammar for it is installed"
        message = f"{path}: no definition can be looked for: {why}; name the lines"
        raise UsageError(message)
    wanted = name.strip().replace("::", ".")
    found = _named(wanted, outline.definitions)
    places = dict.fromkeys(one.lines for one in found)
    if len(places) == 1:
        return found[0].lines
    if not found:
        near = get_close_matches(wanted, (one.name for one in outline.definitions), 1)
        hint = f"; did you mean {near[0]}?" if near else ""
        return Lacking(Verdict.ABSENT, f"the file defines no {name}{hint}")
    shown = [f"{path}:{one.lines} {one.name}" for one in found[:_CANDIDATES]]
    rest = [f"and {len(found) - _CANDIDATES} more"] if len(found) > _CANDIDATES else []
    message = "\n  ".join([f"{name} is defined several times; name the lines:", *shown, *rest])
    raise UsageError(message)


def _named(wanted: str, definitions: Sequence[Symbol]) -> list[Symbol]:
    """The definitions of that very name, else those whose names end in it."""
    same = [one for one in definitions if one.name == wanted]
    return same or [one for one in definitions if one.name.endswith(f".{wanted}")]
