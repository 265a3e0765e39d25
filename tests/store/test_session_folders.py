"""Where the agent's sessions lie, and which files count."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING

import pytest

from tests.sessions import Talk
from vaultmem.config import Environment
from vaultmem.store.sessions import folders
from vaultmem.store.sessions.folders import SessionFolder, session_files, session_folders

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def home(tmp_path, monkeypatch):
    monkeypatch.setenv("HOME", str(tmp_path))
    for name in ("own", ".pi/agent"):
        (tmp_path / name / "sessions").mkdir(parents=True)
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "variable").mkdir()
    return tmp_path


def settings(place: Path, value: object) -> None:
    place.write_text(value if isinstance(value, str) else json.dumps(value))


def test_sessions_lie_where_the_agent_says(home):
    env = Environment()

    assert session_folders(env) == (SessionFolder(home / ".pi/agent/sessions"),)
    env = env._replace(pi_agent_dir=str(home / "own"))
    assert session_folders(env) == (SessionFolder(home / "own/sessions"),)
    settings(home / "own/settings.json", {"sessionDir": "~/elsewhere"})
    assert session_folders(env) == (SessionFolder(home / "elsewhere"),)
    env = env._replace(pi_sessions=str(home / "variable"))
    assert session_folders(env) == (SessionFolder(home / "variable"),)


@pytest.mark.parametrize(
    "value", ["not json", [], {"sessionDir": 3}, {"sessionDir": "relative"}, {}, "[" * 99_999]
)
def test_settings_that_name_no_folder_do_not_count(home, value):
    settings(home / "own/settings.json", value)

    found = session_folders(Environment(pi_agent_dir=str(home / "own")))

    assert found == (SessionFolder(home / "own/sessions"),)


def test_archived_sessions_are_told_apart(home):
    (home / "own/sessions-archive").mkdir()

    found = session_folders(Environment(pi_agent_dir=str(home / "own")))

    assert [one.archived for one in found] == [False, True]


def test_a_folder_that_is_not_there_is_none(home):
    assert session_folders(Environment(pi_sessions=str(home / "nowhere"))) == ()
    assert session_folders(Environment(pi_agent_dir="relative")) == ()


def test_session_files_are_found_in_folders_and_beside_them(tmp_path):
    talk = Talk(tmp_path, cwd="/projects/shop")
    beside = tmp_path / "flat.jsonl"
    beside.write_text("{}\n")
    (tmp_path / "notes.txt").write_text("no")
    (tmp_path / "folder.jsonl").mkdir()

    found = session_files([SessionFolder(tmp_path, archived=True)])

    assert list(found.files) == [str(talk.path), str(beside)]
    one = found.files[str(talk.path)]
    assert (one.folder, one.size, one.archived) == (
        "--projects-shop--",
        talk.path.stat().st_size,
        True,
    )
    assert found.unread == ()


def test_links_are_not_followed_and_names_that_cannot_be_stored_are_passed_over(tmp_path):
    outside = tmp_path / "outside"
    talk = Talk(outside)
    inside = tmp_path / "sessions"
    inside.mkdir()
    (inside / "link").symlink_to(outside)
    (inside / "link.jsonl").symlink_to(talk.path)
    os.close(os.open(os.fsencode(inside) + b"/\xff.jsonl", os.O_CREAT))

    assert session_files([SessionFolder(inside)]).files == {}


def test_only_so_many_levels_and_files_are_looked_at(tmp_path, monkeypatch):
    deep = tmp_path / "1/2/3/4"
    deep.mkdir(parents=True)
    for place in (deep, deep.parent):
        (place / "one.jsonl").write_text("{}\n")
    (tmp_path / "two.jsonl").write_text("{}\n")

    found = session_files([SessionFolder(tmp_path)])
    assert list(found.files) == [str(deep.parent / "one.jsonl"), str(tmp_path / "two.jsonl")]

    monkeypatch.setattr(folders, "MAX_SESSIONS", 1)
    found = session_files([SessionFolder(tmp_path)])
    assert len(found.files) == 1
    assert found.unread == (str(tmp_path),)


def test_a_folder_that_cannot_be_listed_is_told(tmp_path):
    found = session_files([SessionFolder(tmp_path / "gone")])

    assert found == ({}, (str(tmp_path / "gone"),))
