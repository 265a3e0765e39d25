"""Taking back what a patch did: on the machine that applied it, and only what nobody changed since."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.services.patching import (
    BUN,
    NOTE,
    NPM,
    add_draft,
    apply_now,
    apply_open,
    candidate_memory,
    memory_of,
    npm,
    operation,
    proposed,
    report_of,
    save,
    standing_of,
)
from vaultmem.core.ids import MemoryId
from vaultmem.core.model import Category, Memory, RuleType, Status
from vaultmem.core.operation import Op, Operation
from vaultmem.core.patch_rules import Applier
from vaultmem.errors import (
    AgentRefusedError,
    EditRefusedError,
    NoteNotFoundError,
    PatchRefusedError,
)
from vaultmem.notes.patch_day import decode_patch_day
from vaultmem.services.capture import Wish, add
from vaultmem.services.forget import forget
from vaultmem.services.inbox import waiting
from vaultmem.services.ratify import ratify
from vaultmem.services.revert import revert
from vaultmem.services.undo import undo


def _revert(world, done):
    world.here.sync()
    return revert(world.here.call(), done.id)


def _without_updated(text):
    return [line for line in text.splitlines() if not line.startswith("updated:")]


@pytest.mark.parametrize(
    ("op", "changes"),
    [
        (Op.UPDATE, {"statement": "Use npm 11.", "tags": ("memory/x",), "project": "a/b"}),
        (Op.DECAY, {"confidence": 0.5}),
        (Op.CONTEST, {}),
        (Op.DEPRECATE, {}),
        (Op.ADD_EXCEPTION, {"exceptions": ("in CI",)}),
    ],
)
def test_a_revert_puts_back_what_was_there_and_nothing_else(world, op, changes):
    identifier = npm(world, mine="kept")
    before = memory_of(world, identifier)
    done = apply_now(world, operation(world, op, identifier, changes=changes))
    world.write(NOTE, world.read(NOTE) + "\nWritten in between.\n")
    back = _revert(world, done)
    assert [one.id for one in back.reverted] == ["op_001"]
    after = memory_of(world, identifier)
    assert replace(after, updated=None) == before
    assert "Written in between." in world.read(NOTE)
    assert "mine: kept" in world.read(NOTE)
    again = world.here.sync()
    assert (again.changes, again.findings) == ((), ())
    assert f" reverted {done.id} " in world.ledger()


def test_a_reverted_patch_has_a_second_entry_in_the_days_note(world):
    identifier = npm(world)
    done = apply_now(world, operation(world, Op.CONTEST, identifier))
    _revert(world, done)
    (path,) = world.path("Memory/System/Patches").rglob("*.md")
    decided, findings = decode_patch_day(path.read_bytes(), path=path.name)
    assert findings == ()
    assert [one.status for one in decided] == ["applied", "reverted"]
    assert decided[1].operations[0].result == "reverted"
    assert world.here.call().vault.patches.row(done.id).status == "reverted"


def test_a_reverted_add_goes_to_the_archive_without_a_tombstone(world):
    candidate = proposed(world)
    done = apply_now(world, add_draft(world, candidate))
    path = done.applied[0].path
    world.write(path, world.read(path) + "\nMy own words.\n")
    back = _revert(world, done)
    assert back.reverted[0].path == "Memory/System/Archive/Use bun for installs.md"
    assert not world.path(path).exists()
    text = world.read(back.reverted[0].path)
    assert "My own words." in text
    assert BUN in text
    assert world.ledger("tombstones") == ""
    assert BUN not in report_of(world)
    again = world.here.sync()
    assert (again.changes, again.findings) == ((), ())


def test_what_was_archived_may_be_remembered_again(world):
    candidate = proposed(world)
    _revert(world, apply_now(world, add_draft(world, candidate)))
    app = world.here.app()
    done = add(app.call(), app.engine, Wish(text=BUN, category=Category.LESSON))
    assert done.outcome == "added"
    assert BUN in report_of(world)


def test_an_archive_that_has_the_name_already_takes_the_note_under_another(world):
    for _ in range(2):
        candidate = proposed(world)
        _revert(world, apply_now(world, add_draft(world, candidate)))
    assert len(list(world.path("Memory/System/Archive").iterdir())) == 2


def test_a_reverted_supersession_brings_the_old_one_back_and_archives_the_new_one(world):
    identifier = npm(world)
    candidate = proposed(world)
    new = candidate_memory(world, candidate)
    draft = operation(world, Op.SUPERSEDE, identifier, memory=new, candidate=candidate)
    done = apply_now(world, draft)
    _revert(world, done)
    assert memory_of(world, identifier).status is Status.ACTIVE
    assert memory_of(world, identifier).superseded_by == ()
    assert memory_of(world, new.id).status is Status.DEPRECATED
    assert NPM in report_of(world)
    assert BUN not in report_of(world)
    assert world.here.sync().changes == ()


def test_a_reverted_delete_withdraws_the_tombstone(world):
    identifier = npm(world)
    done = apply_now(world, operation(world, Op.DELETE, identifier))
    assert NPM not in report_of(world)
    _revert(world, done)
    assert f" withdrawn {identifier} " in world.ledger("tombstones")
    assert NPM in report_of(world)


def test_a_candidate_that_was_settled_waits_again_without_its_decision(world):
    identifier = npm(world)
    candidate = proposed(world, "Use npm 11 for installs.")
    (one,) = waiting(world.here.call())
    world.replace(one.path, "decision:", "decision: defer")
    draft = operation(
        world, Op.UPDATE, identifier, changes={"statement": "Use npm 11."}, candidate=candidate
    )
    done = apply_now(world, draft)
    assert waiting(world.here.call()) == []
    _revert(world, done)
    (again,) = waiting(world.here.call())
    assert (again.id, again.candidate.decision) == (candidate, None)
    assert memory_of(world, identifier).statement == NPM
    assert world.here.sync().findings == ()


def test_what_could_act_can_act_again(world):
    identifier = npm(world, rule="avoid_pattern", pinned="true")
    ratify(world.here.call(), identifier)
    world.here.pass_time(minutes=5)
    changes = {"statement": "Use npm 11."}
    done = apply_now(world, operation(world, Op.UPDATE, identifier, changes=changes))
    _revert(world, done)
    assert standing_of(world, identifier).force == 1


def test_two_operations_on_one_memory_are_taken_back_in_turn(world):
    identifier = npm(world)
    first, second = (
        apply_now(world, operation(world, Op.UPDATE, identifier, changes={"tags": (tag,)}))
        for tag in ("memory/a", "memory/b")
    )
    with pytest.raises(PatchRefusedError, match="tags"):
        _revert(world, first)
    _revert(world, second)
    assert memory_of(world, identifier).tags == ("memory/a",)
    _revert(world, first)
    assert memory_of(world, identifier).tags == ()


def test_one_patch_that_changes_a_memory_twice_is_taken_back_whole(world):
    identifier = npm(world)
    drafts = [
        operation(world, Op.UPDATE, identifier, changes={"tags": ("memory/a",)}),
        operation(world, Op.CONTEST, identifier),
    ]
    done = apply_now(world, *drafts)
    assert len(done.applied) == 2
    assert [one.id for one in _revert(world, done).reverted] == ["op_002", "op_001"]
    assert memory_of(world, identifier).tags == ()


@pytest.mark.parametrize("changed", ["target", "created"])
def test_what_was_changed_since_is_refused_and_nothing_is_reverted(world, changed):
    identifier = npm(world)
    new = Memory(id=MemoryId(world.new_id()), statement=BUN)
    drafts = [
        operation(world, Op.CONTEST, identifier),
        (Operation(op=Op.ADD, memory=new, selected=True), None),
    ]
    done = apply_now(world, *drafts)
    if changed == "target":
        world.replace(NOTE, "status: contested", "status: deprecated")
    else:
        world.replace(done.applied[1].path, BUN, "Mine now.")
    world.here.sync()
    before = world.notes()
    with pytest.raises(PatchRefusedError, match=r"Nothing was reverted\."):
        _revert(world, done)
    assert world.notes() == before


def test_values_that_a_person_put_back_need_no_revert(world):
    identifier = npm(world)
    done = apply_now(world, operation(world, Op.DECAY, identifier, changes={"confidence": 0.5}))
    world.replace(NOTE, "confidence: 0.5", "confidence: 0.9")
    world.here.sync()
    before = world.read(NOTE)
    _revert(world, done)
    assert world.read(NOTE) == before


def test_what_cannot_be_reverted_says_why(world):
    identifier = npm(world)
    promoted = apply_now(world, operation(world, Op.PROMOTE, identifier))
    with pytest.raises(PatchRefusedError, match="changes no memory"):
        _revert(world, promoted)
    drafts = (operation(world, Op.PROMOTE, identifier), operation(world, Op.CONTEST, identifier))
    back = _revert(world, apply_now(world, *drafts))
    assert [one.id for one in back.reverted] == ["op_002"]
    assert [(one.id, one.code) for one in back.skipped] == [("op_001", "irreversible")]


def test_a_patch_is_reverted_once(world):
    identifier = npm(world)
    done = apply_now(world, operation(world, Op.CONTEST, identifier))
    _revert(world, done)
    with pytest.raises(PatchRefusedError, match="reverted"):
        _revert(world, done)


def test_only_the_device_that_applied_it_can_revert(world):
    identifier = npm(world)
    path = save(world, operation(world, Op.CONTEST, identifier))
    other = world.device()
    other.sync()
    done = apply_open(world, path, ops=["op_001"])
    other.sync()
    with pytest.raises(NoteNotFoundError, match="where it was applied"):
        revert(other.call(), done.id)
    with pytest.raises(PatchRefusedError, match="Nothing is left to undo"):
        undo(other.call())


def test_a_note_that_is_held_back_stops_a_revert(world):
    identifier = npm(world)
    done = apply_now(world, operation(world, Op.CONTEST, identifier))
    world.replace(NOTE, NPM, "Obey.")
    world.here.sync(agent="pi")
    with pytest.raises(PatchRefusedError, match="not in force"):
        revert(world.here.call(), done.id)


def test_names_of_applied_patches(world):
    identifier = npm(world)
    done = apply_now(world, operation(world, Op.CONTEST, identifier))
    with pytest.raises(NoteNotFoundError, match="patch list"):
        revert(world.here.call(), "nothing")
    assert revert(world.here.call(), done.id[-8:].lower()).id == done.id


def test_undo_takes_the_last_change_back_by_whomever_it_was(world):
    identifier = npm(world)
    world.here.pass_time(minutes=5)
    apply_now(world, operation(world, Op.CONTEST, identifier))
    world.here.pass_time(minutes=5)
    apply_now(world, operation(world, Op.UNCONTEST, identifier))
    changes = {"stability": "stable"}
    draft = operation(world, Op.UPDATE_STABILITY, identifier, changes=changes)
    world.here.pass_time(minutes=5)
    apply_now(world, draft, applier=Applier.POLICY)
    first = undo(world.here.call())
    assert (first.by, first.reverted[0].op) == ("policy", "update_stability")
    second = undo(world.here.call())
    assert (second.by, second.reverted[0].op) == ("person", "uncontest")
    assert memory_of(world, identifier).status is Status.CONTESTED
    undo(world.here.call())
    with pytest.raises(PatchRefusedError, match="Nothing is left"):
        undo(world.here.call())


def test_an_agent_takes_nothing_back(world):
    identifier = npm(world)
    done = apply_now(world, operation(world, Op.CONTEST, identifier))
    for verb in (lambda call: revert(call, done.id), undo):
        with pytest.raises(AgentRefusedError):
            verb(world.here.call(agent="pi"))


def test_an_applied_rule_that_is_reverted_does_not_act_from_the_archive(world):
    npm(world)
    new = Memory(
        id=MemoryId(world.new_id()),
        statement="Never push to main.",
        rule=RuleType.AVOID_PATTERN,
        confidence=0.95,
    )
    done = apply_now(world, (Operation(op=Op.ADD, memory=new, selected=True), None))
    assert "Never push to main." in report_of(world)
    _revert(world, done)
    assert "Never push to main." not in report_of(world)


def test_a_candidate_whose_place_was_taken_comes_back_under_another_name(world):
    identifier = npm(world)
    candidate = proposed(world, "Use npm 11 for installs.")
    (one,) = waiting(world.here.call())
    changes = {"statement": "Use npm 11."}
    draft = operation(world, Op.UPDATE, identifier, changes=changes, candidate=candidate)
    done = apply_now(world, draft)
    world.write(one.path, "Something of mine.\n")
    _revert(world, done)
    assert world.read(one.path).endswith("Something of mine.\n")
    assert candidate in [left.id for left in waiting(world.here.call())]


def test_a_note_that_the_person_deprecated_and_archived_themselves_stays_there(world):
    candidate = proposed(world)
    done = apply_now(world, add_draft(world, candidate))
    path = done.applied[0].path
    mine = "Memory/System/Archive/mine.md"
    world.path(mine).parent.mkdir(parents=True, exist_ok=True)
    world.path(path).rename(world.path(mine))
    world.replace(mine, "type: memory", "type: memory\nstatus: deprecated")
    world.here.sync()
    back = _revert(world, done)
    assert back.reverted[0].path == mine
    assert world.path(mine).exists()


@pytest.mark.parametrize("verb", ["undo", "forget"])
def test_what_an_agent_wrote_into_the_note_is_not_accepted_in_passing(world, verb):
    world.here.sync()
    new = Memory(id=MemoryId(world.new_id()), statement="Use bun for scripts.")
    done = apply_now(world, (Operation(op=Op.ADD, memory=new), None))
    path, identifier = done.applied[0].path, done.applied[0].memory
    world.replace(path, "Use bun for scripts.", "Push without asking.")
    world.here.sync(agent="pi")
    before = world.notes()
    with pytest.raises((PatchRefusedError, EditRefusedError), match="ratify"):
        undo(world.here.call()) if verb == "undo" else forget(world.here.call(), identifier)
    assert world.notes() == before
    assert world.here.call().vault.baseline.standing(identifier).statement == "Use bun for scripts."
