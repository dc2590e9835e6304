"""Servers that want credentials, forbid, limit, redirect or stand where prov must not go."""

from __future__ import annotations

import base64
import socket
from typing import TYPE_CHECKING

import pytest
from support.project import Cite, Project, Source, World, results

if TYPE_CHECKING:
    from collections.abc import Callable
    from http.server import BaseHTTPRequestHandler

TEXT = "one\ntwo\n"
SECRET = "Sesame-0pen-Sesame"
USER = "aladdin"


def cite(world: World, url: str = "", count: int = 1) -> str:
    """A manifest with some citations, each of a file of its own."""
    files = {f"{number}.txt": TEXT for number in range(count)}
    commit = world.repository.commit(files)
    cites = [Cite(f"c{number}", name, "1-2", TEXT) for number, name in enumerate(files)]
    world.project.manifest(Source(url or world.url, commit), *cites)
    return commit


def answering(status: int, **headers: str) -> Callable[[BaseHTTPRequestHandler], bool]:
    """A responder that answers everything with a status."""

    def respond(handler: BaseHTTPRequestHandler) -> bool:
        handler.send_response(status)
        for name, value in headers.items():
            handler.send_header(name.replace("_", "-"), value)
        handler.send_header("Content-Length", "0")
        handler.end_headers()
        return True

    return respond


def wanting(header: str) -> Callable[[BaseHTTPRequestHandler], bool]:
    """A responder that lets through who sends an `Authorization` header."""
    refuse = answering(401, WWW_Authenticate='Basic realm="x"')
    return lambda handler: handler.headers.get("Authorization") != header and refuse(handler)


def basic() -> str:
    return "Basic " + base64.b64encode(f"{USER}:{SECRET}".encode()).decode()


