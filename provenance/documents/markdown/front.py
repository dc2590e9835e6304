"""Front matter: what stands above a document, between marks, for the program that renders it."""

from __future__ import annotations

import re

_YAML_LINE = re.compile(r"[ \t#}\]'\"-]|\Z|[\w.$/-]{1,200}[ \t]{0,9}:")
"""How a line within YAML front matter begins. Two thematic breaks have prose between them."""


def without_front_matter(text: str) -> str:
    """The text with as many empty lines in the place of its front matter, so that its lines keep their numbers."""
    mark = text[:3]
    if mark not in {"---", "+++"}:
        return text
    ends = {mark, "..."} if mark == "---" else {mark}
    start = 0
    for count in range(text.count("\n") + 1):
        end = text.find("\n", start)
        line = (text[start:] if end < 0 else text[start:end]).rstrip(" \t")
        if count and line in ends:
            return "\n" * count + ("" if end < 0 else text[end:])
        belongs = line == mark if count == 0 else mark == "+++" or _YAML_LINE.match(line)
        if not belongs or end < 0:
            break
        start = end + 1
    return text
