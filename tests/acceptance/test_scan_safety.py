"""A document is a stranger's: it may run nothing, read nothing, ask nobody it does not name, and take no time."""

from __future__ import annotations

import base64
import json
import os
import re
from typing import TYPE_CHECKING

import pytest
from support.project import finish
from support.scanning import CODE, SITE, blob, code, configure, fence, known_as, run, scan

if TYPE_CHECKING:
    from support.project import Project, World

SECRET = "Sesame-0pen-Sesame"
COMMIT = "c" * 40
PATIENCE = 40
"""Seconds of processor time that a document of some megabytes may take at the most."""

HOSTILE = [
    "ext::sh -c touch% PWNED",
    f"ext::sh -c touch% PWNED/blob/{COMMIT}/a.py#L1",
    "https://github.com/example/engine/blob/--upload-pack=touch%20PWNED/a.py#L1",
    f"https://github.com/-oProxyCommand=touch%20PWNED/engine/blob/{COMMIT}/a.py#L1",
    "file:///etc/passwd#L1",
    f"file:///etc/x/blob/{COMMIT}/passwd#L1",
    f"ssh://-oProxyCommand=touch/x/y/blob/{COMMIT}/a.py#L1",
    f"git@github.com:example/engine/blob/{COMMIT}/a.py#L1",
    "javascript:alert(1)#L1",
    "../../../../../../etc/passwd#L1",
    "/etc/passwd#L1",
    "//etc/passwd#L1",
    "\\\\host\\share\\a.py#L1",
    f"https://github.com/example/engine/blob/{COMMIT}/../../../../etc/passwd#L1",
    f"https://github.com/example/engine/blob/{COMMIT}/%2e%2e/%2e%2e/etc/passwd#L1",
    f"https://github.com/../../blob/{COMMIT}/a.py#L1",
    f"https://github.com/example/%2e%2e%2fengine/blob/{COMMIT}/a.py#L1",
    f"https://github.com/example/engine/blob/{COMMIT}/-x#L1",
    f"https://github.com/example/engine/blob/{COMMIT}/%FF%ED%A0%80.py#L1",
    "https://github.com/example/engine/blob/%FF%ED%A0%80/a.py#L1",
    f"https://github.com/example/%FF/blob/{COMMIT}/a.py#L1",
    "%FF%ED%A0%80.py#L1",
    "a%00b.py#L1",
    f"https://github.com/example/engine/blob/{COMMIT}/{'a/' * 3000}b.py#L1",
    f"{'b' * 5000}.py#L1",
    f"https://github.com/example/en%00gine/blob/{COMMIT}/a%00.py#L1",
    f"https://github.com/example/en%0Agine/blob/{COMMIT}/a%0A.py#L1",
]


def test_no_document_runs_or_reads_anything(world: World) -> None:
    known_as(world)
    world.repository.commit({"a.py": CODE})
    world.project.write("a.md", "".join(f"# {at}\n\n[it](<{link}>)\n\n" for at, link in enumerate(HOSTILE)))
    world.project.write("b.txt", "\n\n".join(HOSTILE))
    ran = run(world.project, "--fix", "--write-manifest", "manifests/m.yaml", "a.md", "b.txt")
    assert ran.code in {1, 2, 3}, ran.said
    assert "root:" not in ran.said
    assert not list(world.project.base.rglob("PWNED*"))


PRIVATE = [
    "https://10.0.0.1/o/r",
    "https://169.254.169.254/o/r",
    "https://[::1]/o/r",
    "https://192.168.1.1/o/r",
    "https://127.0.0.1/o/r",
    "https://2130706433/o/r",
    "https://localhost/o/r",
    "https://0.0.0.0/o/r",
]


@pytest.mark.parametrize("revision", [COMMIT, "main"])
def test_private_addresses_are_refused(project: Project, revision: str) -> None:
    project.options = ()
    hosts = ", ".join(f'"{url.split("/")[2]}" = "github"' for url in PRIVATE if "[" not in url)
    configure(project, f"hosts = {{{hosts}}}")
    links = [blob(revision, "L1", "a.py", site) for site in PRIVATE if revision == COMMIT or "[" not in site]
    project.write("a.md", "".join(f"# {at}\n\n[it]({link})\n\n" for at, link in enumerate(links)))
    ran = run(project, "--format", "json", "a.md")
    again = run(project, "--format", "json", "a.md")
    assert (ran.code, again.code) == (2, 2), ran.said
    assert (again.out, again.err) == (ran.out, ran.err)
    found = json.loads(ran.out)
    assert len(found["results"]) + len(found.get("not_understood", [])) == len(links)
    assert {item["verdict"] for item in found["results"]} == {"unavailable"}
    for item in found["results"]:
        assert "private" in item["message"] or "refused" in item["message"] or "local" in item["message"], (
            item
        )
        assert item["message"] in ran.err


