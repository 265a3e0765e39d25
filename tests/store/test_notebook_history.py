"""The versions of the notebook: what git reads, what a purge leaves, what damage and kills do."""

from __future__ import annotations

import os
import shutil
import stat
import subprocess
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from tests.services.crash_driver import KILLED, kill_at
from vaultmem.core.notebook.own import UNPUBLISHED
from vaultmem.errors import HistoryDamagedError, NoteNotFoundError
from vaultmem.store.notebook_history import History

AT = datetime(2026, 11, 30, 9, 0, tzinfo=UTC)
ONE = {"MEMORY.md": b"# One\n", "memory_summary.md": b"v1\none\n"}
TWO = {**ONE, "MEMORY.md": b"# Two\n", "Skills/tag-it/SKILL.md": b"Tag.\n"}

NAME = "history.git"


@pytest.fixture
def history(tmp_path):
    return History(tmp_path / NAME)


def _put(history, files, number=0, by="person", **more):
    when = AT + timedelta(minutes=number)
    return history.commit(files, message=f"Number {number}", when=when, by=by, **more)


def test_an_empty_history_has_no_version(history):
    assert history.head() is None
    assert history.log() == []
    assert history.files() == {}


def test_versions_come_back_whole_the_newest_first(history):
    first = _put(history, ONE)
    second = _put(history, TWO, 1, by="consolidation")
    assert history.head_id() == second
    assert history.files() == TWO
    assert history.files(first) == ONE
    newest, oldest = history.log()
    assert newest == history.head() == history.find(second[:7])
    assert (newest.by, newest.message, newest.when) == (
        "consolidation",
        "Number 1",
        AT + timedelta(minutes=1),
    )
    assert oldest.id == first
    assert [one.id for one in history.log(1)] == [second]


@pytest.mark.parametrize("name", ["", "123", "abcdef0", "zzzzzzz", "-" * 7])
def test_an_unknown_version_is_said_to_be_none(history, name):
    _put(history, ONE)
    with pytest.raises(NoteNotFoundError, match="vaultmem notebook history"):
        history.files(name)


def test_what_gives_way_is_kept_below_the_version(history):
    _put(history, ONE)
    _put(history, ONE, 1, instead_of=TWO)
    newest, kept, _ = history.log()
    assert history.files(newest.id) == ONE
    assert (kept.by, history.files(kept.id)) == (UNPUBLISHED, TWO)


def test_everything_in_it_is_this_users_alone(history, tmp_path):
    _put(history, TWO)
    for place in (tmp_path / NAME).rglob("*"):
        mode = stat.S_IMODE(place.stat().st_mode)
        assert mode == (0o700 if place.is_dir() else 0o600), place
    assert stat.S_IMODE((tmp_path / NAME).stat().st_mode) == 0o700


def test_git_reads_it_and_finds_nothing_wrong(history, tmp_path):
    _put(history, ONE)
    _put(history, TWO, 1)
    git = ["git", f"--git-dir={tmp_path / NAME}"]
    checked = subprocess.run([*git, "fsck", "--strict"], capture_output=True, text=True, check=True)
    assert "error" not in checked.stderr
    shown = subprocess.run(
        [*git, "show", "main:Skills/tag-it/SKILL.md"], capture_output=True, check=True
    )
    assert shown.stdout == b"Tag.\n"


def _without_two(path, data):
    if path.startswith("Skills/"):
        return None
    return data.replace(b"Two", b"")


def _objects(folder):
    from dulwich.object_store import DiskObjectStore

    store = DiskObjectStore(os.fspath(folder / "objects"))
    try:
        return b"\n".join(store[name].as_raw_string() for name in store)
    finally:
        store.close()


def test_a_rewritten_history_holds_nothing_of_what_was_taken_out(history, tmp_path):
    _put(history, ONE)
    second = _put(history, TWO, 1)
    renamed = history.rewrite(_without_two)
    assert history.head_id() == renamed[second] != second
    assert history.files() == {**ONE, "MEMORY.md": b"# \n"}
    assert [one.message for one in history.log()] == ["Number 1", "Number 0"]
    raw = _objects(tmp_path / NAME)
    assert b"Two" not in raw
    assert b"Tag." not in raw
    assert not (tmp_path / f"{NAME}.new").exists()


