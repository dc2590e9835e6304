"""A proxy for https that leads every name to one place of a test's own, or nowhere.

With a certificate it ends TLS itself and answers `GET`; without one it hangs up as soon as TLS begins, which a client
takes for a host that is not there, and does not try again.
"""

from __future__ import annotations

import shutil
import socketserver
import subprocess
import threading
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    import ssl
    from collections.abc import Callable, Iterator
    from pathlib import Path


@dataclass(slots=True)
class Tunnel:
    """A running proxy: where it is, and what it was asked."""

    url: str
    context: ssl.SSLContext | None = None
    """Ends TLS; None to hang up."""
    answers: dict[str, bytes] = field(default_factory=dict)
    """Bodies by path; any other path is not found."""
    asked: list[str] = field(default_factory=list)
    """The hosts and ports of `CONNECT`, and the paths of `GET`."""


class _Server(socketserver.ThreadingMixIn, socketserver.TCPServer):
    daemon_threads = True


def _handler(tunnel: Tunnel) -> type[socketserver.BaseRequestHandler]:
    class Handler(socketserver.BaseRequestHandler):
        def handle(self) -> None:
            with suppress(OSError):  # a client that has read enough hangs up
                tunnel.asked.append(_head(self.request.recv).split()[1])
                self.request.sendall(b"HTTP/1.1 200 Connected\r\n\r\n")
                if tunnel.context is not None:
                    with tunnel.context.wrap_socket(self.request, server_side=True) as secure:
                        self._answer(secure)

        @staticmethod
        def _answer(secure: ssl.SSLSocket) -> None:
            path = _head(secure.recv).split()[1]
            tunnel.asked.append(path)
            body = tunnel.answers.get(path)
            status = b"404 Not Found" if body is None else b"200 OK"
            body = body or b""
            secure.sendall(
                b"HTTP/1.1 %s\r\nContent-Length: %d\r\nConnection: close\r\n\r\n%s"
                % (status, len(body), body)
            )

    return Handler


def _head(receive: Callable[[int], bytes]) -> str:
    """The request line and the headers; nothing follows them here."""
    data = b""
    while b"\r\n\r\n" not in data:
        chunk = receive(4096)
        if not chunk:
            raise ConnectionError
        data += chunk
    return data.decode("latin-1")


@contextmanager
def tunnel() -> Iterator[Tunnel]:
    """Run a proxy on the loopback interface until the block ends."""
    made = Tunnel("")
    server = _Server(("127.0.0.1", 0), _handler(made))
    made.url = f"http://127.0.0.1:{server.server_address[1]}"
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    try:
        yield made
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def certificate(folder: Path, host: str) -> Path:
    """A certificate that signs itself, with its key in the same file."""
    if shutil.which("openssl") is None:
        pytest.skip("openssl is not installed, so no certificate can be made")
    file = folder / "certificate.pem"
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", f"/CN={host}",
         "-addext", f"subjectAltName=DNS:{host}", "-keyout", folder / "key.pem", "-out", file],
        check=True,
        capture_output=True,
    )  # fmt: skip
    file.write_bytes(file.read_bytes() + (folder / "key.pem").read_bytes())
    return file
