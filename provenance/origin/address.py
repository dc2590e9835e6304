"""Which URLs, hosts and addresses may be reached. Manifests and documents may come from strangers.

What a URL says is decided without I/O (`AddressPolicy.check_url`); where its host really is, when it is
resolved (`check_host`) and once more when it is connected (`check_address`), for a name can be answered
differently the second time it is asked.
"""

from __future__ import annotations

import ipaddress
import re
import socket
from dataclasses import dataclass
from typing import TYPE_CHECKING, NoReturn
from urllib.parse import urlsplit

from provenance.errors import RefusedURL

if TYPE_CHECKING:
    from collections.abc import Iterator

_Address = ipaddress.IPv4Address | ipaddress.IPv6Address

_DEFAULT_PORTS = {"https": 443, "http": 80, "ssh": 22}
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]")
_HELPER = re.compile(r"[A-Za-z0-9+.\-]*::")
"""git's `transport::address`, which runs the program `git-remote-transport` (gitremote-helpers(7))."""
_SCHEME = re.compile(r"(?P<scheme>[A-Za-z][A-Za-z0-9+.\-]*)://")
_SCP = re.compile(r"(?:(?P<user>[^/@:\[\]]*)@)?(?P<host>\[[^\]/]*\]|[^/@:\[\]]*):(?P<path>.*)", re.DOTALL)
"""`user@host:path`: a colon before the first slash, as git-clone(1), "GIT URLS", tells it from a path."""
_HOST = re.compile(r"[A-Za-z0-9_](?:[A-Za-z0-9._\-]*[A-Za-z0-9_.])?|[0-9A-Fa-f:.]*:[0-9A-Fa-f:.]*")
"""A name in ASCII or an IPv6 address. Other spellings (`%31`, full-width digits) are read differently by
different programs, so that what was checked is not what is reached."""
_NUMERIC = re.compile(r"(?:0[xX][0-9A-Fa-f]*|[0-9]+)(?:\.(?:0[xX][0-9A-Fa-f]*|[0-9]+)){0,3}\.?")
"""What inet_aton(3) takes for an IPv4 address: `0x7f.1`, `2130706433`, `0177.0.0.1`."""
_USERINFO = re.compile(
    r"(?P<scheme>[A-Za-z][A-Za-z0-9+.\-]*://)(?:[^/?#\s]*:(?![0-9]*[/?#])[^?#\s]*|[^/?#\s]*)@"
)
"""Also where a password holds an unescaped slash: what stands before it is then no port."""
_NAT64 = ipaddress.IPv6Network("64:ff9b::/96")
"""The well-known prefix of RFC 6052, whose last 32 bits are the IPv4 address that is reached."""

_DOCUMENTATION = tuple(
    map(ipaddress.ip_network, ("192.0.2.0/24", "198.51.100.0/24", "203.0.113.0/24", "2001:db8::/32"))
)
"""Examples (RFC 5737, RFC 3849): no network of anybody's is there to protect, and a transparent gateway gives
out such addresses for public names."""


@dataclass(frozen=True, slots=True)
class Location:
    """Where a URL leads, as far as its text says."""

    scheme: str
    """`https`, `http`, `ssh`, or `file` for a path of this machine."""
    host: str
    """In lower case, without brackets and without a last dot; empty for `file`."""
    port: int | None = None
    """None for `file`."""


def shown(url: str) -> str:
    """The URL, or a text that holds URLs, without user information and query: fit to be printed."""
    bare = _USERINFO.sub(r"\g<scheme>", url)
    if _SCHEME.match(bare):
        return re.split(r"[?#]", bare, maxsplit=1)[0]
    scp = _SCP.fullmatch(bare)
    if scp is not None and scp["user"]:
        return bare[len(scp["user"]) + 1 :]
    # `user:secret@host:path` is neither form, yet somebody may write it.
    return bare if _SCHEME.search(bare) or " " in bare else re.sub(r"^[^/@]*:[^/@]*@", "", bare)


