"""What is said of citations that were followed: one sentence for all that went one way, and one for a whole run."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, assert_never

from provenance.evidence import is_object_id
from provenance.links.permalinks import public_url
from provenance.relocation import Confidence, Status
from provenance.report.finding import place
from provenance.report.inert import in_line
from provenance.report.text import counted

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from provenance.compare.patterns import Pattern
    from provenance.evidence import Summary
    from provenance.relocation import Drift, Spot

_SHORT = 12
"""Digits of the revision that was gone to, as in `prov show`."""
_SHORT_COMMIT = 7
"""Digits of a commit that is named beside its subject."""
_LONGEST_SUBJECT = 100
"""Characters of a subject that are shown."""
_MOST_SIMILAR = 99
"""Hundredths of edited lines that are the same at the most."""
_MEANT = "{} is commit "
"""How a note begins that says what a name such as `latest` meant; a full commit id follows."""
_FEW = 8
"""Sources whose revisions are named on the last line."""


def sentence(pattern: Pattern, members: Sequence[Drift], *, named: bool) -> str:
    """What a pattern says, on one line, without a full stop.

    Args:
        pattern: the pattern.
        members: its citations.
        named: whether sources have to be told apart.
    """
    one = len(members) == 1
    what = f"{counted(len(members), 'citation')} of {_files(pattern)}{_sources(pattern, named=named)}"
    match pattern.status:
        case Status.UNCHANGED:
            said = f"{what} {'is' if one else 'are'} unchanged"
        case Status.MOVED:
            offsets = _offsets(pattern, " by {}", " ({} offsets)")
            made = _by(members)
            said = f"{what} moved{offsets}{',' if offsets and made else ''}{made}"
        case Status.RENAMED:
            offsets = _offsets(pattern, " ({}", ", {} offsets", ")")
            said = f"{what} {'is' if one else 'are'} now in {_target(pattern)}{offsets}{_by(members)}"
        case Status.DELETED:
            said = f"{what} {'was' if one else 'were'} deleted{_by(members)}"
        case Status.UNAVAILABLE:
            said = f"{what} could not be followed{': ' if pattern.reason else ''}{pattern.reason}"
        case Status.EDITED:
            count = f"{counted(len(members), 'citation')}{_sources(pattern, named=named)}"
            said = f"{count} {'was' if one else 'were'} edited{_by(members)}"
        case Status.AMBIGUOUS:
            return alone(pattern, members[0], named=named)
        case _:
            assert_never(pattern.status)
    return in_line(f"{said}, with low confidence" if pattern.confidence is Confidence.LOW else said)


def _files(pattern: Pattern) -> str:
    if pattern.files == 1:
        return pattern.old
    tells_folder = pattern.status in {Status.RENAMED, Status.DELETED} and len(pattern.sources) == 1
    folder = f" in {_folder(pattern.old)}" if pattern.old and tells_folder else ""
    return f"{counted(pattern.files, 'file')}{folder}"


def _target(pattern: Pattern) -> str:
    """Where renamed files went."""
    return _folder(pattern.new) if pattern.new else "other files"


def _folder(path: str) -> str:
    return "the root" if path == "./" else path


def _sources(pattern: Pattern, *, named: bool) -> str:
    if not named:
        return ""
    many = len(pattern.sources) > 1
    return f" ({counted(len(pattern.sources), 'source') if many else pattern.sources[0]})"


def _offsets(pattern: Pattern, shown: str, many: str, end: str = "") -> str:
    """By how many lines; nothing where there are none to count, or several files have several."""
    offsets = pattern.offsets
    if not offsets or (pattern.files > 1 and len(offsets) > 1):
        return ""
    if len(offsets) == 1:
        return shown.format(f"{offsets[0]:+,}") + end
    return shown.format(f"{offsets[0]:+,} to {offsets[-1]:+,}") + many.format(len(offsets)) + end


def _by(members: Sequence[Drift]) -> str:
    """The commit, or how many there are; nothing where one is not known."""
    commits = {drift.relocation.commit for drift in members}
    if not all(commits):
        return ""
    shown = next(filter(None, map(commit, members)), "")
    return f" by {shown if len(commits) == 1 else counted(len(commits), 'commit')}"


def alone(pattern: Pattern, drift: Drift, *, named: bool) -> str:
    """What is said of an edited or ambiguous citation that is told by itself.

    Args:
        pattern: the pattern that has no other.
        drift: the citation.
        named: whether sources have to be told apart.
    """
    found, citation, source = drift.relocation, drift.citation, _sources(pattern, named=named)
    if found.status is Status.AMBIGUOUS:
        places = counted(len(found.candidates), "place")
        said = f"could be at {places}" if found.candidates else "is ambiguous"
        return in_line(f"{citation.id}{source} {said}: {spot(drift, drift.start)}")
    facts = [*filter(None, [similar(drift)])]
    if found.confidence is Confidence.LOW:
        facts.append("low confidence")
    shown = f" ({', '.join(facts)})" if facts else ""
    end = "" if found.end is None else f" → {spot(drift, found.end)}"
    return in_line(f"{citation.id}{source} was edited: {spot(drift, drift.start)}{end}{shown}")


def similar(drift: Drift) -> str:
    """How much of edited lines is left, never all of it; empty where it is not known."""
    share = drift.relocation.similarity
    # The nearest float may be below what was meant: 0.29 * 100 is 28.999….
    return "" if share is None else f"{min(int(share * 100 + 1e-9), _MOST_SIMILAR)}% similar"


def edits(drift: Drift) -> str:
    """Which edit the commit's is, where there were several; else empty."""
    count = drift.relocation.edits
    return f"the last of {count:,} edits" if count > 1 else ""


