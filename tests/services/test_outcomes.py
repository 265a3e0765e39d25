"""What happened with a memory: who may say so, how often it counts, and what follows."""

from __future__ import annotations

import json
import re

import pytest

from tests.services.using import BUN, DOCS, correct, end, reply, tell, three
from vaultmem.core.finding import CODES
from vaultmem.core.ids import MemoryId
from vaultmem.core.reinforcement import Outcome, summarize
from vaultmem.services.call import Actor
from vaultmem.services.capturing.evidence_list import list_evidence, show_evidence
from vaultmem.services.outcomes import outcomes_of, record
from vaultmem.services.session_use import session_use
from vaultmem.services.switch import WRITE, Place, switch

GONE = MemoryId("mem_01JDR3Z8Q4M5N6P7R8S9T0V1W2")
LONG = "I looked at the scripts first, and here is what I did then: {}. All of it passes now."


def outcomes(world, memory, **options):
    return outcomes_of(world.here.call(), memory, **options)


def standing(world, memory):
    return world.here.call().vault.baseline.standing(memory)


def say(world, memory, outcome, *, session="s1", agent=None, **options):
    return record(world.here.call(agent=agent), memory, outcome, session=session, **options)


def test_a_confirmation_adds_evidence_and_renews_the_date(ready):
    bun, *_ = three(ready)
    before = standing(ready, bun)
    ready.here.pass_time(days=3)
    assert say(ready, bun, Outcome.REINFORCED)
    after = standing(ready, bun)
    assert after.evidence_count == before.evidence_count + 1
    assert after.reinforced > before.reinforced
    assert outcomes(ready, bun) == (Outcome.REINFORCED,)


@pytest.mark.parametrize("outcome", [Outcome.NEUTRAL, Outcome.SUCCESS, Outcome.CORRECTED])
def test_what_is_no_confirmation_counts_nothing_and_renews_no_date(ready, outcome):
    bun, *_ = three(ready)
    before = standing(ready, bun)
    ready.here.pass_time(days=3)
    assert say(ready, bun, outcome)
    assert standing(ready, bun) == before
    assert outcomes(ready, bun) == (outcome,)


@pytest.mark.parametrize("outcome", Outcome)
def test_an_outcome_counts_once_in_a_session(ready, outcome):
    bun, *_ = three(ready)
    said = [say(ready, bun, outcome, session=one) for one in ("s1", "s1", "s2", "s1")]
    assert said == [True, False, True, False]
    assert outcomes(ready, bun) == (outcome, outcome)


def test_different_outcomes_of_one_session_both_count(ready):
    bun, *_ = three(ready)
    assert say(ready, bun, Outcome.REINFORCED)
    assert say(ready, bun, Outcome.CORRECTED)
    assert summarize(outcomes(ready, bun)).needs_review


def test_a_persons_word_outside_of_any_session_counts_each_time(ready):
    bun, *_ = three(ready)
    assert [say(ready, bun, Outcome.REINFORCED, session="") for _ in range(2)] == [True, True]
    assert [say(ready, bun, Outcome.CORRECTED, session="") for _ in range(2)] == [True, True]


def test_nothing_counts_for_a_memory_that_is_not_in_force(ready):
    bun, *_ = three(ready)
    ready.path("Memory/Lessons/Use bun for local tests.md").unlink()
    ready.here.sync()
    for memory in (bun, GONE):
        for outcome in Outcome:
            assert not say(ready, memory, outcome)
        assert outcomes(ready, memory) == ()


def test_what_was_said_of_it_is_evidence_without_secrets(ready):
    bun, *_ = three(ready)
    token = "ghp_" + "a1B2" * 10
    assert say(ready, bun, Outcome.REINFORCED, note=f"The tests passed with {token}.")
    ((piece),) = list_evidence(ready.here.call(), bun).pieces
    assert piece.state == "intact"
    assert piece.evidence.excerpt.startswith("The tests passed with ")
    assert token not in piece.evidence.excerpt
    assert token not in json.dumps({k: v.decode() for k, v in ready.snapshot().items()})


@pytest.mark.parametrize(
    ("outcome", "polarity"),
    [
        (Outcome.REINFORCED, "supports"),
        (Outcome.SUCCESS, "supports"),
        (Outcome.NEUTRAL, "qualifies"),
        (Outcome.CORRECTED, "contradicts"),
    ],
)
def test_what_was_said_speaks_for_or_against_it(ready, outcome, polarity):
    bun, *_ = three(ready)
    assert say(ready, bun, outcome, note="It was slow.")
    (line,) = ready.ledger("reinforcement").splitlines()
    (name,) = re.findall(r"ev_\w{26}", line)
    piece = show_evidence(ready.here.call(), name).evidence
    assert (piece.excerpt, piece.polarity) == ("It was slow.", polarity)


