"""What a user tells their agent becomes candidates with evidence; what vaultmem told does not."""

from __future__ import annotations

import pytest

from tests.services.candidates import inbox, pieces
from tests.services.using import tell
from vaultmem.core.evidence import SourceKind
from vaultmem.core.model import Category
from vaultmem.core.reinforcement import Outcome
from vaultmem.core.trust import Durability, TrustClass
from vaultmem.notes.candidate import Decision
from vaultmem.services import evidence
from vaultmem.services.call import Actor
from vaultmem.services.capture import Channel, Source, Wish, add
from vaultmem.services.capturing.evidence_list import list_evidence
from vaultmem.services.capturing.shown import remember_shown
from vaultmem.services.curate import session_end
from vaultmem.services.curating.candidates import waiting
from vaultmem.services.inbox import decide
from vaultmem.services.message import capture_message
from vaultmem.services.outcomes import outcomes_of
from vaultmem.services.report import report

PROJECT = "github.com/acme/billing"


def hear(world, text, *, session="s1", project=PROJECT, ref="m1"):
    """What a message leaves: the outcomes."""
    app = world.here.app(agent="pi")
    heard = capture_message(
        app.call(), app.engine, text, session=session, message_id=ref, project=project
    )
    return [one.done for one in heard if one.done is not None]


def test_a_correction_waits_with_its_sentence_as_evidence(ready):
    (done,) = hear(ready, "Hm. Always run the type checker before you push. Thanks!")
    assert done.outcome == "candidate"
    (one,) = inbox(ready)
    memory, candidate = one.candidate.memory, one.candidate
    assert memory.statement == "Always run the type checker before you push."
    assert (memory.category, memory.confidence) == (Category.PATTERN, 0.9)
    assert (memory.project, candidate.durability) == (PROJECT, "project")
    assert (candidate.trust, candidate.verification) == ("user_correction", "verified")
    assert candidate.reasons == ()
    (piece,) = pieces(ready, one)
    assert piece.excerpt == memory.statement
    assert (piece.session, piece.source_ref, piece.project) == ("s1", "m1", PROJECT)
    assert piece.worth is TrustClass.USER_CORRECTION
    assert piece.source_kind is SourceKind.CONVERSATION
    assert evidence.checks(ready.here.call()).recorded(piece.id)
    body = ready.read(done.path).split("\n---\n", 1)[1]
    assert body == f"{memory.statement}\n\n!{memory.evidence[0]}\n", "one screen"
    assert ready.here.sync().changes == ()


@pytest.mark.parametrize("answer", ["No, ", "No. ", "Nope, ", "no, no, ", "OK, ", "Actually, "])
def test_what_answers_the_agent_is_no_part_of_the_rule(ready, answer):
    (done,) = hear(ready, f"{answer}never use npm in the build.")
    assert done.outcome == "candidate"
    (one,) = inbox(ready)
    assert one.candidate.memory.statement == "Never use npm in the build."
    hear(ready, "Never use npm in the build.", session="s2")
    assert len(pieces(ready, inbox(ready)[0])) == 2


def test_a_name_after_an_answer_keeps_its_letters(ready):
    hear(ready, "No, npm install must never run in the build.")
    (one,) = inbox(ready)
    assert one.candidate.memory.statement == "npm install must never run in the build."


def test_an_answer_inside_a_rule_stays(ready):
    hear(ready, "Never answer a review with ok, no, or well, say why.")
    (one,) = inbox(ready)
    assert one.candidate.memory.statement == "Never answer a review with ok, no, or well, say why."


def test_ten_repetitions_in_a_session_are_one_candidate_and_one_piece(ready):
    for number in range(10):
        hear(ready, f"{'  ' * number}Always use bun for the tests{'!' * number}", ref=f"m{number}")
    (one,) = inbox(ready)
    assert len(pieces(ready, one)) == 1


def test_another_session_adds_a_piece_to_the_waiting_candidate(ready):
    hear(ready, "Always use bun for the tests.")
    hear(ready, "always use bun for the tests", session="s2")
    (one,) = inbox(ready)
    assert [piece.session for piece in pieces(ready, one)] == ["s1", "s2"]
    note = ready.read(one.path)
    assert note.count("![[") == 2
    assert f" strengthened {one.id} " in ready.ledger()
    assert ready.here.sync().changes == ()


def test_a_persons_words_in_the_note_stay_when_evidence_is_added(ready):
    hear(ready, "Always use bun for the tests.")
    (one,) = inbox(ready)
    ready.write(one.path, ready.read(one.path) + "\nMy thoughts.\n")
    hear(ready, "Always use bun for the tests.", session="s2")
    (one,) = inbox(ready)
    assert len(pieces(ready, one)) == 1, "the person may have it open"
    ready.here.pass_time(minutes=3)
    hear(ready, "Always use bun for the tests.", session="s3")
    (one,) = inbox(ready)
    assert [piece.session for piece in pieces(ready, one)] == ["s1", "s3"]
    assert ready.read(one.path).endswith("\nMy thoughts.\n")


