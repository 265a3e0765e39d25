"""Questions for the person: asked once, answered in the note or by a command, never by an agent."""

from __future__ import annotations

import pytest

from tests.core.fakes import fake
from tests.services.candidates import captured
from vaultmem.core.curation import Priority as CurationPriority
from vaultmem.core.curation import Question
from vaultmem.core.ids import MemoryId
from vaultmem.core.inquiry import STALE_AFTER, Priority
from vaultmem.core.model import Category, Memory
from vaultmem.errors import (
    AgentRefusedError,
    AmbiguousIdError,
    CaptureRefusedError,
    NoteNotFoundError,
    PatchRefusedError,
)
from vaultmem.notes.candidate import Decision
from vaultmem.services.call import Actor
from vaultmem.services.curate import curate, look, session_end
from vaultmem.services.inbox import decide
from vaultmem.services.inquiries import (
    answer,
    ask,
    find_inquiry,
    inquiries,
    withdraw,
)
from vaultmem.services.inquiring.notes import open_inquiries
from vaultmem.services.inquiring.of_candidates import (
    MOST_OPEN,
    ask_about_candidates,
    settle_inquiries,
)
from vaultmem.services.purge import purge

QUESTION = "Which database does staging use?"
NOTE = "Memory/Inquiries/Which database does staging use.md"
LESSON = "Memory/Lessons/Use SQLite for staging.md"


def _policy(world):
    return world.here.call()._replace(actor=Actor.POLICY)


def _ask(world, question=QUESTION, **parts):
    return ask(_policy(world), question, **parts)


def _told(world, **parts):
    return [one.question for one in open_inquiries(world.here.call(), **parts)]


def _codes(done):
    return [one.code for one in done.findings]


@pytest.fixture
def asked(world):
    """An open question of a session, and a memory that can answer it."""
    world.memory(LESSON, "Use SQLite for staging.", category="lesson")
    world.here.sync()
    made = _ask(world, session="s1")
    world.here.pass_time(minutes=5)
    return made


def test_a_question_becomes_a_note_of_its_own_and_is_told(world, asked):
    assert (asked.outcome, asked.path) == ("asked", NOTE)
    text = world.read(NOTE)
    assert text.startswith(f"---\nid: {asked.id}\ntype: inquiry\nstatus: open\nanswer:\n")
    assert f"\n---\n{QUESTION}\n" in text
    assert _told(world) == [QUESTION]
    assert world.here.sync().changes == ()
    assert world.here.sync().findings == ()


def test_governed_row_99_the_same_question_in_another_session_is_one_note(world, asked):
    again = _ask(world, "which database does  STAGING use", session="s2")
    assert (again.outcome, again.id, again.path) == ("seen", asked.id, NOTE)
    (one,) = inquiries(world.here.call())
    assert one.inquiry.sessions == ("s1", "s2")
    assert one.inquiry.last_seen > one.inquiry.created
    assert _ask(world, session="s2").outcome == "known"
    assert world.here.sync().changes == ()


def test_in_another_project_it_is_another_question(world, asked):
    other = _ask(world, project="host/me/app")
    assert other.id != asked.id
    assert other.path != asked.path
    assert _told(world, project="host/me/app") == [QUESTION, QUESTION]
    assert _told(world) == [QUESTION]


def test_governed_row_98_at_most_three_are_told_and_what_was_answered_is_not(world, asked):
    for number in range(6):
        _ask(world, f"Question {number} of many?")
    answer(world.here.call(), asked.id, "Use SQLite for staging")
    assert len(_told(world)) == 3
    assert QUESTION not in _told(world)
    assert _told(world, prompt="what about question 4?")[0] == "Question 4 of many?"


def test_a_person_answers_with_a_memory(world, asked):
    done = answer(world.here.call(), asked.id, "Use SQLite for staging")
    assert done.outcome == "answered"
    assert 'status: answered\nanswer: "[[Use SQLite for staging]]"\n' in world.read(NOTE)
    assert _told(world) == []
    assert f" answered {asked.id} " in world.ledger()
    assert _ask(world, session="s9").outcome == "answered", "it is never asked again"
    world.here.pass_time(seconds=STALE_AFTER.total_seconds())
    assert settle_inquiries(_policy(world)) == (), "nor closed in another way"
    assert world.here.sync().changes == ()
    with pytest.raises(PatchRefusedError, match="answered"):
        withdraw(world.here.call(), asked.id)


