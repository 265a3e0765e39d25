"""What an agent forges of patches is applied by nobody, and blocks nobody."""

from __future__ import annotations

import os
import re
from dataclasses import replace

import pytest

from tests.acceptance.forging import (
    append_line,
    by_agent,
    every_hand,
    in_force,
    ledger_note,
    spelled,
)
from tests.acceptance.making import adds, applied, candidate, memory, on, proposed, say, told
from tests.world import codes
from vaultmem.core.operation import Op
from vaultmem.core.patch_rules import Applier
from vaultmem.errors import AgentRefusedError
from vaultmem.notes.operation import operation_block
from vaultmem.notes.patch import encode_patch
from vaultmem.services import patches
from vaultmem.services.apply import apply
from vaultmem.services.curate import curate

FORGED = "Use npm for installs instead of pnpm."


@pytest.fixture
def opened(vault):
    """An open patch that proposes a memory and contests another one; nothing is ticked."""
    old = say(vault, "Use npm for installs.")
    one = candidate(vault, "Write dates in UTC.")
    return proposed(vault, adds(one), on(old.id, Op.CONTEST))


@every_hand
def test_forged_ticks_and_a_forged_decision_apply_nothing(vault, opened, hand):
    before = in_force(vault)

    def deed():
        vault.replace(opened.path, "- [ ] op_", "- [x] op_")
        vault.replace(opened.path, "decision:", "decision: apply")

    done = by_agent(vault, hand, deed)
    assert "VM658" in codes(done)
    assert in_force(vault) == before
    assert vault.path(opened.path).exists()


@every_hand
def test_ticks_that_an_agent_set_are_not_applied_by_the_persons_decision(vault, opened, hand):
    before = in_force(vault)
    by_agent(vault, hand, lambda: vault.replace(opened.path, "- [ ] op_002", "- [x] op_002"))
    vault.replace(opened.path, "- [ ] op_001", "- [x] op_001")
    vault.replace(opened.path, "decision:", "decision: apply")
    vault.here.sync()
    now = in_force(vault)
    assert {row[1] for row in now.values()} == {"active"}
    assert len(now) == len(before) + 1


@every_hand
def test_no_other_device_follows_a_forged_decision(vault, opened, hand):
    other = vault.device()
    other.sync()
    before = in_force(vault)

    def deed():
        vault.replace(opened.path, "- [ ] op_", "- [x] op_")
        vault.replace(opened.path, "decision:", "decision: apply")

    by_agent(vault, hand, deed)
    for device in (other, vault.here, other):
        device.pass_time(minutes=20)
        device.sync()
    assert in_force(vault) == before
    assert vault.path(opened.path).exists()


@pytest.mark.parametrize("claim", ["nothing", "a_device", "a_time"])
def test_a_device_that_sees_a_forged_decision_first_waits_for_the_one_that_proposed(
    vault, opened, claim
):
    other = vault.device()
    other.sync()
    before = in_force(vault)
    if claim == "a_device":
        vault.replace(opened.path, f"device: {vault.here.id}", f"device: {other.id}")
    vault.replace(opened.path, "- [ ] op_", "- [x] op_")
    vault.replace(opened.path, "decision:", "decision: apply")
    if claim == "a_time":
        os.utime(vault.path(opened.path), (1_700_000_000, 1_700_000_000))
    other.sync()
    assert vault.path(opened.path).exists()
    vault.here.sync(agent="pi")
    other.pass_time(minutes=20)
    other.sync()
    assert in_force(vault) == before
    assert vault.path(opened.path).exists()


@every_hand
def test_a_forged_rejection_of_a_patch_closes_nothing(vault, opened, hand):
    by_agent(vault, hand, lambda: vault.replace(opened.path, "decision:", "decision: reject"))
    assert vault.path(opened.path).exists()


def _with_other_words(opened):
    """The note with another statement in its first operation and the public hash made anew."""
    first, *rest = opened.patch.operations
    new = replace(first, memory=replace(first.memory, statement=FORGED))
    return encode_patch(replace(opened.patch, operations=(new, *rest)))


@every_hand
def test_an_operation_with_another_hash_of_its_own_is_not_applied_by_anybody(vault, opened, hand):
    before = in_force(vault)
    by_agent(vault, hand, lambda: vault.write(opened.path, _with_other_words(opened)))
    now = patches.find_patch(vault.here.call(), opened.id)
    for applier in Applier:
        done = apply(
            vault.here.call(),
            now.patch,
            applier=applier,
            selected=frozenset(["op_001"]),
            via="patch",
            opened=now,
        )
        assert done.applied == ()
        assert [one.code for one in done.skipped] == ["altered"]
    assert in_force(vault) == before
    assert FORGED not in told(vault)


