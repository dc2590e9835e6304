"""Repositories as they are reached: what a URL leads to, whether it may be, and the calls that git makes."""

from __future__ import annotations

import socket
import threading
import time
import urllib.request
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urljoin, urlsplit

from provenance.origin.address import Location, locate, shown
from provenance.origin.git_environment import REMOTE, Remote, without_userinfo
from provenance.origin.git_failure import Failure, Remedy, classify, redirection

if TYPE_CHECKING:
    from collections.abc import Sequence

    from provenance.origin.address import AddressPolicy
    from provenance.origin.git_command import Finished, GitCommand, Limits
    from provenance.origin.listener import Listener

_MOST_REDIRECTS = 5
_MOST_FAILED = 2
"""Repositories for which a host breaks off or stays silent, after which it counts as one that is not there."""


@dataclass(frozen=True, slots=True)
class Site:
    """A repository that may be reached, as far as its URL says."""

    url: str = field(repr=False)
    """What git is given."""
    effective: str = field(repr=False)
    """What git makes of it with the user's `insteadOf`."""
    name: str
    """The URL as written, fit to be printed."""
    key: str
    """What tells the repository from others in the cache, without secrets."""
    location: Location
    """Where the effective URL leads."""

    @property
    def host(self) -> str:
        """Its host for a message; a local one has none."""
        return self.location.host or self.name


