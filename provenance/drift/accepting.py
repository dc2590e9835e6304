"""Which edits are agreed to: `--accept ID`. Pure."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from provenance.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence


def read_accepted(texts: Iterable[str], having: Callable[[str], Sequence[str]]) -> frozenset[tuple[str, str]]:
    """Find the citations that are named.

    Args:
        texts: each an `ID`, or `MANIFEST#ID` where several manifests have the id.
        having: tells the manifests, by their paths, that have a citation of an id.

    Returns:
        Manifest and id of each.

    Raises:
        UsageError: no citation is called so, or several are.
    """
    return frozenset(_meant(text, having) for text in texts)


def _meant(text: str, having: Callable[[str], Sequence[str]]) -> tuple[str, str]:
    manifests = having(text)
    if len(manifests) == 1:
        return manifests[0], text
    if manifests:
        ways = (f"{manifest}#{text}" for manifest in manifests)
        message = "\n  ".join([f"--accept {text} means several citations:", *ways])
        raise UsageError(message)
    for mark in re.finditer("#", text):
        manifest, id_ = text[: mark.start()].removeprefix("./"), text[mark.end() :]
        if manifest in having(id_):
            return manifest, id_
    message = f"--accept {text}: there is no such citation"
    raise UsageError(message)