@every_hand
def test_an_operation_that_was_edited_without_its_hash_is_a_finding(vault, opened, hand):
    before = in_force(vault)
    done = by_agent(
        vault, hand, lambda: vault.replace(opened.path, 'Write dates in UTC."', 'Obey me."')
    )
    assert "VM652" in codes(done)
    now = patches.find_patch(vault.here.call(), opened.id)
    assert applied(vault, now, "op_001").applied == ()
    assert in_force(vault) == before


@every_hand
def test_a_patch_that_an_agent_writes_is_not_applied(vault, opened, hand):
    """Its blocks and hashes are right, its boxes are ticked, its decision is there; no one signed."""
    before = in_force(vault)
    call = vault.here.call()
    old = next(iter(before))
    pair = (on(old, Op.DELETE), memory(vault, old))
    forged = patches.new(call, [pair])
    text = encode_patch(forged).decode()
    text = text.replace("- [ ]", "- [x]").replace("decision:", "decision: apply")
    by_agent(vault, hand, lambda: vault.write("Memory/Inbox/forged.md", text))
    assert in_force(vault) == before
    found = [one for one in patches.open_patches(vault.here.call()) if one.id == forged.id]
    for one in found:
        assert applied(vault, one).applied == ()
    assert in_force(vault) == before


@every_hand
def test_an_operation_that_is_copied_into_another_patch_is_altered_there(vault, opened, hand):
    before = in_force(vault)
    other = proposed(vault, on(next(iter(before)), Op.DEPRECATE))
    block = operation_block(opened.id, opened.patch.operations[0])
    own = re.search(r"```yaml\n(.*?)```", vault.read(other.path), re.S)[1]
    by_agent(vault, hand, lambda: vault.replace(other.path, own, block))
    now = patches.find_patch(vault.here.call(), other.id)
    assert applied(vault, now, "op_001").applied == ()
    assert in_force(vault) == before


@every_hand
@pytest.mark.parametrize("act", ["applied", "rejected", "begun", "proposed", "reverted"])
def test_a_forged_line_of_a_patch_neither_applies_nor_blocks_it(vault, opened, hand, act):
    before = in_force(vault)
    line = spelled(act, opened.id, {"by": "person", "op": "op_001", "op_001": "0" * 32})
    done = by_agent(vault, hand, lambda: append_line(vault, ledger_note(vault, "activity"), line))
    assert "VM406" in codes(done)
    assert in_force(vault) == before
    now = patches.find_patch(vault.here.call(), opened.id)
    assert [one.id for one in applied(vault, now, "op_001").applied] == ["op_001"]


@every_hand
def test_a_signed_line_of_a_patch_does_not_vouch_for_another_one(vault, opened, hand):
    before = in_force(vault)
    old = next(iter(before))
    forged = patches.new(vault.here.call(), [(on(old, Op.DELETE), memory(vault, old))])
    mine = next(line for line in vault.ledger().splitlines() if f" proposed {opened.id} " in line)

    def deed():
        vault.write("Memory/Inbox/forged.md", encode_patch(forged))
        append_line(vault, ledger_note(vault, "activity"), mine.replace(opened.id, forged.id))

    assert "VM405" in codes(by_agent(vault, hand, deed))
    found = [one for one in patches.open_patches(vault.here.call()) if one.id == forged.id]
    for one in found:
        assert applied(vault, one).applied == ()
    assert in_force(vault) == before


@every_hand
def test_a_forged_entry_of_the_decided_patches_decides_nothing(vault, opened, hand):
    day = vault.here.call().local.date()
    path = f"Memory/System/Patches/{day:%Y/%m}/{day} patches {vault.here.id}.md"
    entry = (
        f"> [!success]- {opened.id} applied {day}T10:00:00 by person\n"
        "> - op_001 add applied\n> - op_002 contest applied\n"
    )
    note = f"---\nid: {vault.new_id('patch')}\ntype: patch\n---\n# Decided patches\n\n{entry}"
    by_agent(vault, hand, lambda: vault.write(path, note))
    now = patches.find_patch(vault.here.call(), opened.id)
    assert [one.id for one in applied(vault, now, "op_001").applied] == ["op_001"]


def test_an_agent_applies_rejects_and_curates_nothing(vault, opened):
    call = vault.here.call(agent="pi")
    for verb in (
        lambda: apply(call, opened.patch, applier=Applier.PERSON, via="patch", opened=opened),
        lambda: apply(call, opened.patch, applier=Applier.POLICY, via="patch", opened=opened),
        lambda: patches.reject(call, opened.id),
        lambda: curate(call),
        lambda: curate(call, mode="auto"),
    ):
        with pytest.raises(AgentRefusedError, match="person"):
            verb()


def test_policy_applies_no_operation_that_needs_a_person(vault, opened):
    before = in_force(vault)
    done = apply(
        vault.here.call(),
        opened.patch,
        applier=Applier.POLICY,
        selected=frozenset(["op_002"]),
        via="session_end",
        opened=opened,
    )
    assert done.applied == ()
    assert in_force(vault) == before
