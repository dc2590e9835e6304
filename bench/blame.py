"""Where `git blame --reverse -w -M -C` says that lines are: what people have without prov."""

from __future__ import annotations

import re
import subprocess
from collections import defaultdict
from typing import TYPE_CHECKING

from support.scoring import Answer, Prediction

from provenance.citation import LineRange

if TYPE_CHECKING:
    from pathlib import Path

_HEADER = re.compile(rb"(?P<commit>[0-9a-f]{40}) (?P<there>[0-9]+) [0-9]+(?: [0-9]+)?")
"""A line of `--line-porcelain` that begins an entry: a commit, the line's number there, and that of today."""


def command(repository: Path, old: str, new: str, path: str, lines: LineRange) -> list[str]:
    """What asks git."""
    options = [
        "blame",
        "--reverse",
        "-w",
        "-M",
        "-C",
        "--line-porcelain",
        "-L",
        f"{lines.first},{lines.last}",
    ]
    return ["git", "--git-dir", str(repository), *options, f"{old}..{new}", "--", path]


def follow(repository: Path, old: str, new: str, path: str, lines: LineRange) -> Prediction:
    """From the first to the last line that lives on in the file which has most of them."""
    asked = command(repository, old, new, path, lines)
    done = subprocess.run(asked, capture_output=True, check=False)
    if done.returncode:
        return Prediction(Answer.UNSURE)
    living, before = _living(done.stdout, new)
    if not living:
        return Prediction(Answer.DELETED)
    there, numbers = max(living.items(), key=lambda item: len(item[1]))
    found = LineRange(min(numbers), max(numbers))
    shown = ["git", "--git-dir", str(repository), "show", f"{new}:{there}"]
    text = subprocess.run(shown, capture_output=True, check=True).stdout.split(b"\n")
    is_same = text[found.first - 1 : found.last] == before
    return Prediction(Answer.SAME if is_same else Answer.EDITED, there, found)


def _living(output: bytes, new: str) -> tuple[dict[str, list[int]], list[bytes]]:
    """The numbers of the lines that are there to the end, by path; and the lines as they were."""
    living: dict[str, list[int]] = defaultdict(list)
    before: list[bytes] = []
    commit, number = b"", 0
    for line in output.split(b"\n"):
        header = _HEADER.fullmatch(line)
        if header:
            commit, number = header["commit"], int(header["there"])
        elif line.startswith(b"filename ") and commit == new.encode():
            living[line.removeprefix(b"filename ").decode("utf-8", "surrogateescape")].append(number)
        elif line.startswith(b"\t"):
            before.append(line[1:])
    return living, before