def test_the_users_word_raises_what_an_agent_proposed(ready):
    app = ready.here.app(agent="pi")
    wish = Wish(text="Always use bun for the tests.", category=Category.PATTERN)
    add(app.call(), app.engine, wish)
    hear(ready, "Always use bun for the tests.", project=None)
    (one,) = inbox(ready)
    assert (one.candidate.trust, one.candidate.verification) == ("user_correction", "verified")
    assert one.candidate.memory.confidence == 0.9


def test_an_agent_does_not_turn_a_preference_into_a_rule(ready):
    said = "I prefer uv over pip."
    hear(ready, said)
    for session in ("s2", "s3", "s4"):
        app = ready.here.app(agent="pi")
        source = Source(channel=Channel.TOOL, session=session, user_messages=(said,))
        wish = Wish(text=said, category=Category.PREFERENCE, confidence=1.0)
        add(app.call(), app.engine, wish, source=source)
    (one,) = inbox(ready)
    assert len(pieces(ready, one)) == 4
    assert one.candidate.durability == "unknown"
    assert one.candidate.memory.confidence == 0.8


def test_a_lasting_correction_in_the_same_words_makes_a_preference_last(ready):
    said = "From now on, always use uv."
    app = ready.here.app(agent="pi")
    wish = Wish(text=said, category=Category.PATTERN, durability=Durability.UNKNOWN)
    add(app.call(), app.engine, wish)
    hear(ready, said, project=None)
    (one,) = inbox(ready)
    assert (one.candidate.durability, one.candidate.memory.confidence) == ("project", 0.9)


def test_a_repetition_of_a_memory_reinforces_it_once_a_session(ready):
    hear(ready, "Always use bun for the tests.")
    (one,) = inbox(ready)
    made = decide(ready.here.call(), one.id, Decision.APPROVE)
    before = ready.here.call().vault.baseline.standing(made.id).evidence_count
    for session in ("s2", "s2", "s3"):
        (done,) = hear(ready, "Always use bun for the tests!", session=session)
        assert (done.outcome, done.id) == ("reinforced", made.id)
    assert ready.here.call().vault.baseline.standing(made.id).evidence_count == before + 2
    assert inbox(ready) == []


def test_a_preference_waits_whose_durability_nobody_knows(ready):
    hear(ready, "I prefer uv over pip.")
    (one,) = inbox(ready)
    assert (one.candidate.durability, one.candidate.trust) == (
        "unknown",
        "direct_user_instruction",
    )
    assert one.candidate.memory.category is Category.PREFERENCE
    assert one.candidate.memory.project is None


@pytest.mark.parametrize(
    ("text", "scope", "hours"),
    [
        ("In this session, always use the staging database.", "session", 24),
        ("Don't use npm here, use bun.", "task", 14 * 24),
    ],
)
def test_what_is_meant_for_a_session_or_a_task_ends_with_it(ready, text, scope, hours):
    hear(ready, text)
    (one,) = inbox(ready)
    memory = one.candidate.memory
    assert memory.scope == scope
    assert (memory.expires - memory.created).total_seconds() == hours * 3600
    assert memory.source_session == "s1"
    assert one.candidate.verification == "review_required"


def test_a_correction_of_a_memory_waits_beside_it_and_replaces_nothing(ready):
    ready.memory("Memory/Lessons/Use npm.md", "Always use npm for installs.", category="lesson")
    ready.here.sync()
    (done,) = hear(ready, "Never use npm for installs.", project=None)
    assert done.outcome == "candidate"
    (one,) = inbox(ready)
    assert one.candidate.verification == "review_required"
    assert one.candidate.matched == ("[[Use npm]]",)
    assert "> - [[Use npm]]: Always use npm for installs." in ready.read(one.path)
    assert "status" not in ready.read("Memory/Lessons/Use npm.md")


def test_a_correction_in_a_project_names_the_memory_of_all_projects_that_it_contradicts(ready):
    ready.memory("Memory/Lessons/Use npm.md", "Always use npm for installs.", category="lesson")
    ready.here.sync()
    hear(ready, "Never use npm for installs.")
    (one,) = inbox(ready)
    assert one.candidate.matched == ("[[Use npm]]",)
    assert one.candidate.verification == "review_required"


def test_a_pinned_memory_refuses_even_the_user_until_they_edit_it(ready):
    ready.memory("Memory/Lessons/Use npm.md", "Always use npm for installs.", pinned="true")
    ready.here.sync()
    (done,) = hear(ready, "Never use npm for installs.", project=None)
    assert [one.code for one in done.findings] == ["VM605"]
    assert inbox(ready) == []


@pytest.mark.parametrize(
    "text",
    [
        "you can merge this PR",
        "when done, I want an html report",
        "Do I always need to run tox?",
        "/remember I always use tabs",
        "for now use npm",
        "Always use token ghp_" + "a1B2" * 10,
    ],
)
def test_what_is_no_rule_leaves_nothing(ready, text):
    before = ready.snapshot()
    assert hear(ready, text) == []
    assert ready.snapshot() == before


