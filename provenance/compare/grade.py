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
    verdict: Verdict, levels: Mapping[Verdict, Level], expect: Expectation | None, today: date
) -> tuple[Level, str | None]:
    """A verdict's level, and a note where the citation expects one."""
    usual = levels.get(verdict, DEFAULT_LEVELS[verdict])
    if expect is None or usual is Level.UNAVAILABLE:
        return usual, None
    if usual is Level.OK:
        return usual, f"expect: {expect.verdict} is no longer needed; it can be taken out"
    if verdict != expect.verdict:
        return usual, f"expected {expect.verdict}, and it is {verdict.value}"
    if today > expect.until:
        return usual, f"expected until {expect.until.isoformat()}, which is over: {expect.because}"
    return Level.WARNING, f"expected until {expect.until.isoformat()}: {expect.because}"
