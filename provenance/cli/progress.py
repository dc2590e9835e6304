"""How far a run has come, drawn by rich on a terminal: a row a transfer, and one for what is judged."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.cells import cell_len
from rich.console import Console, Group
from rich.filesize import decimal
from rich.live import Live
from rich.progress import FileSizeColumn, Progress, ProgressColumn, Task, TaskID, TextColumn
from rich.text import Text
from rich.theme import Theme

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import TextIO

    from rich.console import RenderableType

_MOST = 8
"""Transfers that have a row: those that advanced last."""
_BESIDE = 40
"""Columns for what stands beside a name."""
_SHORTEST = 16
"""Columns that a name is given at the least."""
_SPACIOUS = 60
"""Columns from which there is room for rates."""
_THEME = Theme({"progress.filesize": "none"})
"""Nothing is green that is not good."""


class _Console(Console):
    """A console that does not hide the cursor: a run that is killed could not show it again."""

    def show_cursor(self, show: bool = True) -> bool:
        """Leave it as it is."""
        return not show


class _Rate(ProgressColumn):
    """How much a second."""

    def __init__(self, shown: Callable[[float], str]) -> None:
        super().__init__()
        self._shown = shown

    def render(self, task: Task) -> Text:
        """Nothing until it can be told."""
        return Text("" if task.speed is None else f"{self._shown(task.speed)}/s", style="dim")


class Display:
    """Rows on a terminal, from when it is made until it is told to stop. Not safe for threads by itself.

    There is no thread of its own: it is drawn anew when it is told to.
    """

    def __init__(self, stream: TextIO, *, colour: bool) -> None:
        self._console = _Console(
            file=stream,
            force_terminal=True,
            color_system="standard" if colour else None,
            legacy_windows=False,
            no_color=not colour,
            markup=False,
            highlight=False,
            emoji=False,
            theme=_THEME,
        )
        rates = self._console.width >= _SPACIOUS
        fields = (
            TextColumn("{task.description}", markup=False),
            TextColumn("{task.fields[objects]:,} objects", markup=False, justify="right"),
            FileSizeColumn(),
        )
        self._transfers = self._progress(
            *fields, *([_Rate(lambda speed: decimal(int(speed)))] if rates else [])
        )
        judging = TextColumn("judging: {task.completed:,.0f} citations", markup=False)
        self._judging = self._progress(judging, *([_Rate("{:,.0f}".format)] if rates else []))
        self._tasks: dict[str, TaskID] = {}
        """By name; what advanced last stands last."""
        self._judged: TaskID | None = None
        self._live = Live(
            console=self._console,
            auto_refresh=False,
            transient=True,
            redirect_stdout=False,
            redirect_stderr=False,
            get_renderable=self._view,
        )
        self._live.start()

    def _progress(self, *columns: ProgressColumn) -> Progress:
        return Progress(*columns, console=self._console, auto_refresh=False)

    def _view(self) -> RenderableType:
        parts: list[RenderableType] = []
        if self._tasks:
            parts.append(self._transfers)
        hidden = len(self._tasks) - _MOST
        if hidden > 0:
            parts.append(Text(f"and {hidden:,} more"))
        if self._judged is not None:
            parts.append(self._judging)
        return Group(*parts)

    def advance(self, what: str, *, received: int, objects: int) -> None:
        """How far a transfer has come; its name is visible text.

        Args:
            what: its name.
            received: bytes.
            objects: 0 where that is not known.
        """
        task = self._tasks.pop(what, None)
        if task is None:
            task = self._transfers.add_task(self._shortened(what), total=None, objects=0)
        self._tasks[what] = task
        self._transfers.update(task, completed=received, objects=objects, visible=True)
        for old in list(self._tasks.values())[:-_MOST]:
            self._transfers.update(old, visible=False)

    def judged(self, count: int) -> None:
        """How many citations have been judged."""
        if self._judged is None:
            self._judged = self._judging.add_task("", total=None)
        self._judging.update(self._judged, completed=count)

    def _shortened(self, name: str) -> str:
        """A name that leaves room beside it: its end says more than its beginning."""
        most = max(self._console.width - _BESIDE, _SHORTEST)
        if cell_len(name) <= most:
            return name
        while cell_len(name) >= most:
            name = name[max(1, len(name) - most) :]
        return f"…{name}"

    def draw(self) -> None:
        """Draw it as it is now."""
        self._live.refresh()

    def say(self, line: str) -> None:
        """Print a line of visible text above."""
        self._console.print(Text(line), soft_wrap=True)

    def stop(self) -> None:
        """Take everything away."""
        self._live.stop()