@pytest.mark.parametrize("note", ["", "  ", "\u200b"])
def test_nothing_said_is_no_evidence(ready, note):
    bun, *_ = three(ready)
    assert say(ready, bun, Outcome.CORRECTED, note=note)
    assert '"pieces"' not in ready.ledger("reinforcement")


def test_an_agents_own_word_adds_evidence_but_confirms_nothing(ready):
    bun, *_ = three(ready)
    before = standing(ready, bun).evidence_count
    assert say(ready, bun, Outcome.REINFORCED, agent="pi", via="reinforce", note="It worked.")
    assert standing(ready, bun).evidence_count == before + 1
    assert outcomes(ready, bun) == ()
    assert '"by":"agent"' in ready.ledger("reinforcement")


def test_only_what_happened_since_is_told(ready):
    bun, *_ = three(ready)
    say(ready, bun, Outcome.CORRECTED)
    then = ready.here.call().seconds
    ready.here.pass_time(days=1)
    say(ready, bun, Outcome.REINFORCED, session="s2")
    assert outcomes(ready, bun, since=then) == (Outcome.REINFORCED,)
    assert len(outcomes(ready, bun, since=0.0)) == 2


def test_another_device_knows_what_happened(ready):
    bun, *_ = three(ready)
    other = ready.device()
    other.sync()
    say(ready, bun, Outcome.CORRECTED)
    other.sync()
    assert outcomes_of(other.call(), bun) == (Outcome.CORRECTED,)


def test_a_line_that_nobody_signed_tells_nothing(ready):
    bun, *_ = three(ready)
    say(ready, bun, Outcome.NEUTRAL)
    (name,) = [path for path in ready.snapshot() if " reinforcement " in path]
    (line,) = ready.ledger("reinforcement").splitlines()
    forged = line.replace('"neutral"', '"explicit_reinforcement"').replace(" 01", " 00", 1)
    ready.write(name, ready.read(name) + f"{forged}\n")
    ready.here.sync()
    assert outcomes(ready, bun) == (Outcome.NEUTRAL,)


# corrections


def test_governed_row_73_a_correction_is_linked_to_the_one_memory_that_it_is_about(ready):
    bun, docs, _ = three(ready)
    tell(ready, bun, docs)
    assert correct(ready, "Do not use bun for local tests here.") == bun
    assert outcomes(ready, bun) == (Outcome.CORRECTED,)
    assert outcomes(ready, docs) == ()
    assert '"by":"policy"' in ready.ledger("reinforcement")


def test_governed_row_74_two_memories_that_fit_are_not_linked(ready):
    bun, *_ = three(ready)
    twin = ready.memory("Memory/Lessons/Commit bun lock files.md", "Commit bun lock files.")
    ready.here.sync()
    tell(ready, bun, twin)
    assert correct(ready, "Do not use bun here.") is None
    assert outcomes(ready, bun) == outcomes(ready, twin) == ()
    assert session_use(ready.here.call(), "s1").doubted == {bun, twin}


@pytest.mark.parametrize(
    "text",
    [
        "Use bun for local tests.",
        "Always use bun for the local tests!",
        "local tests: use bun",
        "I told you to use bun for local tests.",
    ],
)
def test_who_says_what_the_memory_says_corrects_the_agent_and_not_the_memory(ready, text):
    bun, *_ = three(ready)
    tell(ready, bun)
    assert correct(ready, text) is None
    assert outcomes(ready, bun) == ()
    assert session_use(ready.here.call(), "s1").doubted == {bun}, "it was not followed, though"


@pytest.mark.parametrize(
    "text",
    [
        "Never use bun for local tests.",
        "Don't run the local tests with bun, it is too slow.",
        "Stop using bun for tests.",
    ],
)
def test_who_says_otherwise_corrects_it(ready, text):
    bun, docs, _ = three(ready)
    tell(ready, bun, docs)
    assert correct(ready, text) == bun


@pytest.mark.parametrize("text", ["Use tabs.", "", "No!", "Never push on Fridays."])
def test_words_about_something_else_correct_nothing(ready, text):
    bun, docs, _ = three(ready)
    tell(ready, bun, docs)
    assert correct(ready, text) is None
    assert session_use(ready.here.call(), "s1").doubted == frozenset()


def test_what_this_session_was_not_told_is_not_corrected(ready):
    bun, *_ = three(ready)
    tell(ready, bun, session="s2")
    assert correct(ready, "Do not use bun for local tests here.") is None
    assert correct(ready, "Do not use bun for local tests here.", session="") is None
    assert outcomes(ready, bun) == ()


def test_a_correction_counts_once_in_a_session(ready):
    bun, *_ = three(ready)
    tell(ready, bun)
    assert correct(ready, "Do not use bun for local tests here.") == bun
    assert correct(ready, "Never use bun for local tests.") is None
    assert outcomes(ready, bun) == (Outcome.CORRECTED,)
    tell(ready, bun, session="s2")
    assert correct(ready, "Never use bun for local tests.", session="s2") == bun


