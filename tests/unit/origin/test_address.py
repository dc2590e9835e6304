from __future__ import annotations

import ipaddress
import socket

import pytest
from hypothesis import given
from hypothesis import strategies as st

from provenance.errors import RefusedURL
from provenance.origin.address import AddressPolicy, Location, locate, shown

STRICT = AddressPolicy()
LOCAL = AddressPolicy(allow_local=True)


@pytest.mark.parametrize(
    ("url", "location"),
    [
        ("https://github.com/a/b", Location("https", "github.com", 443)),
        ("HTTPS://GitHub.COM./a/b", Location("https", "github.com", 443)),
        ("https://user:token@host.example:8443/a", Location("https", "host.example", 8443)),
        ("ssh://git@host.example:2222/a", Location("ssh", "host.example", 2222)),
        ("git@github.com:a/b.git", Location("ssh", "github.com", 22)),
        ("host.example:a", Location("ssh", "host.example", 22)),
        ("git@[2606:4700::1]:a", Location("ssh", "2606:4700::1", 22)),
        ("https://[2606:4700::1]/a", Location("https", "2606:4700::1", 443)),
        ("file:///srv/a", Location("file", "")),
        ("/srv/a", Location("file", "")),
        ("../a b", Location("file", "")),
        ("./a:b", Location("file", "")),
    ],
)
def test_where_a_url_leads(url: str, location: Location) -> None:
    assert locate(url) == location


@pytest.mark.parametrize(
    "url",
    [
        "",
        "-upload-pack=touch PWNED",
        "ext::sh -c touch% PWNED",
        "fd::17",
        "https::https://host.example/",
        "git://host.example/a",
        "ftp://host.example/a",
        "git+https://host.example/a",
        "https:host.example",
        "file:relative",
        "file://host.example/share",
        "C:/repo",
        "c:repo",
        "ssh://-oProxyCommand=x/a",
        "ssh://-oProxyCommand=x@host.example/a",
        "-oProxyCommand=x@host.example:a",
        "-host:a",
        "git@host.example:-a",
        "git@host.example -x:a",
        "https://host.example/a\nb",
        "https://host.example/\x1b[31m",
        "https://host.example\\@127.0.0.1/",
        "https://a@b@127.0.0.1/",
        "https://%31%32%37.0.0.1/",
        "https://\uff11\uff12\uff17.0.0.1/",  # full-width digits
        "https://b\u00fccher.example/",
        "https://host.example:99999/",
        "https://host.example:x/",
        "https://[::1/",
        "https:///a",
        "https://-host/",
        "https://ho st/",
        "https://[fe80::1%25eth0]/",
    ],
)
@pytest.mark.parametrize("policy", [STRICT, LOCAL, AddressPolicy(allow_hosts=frozenset({"host.example"}))])
def test_what_is_never_allowed(url: str, policy: AddressPolicy) -> None:
    with pytest.raises(RefusedURL, match="is refused"):
        policy.check_url(url)


@pytest.mark.parametrize(
    ("url", "option"),
    [
        ("/srv/a", "--allow-local"),
        ("../a", "--allow-local"),
        ("file:///srv/a", "--allow-local"),
        ("http://127.0.0.1:8000/a", "--allow-local"),
        ("http://localhost/a", "--allow-local"),
        ("http://[::1]/a", "--allow-local"),
        ("https://localhost/a", "--allow-local"),
        ("https://a.localhost/a", "--allow-local"),
        ("https://127.1/a", "--allow-host 127.1"),
        ("git@127.0.0.1:a", "--allow-host 127.0.0.1"),
    ],
)
def test_what_allow_local_adds(url: str, option: str) -> None:
    LOCAL.check_url(url)
    with pytest.raises(RefusedURL, match=option):
        STRICT.check_url(url)


@pytest.mark.parametrize("policy", [STRICT, LOCAL, AddressPolicy(allow_hosts=frozenset({"host.example"}))])
@pytest.mark.parametrize("url", ["http://host.example/a", "http://10.0.0.1/", "http://8.8.8.8/"])
def test_http_goes_nowhere_else(url: str, policy: AddressPolicy) -> None:
    with pytest.raises(RefusedURL, match="https://"):
        policy.check_url(url)


@pytest.mark.parametrize(
    "host",
    [
        "10.0.0.1",
        "172.16.0.1",
        "192.168.1.1",
        "169.254.169.254",
        "100.64.0.1",
        "0.0.0.0",  # noqa: S104 - an address to refuse
        "0",
        "224.0.0.1",
        "255.255.255.255",
        "240.0.0.1",
        "0xa9fea9fe",
        "0251.0376.0251.0376",
        "10.1",
        "[fe80::1]",
        "[fc00::1]",
        "[fec0::1]",
        "[ff02::1]",
        "[::]",
        "[::ffff:10.0.0.1]",
        "[2002:0a00:0001::]",
        "[64:ff9b::a00:1]",
    ],
)
@pytest.mark.parametrize("policy", [STRICT, LOCAL])
def test_private_addresses_in_any_spelling(host: str, policy: AddressPolicy) -> None:
    with pytest.raises(RefusedURL, match="--allow-host"):
        policy.check_url(f"https://{host}/a")
    AddressPolicy(allow_hosts=frozenset({host})).check_url(f"https://{host}/a")


