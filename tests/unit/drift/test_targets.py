from __future__ import annotations

import pytest

from provenance.citation import Release, Source
from provenance.drift.targets import (
    LATEST,
    Target,
    read_targets,
    release_at,
    release_named,
)
from provenance.errors import UsageError

ENGINE = Source(
    "engine", "https://github.com/example/engine", "v1", alternates=(Release("The.Engine", "1.0"),)
)
MODEL = Source("model", "https://github.com/example/model.git", "v1")
OTHER = Source("other", "https://github.com/example/model.git", "v2")
SOURCES = (ENGINE, MODEL, OTHER)


@pytest.mark.parametrize(
    ("texts", "engine", "model", "other"),
    [
        ([], LATEST, LATEST, LATEST),
        (["main"], "main", "main", "main"),
        (["latest"], LATEST, LATEST, LATEST),
        (["engine=v2"], "v2", LATEST, LATEST),
        (["main", "engine=v2"], "v2", "main", "main"),
        (["https://github.com/example/model.git=v3"], LATEST, "v3", "v3"),
        (["https://github.com/example/model=v3"], LATEST, "v3", "v3"),
        (["https://someone:secret@github.com/example/model.git=v3"], LATEST, "v3", "v3"),
        (["https://github.com/example/model.git=v3", "other=v4"], LATEST, "v3", "v4"),
        (["other=v4"], LATEST, "v4", "v4"),  # such as a source that was added by an earlier run
        (["model=v3", "other=v4"], LATEST, "v3", "v4"),
        (["engine=a=b"], "a=b", LATEST, LATEST),
        (["engine=the-engine==2.0"], "the-engine==2.0", LATEST, LATEST),
    ],
)
def test_a_source_goes_where_it_is_told_to(texts: list[str], engine: str, model: str, other: str) -> None:
    targets = read_targets(texts, SOURCES)
    assert [targets.of(source).written for source in SOURCES] == [engine, model, other]


@pytest.mark.parametrize(
    ("texts", "message"),
    [
        ([""], "no revision"),
        (["engine="], "no revision"),
        (["engine= "], "no revision"),
        (["engin=v2"], "there is no source engin; the manifests have engine, model, other"),
        (["=v2"], "there is no source without a name"),
        (["a=b"], "there is no source a"),
        (["main", "v2"], "go to main already"),
        (["engine=v2", "engine=v3"], "goes to v2 already"),
        (
            ["https://github.com/example/model=v2", "https://github.com/example/model.git=v3"],
            "goes to v2 already",
        ),
    ],
)
def test_what_names_nothing_or_a_thing_twice_is_wrong_usage(texts: list[str], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        read_targets(texts, SOURCES)


@pytest.mark.parametrize(
    ("written", "release"),
    [
        ("the-engine==2.0", Release("the-engine", "2.0")),
        ("pypi:the-engine==2.0", Release("the-engine", "2.0")),
        ("v2.0", None),
        ("==2.0", None),
        ("latest", None),
    ],
)
def test_a_release_is_written_as_pip_writes_it(written: str, release: Release | None) -> None:
    assert read_targets([written], SOURCES[:1]).general == Target(written, release)


def test_latest_is_what_a_clone_would_check_out() -> None:
    assert Target("latest").name == "HEAD"
    assert Target("main").name == "main"


@pytest.mark.parametrize("project", ["the-engine", "The_Engine", "the.engine", None])
def test_an_alternate_is_found_under_every_spelling_of_its_project(project: str | None) -> None:
    assert release_at(ENGINE, project) == Release("The.Engine", "1.0")
    assert release_at(ENGINE, "engine") is None
    assert release_at(MODEL, project) is None


@pytest.mark.parametrize(
    ("tag", "version"),
    [
        ("v1.2.3", "1.2.3"),
        ("1.2.3", "1.2.3"),
        ("v2.0rc1", "2.0rc1"),
        ("release-4.1", "4.1"),
        ("v1", None),
        ("main", None),
        ("latest", None),
        ("1234567", None),
    ],
)
def test_a_tag_that_names_a_version_is_likely_a_release(tag: str, version: str | None) -> None:
    wanted = None if version is None else Release("The.Engine", version)
    assert release_named(Target(tag), ENGINE) == wanted
    assert release_named(Target(tag), MODEL) is None