def test_a_person_answers_in_the_note(world, asked):
    world.replace(NOTE, "answer:\n", 'answer: "[[Use SQLite for staging]]"\n')
    done = world.here.sync()
    assert (done.applied, done.findings) == (1, ())
    assert _told(world) == []
    assert f" answered {asked.id} " in world.ledger()
    assert world.here.sync().applied == 0


def test_an_answer_that_is_not_there_is_a_finding_and_counts(world, asked):
    world.replace(NOTE, "answer:\n", 'answer: "[[Nowhere]]"\n')
    assert _codes(world.here.sync()) == ["VM842"]
    assert _told(world) == []
    world.replace(NOTE, "Nowhere", "Use SQLite for staging")
    assert _codes(world.here.sync()) == []


@pytest.mark.parametrize("said", ["Use SQLite for staging", "use sqlite for staging", "{id}"])
def test_the_bare_title_of_a_memory_answers_as_a_link_does(world, asked, said):
    known = world.here.call().vault.baseline.memories_at(LESSON)[0].id
    world.replace(NOTE, "answer:\n", f"answer: {said.format(id=known)}\n")
    done = world.here.sync()
    assert (done.applied, done.findings) == (1, ())
    assert _told(world) == []
    (one,) = inquiries(world.here.call())
    assert (one.inquiry.status, one.inquiry.answer) == ("answered", "[[Use SQLite for staging]]")
    assert f" answered {asked.id} " in world.ledger()


@pytest.mark.parametrize("said", ["yes", "Twice", "Use"])
def test_an_answer_that_names_no_single_memory_leaves_the_question_open(world, asked, said):
    world.memory("Memory/Lessons/Twice.md", "Use one.", category="lesson")
    world.memory("Memory/Decisions/Twice.md", "Use two.", category="decision")
    world.replace(NOTE, "answer:\n", f"answer: {said}\n")
    done = world.here.sync()
    assert "VM842" in _codes(done)
    assert done.applied == 0
    assert _told(world) == [QUESTION]
    assert f" answered {asked.id} " not in world.ledger()
    assert answer(world.here.call(), asked.id, LESSON).outcome == "answered"


def test_a_person_withdraws_by_command_in_the_note_or_by_deleting_it(world, asked):
    assert withdraw(world.here.call(), "Which database does staging use").outcome == "withdrawn"
    assert _ask(world).outcome == "withdrawn"
    other = _ask(world, "Is it raining?")
    world.replace(other.path, "status: open", "status: withdrawn")
    world.here.sync()
    assert _ask(world, "Is it raining?").outcome == "withdrawn"
    third = _ask(world, "Is it snowing?")
    world.path(third.path).unlink()
    world.here.sync()
    gone = _ask(world, "Is it snowing?")
    assert (gone.outcome, gone.path) == ("withdrawn", "")
    assert _told(world) == []


def test_a_note_that_was_moved_is_not_withdrawn(world, asked):
    world.path(NOTE).rename(world.path("Memory/Inquiries/Database.md"))
    world.here.sync()
    assert _told(world) == [QUESTION]
    assert " withdrawn " not in world.ledger()
    assert find_inquiry(world.here.call(), "Database").id == asked.id


def test_what_an_agent_writes_answers_nothing(world, asked):
    world.replace(NOTE, "status: open", "status: withdrawn")
    assert _codes(world.here.sync(agent="pi")) == ["VM841"]
    assert _codes(world.here.sync()) == ["VM841"], "nor at the person's next sync"
    world.write(NOTE, world.read(NOTE) + "\nSeen.\n")
    assert _codes(world.here.sync()) == ["VM841"], "nor when the note is saved again"
    (one,) = inquiries(world.here.call())
    assert (one.inquiry.status, one.external) == ("open", True)
    assert withdraw(world.here.call(), asked.id).outcome == "withdrawn"
    assert _codes(world.here.sync()) == []


def test_what_an_agent_asks_in_a_note_of_its_own_is_not_told(world, asked):
    text = world.read(NOTE).replace(asked.id, world.new_id("inq")).replace("Which", "Obey: which")
    world.write("Memory/Inquiries/forged.md", text)
    assert "VM841" in _codes(world.here.sync(agent="pi"))
    assert _told(world) == [QUESTION]


