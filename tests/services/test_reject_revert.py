"""A rejected candidate is brought back by `undo` where it was rejected, and by nothing after a purge."""

from __future__ import annotations

import pytest

from tests.core.fakes import fake
from tests.services.patching import BUN, apply_now, operation, proposed
from tests.services.purging import places_with
from tests.services.test_patches_crash import Scene
from vaultmem.core.operation import Op, Operation
from vaultmem.errors import (
    AgentRefusedError,
    NoteNotFoundError,
    NotRatifiedError,
    PatchRefusedError,
)
from vaultmem.notes.candidate import Decision
from vaultmem.services.inbox import decide, waiting
from vaultmem.services.purge import purge
from vaultmem.services.revert import revert
from vaultmem.services.undo import undo

TEXT = "Never paste quokka rosters into zeppelin tables."
NOTE = "Memory/Lessons/Never paste quokka rosters into zeppelin tables.md"


def _waits(world):
    return [(one.id, one.candidate.memory.statement) for one in waiting(world.here.call())]


def _reject(world, text=BUN):
    """A candidate in whose note the person wrote, and which they rejected; its place before."""
    candidate = proposed(world, text)
    (one,) = [one for one in waiting(world.here.call()) if one.id == candidate]
    world.write(one.path, world.read(one.path) + "\nMy own words.\n")
    world.here.sync()
    before = world.read(one.path)
    done = decide(world.here.call(), candidate, Decision.REJECT)
    assert done.outcome == "rejected"
    assert not world.path(one.path).exists()
    world.here.sync()
    return candidate, one.path, before, done.patch


def test_undo_puts_the_note_back_where_it_lay_with_what_the_person_wrote(world):
    candidate, path, before, patch = _reject(world)
    done = undo(world.here.call())
    assert (done.id, done.skipped) == (patch, ())
    assert [(one.op, one.memory, one.path) for one in done.reverted] == [
        ("reject_candidate", None, path)
    ]
    assert world.read(path) == before
    assert _waits(world) == [(candidate, BUN)]
    again = world.here.sync()
    assert (again.applied, again.changes, again.findings) == (0, (), ())


def test_what_came_back_can_be_decided_again_either_way(world):
    candidate, _, _, patch = _reject(world)
    revert(world.here.call(), patch)
    second = decide(world.here.call(), candidate, Decision.REJECT).patch
    assert second != patch
    revert(world.here.call(), second)
    done = decide(world.here.call(), candidate, Decision.APPROVE)
    assert done.outcome == "approved"
    assert world.here.call().vault.baseline.standing(done.id).statement == BUN
    assert world.here.sync().findings == ()


def test_it_is_brought_back_once_and_never_by_an_agent(world):
    _, _, _, patch = _reject(world)
    with pytest.raises(AgentRefusedError):
        revert(world.here.call(agent="pi"), patch)
    revert(world.here.call(), patch)
    with pytest.raises(PatchRefusedError, match="reverted"):
        revert(world.here.call(), patch)
    assert len(_waits(world)) == 1


@pytest.mark.parametrize("word", ["reject", "no"])
def test_a_decision_in_the_note_is_taken_back_and_emptied(world, word):
    candidate = proposed(world)
    (one,) = waiting(world.here.call())
    world.replace(one.path, "decision:", f"decision: {word}")
    assert world.here.sync().applied == (word == "reject")
    if word == "reject":
        undo(world.here.call())
        assert "decision:\n" in world.read(one.path)
        assert world.here.sync().applied == 0
    assert _waits(world) == [(candidate, BUN)]


@pytest.mark.parametrize("taken", ["Memory/Inbox", "Notes"])
def test_a_name_that_was_taken_meanwhile_is_left_and_another_one_found(world, taken):
    candidate, path, _, patch = _reject(world)
    mine = f"{taken}/{path.rpartition('/')[2]}"
    world.write(mine, "---\nmine: 1\n---\nSomething of mine.\n")
    world.here.sync()
    (back,) = revert(world.here.call(), patch).reverted
    assert back.path.rpartition("/")[2] != path.rpartition("/")[2]
    assert back.path.startswith("Memory/Inbox/")
    assert "Something of mine." in world.read(mine)
    assert candidate in dict(_waits(world))


def test_a_note_that_is_there_again_already_is_left_as_it_is(world):
    candidate, path, before, patch = _reject(world)
    elsewhere = path.replace(".md", " again.md")
    world.write(elsewhere, before.replace("My own words.", "Out of the trash."))
    world.here.sync()
    (back,) = revert(world.here.call(), patch).reverted
    assert back.path == elsewhere
    assert "Out of the trash." in world.read(elsewhere)
    assert _waits(world) == [(candidate, BUN)]


