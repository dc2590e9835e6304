"""What each verdict and status means and what to do about it, for formats that carry such texts with their results."""

from __future__ import annotations

from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING

from provenance.evidence import DEFAULT_LEVELS, Level, Verdict
from provenance.relocation import LEVELS, Status

if TYPE_CHECKING:
    from collections.abc import Mapping

NOT_UNDERSTOOD = "not-understood"
"""The rule of what looks like a citation in a document and could not be read as one."""
PROBLEM = "problem"
"""The rule of what is wrong with the input: a manifest, a lock, a document or a URL."""


@dataclass(frozen=True, slots=True)
class Rule:
    """A verdict or a status, explained."""

    id: str
    level: Level
    """The one that it has where nothing else is configured."""
    short: str
    """One sentence: what is so."""
    advice: str
    """What to do."""
    subject: str = "citation"
    """What it is said of, for tags."""

    @property
    def name(self) -> str:
        """The id as an identifier, such as `OutOfRange`."""
        return "".join(word.capitalize() for word in self.id.split("-"))


_KEEP = "There is nothing to do."

_VERDICTS = {
    Verdict.EXACT: ("The quote is the cited lines.", _KEEP),
    Verdict.WHITESPACE: ("The quote is the cited lines, but for white space without meaning.", _KEEP),
    Verdict.ELIDED: ("The quote leaves lines out, and every gap has a true mark.", _KEEP),
    Verdict.ANCHORED: (
        "One line is cited, and the longer quote holds it in its place.",
        "Cite the quote's full range where that is easy.",
    ),
    Verdict.UNQUOTED: ("Path and lines exist; there is no quote to compare.", _KEEP),
    Verdict.PARTIAL: (
        "The quote leaves cited lines out without a mark.",
        "Put an omission mark where lines are left out, or cite the lines that are quoted.",
    ),
    Verdict.SHIFTED: (
        "The quote stands in the file, but not at the cited lines.",
        "Cite the lines at which the quote stands.",
    ),
    Verdict.CHANGED: (
        "What is shown differs from the cited lines.",
        "Read the difference. Quote the lines as they are, or cite the place and the revision that were meant.",
    ),
    Verdict.ABSENT: (
        "Nothing in the cited file comes close to the quote.",
        "Look for the right path and revision, or take the quote out.",
    ),
    Verdict.OUT_OF_RANGE: (
        "The cited range ends past the file's last line.",
        "Cite lines that the file has at the pinned revision.",
    ),
    Verdict.NOT_TEXT: ("The cited path is no text file.", "Cite the text that was meant."),
    Verdict.NO_PATH: (
        "The pinned revision has no such path.",
        "Correct the path, or pin a revision that has it.",
    ),
    Verdict.NO_REVISION: (
        "The repository has no such revision.",
        "Pin a commit that the repository has; a branch that was deleted took its commits along.",
    ),
    Verdict.UNAVAILABLE: (
        "Nobody could answer. This says nothing about the quote.",
        "Run prov again when the origin can be reached, or name an alternate.",
    ),
    Verdict.HOLDS: ("What is stated holds.", _KEEP),
    Verdict.BROKEN: (
        "What is stated does not hold.",
        "Correct the number that is wrong, or the pin that is stated.",
    ),
}

_STATUSES = {
    Status.UNCHANGED: ("The cited lines are where they were, and the same.", _KEEP),
    Status.MOVED: (
        "The cited lines are the same, at other lines.",
        "prov drift --write moves the pin along.",
    ),
    Status.RENAMED: (
        "The cited lines are the same, in a file of another path.",
        "prov drift --write moves the pin along.",
    ),
    Status.EDITED: (
        "The cited lines were edited.",
        "Read what the document says of them again; prov drift --write --accept ID takes the new text.",
    ),
    Status.AMBIGUOUS: (
        "The cited lines could be at several places, of which none is taken.",
        "Look at the candidates and cite one of them by hand.",
    ),
    Status.DELETED: (
        "The cited lines were deleted.",
        "The document is right about its pin. Say that it speaks of an older version, or cite what came instead.",
    ),
    Status.UNAVAILABLE: (
        "It could not be told where the cited lines are. This says nothing about them.",
        "Run prov verify to see whether the citation holds at its pin, and run again when the origin can be reached.",
    ),
}

_UNDERSTOOD = Rule(
    NOT_UNDERSTOOD,
    Level.WARNING,
    "This looks like a citation of code, and cannot be read as one.",
    "Write the link so that it names a repository, a revision, a path and lines.",
    "document",
)

RULES: Mapping[str, Mapping[str, Rule]] = MappingProxyType(
    {
        "verify": {
            **{
                verdict.value: Rule(
                    verdict.value,
                    DEFAULT_LEVELS[verdict],
                    *texts,
                    "statement" if verdict in {Verdict.HOLDS, Verdict.BROKEN} else "citation",
                )
                for verdict, texts in _VERDICTS.items()
            },
            NOT_UNDERSTOOD: _UNDERSTOOD,
        },
        "drift": {
            status.value: Rule(status.value, LEVELS[status], *texts, "drift")
            for status, texts in _STATUSES.items()
        },
    }
)
"""By the command that judges by them, and by their ids; `scan` judges as `verify` does."""


def rules_of(command: str) -> Mapping[str, Rule]:
    """The rules that a command's results can have, by their ids."""
    return RULES["drift" if command == "drift" else "verify"]