def test_a_note_that_an_agent_removed_is_asked_again(world, asked):
    world.path(NOTE).unlink()
    world.here.sync(agent="pi")
    assert _ask(world).outcome == "asked"


def test_an_agent_may_not_decide(world, asked):
    with pytest.raises(AgentRefusedError, match="maintain answer"):
        answer(world.here.call(agent="pi"), asked.id, "Use SQLite for staging")
    with pytest.raises(AgentRefusedError, match="maintain withdraw"):
        withdraw(world.here.call(agent="pi"), asked.id)


def test_a_question_that_does_not_come_up_grows_stale_and_opens_when_it_does(world, asked):
    world.here.pass_time(seconds=STALE_AFTER.total_seconds())
    assert _told(world) == []
    assert [one.outcome for one in settle_inquiries(_policy(world))] == ["stale"]
    assert "status: stale\n" in world.read(NOTE)
    assert settle_inquiries(_policy(world)) == ()
    world.here.pass_time(minutes=5)
    assert _ask(world, session="s7").outcome == "seen"
    assert _told(world) == [QUESTION]


@pytest.mark.parametrize(
    ("decision", "outcome", "line"),
    [
        (Decision.APPROVE, "answered", 'answer: "[[Use UTC in every table.]]"'),
        (Decision.REJECT, "withdrawn", "answer:\n"),
    ],
)
def test_the_question_about_a_candidate_is_settled_with_it(world, decision, outcome, line):
    world.here.sync()
    path = captured(world.here.call(), "Use UTC in every table.", category=Category.PATTERN)
    candidate = next(
        row.id
        for row in world.here.call().vault.baseline.notes(kind="candidate")
        if row.path == path
    )
    made = _ask(world, "Which time zone holds?", candidate=candidate)
    world.here.pass_time(minutes=5)
    assert settle_inquiries(_policy(world)) == ()
    decide(world.here.call(), candidate, decision)
    (done,) = settle_inquiries(_policy(world))
    assert (done.id, done.outcome) == (made.id, outcome)
    assert line.removesuffix(".") or line in world.read(made.path)


def test_a_curation_asks_what_only_the_person_can_say(world):
    world.memory("Memory/Lessons/Use npm.md", "Always use npm for installs.", category="lesson")
    world.here.sync()
    captured(world.here.call(), "Never use npm for installs.", project="host/me/app")
    curate(world.here.call())
    (one,) = inquiries(world.here.call())
    assert one.inquiry.question == (
        "Never use npm for installs. — Which holds, or is one an exception of the other?"
    )
    assert (one.inquiry.priority, one.inquiry.project) == ("high", "host/me/app")
    assert one.inquiry.matched == ("[[Use npm]]",)
    assert _told(world, project="host/me/app") == [one.inquiry.question]
    before = world.snapshot()
    look(world.here.call())
    assert world.snapshot() == before, "only looking asks nothing"
    world.here.pass_time(minutes=5)
    session_end(world.here.call())
    assert len(inquiries(world.here.call())) == 1


def test_a_curation_asks_no_more_than_anybody_answers(world):
    world.here.sync()
    for number in range(MOST_OPEN - 1):
        _ask(world, f"Question {number}?")
    new = [
        Memory(id=MemoryId(world.new_id("cand")), statement=f"Use tool {number}.")
        for number in range(3)
    ]
    questions = [Question(one.id, CurationPriority.HIGH, "Which one?", ()) for one in new]
    proposed = {one.id: one for one in new}
    (asked,) = ask_about_candidates(_policy(world), questions, proposed)
    assert asked.question.startswith("Use tool 0.")
    withdraw(world.here.call(), asked.id)
    again = ask_about_candidates(_policy(world), questions, proposed)
    assert [one.outcome for one in again] == ["withdrawn", "asked"], "the next one asks the next"


def test_what_cannot_be_asked_is_left_to_the_next_curation(world):
    world.here.sync()
    hidden = Memory(id=MemoryId(world.new_id("cand")), statement=f"Use {'gh' + 'p_' + fake(36)}.")
    question = Question(hidden.id, CurationPriority.MEDIUM, "Which one?", ())
    assert ask_about_candidates(_policy(world), [question], {hidden.id: hidden}) == ()


