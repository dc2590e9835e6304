"""A project with results of every sort, hostile ones too, and the site that is made of it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from support.origins import OFFLINE, Commit, commit
from support.workspace import TODAY, Workspace, cite, cite_expression, cite_value, source

from provenance.citation import Citation, LineRange, Quantity, Source, Term
from provenance.history import Commit as Change
from provenance.project import LockFiles
from provenance.publish.folder import site_folder
from provenance.publish.publishing import publish
from provenance.relocation import LEVELS, Confidence, Drift, Relocation, Spot, Status
from provenance.verify import Settings, verify

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import date
    from pathlib import Path

    from provenance.publish.publishing import Published

CODE = '''\
"""A pump, and what it is driven by."""

import math

SIZE = 512


class Valve:
    """Opens and closes."""

    def open(self, bar):
        # twice as far
        return bar * 2

    def close(self):
        return 0


def pump(litres, *, speed=1.0):
    """Move water."""
    if litres < 0:
        raise ValueError("no water")
    pressure = math.sqrt(litres) * speed
    return pressure


@staticmethod
def idle():
    return None
'''
LONG = "".join(f"value_{number} = {number}\n" for number in range(1, 7001))

BREAKOUT = (
    "</script></style><script>window.hacked = 1; alert(1)</script><img src=x onerror='window.hacked=2'>"
)
"""What would run, if it were not escaped."""
UNSEEN = "a\u202eb\u200bc\x00d\x1b[31me\u2028f\ud800"
"""What would hide, or turn the text around."""

HOSTILE = f"""\
{BREAKOUT}
tricky = "\u202e\u2066// if admin\u2069 \u2066"
::error::pwned
##vso[task.setvariable variable=a]b
{{{{ 7 * 7 }}}} {{% raw %}}
"""

FILES = {
    "src/engine/pump.py": CODE.encode(),
    "config.json": b'{\n  "width": 768,\n  "deep": {"n": [1, 2]}\n}\n',
    "src/long.py": LONG.encode(),
    "src/hostile.py": HOSTILE.encode(),
    "bad/'\"><b>.py": CODE.encode(),
    "logo.png": b"\x89PNG\0\0",
}
MADE: Commit = commit(FILES)
PUMP = "src/engine/pump.py"

_OPEN = "    def open(self, bar):\n        # twice as far\n        return bar * 2\n"
_CHANGED = "    def open(self, pascal):\n        # twice as far\n        return pascal * 3\n"
_CLOSE = "    def close(self):\n        return 0\n"
_PUMP = (
    "def pump(litres, *, speed=1.0):\n    …\n    pressure = math.sqrt(litres) * speed\n    return pressure\n"
)


def citations(of: Source) -> list[Citation]:
    """One of each sort."""
    claim = "The valve opens twice as far as the pressure says, which `Valve.open` computes."
    return [
        cite(of, "opens", path=PUMP, lines="11-13", quote=_OPEN, claim=claim),
        cite(of, "opens-otherwise", path=PUMP, lines="11-13", quote=_CHANGED, claim=claim),
        cite(of, "closes", path=PUMP, lines="11-13", quote=_CLOSE, claim="It closes by 30 bar."),
        cite(of, "pumps", path=PUMP, lines="19-24", quote=_PUMP, claim="Water is moved."),
        cite(of, "leaves-out", path=PUMP, lines="19-24", quote=_PUMP.replace("    …\n", ""), claim=""),
        cite(of, "no-quote", path=PUMP, lines="26-28", quote=None),
        cite(of, "past-the-end", path=PUMP, lines="90-95", quote="nothing of the sort\n"),
        cite(of, "nowhere", path="src/gone.py", lines="1-2", quote="import os\n"),
        cite(of, "picture", path="logo.png", lines="1", quote="PNG\n"),
        cite(
            of,
            "far-down",
            path="src/long.py",
            lines="6500-6501",
            quote="value_6500 = 6500\nvalue_6501 = 6501\n",
        ),
        replace(cite_expression(of, "math.sqrt(litres) * speed", "23"), path=PUMP, id="root"),
        cite_value(of, "/width", "768"),
    ]


def hostile(of: Source) -> list[Citation]:
    """What nobody should write."""
    return [
        cite(of, "Case", path=PUMP, lines="5", quote="SIZE = 512\n"),
        cite(of, "case", path=PUMP, lines="5", quote="SIZE = 512\n"),
        cite(of, "ca/se", path=PUMP, lines="5", quote="SIZE = 512\n"),
        cite(of, "../../../etc/passwd", path=PUMP, lines="5", quote="SIZE = 512\n"),
        cite(
            of,
            BREAKOUT,
            path="src/hostile.py",
            lines="1-5",
            quote=HOSTILE,
            claim=f"{BREAKOUT} {{{{ 7 * 7 }}}}",
        ),
        cite(
            of,
            "turned",
            path="src/hostile.py",
            lines="2",
            quote="tricky = 'other'\u202e\n",
            claim="\u202eright to left",
        ),
        cite(of, "odd-path", path="bad/'\"><b>.py", lines="5", quote="SIZE = 512\n"),
        cite(of, "語", path=PUMP, lines="5", quote="SIZE = 5\n"),
    ]


def sums() -> tuple[Quantity, ...]:
    """One that holds, one that does not."""
    return (
        Quantity("weights", (Term("matrix", "512 × 4", "2048"), Term("bias", "4", "4")), "2052", "2", "4104"),
        Quantity("broken", (Term(BREAKOUT, "2 × 2", "5"),), "5"),
    )


@dataclass(frozen=True)
class Site:
    """A project, and the folder of its site."""

    space: Workspace
    folder: Path

    def publish(self, problems: Sequence[str] = (), today: date = TODAY) -> Published:
        """Write the site."""
        settings = Settings(today, {})
        with self.space.store() as store:
            found = verify(self.space.files, store, LockFiles(self.space.project), self.space.asking())
            with site_folder(self.folder) as writer:
                return publish(found.batches, store, settings, writer, problems=problems)

    def page(self, id_: str) -> str:
        """The text of a result's page, by its id: the only one whose heading that is."""
        found = [text for text in self.pages("results").values() if f"<h1>{id_}</h1>" in text]
        assert len(found) == 1, (id_, len(found))
        return found[0]

    def pages(self, folder: str) -> Mapping[str, str]:
        """The pages of a folder of the site, by their names."""
        return {file.name: file.read_text("utf-8") for file in sorted((self.folder / folder).glob("*.html"))}

    @property
    def index(self) -> str:
        return (self.folder / "index.html").read_text("utf-8")


