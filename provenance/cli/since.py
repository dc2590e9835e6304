"""`--since REV`: which of a run's files are judged, and what is said of the others."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from collections.abc import Sequence

    from provenance.cli.options import Reach
    from provenance.project import DocumentFile, ManifestFile, Project

since_option = click.option(
    "--since", metavar="REV", help="Judge only what changed since a commit, branch or tag."
)


def manifests_since(
    revision: str | None, files: Sequence[ManifestFile], project: Project, reach: Reach
) -> list[ManifestFile]:
    """The manifests that are judged: all of them where no revision is named.

    Raises:
        UsageError: the revision cannot be compared with.
    """
    if revision is None:
        return list(files)
    from provenance.since import base_of, changed_manifests

    base = base_of(project.root, revision)
    # Locks of its own: those of the run are the ones that speak of what is judged.
    changed = changed_manifests(base, project.root, files, reach.locks(project))
    reach.talk().say(changed.told("manifest"))
    return changed.files


def documents_since(
    revision: str | None, files: Sequence[DocumentFile], project: Project, reach: Reach
) -> list[DocumentFile]:
    """The documents that are judged: all of them where no revision is named.

    Raises:
        UsageError: the revision cannot be compared with.
    """
    if revision is None:
        return list(files)
    from provenance.since import base_of, changed_documents

    changed = changed_documents(base_of(project.root, revision), project.root, files)
    reach.talk().say(changed.told("document"))
    return changed.files
