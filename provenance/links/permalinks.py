"""Links to cited lines, written as forges and the Software Heritage archive write them. Pure text; nothing is asked.

Sources of the forms: GitHub's "Getting permanent links to files", and the links that GitLab, Gitea,
Bitbucket, SourceHut and the Hugging Face Hub show for a selection of lines; the SWHID specification,
"Qualified identifiers", for `swh:1:cnt:`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import quote, urlsplit

from provenance.links.forges import NO_HOSTS, Forge, canonical, forge_of

if TYPE_CHECKING:
    from provenance.citation import LineRange
    from provenance.links.forges import Hosts

_COMMIT = re.compile(r"[0-9a-f]{40}")

_SCP = re.compile(r"(?:[^@/:\s]+@)?(?P<host>[^@/:\s]{2,}):(?!//)(?P<path>[^\s]+)")
"""`git@host:owner/name`, which git reads as ssh (git-fetch's "GIT URLS"); a host of one letter is a drive."""

_USERINFO = re.compile(
    r"(?P<scheme>[A-Za-z][A-Za-z0-9+.\-]*://)"
    r"(?P<user>[^/?#\s]*|[^/?#\s@:]*:(?![0-9]*(?:[/?#]|$))[^?#\s@]*)@"
)
"""A user's name and password in a URL; a password may hold an unescaped slash where no port stands before it."""
_SECRET = re.compile("token|secret|passw|auth|key|sig", re.IGNORECASE)
"""What is in the name of a part of a query that lets its bearer in; other parts can name the repository."""
_URL = r"[A-Za-z][A-Za-z0-9+.\-]{0,20}://\S+"
"""One that stands in a text, with what follows it up to white space; compiled when it is first needed."""
_TOKEN = rf"(?i:([?&;#][^=&?#;/]{{0,40}}(?:{_SECRET.pattern})[^=&?#;/]{{0,40}}=)[^&#;]*)"
"""A part of a query that lets its bearer in; the group is its name. Compiled when it is first needed."""
_SCP_PASSWORD = re.compile(r"(?P<scheme>)(?P<user>[^@/:\s]+:(?!//)[^\s]*)@(?=[^@/:\s]+:(?!//))")
"""`user:password@host:path`, which is no form that git knows, and is written nevertheless."""

_QUALIFIER = "/:@!$&'()*+,=?#[]"
"""What stays as it is in an SWHID's qualifier; the specification asks for `;` and `%` to be encoded."""


@dataclass(frozen=True, slots=True)
class _Site:
    """A repository's page on the web."""

    url: str
    """https (or http on an unknown host), without user information, a `.git` suffix or a last slash."""
    forge: Forge | None


class _Written(NamedTuple):
    """How a forge writes a link: what follows the repository's address, and what selects one line and several."""

    place: str
    one: str
    several: str


_WRITTEN = {
    Forge.AZURE: _Written(
        "?path=/{path}&version=GC{revision}",
        "&line={first}&lineEnd={after}&lineStartColumn=1&lineEndColumn=1",
        "&line={first}&lineEnd={after}&lineStartColumn=1&lineEndColumn=1",
    ),
    Forge.BITBUCKET: _Written("/src/{revision}/{path}", "#lines-{first}", "#lines-{first}:{last}"),
    Forge.BITBUCKET_SERVER: _Written("/browse/{path}?at={revision}", "#{first}", "#{first}-{last}"),
    Forge.CGIT: _Written("/tree/{path}?id={revision}", "#n{first}", "#n{first}"),
    Forge.GITEA: _Written("/src/commit/{revision}/{path}", "#L{first}", "#L{first}-L{last}"),
    Forge.GITHUB: _Written("/blob/{revision}/{path}", "#L{first}", "#L{first}-L{last}"),
    Forge.GITILES: _Written("/+/{revision}/{path}", "#{first}", "#{first}"),
    Forge.GITLAB: _Written("/-/blob/{revision}/{path}", "#L{first}", "#L{first}-{last}"),
    Forge.GITWEB: _Written("", "#l{first}", "#l{first}"),
    Forge.HUGGINGFACE: _Written("/blob/{revision}/{path}", "#L{first}", "#L{first}-L{last}"),
    Forge.SOURCEHUT: _Written("/tree/{revision}/item/{path}", "#L{first}", "#L{first}-{last}"),
}
"""cgit, gitiles and gitweb can only lead to a line. Where gitweb stands, a repository's address does not tell."""

_SERVER = re.compile(
    r"(?P<base>https?://[^/]+(?:/[^/]+)*?)(?:/scm)?/(?P<user>~)?(?P<key>[^/]+)/(?P<name>[^/]+?)(?:\.git)?"
)
"""An address that Bitbucket Server lets clone, by https or ssh."""


def permalink(
    git: str, revision: str, path: str, lines: LineRange | None, hosts: Hosts = NO_HOSTS
) -> str | None:
    """A link to lines at a revision, in the form of the repository's host; None where that is not known.

    Args:
        git: the repository's URL, in any form that git takes.
        revision: as full as it is known.
        path: in the repository, not encoded.
        lines: what the link selects; None for the whole file.
        hosts: what further hosts run.
    """
    site = _site(git, frozenset(hosts.items()))
    if site is None or site.forge in {None, Forge.GITWEB}:
        return None
    page = site.url
    if site.forge is Forge.BITBUCKET_SERVER:
        match = _SERVER.fullmatch(page)
        if match is None:
            return None
        of = "users" if match["user"] else "projects"
        page = f"{match['base']}/{of}/{match['key']}/repos/{match['name']}"
    where = _WRITTEN[site.forge].place.format(revision=_percent(revision), path=_percent(path))
    return page + where + (selecting(site.forge, lines) if lines else "")


def selecting(forge: Forge, lines: LineRange) -> str:
    """What a forge's links end in to select lines."""
    written = _WRITTEN[forge]
    form = written.one if len(lines) == 1 else written.several
    return form.format(first=lines.first, last=lines.last, after=lines.last + 1)


def can_select(forge: Forge, lines: LineRange) -> bool:
    """Whether a forge's links can select just these lines."""
    written = _WRITTEN[forge]
    return len(lines) == 1 or written.one != written.several or "{after}" in written.several


def swhid(git: str, blob: str | None, revision: str, path: str, lines: LineRange | None) -> str | None:
    """The identifier of cited lines in the Software Heritage archive; None where the content's id is unknown.

    The anchor is left out where the revision is not a full commit id, and the origin where the repository has
    no public address.
    """
    if blob is None:
        return None
    site = _site(git)
    parts = [f"swh:1:cnt:{blob}"]
    if site is not None:
        parts.append(f"origin={_percent(site.url, safe=_QUALIFIER)}")
    if _COMMIT.fullmatch(revision):
        parts.append(f"anchor=swh:1:rev:{revision}")
    parts.append(f"path=/{_percent(path, safe=_QUALIFIER)}")
    if lines is not None:
        parts.append(f"lines={lines}")
    return ";".join(parts)


def _percent(text: str, *, safe: str = "/") -> str:
    """Percent-encoded: the bytes that git has, or a surrogate that stands for none as if UTF-8 had it."""
    try:
        data = text.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        data = text.encode("utf-8", "surrogatepass")
    return quote(data, safe=safe)


def public_url(git: str) -> str:
    """A repository's URL as reports show it: without a user's name and password or a token, else as written."""
    match = _USERINFO.match(git) or _SCP_PASSWORD.match(git)
    if match is not None:
        git = _public_user(match) + git[match.end() :]
    return _without_tokens(git) if _SECRET.search(git) else git


def _public_user(match: re.Match[str]) -> str:
    """A URL's scheme, and its user where that is an account that everybody shares, such as git@ of an ssh URL."""
    is_ssh = match["scheme"].lower() in {"ssh://", ""}
    return f"{match['scheme']}{match['user'].partition(':')[0]}@" if is_ssh else match["scheme"]


def without_secrets(text: str) -> str:
    """A text that may quote URLs, fit to be printed: without the names, passwords and tokens in them."""
    if "://" not in text:
        return text
    return re.sub(_URL, lambda url: re.sub(_TOKEN, r"\1…", url[0]), _USERINFO.sub(_public_user, text))


def _without_tokens(git: str) -> str:
    """A URL without those parts of its query and fragment that let their bearer in."""
    kept, dropped = [], False
    pieces = re.split("([&#;])", git)
    for place in range(0, len(pieces), 2):
        name, equals, _ = pieces[place].partition("=")
        before, ask, asked = name.partition("?")
        # What stands before the first mark is an address, whose name may well have `key` in it.
        secret = (asked if ask else name if place else "") if equals else ""
        if _SECRET.search(secret):
            dropped = True
            kept.append(before + ask if ask else "")
            kept.append(
                ""
                if "".join(pieces[place + 1 : place + 2]) in {"&", ";"}
                else "".join(pieces[place + 1 : place + 2])
            )
        else:
            kept += pieces[place : place + 2]
    return "".join(kept).rstrip("?&#") if dropped else git


def repository_url(git: str, hosts: Hosts = NO_HOSTS) -> str | None:
    """The address of a repository's page: no user, no `.git` but for cgit; None for a local path and the like."""
    site = _site(git, frozenset(hosts.items()))
    return None if site is None else site.url


@lru_cache(maxsize=256)
def _site(git: str, hosts: frozenset[tuple[str, Forge]] = frozenset()) -> _Site | None:
    """What is asked for each citation, and has one answer a repository."""
    scp = _SCP.fullmatch(git)
    try:
        parts = urlsplit(f"https://{scp['host']}/{scp['path'].lstrip('/')}" if scp else git)
        host, port = parts.hostname, parts.port
    except ValueError:
        return None
    if parts.scheme not in {"http", "https", "ssh", "git"} or not host:
        return None
    host = canonical(host)
    web = parts.scheme in {"http", "https"}
    netloc = f"[{host}]" if ":" in host else host
    if port and web:  # the port of ssh says nothing of the web server's
        netloc = f"{netloc}:{port}"
    forge = forge_of(host, dict(hosts), port)
    scheme = "http" if parts.scheme == "http" and forge_of(host) is None else "https"
    path = parts.path.rstrip("/")
    if forge is not Forge.CGIT:  # whose pages have the repository's full name
        path = path.removesuffix(".git")
    return _Site(f"{scheme}://{netloc}{path}", forge) if path else None