def project(root: Path, *, many: int = 0) -> Workspace:
    """A project with results of every sort, and as many more that hold as are wanted."""
    space = Workspace(root)
    space.origins.add(MADE, "v1", MADE.id[:12])
    of = source("v1")
    space.write(*citations(of), name="pump", title="How the pump works", quantities=sums())
    evil = space.write(*hostile(source("v1", name="evil")), name="hostile", title=f"Evil {BREAKOUT}")
    evil.write_text(
        evil.read_text("utf-8").replace("sources:", "url: https://example.org/a?b=<i>&c='d\nsources:", 1),
        "utf-8",
    )
    space.origins.names["v9"] = OFFLINE
    local = Source("away", "javascript:window.hacked=3//@example.org/x", "v9")
    space.write(
        cite(local, "unreached", path="a.py", lines="1-2", quote="import os\nimport sys\n"), name="away"
    )
    for number in range(0, many, 200):
        cited = [_line(of, at) for at in range(number + 1, min(number + 200, many) + 1)]
        space.write(*cited, name=f"many-{number:05}", title=f"Values {number}")
    return space


def _line(of: Source, at: int) -> Citation:
    number = (at - 1) % 7000 + 1
    text = f"value_{number} = {number}\n"
    return cite(
        of, f"value-{at}", path="src/long.py", lines=str(number), quote=text, claim=f"It is {number}."
    )


def remember_drift(space: Workspace) -> None:
    """Store what became of one citation, as `prov drift` would."""
    with space.store() as store:
        found = verify(space.files, store, LockFiles(space.project), space.asking())
        stored = next(
            batch.manifest.stored for batch in found.batches if "pump" in batch.manifest.stored.path
        )
        cited = next(item for item in store.citations(stored) if item.citation.id == "opens")
        newer = "1" * 40
        relocation = Relocation(
            Status.EDITED,
            Spot(newer, "src/valve.py", LineRange(21, 23)),
            "two of three lines differ",
            0.75,
            Confidence.LOW,
            commit=newer,
            edits=1,
        )
        drift = Drift(
            stored.path,
            cited.citation,
            Spot(MADE.id, PUMP, LineRange(11, 13)),
            relocation,
            LEVELS[Status.EDITED],
            diff="--- a\n+++ b\n@@ -11 +21 @@\n-    return bar * 2\n+    return bar * 3",
            commit=Change(newer, "2026-01-02T03:04:05+00:00", f"Move {BREAKOUT}"),
            to="v2",
            reached=newer,
        )
        with store.transaction() as transaction:
            transaction.put_drifts([drift])