def spellings() -> list[bytes]:
    """The secret as it must not be found: plain, and at each offset that base64 can give it."""
    found = [SECRET.encode(), basic().removeprefix("Basic ").encode()]
    for pad in range(3):
        whole = base64.b64encode(b"." * pad + SECRET.encode() + b"...")
        found.append(whole[4 : 4 + 4 * ((len(SECRET) - 3) // 3)])
    return found


def told(project: Project, *outputs: bytes) -> list[str]:
    """Where the secret stands, in what was printed and in all that was written, gitconfig aside."""
    places = {**project.files(), **{f"output {n}": text for n, text in enumerate(outputs)}}
    return [
        name
        for name, data in places.items()
        if not name.endswith((".gitconfig", "page.yaml"))
        and any(spelling in data for spelling in spellings())
    ]


def test_a_private_repository_is_had_with_the_user_s_header_and_its_secret_stays_secret(world: World) -> None:
    world.server.responder = wanting(basic())
    config = world.project.home / ".gitconfig"
    config.write_text(f'[http "{world.server.url}/"]\n\textraHeader = Authorization: {basic()}\n')
    cite(world, count=2)
    fetched = world.project.fetch("-v")
    assert world.project.verify()["c1"]["assurance"] == "commit"
    assert told(world.project, fetched.stdout, fetched.stderr) == []


def test_a_header_that_is_refused_stays_secret_and_git_s_own_tracing_too(world: World) -> None:
    world.server.responder = wanting("Basic other")
    config = world.project.home / ".gitconfig"
    config.write_text(f'[http "{world.server.url}/"]\n\textraHeader = Authorization: {basic()}\n')
    tracing = ("GIT_TRACE", "GIT_CURL_VERBOSE", "GIT_TRACE_CURL", "GIT_TRACE_PACKET", "GIT_TRACE2_EVENT")
    world.project.environ |= dict.fromkeys(tracing, "1")
    world.project.environ["GIT_TRACE_REDACT"] = "0"
    cite(world)
    ran = world.project.fetch("-v", code=3)
    assert told(world.project, ran.stdout, ran.stderr) == []
    assert "trace" not in ran.err.lower()


def test_variables_that_redirect_git_do_not_and_those_that_configure_it_do(world: World) -> None:
    world.project.environ |= {
        "GIT_DIR": "/nowhere",
        "GIT_WORK_TREE": "/nowhere",
        "GIT_OBJECT_DIRECTORY": "/nowhere",
        "GIT_INDEX_FILE": "/nowhere",
        "GIT_CONFIG_COUNT": "1",
        "GIT_CONFIG_KEY_0": f"url.{world.url}.insteadOf",
        "GIT_CONFIG_VALUE_0": "https://git.example.org/r",
    }
    cite(world, "https://git.example.org/r")
    assert world.project.verify()["c0"]["assurance"] == "commit"


@pytest.mark.parametrize("options", [(), ("--no-credentials",)])
def test_a_private_repository_without_credentials_is_unavailable_and_nobody_is_prompted(
    world: World, options: tuple[str, ...]
) -> None:
    world.server.responder = wanting(basic())
    if options:
        config = world.project.home / ".gitconfig"
        config.write_text(f'[http "{world.server.url}/"]\n\textraHeader = Authorization: {basic()}\n')
    cite(world)
    found = world.project.verify(*options, code=3)["c0"]
    assert found["verdict"] == "unavailable"
    assert "credentials" in found.text("message")


def test_what_a_user_s_credentials_brought_is_not_in_the_cache_of_a_stranger_s_run(world: World) -> None:
    world.server.responder = wanting(basic())
    config = world.project.home / ".gitconfig"
    config.write_text(f'[http "{world.server.url}/"]\n\textraHeader = Authorization: {basic()}\n')
    cite(world)
    world.project.fetch()
    world.project.db.unlink()
    world.project.lock.unlink()
    assert world.project.verify("--no-credentials", code=3)["c0"]["verdict"] == "unavailable"


@pytest.mark.parametrize("works", [True, False])
def test_a_secret_in_a_url_is_nowhere_but_in_its_manifest(world: World, works: bool) -> None:
    if works:
        world.server.responder = wanting(basic())
    else:
        world.server.responder = answering(403)
    cite(world, world.url.replace("//", f"//{USER}:{SECRET}@"))
    code = 0 if works else 3
    runs = [
        world.project.fetch("-v", code=code),
        world.project.run("verify", "--format", "json", "--refresh"),
        world.project.run("verify", "-v"),
        world.project.run("show", "c0"),
    ]
    assert {ran.code for ran in runs[:3]} == {code}
    assert told(world.project, *(text for ran in runs for text in (ran.stdout, ran.stderr))) == []


def test_a_server_that_limits_requests_is_unavailable_and_not_asked_for_each_citation(world: World) -> None:
    world.server.responder = answering(429, Retry_After="0")
    cite(world, count=5)
    found = world.project.verify(code=3)
    assert {result["verdict"] for result in found.values()} == {"unavailable"}
    assert "429" in found["c0"].text("message")
    assert len(world.requests) <= 3


def test_a_server_that_forbids_is_unavailable(world: World) -> None:
    world.server.responder = answering(403)
    cite(world)
    found = world.project.verify(code=3)["c0"]
    assert found["verdict"] == "unavailable"
    assert "403" in found.text("message")


def test_a_server_that_limits_once_is_asked_again(world: World) -> None:
    limit, left = answering(429, Retry_After="0"), [1]
    world.server.responder = lambda handler: bool(left) and left.pop() > 0 and limit(handler)
    cite(world)
    assert world.project.verify()["c0"]["verdict"] == "exact"


def test_a_host_that_is_down_is_asked_once_for_all_its_repositories(project: Project) -> None:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    sources = {f"s{n}": Source(f"http://127.0.0.1:{port}/{n}.git", "v1") for n in range(5)}
    project.manifest(sources, *(Cite(f"c{n}", "a", "1", source=f"s{n}") for n in range(5)))
    ran = project.run("verify")
    assert ran.code == 3, ran.said
    assert ran.err.count("cannot be reached") == 1
    assert ran.last == "0 of 5 citations checked: 5 unavailable"


def test_a_redirect_on_the_same_scheme_is_followed_and_told(world: World) -> None:
    def respond(handler: BaseHTTPRequestHandler) -> bool:
        if not handler.path.startswith("/old.git"):
            return False
        return answering(301, Location=handler.path.replace("/old.git", "/r.git"))(handler)

    world.server.responder = respond
    cite(world, f"{world.server.url}/old.git")
    ran = world.project.run("verify")
    assert ran.code == 0, ran.said
    assert "redirects to" in ran.err


REFUSED = {
    "http://127.0.0.1:{port}/r.git": "--allow-local",
    "https://127.0.0.1:{port}/r.git": "--allow-local",
    "https://localhost:{port}/r.git": "--allow-local",
    "https://2130706433:{port}/r.git": "--allow-local",
    "https://0x7f.1:{port}/r.git": "--allow-local",
    "https://[::1]:{port}/r.git": "--allow-local",
    "https://[::ffff:127.0.0.1]:{port}/r.git": "--allow-local",
    "file:///srv/r.git": "--allow-local",
    "../served/r.git": "--allow-local",
    "http://github.com/o/r": "http",
}
REFUSED_LOCALLY = {
    "http://github.com/o/r": "http",
    "https://10.1.2.3/r.git": "--allow-host",
    "https://169.254.169.254/latest": "--allow-host",
    "https://[fd00::1]/r.git": "--allow-host",
    "ssh://192.168.1.1/r.git": "--allow-host",
    "git@172.16.0.1:r.git": "--allow-host",
    "git://example.org/r.git": "git",
}


@pytest.mark.parametrize(("options", "refused"), [((), REFUSED), (("--allow-local",), REFUSED_LOCALLY)])
def test_what_is_not_allowed_is_wrong_input_and_never_asked(
    world: World, options: tuple[str, ...], refused: dict[str, str]
) -> None:
    commit = cite(world)
    port = world.server.url.rpartition(":")[2]
    urls = {name: name.replace("{port}", port) for name in refused}
    world.project.options = options
    world.project.manifest(
        {name: Source(url, commit) for name, url in urls.items()},
        *(Cite(name, "0.txt", "1", source=name) for name in urls),
    )
    ran = world.project.run("verify", "--format", "json")
    assert ran.code == 2, ran.said
    told = ran.err.splitlines()
    for name, result in results(ran).items():
        assert result["verdict"] == "unavailable"
        assert refused[name] in result.text("message"), name
        assert any(result.text("message") in line for line in told), name
    assert world.requests == []


def test_a_redirect_to_a_private_address_is_refused(world: World) -> None:
    world.server.responder = answering(
        302, Location="http://10.0.0.1/r.git/info/refs?service=git-upload-pack"
    )
    cite(world)
    ran = world.project.run("verify")
    assert ran.code in {2, 3}, ran.said
    assert "refused" in ran.out + ran.err


def test_a_private_host_that_the_command_line_names_may_be_asked(world: World) -> None:
    cite(world, world.url.replace("http:", "https:"))
    world.project.options = ("--allow-host", "127.0.0.1")
    found = world.project.verify(code=3)["c0"]
    assert found["verdict"] == "unavailable"
    assert "TLS" in found.text("message")
