from __future__ import annotations

import gzip
import hashlib
import os
import socket
import threading
import time
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from pathlib import Path
from typing import IO, TYPE_CHECKING

import pytest
from support.webserver import Asked, Reply, WebServer, serve_web

from provenance.origin.address import AddressPolicy
from provenance.origin.http import HttpSession, Limits, Login, _redirected
from provenance.origin.outcome import Downloaded, FailureKind, Fetched, HttpFailure

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

pytestmark = pytest.mark.usefixtures("plain_network")

LOCAL = AddressPolicy(allow_local=True)
NOW = datetime(2026, 5, 1, 12, tzinfo=UTC)
MEBIBYTE = 1024 * 1024


class Clock:
    """Time that passes only by sleeping."""

    def __init__(self) -> None:
        self.pauses: list[float] = []

    def sleep(self, seconds: float) -> None:
        self.pauses.append(seconds)

    def now(self) -> datetime:
        return NOW + timedelta(seconds=sum(self.pauses))


def session(
    clock: Clock | None = None,
    policy: AddressPolicy = LOCAL,
    *,
    limits: Limits | None = None,
    credentials: bool = True,
    logins: dict[tuple[str, int], Login] | None = None,
) -> HttpSession:
    clock = clock or Clock()
    return HttpSession(
        policy,
        limits=limits or Limits(),
        credentials=credentials,
        logins=logins or {},
        sleep=clock.sleep,
        now=clock.now,
    )


def failure(answer: object) -> HttpFailure:
    assert isinstance(answer, HttpFailure), answer
    return answer


def closed_port() -> int:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return int(listener.getsockname()[1])


def test_an_answer(web: WebServer) -> None:
    web.routes["/a?b=c"] = Reply(b"text", headers={"Content-Type": "text/plain"})
    answer = session().get(f"{web.url}/a?b=c", accept="text/plain")
    assert isinstance(answer, Fetched)
    assert answer.data == b"text"
    assert answer.url == f"{web.url}/a?b=c"
    assert answer.headers["content-type"] == "text/plain"
    assert web.asked[0].headers["accept"] == "text/plain"
    assert web.asked[0].headers["user-agent"].startswith("prov/")


def test_a_compressed_answer(web: WebServer) -> None:
    web.routes["/"] = Reply(gzip.compress(b"text" * 1000), headers={"Content-Encoding": "gzip"})
    answer = session().get(f"{web.url}/")
    assert isinstance(answer, Fetched)
    assert answer.data == b"text" * 1000


@pytest.mark.parametrize("size", [0, 10, 9 * MEBIBYTE])
def test_a_download(web: WebServer, size: int) -> None:
    body = os.urandom(size)
    web.routes["/"] = Reply(body, headers={"Content-Encoding": "gzip"})  # as some servers say of a .tar.gz
    heard: list[int] = []
    answer = session().download(f"{web.url}/", limit=10 * MEBIBYTE, progress=heard.append)
    assert isinstance(answer, Downloaded)
    with answer.file as file:
        assert file.read() == body
    assert answer.sha256 == hashlib.sha256(body).hexdigest()
    assert answer.size == size
    assert heard == sorted(heard)
    assert sum(heard[-1:]) == size


def open_full_disk(**_: object) -> IO[bytes]:
    return Path("/dev/full").open("wb", buffering=0)


def test_a_full_disk_is_an_answer(web: WebServer, monkeypatch: pytest.MonkeyPatch) -> None:
    web.routes["/"] = Reply(b"text")
    monkeypatch.setattr("tempfile.SpooledTemporaryFile", open_full_disk)
    answer = failure(session().download(f"{web.url}/", limit=100))
    assert answer.kind is FailureKind.DISK
    assert "No space left on device" in answer.message


def endless(piece: bytes, pause: float = 0.0) -> Iterator[bytes]:
    while True:
        yield piece
        time.sleep(pause)


BOMB = gzip.compress(bytes(50 * MEBIBYTE))


