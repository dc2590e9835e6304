"""A process that has what `prov` is made of in memory, and forks for each command.

Most of a short command's time is Python's own start and the imports. What is forked here is a process of its own as
any other is: it leads a session, has its folder, environment and streams, runs the installed script, waits for its
threads, and its exit code and bytes are what its caller gets. What it shares with the next one is what was set when
the process that stands by was started: the interpreter's own variables (`OWN`), and the seed of hashes, for which
reason two stand by and take turns.
"""

from __future__ import annotations

import atexit
import gc
import json
import os
import re
import runpy
import selectors
import signal
import socket
import subprocess
import sys
import threading
import time
import traceback
from contextlib import ExitStack, closing, suppress
from functools import cache
from importlib import import_module
from itertools import cycle
from pathlib import Path
from pkgutil import walk_packages
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from types import TracebackType
    from typing import Self

OWN = re.compile(r"PYTHON|COVERAGE|LC_|LANG|TZ|PATH|LD_|GIT_(?!CONFIG_)")
"""How variables begin that are read when an interpreter starts or a module is imported: they want a new process."""

_HEAVY = (
    *("filelock", "git.cmd", "markdown_it", "platformdirs", "requests", "sqlalchemy.dialects.sqlite"),
    *("tomllib", "tree_sitter_python", "yaml"),
)
"""What most commands import when they need it."""


class Standby:
    """One process that stands by; commands run in forks of it, one at a time."""

    def __init__(self, program: str, environment: Mapping[str, str]) -> None:
        """Start it. `program` is the script that each fork runs; `environment` is what the interpreter starts with."""
        self.program = program
        self._channel, theirs = socket.socketpair()
        self._replies = self._channel.makefile("rb")
        with theirs:
            self._process = subprocess.Popen(
                [sys.executable, __file__, program, str(theirs.fileno())],
                env=dict(environment),
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                pass_fds=(theirs.fileno(),),
                start_new_session=True,
            )

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._replies.close()
        self._channel.close()
        self._process.communicate()

    def run(
        self, arguments: Sequence[str], folder: Path, environment: Mapping[str, str], patience: float
    ) -> tuple[int, bytes, bytes]:
        """Run the program to its end: its exit code, negative where a signal ended it, and what it wrote.

        One that takes longer than `patience` (seconds) is killed, with its group.

        Raises:
            TimeoutError: it was killed.
            ChildProcessError: what stands by has ended.
        """
        request = json.dumps([list(arguments), str(folder), dict(environment)]).encode()
        out, their_out = os.pipe()
        err, their_err = os.pipe()
        with ExitStack() as ours:
            streams = [ours.enter_context(os.fdopen(end, "rb", buffering=0)) for end in (out, err)]
            with ExitStack() as theirs:
                for end in (their_out, their_err):
                    theirs.callback(os.close, end)
                with suppress(ConnectionError):  # then there is no reply
                    socket.send_fds(self._channel, [b"\n"], [their_out, their_err])
                    self._channel.sendall(request + b"\n")
            child = self._reply()
            got = {stream.fileno(): bytearray() for stream in streams}
            if not _drain(got, time.monotonic() + patience):
                os.killpg(child, signal.SIGKILL)
                self._reply()
                message = f"{list(arguments)} did not end within {patience} s: {list(got.values())}"
                raise TimeoutError(message)
        return self._reply(), bytes(got[out]), bytes(got[err])

    def _reply(self) -> int:
        reply = b""
        with suppress(ConnectionError):
            reply = self._replies.readline()
        if not reply:
            message = f"what stands by has ended: {self._process.communicate()[1].decode()}"
            raise ChildProcessError(message)
        return int(reply)


@cache
def standing_by(program: str) -> Iterator[Standby]:
    """Two that take turns, without end; they are started when they are first needed, and end with this process."""
    environment = {"PATH": os.environ["PATH"], "LC_ALL": "C.UTF-8"}
    running = ExitStack()
    atexit.register(running.close)
    return cycle([running.enter_context(Standby(program, environment)) for _ in range(2)])


def _drain(got: Mapping[int, bytearray], until: float) -> bool:
    """Read each descriptor to its end; False where the time (of `time.monotonic`) was up before."""
    with closing(selectors.DefaultSelector()) as waiting:
        for end in got:
            waiting.register(end, selectors.EVENT_READ)
        while waiting.get_map():
            ready = waiting.select(until - time.monotonic())
            if not ready and time.monotonic() >= until:
                return False
            for key, _ in ready:
                read = os.read(key.fd, 1 << 16)
                got[key.fd].extend(read)
                if not read:
                    waiting.unregister(key.fd)
    return True


def _stand(channel: socket.socket) -> Sequence[str] | None:
    """Fork for each command that comes: the arguments in a fork, nothing when there is nobody left who asks."""
    requests = channel.makefile("rb")
    while True:
        begun, ends, _, _ = socket.recv_fds(channel, 1, 2)
        if not begun:
            return None
        request = requests.readline()
        child = os.fork()
        if not child:
            requests.close()
            channel.close()
            return _become(request, ends)
        for end in ends:
            os.close(end)
        channel.sendall(b"%d\n" % child)
        _, status = os.waitpid(child, 0)
        channel.sendall(b"%d\n" % os.waitstatus_to_exitcode(status))


def _become(request: bytes, ends: Sequence[int]) -> Sequence[str]:
    """Take over a command's streams, folder and environment; its arguments."""
    arguments, folder, environment = json.loads(request)
    os.setsid()
    for end, stream in zip(ends, (1, 2), strict=True):
        os.dup2(end, stream)
        os.close(end)
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(environment)
    return list(map(str, arguments))


def _ran(program: str) -> int:
    """The exit code of the program, once all that Python does at its end is done, but for taking memory to pieces."""
    code: object = 0
    try:
        runpy.run_path(program, run_name="__main__")
    except SystemExit as end:
        code = end.code or 0
    except BaseException:  # noqa: BLE001 - as the interpreter does
        traceback.print_exc()
        code = 1
    threading._shutdown()  # type: ignore[attr-defined]
    atexit._run_exitfuncs()
    sys.stdout.flush()
    sys.stderr.flush()
    assert isinstance(code, int)
    return code


def _prepare() -> None:
    """Import what the commands are made of."""
    import provenance

    for module in walk_packages(provenance.__path__, "provenance."):
        import_module(module.name)
    for name in _HEAVY:
        import_module(name)
    gc.collect()
    gc.freeze()


def _main() -> None:
    program, descriptor = sys.argv[1:]
    sys.path[0] = str(Path(program).parent)
    _prepare()
    arguments = _stand(socket.socket(fileno=int(descriptor)))
    if arguments is not None:
        sys.argv = [program, *arguments]
        os._exit(_ran(program))


if __name__ == "__main__":
    _main()