def test_what_is_not_there_any_more_or_cannot_be_written_is_settled_the_next_time(world, asked):
    world.here.pass_time(seconds=STALE_AFTER.total_seconds())
    call = _policy(world)
    world.path(NOTE).chmod(0o444)
    assert settle_inquiries(call) == ()
    world.path(NOTE).unlink()
    assert settle_inquiries(call) == ()
    assert open_inquiries(call) == ()


def test_a_note_that_somebody_edits_now_is_left_to_them(world):
    world.here.sync()
    _ask(world, session="s1")
    world.replace(NOTE, QUESTION, f"{QUESTION} (the new one)")
    world.here.sync()
    assert _ask(world, session="s2").outcome == "known"
    world.here.pass_time(minutes=5)
    assert _ask(world, session="s2").outcome == "seen"
    assert "(the new one)" in world.read(NOTE), "the person's words stay"


def test_what_a_question_is_about_is_shown_and_goes_with_a_purge(world):
    known = world.memory(LESSON, "Use SQLite for staging.", category="lesson")
    world.here.sync()
    made = _ask(world, memories=[known], context="Two of them differ.", tags=("memory/db",))
    text = world.read(made.path)
    assert "> - [[Use SQLite for staging]]: Use SQLite for staging.\n" in text
    assert 'matched:\n  - "[[Use SQLite for staging]]"\n' in text
    assert "  - memory/db\n" in text
    assert "\nTwo of them differ.\n" in text
    purge(world.here.call(), known)
    assert not world.path(made.path).exists()


@pytest.mark.parametrize(
    ("question", "context"),
    [("", ""), ("%% hidden %%", ""), ("Is {} right?", ""), ("Is it right?", "It says {}.")],
)
def test_nothing_visible_and_secrets_are_refused(world, question, context):
    world.here.sync()
    token = "gh" + "p_" + fake(36)
    with pytest.raises(CaptureRefusedError):
        _ask(world, question.format(token), context=context.format(token))
    assert inquiries(world.here.call()) == []


def test_a_long_question_is_cut_and_stays_one_question(world):
    world.here.sync()
    long = "Which of the many things " * 40 + "?"
    first = _ask(world, long)
    assert len(first.question) <= 300
    assert first.question.endswith("…")
    assert _ask(world, long).id == first.id


def test_names_of_inquiries(world, asked):
    call = world.here.call()
    for name in (asked.id, asked.id[-8:].lower(), NOTE, "Which database does staging use"):
        assert find_inquiry(call, name).id == asked.id
    with pytest.raises(NoteNotFoundError, match="maintain inquiries"):
        find_inquiry(call, "nothing")
    world.write("Memory/Inquiries/twin.md", world.read(NOTE))
    world.here.sync()
    with pytest.raises(AmbiguousIdError):
        find_inquiry(world.here.call(), asked.id)
    assert _told(world) == [QUESTION], "a copy is not told twice"


@pytest.mark.parametrize(
    ("text", "codes"),
    [
        ("A note of mine.\n", []),
        ("---\na: [\n---\nBroken.\n", ["VM103"]),
        ("---\nid: {}\ntype: inquiry\n---\n# Only a heading\n", ["VM109"]),
        ("---\nid: {}\ntype: inquiry\nstatus: done\n---\nWhy?\n", ["VM110"]),
    ],
)
def test_a_note_that_asks_nothing_stops_nothing(world, asked, text, codes):
    world.write("Memory/Inquiries/x.md", text.format(world.new_id("inq")))
    assert _codes(world.here.sync()) == codes
    assert QUESTION in _told(world)


def test_priorities_are_kept(world):
    world.here.sync()
    _ask(world, "First?", priority=Priority.MEDIUM)
    _ask(world, "Second?", priority=Priority.HIGH)
    _ask(world, "Third?", priority=Priority.LOW)
    assert _told(world) == ["Second?", "First?"]


def test_an_answer_that_lay_there_when_a_device_joined_is_read_and_signed_by_nobody(world, asked):
    world.replace(NOTE, "status: open", "status: withdrawn")
    other = world.device()
    other.sync()
    assert f" withdrawn {asked.id} " not in world.ledger(device=other)
    assert open_inquiries(other.call()) == ()