def test_a_rewrite_that_changes_nothing_leaves_everything(history, tmp_path):
    assert history.rewrite(_without_two) == {}
    _put(history, ONE)
    before = sorted(tmp_path.rglob("*"))
    assert history.rewrite(_without_two) == {}
    assert sorted(tmp_path.rglob("*")) == before


def test_a_message_is_rewritten_too(history):
    _put(history, ONE)
    history.rewrite(lambda path, data: data if path else b"Cut")
    assert [one.message for one in history.log()] == ["Cut"]


@pytest.fixture
def copies(tmp_path):
    """New copies of a folder with a history that was prepared once: a function of a number."""
    made = tmp_path / "made"
    made.mkdir()

    def prepare(*versions):
        for number, files in enumerate(versions):
            _put(History(made / NAME), files, number)

    def copy(number):
        return Path(shutil.copytree(made, tmp_path / str(number)))

    return prepare, copy


def test_a_kill_at_any_write_of_a_commit_leaves_the_version_of_before_or_the_new_one(copies):
    prepare, copy = copies
    prepare(ONE)
    seen = set()
    for at in range(1, 200, 2):
        history = History(copy(at) / NAME)
        ended = kill_at(lambda: _put(history, TWO, 1), at)  # noqa: B023
        assert history.files() in (ONE, TWO)
        seen.add(history.files() == ONE)
        assert history.files(_put(history, TWO, 2)) == TWO
        if ended.code != KILLED:
            break
    assert seen == {True, False}


def test_a_kill_at_any_write_of_the_first_commit_leaves_none_or_one(copies):
    _, copy = copies
    for at in range(1, 200, 2):
        history = History(copy(at) / NAME)
        ended = kill_at(lambda: _put(history, ONE), at)  # noqa: B023
        assert history.files() in ({}, ONE)
        assert history.files(_put(history, TWO, 2)) == TWO
        if ended.code != KILLED:
            break
    assert at > 20


def test_a_kill_at_any_write_of_a_rewrite_is_finished_or_undone(copies):
    prepare, copy = copies
    prepare(ONE, TWO)
    kept = set()
    for at in range(1, 400, 4):
        folder = copy(at)
        history = History(folder / NAME)
        ended = kill_at(lambda: str(history.rewrite(_without_two)), at)  # noqa: B023
        shutil.copytree(folder, f"{folder} read")
        kept.add(History(Path(f"{folder} read") / NAME).files()["MEMORY.md"])
        history.rewrite(_without_two)
        assert not (folder / f"{NAME}.new").exists()
        assert b"Two" not in _objects(folder / NAME)
        assert len(history.log()) == 2
        if ended.code != KILLED:
            break
    assert kept == {b"# Two\n", b"# \n"}


def _branch(folder):
    return folder / NAME / "refs" / "heads" / "main"


def _spoil_branch(folder):
    _branch(folder).write_bytes(b"nonsense\n")


def _point_nowhere(folder):
    _branch(folder).write_bytes(b"1" * 40 + b"\n")


def _spoil_objects(folder):
    for place in (folder / NAME / "objects").rglob("*"):
        if place.is_file():
            place.chmod(0o600)
            place.write_bytes(b"not zlib")


def _point_at_a_tree(folder):
    from dulwich.objects import ShaFile, Tree

    for place in (folder / NAME / "objects").rglob("*"):
        if place.is_file():
            name = place.parent.name + place.name
            if isinstance(ShaFile.from_path(os.fspath(place)), Tree):
                _branch(folder).write_bytes(f"{name}\n".encode())


@pytest.mark.parametrize("spoil", [_spoil_branch, _point_nowhere, _spoil_objects, _point_at_a_tree])
def test_damage_is_an_error_with_the_next_step(history, tmp_path, spoil):
    _put(history, ONE)
    spoil(tmp_path)
    with pytest.raises(HistoryDamagedError, match="vaultmem sync"):
        history.files()
    with pytest.raises(HistoryDamagedError):
        history.log()
    history.set_aside()
    assert (tmp_path / f"{NAME}.broken").is_dir()
    assert history.head_id() is None
    _put(history, TWO)
    assert history.files() == TWO
    history.set_aside()  # over the older one
    history.set_aside()  # and nothing is there now
    assert [one.name for one in tmp_path.iterdir()] == [f"{NAME}.broken"]


def test_removed_versions_are_gone(history, tmp_path):
    _put(history, ONE)
    history.remove()
    assert list(tmp_path.iterdir()) == []
    history.remove()
    assert history.head() is None
