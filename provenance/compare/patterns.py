"""What citations have in common that were followed to another revision, such as 31 of one file that moved by +2.

Groups of indexes into a list of plain records, so that a person reads a few lines for many citations.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, assert_never

from provenance.relocation import Confidence, Status

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence

    from provenance.citation import LineRange

_ORDER = (
    Status.DELETED,
    Status.UNAVAILABLE,
    Status.AMBIGUOUS,
    Status.EDITED,
    Status.RENAMED,
    Status.MOVED,
    Status.UNCHANGED,
)
"""What a person has to act on comes first."""

_FEW = 4
"""Offsets of a file, files of a commit, or sources, up to which each has a pattern of its own."""
_KEPT_OFFSETS = 3
"""Offsets that keep their pattern where a file has more than a few."""
_LARGE = 5
"""Citations that such an offset must have."""
_BOUNDED = (frozenset({Status.MOVED, Status.RENAMED}), frozenset({Status.UNAVAILABLE}))
"""What a person needs no line for each: what is well, and what says nothing about the lines."""
_MOST = 10
"""Patterns of them that a person reads, and of edited ones."""
_KEPT = 8
"""The largest of them, which stay as they are at the most where there are more."""


@dataclass(frozen=True, slots=True)
class Case:
    """What became of one citation."""

    source: str
    """What it cites, in words for a person."""
    status: Status
    path: str
    """The cited file."""
    old: LineRange | None = None
    """The cited lines."""
    new_path: str | None = None
    """The file that has them now; None where it is not known or none has."""
    new: LineRange | None = None
    confidence: Confidence | None = None
    reason: str = ""
    """What else must be the same: the commit that edited or deleted them, or why it could not be told."""

    @property
    def offset(self) -> int | None:
        """Lines by which they went down; None where one side has no lines."""
        return None if self.old is None or self.new is None else self.new.first - self.old.first


@dataclass(frozen=True, slots=True)
class Pattern:
    """Citations of which one thing can be said. `ambiguous` ones stand alone."""

    status: Status
    confidence: Confidence | None
    members: tuple[int, ...]
    """Indexes of the cases, ascending."""
    sources: tuple[str, ...]
    """All that are cited, in the order of the cases."""
    files: int
    """How many cited files there are."""
    old: str = ""
    """The cited file where there is one; of more, the folder that they share, with a slash at its end, or nothing."""
    new: str = ""
    """The file that has the lines now; of a folder that was renamed, the new one; else nothing."""
    offsets: tuple[int, ...] = ()
    """All that are known, ascending, each once."""
    reason: str = ""
    """What the cases give, where it is the same; else empty."""


def patterns(cases: Sequence[Case], *, edits_apart: bool = True) -> tuple[Pattern, ...]:
    """Group citations; each is in one pattern.

    Args:
        cases: in the order in which they are to be told where nothing else orders them.
        edits_apart: whether edited ones stand alone, instead of with others that the same commit edited.

    Returns:
        By status, what has to be acted on first; within a status low confidence first, then those of one file, then
        the largest.
    """
    found = [
        pattern
        for members in _groups(range(len(cases)), lambda at: cases[at].status)
        for pattern in _of_status(cases, members, edits_apart=edits_apart)
    ]
    for statuses in _BOUNDED:
        chosen = [pattern for pattern in found if pattern.status in statuses]
        if len(chosen) > _MOST:
            others = [pattern for pattern in found if pattern.status not in statuses]
            found = [*others, *_fewer(cases, chosen)]
    return tuple(sorted(found, key=_rank))


def _rank(pattern: Pattern) -> tuple[int, bool, bool, int, int]:
    is_sure = pattern.confidence is not Confidence.LOW
    is_one = pattern.files == 1
    told_by = {
        Status.RENAMED: bool(pattern.new),
        Status.UNAVAILABLE: bool(pattern.reason),
        Status.EDITED: bool(pattern.reason) or len(pattern.members) == 1,
    }
    is_rest = not told_by.get(pattern.status, is_one)
    return _ORDER.index(pattern.status), is_sure, is_rest, -len(pattern.members), pattern.members[0]


def _of_status(cases: Sequence[Case], members: Sequence[int], *, edits_apart: bool) -> Iterator[Pattern]:
    """The patterns of cases that have one status."""
    status = cases[members[0]].status
    match status:
        case Status.UNCHANGED | Status.UNAVAILABLE:
            groups = _by_source(cases, members)
        case Status.MOVED:
            groups = _by_offset(cases, members)
        case Status.RENAMED:
            yield from _renamed(cases, members)
            return
        case Status.DELETED:
            groups = _by_commit(cases, members)
        case Status.EDITED if not edits_apart:
            groups = _by_edit(cases, members)
        case Status.EDITED | Status.AMBIGUOUS:
            groups = ([at] for at in members)
        case _:
            assert_never(status)
    yield from (_pattern(cases, group) for group in groups)


def _by_source(cases: Sequence[Case], members: Sequence[int]) -> Iterator[list[int]]:
    """Each source for itself; together where they are many."""
    for group in _groups(members, lambda at: (cases[at].confidence, cases[at].reason)):
        sources = _groups(group, lambda at: cases[at].source)
        yield from sources if len(sources) <= _FEW else [group]


def _by_offset(cases: Sequence[Case], members: Sequence[int]) -> Iterator[list[int]]:
    """Each file that went to one other, by offset; the rarer offsets together where there are many."""
    for group in _groups(members, lambda at: (_file(cases[at]), cases[at].new_path, cases[at].confidence)):
        offsets = sorted(_groups(group, lambda at: cases[at].offset), key=len, reverse=True)
        if len(offsets) <= _FEW:
            yield from offsets
            continue
        kept = [each for each in offsets[:_KEPT_OFFSETS] if len(each) >= _LARGE]
        yield from kept
        yield sorted(at for each in offsets[len(kept) :] for at in each)


def _by_commit(cases: Sequence[Case], members: Sequence[int]) -> Iterator[list[int]]:
    """Each file for itself; together where one commit deleted lines of many."""
    for group in _groups(members, lambda at: (cases[at].source, cases[at].reason, cases[at].confidence)):
        files = _groups(group, lambda at: cases[at].path)
        yield from files if len(files) <= _FEW else [group]


def _by_edit(cases: Sequence[Case], members: Sequence[int]) -> Iterator[list[int]]:
    """What one commit edited, or is of one source where the commit is not known; small groups together."""
    groups = _groups(members, lambda at: (cases[at].reason or (cases[at].source,), cases[at].confidence))
    several = sorted((each for each in groups if len(each) > 1), key=len, reverse=True)[:_KEPT]
    yield from several
    taken = {at for each in several for at in each}
    yield from _groups((at for at in members if at not in taken), lambda at: cases[at].confidence)


def _renamed(cases: Sequence[Case], members: Sequence[int]) -> Iterator[Pattern]:
    """Folders that were renamed with several cited files, then the other files."""
    for group in _groups(members, lambda at: (cases[at].source, cases[at].confidence, _folders(cases[at]))):
        folders = _folders(cases[group[0]])
        if folders is not None and len({cases[at].path for at in group}) > 1:
            yield _pattern(cases, group, folders)
        else:
            yield from (_pattern(cases, each) for each in _by_offset(cases, group))


def _folders(case: Case) -> tuple[str, str] | None:
    """The folders of which one became the other, as far up as they differ; None where the file's own name changed."""
    if case.new_path is None:
        return None
    old, new = case.path.split("/"), case.new_path.split("/")
    if old[-1] != new[-1]:
        return None
    while old and new and old[-1] == new[-1]:
        old.pop()
        new.pop()
    return (_folder(old), _folder(new)) if old or new else None


