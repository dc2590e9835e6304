"""A real smart-HTTP git server for tests and benchmarks.

`git http-backend` runs as a CGI program behind a threading HTTP server on the loopback interface.
The server counts requests and bytes, and can be told to delay, to refuse, or to demand a header.
"""

from __future__ import annotations

import os
import socketserver
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, HTTPServer
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path


@dataclass(slots=True)
class Traffic:
    """What a server has seen since it was last reset."""

    requests: list[str] = field(default_factory=list)
    """Method and path with query, one a request, in order."""
    received: int = 0
    """Bytes of request bodies."""
    sent: int = 0
    """Bytes of response bodies."""


Responder = Callable[[BaseHTTPRequestHandler], bool]
"""Called before the backend; True when it has answered the request itself."""


class _Server(socketserver.ThreadingMixIn, HTTPServer):
    daemon_threads = True
    allow_reuse_address = True
    request_queue_size = 64

    def handle_error(self, request: object, client_address: object) -> None:
        """Say nothing of clients that hang up early: tests end some on purpose."""
        if not isinstance(sys.exception(), ConnectionError):
            super().handle_error(request, client_address)  # type: ignore[arg-type]


@dataclass(slots=True)
class GitServer:
    """A running server: where it is, what it saw, and what it is told to do."""

    root: Path
    """The folder that holds the repositories."""
    url: str
    """The base URL, without a last slash."""
    traffic: Traffic
    delay: float = 0.0
    """Seconds that each request waits before it is answered (one round trip)."""
    responder: Responder | None = None
    environ: dict[str, str] = field(default_factory=dict)
    """More variables for the backend, such as `GIT_CONFIG_*`."""
    filters: bool = True
    """False: the server ignores `--filter`."""
    any_id: bool = True
    """False: under protocol version 0 a commit that no ref names is refused."""
    protocol_v2: bool = True
    """False: the client's wish for protocol version 2 is not passed on."""

    def reset(self) -> None:
        """Forget the traffic seen so far."""
        self.traffic = Traffic()


def _backend_environment(
    server: GitServer, handler: BaseHTTPRequestHandler, body: bytes
) -> Mapping[str, str]:
    path, _, query = handler.path.partition("?")
    environment = {
        "PATH": os.environ["PATH"],
        "GIT_PROJECT_ROOT": str(server.root),
        "GIT_HTTP_EXPORT_ALL": "1",
        "GIT_CONFIG_COUNT": "3",
        "GIT_CONFIG_KEY_0": "safe.directory",
        "GIT_CONFIG_VALUE_0": "*",
        "GIT_CONFIG_KEY_1": "uploadpack.allowFilter",
        "GIT_CONFIG_VALUE_1": "true" if server.filters else "false",
        "GIT_CONFIG_KEY_2": "uploadpack.allowAnySHA1InWant",
        "GIT_CONFIG_VALUE_2": "true" if server.any_id else "false",
        "PATH_INFO": path,
        "QUERY_STRING": query,
        "REQUEST_METHOD": handler.command,
        "REMOTE_ADDR": "127.0.0.1",
        "CONTENT_TYPE": handler.headers.get("Content-Type", ""),
        "CONTENT_LENGTH": str(len(body)),
        "HTTP_CONTENT_ENCODING": handler.headers.get("Content-Encoding", ""),
    }
    protocol = handler.headers.get("Git-Protocol")
    if protocol and server.protocol_v2:
        environment["GIT_PROTOCOL"] = protocol
    return environment | server.environ


def _request_body(handler: BaseHTTPRequestHandler) -> bytes:
    if handler.headers.get("Transfer-Encoding", "").lower() == "chunked":
        parts = []
        while size := int(handler.rfile.readline(), 16):
            parts.append(handler.rfile.read(size))
            handler.rfile.readline()
        handler.rfile.readline()
        return b"".join(parts)
    return handler.rfile.read(int(handler.headers.get("Content-Length") or 0))


class _Handler(BaseHTTPRequestHandler):
    state: GitServer
    protocol_version = "HTTP/1.1"

    def setup(self) -> None:
        self.request.settimeout(60)
        super().setup()

    def _answer(self) -> None:
        body = _request_body(self)
        self.state.traffic.requests.append(f"{self.command} {self.path}")
        self.state.traffic.received += len(body)
        if self.state.delay:
            time.sleep(self.state.delay)
        if self.state.responder is not None and self.state.responder(self):
            return
        self._run_backend(body)

    do_GET = do_POST = do_HEAD = _answer  # noqa: N815 - the names http.server looks for

    def _run_backend(self, body: bytes) -> None:
        with subprocess.Popen(
            ["git", "http-backend"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=dict(_backend_environment(self.state, self, body)),
        ) as backend:
            assert backend.stdin is not None
            assert backend.stdout is not None
            feeder = threading.Thread(target=self._feed, args=(backend.stdin, body))
            feeder.start()
            self._relay(backend.stdout)
            feeder.join()

    @staticmethod
    def _feed(stdin: object, body: bytes) -> None:
        try:
            stdin.write(body)  # type: ignore[attr-defined]
            stdin.close()  # type: ignore[attr-defined]
        except BrokenPipeError:
            pass  # the backend answered without reading all of it

    def _relay(self, stdout: object) -> None:
        status, headers = 200, []
        while line := stdout.readline().strip():  # type: ignore[attr-defined]
            name, _, value = line.decode("latin-1").partition(":")
            if name.lower() == "status":
                status = int(value.split()[0])
            else:
                headers.append((name, value.strip()))
        self.send_response(status)
        for name, value in headers:
            self.send_header(name, value)
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()
        while chunk := stdout.read1(65536):  # type: ignore[attr-defined]
            self.state.traffic.sent += len(chunk)
            self.wfile.write(b"%x\r\n%s\r\n" % (len(chunk), chunk))
        self.wfile.write(b"0\r\n\r\n")

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the base's name
        """Say nothing: a test's output is its own."""


@contextmanager
def serve(root: Path) -> Iterator[GitServer]:
    """Serve every repository below `root` over HTTP until the block ends."""
    server = GitServer(root=root, url="", traffic=Traffic())
    httpd = _Server(("127.0.0.1", 0), type("_Bound", (_Handler,), {"state": server}))
    server.url = f"http://127.0.0.1:{httpd.server_address[1]}"
    thread = threading.Thread(target=httpd.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    try:
        yield server
    finally:
        httpd.shutdown()
        thread.join()
        httpd.server_close()
