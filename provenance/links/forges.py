"""Kinds of sites that show repositories, and the hosts that are known to be one."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from types import MappingProxyType


class Forge(StrEnum):
    """A kind of site, by the form of its links to lines; the value is what configuration calls it."""

    GITHUB = "github"
    GITLAB = "gitlab"
    GITEA = "gitea"
    """Forgejo and Gogs write the same."""
    BITBUCKET = "bitbucket"
    """bitbucket.org."""
    BITBUCKET_SERVER = "bitbucket-server"
    """Bitbucket Data Center, which was Stash."""
    SOURCEHUT = "sourcehut"
    HUGGINGFACE = "huggingface"
    CGIT = "cgit"
    GITILES = "gitiles"
    GITWEB = "gitweb"
    AZURE = "azure"


Hosts = Mapping[str, Forge]
"""Further hosts and what they run, from configuration: `{"git.example.org": Forge.GITEA}`; a port may follow a name."""

NO_HOSTS: Hosts = MappingProxyType({})

_HOSTS = {
    "0xacab.org": Forge.GITLAB,
    "bitbucket.org": Forge.BITBUCKET,
    "code.videolan.org": Forge.GITLAB,
    "codeberg.org": Forge.GITEA,
    "dev.azure.com": Forge.AZURE,
    "framagit.org": Forge.GITLAB,
    "git.busybox.net": Forge.CGIT,
    "git.drupalcode.org": Forge.GITLAB,
    "git.kernel.org": Forge.CGIT,
    "git.postgresql.org": Forge.GITWEB,
    "git.savannah.gnu.org": Forge.CGIT,
    "git.savannah.nongnu.org": Forge.CGIT,
    "git.sr.ht": Forge.SOURCEHUT,
    "git.zx2c4.com": Forge.CGIT,
    "gitee.com": Forge.GITHUB,
    "huggingface.co": Forge.HUGGINGFACE,
    "invent.kde.org": Forge.GITLAB,
    "repo.or.cz": Forge.GITWEB,
    "salsa.debian.org": Forge.GITLAB,
    "sourceware.org": Forge.GITWEB,
}

_LABELS = {
    "bitbucket": Forge.BITBUCKET_SERVER,
    "cgit": Forge.CGIT,
    "forgejo": Forge.GITEA,
    "gitea": Forge.GITEA,
    "github": Forge.GITHUB,
    "gitlab": Forge.GITLAB,
    "gitweb": Forge.GITWEB,
    "gogs": Forge.GITEA,
    "googlesource": Forge.GITILES,
    "stash": Forge.BITBUCKET_SERVER,
    "visualstudio": Forge.AZURE,
}
"""What hosts are called that run one of these for themselves: `gitlab.example.org`."""

_NO_FORGES = (".github.com", ".github.io", ".gitlab.com", ".gitlab.io", ".bitbucket.org", ".bitbucket.io")
"""Documentation, pages and interfaces of sites whose repositories stand at the name itself."""

_ALIASES = {"github.dev": "github.com", "hf.co": "huggingface.co"}

BARE_HOST = (
    r"(?:www\.)?(?:bitbucket\.org|codeberg\.org|git\.sr\.ht|github\.com|gitlab\.com|huggingface\.co"
    r"|raw\.githubusercontent\.com)/"
)
"""Hosts that people write without `https://`."""


def canonical(host: str) -> str:
    """The one name of a host that has several."""
    host = host.rstrip(".")
    bare = host.removeprefix("www.")
    return _ALIASES.get(bare, bare if bare in _HOSTS or bare in {"github.com", "gitlab.com"} else host)


def forge_of(host: str, hosts: Hosts = NO_HOSTS, port: int | None = None) -> Forge | None:
    """The kind of site that a host is, as far as configuration or its name tells.

    Args:
        host: in lower case.
        hosts: what is configured, which goes before what is known.
        port: as the URL has it.
    """
    configured = hosts.get(f"{host}:{port}") or hosts.get(host)
    if configured is not None:
        return configured
    if host in _HOSTS:
        return _HOSTS[host]
    if host.endswith(_NO_FORGES):
        return None
    return next((_LABELS[label] for label in host.split(".") if label in _LABELS), None)