def _folder(parts: Sequence[str]) -> str:
    """A folder with a slash at its end; `./` is the root."""
    return "".join(f"{part}/" for part in parts or ["."])


def _fewer(cases: Sequence[Case], found: Sequence[Pattern]) -> list[Pattern]:
    """The largest patterns; of what is left each source is told together, and where they are many, all of it."""
    ordered = _largest(found)
    for kept in range(_KEPT, -1, -1):
        fewer = [*ordered[:kept], *_together(cases, ordered[kept:], by_source=True)]
        if len(fewer) <= _MOST:
            return fewer
    by_source = _largest(_together(cases, ordered, by_source=True))
    return [*by_source[:_KEPT], *_together(cases, by_source[_KEPT:], by_source=False)]


def _largest(found: Iterable[Pattern]) -> list[Pattern]:
    """Patterns, the largest first."""
    return sorted(found, key=lambda pattern: (-len(pattern.members), pattern.members[0]))


def _together(cases: Sequence[Case], found: Sequence[Pattern], *, by_source: bool) -> Iterator[Pattern]:
    """Patterns of one status and confidence as one, and of one source if wanted."""

    def key(at: int) -> Hashable:
        return found[at].status, found[at].confidence, found[at].sources if by_source else ()

    for group in _groups(range(len(found)), key):
        if len(group) == 1:
            yield found[group[0]]
        else:
            yield _pattern(cases, sorted(member for at in group for member in found[at].members))


def _pattern(
    cases: Sequence[Case], members: Sequence[int], folders: tuple[str, str] | None = None
) -> Pattern:
    """What can be said of some cases that have a status and a confidence in common."""
    chosen = [cases[at] for at in members]
    files = {_file(case) for case in chosen}
    news = {case.new_path or "" for case in chosen}
    if folders is None:
        old = chosen[0].path if len(files) == 1 else _shared(case.path for case in chosen)
        folders = old, news.pop() if len(news) == 1 else ""
    return Pattern(
        chosen[0].status,
        chosen[0].confidence,
        tuple(members),
        tuple(dict.fromkeys(case.source for case in chosen)),
        len(files),
        *folders,
        tuple(sorted({case.offset for case in chosen if case.offset is not None})),
        chosen[0].reason if len({case.reason for case in chosen}) == 1 else "",
    )


def _shared(paths: Iterable[str]) -> str:
    """The folder that all of some files are in, with a slash at its end; nothing where it is the root."""
    first, *others = {path.rpartition("/")[0] for path in paths}
    parts = first.split("/")
    for folder in others:
        theirs = folder.split("/")
        short = min(len(parts), len(theirs))
        parts = parts[: next((at for at in range(short) if parts[at] != theirs[at]), short)]
    return "".join(f"{part}/" for part in parts if part)


def _file(case: Case) -> tuple[str, str]:
    return case.source, case.path


def _groups(members: Iterable[int], key: Callable[[int], Hashable]) -> list[list[int]]:
    """Members that have the same key together, in the order in which they come."""
    found: dict[Hashable, list[int]] = {}
    for at in members:
        found.setdefault(key(at), []).append(at)
    return list(found.values())
