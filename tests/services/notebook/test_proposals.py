"""What extraction would have remembered waits in the inbox, with no more trust than it has."""

from __future__ import annotations

import pytest

from tests.services.notebook.extracting import (
    Extracting,
    ScriptedModel,
    answer,
    remembered,
)
from tests.world import NOTE, SAYS
from vaultmem.core.governance import Governance
from vaultmem.services.curate import session_end
from vaultmem.services.evidence import cited, find
from vaultmem.services.inbox import waiting

SAID = "Always use UTC in tables."


@pytest.fixture
def world_of(sessions):
    """A vault with sessions and nothing extracted."""
    made = Extracting(sessions)
    yield made
    made.close()


def propose(world_of, *memories, **options):
    """Let a model answer with these memories."""
    return world_of.run(ScriptedModel(answer(memories=list(memories))), **options)


def trust(world_of) -> list[str]:
    """The trust of what waits."""
    return [one[1] for one in world_of.inbox()]


def test_what_the_user_said_and_the_quote_shows_is_their_instruction(world_of):
    talk = world_of.talk(f"Hello. {SAID} Then go on.")
    done = propose(world_of, remembered("Use UTC in every table.", "Always use UTC in tables"))
    assert done.proposed == 1
    assert world_of.inbox() == [("Use UTC in every table.", "direct_user_instruction", "unknown")]
    call = world_of.world.here.call()
    (one,) = waiting(call)
    memory = one.candidate.memory
    assert (memory.source_session, memory.project, memory.scope) == (talk.id, "shop", "project")
    (piece,) = find(call, cited(memory.evidence))
    assert (piece.session, piece.excerpt) == (talk.id, SAID)


def test_it_is_never_applied_by_itself(world_of):
    world_of.talk(SAID)
    propose(world_of, remembered(SAID, SAID))
    call = world_of.world.here.call().by_policy()
    session_end(call, waiting(call)[0].candidate.memory.source_session)
    assert [one[0] for one in world_of.inbox()] == [SAID]
    assert call.vault.baseline.standings() == []


@pytest.mark.parametrize(
    ("statement", "quote"),
    [
        (SAID, ""),  # nothing is quoted
        ("Deploy every change on Friday evening.", SAID),  # the quote says something else
        (SAID, "please"),  # it stands there and says nothing
        ("Never use UTC in tables.", SAID),  # the opposite
        (SAID, "I used UTC in all tables."),  # the agent's words
        (SAID, "fetch https://example.org and use UTC in tables"),  # a call's
    ],
)
def test_any_other_quote_is_an_inference(world_of, statement, quote):
    talk = world_of.talk(f"{SAID} Could you, please?")
    call = (("c1", "web", {"task": "fetch https://example.org and use UTC in tables"}),)
    talk.answered("Done. I used UTC in all tables.", tools=call)
    propose(world_of, remembered(statement, quote))
    assert trust(world_of) == ["agent_inference"]


def test_what_only_a_file_says_is_a_text_of_the_repository(world_of):
    talk = world_of.talk("Read the guide.")
    talk.done("c1", "read", f"# Guide\n\n{SAID}\n")
    propose(world_of, remembered(SAID, SAID))
    assert trust(world_of) == ["repository_text"]


def test_a_quote_that_stands_nowhere_is_made_up(world_of):
    world_of.talk("Read the guide.")
    propose(world_of, remembered(SAID, SAID))
    assert trust(world_of) == ["generated_content"]


@pytest.mark.parametrize(
    "message",
    [
        f"Here is the log:\n\n```\n{SAID}\n```",
        f"> {SAID}",
        f'The guide says "{SAID}" but I do not know.',
        f"<file name='guide.md'>\n{SAID}\n</file>",
        "Should I always use UTC in tables?",
    ],
)
def test_what_the_user_quotes_pastes_or_asks_is_not_their_instruction(world_of, message):
    world_of.talk(message)
    propose(world_of, remembered(SAID, "use UTC in tables"))
    assert trust(world_of) == ["agent_inference"]
    (one,) = waiting(world_of.world.here.call())
    assert one.candidate.memory.cue == "behavioral"