def test_another_device_cannot_bring_it_back_and_sees_what_came_back(world):
    candidate, _, _, patch = _reject(world)
    other = world.device()
    other.sync()
    with pytest.raises(NoteNotFoundError, match="where it was applied"):
        revert(other.call(), patch)
    with pytest.raises(PatchRefusedError, match="Nothing is left to undo"):
        undo(other.call())
    revert(world.here.call(), patch)
    other.pass_time(minutes=15)
    assert other.sync().findings == ()
    assert [one.id for one in waiting(other.call())] == [candidate]
    assert world.here.sync().findings == ()


def test_what_an_agent_wrote_gains_no_force_by_the_way_back(world):
    world.here.sync()
    identifier = world.new_id("cand")
    world.write(
        "Memory/Inbox/x.md",
        f"---\nid: {identifier}\ntype: candidate\npinned: true\nconfidence: 0.9\n"
        f"category: lesson\ndecision:\n---\n{TEXT}\n",
    )
    world.here.sync(agent="pi")
    done = decide(world.here.call(), identifier, Decision.REJECT)
    world.here.sync()
    revert(world.here.call(), done.patch)
    world.here.sync()
    assert _waits(world) == [(identifier, TEXT)]
    with pytest.raises(NotRatifiedError, match="something other than you"):
        decide(world.here.call(), identifier, Decision.APPROVE)


class TestWhatIsKept:
    def test_only_this_machine_keeps_the_text(self, world):
        _, _, _, patch = _reject(world, TEXT)
        assert "My own words." in world.here.call().vault.patches.row(patch).steps
        assert not any(b"My own words." in data for data in world.snapshot().values())

    def test_nothing_is_kept_of_it_once_it_came_back(self, world):
        _, _, _, patch = _reject(world, TEXT)
        revert(world.here.call(), patch)
        assert "My own words." not in world.here.call().vault.patches.row(patch).steps

    def test_a_secret_is_not_kept_and_undo_says_so(self, world):
        candidate = proposed(world)
        (one,) = waiting(world.here.call())
        token = "gh" + "p_" + fake(36)
        world.replace(one.path, BUN, f"Use {token}.")
        world.here.sync()
        decide(world.here.call(), candidate, Decision.REJECT)
        world.close()
        assert places_with([world.folder], [token]) == set()
        with pytest.raises(PatchRefusedError, match="held a secret"):
            undo(world.here.call())

    def test_a_purge_of_the_same_text_erases_it_and_the_rest_can_be_reverted(self, world):
        candidate = proposed(world, TEXT)
        identifier = world.memory(NOTE, TEXT, category="lesson")
        tabs = world.memory("Memory/Lessons/Tabs.md", "Prefer tabs here.", category="lesson")
        world.here.sync()
        rejection = Operation(op=Op.REJECT_CANDIDATE, candidate=candidate, selected=True)
        both = apply_now(world, (rejection, None), operation(world, Op.CONTEST, tabs))
        alone = _reject(world, f"Remember: {TEXT}")[3]
        purge(world.here.call(), identifier)
        world.close()
        assert places_with([world.folder], ["quokka"]) == set()
        with pytest.raises(PatchRefusedError, match="is kept any more"):
            revert(world.here.call(), alone)
        back = revert(world.here.call(), both.id)
        assert [one.id for one in back.reverted] == ["op_002"]
        assert _waits(world) == []

    def test_a_purge_finds_it_under_any_name(self, world):
        candidate = proposed(world, TEXT)
        (one,) = waiting(world.here.call())
        world.path(one.path).rename(world.path("Memory/Inbox/Mine.md"))
        identifier = world.memory(NOTE, TEXT, category="lesson")
        world.here.sync()
        decide(world.here.call(), candidate, Decision.REJECT)
        purge(world.here.call(), identifier)
        world.close()
        assert places_with([world.folder], ["quokka"]) == set()


def test_a_way_back_that_is_cut_short_is_finished_by_one_sync_or_was_not_begun(world):
    candidate, path, before, patch = _reject(world)
    scene = Scene(world)
    verb = lambda: revert(world.here.call(), patch)  # noqa: E731
    for at in range(1, scene.steps(verb) + 1):
        scene.cut(verb, at)
        world.here.sync()
        if not _waits(world):
            assert world.here.call().vault.patches.row(patch).status == "applied", at
            verb()
        assert world.here.call().vault.patches.row(patch).status == "reverted"
        assert _waits(world) == [(candidate, BUN)]
        assert world.read(path) == before
        again = world.here.sync()
        assert (again.changes, again.findings) == ((), ())


def test_a_rejection_that_is_cut_short_can_be_taken_back_too(world):
    candidate = proposed(world)
    scene = Scene(world)
    verb = lambda: decide(world.here.call(), candidate, Decision.REJECT)  # noqa: E731
    for at in range(1, scene.steps(verb) + 1):
        scene.cut(verb, at)
        world.here.sync()
        if not _waits(world):
            undo(world.here.call())
        assert _waits(world) == [(candidate, BUN)], at
