"""Operations that only add are applied together, and each still by its own rules."""

from __future__ import annotations

import pytest

from tests.services.crash_driver import kill_at
from tests.world import World
from vaultmem.core.ids import MemoryId
from vaultmem.core.model import Memory, Status
from vaultmem.core.operation import Op, Operation
from vaultmem.core.patch_rules import Applier
from vaultmem.core.patch_status import PatchStatus
from vaultmem.services.apply import apply_all
from vaultmem.services.revert import revert
from vaultmem.store.disk import DISK

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