def spot(drift: Drift, where: Spot) -> str:
    """Lines of a file, and the entry that is cited where it is a value."""
    return place(where.path, where.lines, drift.citation.value)


def way(drift: Drift) -> str:
    """From where to where; the same path is not told twice."""
    start, end = drift.start, drift.relocation.end
    here = spot(drift, start)
    if end is None or (end.path, end.lines) == (start.path, start.lines):
        return here
    if end.path == start.path and end.lines is not None:
        return f"{here} → {end.lines}"
    return f"{here} → {spot(drift, end)}"


def commit(drift: Drift, *, brief: bool = False) -> str:
    """The commit that moved, edited or deleted the lines, with its day and subject; empty where none is known.

    Args:
        drift: the citation.
        brief: whether to tell its id alone.
    """
    if drift.commit is None or brief:
        return (drift.relocation.commit or "")[:_SHORT_COMMIT]
    known = drift.commit
    subject = known.subject
    if len(subject) > _LONGEST_SUBJECT:
        subject = f"{subject[: _LONGEST_SUBJECT - 1]}…"
    return in_line(f'{known.id[:_SHORT_COMMIT]} {known.date[:10]} "{subject}"')


def labels(drifts: Sequence[Drift]) -> list[str]:
    """What each citation's source is called, so that two that are not the same have two names."""
    urls: dict[str, set[str]] = {}
    targets: dict[str, set[str]] = {}
    for drift in drifts:
        source = drift.citation.source
        urls.setdefault(source.name, set()).add(source.git)
        targets.setdefault(source.name, set()).add(drift.to)
    return [_label(drift, urls, targets) for drift in drifts]


def _label(drift: Drift, urls: dict[str, set[str]], targets: dict[str, set[str]]) -> str:
    source = drift.citation.source
    url = f" of {public_url(source.git)}" if len(urls[source.name]) > 1 else ""
    target = f" at {drift.to}" if len(targets[source.name]) > 1 else ""
    return f"{source.name}{url}{target}"


def conclusion(
    summary: Summary, drifts: Sequence[Drift], names: Sequence[str], *, everything: bool = False
) -> str:
    """The last line: how many could be followed, what became of them, how sure it is, and where they were followed to.

    Args:
        summary: the counts of all results.
        drifts: all results.
        names: what the source of each is called.
        everything: whether to name the revision of each source, however many there are.
    """
    statuses = Counter(drift.status for drift in drifts)
    outcome = ", ".join(f"{statuses[status]:,} {status}" for status in Status if statuses[status])
    followed = f"{summary.total - summary.unavailable:,} of {counted(summary.total, 'citation')} followed"
    parts = [f"{followed}: {outcome or 'nothing to follow'}"]
    low = sum(drift.relocation.confidence is Confidence.LOW for drift in drifts)
    if low:
        parts.append(f"{low:,} with low confidence")
    return in_line(" · ".join((*parts, *_targets(drifts, names, everything=everything))))


def _targets(drifts: Sequence[Drift], names: Sequence[str], *, everything: bool) -> Iterator[str]:
    """Which revision each source was followed to."""
    found: dict[str, str] = {}
    for drift, name in zip(drifts, names, strict=True):
        revision = _revision(drift)
        if revision or name not in found:
            found[name] = found.get(name) or revision
    asked = dict(zip(names, (drift.to for drift in drifts), strict=True))
    told = [f"{name} → {_told(revision, asked[name])}" for name, revision in found.items()]
    most = len(told) if everything else _FEW
    if told:
        more = f" and {len(told) - most:,} more" if len(told) > most else ""
        yield f"{', '.join(told[:most])}{more}"


def _revision(drift: Drift) -> str:
    """The revision that a citation was followed to; empty where it does not say."""
    found = drift.relocation
    places = (found.end, *found.candidates)
    return next((where.revision for where in places if where is not None), _meaning(drift))


def message(drift: Drift) -> str:
    """Its message; empty where it says only that the cited file was deleted, as the sentence above does."""
    said = drift.relocation.message
    is_known = drift.status is Status.DELETED and said == f"{drift.start.path} was deleted"
    return "" if is_known else said


def notes(drift: Drift) -> list[str]:
    """Its notes, but for the one that says what a name meant: the last line does."""
    return [note for note in _notes(drift) if not _is_meaning(drift, note)]


def _meaning(drift: Drift) -> str:
    """The commit that a name such as `latest` meant; empty where no note says it."""
    begins = _MEANT.format(drift.to)
    return next((note.removeprefix(begins) for note in _notes(drift) if _is_meaning(drift, note)), "")


def _is_meaning(drift: Drift, note: str) -> bool:
    begins = _MEANT.format(drift.to)
    return note.startswith(begins) and is_object_id(note.removeprefix(begins))


def _notes(drift: Drift) -> tuple[str, ...]:
    return *drift.relocation.notes, *drift.notes


def _told(revision: str, asked: str) -> str:
    """A revision and what was asked for, where that is not the beginning of it."""
    if not is_object_id(revision):
        return revision or asked
    short = revision[:_SHORT]
    return short if not asked or revision.startswith(asked) else f"{short} ({asked})"
