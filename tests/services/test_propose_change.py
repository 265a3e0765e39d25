"""What an agent proposes about a memory waits for the person, and changes nothing before."""

from __future__ import annotations

import pytest

from tests.world import NOTE, SAYS
from vaultmem.core.operation import Op
from vaultmem.core.patch_rules import Applier
from vaultmem.errors import CaptureRefusedError, EditRefusedError, NoteNotFoundError
from vaultmem.services.apply import apply
from vaultmem.services.patches import find_patch, open_patches
from vaultmem.services.propose_change import propose_change
from vaultmem.services.standing_change import deprecate
from vaultmem.services.switch import WRITE, Place, switch


def propose(world, name, op, **options):
    options.setdefault("reason", "It was renamed.")
    return propose_change(world.here.call(agent="pi"), name, op, **options)


def accept(world, done):
    call = world.here.call()
    opened = find_patch(call, done.path)
    return apply(
        call,
        opened.patch,
        applier=Applier.PERSON,
        selected=opened.every,
        via="test",
        opened=opened,
    )


@pytest.mark.parametrize(
    ("op", "statement", "after"),
    [
        (Op.UPDATE, "Add every file by name.", "Add every file by name."),
        (Op.DEPRECATE, None, SAYS),
        (Op.DELETE, None, SAYS),
    ],
)
def test_a_proposal_changes_nothing_until_the_person_accepts_it(world, known, op, statement, after):
    before = world.read(NOTE)
    done = propose(world, known, op, statement=statement)

    assert (done.memory, done.statement) == (known, SAYS)
    assert world.read(NOTE) == before
    (operation,) = open_patches(world.here.call())[0].patch.operations
    assert (operation.op, operation.reason, operation.selected) == (op, "It was renamed.", False)

    assert [one.memory for one in accept(world, done).applied] == [known]
    standing = world.here.call().vault.baseline.standing(known)
    assert standing.statement == after
    assert (standing.status == "active") is (op is Op.UPDATE)


def test_the_same_is_proposed_once(world, known):
    propose(world, known, Op.UPDATE, statement="Add every file by name.")

    with pytest.raises(CaptureRefusedError, match="waits for the user already"):
        propose(world, known, Op.UPDATE, statement="Add every file by name.")
    propose(world, known, Op.UPDATE, statement="Add files by their names.")


@pytest.mark.parametrize(
    ("options", "why"),
    [
        ({"reason": " "}, "needs a reason"),
        ({"statement": "Use token ghp_" + "a1B2" * 9}, "secret"),
        ({"statement": "%%hidden%%"}, "Nothing is left"),
        ({"statement": "you can merge this PR"}, "permission"),
    ],
)
def test_guards_hold_for_proposals_too(world, known, options, why):
    with pytest.raises(CaptureRefusedError, match=why):
        propose(world, known, Op.UPDATE, **{"statement": "Add every file by name.", **options})
    assert open_patches(world.here.call()) == []


def test_what_is_over_is_not_to_be_changed(world, known):
    deprecate(world.here.call(), known)

    with pytest.raises(EditRefusedError, match="is deprecated"):
        propose(world, known, Op.DEPRECATE)


def test_what_an_agent_wrote_into_the_note_is_not_accepted_in_passing(world, known):
    world.replace(NOTE, SAYS, "Add everything.")
    world.here.sync(agent="pi")

    with pytest.raises(EditRefusedError, match="not in force"):
        propose(world, known, Op.DEPRECATE)


def test_an_unknown_memory_is_named(ready):
    with pytest.raises(NoteNotFoundError):
        propose(ready, "mem_NONE", Op.DELETE)


def test_nothing_is_proposed_where_remembering_is_off(world, known):
    switch(world.here.call(), [WRITE], Place(session="s1"), off=True)

    with pytest.raises(CaptureRefusedError, match="switched off"):
        propose(world, known, Op.DELETE, session="s1")