@pytest.mark.parametrize(
    ("reply", "kind"),
    [
        (Reply(status=404), FailureKind.STATUS),
        (Reply(status=403), FailureKind.STATUS),
        (Reply(status=204), FailureKind.STATUS),
        (Reply(status=500), FailureKind.STATUS),
        (Reply(b"x", headers={"Content-Length": str(2 * MEBIBYTE)}), FailureKind.TOO_LARGE),
        (Reply(bytes(MEBIBYTE + 1)), FailureKind.TOO_LARGE),
        (Reply(BOMB, headers={"Content-Encoding": "gzip"}), FailureKind.TOO_LARGE),
        (Reply(gzip.compress(BOMB), headers={"Content-Encoding": "gzip, gzip"}), FailureKind.BROKEN),
        (Reply(b"text", headers={"Content-Encoding": "br"}), FailureKind.BROKEN),
        (Reply(b"text", headers={"Content-Encoding": "gzip"}), FailureKind.BROKEN),
        (Reply(gzip.compress(b"text")[:-3], headers={"Content-Encoding": "gzip"}), FailureKind.BROKEN),
        (Reply([b"5\r\ntext"], headers={"Transfer-Encoding": "chunked"}), FailureKind.BROKEN),
        (Reply([b"zz\r\ntext"], headers={"Transfer-Encoding": "chunked"}), FailureKind.BROKEN),
    ],
)
def test_answers_that_are_none(web: WebServer, reply: Reply, kind: FailureKind) -> None:
    web.routes["/"] = reply
    answer = failure(session().get(f"{web.url}/", limit=MEBIBYTE))
    assert answer.kind is kind
    assert "127.0.0.1" in answer.message
    assert answer.status == (reply.status if kind is FailureKind.STATUS else None)
    assert len(web.asked) == 1


@pytest.mark.parametrize("method", ["get", "download"])
def test_an_endless_body_is_cut(web: WebServer, method: str) -> None:
    web.routes["/"] = Reply(endless(bytes(65536)))
    http = session()
    ask = http.get if method == "get" else http.download
    assert failure(ask(f"{web.url}/", limit=MEBIBYTE)).kind is FailureKind.TOO_LARGE


def test_a_body_that_drips_is_cut_in_time(web: WebServer) -> None:
    web.routes["/"] = Reply(endless(b".", 0.05))
    start = time.monotonic()
    answer = failure(session(limits=Limits(total=0.4)).get(f"{web.url}/"))
    assert answer.kind is FailureKind.TIMEOUT
    assert "not done within 0.4 s" in answer.message
    assert time.monotonic() - start < 3


def drip(listener: socket.socket, text: bytes) -> None:
    connection, _ = listener.accept()
    with connection:
        try:
            for byte in text:
                connection.send(bytes([byte]))
                time.sleep(0.05)
        except OSError:
            return  # cut off, as it should be


@pytest.mark.parametrize("scheme", ["http", "https"])
def test_headers_and_handshakes_that_drip_are_cut_in_time(scheme: str) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        # For TLS: a record of 16 kB whose bytes come one by one.
        text = (
            b"\x16\x03\x03\x40\x00" + b"\2" * 200
            if scheme == "https"
            else b"HTTP/1.1 200 OK\r\nA: " + b"a" * 200
        )
        thread = threading.Thread(target=drip, args=(listener, text))
        thread.start()
        start = time.monotonic()
        url = f"{scheme}://127.0.0.1:{listener.getsockname()[1]}/"
        answer = failure(session(limits=Limits(total=0.4)).get(url))
        assert answer.kind is FailureKind.TIMEOUT
        assert time.monotonic() - start < 3
        thread.join()


