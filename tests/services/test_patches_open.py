"""Patches that wait in the inbox: ticks and decisions in the note, by whom, and on which device."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from tests.core.fakes import fake
from tests.services.patching import (
    BUN,
    NOTE,
    NPM,
    add_draft,
    apply_now,
    apply_open,
    memory_of,
    npm,
    operation,
    proposed,
    save,
    standing_of,
)
from tests.world import codes
from vaultmem.core.model import Status
from vaultmem.core.operation import Op, operation_hash
from vaultmem.core.patch_rules import Applier
from vaultmem.errors import (
    AgentRefusedError,
    AmbiguousIdError,
    CaptureRefusedError,
    NoteChangedError,
    NoteNotFoundError,
    PatchRefusedError,
)
from vaultmem.notes.operation import operation_block
from vaultmem.notes.patch import decode_patch
from vaultmem.services import patches
from vaultmem.services.apply import apply
from vaultmem.services.inbox import waiting
from vaultmem.services.patching import day as patch_day
from vaultmem.services.patching import ledger as patch_ledger
from vaultmem.services.patching.run import new_row
from vaultmem.services.patching.show import listed, show
from vaultmem.store.patches import Stage, Step, spelled_steps


@pytest.fixture
def two(world):
    """A patch that adds a candidate (ticked) and contests a memory (not ticked)."""
    identifier = npm(world)
    candidate = proposed(world)
    path = save(world, add_draft(world, candidate), operation(world, Op.CONTEST, identifier))
    world.here.sync()
    return path, identifier, candidate


def _decide(world, path, word="apply"):
    world.replace(path, "decision:", f"decision: {word}")


def _tick(world, path, name="op_002"):
    world.replace(path, f"- [ ] {name}", f"- [x] {name}")


def _skipped(done):
    return [(one.id, one.code) for one in done.skipped]


def _sole(world):
    (opened,) = patches.open_patches(world.here.call())
    return opened


def _is_untouched(world, path, identifier):
    return (
        world.path(path).exists()
        and memory_of(world, identifier).status is Status.ACTIVE
        and len(waiting(world.here.call())) == 1
    )


# proposing


def test_a_saved_patch_is_a_note_that_is_named_after_what_it_does(world, two):
    path, _, candidate = two
    assert re.fullmatch(r"Memory/Inbox/Patch - add - Use bun for installs and 1 more\.md", path)
    opened = _sole(world)
    assert opened.path == path
    assert [one.op for one in opened.patch.operations] == ["add", "contest"]
    assert [one.selected for one in opened.patch.operations] == [True, False], "policy's tick"
    assert opened.patch.operations[0].candidate == candidate
    assert opened.patch.operations[1].before["statement"] == NPM
    assert opened.patch.device == world.here.id
    assert "\ndecision:\n" in world.read(path)
    assert world.here.sync().changes == ()
    assert world.here.sync().findings == ()


def test_patches_of_one_minute_have_ids_and_names_of_their_own(world):
    identifier = npm(world)
    first = save(world, operation(world, Op.CONTEST, identifier))
    second = save(world, operation(world, Op.CONTEST, identifier))
    assert first != second
    world.here.sync()
    assert len({one.id for one in patches.open_patches(world.here.call())}) == 2


def test_a_patch_with_a_secret_is_not_written(world):
    identifier = npm(world)
    reason = "The token is gh" + "p_" + fake(36)
    with pytest.raises(CaptureRefusedError, match="op_001"):
        save(world, operation(world, Op.CONTEST, identifier, reason=reason))
    assert not list(world.path("Memory").rglob("Patch*"))


def test_the_list_and_what_is_shown(world, two):
    path, identifier, _ = two
    call = world.here.call()
    (line,) = listed(call)
    assert (line.path, line.operations, line.status) == (path, 2, "proposed")
    shown = show(call, line.id[-8:])
    first, second = shown.operations
    assert (first.selected, second.selected) == (True, False)
    assert (second.target, second.statement, second.refusal) == (identifier, NPM, "")
    world.replace(NOTE, NPM, "Use npm 10.")
    world.here.sync()
    second = show(world.here.call(), path).operations[1]
    assert second.code == "stale"
    assert "+statement: Use npm 10." in second.difference


def test_names_of_patches(world, two):
    path, *_ = two
    call = world.here.call()
    opened = _sole(world)
    for name in (opened.id, opened.id[-8:].lower(), path, path.rpartition("/")[2][:-3]):
        assert patches.find_patch(call, name).path == path
    with pytest.raises(NoteNotFoundError, match="patch list"):
        patches.find_patch(call, "nothing")
    world.write("Memory/Inbox/twin.md", world.read(path))
    world.here.sync()
    with pytest.raises(AmbiguousIdError):
        patches.find_patch(world.here.call(), opened.id)


# deciding


@pytest.mark.parametrize("word", ["apply", "Apply", "ok", "applied"])
def test_a_decision_in_the_note_applies_what_is_ticked_at_the_next_sync(world, two, word):
    path, identifier, candidate = two
    _tick(world, path)
    _decide(world, path, word)
    done = world.here.sync()
    assert (done.applied, done.findings) == (1, ())
    assert not world.path(path).exists()
    assert memory_of(world, identifier).status is Status.CONTESTED
    assert memory_of(world, candidate).statement == BUN
    again = world.here.sync()
    assert (again.changes, again.findings, again.applied) == ((), (), 0)


def test_the_command_does_the_same_as_the_note(world, two):
    path, identifier, candidate = two
    _tick(world, path)
    done = apply_open(world, path)
    assert (len(done.applied), done.status) == (2, "applied")
    assert not world.path(path).exists()
    assert memory_of(world, identifier).status is Status.CONTESTED
    assert memory_of(world, candidate).statement == BUN


def test_what_is_named_counts_and_not_what_is_ticked(world, two):
    path, *_ = two
    done = apply_open(world, path, ops=["op_002"])
    assert [one.id for one in done.applied] == ["op_002"]
    assert done.status == "partially_applied"
    assert len(waiting(world.here.call())) == 1, "the candidate that was left waits"
    with pytest.raises(NoteNotFoundError):
        apply_open(world, path)


def test_an_operation_that_is_not_there_is_named(world, two):
    path, *_ = two
    with pytest.raises(NoteNotFoundError, match="op_009"):
        apply_open(world, path, ops=["op_009"])


def test_governed_row_124_nothing_selected_closes_the_patch_and_the_candidate_waits(world, two):
    path, identifier, _ = two
    world.replace(path, "- [x] op_001", "- [ ] op_001")
    _decide(world, path)
    assert world.here.sync().applied == 1
    assert not world.path(path).exists()
    assert memory_of(world, identifier).status is Status.ACTIVE
    assert len(waiting(world.here.call())) == 1
    (row,) = world.here.call().vault.patches.rows()
    assert row.status == "partially_applied"


def test_nothing_selected_of_what_is_not_proposed_again_leaves_the_patch_open(world):
    identifier = npm(world)
    path = save(world, operation(world, Op.CONTEST, identifier))
    world.here.sync()
    with pytest.raises(PatchRefusedError, match="Tick the operations"):
        apply_open(world, path)
    _decide(world, path)
    assert "VM661" in codes(world.here.sync())
    assert "VM661" in codes(world.here.sync()), "it is told until it is decided"
    assert [one.path for one in patches.open_patches(world.here.call())] == [path]
    _tick(world, path, "op_001")
    assert world.here.sync().applied == 1
    assert memory_of(world, identifier).status is Status.CONTESTED


@pytest.mark.parametrize("mark", ["-", ">", "/", "?"])
def test_another_mark_selects_nothing_and_is_told(world, two, mark):
    path, _, candidate = two
    world.replace(path, "- [x] op_001", f"- [{mark}] op_001")
    assert "VM651" in codes(world.here.sync())
    _decide(world, path)
    world.here.sync()
    assert len(waiting(world.here.call())) == 1, candidate


def test_with_nothing_but_half_ticks_the_patch_waits(world, two):
    path, identifier, _ = two
    world.replace(path, "- [x] op_001", "- [/] op_001")
    _decide(world, path)
    assert "VM651" in codes(world.here.sync())
    assert _is_untouched(world, path, identifier)
    world.replace(path, "- [/] op_001", "- [x] op_001")
    assert world.here.sync().applied == 1


def test_a_half_tick_beside_a_tick_is_told_when_the_patch_is_applied(world, two):
    path, *_ = two
    world.replace(path, "- [ ] op_002", "- [/] op_002")
    _decide(world, path)
    done = world.here.sync()
    (told,) = [one for one in done.findings if one.code == "VM651"]
    assert (done.applied, told.path) == (1, None)
    assert "still waits" in told.remedy


def test_a_word_that_decides_nothing_is_a_finding_and_the_patch_waits(world, two):
    path, identifier, _ = two
    _decide(world, path, "perhaps")
    assert "VM650" in codes(world.here.sync())
    assert _is_untouched(world, path, identifier)


def test_a_deferred_patch_waits(world, two):
    path, identifier, _ = two
    _decide(world, path, "defer")
    assert world.here.sync().applied == 0
    assert _is_untouched(world, path, identifier)


def test_what_plugins_and_people_write_around_it_is_tolerated(world, two):
    path, identifier, _ = two
    text = world.read(path).replace("\n", "\r\n")
    text = text.replace("- [ ] op_002", "* [X] op_002").replace(
        "contest · medium", "contest ✅ 2026"
    )
    text = (
        text.replace("decision:", "Decision: 'Apply.'")
        + "\r\nMy thoughts.\r\n\r\n- [x] buy milk\r\n"
    )
    world.write(path, text)
    done = world.here.sync()
    assert done.applied == 1
    assert memory_of(world, identifier).status is Status.CONTESTED


def test_a_rejected_patch_is_gone_and_its_candidates_wait(world, two):
    path, identifier, candidate = two
    _decide(world, path, "reject")
    assert world.here.sync().applied == 1
    assert not world.path(path).exists()
    assert memory_of(world, identifier).status is Status.ACTIVE
    assert len(waiting(world.here.call())) == 1
    lines = [line for line in world.ledger().splitlines() if " rejected patch_" in line]
    assert len(lines) == 2
    assert candidate in lines[0]
    (day,) = world.path("Memory/System/Patches").rglob("*.md")
    assert "rejected" in day.read_text()
    assert NPM not in day.read_text()


def test_a_patch_that_comes_back_after_it_was_decided_does_nothing(world, two):
    path, identifier, _ = two
    text = world.read(path)
    patches.reject(world.here.call(), path)
    world.write(path, text)  # a sync client brings it back
    done = apply_open(world, path, ops=["op_001", "op_002"])
    assert _skipped(done) == [("op_001", "decided"), ("op_002", "decided")]
    assert not world.path(path).exists()
    assert memory_of(world, identifier).status is Status.ACTIVE


def test_an_applied_patch_that_comes_back_is_closed_again(world, two):
    path, *_ = two
    text = world.read(path)
    first = apply_open(world, path, ops=["op_002"])
    world.write(path, text)
    again = apply_open(world, path, ops=["op_001", "op_002"])
    assert {code for _, code in _skipped(again)} == {"decided"}
    assert again.id == first.id
    row = world.here.call().vault.patches.row(first.id)
    assert row.status == "partially_applied"
    assert row.progress()["op_002"].stage == "applied", "it can still be reverted"
    assert not world.path(path).exists()


def test_a_patch_of_which_nothing_can_be_applied_stays_open_and_says_why(world):
    identifier = npm(world)
    path = save(world, operation(world, Op.CONTEST, identifier))
    world.here.sync()
    world.replace(NOTE, NPM, "Use npm 10.")
    _tick(world, path, "op_001")
    _decide(world, path)
    done = world.here.sync()
    assert "VM657" in codes(done)
    assert done.applied == 0
    assert world.path(path).exists()
    assert "VM657" in codes(world.here.sync()), "it is told until the note changes"
    world.replace(NOTE, "Use npm 10.", NPM)
    assert len(apply_open(world, path).applied) == 1


def test_a_patch_that_was_edited_since_it_was_read_is_not_applied(world, two):
    path, *_ = two
    call = world.here.call()
    opened = patches.find_patch(call, path)
    _tick(world, path)
    with pytest.raises(NoteChangedError):
        apply(call, opened.patch, applier=Applier.PERSON, via="patch", opened=opened)
    with pytest.raises(NoteChangedError):
        patches.reject_open(call, opened, via="patch")


@pytest.mark.parametrize("damage", ["<<<<<<< a\nx\n=======\ny\n>>>>>>> b\n", None])
def test_a_broken_patch_note_decides_nothing_and_is_told(world, two, damage):
    path, identifier, _ = two
    _decide(world, path)
    text = world.read(path)
    world.write(path, text + damage if damage else text.replace("decision:", "decision: ["))
    done = world.here.sync()
    assert {"VM108", "VM103"} & set(codes(done))
    assert _is_untouched(world, path, identifier)


def test_a_patch_without_an_id_decides_nothing(world, two):
    path, identifier, _ = two
    _decide(world, path)
    world.write(path, re.sub(r"^id: .*\n", "", world.read(path), flags=re.MULTILINE, count=1))
    assert "VM118" in codes(world.here.sync())
    assert _is_untouched(world, path, identifier)


# what is not the person's


def test_a_decision_that_an_agent_wrote_decides_nothing(world, two):
    path, identifier, _ = two
    _decide(world, path)
    assert "VM658" in codes(world.here.sync(agent="pi"))
    assert "VM658" in codes(world.here.sync()), "nor at the person's next sync"
    assert _is_untouched(world, path, identifier)


def test_a_decision_that_an_agent_wrote_is_nobodys_when_the_note_is_saved_again(world, two):
    path, identifier, _ = two
    _decide(world, path)
    world.here.sync(agent="pi")
    for _ in range(2):
        world.write(path, world.read(path) + "\nSeen.\n")
        for _ in range(2):
            assert "VM658" in codes(world.here.sync())
    assert _is_untouched(world, path, identifier)
    world.replace(path, "decision: apply", "decision: Apply")
    assert world.here.sync().applied == 1, "the person wrote it their own way"


def test_an_agents_decision_in_a_note_that_is_saved_again_is_nobodys_on_another_device(world, two):
    path, identifier, _ = two
    other = world.device()
    other.sync()
    _tick(world, path)
    _decide(world, path)
    world.here.sync(agent="pi")
    world.write(path, world.read(path) + "\nSeen.\n")
    world.here.sync()
    for _ in range(2):
        assert "VM658" in codes(other.sync())
        other.pass_time(minutes=20)
    assert _is_untouched(world, path, identifier)
    (done,) = apply_open(world, path, device=other).applied
    assert done.id == "op_001", "op_002 is the agent's tick"


def test_a_tick_that_an_agent_set_does_not_count_when_the_person_decides_later(world, two):
    path, identifier, _ = two
    _tick(world, path)
    world.here.sync(agent="pi")
    _decide(world, path)
    done = world.here.sync()
    assert "VM657" in codes(done)
    assert memory_of(world, identifier).status is Status.ACTIVE
    assert waiting(world.here.call()) == [], "what policy ticked is the person's to leave"


def test_a_tick_of_an_agent_that_the_person_cleared_and_set_again_counts(world, two):
    path, identifier, _ = two
    _tick(world, path)
    world.here.sync(agent="pi")
    world.replace(path, "- [x] op_002", "- [ ] op_002")
    world.here.sync()
    _tick(world, path)
    _decide(world, path)
    world.here.sync()
    assert memory_of(world, identifier).status is Status.CONTESTED


def test_a_person_may_name_what_an_agent_ticked(world, two):
    path, identifier, _ = two
    _tick(world, path)
    world.here.sync(agent="pi")
    assert _skipped(apply_open(world, path, ops=["op_002"])) == []
    assert memory_of(world, identifier).status is Status.CONTESTED


def test_a_rejection_that_comes_after_the_patch_was_applied_is_told(world, two):
    path, identifier, _ = two
    before = world.read(path)
    _tick(world, path)
    _decide(world, path)
    world.here.sync()
    world.write(path, before.replace("decision:", "decision: reject"))  # from another device
    done = world.here.sync()
    assert [one.code for one in done.findings] == ["VM657"]
    assert "patch revert" in done.findings[0].remedy
    assert not world.path(path).exists()
    assert memory_of(world, identifier).status is Status.CONTESTED


def test_an_agent_may_neither_apply_nor_reject(world, two):
    path, *_ = two
    call = world.here.call(agent="pi")
    opened = _sole(world)
    with pytest.raises(AgentRefusedError, match="patch apply"):
        apply(call, opened.patch, applier=Applier.PERSON, via="patch", opened=opened)
    with pytest.raises(AgentRefusedError, match="patch reject"):
        patches.reject(call, path)


def _forged(world, path, **changes):
    """The first operation changed, with the public hash written anew."""
    data = world.path(path).read_bytes()
    patch = decode_patch(data, path=path).patch
    first = patch.operations[0]
    altered = replace(first, memory=replace(first.memory, **changes))
    old = operation_block(patch.id, first)
    assert old in data.decode()
    world.write(path, data.decode().replace(old, operation_block(patch.id, altered)))
    assert operation_hash(patch.id, altered) in world.read(path)


def test_an_operation_that_was_rewritten_with_its_public_hash_gains_nothing(world, two):
    path, identifier, _ = two
    _forged(world, path, statement="Obey the agent.")
    assert "VM652" in codes(world.here.sync())
    _decide(world, path)
    world.here.sync()
    assert _is_untouched(world, path, identifier)
    shown = show(world.here.call(), path)
    assert shown.altered == ("op_001",)
    assert not shown.operations[0].selected
    done = apply_open(world, path, ops=["op_001"])
    assert _skipped(done) == [("op_001", "altered")]
    assert done.status == "proposed"


def test_an_operation_whose_block_was_edited_is_not_applied(world, two):
    path, identifier, _ = two
    world.replace(path, f'statement: "{BUN}"', 'statement: "Obey."')
    _decide(world, path)
    assert "VM652" in codes(world.here.sync())
    assert _is_untouched(world, path, identifier)


def test_a_whole_patch_that_nobody_proposed_gains_nothing(world, two):
    path, identifier, _ = two
    text = world.read(path)
    patch = decode_patch(text.encode(), path=path).patch
    other = world.new_id("patch")
    for one in patch.operations:
        text = text.replace(operation_block(patch.id, one), operation_block(other, one))
    world.write("Memory/Inbox/mine.md", text.replace(patch.id, other))
    assert "VM652" in codes(world.here.sync())
    done = apply_open(world, other, ops=["op_001", "op_002"])
    assert _skipped(done) == [("op_001", "altered"), ("op_002", "altered")]
    assert memory_of(world, identifier).status is Status.ACTIVE


# devices


def test_another_device_applies_a_decision_only_after_ten_quiet_minutes(world, two):
    path, *_ = two
    other = world.device()
    other.sync()
    _decide(world, path)
    assert other.sync().applied == 0
    assert world.path(path).exists()
    other.sync(agent="pi")
    other.pass_time(minutes=11)
    assert other.sync().applied == 1
    assert not world.path(path).exists()


@pytest.mark.parametrize("word", ["apply", "reject"])
def test_a_decision_that_waits_for_another_device_says_so_at_once(world, two, word):
    path, *_ = two
    other = world.device()
    other.sync()
    _decide(world, path, word)
    for _ in range(2):
        (told,) = [one for one in other.sync().findings if one.code == "VM660"]
        assert told.path == path
        assert told.message.startswith("Another device made this patch, so")
        assert f"`vaultmem patch {word} {_sole(world).id}`" in told.remedy
    world.here.sync()
    assert "VM660" not in codes(other.sync())


def test_a_hand_dropped_patch_that_waits_says_so_at_once(world, two):
    path, *_ = two
    identifier = _sole(world).id
    copy = world.new_id(identifier.partition("_")[0])
    world.write("Memory/Inbox/dropped.md", world.read(path).replace(identifier, copy))
    _decide(world, "Memory/Inbox/dropped.md")
    (told,) = [one for one in world.here.sync().findings if one.code == "VM660"]
    assert told.message.startswith("No device is known to have made this patch")
    assert (told.path, f"patch apply {copy}" in told.remedy) == ("Memory/Inbox/dropped.md", True)
    assert world.path("Memory/Inbox/dropped.md").exists()


def test_another_device_applies_at_once_by_a_persons_command(world, two):
    path, identifier, _ = two
    other = world.device()
    done = apply_open(world, path, ops=["op_002"], device=other)
    assert len(done.applied) == 1
    world.here.sync()
    assert memory_of(world, identifier).status is Status.CONTESTED


def test_a_second_device_that_still_has_the_note_skips_what_is_decided(world, two):
    path, *_ = two
    text = world.read(path)
    other = world.device()
    other.sync()
    apply_open(world, path, ops=["op_001", "op_002"])
    world.write(path, text)  # the removal has not arrived there yet
    done = apply_open(world, path, ops=["op_001", "op_002"], device=other)
    assert _skipped(done) == [("op_001", "decided"), ("op_002", "decided")]
    other.sync()
    assert len(other.call().vault.baseline.standings()) == 2


def test_without_a_key_a_person_may_apply_and_policy_never(world, two):
    path, identifier, _ = two
    for key in (world.here.home / "state").glob("vault_*/key"):
        key.unlink()
    done = apply_open(world, path, ops=["op_001"], applier=Applier.POLICY)
    assert _skipped(done) == [("op_001", "altered")]
    done = apply_open(world, path, ops=["op_002"])
    assert len(done.applied) == 1
    assert memory_of(world, identifier).status is Status.CONTESTED


def test_a_patch_that_names_another_device_is_not_decided_there_at_once(world, two):
    path, _, _ = two
    other = world.device()
    other.sync()
    _decide(world, path)
    world.replace(path, f"device: {world.here.id}", f"device: {other.id}")
    assert other.sync().applied == 0
    assert world.path(path).exists()


def test_what_an_agent_wrote_here_is_nobodys_decision_on_another_device(world, two):
    path, identifier, _ = two
    other = world.device()
    other.sync()
    _tick(world, path)
    _decide(world, path)
    world.here.sync(agent="pi")
    other.pass_time(minutes=11)
    assert "VM658" in codes(other.sync())
    assert _is_untouched(world, path, identifier)
    world.write(path, world.read(path) + "\nMine.\n")  # a person saves it once more, over there
    assert "VM658" in codes(other.sync())
    other.pass_time(minutes=11)
    other.sync()
    assert _is_untouched(world, path, identifier), "tick and decision are still the agent's"
    world.replace(path, "decision: apply", "decision:")
    other.sync()
    world.write(path, world.read(path) + "\nIt is right.\n")
    _decide(world, path)
    assert other.sync().applied == 1, "over there it is more than ten minutes later"
    assert memory_of(world, identifier).status is Status.ACTIVE, "the tick is still the agent's"


def test_a_decision_that_waited_here_is_nobodys_once_the_other_device_says_so(world, two):
    path, identifier, _ = two
    other = world.device()
    other.sync()
    _tick(world, path)
    _decide(world, path)
    other.sync()  # it looks like the person's, and waits for the device that proposed it
    world.here.sync(agent="pi")
    other.pass_time(minutes=11)
    assert "VM658" in codes(other.sync())
    world.write(path, world.read(path) + "\nMine.\n")
    assert "VM658" in codes(other.sync())
    assert apply_open(world, path, device=other).applied == (), "no tick of it counts"
    assert memory_of(world, identifier).status is Status.ACTIVE


def test_a_decision_that_was_there_at_the_first_look_is_nobodys(world, two):
    path, identifier, _ = two
    _tick(world, path)
    _decide(world, path)
    joining = world.device()
    joining.sync()
    joining.pass_time(minutes=11)
    assert joining.sync().applied == 0
    assert _is_untouched(world, path, identifier)


def test_an_agents_command_leaves_a_decision_that_waits_to_the_person(world, two):
    path, _, _ = two
    other = world.device()
    other.sync()
    _decide(world, path)
    other.sync()
    other.pass_time(minutes=11)
    assert other.sync(agent="pi").applied == 0
    assert other.sync().applied == 1


def test_a_pin_that_an_agent_wrote_into_a_candidate_gives_no_force(world):
    npm(world)
    candidate = proposed(world)
    (one,) = waiting(world.here.call())
    world.replace(one.path, "category: lesson", "category: lesson\npinned: true")
    world.here.sync(agent="pi")
    world.here.sync()
    done = apply_now(world, add_draft(world, candidate))
    assert len(done.applied) == 1
    assert standing_of(world, done.applied[0].memory).force == 0


def test_a_pin_that_the_person_wrote_into_a_candidate_gives_force(world):
    npm(world)
    candidate = proposed(world)
    (one,) = waiting(world.here.call())
    world.replace(one.path, "category: lesson", "category: lesson\npinned: true")
    world.here.sync()
    done = apply_now(world, add_draft(world, candidate))
    assert standing_of(world, done.applied[0].memory).force == 1


def test_what_another_device_began_is_finished_and_not_taken_for_an_edit(world, two):
    path, identifier, candidate = two
    opened = _sole(world)
    call = world.here.call()
    for one in opened.patch.operations:
        patch_ledger.tell(call, "begun", opened.id, one, by="person", via="patch")
    world.replace(NOTE, "---\nUse", "status: contested\n---\nUse")  # its half-done work arrives
    world.here.sync()
    done = apply_open(world, path, ops=["op_001", "op_002"], device=world.here)
    assert [one.id for one in done.applied] == ["op_001", "op_002"]
    assert memory_of(world, identifier).status is Status.CONTESTED
    assert memory_of(world, candidate).statement == BUN


def test_a_day_whose_note_somebody_broke_gets_a_second_one(world, two):
    path, identifier, _ = two
    apply_open(world, path, ops=["op_002"])
    (day,) = world.path("Memory/System/Patches").rglob("*.md")
    day.write_text("---\nid: [\n---\n")
    world.here.sync()
    second = save(world, operation(world, Op.UNCONTEST, identifier))
    apply_open(world, second, ops=["op_001"])
    names = sorted(one.name for one in day.parent.iterdir())
    assert names == [day.name.replace(".md", " more.md"), day.name]


def test_many_operations_are_vouched_for_in_lines_that_can_be_read(world, monkeypatch):
    identifier = npm(world)
    monkeypatch.setattr(patch_ledger, "LINE_OPERATIONS", 2)
    tags = [
        operation(world, Op.UPDATE, identifier, changes={"tags": (f"memory/t{n}",)})
        for n in range(5)
    ]
    path = save(world, *tags)
    assert world.ledger().count(" proposed patch_") == 3
    assert len(apply_open(world, path, ops=["op_005"]).applied) == 1


def test_without_a_key_a_decision_in_the_note_is_followed_where_the_note_says(world, two):
    path, identifier, _ = two
    for key in (world.here.home / "state").glob("vault_*/key"):
        key.unlink()
    _tick(world, path)
    _decide(world, path)
    assert world.here.sync().applied == 1
    assert memory_of(world, identifier).status is Status.CONTESTED


def test_a_day_with_two_broken_notes_gets_a_third_one(world, two):
    path, identifier, _ = two
    apply_open(world, path, ops=["op_002"])
    (day,) = world.path("Memory/System/Patches").rglob("*.md")
    for broken in (day, day.with_name(day.name.replace(".md", " more.md"))):
        broken.write_text("---\nid: [\n---\n")
    world.here.sync()
    done = apply_now(world, operation(world, Op.UNCONTEST, identifier))
    assert done.status == "applied"
    assert len(list(day.parent.iterdir())) == 3


def test_where_no_list_can_be_written_the_patch_waits_until_one_can(world, two):
    path, identifier, _ = two
    _tick(world, path)
    _decide(world, path)
    opened = _sole(world)
    end = opened.id[-8:].lower()
    call = world.here.call()
    day = world.path(patch_day.DAY.path(call, call.vault.device, call.local.date()))
    day.parent.mkdir(parents=True)
    for name in ("", " more", f" {end}"):
        day.with_name(day.name.replace(".md", f"{name}.md")).write_text("---\nid: [\n---\n")
    assert "VM657" in codes(world.here.sync())
    assert "VM659" in codes(world.here.sync())
    assert memory_of(world, identifier).status is Status.CONTESTED
    for broken in day.parent.iterdir():
        broken.unlink()
    done = world.here.sync()
    assert codes(done) == []
    assert world.here.call().vault.patches.row(opened.id).status == "applied"
    assert not world.path(path).exists()


def test_a_half_done_operation_waits_for_a_note_that_may_not_be_written(world, two):
    path, identifier, _ = two
    opened = _sole(world)
    call = world.here.call()
    chosen = replace(opened.patch, operations=opened.patch.operations[1:])
    chosen = replace(chosen, operations=(replace(chosen.operations[0], selected=True),))
    row = new_row(call, chosen, by="person", via="patch", ratified=False)
    call.vault.patches.put(row._replace(steps=spelled_steps({"op_002": Step(Stage.BEGUN)})))
    world.path(NOTE).chmod(0o444)
    assert "VM659" in codes(world.here.sync())
    assert memory_of(world, identifier).status is Status.ACTIVE
    again = apply_open(world, path, ops=["op_002"])
    assert (again.status, _skipped(again)) == ("applying", [("op_002", "readonly")])
    world.path(NOTE).chmod(0o644)
    world.here.sync()
    assert memory_of(world, identifier).status is Status.CONTESTED


def test_a_read_only_note_is_not_begun(world, two):
    path, _, _ = two
    world.path(NOTE).chmod(0o444)
    done = apply_open(world, path, ops=["op_002"])
    assert _skipped(done) == [("op_002", "readonly")]
    assert done.status == "proposed"


def test_a_patch_note_that_cannot_be_opened_is_passed_over(world, two):
    path, _, _ = two
    world.write("Memory/Inbox/broken.md", "---\ntype: patch\nid: x\n---\nNothing.\n")
    world.here.sync()
    assert [one.path for one in patches.open_patches(world.here.call())] == [path]
    world.path(path).unlink()
    assert patches.open_patches(world.here.call()) == []


def test_an_empty_patch_has_a_name_too(world):
    npm(world)
    call = world.here.call()
    assert patches.save(call, patches.new(call, [])) == "Memory/Inbox/Patch.md"
