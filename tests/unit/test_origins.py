from __future__ import annotations

import threading
from typing import TYPE_CHECKING

import pytest
from support.listening import Recorder
from support.repositories import Repository, isolate

from provenance.answers import Acquired, Lacking, Resolved, Unreached, Want
from provenance.citation import Release
from provenance.evidence import Content, OriginKind, Verdict
from provenance.origins import NetworkOrigins, NetworkReach, closing
from provenance.references import References

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Repository:
    isolate(monkeypatch, tmp_path / "home")
    return Repository.at(tmp_path / "engine.git")


def local(folder: Path) -> NetworkOrigins:
    reach = NetworkReach(folder, allow_local=True, credentials=False, cache=folder / "cache")
    return NetworkOrigins(Recorder(), reach)


@pytest.mark.parametrize("spelling", ["{}/engine.git", "file://{}/engine.git", "engine.git", "./engine.git"])
def test_git_answers_through_one_origin(tmp_path: Path, repository: Repository, spelling: str) -> None:
    commit = repository.commit({"valve.py": "code\n"})
    url = spelling.format(tmp_path)
    with closing(local(tmp_path)) as origins:
        assert origins is not None
        (resolved,) = origins.resolve(url, ["main"]).values()
        assert isinstance(resolved, Resolved)
        assert resolved.commit == commit
        found = dict(origins.acquire(url, [Want(commit, "valve.py"), Want(commit, "no.py")], refresh=False))
        acquired, lacking = found[Want(commit, "valve.py")], found[Want(commit, "no.py")]
        assert isinstance(acquired, Acquired)
        assert (acquired.content, acquired.origin) == (Content.of(b"code\n"), OriginKind.GIT)
        assert isinstance(lacking, Lacking)
        assert lacking.verdict is Verdict.NO_PATH
        assert origins.references(url) == References({"refs/heads/main": commit})
        whole = References({"refs/heads/main": commit}, commit, "main", everything=True)
        assert origins.references(url, everything=True) == whole
        assert origins.reachable(url, "valve.py", acquired.content.blob) == commit
        assert origins.reachable(url, "valve.py", "b" * 40) is None


@pytest.mark.parametrize("git", ["ext::sh -c touch% pwned", "--upload-pack=x", "engine.git", "/etc"])
def test_what_is_not_allowed_is_refused_before_anything_is_asked(tmp_path: Path, git: str) -> None:
    reach = NetworkReach(tmp_path, cache=tmp_path / "cache")
    with closing(NetworkOrigins(Recorder(), reach)) as origins:
        assert origins is not None
        (resolved,) = origins.resolve(git, ["main"]).values()
        assert isinstance(resolved, Unreached)
        assert resolved.refused
        assert origins.references(git) == resolved


def test_a_release_that_nobody_has_is_an_answer(
    tmp_path: Path, repository: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert repository.path.exists()
    monkeypatch.setenv("PIP_INDEX_URL", "https://127.0.0.1:9/simple")
    monkeypatch.setenv("PIP_CONFIG_FILE", "/dev/null")
    with closing(local(tmp_path)) as origins:
        assert origins is not None
        answers = origins.release(Release("engine", "1.0"), ["valve.py"])
        assert isinstance(answers["valve.py"], Unreached)


def test_several_threads_get_the_same_origin(tmp_path: Path) -> None:
    origins = local(tmp_path)
    found: list[int] = []
    threads = [threading.Thread(target=lambda: found.append(id(origins._git_origin()))) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    origins.close()
    assert len(set(found)) == 1


def test_nothing_is_made_before_it_is_needed(tmp_path: Path) -> None:
    origins = local(tmp_path)
    origins.close()
    assert set(vars(origins)) == {"_listener", "_reach", "_making"}
    assert not (tmp_path / "cache").exists()


def test_origins_are_let_go_of_whatever_happens(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    closed: list[bool] = []
    origins = local(tmp_path)
    monkeypatch.setattr(origins, "close", lambda: closed.append(True))
    with pytest.raises(ZeroDivisionError), closing(origins):
        _ = 1 // len(closed)
    assert closed == [True]
    with closing(None) as nobody:
        assert nobody is None
