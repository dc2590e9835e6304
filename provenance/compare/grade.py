"""From a judgement to its level: what an artifact may say, what is expected, what the project decides."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from provenance.evidence import DEFAULT_LEVELS, Assurance, Judgement, Level, Verdict

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import date

    from provenance.citation import Expectation

_SURENESS = {Assurance.COMMIT: 2, Assurance.LOCKED: 1, Assurance.ARTIFACT: 0}


def settled_verdict(verdict: Verdict, assurance: Assurance | None, least: Assurance) -> Verdict:
    """The verdict once it is weighed how sure the bytes are: `unavailable` where they cannot carry it."""
    if assurance is None or verdict is Verdict.UNAVAILABLE:
        return verdict
    if _SURENESS[assurance] < _SURENESS[least]:
        return Verdict.UNAVAILABLE
    if assurance is Assurance.ARTIFACT and DEFAULT_LEVELS[verdict] is Level.FAILURE:
        return Verdict.UNAVAILABLE
    return verdict


def settle(judgement: Judgement, assurance: Assurance | None, least: Assurance) -> Judgement:
    """A judgement once it is weighed how sure the bytes are; the message says what was seen.

    An artifact can confirm and cannot refute: nothing ties it to the commit.
    """
    verdict = settled_verdict(judgement.verdict, assurance, least)
    if verdict is judgement.verdict or assurance is None:
        return judgement
    seen = f"{judgement.verdict.value}: {judgement.message}" if judgement.message else judgement.verdict.value
    if _SURENESS[assurance] < _SURENESS[least]:
        message = f"seen with assurance {assurance.value}, and --assurance asks for {least.value}: {seen}"
    else:
        message = f"an artifact can confirm and cannot refute; what it shows is {seen}"
    return replace(judgement, verdict=verdict, message=message)


def level(
    verdict: Verdict,
    levels: Mapping[Verdict, Level],
    expect: Expectation | None,
    today: date,
    *,
    in_document: bool = False,
) -> tuple[Level, str | None]:
    """A verdict's level, and a note where one is expected.

    Args:
        verdict: what was found.
        levels: what the project decides, where that is not the usual level.
        expect: what is expected of the citation.
        today: the day on which the level is asked for.
        in_document: whether a comment of a document says what is expected, for the words of the note.
    """
    usual = levels.get(verdict, DEFAULT_LEVELS[verdict])
    if expect is None or usual is Level.UNAVAILABLE:
        return usual, None
    key, word = ("prov: ignore", "ignored") if in_document else ("expect", "expected")
    if usual is Level.OK:
        what = key if expect.verdict is None else f"{key}{' ' if in_document else ': '}{expect.verdict}"
        return usual, f"{what} is no longer needed; it can be taken out"
    if expect.verdict not in {None, verdict.value}:
        return usual, f"{word} {expect.verdict}, and it is {verdict.value}"
    until = "" if expect.until is None else f" until {expect.until.isoformat()}"
    if covers(expect, verdict, today):
        return Level.WARNING, f"{word}{until}: {expect.because}"
    return usual, f"{word}{until}, which is over: {expect.because}"


def softer(levels: Mapping[Verdict, Level]) -> str:
    """Which verdicts a project takes more lightly than others do, in words: whoever reads a report is to know."""
    ranks = {level: rank for rank, level in enumerate((Level.OK, Level.WARNING, Level.FAILURE))}
    found = (
        f"{verdict.value} is {level.value}"
        for verdict, level in sorted(levels.items())
        if DEFAULT_LEVELS[verdict] in ranks and ranks[level] < ranks[DEFAULT_LEVELS[verdict]]
    )
    return ", ".join(found)


def covers(expect: Expectation | None, verdict: Verdict, today: date) -> bool:
    """Whether a verdict other than ok is one that is expected on this day."""
    if expect is None or expect.verdict not in {None, verdict.value}:
        return False
    return expect.until is None or today <= expect.until