@pytest.mark.parametrize(
    "text",
    [
        "Always use bun for the tests.",
        "- ⚠ Always use bun for the tests. [s8t9v0w1 said 12d]",
        "always use bun for the tests",
        "As the memory says: Always use bun for the tests.",
        "Always use bun for the tests. Never use npm for installs.",
    ],
)
def test_what_vaultmem_told_the_agent_is_never_learned_from(ready, text):
    told = ["Always use bun for the tests.", "Never use npm for installs"]
    remember_shown(ready.here.call(agent="pi"), told)
    assert all(one.outcome == "refused" for one in hear(ready, text))
    assert inbox(ready) == []


def test_what_is_said_beside_it_is_learned(ready):
    remember_shown(ready.here.call(agent="pi"), ["Always use bun for the tests."])
    hear(ready, "Always use bun for the tests. Never use npm for installs.")
    assert [one.candidate.memory.statement for one in inbox(ready)] == [
        "Never use npm for installs."
    ]


def test_a_deleted_text_does_not_come_back_by_a_message(ready):
    hear(ready, "Always use bun for the tests.", project=None)
    (one,) = inbox(ready)
    made = decide(ready.here.call(), one.id, Decision.APPROVE)
    ready.path(made.path).unlink()
    ready.here.sync()
    ready.here.pass_time(days=8)
    ready.here.sync()
    (done,) = hear(ready, "Always use bun for the tests.", session="s9", project=None)
    assert [one.code for one in done.findings] == ["VM321"]


def test_on_a_device_without_the_key_a_correction_waits_for_the_person(ready):
    there = ready.device()
    for key in (there.home / "state").glob("vault_*/key"):
        key.unlink()
    there.sync()
    app = there.app(agent="pi")
    capture_message(app.call(), app.engine, "Always use bun for tests.", session="s1")
    (one,) = waiting(there.call())
    assert one.candidate.verification == "review_required"
    (piece,) = list_evidence(there.call(), one.id).pieces
    assert piece.state == "unsigned"


def test_an_agents_environment_makes_no_difference_to_a_users_message(ready):
    hear(ready, "Always use bun for the tests.")
    assert '"by":"policy"' in ready.ledger()
    assert '"by":"agent"' not in ready.ledger()


def test_with_the_default_settings_a_correction_is_in_the_report_of_the_next_session(ready):
    hear(ready, "Always run the type checker before you push.")
    hear(ready, "I prefer uv over pip.")
    hear(ready, "Don't use npm here, use bun.")
    policy = ready.here.call()._replace(actor=Actor.POLICY)
    done = session_end(policy)
    assert len(done.applied) == 1
    text = report(ready.here.call(agent="pi"), project=PROJECT, session="s2").text
    assert "Always run the type checker before you push." in text
    assert "uv over pip" not in text
    assert len(inbox(ready)) == 2
    (note,) = [path for path in ready.snapshot() if path.startswith("Memory/Patterns/")]
    assert ready.read(note).count("![[") == 1, "its evidence is still embedded"
    hear(ready, "Always run the type checker before you push.", session="s3")
    assert len(inbox(ready)) == 2, "what the report told is not learned from"


def _told(world, statement, folder="Lessons"):
    """A memory that the session s1 was told."""
    identifier = world.memory(f"Memory/{folder}/{statement[:-1]}.md", statement)
    world.here.sync()
    tell(world, identifier)
    return identifier


def test_a_correction_of_what_the_session_was_told_counts_against_it(ready):
    npm = _told(ready, "Use npm for installs.")
    hear(ready, "Never use npm for installs.", project=None)
    assert outcomes_of(ready.here.call(), npm) == (Outcome.CORRECTED,)
    assert len(inbox(ready)) == 1, "and it is proposed"
    hear(ready, "No, never use npm for installs!", session="s2", project=None)
    assert len(outcomes_of(ready.here.call(), npm)) == 1, "that session was not told it"


def test_a_correction_that_a_pinned_memory_refuses_counts_against_it(ready):
    pinned = ready.memory(
        "Memory/Lessons/Use npm.md", "Always use npm for installs.", pinned="true"
    )
    ready.here.sync()
    tell(ready, pinned)
    (done,) = hear(ready, "Never use npm for installs.", project=None)
    assert [one.code for one in done.findings] == ["VM605"]
    assert outcomes_of(ready.here.call(), pinned) == (Outcome.CORRECTED,)


def test_who_says_again_what_was_told_does_not_count_against_it(ready):
    bun = _told(ready, "Always use bun for the tests.", "Patterns")
    hear(ready, "Always use bun for the tests!", project=None)
    assert outcomes_of(ready.here.call(), bun) == (Outcome.REINFORCED,)
    npm = _told(ready, "Never use npm for installs.")
    hear(ready, "As I said, never use npm for the installs.", project=None)
    assert outcomes_of(ready.here.call(), npm) == ()


def test_a_preference_or_a_permission_counts_against_nothing(ready):
    npm = _told(ready, "Never use npm for installs.")
    hear(ready, "you can use npm for installs this once", project=None)
    hear(ready, "I prefer npm for installs over bun.", project=None)
    assert outcomes_of(ready.here.call(), npm) == ()