def test_this_machine_is_not_asked_unless_the_command_line_says_so(world: World) -> None:
    commit = world.repository.commit({"a.py": CODE})
    configure(world.project, f'hosts = {{"{world.server.url.removeprefix("http://")}" = "github"}}')
    world.project.write(
        "a.md", f"{world.server.url}/o/r/blob/{commit}/a.py#L1\n\n{world.server.url}/o/r/blob/main/a.py#L1\n"
    )
    world.project.options = ()
    assert scan(world.project, "a.md", code=2).verdicts == ["unavailable"] * 2
    assert world.requests == []


def spellings() -> list[bytes]:
    """The secret as it must not be found: plain, and at each offset that base64 can give it."""
    whole = (base64.b64encode(b"." * pad + SECRET.encode() + b"...") for pad in range(3))
    return [SECRET.encode(), *(text[4 : 4 + 4 * ((len(SECRET) - 3) // 3)] for text in whole)]


@pytest.mark.parametrize("down", [False, True])
def test_secrets_in_links_go_nowhere(world: World, *, down: bool) -> None:
    known_as(world)
    commit = world.repository.commit({"valve.py": CODE})
    host = SITE.removeprefix("https://")
    links = [
        f"https://user:{SECRET}@{host}/blob/{commit}/valve.py#L20",
        f"https://{SECRET}@{host}/blob/main/valve.py#L20",
        f"https://user:{SECRET}@{host}/blob/gone/valve.py#L1",
        f"https://user:{SECRET}@{host}/blob/{commit}/valve.py?token={SECRET}#L20",
        f"https://user:{SECRET}@code.example.org/x/valve.py#L20",
        f"https://user:{SECRET}@gitlab.com/no/body/-/blob/{commit}/valve.py#L20",
    ]
    text = "".join(f"# {at}\n\n[it]({link})\n\n{fence(code(18, 23))}\n" for at, link in enumerate(links))
    text += f"Bare: {links[0]}\n\n```\n# {links[1]}\n{code(18, 23)}```\n"
    file = world.project.write("docs/a.md", text)
    configure(
        world.project,
        f'documents = [{{path = "docs", git = "https://user:{SECRET}@{host}", revision = "main"}}]',
    )
    world.project.write("docs/b.md", "In `valve.py:20`.\n")
    if down:
        world.go_down()
    said = b""
    for arguments in (
        ["-v"],
        ["--format", "json", "--output", "o.json", "--output", "o.jsonl", "--output", "o.txt"],
        ["--refresh", "--write-manifest", "manifests/m.yaml"],
        ["--fix"],
        ["--offline"],
    ):
        ran = run(world.project, *arguments, "docs")
        said += ran.stdout + ran.stderr
    written = {
        name: data
        for name, data in world.project.files().items()
        if not name.endswith(("docs/a.md", "pyproject.toml", ".gitconfig"))
    }
    for spelling in spellings():
        assert spelling not in said
        assert [name for name, data in written.items() if spelling in data] == []
    assert file.read_text().count(SECRET) == text.count(SECRET), "and a document keeps what is in it"


ESCAPES = "\x1b]0;owned\x07 \x1b[2J \x9b31m \x08\x7f \u202e \u200b"
COMMANDS = "::error::owned\n  ::add-mask::x\n##[error]owned\n##vso[task.setvariable variable=x]y\n"
EVIL = f"plain = 1\nescaped = '{ESCAPES}'\n{COMMANDS}last = 1\n"
RAW = re.compile(rb"[\x00-\x08\x0b-\x1f\x7f]|\xc2[\x80-\x9f]|\xe2\x80[\x8b-\x8f\xa8-\xae]")
COMMAND = re.compile(rb"^\s*::|##\w*\[", re.MULTILINE)


@pytest.fixture
def hostile(world: World) -> Project:
    """Hostile links, quotes, names of documents and of branches."""
    known_as(world)
    name = "##[error] ::notice:: #.py"
    world.repository.commit({"evil.py": EVIL, name: EVIL})
    commit = world.repository.commit({"evil.py": EVIL, name: EVIL}, branch="##error\u202e")
    quoted = "%23%23%5Berror%5D%20%3A%3Anotice%3A%3A%20%23.py"
    links = [
        blob(commit, "L1-L7", "evil.py"),
        blob(commit, "L2-L6", quoted),
        blob("%23%23error%E2%80%AE", "L1-L7", "evil.py"),
        blob("::error::", "L1", "evil.py"),
        blob(commit, "L1", "%1b%5B2J%0A::error::%E2%80%AE"),
        "https://code.example.org/::error::/%1b##[error]a.py#L1",
        "::error::.py#L1",
        "##[error].py#L1",
        f"https://::error::/x/blob/{commit}/a.py#L1",
    ]
    blocks = [EVIL, f"e = '{ESCAPES} {ESCAPES}'\n{COMMANDS}"]
    parts = [
        f"# {at}\n\n[{COMMANDS}]({link})\n\n{fence(blocks[at % 2], '')}\n"
        if " " not in link
        else f"[it](<{link}>)\n"
        for at, link in enumerate(links)
    ]
    world.project.write("docs/##[error]::a.md", "".join(parts))
    world.project.write("docs/::error::.md", "\n\n".join(links))
    world.project.write("docs/\u202e##[error].ipynb", "{##[error]\x1b")
    return world.project


@pytest.mark.parametrize("format_", ["text", "json", "jsonl"])
@pytest.mark.parametrize("fix", [False, True])
def test_nothing_raw_and_no_command_is_printed(hostile: Project, format_: str, *, fix: bool) -> None:
    options = ["--fix", "--write-manifest", "manifests/##[error].yaml"] if fix else ["-v"]
    ran = run(hostile, *options, "--format", format_, "docs")
    assert ran.code == 2, ran.said
    for text in (ran.stdout, ran.stderr):
        assert RAW.search(text) is None, RAW.search(text)
        assert COMMAND.search(text) is None, COMMAND.search(text)
    if format_ == "json":
        results = json.loads(ran.out)["results"]
        assert {item["verdict"] for item in results} >= {"exact", "no-revision", "no-path"}
        assert any(ESCAPES in (item["quote"] or "") for item in results)


HUGE = {
    "links.md": "".join(f"[{at}]({blob('main', f'L{1 + at % 20}')}) {'x' * 900}\n\n" for at in range(5000)),
    "one-line.md": f"{'words that go on and on ' * 20}a `b` [c](d) *e* <f> " * 10_000,
    "one-link-line.md": f"{blob('main', 'L1')} {'x' * 430} " * 3_000,
    "nested.md": "> " * 20_000
    + f"{blob('main', 'L1')}\n"
    + "".join(" " * at + "- x\n" for at in range(1000)),
    "brackets.md": "[" * 200_000 + "](" * 100_000,
    "fences.md": "```\n" * 200_000,
    "nested.html": "<div>" * 100_000 + "<pre>x</pre>" + "</div>" * 1000,
    "one-line.html": f"<a href='x#L1'>{'y' * 230}</a>" * 8_000,
    "long.rst": "x\n=\n\n.. code::\n\n  y\n\n" * 50_000,
    "deep.rst": "".join(f"{' ' * at}* x\n\n" for at in range(1500)),
    "deep.ipynb": "[" * 500_000,
    "places.txt": "see a/b.py:10-20 and a.py lines 3 to 4, " * 60_000,
    "dashes.txt": "a-b." * 1_200_000,
    "module.py": '"""' + "x\n" * 500_000 + '"""\n' + "# https://github.com/a/b\n" * 50_000,
}


@pytest.mark.slow
@pytest.mark.parametrize("name", HUGE)
def test_a_document_of_any_size_and_depth_is_read_in_bounded_time(world: World, name: str) -> None:
    known_as(world)
    world.repository.commit({"valve.py": CODE})
    world.project.write(name, HUGE[name])
    began = os.times()
    options = (*world.project.options, "--format", "jsonl", "--output", "out.txt")
    ran = finish(world.project.start("scan", *options, name))  # a child, whose time is counted
    assert 0 < os.times().children_user - began.children_user < PATIENCE
    assert ran.code in {0, 1, 2}, ran.said[:2000]
    assert "Traceback" not in ran.err
    if name == "links.md":
        assert ran.out.count('"verdict": "unquoted"') == 5000
    if name == "deep.ipynb":
        assert "cannot be read" in ran.err
