"""Copies of the notebook are private, follow no link, and nothing of an earlier one is left."""

from __future__ import annotations

import stat

import pytest

from vaultmem.errors import ReadOnlyError
from vaultmem.store.notebook_copies import (
    NOTHING_CONSUMED,
    Consumed,
    copied_notebook,
    forget_consumed,
    fresh_copy,
    read_consumed,
    remove_copies,
    write_consumed,
)

FILES = {"MEMORY.md": b"x", "Skills/a/SKILL.md": b"y", "notes/n.md": b"z"}


def test_a_copy_is_private_and_holds_exactly_its_files(tmp_path):
    folder = fresh_copy(tmp_path / "state", FILES)
    for path in (folder, folder / "Skills", folder / "Skills/a"):
        assert stat.S_IMODE(path.stat().st_mode) == 0o700
    found = {p.relative_to(folder).as_posix(): p for p in folder.rglob("*") if p.is_file()}
    assert {name: place.read_bytes() for name, place in found.items()} == FILES
    assert {stat.S_IMODE(place.stat().st_mode) for place in found.values()} == {0o600}


def test_a_new_copy_removes_what_a_crash_left(tmp_path):
    old = fresh_copy(tmp_path, FILES)
    new = fresh_copy(tmp_path, {})
    assert not old.exists()
    assert [one.name for one in new.parent.iterdir()] == [new.name]


@pytest.mark.parametrize("place", ["notebook", "notebook/copies"])
def test_a_link_in_their_place_is_not_followed(tmp_path, place):
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (elsewhere / "kept").write_text("mine")
    state = tmp_path / "state"
    (state / place).parent.mkdir(parents=True, mode=0o700)
    (state / place).symlink_to(elsewhere, target_is_directory=True)
    fresh_copy(state, FILES)
    remove_copies(state)
    assert [one.name for one in elsewhere.iterdir()] == ["kept"]
    assert not (state / place).is_symlink()


def test_only_the_notebook_is_read_back_and_no_link_is(tmp_path):
    folder = fresh_copy(tmp_path, FILES)
    (folder / "memory_summary.md").symlink_to("MEMORY.md")
    (folder / "Skills/b").symlink_to("a", target_is_directory=True)
    (folder / "Skills/c.md").symlink_to("a/SKILL.md")
    assert copied_notebook(folder).keys() == {"MEMORY.md", "Skills/a/SKILL.md"}


def test_without_skills_there_are_none(tmp_path):
    assert copied_notebook(fresh_copy(tmp_path, {"MEMORY.md": b"x"})) == {"MEMORY.md": b"x"}


def test_what_was_consumed_is_remembered_until_it_is_forgotten(tmp_path):
    assert read_consumed(tmp_path) == NOTHING_CONSUMED
    known = Consumed({"a.md": "é\n".encode()}, "c" * 40)
    write_consumed(tmp_path, known)
    assert read_consumed(tmp_path) == known
    assert stat.S_IMODE((tmp_path / "notebook/inputs.json").stat().st_mode) == 0o600
    forget_consumed(tmp_path)
    forget_consumed(tmp_path)
    assert read_consumed(tmp_path) == NOTHING_CONSUMED


@pytest.mark.parametrize("data", [b"{", b"[]", b'{"files": 3}', b'{"files": {}}', b"\xff"])
def test_what_cannot_be_read_was_not_consumed(tmp_path, data):
    write_consumed(tmp_path, NOTHING_CONSUMED)
    (tmp_path / "notebook/inputs.json").write_bytes(data)
    assert read_consumed(tmp_path) == NOTHING_CONSUMED


def test_what_cannot_be_removed_is_told(tmp_path):
    (tmp_path / "notebook").mkdir(mode=0o700)
    (tmp_path / "notebook/copies").write_text("a file of somebody")
    with pytest.raises(ReadOnlyError, match="by hand"):
        fresh_copy(tmp_path, FILES)
