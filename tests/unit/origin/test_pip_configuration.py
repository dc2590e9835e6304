from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from support.webserver import Reply, serve_web

from provenance.origin.address import AddressPolicy
from provenance.origin.http import Login
from provenance.origin.outcome import Fetched
from provenance.origin.pip_configuration import PipConfiguration, open_session, read_configuration

if TYPE_CHECKING:
    from pathlib import Path


def read(root: Path, **environment: str) -> PipConfiguration:
    return read_configuration(environment, home=root / "home", prefix=root / "prefix", root=root)


def write(file: Path, text: str) -> Path:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, encoding="utf-8")
    return file


def setting(name: str) -> str:
    return f"[global]\nindex-url = https://{name}.example/simple\n"


def test_nothing_is_configured(tmp_path: Path) -> None:
    from pypi_simple import PYPI_SIMPLE_ENDPOINT

    found = read(tmp_path)
    assert found.indexes == (PYPI_SIMPLE_ENDPOINT,)
    assert (found.logins, found.ca_bundle, found.client_certificate, found.notes) == ({}, None, None, ())


PLACES = [
    "etc/xdg/pip/pip.conf",
    "etc/pip.conf",
    "home/.pip/pip.conf",
    "home/.config/pip/pip.conf",
    "prefix/pip.conf",
]


@pytest.mark.parametrize("count", range(1, len(PLACES) + 1))
def test_the_file_that_counts_most(tmp_path: Path, count: int) -> None:
    for number, place in enumerate(PLACES[:count]):
        write(tmp_path / place, setting(f"place-{number}"))
    assert read(tmp_path).indexes == (f"https://place-{count - 1}.example/simple",)


def test_the_environment_names_places(tmp_path: Path) -> None:
    for place in PLACES:
        write(tmp_path / place, setting("usual"))
    write(tmp_path / "config/pip/pip.conf", setting("user"))
    venv = write(tmp_path / "venv/pip.conf", "[install]\nextra_index_url = https://venv.example/\n").parent
    found = read(tmp_path, XDG_CONFIG_HOME=str(tmp_path / "config"), VIRTUAL_ENV=str(venv))
    assert found.indexes == ("https://user.example/simple", "https://venv.example/")


def test_a_named_file_counts_most_and_keeps_the_users_out(tmp_path: Path) -> None:
    write(tmp_path / "home/.config/pip/pip.conf", "[global]\nextra-index-url = https://user.example/\n")
    named = write(tmp_path / "named.conf", setting("named"))
    assert read(tmp_path, PIP_CONFIG_FILE=str(named)).indexes == ("https://named.example/simple",)


def test_the_null_device_turns_all_files_off(tmp_path: Path) -> None:
    write(tmp_path / "etc/pip.conf", setting("system"))
    found = read(tmp_path, PIP_CONFIG_FILE="/dev/null", PIP_INDEX_URL="https://env.example/")
    assert found.indexes == ("https://env.example/",)


@pytest.mark.parametrize(
    ("text", "environment", "expected"),
    [
        ("[global]\nindex-url = https://a.example/\n[install]\nindex-url = https://b.example/\n", {}, "b"),
        ("[download]\nindex-url = https://a.example/\n[install]\nindex-url = https://b.example/\n", {}, "a"),
        ("[list]\nindex-url = https://b.example/\n[global]\nindex-url = https://a.example/\n", {}, "a"),
        ("[global]\nINDEX_URL = https://a.example/\n", {}, "a"),
        ("[global]\nindex-url = https://a.example/%(x)s/../\n", {}, "a"),
        (
            "[download]\nindex-url = https://a.example/\n",
            {"PIP_INDEX_URL": "https://b.example/"},
            "b",
        ),
        ("[global]\nindex-url = https://a.example/\n", {"PIP_INDEX_URL": ""}, "a"),
    ],
)
def test_sections_and_keys(tmp_path: Path, text: str, environment: dict[str, str], expected: str) -> None:
    write(tmp_path / "etc/pip.conf", text)
    (index,) = read(tmp_path, **environment).indexes
    assert index.startswith(f"https://{expected}.example/")


@pytest.mark.parametrize("value", ["1", "true", "YES", "on"])
def test_without_an_index(tmp_path: Path, value: str) -> None:
    assert read(tmp_path, PIP_NO_INDEX=value, PIP_EXTRA_INDEX_URL="https://a.example/").indexes == ()


def test_several_indexes_once_each(tmp_path: Path) -> None:
    extra = "https://b.example/\n  https://a.example/ https://c.example/"
    found = read(tmp_path, PIP_INDEX_URL="https://a.example/", PIP_EXTRA_INDEX_URL=extra)
    assert found.indexes == ("https://a.example/", "https://b.example/", "https://c.example/")


@pytest.mark.parametrize(
    "content", [b"index-url = x\n", b"[global]\nindex-url\n", b"[a\n", b"[global]\nx = \xff\n"]
)
def test_a_broken_file_is_left_out_with_a_note(tmp_path: Path, content: bytes) -> None:
    write(tmp_path / "etc/pip.conf", setting("system"))
    write(tmp_path / "prefix/pip.conf", "").write_bytes(content)
    found = read(tmp_path)
    assert found.indexes == ("https://system.example/simple",)
    (note,) = found.notes
    assert "prefix/pip.conf is ignored" in note


@pytest.mark.parametrize(
    "url", ["file:///srv/simple", "/srv/simple", "ftp://user:SECRET@a.example/", "ext::sh"]
)
def test_an_index_of_another_kind_is_left_out_with_a_note(tmp_path: Path, url: str) -> None:
    found = read(tmp_path, PIP_INDEX_URL="https://a.example/", PIP_EXTRA_INDEX_URL=url)
    assert found.indexes == ("https://a.example/",)
    (note,) = found.notes
    assert "left out" in note
    assert "SECRET" not in note


def test_a_login_is_kept_apart_from_its_url(tmp_path: Path) -> None:
    found = read(tmp_path, PIP_INDEX_URL="http://user:p%40ss@10.0.0.1:8080/simple")
    assert found.indexes == ("http://10.0.0.1:8080/simple",)
    assert found.logins == {("10.0.0.1", 8080): Login("user", "p@ss")}
    assert found.endpoints == {("10.0.0.1", 8080)}
    assert "p@ss" not in repr(found)


def test_certificates(tmp_path: Path) -> None:
    bundle = write(tmp_path / "ca.pem", "")
    write(tmp_path / "etc/pip.conf", f"[global]\ncert = {bundle}\nclient-cert = {tmp_path}/gone.pem\n")
    found = read(tmp_path)
    assert (found.ca_bundle, found.client_certificate) == (str(bundle), None)
    assert found.notes == (f"pip's client-cert is left out: {tmp_path}/gone.pem cannot be read",)


def test_the_session_reaches_the_index_wherever_it_is(tmp_path: Path) -> None:
    with serve_web() as web:
        web.routes["/simple/"] = Reply(b"text")
        found = read(tmp_path, PIP_INDEX_URL=web.url.replace("//", "//user:pass@") + "/simple/")
        http = open_session(found, AddressPolicy())
        assert isinstance(http.get(found.indexes[0]), Fetched)
        assert web.asked[0].headers["authorization"] == "Basic dXNlcjpwYXNz"
        open_session(found, AddressPolicy(), credentials=False).get(found.indexes[0])
        assert "authorization" not in web.asked[1].headers