def test_silence_is_cut_in_time(web: WebServer) -> None:
    gate = threading.Event()

    def wait(_: Asked) -> Reply:
        gate.wait(10)
        return Reply()

    web.routes["/"] = wait
    answer = failure(session(limits=Limits(read=0.2)).get(f"{web.url}/"))
    gate.set()
    assert answer.kind is FailureKind.TIMEOUT
    assert "fell silent" in answer.message


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_a_redirect_is_followed(web: WebServer, status: int) -> None:
    web.routes["/a/b"] = Reply(b"x" * 100, status, {"Location": "../c?d"})
    web.routes["/c?d"] = Reply(b"text")
    answer = session().get(f"{web.url}/a/b")
    assert isinstance(answer, Fetched)
    assert (answer.data, answer.url) == (b"text", f"{web.url}/c?d")


@pytest.mark.parametrize(
    ("target", "kind", "words"),
    [
        ("https://127.0.0.1/", FailureKind.REFUSED, "another scheme"),
        ("file:///etc/passwd", FailureKind.REFUSED, "another scheme"),
        ("ext::sh -c id", FailureKind.REFUSED, "another scheme"),
        ("//10.0.0.1/", FailureKind.REFUSED, "https://"),
        ("http://169.254.169.254/latest", FailureKind.REFUSED, "https://"),
        ("//user:SECRET@10.0.0.1/", FailureKind.REFUSED, "https://"),
        ("", FailureKind.BROKEN, "nowhere"),
        ("http://[::1", FailureKind.BROKEN, "no URL"),
    ],
)
def test_where_no_redirect_is_followed(web: WebServer, target: str, kind: FailureKind, words: str) -> None:
    web.routes["/"] = Reply(status=302, headers={"Location": target})
    answer = failure(session().get(f"{web.url}/"))
    assert answer.kind is kind
    assert words in answer.message
    assert "SECRET" not in answer.message


def test_a_redirect_of_a_trusted_host_leads_to_no_other_local_one(web: WebServer) -> None:
    policy = AddressPolicy(trusted=frozenset({web.endpoint}))
    with serve_web() as other:
        web.routes["/"] = Reply(status=302, headers={"Location": f"{other.url}/"})
        answer = failure(session(policy=policy).get(f"{web.url}/"))
    assert answer.kind is FailureKind.REFUSED
    assert "--allow-local" in answer.message
    assert other.asked == []


@pytest.mark.parametrize("target", ["http://host.example/", "http://127.0.0.1/", "//user:SECRET@[::1"])
def test_https_is_never_left(target: str) -> None:
    following = failure(_redirected("https://user:SECRET@host.example/a", target))
    assert following.kind in {FailureKind.REFUSED, FailureKind.BROKEN}
    assert "SECRET" not in following.message


def test_redirects_end(web: WebServer) -> None:
    web.routes["/"] = Reply(status=302, headers={"Location": "/"})
    answer = failure(session().get(f"{web.url}/"))
    assert answer.kind is FailureKind.BROKEN
    assert "more than 5 times" in answer.message
    assert len(web.asked) == 6


def test_the_body_of_a_redirect_is_not_read(web: WebServer) -> None:
    web.routes["/"] = Reply(endless(bytes(65536)), 302, {"Location": "/there"})
    web.routes["/there"] = Reply(b"text")
    assert isinstance(session().get(f"{web.url}/"), Fetched)


@pytest.mark.parametrize(
    ("url", "words"),
    [
        ("http://host.example/", "https://"),
        ("https://10.0.0.1/", "--allow-host"),
        ("file:///etc/passwd", "is refused"),
        ("git@host.example:a", "no https:// URL"),
        ("ssh://host.example/a", "no https:// URL"),
        ("-x", "is refused"),
    ],
)
def test_what_is_not_asked(url: str, words: str) -> None:
    answer = failure(session().get(url))
    assert answer.kind is FailureKind.REFUSED
    assert words in answer.message


def test_a_name_that_is_answered_differently_the_second_time_gets_no_byte(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        answers = iter(["8.8.8.8", "127.0.0.1"])

        def resolve(_host: str, port: int, *_: object, **__: object) -> list[tuple[object, ...]]:
            return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (next(answers), port))]

        monkeypatch.setattr(socket, "getaddrinfo", resolve)
        port = listener.getsockname()[1]
        answer = failure(session(policy=AddressPolicy()).get(f"https://rebound.example:{port}/"))
        connection, _ = listener.accept()
        with connection:
            assert connection.recv(100) == b""
    assert answer.kind is FailureKind.REFUSED
    assert "rebound.example is refused: it leads to the loopback address 127.0.0.1" in answer.message


