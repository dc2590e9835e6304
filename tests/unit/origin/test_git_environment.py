"""What a git child is given, and what must not be shown."""

from __future__ import annotations

import base64
from pathlib import Path

import pytest

from provenance.origin.git_environment import (
    Child,
    Recipe,
    Remote,
    UserConfig,
    redact,
    url_secrets,
    without_userinfo,
)

HOME = Path("/cache/no-home")
CACHE = Path("/cache/x.git")
URL = "https://example.org/r"


def _fetching(
    environ: dict[str, str],
    *,
    credentials: bool = True,
    allow_local: bool = False,
    config: UserConfig | None = None,
    address: str = "",
) -> Child:
    recipe = Recipe(credentials=credentials, allow_local=allow_local, home=HOME)
    return recipe.fetching(environ, CACHE, Remote(URL, address), config or UserConfig())


@pytest.mark.parametrize(
    "name",
    [
        "GIT_WORK_TREE",
        "GIT_INDEX_FILE",
        "GIT_OBJECT_DIRECTORY",
        "GIT_ALTERNATE_OBJECT_DIRECTORIES",
        "GIT_COMMON_DIR",
        "GIT_NAMESPACE",
        "GIT_SHALLOW_FILE",
        "GIT_GRAFT_FILE",
        "GIT_CEILING_DIRECTORIES",
        "GIT_QUARANTINE_PATH",
        "GIT_REPLACE_REF_BASE",
        "GIT_TRACE",
        "GIT_TRACE_CURL",
        "GIT_TRACE2_EVENT",
        "GIT_CURL_VERBOSE",
        "GIT_EXTERNAL_DIFF",
        "GIT_PAGER",
        "GIT_PROTOCOL_FROM_USER",
        "GIT_CONFIG",
    ],
)
def test_what_redirects_git_or_makes_it_talk_is_taken_away(name: str) -> None:
    assert name in _fetching({name: "x"}).removed
    assert name in Recipe(credentials=True, allow_local=False, home=HOME).reading({name: "x"}, CACHE).removed


@pytest.mark.parametrize(
    "name",
    [
        "GIT_CONFIG_GLOBAL",
        "GIT_CONFIG_PARAMETERS",
        "GIT_SSH",
        "GIT_SSH_COMMAND",
        "GIT_SSL_CAINFO",
        "GIT_SSL_NO_VERIFY",
        "GIT_ASKPASS",
        "GIT_PROXY_SSL_CAINFO",
        "GIT_HTTP_PROXY_AUTHMETHOD",
        "GIT_EXEC_PATH",
        "https_proxy",
        "PATH",
    ],
)
def test_what_is_the_users_own_stays(name: str) -> None:
    child = _fetching({name: "x"})
    assert name not in child.removed
    assert name not in child.added


def test_our_entries_follow_the_users() -> None:
    child = _fetching({"GIT_CONFIG_COUNT": "1", "GIT_CONFIG_KEY_0": "a.b", "GIT_CONFIG_VALUE_0": "c"})
    assert child.added["GIT_CONFIG_KEY_1"] == "remote.prov-origin.url"
    assert child.added["GIT_CONFIG_VALUE_1"] == URL
    assert "GIT_CONFIG_KEY_0" not in child.added
    assert int(child.added["GIT_CONFIG_COUNT"]) == 4


@pytest.mark.parametrize(
    ("environ", "config", "ours"),
    [
        ({}, (), True),
        ({"GIT_SSH_COMMAND": "x"}, (), False),
        ({"GIT_SSH": "x"}, (), False),
        ({}, (("core.sshcommand", "x"),), False),
    ],
)
def test_ssh_asks_nothing_unless_the_user_chose_how_it_runs(
    environ: dict[str, str], config: tuple[tuple[str, str], ...], ours: bool
) -> None:
    assert ("GIT_SSH_COMMAND" in _fetching(environ, config=UserConfig(config)).added) is ours


@pytest.mark.parametrize(("allow_local", "protocols"), [(False, "https:ssh"), (True, "https:ssh:http:file")])
def test_protocols(allow_local: bool, protocols: str) -> None:
    assert _fetching({}, allow_local=allow_local).added["GIT_ALLOW_PROTOCOL"] == protocols


def test_readers_reach_nothing_and_fetch_nothing() -> None:
    child = Recipe(credentials=True, allow_local=True, home=HOME).reading({}, CACHE)
    assert child.added["GIT_ALLOW_PROTOCOL"] == "none"
    assert child.added["GIT_NO_LAZY_FETCH"] == "1"
    assert child.added["GIT_DIR"] == str(CACHE)


def test_a_checked_address_is_the_one_that_is_connected_to() -> None:
    child = _fetching({}, address="example.org:443:192.0.2.1")
    assert "http.curloptResolve=example.org:443:192.0.2.1" in child.options
    assert not any("curloptResolve" in option for option in _fetching({}).options)


