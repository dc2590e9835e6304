"""What of a mention's target matters here: which place it is, so far as its text tells."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, assert_never

from provenance.links.targets import ContentLink, FileLink, NotUnderstood, PlainPlace, RelativeLink

if TYPE_CHECKING:
    from provenance.citation import LineRange
    from provenance.document import Mention
    from provenance.links.targets import Target


class Cited(NamedTuple):
    """A place in code as a document names it."""

    file: str
    """Names the file and its revision; equal for two mentions of the same, however their lines are written."""
    path: str
    """Empty where the link names none. The first part may be of a branch's name."""
    lines: LineRange | None
    """None where there are none, or where they cannot be, such as a reversed range."""

    @property
    def place(self) -> tuple[str, LineRange | None]:
        """Equal for two mentions of the same lines."""
        return self.file, self.lines


def cited(mention: Mention) -> Cited | None:
    """The place that a mention names; None where it was not understood."""
    return None if isinstance(mention.target, NotUnderstood) else _cited(mention.target)


def _cited(target: Target) -> Cited:
    lines = target.anchor.lines if target.anchor else None
    match target:
        case FileLink():
            return Cited(f"{target.git} {target.rest}", target.path, lines)
        case ContentLink():
            return Cited(target.blob, target.path or "", lines)
        case RelativeLink() | PlainPlace():
            return Cited(target.path, target.path, lines)
        case _:
            assert_never(target)