def locate(url: str) -> Location:
    """Where a git or http URL leads.

    Raises:
        RefusedURL: the text is no URL that prov would ever hand on.
    """
    if not url or url.startswith("-"):
        _refuse(url, "it is empty or looks like an option")
    if _CONTROL.search(url):
        _refuse(url, "it holds control characters")
    if _HELPER.match(url):
        _refuse(url, "transport helpers run commands, write https:// or ssh://")
    scheme = _SCHEME.match(url)
    if scheme is not None:
        return _locate_url(url, scheme["scheme"].lower())
    scp = _SCP.fullmatch(url)
    if scp is None:
        return Location("file", "")
    if (scp["user"] or "").startswith("-") or scp["path"].startswith("-"):
        _refuse(url, "a part of it looks like an option")
    if len(scp["host"]) < 2:  # noqa: PLR2004 - one letter is a drive of another system
        _refuse(url, "it is neither host:path nor a path of this system")
    if scp["host"].lower() in {*_DEFAULT_PORTS, "file"}:
        _refuse(url, f"write {scp['host'].lower()}://")
    return Location("ssh", _host(url, scp["host"].removeprefix("[").removesuffix("]")), _DEFAULT_PORTS["ssh"])


def _locate_url(url: str, scheme: str) -> Location:
    try:
        parts = urlsplit(url)
        host, port, user = parts.hostname or "", parts.port, parts.username or ""
    except ValueError:
        _refuse(url, "its host or port cannot be read")
    if scheme == "file":
        if host not in {"", "localhost"}:
            _refuse(url, "a file has no host, write file:///")
        return Location("file", "")
    if scheme not in _DEFAULT_PORTS:
        _refuse(url, f"{scheme}:// is not allowed, write https:// or ssh://")
    if "\\" in parts.netloc or parts.netloc.count("@") > 1 or any(map(str.isspace, parts.netloc)):
        _refuse(url, "its host cannot be read in one way only")
    if user.startswith("-"):
        _refuse(url, "a part of it looks like an option")
    return Location(scheme, _host(url, host), _DEFAULT_PORTS[scheme] if port is None else port)


def _host(url: str, host: str) -> str:
    if _HOST.fullmatch(host) is None:
        _refuse(url, "its host is no plain name or address (write a name outside ASCII as xn--…)")
    return _canonical(host)


def _canonical(host: str) -> str:
    return host.removeprefix("[").removesuffix("]").rstrip(".").lower()


def _refuse(url: str, why: str) -> NoReturn:
    message = f"{shown(url)!r} is refused: {why}"
    raise RefusedURL(message)


