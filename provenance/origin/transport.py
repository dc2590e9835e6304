"""requests, with every connection checked before a byte is sent, and cut when its time is over.

Imported by `provenance.origin.http` when the first request is made: requests costs 150 ms.
"""

from __future__ import annotations

import socket
import threading
from typing import TYPE_CHECKING

import requests
from requests.adapters import HTTPAdapter
from requests.utils import select_proxy
from urllib3 import HTTPConnectionPool, HTTPSConnectionPool
from urllib3.connection import HTTPConnection, HTTPSConnection

from provenance.origin.address import locate

if TYPE_CHECKING:
    from collections.abc import Mapping
    from types import TracebackType
    from typing import Self

    from urllib3 import PoolManager, ProxyManager
    from urllib3._base_connection import BaseHTTPConnection, BaseHTTPSConnection

    from provenance.origin.address import AddressPolicy


class Deadline:
    """The time that one fetch has, headers, handshakes and waiting included.

    A timeout on a socket starts anew with each byte, so a peer that sends one now and then holds a reader for
    as long as it likes. This one shuts the connections down, which wakes every reader.
    """

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        self.expired = False
        self._sockets: list[socket.socket] = []
        self._lock = threading.Lock()
        self._timer = threading.Timer(seconds, self._expire)
        self._timer.daemon = True

    def __enter__(self) -> Self:
        self._timer.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._timer.cancel()
        with self._lock:
            for held in self._sockets:
                held.close()
            self._sockets.clear()

    def hold(self, connection: socket.socket) -> None:
        """Have a connection cut when the time is over.

        A duplicate is kept: TLS takes the socket's descriptor over, and http.client closes it early.
        """
        with self._lock:
            self._sockets.append(connection.dup())
        if self.expired:
            self._expire()

    def _expire(self) -> None:
        with self._lock:
            self.expired = True
            for held in self._sockets:
                try:
                    held.shutdown(socket.SHUT_RDWR)
                except OSError:
                    continue  # it has ended by itself


class _Adapter(HTTPAdapter):
    """Connects directly to allowed addresses alone.

    Behind a proxy it is the proxy that resolves names: there they are checked as they are written.
    """

    def __init__(self, policy: AddressPolicy, deadline: Deadline) -> None:
        self._pools = _pools(policy, deadline)
        self._policy = policy
        super().__init__(pool_connections=2, pool_maxsize=1, max_retries=0)

    def init_poolmanager(
        self, connections: int, maxsize: int, block: bool = False, **keywords: object
    ) -> None:
        super().init_poolmanager(connections, maxsize, block, **keywords)
        self._guard(self.poolmanager)

    def proxy_manager_for(self, proxy: str, **keywords: object) -> ProxyManager:
        manager: ProxyManager = super().proxy_manager_for(proxy, **keywords)
        self._guard(manager)
        return manager

    def _guard(self, manager: PoolManager) -> None:
        manager.pool_classes_by_scheme = dict(self._pools)

    def send(
        self,
        request: requests.PreparedRequest,
        stream: bool = False,
        timeout: float | tuple[float, float] | tuple[float, None] | None = None,
        verify: bool | str = True,
        cert: bytes | str | tuple[bytes | str, bytes | str] | None = None,
        proxies: Mapping[str, str] | None = None,
    ) -> requests.Response:
        """Check the host's addresses, then send.

        Raises:
            RefusedURL: the host has an address that is not allowed.
            OSError: it cannot be resolved, or what requests raises.
        """
        url = request.url or ""
        if select_proxy(url, dict(proxies or {})) is None:
            location = locate(url)
            self._policy.check_host(location.host, location.port)
        return super().send(request, stream, timeout, verify, cert, proxies)


def _pools(policy: AddressPolicy, deadline: Deadline) -> Mapping[str, type[HTTPConnectionPool]]:
    """Pools whose connections look at whom they have reached before anything is sent, TLS included.

    `_new_conn` is where urllib3, 1.26 and 2, makes its sockets; it has no public place for this.
    """

    def admit(connection: HTTPConnection, made: socket.socket) -> socket.socket:
        deadline.hold(made)
        if connection.proxy is None:
            try:
                policy.check_address(connection.host, str(made.getpeername()[0]), connection.port)
            except BaseException:
                made.close()
                raise
        return made

    class Plain(HTTPConnection):
        def _new_conn(self) -> socket.socket:
            return admit(self, super()._new_conn())

    class Secure(HTTPSConnection):
        def _new_conn(self) -> socket.socket:
            return admit(self, super()._new_conn())

    class PlainPool(HTTPConnectionPool):
        ConnectionCls: type[BaseHTTPConnection] = Plain

    class SecurePool(HTTPSConnectionPool):
        ConnectionCls: type[BaseHTTPSConnection] = Secure

    return {"http": PlainPool, "https": SecurePool}


class _Session(requests.Session):
    """Follows no redirect by itself: requests would read a redirect's whole body first, whatever its size."""

    def get_redirect_target(self, resp: requests.Response) -> None:
        """Say that there is none."""


def open_session(policy: AddressPolicy, deadline: Deadline) -> requests.Session:
    """A session for one fetch: proxies and certificates come from the environment, as requests reads them."""
    session = _Session()
    adapter = _Adapter(policy, deadline)
    session.mount("https://", adapter)
    session.mount("http://", adapter)
    return session
