"""What is said again in the words of a memory that is contested, promoted or out of use."""

from __future__ import annotations

import pytest

from vaultmem.core.model import Category
from vaultmem.notes.candidate import Decision
from vaultmem.services.capture import Channel, Source, Wish, add
from vaultmem.services.curate import session_end
from vaultmem.services.curating.candidates import waiting
from vaultmem.services.curating.foresee import list_waiting
from vaultmem.services.inbox import decide
from vaultmem.services.message import capture_message
from vaultmem.services.report import report
from vaultmem.services.standing_change import uncontest

TEXT = "Never use npm for installs."
NOTE = "Memory/Lessons/Npm.md"


def stands(world, status):
    world.here.sync()
    identifier = world.memory(NOTE, TEXT, category="lesson", status=status)
    world.here.sync()
    return identifier


def said(world, *, agent=None, source=None, category=Category.LESSON):
    app = world.here.app(agent=agent)
    source = source or Source(channel=Channel.TYPED)
    return add(app.call(), app.engine, Wish(text=TEXT, category=category), source=source)


def heard(world):
    app = world.here.app(agent="pi")
    capture_message(app.call(), app.engine, TEXT, session="s1", message_id="m1")


def memories(world):
    return [one.status for one in world.here.call().vault.baseline.standings()]


@pytest.mark.parametrize(("status", "code"), [("contested", "VM628"), ("promoted", "VM629")])
@pytest.mark.parametrize("agent", [None, "pi"])
def test_nothing_is_written_beside_what_is_contested_or_promoted(world, agent, status, code):
    identifier = stands(world, status)
    before = world.notes()
    done = said(world, agent=agent)
    assert (done.outcome, done.id, done.path) == ("reinforced", identifier, NOTE)
    (told,) = done.findings
    assert told.code == code
    assert identifier[-8:].lower() in told.remedy
    assert world.notes() == before
    assert memories(world) == [status]
    assert " reinforced " not in world.ledger("reinforcement")


def test_the_command_that_it_names_settles_the_doubt(world):
    identifier = stands(world, "contested")
    (told,) = said(world).findings
    assert f"vaultmem uncontest {identifier[-8:].lower()}" in told.remedy
    uncontest(world.here.call(), identifier[-8:].lower())
    done = said(world)
    assert (done.outcome, done.id, done.findings) == ("reinforced", identifier, ())


def test_the_users_own_sentence_to_the_agent_waits_and_its_approval_settles_the_doubt(world):
    identifier = stands(world, "contested")
    heard(world)
    assert session_end(world.here.call(agent="pi")).applied == ()
    ((one, foreseen),) = list_waiting(world.here.call())
    assert (foreseen.op, foreseen.target) == ("uncontest", identifier)
    assert foreseen.sentence.startswith("Approving it settles the doubt in favour of:")
    assert "settle the doubt" in one.candidate.reasons[0]
    done = decide(world.here.call(), one.id, Decision.APPROVE)
    assert (done.outcome, done.id) == ("approved", identifier)
    assert memories(world) == ["active"]
    assert waiting(world.here.call()) == []
    assert TEXT in report(world.here.call()).text


def test_what_was_promoted_is_not_learned_from_a_message_again(world):
    stands(world, "promoted")
    heard(world)
    assert waiting(world.here.call()) == []
    assert memories(world) == ["promoted"]


@pytest.mark.parametrize("status", ["deprecated", "superseded"])
def test_what_was_taken_out_of_use_can_be_said_anew_and_the_old_one_is_named(world, status):
    identifier = stands(world, status)
    done = said(world)
    assert done.outcome == "added"
    (told,) = done.findings
    assert (told.code, identifier[-8:].lower() in told.remedy) == ("VM630", True)
    assert sorted(memories(world)) == sorted(["active", status])
    assert said(world).outcome == "reinforced"


@pytest.mark.parametrize("status", ["deprecated", "superseded"])
def test_an_agent_that_says_it_again_is_told_and_only_proposes(world, status):
    stands(world, status)
    done = said(world, agent="pi")
    assert (done.outcome, [one.code for one in done.findings]) == ("candidate", ["VM630"])
    assert memories(world) == [status]


def test_what_was_deleted_waits_as_before(world):
    stands(world, "active")
    world.replace(NOTE, "status: active", "status: deleted")
    world.here.sync()
    done = said(world)
    assert (done.outcome, [one.code for one in done.findings]) == ("candidate", ["VM627"])


def test_another_category_is_another_memory(world):
    stands(world, "contested")
    assert said(world, category=Category.DECISION).outcome == "added"


def test_a_contested_memory_whose_time_has_passed_is_no_doubt(world):
    stands(world, "contested")
    world.replace(NOTE, "type: memory", "type: memory\nexpires: 2020-01-01T00:00:00")
    assert said(world).outcome == "added"
