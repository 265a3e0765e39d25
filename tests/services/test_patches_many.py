"""Operations that only add are applied together, and each still by its own rules."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.services.crash_driver import kill_at
from tests.world import World
from vaultmem.core.ids import MemoryId
from vaultmem.core.model import Memory, Status
from vaultmem.core.operation import Op, Operation
from vaultmem.core.patch_rules import Applier
from vaultmem.core.patch_status import PatchStatus
from vaultmem.errors import NoteChangedError, PatchRefusedError
from vaultmem.services.apply import apply_all
from vaultmem.services.patching import archive
from vaultmem.services.revert import revert
from vaultmem.services.write import Write, write_notes
from vaultmem.store.disk import DISK
from vaultmem.store.etag import etag_of

SECRET = "Log in with ghp_" + "a1B2" * 9 + "."


@pytest.fixture
def world(tmp_path):
    made = World(tmp_path)
    made.here.sync()
    yield made
    made.close()


def added(world, *statements, **fields):
    return [
        Operation(op=Op.ADD, memory=Memory(id=MemoryId(world.new_id()), statement=text, **fields))
        for text in statements
    ]


def apply(world, operations):
    pairs = [(one, None) for one in operations]
    return apply_all(world.here.call(), pairs, applier=Applier.PERSON, via="test")


RULES = [f"Rule number {number} is about case {number}." for number in range(12)]


def statements(world):
    return sorted(one.statement for one in world.here.call().vault.baseline.standings())


def test_all_are_there_and_a_sync_finds_no_change(world):
    done = apply(world, added(world, *RULES))
    assert done.status is PatchStatus.APPLIED
    assert [one.id for one in done.applied] == [f"op_{number:03}" for number in range(1, 13)]
    assert all(world.path(one.path).exists() for one in done.applied)
    assert statements(world) == sorted(RULES)
    after = world.here.sync()
    assert (after.changes, after.findings) == ((), ())


def test_few_signed_lines_say_what_became_of_many(world):
    apply(world, added(world, *RULES))
    lines = world.ledger().splitlines()
    assert sum(" begun " in line for line in lines) == 1
    assert sum(" applied " in line for line in lines) == 1


def test_two_of_one_name_and_two_of_one_id(world):
    operations = added(world, "Use uv!", "Use uv?", "Use uv.")
    twin = Operation(op=Op.ADD, memory=operations[0].memory)
    done = apply(world, [*operations, twin])
    assert len({one.path for one in done.applied}) == 3
    assert [(one.id, one.code) for one in done.skipped] == [("op_004", "exists")]


def test_one_that_is_not_allowed_stops_no_other(world):
    done = apply(world, added(world, "Use uv.", SECRET, "Use ruff."))
    assert statements(world) == ["Use ruff.", "Use uv."]
    assert [one.code for one in done.skipped] == ["secret"]
    assert done.status is PatchStatus.PARTIALLY_APPLIED


def test_what_can_act_is_signed_together(world):
    apply(world, added(world, *RULES, pinned=True))
    assert {one.force for one in world.here.call().vault.baseline.standings()} == {1}


def test_a_note_that_another_program_saves_meanwhile_keeps_its_name(world, monkeypatch):
    real = DISK.sync_system

    def save_first(path):
        real(path)
        world.write("Memory/Lessons/Rule number 5 is about case 5.md", "The person's.\n")

    monkeypatch.setattr(DISK, "sync_system", save_first)
    done = apply(world, added(world, *RULES))
    assert world.read("Memory/Lessons/Rule number 5 is about case 5.md") == "The person's.\n"
    assert [(one.id, one.code) for one in done.skipped] == [("op_006", "note")]
    assert len(done.applied) == 11


def test_a_deleted_memory_leaves_its_tombstone_and_a_revert_takes_it_back(world):
    done = apply(world, added(world, "Use pip.", "Use npm.", status=Status.DELETED))
    assert world.ledger("tombstones").count(" deleted ") == 2
    revert(world.here.call(), done.id)
    assert world.ledger("tombstones").count(" withdrawn ") == 2


def test_a_large_patch_is_reverted_whole(world):
    texts = [f"Rule number {number} is about case {number}." for number in range(130)]
    done = apply(world, added(world, *texts))
    back = revert(world.here.call(), done.id)
    assert (back.status, len(back.reverted)) == (PatchStatus.REVERTED, 130)
    assert {one.status for one in world.here.call().vault.baseline.standings()} == {"deprecated"}


@pytest.mark.parametrize("at", range(12, 60, 9))
def test_killed_on_the_way_the_next_sync_finishes_it(world, at):
    operations = added(world, *RULES)
    world.close()

    def verb():
        attached = World.attach(world.vault, world.here.home, seed=9)
        return apply(attached, operations).status

    ended = kill_at(verb, at)
    again = World.attach(world.vault, world.here.home, seed=10)
    again.here.sync()
    assert statements(again) in ([], sorted(RULES))
    assert ended.killed or statements(again)
    again.close()


# ---- taken back together


def statuses(world):
    return {one.status for one in world.here.call().vault.baseline.standings()}


def test_many_are_taken_back_with_few_lines_and_few_waits(world, monkeypatch):
    done = apply(world, added(world, *RULES))
    before = len(world.ledger().splitlines())
    waits = []
    real = DISK.fsync
    monkeypatch.setattr(DISK, "fsync", lambda descriptor: (waits.append(1), real(descriptor)))
    told = []
    back = revert(world.here.call(), done.id, told=lambda *numbers: told.append(numbers))
    assert [one.id for one in back.reverted] == [f"op_{number:03}" for number in range(12, 0, -1)]
    assert {one.path.rpartition("/")[0] for one in back.reverted} == {"Memory/System/Archive"}
    assert all(world.path(one.path).exists() for one in back.reverted)
    assert told == [(12, 12)]
    lines = world.ledger().splitlines()[before:]
    assert sum(" edited mem_" in line for line in lines) == 12
    assert sum(" reverted " in line for line in lines) == 1
    assert len(waits) < 12, "not one for each note"
    assert statuses(world) == {"deprecated"}
    after = world.here.sync()
    assert (after.changes, after.findings) == ((), ())


def test_one_of_many_that_cannot_be_taken_back_is_told_before_any_is(world):
    done = apply(world, added(world, *RULES))
    world.replace(done.applied[4].path, RULES[4], "Other words.")
    world.here.sync()
    with pytest.raises(PatchRefusedError, match="Nothing was reverted"):
        revert(world.here.call(), done.id)
    assert statuses(world) == {"active"}


def test_a_tombstone_among_many_is_withdrawn(world):
    first, second, *rest = added(world, *RULES)
    buried = Operation(op=Op.ADD, memory=replace(second.memory, status=Status.DELETED))
    done = apply(world, [first, buried, *rest])
    back = revert(world.here.call(), done.id)
    assert (back.status, len(back.reverted)) == (PatchStatus.REVERTED, 12)
    assert world.ledger("tombstones").count(" withdrawn ") == 1
    assert len(list(world.path("Memory/System/Archive").iterdir())) == 12


def test_two_notes_of_one_name_find_two_places_in_the_archive(world):
    done = apply(world, added(world, *RULES))
    name = done.applied[0].path.rpartition("/")[2]
    world.path("Memory/Lessons/More").mkdir()
    world.path(done.applied[1].path).rename(world.path(f"Memory/Lessons/More/{name}"))
    world.here.sync()
    back = revert(world.here.call(), done.id)
    assert len({one.path for one in back.reverted}) == 12
    assert all(world.path(one.path).exists() for one in back.reverted)


@pytest.mark.parametrize("when", ["before", "while"])
def test_a_save_while_many_are_taken_back_stays_and_the_next_sync_goes_on(world, monkeypatch, when):
    done = apply(world, added(world, *RULES))
    path = done.applied[5].path
    real = DISK.sync_system

    def save_first(place):
        real(place)
        monkeypatch.setattr(DISK, "sync_system", real)
        world.write(path, world.read(path) + "\nThe person's.\n")

    read = archive.read_note

    def save_after(root, relative):
        data = read(root, relative)
        if relative == path:
            monkeypatch.setattr(archive, "read_note", read)
            world.write(path, world.read(path) + "\nThe person's.\n")
        return data

    if when == "while":
        monkeypatch.setattr(DISK, "sync_system", save_first)
    else:
        monkeypatch.setattr(archive, "read_note", save_after)
    with pytest.raises(NoteChangedError):
        revert(world.here.call(), done.id)
    assert "The person's." in world.read(path)
    assert world.ledger().count(" lost ") == 1
    world.here.sync()
    assert statuses(world) == {"deprecated"}
    assert "The person's." in world.read(f"Memory/System/Archive/{path.rpartition('/')[2]}")
    assert world.here.sync().changes == ()


@pytest.mark.parametrize("many", [True, False])
def test_what_was_saved_after_the_look_is_not_signed_as_ours(world, monkeypatch, many):
    done = apply(world, added(world, *RULES[: 12 if many else 1]))
    path = done.applied[-1].path
    read = archive.read_note

    def save_before(root, relative):
        if relative == path:
            monkeypatch.setattr(archive, "read_note", read)
            world.replace(path, "is about", "was never about")
        return read(root, relative)

    monkeypatch.setattr(archive, "read_note", save_before)
    with pytest.raises(NoteChangedError):
        revert(world.here.call(), done.id)
    assert "was never about" in world.read(path)
    assert "was never about" not in "".join(statements(world)), "nobody looked at it"
    assert statuses(world) == {"active"}
    first = world.here.sync()
    assert path in {one.path for one in first.changes}


def test_many_notes_that_are_edited_together_are_known_at_once(world):
    done = apply(world, added(world, *RULES))
    call = world.here.call()
    writes = []
    for one in done.applied:
        data = world.path(one.path).read_bytes()
        new = data.replace(b"Rule number", b"Rule")
        writes.append(Write(one.path, new, etag_of(data), one.memory, "edited", "person", "edit"))
    write_notes(call, writes)
    assert statements(world) == sorted(text.replace("Rule number", "Rule") for text in RULES)
    after = world.here.sync()
    assert (after.changes, after.findings) == ((), ())


@pytest.mark.parametrize("at", range(6, 140, 9))
def test_a_revert_of_many_that_is_killed_is_finished_by_the_next_sync(world, at):
    done = apply(world, added(world, *RULES))
    world.close()

    def verb():
        attached = World.attach(world.vault, world.here.home, seed=9)
        return revert(attached.here.call(), done.id).status

    kill_at(verb, at)
    again = World.attach(world.vault, world.here.home, seed=10)
    again.here.sync()
    assert statuses(again) in ({"active"}, {"deprecated"})
    lying = list(again.vault.rglob("Rule number*.md"))
    assert len(lying) == 12
    folders = {path.parent.name for path in lying}
    assert folders == ({"Archive"} if statuses(again) == {"deprecated"} else {"Lessons"})
    assert again.here.sync().changes == ()
    again.close()