@dataclass(frozen=True, slots=True)
class AddressPolicy:
    """What the command line, and nothing else, allows to be reached."""

    allow_local: bool = False
    """Whether paths, `file:` and loopback (with plain http) are allowed too: `--allow-local`."""
    allow_hosts: frozenset[str] = frozenset()
    """Hosts that may have any address: `--allow-host`."""
    trusted: frozenset[tuple[str, int]] = frozenset()
    """Host and port of what the user's environment names (a package index): any address, also by http."""

    def check_url(self, url: str) -> None:
        """Decide by the text alone whether a git or http URL may be used.

        Raises:
            RefusedURL: it may not; the message names the option that would allow it, if one would.
        """
        location = locate(url)
        if location.port is None:
            if not self.allow_local:
                _refuse(url, "it names a path of this machine; --allow-local allows it")
            return
        if (location.host, location.port) in self.trusted:
            return
        loopback = _is_loopback_name(location.host)
        if location.scheme == "http" and not (loopback and self.allow_local):
            hint = "; --allow-local allows it to loopback" if loopback else ""
            _refuse(url, f"http is not encrypted, write https://{hint}")
        self._check_literal(location.host)

    def check_host(self, host: str, port: int | None = None) -> None:
        """Resolve a host and decide whether every address that it has may be reached.

        Raises:
            RefusedURL: at least one may not.
            OSError: the name cannot be resolved.
        """
        if self._is_named(host, port):
            return
        self._check_literal(_canonical(host))
        try:
            found = socket.getaddrinfo(_canonical(host), port, type=socket.SOCK_STREAM)
        except UnicodeError as error:  # from the IDNA codec, for labels that no name can have
            message = f"{host} is no host name"
            raise OSError(message) from error
        for *_, address in found:
            self.check_address(host, str(address[0]), port)

    def check_address(self, host: str, address: str, port: int | None = None) -> None:
        """Decide whether `address`, at which `host` was found or connected, may be reached.

        Raises:
            RefusedURL: it may not.
        """
        if self._is_named(host, port):
            return
        literal = _literal(_canonical(address))
        if literal is None:
            message = f"{host} is refused: its address {address!r} cannot be read"
            raise RefusedURL(message)
        self._check_literal_address(_canonical(host), literal)

    def _is_named(self, host: str, port: int | None) -> bool:
        name = _canonical(host)
        return self._is_allowed(name) or (port is not None and (name, port) in self.trusted)

    def _is_allowed(self, host: str) -> bool:
        return any(host == _canonical(allowed) for allowed in self.allow_hosts)

    def _check_literal(self, host: str) -> None:
        """Refuse a host that is written as an address or as a name of this machine, unless it is allowed."""
        if self._is_allowed(host) or (self.allow_local and _is_loopback_name(host)):
            return
        literal = _literal(host)
        if literal is not None:
            self._check_literal_address(host, literal)
        elif _is_loopback_name(host):
            _refuse_address(host, "loopback", "--allow-local or ")

    def _check_literal_address(self, host: str, address: _Address) -> None:
        for reached in _reached(address):
            if reached.is_loopback:
                if not self.allow_local:
                    _refuse_address(host, f"the loopback address {address}", "--allow-local or ")
            elif not _is_public(reached):
                _refuse_address(host, f"the address {address}, which is not public", "")


def _refuse_address(host: str, what: str, also: str) -> NoReturn:
    message = f"{host} is refused: it leads to {what}; {also}--allow-host {host} allows it"
    raise RefusedURL(message)


def _is_loopback_name(host: str) -> bool:
    if host in {"localhost", "localhost.localdomain", "ip6-localhost", "ip6-loopback"} or host.endswith(
        ".localhost"
    ):
        return True
    literal = _literal(host)
    return literal is not None and all(reached.is_loopback for reached in _reached(literal))


def _literal(host: str) -> _Address | None:
    """The address that a host is written as, in any spelling that a C library reads; None for a name."""
    bare = host.partition("%")[0]
    if _NUMERIC.fullmatch(bare):
        try:
            return ipaddress.IPv4Address(socket.inet_aton(bare.rstrip(".")))
        except OSError:
            return None
    try:
        return ipaddress.ip_address(bare)
    except ValueError:
        return None


def _is_public(address: _Address) -> bool:
    if any(address in network for network in _DOCUMENTATION):
        return True
    local = isinstance(address, ipaddress.IPv6Address) and address.is_site_local
    return address.is_global and not address.is_multicast and not local


def _reached(address: _Address) -> Iterator[_Address]:
    """The addresses that a packet to this one may end at: IPv6 carries IPv4 in several ways."""
    if isinstance(address, ipaddress.IPv4Address):
        yield address
        return
    carried = [address.ipv4_mapped, address.sixtofour, *(address.teredo or ())]
    if address in _NAT64:
        carried.append(ipaddress.IPv4Address(int(address) & 0xFFFF_FFFF))
    inner = [one for one in carried if one is not None]
    yield from inner
    if address.ipv4_mapped is None and address not in _NAT64:
        yield address