@pytest.mark.parametrize(
    "host", ["0x7f.1", "2130706433", "0177.0.0.1", "[::ffff:127.0.0.1]", "[64:ff9b::7f00:1]"]
)
def test_loopback_in_any_spelling(host: str) -> None:
    LOCAL.check_url(f"https://{host}/a")
    with pytest.raises(RefusedURL, match=r"loopback address .* --allow-local"):
        STRICT.check_url(f"https://{host}/a")


@pytest.mark.parametrize("host", ["8.8.8.8", "[2606:4700::1]", "[64:ff9b::808:808]", "203.0.113.80"])
def test_public_addresses(host: str) -> None:
    STRICT.check_url(f"https://{host}/a")


def test_an_index_that_the_environment_names_may_be_anywhere() -> None:
    policy = AddressPolicy(trusted=frozenset({("10.0.0.1", 8080)}))
    policy.check_url("http://10.0.0.1:8080/simple")
    policy.check_host("10.0.0.1", 8080)
    policy.check_address("10.0.0.1", "10.0.0.1", 8080)
    with pytest.raises(RefusedURL):
        policy.check_url("https://10.0.0.1:8081/simple")
    with pytest.raises(RefusedURL):
        policy.check_host("10.0.0.1", 8081)


def resolve_to(monkeypatch: pytest.MonkeyPatch, *addresses: str) -> None:
    def answer(_host: str, port: int | None, **_: object) -> list[tuple[object, ...]]:
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (address, port or 0)) for address in addresses]

    monkeypatch.setattr(socket, "getaddrinfo", answer)


def test_one_bad_address_among_several_is_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    resolve_to(monkeypatch, "8.8.8.8", "10.0.0.1")
    with pytest.raises(
        RefusedURL, match=r"host.example .* 10.0.0.1, which is not public; --allow-host host.example"
    ):
        STRICT.check_host("host.example", 443)
    AddressPolicy(allow_hosts=frozenset({"Host.Example."})).check_host("host.example", 443)


def test_public_names_pass(monkeypatch: pytest.MonkeyPatch) -> None:
    resolve_to(monkeypatch, "8.8.8.8", "2606:4700::1")
    STRICT.check_host("host.example", 443)


def test_a_name_of_this_machine_is_refused_before_it_is_resolved(monkeypatch: pytest.MonkeyPatch) -> None:
    resolve_to(monkeypatch, "8.8.8.8")
    with pytest.raises(RefusedURL, match="--allow-local"):
        STRICT.check_host("localhost")


@pytest.mark.parametrize("host", ["a" * 70 + ".example", "a..example"])
def test_what_is_no_name_cannot_be_resolved(host: str) -> None:
    with pytest.raises(OSError, match=r".+"):
        STRICT.check_host(host)


def test_a_peer_whose_address_cannot_be_read_is_refused() -> None:
    with pytest.raises(RefusedURL, match="cannot be read"):
        STRICT.check_address("host.example", "@unix")


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("https://host.example/a", "https://host.example/a"),
        ("https://user:SECRET@host.example/a", "https://host.example/a"),
        ("https://SECRET@host.example", "https://host.example"),
        ("https://user:SEC/RET@host.example/a", "https://host.example/a"),
        ("https://host.example:8080/a@b", "https://host.example:8080/a@b"),
        ("https://host.example/a?token=SECRET#x", "https://host.example/a"),
        ("git@host.example:a/b", "host.example:a/b"),
        ("user:SECRET@host.example:a", "host.example:a"),
        ("ext::curl https://u:SECRET@host.example/", "ext::curl https://host.example/"),
        ("/srv/a@b", "/srv/a@b"),
    ],
)
def test_what_is_shown_of_a_url(url: str, expected: str) -> None:
    assert shown(url) == expected


@given(
    user=st.text("abcXYZ019._~-", max_size=8),
    password=st.text("QRS!$&'()*+,;=:/%@", min_size=1, max_size=12).map(lambda text: f"Q{text}Q"),
    scheme=st.sampled_from(["https", "ssh", "http"]),
)
def test_a_password_is_never_shown(user: str, password: str, scheme: str) -> None:
    assert "Q" not in shown(f"{scheme}://{user}:{password}@host.example/a/b")


def spellings(value: int) -> list[str]:
    dotted = ipaddress.IPv4Address(value)
    first, rest = value >> 24, value & 0xFFFFFF
    return [
        str(dotted),
        str(value),
        hex(value),
        f"0{value:o}",
        f"{first}.{rest}",
        f"0x{first:x}.0x{rest:x}",
        f"[::ffff:{dotted}]",
        f"[64:ff9b::{value >> 16:x}:{value & 0xFFFF:x}]",
    ]


def is_allowed(policy: AddressPolicy, url: str) -> bool:
    try:
        policy.check_url(url)
    except RefusedURL:
        return False
    return True


@given(st.integers(0, 2**32 - 1), st.booleans())
def test_every_spelling_of_an_address_is_decided_alike(value: int, local: bool) -> None:
    policy = AddressPolicy(allow_local=local)
    decisions = {spelling: is_allowed(policy, f"https://{spelling}/") for spelling in spellings(value)}
    assert len(set(decisions.values())) == 1, decisions


@given(st.text(max_size=60))
def test_any_text_is_allowed_or_refused(text: str) -> None:
    for policy in (STRICT, LOCAL):
        is_allowed(policy, text)
    shown(text)
