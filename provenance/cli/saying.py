"""What is said on stderr: fit for a terminal, for a CI system, and for a log that others read."""

from __future__ import annotations

from provenance.links.permalinks import without_secrets
from provenance.report.inert import no_commands, visible


def told(text: str) -> str:
    """Text that may quote what was typed or read: nothing in it is obeyed, and no secret of a URL stands in it."""
    return no_commands(visible(without_secrets(text)))
