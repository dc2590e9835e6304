"""Links to cited lines, as forges and the Software Heritage archive write them. Pure text; nothing is asked.

Sources of the forms: GitHub's "Getting permanent links to files", and the links that GitLab, Gitea,
Bitbucket, SourceHut and the Hugging Face Hub show for a selection of lines; the SWHID specification,
"Qualified identifiers", for `swh:1:cnt:`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import Enum
from functools import lru_cache
from typing import TYPE_CHECKING
from urllib.parse import quote, unquote, urlsplit

from provenance.citation import LineRange
from provenance.errors import InvalidRecord

if TYPE_CHECKING:
    from urllib.parse import SplitResult

_COMMIT = re.compile(r"[0-9a-f]{40}")

_SCP = re.compile(r"(?:[^@/:\s]+@)?(?P<host>[^@/:\s]{2,}):(?!//)(?P<path>[^\s]+)")
"""`git@host:owner/name`, which git reads as ssh (git-fetch's "GIT URLS"); a host of one letter is a drive."""

_USERINFO = re.compile(
    r"(?P<scheme>[A-Za-z][A-Za-z0-9+.\-]*://)"
    r"(?P<user>[^/?#\s]*|[^/?#\s@:]*:(?![0-9]*(?:[/?#]|$))[^?#\s@]*)@"
)
"""A user's name and password in a URL; a password may hold an unescaped slash where no port stands before it."""
_TOKEN = re.compile(
    r"(?P<mark>[?&#;])[^=&#;]*(?:token|secret|passw|auth|key|sig)[^=&#;]*=[^&#;]*[&;]?", re.IGNORECASE
)
"""A part of a query that lets its bearer in, such as `private_token=…`; other parts can name the repository."""
_SCP_PASSWORD = re.compile(r"(?P<scheme>)(?P<user>[^@/:\s]+:[^\s]*)@(?=[^@/:\s]+:(?!//))")
"""`user:password@host:path`, which is no form that git knows, and is written nevertheless."""


class Forge(Enum):
    """A kind of site, by how it writes a link to lines: path and fragment, each one line and several."""

    GITHUB = ("/blob/{revision}/{path}", "#L{first}", "#L{first}-L{last}")
    GITLAB = ("/-/blob/{revision}/{path}", "#L{first}", "#L{first}-{last}")
    GITEA = ("/src/commit/{revision}/{path}", "#L{first}", "#L{first}-L{last}")
    BITBUCKET = ("/src/{revision}/{path}", "#lines-{first}", "#lines-{first}:{last}")
    SOURCEHUT = ("/tree/{revision}/item/{path}", "#L{first}", "#L{first}-{last}")


_HOSTS = {
    "bitbucket.org": Forge.BITBUCKET,
    "codeberg.org": Forge.GITEA,
    "framagit.org": Forge.GITLAB,
    "git.sr.ht": Forge.SOURCEHUT,
    "hf.co": Forge.GITHUB,
    "huggingface.co": Forge.GITHUB,
    "invent.kde.org": Forge.GITLAB,
    "salsa.debian.org": Forge.GITLAB,
}
_QUALIFIER = "/:@!$&'()*+,=?#[]"
"""What stays as it is in an SWHID's qualifier; the specification asks for `;` and `%` to be encoded."""

_LABELS = {"forgejo": Forge.GITEA, "gitea": Forge.GITEA, "github": Forge.GITHUB, "gitlab": Forge.GITLAB}
"""What hosts are called that run one of these for themselves: `gitlab.example.org`."""


@dataclass(frozen=True, slots=True)
class _Site:
    """A repository's page on the web."""

    url: str
    """https (or http on an unknown host), without user information, a `.git` suffix or a last slash."""
    forge: Forge | None


def permalink(git: str, revision: str, path: str, lines: LineRange | None) -> str | None:
    """A link to lines at a revision, in the form of the repository's host; None where that is not known.

    Args:
        git: the repository's URL, in any form that git takes.
        revision: as full as it is known.
        path: in the repository, not encoded.
        lines: what the link selects; None for the whole file.
    """
    site = _site(git)
    if site is None or site.forge is None:
        return None
    place, one, several = site.forge.value
    where = place.format(revision=_percent(revision), path=_percent(path))
    if lines is None:
        return site.url + where
    return site.url + where + (one if len(lines) == 1 else several).format(first=lines.first, last=lines.last)


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
    """Percent-encoded; a surrogate, which no UTF-8 has, as if it had."""
    return quote(text.encode("utf-8", "surrogatepass"), safe=safe)


def public_url(git: str) -> str:
    """A repository's URL as reports show it: without a user's name and password or a token, else as written."""
    match = _USERINFO.match(git) or _SCP_PASSWORD.match(git)
    if match is not None:
        # The user of an ssh URL is an account that everybody shares, such as git@; a password is not.
        is_ssh = match["scheme"].lower() in {"ssh://", ""}
        kept = f"{match['user'].partition(':')[0]}@" if is_ssh else ""
        git = f"{match['scheme']}{kept}{git[match.end() :]}"
    return _TOKEN.sub(r"\g<mark>", git).rstrip("?&#") if _TOKEN.search(git) else git


def repository_url(git: str) -> str | None:
    """The address of a repository's page: no user, no `.git`; None for a local path and the like."""
    site = _site(git)
    return None if site is None else site.url


@lru_cache(maxsize=256)
def _site(git: str) -> _Site | None:
    """What is asked for each citation, and has one answer a repository."""
    scp = _SCP.fullmatch(git)
    try:
        parts = urlsplit(f"https://{scp['host']}/{scp['path'].lstrip('/')}" if scp else git)
        host, port = parts.hostname, parts.port
    except ValueError:
        return None
    if parts.scheme not in {"http", "https", "ssh", "git"} or not host:
        return None
    web = parts.scheme in {"http", "https"}
    netloc = f"[{host}]" if ":" in host else host
    if port and web:  # the port of ssh says nothing of the web server's
        netloc = f"{netloc}:{port}"
    forge = _forge(host)
    scheme = "http" if parts.scheme == "http" and forge is None else "https"
    path = parts.path.rstrip("/").removesuffix(".git")
    return _Site(f"{scheme}://{netloc}{path}", forge) if path else None


def _forge(host: str) -> Forge | None:
    """The kind of site that a host is, as far as its name tells."""
    if host in _HOSTS:
        return _HOSTS[host]
    return next((_LABELS[label] for label in host.split(".") if label in _LABELS), None)


@dataclass(frozen=True, slots=True)
class PathLocator:
    """A file by the end of its path. An id can look like one: whoever knows the ids looks there first."""

    path: str
    """The last parts of a path, with forward slashes."""
    lines: LineRange | None


@dataclass(frozen=True, slots=True)
class PermalinkLocator:
    """A link to a file on a forge."""

    git: str
    """The repository's address, as `repository_url` gives it."""
    revision: str
    """What stands where a revision does, up to the next slash; not pinned where it is a branch."""
    path: str
    """What follows."""
    lines: LineRange | None
    rest: str
    """Revision and path, still joined: a branch's name can hold slashes, and the link does not tell."""


@dataclass(frozen=True, slots=True)
class SwhidLocator:
    """A content in the Software Heritage archive."""

    blob: str
    """Its git blob id."""
    origin: str | None
    """The repository's address."""
    revision: str | None
    """The full commit id of the anchor."""
    path: str | None
    """In the repository, without a first slash."""
    lines: LineRange | None


@dataclass(frozen=True, slots=True)
class IdLocator:
    """A citation by its id."""

    id: str


@dataclass(frozen=True, slots=True)
class UnreadableLocator:
    """Text that names no place."""

    text: str
    message: str
    """What is wrong with it."""


Locator = PathLocator | PermalinkLocator | SwhidLocator | IdLocator | UnreadableLocator

_DASH = r"\s*[-\u2010-\u2015\u2212]\s*"
_SPAN = rf"L?(?P<first>[0-9]{{1,9}})(?:C[0-9]+)?(?:{_DASH}L?(?P<last>[0-9]{{1,9}})(?:C[0-9]+)?)?"
_FRAGMENT = re.compile(rf"{_SPAN}|lines-(?P<from>[0-9]{{1,9}})(?::(?P<to>[0-9]{{1,9}}))?")
_PLACE = re.compile(rf"(?P<path>.+?)(?P<mark>:|#|\s)\s*{_SPAN}(?::[0-9]+)?")
"""`a/b.py:99-103`, `b.py#L99-L103`, `b.py 60`, and `b.py:60:5` as compilers print it."""

_RAW_HOST = "raw.githubusercontent.com"
_RAW = re.compile(r"(?P<repository>/[^/]+/[^/]+)/(?:refs/(?:heads|tags)/)?(?P<rest>.+)")
_FORMS = (
    re.compile(r"(?P<repository>/.+?)/-/(?:blob|raw|blame|tree)/(?P<rest>.+)"),
    re.compile(r"(?P<repository>/~[^/]+/[^/]+)/(?:tree|blob|blame)/(?P<rest>[^/]+/(?:item/)?.+)"),
    re.compile(r"(?P<repository>/[^/]+/[^/]+)/(?:src|raw|blame)/(?:commit|branch|tag)/(?P<rest>.+)"),
    re.compile(r"(?P<repository>/[^/]+/[^/]+)/(?:src|annotate)/(?P<rest>.+)"),
    re.compile(r"(?P<repository>/[^/]+(?:/[^/]+)*?)/(?:blob|raw|blame|resolve|edit|tree)/(?P<rest>.+)"),
)
"""The paths of links, the most particular first: they tell what a forge is, whatever its host is called."""

_SWHID = re.compile(r"(?:https?://[^/\s]+/)?swh:1:cnt:(?P<blob>[0-9a-f]{40})(?P<qualifiers>(?:;[^;\s]*?)*)/?")


def parse_locator(text: str) -> Locator:
    """What a person or a program means by a place: a path with lines, a link, an SWHID or a citation's id."""
    text = text.strip()
    try:
        if "swh:1:" in text:
            return _swhid_locator(text)
        if "://" in text:
            return _link_locator(text, urlsplit(text))
        return _path_locator(text)
    except (InvalidRecord, ValueError) as error:
        return UnreadableLocator(text, str(error))


def _path_locator(text: str) -> Locator:
    if not text:
        return UnreadableLocator(text, "no place is named")
    match = _PLACE.fullmatch(text)
    path = text if match is None else match["path"]
    is_path = "." in path or "/" in path
    if match is not None and (is_path or not match["mark"].isspace()):
        return PathLocator(_relative(path), _span(match))
    return PathLocator(_relative(text), None) if is_path and match is None else IdLocator(text)


def _relative(path: str) -> str:
    return path.removeprefix("./").lstrip("/")


def _link_locator(text: str, parts: SplitResult) -> Locator:
    raw = parts.hostname == _RAW_HOST
    forms = (_RAW,) if raw else _FORMS
    match = next(filter(None, (form.fullmatch(parts.path) for form in forms)), None)
    revision, _, path = match["rest"].partition("/") if match else ("", "", "")
    if match is None or not path:
        return UnreadableLocator(text, "the link names no file in a form that is known")
    host = "github.com" if raw else parts.netloc
    git = repository_url(f"{parts.scheme}://{host}{match['repository']}")
    if git is None:
        return UnreadableLocator(text, "the link does not lead to a repository on the web")
    if match["repository"].startswith("/~"):
        path = path.removeprefix("item/")
    lines = _FRAGMENT.fullmatch(unquote(parts.fragment))
    return PermalinkLocator(
        git,
        unquote(revision),
        unquote(path),
        None if lines is None else _span(lines),
        unquote(f"{revision}/{path}"),
    )


def _swhid_locator(text: str) -> Locator:
    match = _SWHID.fullmatch(text)
    if match is None:
        return UnreadableLocator(
            text, "it is not the SWHID of a content: swh:1:cnt: and 40 hexadecimal digits"
        )
    pairs = (pair.partition("=") for pair in match["qualifiers"].split(";"))
    known = {name: unquote(value) for name, _, value in pairs}
    anchor = known.get("anchor", "").removeprefix("swh:1:rev:")
    path = known.get("path", "").lstrip("/")
    return SwhidLocator(
        match["blob"],
        known.get("origin") or None,
        anchor if _COMMIT.fullmatch(anchor) else None,
        path or None,
        LineRange.parse(known["lines"]) if known.get("lines") else None,
    )


def _span(match: re.Match[str]) -> LineRange:
    """The lines that a match names.

    Raises:
        InvalidRecord: the range is reversed, or starts at line 0.
    """
    found = match.groupdict()
    first = int(found["first"] or found["from"])
    return LineRange(first, int(found["last"] or found.get("to") or first))
