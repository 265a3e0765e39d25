"""Exports into a folder of the person's: what somebody saved meanwhile, and what a kill left."""

from __future__ import annotations

import time

import pytest

from vaultmem.errors import NameTakenError, NoteChangedError, UnsafePathError
from vaultmem.store.etag import etag_of
from vaultmem.store.exported import MANIFEST, plan_export, write_export
from vaultmem.store.temporaries import kept_beside, temporary_beside

FILES = {"topics/lessons.md": b"# Lessons\n", "scores.jsonl": b"{}\n"}
PLACE = "topics/lessons.md"
LATER = 3600.0


def plan(folder, files=FILES, *, by="topics here"):
    return plan_export(folder, files, by=by, now=time.time() + LATER)


def export(folder, files=FILES):
    return write_export(plan(folder, files), makes=lambda _: True)


def files_of(folder):
    return {one.relative_to(folder).as_posix() for one in folder.rglob("*") if one.is_file()}


def test_what_was_saved_after_the_look_stays(tmp_path):
    export(tmp_path)
    new = plan(tmp_path, {**FILES, PLACE: b"# New\n"})
    assert not new.strangers
    (tmp_path / PLACE).write_bytes(b"# Mine\n")
    with pytest.raises(NoteChangedError):
        write_export(new, makes=lambda _: True)
    assert (tmp_path / PLACE).read_bytes() == b"# Mine\n"
    assert plan(tmp_path).strangers == (PLACE,)


def test_what_was_made_after_the_look_stays(tmp_path):
    new = plan(tmp_path)
    (tmp_path / "topics").mkdir()
    (tmp_path / PLACE).write_bytes(b"# Mine\n")
    with pytest.raises(NameTakenError):
        write_export(new, makes=lambda _: True)
    assert (tmp_path / PLACE).read_bytes() == b"# Mine\n"


def test_the_list_of_an_export_that_ran_meanwhile_stays(tmp_path):
    export(tmp_path)
    late = plan(tmp_path, {"topics/facts.md": b"# Facts\n"}, by="topics there")
    export(tmp_path, {**FILES, "topics/patterns.md": b"# Patterns\n"})
    with pytest.raises(NoteChangedError):
        write_export(late, makes=lambda _: True)
    assert not (tmp_path / "topics/facts.md").exists()
    assert export(tmp_path).removed == ("topics/patterns.md",)


def test_a_kill_leaves_nothing_beside_the_next_export(tmp_path):
    export(tmp_path)
    target = tmp_path / PLACE
    old, new = etag_of(b"# Lessons\n"), etag_of(b"# New\n")
    temporary_beside(target).write_bytes(b"# Ne")
    kept_beside(temporary_beside(target), new=new, old=old).write_bytes(b"# Lessons\n")
    temporary_beside(tmp_path / MANIFEST).write_bytes(b"{")
    young = plan_export(tmp_path, FILES, by="topics here", now=time.time())
    assert len(files_of(tmp_path)) == 6, "it may be under way"
    assert not young.strangers
    export(tmp_path)
    assert files_of(tmp_path) == {*FILES, MANIFEST}


def test_an_edit_that_a_kill_left_beside_the_file_is_put_back_and_a_strangers(tmp_path):
    export(tmp_path)
    target = tmp_path / PLACE
    new, old = etag_of(b"# Lessons\n"), etag_of(b"# Old\n")
    kept_beside(temporary_beside(target), new=new, old=old).write_bytes(b"# Mine\n")
    assert plan(tmp_path).strangers == (PLACE,)
    assert target.read_bytes() == b"# Mine\n"


def test_other_folders_are_not_looked_into(tmp_path):
    other = tmp_path / "src"
    other.mkdir()
    left = temporary_beside(other / "a.md")
    left.write_bytes(b"x")
    export(tmp_path)
    assert left.exists()


@pytest.mark.parametrize("place", ["topics", PLACE])
def test_no_leftover_behind_a_link_is_removed(tmp_path, place):
    (tmp_path / "elsewhere").mkdir()
    left = temporary_beside(tmp_path / "elsewhere/lessons.md")
    left.write_bytes(b"x")
    folder = tmp_path / "out"
    (folder / place).parent.mkdir(parents=True)
    (folder / place).symlink_to(tmp_path / "elsewhere")
    with pytest.raises(UnsafePathError):
        plan(folder)
    assert left.exists()