def test_where_remembering_is_off_nothing_is_recorded(ready):
    bun, *_ = three(ready)
    switch(ready.here.call(), [WRITE], Place(session="s1"), off=True)
    tell(ready, bun)
    reply(ready, "Done.", bun)
    assert correct(ready, "Do not use bun for local tests here.") is None
    assert end(ready) == ()
    assert ready.ledger("reinforcement") == ""


# the end of a session


def test_what_was_used_and_not_corrected_was_a_silent_success(ready):
    bun, docs, lock = three(ready)
    tell(ready, bun, docs, lock)
    reply(ready, LONG.format(BUN), docs)
    assert end(ready) == (docs, bun)
    assert outcomes(ready, bun) == outcomes(ready, docs) == (Outcome.SUCCESS,)
    assert outcomes(ready, lock) == ()
    assert len(ready.ledger("reinforcement").splitlines()) == 2


def test_what_a_correction_is_near_was_no_success(ready):
    bun, docs, _ = three(ready)
    tell(ready, bun, docs)
    reply(ready, LONG.format(BUN), docs)
    correct(ready, "Do not use bun for local tests here.")
    assert end(ready) == (docs,)
    assert outcomes(ready, bun) == (Outcome.CORRECTED,)


def test_a_session_that_ends_twice_counts_once(ready):
    bun, *_ = three(ready)
    tell(ready, bun)
    reply(ready, "Done.", bun)
    assert end(ready) == (bun,)
    assert end(ready) == ()
    tell(ready, bun)
    reply(ready, "Done.", bun)
    assert end(ready) == (), "it goes on, and has counted"
    assert outcomes(ready, bun) == (Outcome.SUCCESS,)


def test_killed_before_it_was_settled_a_session_counts_once(ready, monkeypatch):
    bun, *_ = three(ready)
    tell(ready, bun)
    reply(ready, "Done.", bun)
    with monkeypatch.context() as patched:
        patched.setattr("vaultmem.services.session_outcomes.settled", lambda *_: None)
        assert end(ready) == (bun,)
    assert end(ready) == ()
    assert outcomes(ready, bun) == (Outcome.SUCCESS,)


def test_a_session_that_never_said_that_it_ended_is_settled_later(ready):
    bun, docs, _ = three(ready)
    tell(ready, bun)
    reply(ready, "Done.", bun)
    ready.here.pass_time(hours=5)
    tell(ready, docs, session="s2")
    reply(ready, "Done.", docs, session="s2")
    assert end(ready, None) == ()
    ready.here.pass_time(hours=2)
    assert end(ready, "s3") == (bun,)
    assert end(ready, "s2") == (docs,)


def test_replies_outside_of_any_session_are_no_success(ready):
    bun, *_ = three(ready)
    tell(ready, bun, session="")
    reply(ready, "Done.", bun, session="")
    assert end(ready, "") == ()


def test_without_the_key_nothing_is_settled(ready):
    bun, *_ = three(ready)
    tell(ready, bun)
    reply(ready, "Done.", bun)
    for key in (ready.here.home / "state").glob("vault_*/key"):
        key.unlink()
    assert end(ready) == ()
    assert ready.ledger("reinforcement") == ""


def test_a_citation_renews_the_date_by_the_day_and_adds_no_evidence(ready):
    bun, docs, _ = three(ready)
    before = standing(ready, bun)
    ready.here.pass_time(days=3)
    tell(ready, bun, docs)
    reply(ready, LONG.format(DOCS), bun)
    end(ready)
    first = standing(ready, bun)
    assert first.evidence_count == before.evidence_count
    assert first.reinforced > before.reinforced
    assert first.reinforced % 86_400 == 0
    assert standing(ready, docs).reinforced == before.reinforced, "it was repeated, not named"
    tell(ready, bun, session="s2")
    reply(ready, "Done.", bun, session="s2")
    end(ready, "s2")
    assert standing(ready, bun) == first


def test_governed_row_72_silent_successes_never_make_a_memory_stable(ready):
    bun, *_ = three(ready)
    for number in range(6):
        tell(ready, bun, session=f"s{number}")
        reply(ready, "Done.", bun, session=f"s{number}")
        end(ready, f"s{number}")
    found = summarize(outcomes(ready, bun))
    assert found.score == 1.2
    assert found.stability == "semi-stable"


def test_policy_settles_whoever_calls(ready):
    bun, *_ = three(ready)
    tell(ready, bun)
    reply(ready, "Done.", bun)
    assert ready.here.call(agent="pi").actor is Actor.AGENT
    end(ready)
    assert '"by":"policy"' in ready.ledger("reinforcement")
    assert CODES  # the ledger of outcomes is no finding
    assert ready.here.sync().findings == ()
