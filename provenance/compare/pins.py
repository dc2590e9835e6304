"""Whether a revision that a document names beside its evidence is the one that the evidence is pinned to."""

from __future__ import annotations

import re

from provenance.evidence import Judgement, Verdict

_DIGITS = re.compile(r"[0-9a-f]{4,40}")
"""What may be a commit id, or the beginning of one: git's shortest has 4 digits (`MINIMUM_ABBREV` in its cache.h)."""


def judge_pin(stated: str, revision: str, commit: str | None) -> Judgement:
    """Compare what a document states with a source's pin; one that begins like the other agrees with it.

    Args:
        stated: the revision as the document states it.
        revision: the source's revision as written.
        commit: the full commit id that it stands for; None where that is not known.
    """
    if stated == revision:
        return Judgement(Verdict.HOLDS)
    ours, theirs = stated.lower(), (commit or revision).lower()
    if not _DIGITS.fullmatch(ours):
        return _by_name(stated, revision)
    if not _DIGITS.fullmatch(theirs):
        message = f"{stated} cannot be compared with {revision} before that is resolved: run prov fetch"
        return Judgement(Verdict.UNAVAILABLE, message)
    if theirs.startswith(ours) or (commit is None and ours.startswith(theirs)):
        return Judgement(Verdict.HOLDS)
    return Judgement(
        Verdict.BROKEN, f"the document states {stated}, and its evidence is pinned to {commit or revision}"
    )


def _by_name(stated: str, revision: str) -> Judgement:
    """A tag or a branch beside another name, or beside a commit id: what it stands for is not asked."""
    message = f"{stated} is no commit id, and is not the name by which the evidence is pinned, {revision}"
    return Judgement(Verdict.UNAVAILABLE, message)