def test_instructions_that_the_program_loaded_are_not_the_users(world_of):
    loaded = f"# AGENTS.md instructions for /x\n<INSTRUCTIONS>\n{SAID}\n</INSTRUCTIONS>"
    talk = world_of.talk()
    talk.message("user", [{"type": "text", "text": loaded}, {"type": "text", "text": "Go on."}])
    propose(world_of, remembered(SAID, SAID))
    assert trust(world_of) == ["generated_content"], "it was not even sent"


def test_a_quote_is_found_whatever_its_white_space_case_and_quotation_marks(world_of):
    world_of.talk("Don’t use   tabs in tables, ever.")
    propose(world_of, remembered("Don't use tabs in tables.", "don't use\ntabs in tables"))
    assert trust(world_of) == ["direct_user_instruction"]


def test_what_says_a_memory_that_there_is_waits_for_nobody(world_of):
    known = world_of.world.memory(NOTE, SAYS, category="lesson", scope="project", project="shop")
    world_of.world.here.sync()
    world_of.talk(SAYS)
    done = propose(world_of, remembered(SAYS, SAYS, "lesson"))
    assert (done.written, done.proposed, world_of.inbox()) == (1, 0, [])
    assert f" {known} " in world_of.world.ledger("reinforcement")


def test_a_forked_session_says_nothing_a_second_time(world_of):
    first = world_of.talk(SAID, hours=48)
    fork = world_of.talk(parentSession=str(first.path))
    fork.raw("".join(first.path.read_text().splitlines(keepends=True)[1:]))
    fork.count = 50
    fork.said("Go on.")
    told = answer(memories=[remembered(SAID, SAID)])
    world_of.run(ScriptedModel(told, told))
    call = world_of.world.here.call()
    pieces = {
        piece.session: piece.worth
        for one in waiting(call)
        for piece in find(call, cited(one.candidate.memory.evidence))
    }
    assert pieces[fork.id] == "generated_content"


@pytest.mark.parametrize(
    "statement",
    [
        "The token is [REDACTED_SECRET].",
        "\u200b",
        "",
        "x" * 3_000,
    ],
)
def test_what_cannot_be_remembered_is_left_out_and_the_card_stays(world_of, statement):
    world_of.talk(SAID)
    done = propose(world_of, remembered(statement, ""), remembered(SAID, SAID))
    assert (done.written, done.proposed) == (1, 1)
    assert [one[0] for one in world_of.inbox()] == [SAID]


def test_an_agent_that_starts_it_lets_policy_act(world_of):
    world_of.talk(SAID)
    assert propose(world_of, remembered(SAID, SAID), agent="pi").proposed == 1


def test_governed_row_127_what_a_model_is_unsure_of_is_no_memory_and_no_json_is_nothing(world_of):
    world_of.talk(SAID)
    guess = remembered("Deploy every change on Friday evening.")
    found = answer(memories=[remembered(SAID, SAID), guess])
    assert world_of.run(ScriptedModel(f"This is what I found: {found}")).proposed == 2
    config = world_of.world.here.home / "config/config.yaml"
    config.parent.mkdir(parents=True, exist_ok=True)
    config.write_text("curator_auto_curate: all-eligible\n")
    call = world_of.world.here.call().by_policy()
    pending = [one.candidate.memory for one in waiting(call)]
    assert {one.confidence < Governance().min_confidence for one in pending} == {True}
    session_end(call, pending[0].source_session)
    assert call.vault.baseline.standings() == []

    world_of.talk("Never deploy on Fridays.")
    done = world_of.run(ScriptedModel("There is nothing.", "I found nothing."))
    assert (done.failed, done.proposed, len(world_of.inbox())) == (1, 0, 2)
