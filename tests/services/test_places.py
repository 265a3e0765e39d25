"""Where a memory's note is: copies, swaps, links, and what counts as found again."""

from __future__ import annotations

import shutil

import pytest

from tests.world import NOTE, SAYS, codes
from vaultmem.core.model import Category
from vaultmem.services.capture import Wish, add


def _row(world, identifier):
    row = world.here.call().vault.baseline.memory(identifier)
    return row.state, row.path


def test_the_copy_is_the_memory_once_its_original_is_gone(world, known):
    copy = "Memory/Lessons/copy.md"
    shutil.copy(world.path(NOTE), world.path(copy))
    world.here.sync()
    world.path(NOTE).unlink()
    done = world.here.sync()
    assert [(one.change, one.by) for one in done.changes] == [("moved", "person")]
    assert done.findings == ()
    world.here.pass_time(days=8)
    world.here.sync()
    assert _row(world, known) == ("live", copy)


def test_the_copy_is_the_memory_once_its_original_has_another_id(world, known):
    copy = "Memory/Lessons/copy.md"
    shutil.copy(world.path(NOTE), world.path(copy))
    world.here.sync()
    other = world.new_id()
    world.write(NOTE, f"---\nid: {other}\ntype: memory\n---\nUse UTC.\n")
    world.here.sync()
    assert _row(world, known) == ("live", copy)
    assert _row(world, other) == ("live", NOTE)


def test_a_memory_that_moved_away_leaves_its_name_to_a_new_note(world, known):
    new = "Memory/Decisions/a.md"
    world.path(new).parent.mkdir()
    world.path(NOTE).rename(world.path(new))
    world.write(NOTE, "Use UTC.\n")
    world.here.sync()
    standings = world.here.call().vault.baseline.standings()
    assert {one.path: one.statement for one in standings} == {new: SAYS, NOTE: "Use UTC."}
    assert _row(world, known) == ("live", new)


def test_a_memory_that_lies_only_in_a_conflict_copy_is_not_deleted_for_good(world, known):
    world.path(NOTE).rename(world.path(NOTE.replace(".md", " (conflicted copy 2026-11-29).md")))
    world.here.sync()
    world.here.pass_time(days=8)
    world.here.sync()
    assert _row(world, known)[0] == "missing"
    assert world.ledger("tombstones") == ""


@pytest.mark.parametrize("what", [NOTE, "Memory/Lessons"])
def test_a_note_behind_a_link_is_reported_and_not_deleted(world, known, what):
    place = world.path(what)
    place.rename(world.folder / "elsewhere")
    place.symlink_to(world.folder / "elsewhere")
    done = world.here.sync()
    assert done.changes == ()
    assert "VM115" in codes(done)
    assert _row(world, known) == ("live", NOTE)


def test_a_deleted_memory_of_ours_that_the_person_brings_back_is_restored(world):
    world.here.sync()
    app = world.here.app()
    done = add(app.call(), app.engine, Wish(text="Use UTC.", category=Category.LESSON))
    text = world.read(done.path)
    world.path(done.path).unlink()
    world.here.sync()
    world.here.pass_time(days=8)
    world.here.sync()
    assert _row(world, done.id)[0] == "gone"
    world.write(done.path, text)
    (change,) = world.here.sync().changes
    assert (change.change, change.by) == ("restored", "person")
    assert _row(world, done.id)[0] == "live"
    assert "withdrawn" in world.ledger("tombstones")


def test_a_grace_that_began_while_the_clock_was_ahead_begins_again(world, known):
    world.here.pass_time(days=3650)
    world.path(NOTE).unlink()
    world.here.sync()
    world.here.pass_time(days=-3650)
    world.here.sync()
    world.here.pass_time(days=8)
    world.here.sync()
    assert _row(world, known)[0] == "gone"


def test_a_move_is_told_once_also_beside_a_copy(world, known):
    new, copy = "Memory/Lessons/b.md", "Memory/Lessons/c.md"
    world.path(NOTE).rename(world.path(new))
    shutil.copy(world.path(new), world.path(copy))
    assert sorted(one.change for one in world.here.sync().changes) == ["copied", "moved"]
    assert world.here.sync().changes == ()
    assert _row(world, known)[0] == "live"


def test_a_patch_in_the_inbox_is_told_from_a_candidate_by_its_type(world):
    world.memory("Memory/Inbox/One.md", "Use pnpm.")
    world.replace("Memory/Inbox/One.md", "type: memory", "type: candidate")
    world.write("Memory/Inbox/Two.md", "---\ntype: patch\n---\nTick.\n")
    world.here.sync()
    notes = world.here.call().vault.baseline.notes()
    kinds = {row.path: row.kind for row in notes if "/Inbox/" in row.path}
    assert kinds == {"Memory/Inbox/One.md": "candidate", "Memory/Inbox/Two.md": "patch"}