def test_a_name_that_leads_to_a_private_address_is_not_connected(monkeypatch: pytest.MonkeyPatch) -> None:
    answer_with = [(socket.AF_INET, socket.SOCK_STREAM, 6, "", ("10.0.0.1", 443))]
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_, **__: answer_with)
    answer = failure(session(policy=AddressPolicy()).get("https://inner.example/"))
    assert answer.kind is FailureKind.REFUSED
    assert "--allow-host inner.example" in answer.message


def test_a_name_that_does_not_exist_is_asked_once(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []

    def resolve(host: str, *_: object, **__: object) -> list[tuple[object, ...]]:
        asked.append(host)
        raise socket.gaierror(socket.EAI_NONAME, "Name or service not known")

    monkeypatch.setattr(socket, "getaddrinfo", resolve)
    http = session()
    for path in "abc":
        answer = failure(http.get(f"https://gone.example/{path}"))
        assert answer.kind is FailureKind.UNREACHABLE
        assert "Name or service not known" in answer.message
    assert asked == ["gone.example"]


def test_behind_a_proxy_it_is_the_proxy_that_resolves(
    web: WebServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("http_proxy", web.url)
    web.routes["http://index.example/a"] = Reply(b"text")
    policy = AddressPolicy(trusted=frozenset({("index.example", 80)}))
    assert isinstance(session(policy=policy).get("http://index.example/a"), Fetched)
    answer = failure(session(policy=policy).get("http://10.0.0.1/"))
    assert answer.kind is FailureKind.REFUSED


def test_a_host_that_is_down_is_asked_once_a_run() -> None:
    clock = Clock()
    http = session(clock)
    url = f"http://127.0.0.1:{closed_port()}/"
    first = failure(http.get(url))
    assert first.kind is FailureKind.UNREACHABLE
    assert first.message == "127.0.0.1 cannot be reached: Connection refused"
    assert clock.pauses == [0.5, 1.0]
    assert failure(http.get(f"{url}again")) == first
    assert len(clock.pauses) == 2


def test_several_threads_ask_a_host_that_is_down_once() -> None:
    clock = Clock()
    http = session(clock)
    url = f"http://127.0.0.1:{closed_port()}/"
    threads = [threading.Thread(target=http.get, args=(url,)) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert clock.pauses == [0.5, 1.0]


def busy(count: int, headers: Mapping[str, str], status: int = 429) -> list[Reply | Callable[[Asked], Reply]]:
    return [*[Reply(status=status, headers=headers)] * count, Reply(b"text")]


@pytest.mark.parametrize(
    ("headers", "pauses"),
    [
        ({}, [0.5, 1.0]),
        ({"Retry-After": "3"}, [3.0, 3.0]),
        ({"Retry-After": "0"}, [0.0, 0.0]),
        ({"Retry-After": format_datetime(NOW + timedelta(seconds=7))}, [7.0, 0.0]),
        ({"Retry-After": format_datetime(NOW - timedelta(days=7))}, [0.0, 0.0]),
        ({"Retry-After": "soon"}, [0.5, 1.0]),
        ({"X-RateLimit-Reset": str(int(NOW.timestamp()) + 4)}, [4.0, 0.0]),
        ({"X-RateLimit-Reset": "9" * 30}, [0.5, 1.0]),
    ],
)
@pytest.mark.parametrize("status", [429, 502, 503, 504])
def test_a_busy_host_is_asked_again_when_it_says(
    web: WebServer, status: int, headers: dict[str, str], pauses: list[float]
) -> None:
    web.routes["/"] = busy(2, headers, status)
    clock = Clock()
    assert isinstance(session(clock).get(f"{web.url}/"), Fetched)
    assert clock.pauses == pauses


@pytest.mark.parametrize(
    ("headers", "asked", "until"),
    [
        ({}, 3, ""),
        ({"Retry-After": "1"}, 3, ", until 2026-05-01 12:00:03 UTC"),
        ({"Retry-After": "3600"}, 1, ", until 2026-05-01 13:00:00 UTC"),
        ({"Retry-After": "9" * 30}, 3, ""),
    ],
)
def test_a_host_that_stays_busy_is_left_alone(
    web: WebServer, headers: dict[str, str], asked: int, until: str
) -> None:
    web.routes["/"] = busy(5, headers)
    web.routes["/other"] = Reply(b"text")
    http = session()
    answer = failure(http.get(f"{web.url}/"))
    assert answer.kind is FailureKind.LIMITED
    assert answer.message == f"127.0.0.1 asks for fewer requests (status 429){until}"
    assert len(web.asked) == asked
    again = failure(http.get(f"{web.url}/other"))
    assert again == answer
    assert len(web.asked) == asked


def test_a_busy_host_is_asked_again_in_the_same_run_when_it_said_so(web: WebServer) -> None:
    web.routes["/"] = busy(1, {"Retry-After": "60"})
    clock = Clock()
    http = session(clock)
    assert failure(http.get(f"{web.url}/")).retry_at == NOW + timedelta(seconds=60)
    clock.sleep(61)
    assert isinstance(http.get(f"{web.url}/"), Fetched)


def test_the_waiting_of_all_fetches_together_is_bounded(web: WebServer) -> None:
    clock = Clock()
    http = session(clock)
    for number in range(9):
        web.routes[f"/{number}"] = Reply(status=503, headers={"Retry-After": "4"})
        assert failure(http.get(f"{web.url}/{number}")).kind is FailureKind.STATUS
    assert sum(clock.pauses) == 20
    assert len(web.asked) == 9 + 5


def authorization(server: WebServer) -> list[str | None]:
    return [asked.headers.get("authorization") for asked in server.asked]


def test_a_login_goes_to_its_host_alone(web: WebServer) -> None:
    with serve_web() as other:
        web.routes["/"] = Reply(status=302, headers={"Location": f"{other.url}/"})
        web.routes["/same"] = Reply(b"text")
        other.routes["/"] = Reply(status=302, headers={"Location": f"{web.url}/same"})
        http = session(logins={web.endpoint: Login("user", "pass")})
        assert isinstance(http.get(f"{web.url}/"), Fetched)
        assert authorization(web) == ["Basic dXNlcjpwYXNz"] * 2
        assert authorization(other) == [None]


def test_netrc_is_used(web: WebServer, tmp_path: Path) -> None:
    (tmp_path / ".netrc").write_text("machine 127.0.0.1 login user password pass\n")
    (tmp_path / ".netrc").chmod(0o600)
    web.routes["/"] = Reply(b"text")
    session().get(f"{web.url}/")
    session(credentials=False, logins={web.endpoint: Login("a", "b")}).get(f"{web.url}/")
    assert authorization(web) == ["Basic dXNlcjpwYXNz", None]


def test_a_login_in_a_url_is_neither_sent_nor_shown(web: WebServer) -> None:
    url = web.url.replace("//", "//user:SECRET@")
    web.routes["/"] = Reply(status=500)
    answer = failure(session().get(f"{url}/"))
    assert "SECRET" not in answer.message
    assert authorization(web) == [None]
    assert "SECRET" not in repr(Login("user", "SECRET"))


def test_a_bundle_of_certificates_that_is_not_there_is_told() -> None:
    http = HttpSession(LOCAL, ca_bundle="/nowhere/ca.pem")
    answer = failure(http.get("https://127.0.0.1:9/"))
    assert "/nowhere/ca.pem" in answer.message


def test_a_host_without_tls_is_unreachable_over_https(web: WebServer) -> None:
    answer = failure(session().get(web.url.replace("http:", "https:")))
    assert answer.kind is FailureKind.UNREACHABLE
