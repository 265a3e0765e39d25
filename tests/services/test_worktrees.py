"""Worktrees of one repository share its memories, from capture to what the agent is told."""

from __future__ import annotations

import os
import subprocess

import pytest

from vaultmem.core.model import Category, Scope
from vaultmem.services.capture import Wish, add
from vaultmem.services.inject import inject
from vaultmem.services.report import report
from vaultmem.store.checkout import find_checkout
from vaultmem.store.project import Source, project_identity

STATEMENT = "Run the billing tests with make check."


@pytest.fixture(autouse=True)
def _own_git(monkeypatch, tmp_path):
    for name in [one for one in os.environ if one.startswith("GIT_")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", os.devnull)
    monkeypatch.setenv("GIT_CONFIG_NOSYSTEM", "1")
    monkeypatch.setenv("HOME", str(tmp_path))


def _git(folder, *arguments):
    who = ("-c", "user.name=T", "-c", "user.email=t@example.com")
    subprocess.run(["git", *who, *arguments], cwd=folder, check=True, capture_output=True)


@pytest.fixture
def checkouts(tmp_path):
    """The main checkout of a repository, a worktree beside it, one in it, and another repository."""
    main, beside, other = tmp_path / "main", tmp_path / "beside", tmp_path / "other"
    for folder in (main, other):
        folder.mkdir()
        _git(folder, "init", "-q", "-b", "main")
        _git(folder, "commit", "-q", "--allow-empty", "-m", f"first of {folder.name}")
    inside = main / ".trees/feature"
    _git(main, "worktree", "add", "-q", "-b", "one", str(beside))
    _git(main, "worktree", "add", "-q", "-b", "two", str(inside))
    (beside / "src").mkdir()
    return {"main": main, "beside": beside / "src", "inside": inside, "other": other}


def _app(world, folder):
    app = world.here.app()
    app.cwd = folder
    return app


@pytest.mark.parametrize("said_in", ["main", "beside", "inside"])
def test_what_is_said_in_one_checkout_is_told_in_all_of_the_repository(world, checkouts, said_in):
    world.here.sync()
    app = _app(world, checkouts[said_in])
    wish = Wish(
        text=STATEMENT, category=Category.LESSON, scope=Scope.PROJECT, project=app.project.id
    )
    assert add(app.call(), app.engine, wish).outcome == "added"
    told = {}
    for name, folder in checkouts.items():
        one = _app(world, folder)
        call = one.call().by_policy()
        made = report(call, project=one.project.id)
        sections = inject(
            call,
            one.engine,
            project=one.project.id,
            prompt="How do I run the billing tests?",
            session=f"s-{name}",
        ).sections
        told[name] = (STATEMENT in made.text, any(STATEMENT in part.text for part in sections))
    assert told == {
        "main": (True, True),
        "beside": (True, True),
        "inside": (True, True),
        "other": (False, False),
    }


def test_a_worktree_that_was_removed_leaves_its_memories_with_the_repository(world, checkouts):
    world.here.sync()
    app = _app(world, checkouts["beside"])
    wish = Wish(
        text=STATEMENT, category=Category.LESSON, scope=Scope.PROJECT, project=app.project.id
    )
    add(app.call(), app.engine, wish)
    _git(checkouts["main"], "worktree", "remove", "--force", str(checkouts["beside"].parent))
    main = _app(world, checkouts["main"])
    assert STATEMENT in report(main.call().by_policy(), project=main.project.id).text


def test_topic_row_106_a_folder_without_a_repository_or_none_at_all_is_a_project_of_its_own(
    tmp_path,
):
    plain = tmp_path / "plain"
    plain.mkdir()
    for folder in (plain, tmp_path / "missing"):
        assert find_checkout(folder) is None
        found = project_identity(folder)
        assert (found.id, found.source) == (folder.name, Source.FOLDER)
        assert (found.root, found.main_checkout) == (folder, folder)