def test_without_credentials_nothing_of_the_user_stays_but_the_way() -> None:
    environ = {
        "SSH_AUTH_SOCK": "x",
        "SSH_ASKPASS": "x",
        "GIT_ASKPASS": "x",
        "GIT_SSH": "x",
        "GIT_SSL_KEY": "x",
        "GIT_SSL_CAINFO": "x",
        "GIT_CONFIG_GLOBAL": "x",
        "GIT_CONFIG_COUNT": "7",
        "GIT_CONFIG_PARAMETERS": "x",
    }
    config = UserConfig(
        (
            ("credential.helper", "store"),
            ("http.extraheader", "Authorization: x"),
            ("http.https://example.org/.extraheader", "Authorization: x"),
            ("http.cookiefile", "x"),
            ("http.sslcert", "x"),
            ("core.sshcommand", "x"),
            ("url.https://token@example.org/.insteadof", "https://example.org/"),
            ("http.proxy", "http://proxy:1"),
            ("http.https://example.org/.sslcainfo", "/ca"),
        )
    )
    child = _fetching(environ, credentials=False, config=config)
    kept = {
        value: child.added[key.replace("KEY", "VALUE")]
        for key, value in child.added.items()
        if key.startswith("GIT_CONFIG_KEY_")
    }
    assert kept == {
        "http.proxy": "http://proxy:1",
        "http.https://example.org/.sslcainfo": "/ca",
        "remote.prov-origin.url": URL,
        "remote.prov-origin.promisor": "true",
        "remote.prov-origin.partialclonefilter": "blob:none",
    }
    assert child.added["HOME"] == child.added["XDG_CONFIG_HOME"] == str(HOME)
    assert "IdentityAgent=none" in child.added["GIT_SSH_COMMAND"]
    gone = {"SSH_AUTH_SOCK", "SSH_ASKPASS", "GIT_ASKPASS", "GIT_SSH", "GIT_SSL_KEY", "GIT_CONFIG_GLOBAL"}
    assert gone | {"GIT_CONFIG_PARAMETERS"} == set(child.removed)


def test_nothing_that_is_printed_of_a_child_holds_a_url() -> None:
    assert URL not in repr(_fetching({})) + repr(Remote(URL)) + repr(UserConfig((("a", URL),)))


def test_the_configuration_is_read_as_git_lists_it() -> None:
    config = UserConfig.parse(b"a.b\nc\nd\0http.proxy\nhttp://p\0flag.alone\0")
    assert config.entries == (("a.b", "c\nd"), ("http.proxy", "http://p"), ("flag.alone", ""))
    assert config.proxied


@pytest.mark.parametrize(
    "entries", [(), (("http.proxy", ""),), (("http.proxyauthmethod", "basic"),), (("remote.x.proxy", "p"),)]
)
def test_what_is_no_proxy(entries: tuple[tuple[str, str], ...]) -> None:
    assert not UserConfig(entries).proxied


TOKEN = base64.b64encode(b"user:SECRET-password").decode()


def test_secrets_of_headers_are_known_in_every_form() -> None:
    config = UserConfig((("http.https://h/.extraheader", f"Authorization: Basic {TOKEN}"), ("a.b", "public")))
    assert set(config.secrets()) == {
        f"Authorization: Basic {TOKEN}",
        TOKEN,
        "user:SECRET-password",
        "SECRET-password",
    }


def test_a_header_that_encodes_nothing_is_a_secret_all_the_same() -> None:
    config = UserConfig((("http.extraheader", "X-Token: SECRET!"),))
    assert set(config.secrets()) == {"X-Token: SECRET!", "SECRET!"}


@pytest.mark.parametrize(
    ("url", "secrets"),
    [
        ("https://user:SECRET@h/r", {"SECRET", base64.b64encode(b"user:SECRET").decode()}),
        ("https://user:SE%2FCRET@h/r", {"SE%2FCRET", "SE/CRET", base64.b64encode(b"user:SE/CRET").decode()}),
        ("https://SECRET@h/r", {"SECRET", base64.b64encode(b"SECRET:").decode()}),
        ("ssh://git@h/r", set()),
        ("https://h/r", set()),
        ("git@h:r", set()),
    ],
)
def test_secrets_of_urls(url: str, secrets: set[str]) -> None:
    assert set(url_secrets(url)) == secrets


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("unable to access 'https://u:pw@h/r/'", "unable to access 'https://h/r/'"),
        ("https://u@h/r and http://x:y@z", "https://h/r and http://z"),
        ("ssh://git@h/r", "ssh://git@h/r"),
        ("ssh://git:pw@h/r", "ssh://git@h/r"),
        ("token-1234 in words", "*** in words"),
        ("a pw is short", "a pw is short"),
    ],
)
def test_redaction(text: str, shown: str) -> None:
    assert redact(text, frozenset({"token-1234", "pw"})) == shown


def test_a_url_without_user_information_is_left_as_it_is() -> None:
    assert without_userinfo("https://h:1/p@q") == "https://h:1/p@q"
