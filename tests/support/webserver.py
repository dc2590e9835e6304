"""A real HTTP server for tests, which answers what it is told to, also what no proper server would."""

from __future__ import annotations

import socketserver
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, HTTPServer

ENVIRONMENT = (
    "http_proxy",
    "https_proxy",
    "all_proxy",
    "no_proxy",
    "netrc",
    "requests_ca_bundle",
    "curl_ca_bundle",
)
"""What requests reads, in lower case; some in both cases. A test that talks to this server frees itself of it."""


def misleading(environment: Mapping[str, str]) -> list[str]:
    """The variables of `environment` that would lead a client elsewhere."""
    return [name for name in environment if name.lower() in ENVIRONMENT]


@dataclass(frozen=True, slots=True)
class Reply:
    """One answer."""

    body: bytes | Iterable[bytes] = b""
    """Whole, or in pieces that are sent as they come, without a length and perhaps without an end."""
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Asked:
    """One request that came in."""

    path: str
    """As it stands in the request line."""
    headers: Mapping[str, str]
    """By name in lower case."""


Route = Reply | Callable[[Asked], Reply]


@dataclass(slots=True)
class WebServer:
    """A running server: what it answers, and what it was asked."""

    port: int
    routes: dict[str, Route | list[Route]] = field(default_factory=dict)
    """By path: one answer for ever, or a list of them for one request each, the last for ever."""
    asked: list[Asked] = field(default_factory=list)

    @property
    def url(self) -> str:
        """Where it is, without a last slash."""
        return f"http://127.0.0.1:{self.port}"

    @property
    def endpoint(self) -> tuple[str, int]:
        """Its host and port."""
        return "127.0.0.1", self.port

    @property
    def paths(self) -> list[str]:
        """The paths that were asked for, in order."""
        return [asked.path for asked in self.asked]

    def reply(self, asked: Asked) -> Reply:
        """What a request is answered with."""
        route = self.routes.get(asked.path, Reply(status=404))
        if isinstance(route, list):
            route = route.pop(0) if len(route) > 1 else route[0]
        return route if isinstance(route, Reply) else route(asked)


class _Server(socketserver.ThreadingMixIn, HTTPServer):
    daemon_threads = True


def _handler(server: WebServer) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def handle(self) -> None:
            with suppress(ConnectionError):  # a client that has read enough hangs up
                super().handle()

        def do_GET(self) -> None:
            asked = Asked(self.path, {name.lower(): value for name, value in self.headers.items()})
            server.asked.append(asked)
            self._send(server.reply(asked))

        def _send(self, reply: Reply) -> None:
            self.send_response(reply.status)
            for name, value in reply.headers.items():
                self.send_header(name, value)
            if isinstance(reply.body, bytes):
                if "Content-Length" not in reply.headers:
                    self.send_header("Content-Length", str(len(reply.body)))
                self.end_headers()
                self.wfile.write(reply.body)
                return
            self.send_header("Connection", "close")
            self.end_headers()
            for piece in reply.body:
                self.wfile.write(piece)

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the base's name
            """Say nothing: a test's output is its own."""

    return Handler


@contextmanager
def serve_web() -> Iterator[WebServer]:
    """Serve over HTTP on the loopback interface until the block ends."""
    server = WebServer(port=0)
    httpd = _Server(("127.0.0.1", 0), _handler(server))
    server.port = httpd.server_address[1]
    thread = threading.Thread(target=httpd.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    try:
        yield server
    finally:
        httpd.shutdown()
        thread.join()
        httpd.server_close()