class GitRemotes:
    """The remote repositories of one run. Safe to use from several threads."""

    def __init__(
        self,
        command: GitCommand,
        policy: AddressPolicy,
        listener: Listener,
        limits: Limits,
        *,
        credentials: bool,
    ) -> None:
        self._command = command
        self._policy = policy
        self._listener = listener
        self._limits = limits
        self._credentials = credentials
        self._lock = threading.Lock()
        self._turns: dict[tuple[str, int | None], threading.Lock] = {}
        self._addresses: dict[tuple[str, int | None], str | Failure] = {}
        self._failed: dict[tuple[str, int | None], set[str]] = {}
        """By host and port the repositories that were not given in several tries."""
        self._sites: dict[str, Site] = {}
        self._moved: dict[str, Site] = {}
        self._found: dict[str, Site] = {}

    def open(self, url: str) -> Site:
        """Decide whether a URL may be used, and what git makes of it. Nothing is reached.

        Raises:
            RefusedURL: the URL, or what `insteadOf` makes of it, is not allowed.
            GitFault: git cannot be used.
        """
        site = self._sites.get(url)
        if site is None:
            self._policy.check_url(url)
            effective = self._command.effective_url(url)
            if effective != url:
                self._policy.check_url(effective)
            location = locate(effective)
            is_path = locate(url).scheme == "file" and "://" not in url
            key = str(Path(url).absolute()) if is_path else without_userinfo(url)
            if not self._credentials:
                # A stranger's run must not see what the user's credentials once brought.
                effective, key = without_userinfo(effective), f"{key} (public)"
            site = Site(url if self._credentials else effective, effective, shown(url), key, location)
            self._sites[url] = site
        return site

    def moved(self, site: Site) -> str | None:
        """The address, fit to be printed, to which a repository has moved; empty where it stands where it was.

        None where it was not reached in this run.
        """
        found = self._found.get(site.url)
        if found is None:
            return None
        # What is behind the user's own insteadOf says nothing of the repository that is cited.
        is_direct = shown(site.effective) == site.name
        return found.name if is_direct and _bare(found.name) != _bare(site.name) else ""

    def call(
        self, site: Site, arguments: Sequence[str], directory: Path, *, feed: bytes = b""
    ) -> Finished | Failure:
        """Run a git command that uses the network, again where that may help.

        Raises:
            RefusedURL: the host's address, or where it redirects to, is not allowed.
            GitFault: git cannot be used.
        """
        answer = self._follow(site, arguments, directory, feed)
        for attempt in range(self._limits.retries):
            if not isinstance(answer, Failure) or answer.remedy is not Remedy.PASSING:
                break
            delay = self._limits.backoff * 2**attempt
            self._listener.say(f"{answer.message}; trying again in {delay:g} s")
            time.sleep(delay)
            answer = self._follow(site, arguments, directory, feed)
        if isinstance(answer, Failure) and answer.remedy is Remedy.PASSING:
            self._give_up(site)
        return answer

    def _give_up(self, site: Site) -> None:
        """Count a repository that a host did not give in all its tries; after some it is not asked for others."""
        location = self._moved.get(site.url, site).location
        if location.scheme == "file":
            return
        endpoint = (location.host, location.port)
        with self._lock:
            failed = self._failed.setdefault(endpoint, set())
            failed.add(site.url)
            if len(failed) == _MOST_FAILED:
                message = f"{location.host} did not answer for {len(failed)} repositories"
                self._addresses[endpoint] = Failure(Remedy.DOWN, message)
                self._listener.say(f"{message}; it is not asked again in this run")

    def _follow(
        self, site: Site, arguments: Sequence[str], directory: Path, feed: bytes
    ) -> Finished | Failure:
        target = self._moved.get(site.url, site)
        for _ in range(_MOST_REDIRECTS):
            answer = self._once(target, site, arguments, directory, feed)
            if not isinstance(answer, Failure):
                self._found[site.url] = target
                return answer
            if answer.remedy is not Remedy.REDIRECT:
                return answer
            moved = self._redirected(target, directory)
            if isinstance(moved, Failure):
                return moved
            self._listener.say(f"{site.name} redirects to {moved.name}")
            target = self._moved[site.url] = moved
        return Failure(Remedy.FINAL, f"{site.name} redirects more than {_MOST_REDIRECTS} times")

    def _once(
        self, target: Site, site: Site, arguments: Sequence[str], directory: Path, feed: bytes
    ) -> Finished | Failure:
        address = self._approach(target.location)
        if isinstance(address, Failure):
            return address

        def progress(received: int, objects: int) -> None:
            self._listener.advance(site.name, received=received, objects=objects)

        remote = Remote(target.url, address)
        finished = self._command.reach(arguments, directory, remote, feed=feed, on_progress=progress)
        finished = replace(finished, err=self._command.redact(finished.err, target.effective))
        failure = classify(finished, url=target.name, host=target.host)
        if failure is not None and failure.remedy is Remedy.DOWN:
            with self._lock:
                self._addresses[target.location.host, target.location.port] = failure
        return finished if failure is None else failure

    def _approach(self, location: Location) -> str | Failure:
        """Check a host's addresses once a run, and that it listens.

        Returns:
            What git is to connect to, so that a name which is resolved anew leads nowhere else; empty where
            git finds the way itself.
        """
        if location.scheme == "file":
            return ""
        endpoint = (location.host, location.port)
        with self._lock:
            turn = self._turns.setdefault(endpoint, threading.Lock())
        with turn:  # one that is down is asked once, not once a thread
            known = self._addresses.get(endpoint)
            if known is None:
                known = self._probe(location)
                self._addresses[endpoint] = known
                if isinstance(known, Failure):
                    self._listener.say(f"{known.message}; it is not asked again in this run")
        return known

    def _probe(self, location: Location) -> str | Failure:
        host, port = location.host, location.port
        if location.scheme == "ssh":
            with suppress(OSError):  # ssh's own configuration may know a name that cannot be resolved
                self._policy.check_host(host, port)
            return ""
        if self._is_proxied(location):
            return ""  # the proxy resolves the name: here it is checked as it is written
        try:
            self._policy.check_host(host, port)
        except OSError as error:
            return Failure(Remedy.DOWN, f"the name of {host} cannot be resolved: {error.strerror or error}")
        try:
            with socket.create_connection(
                (host, port or 443), timeout=self._limits.connect_seconds
            ) as reached:
                address = str(reached.getpeername()[0])
        except OSError as error:
            return Failure(Remedy.DOWN, f"{host} cannot be reached: {error.strerror or error}")
        self._policy.check_address(host, address, port)
        if ":" in host:
            return ""
        return f"{host}:{port}:[{address}]" if ":" in address else f"{host}:{port}:{address}"

    def _is_proxied(self, location: Location) -> bool:
        if self._command.config.proxied:
            return True
        proxies = urllib.request.getproxies()
        return bool({location.scheme, "all"} & proxies.keys()) and not urllib.request.proxy_bypass(
            location.host
        )

    def _redirected(self, target: Site, directory: Path) -> Site | Failure:
        """Where a repository is now.

        Raises:
            RefusedURL: that is not allowed.
        """
        address = self._approach(target.location)
        if isinstance(address, Failure):
            return address
        remote = Remote(target.url, address)
        traced = self._command.reach(("ls-remote", REMOTE), directory, remote, trace=True)
        found = redirection(traced.err)
        if found is None:
            return Failure(Remedy.FINAL, f"{target.name} redirects, and not to a repository")
        moved = without_userinfo(
            urljoin(f"{without_userinfo(target.effective).rstrip('/')}/info/refs", found)
        )
        if urlsplit(moved).scheme != target.location.scheme:
            return Failure(Remedy.FINAL, f"{target.name} redirects to another scheme: {shown(moved)}")
        return self.open(moved)


def _bare(name: str) -> str:
    """A URL without what sites add to it when they mean the same repository."""
    return name.rstrip("/").removesuffix(".git").lower()
