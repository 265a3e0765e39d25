"""Promotions: what is proposed, what a decision does, and that nothing is asked twice."""

from __future__ import annotations

import errno
import os

import pytest

from tests.services.promoting import (
    BAN,
    CONVENTION,
    DEPLOY,
    FACT,
    heard,
    heard_now,
    listed,
    memory_of,
    path_of,
)
from tests.world import codes
from vaultmem.core.model import Category, Status
from vaultmem.core.promotion import Heard, Promoted
from vaultmem.core.promotion_words import Destination, promotion_id
from vaultmem.errors import (
    AgentRefusedError,
    CaptureRefusedError,
    DiskFailedError,
    EditRefusedError,
    NoteNotFoundError,
)
from vaultmem.services.call import Actor
from vaultmem.services.capture import Wish, add
from vaultmem.services.curate import session_end
from vaultmem.services.curating.applied_alone import applied_alone
from vaultmem.services.note_property import put
from vaultmem.services.promote import (
    Filling,
    accept,
    consider,
    list_,
    propose_one,
    reject,
    run,
    show,
)
from vaultmem.services.promoting.build import build
from vaultmem.services.promoting.lines import proposed
from vaultmem.services.ratify import ratify
from vaultmem.services.reinforce import reinforce
from vaultmem.services.revert import revert
from vaultmem.services.standing_change import contest, deprecate
from vaultmem.services.vault_ref import Suggestion
from vaultmem.store.disk import DISK


@pytest.fixture
def careful(world):
    """A vault in which policy applies nothing."""
    world.here.sync()
    return world


def _agent_reinforces(world, name, *sessions):
    for session in sessions:
        call = world.here.call(agent="pi")
        reinforce(call, memory_of(world, name).id, session=session, by=Actor.AGENT, via="tool")


def _both(world):
    """A procedure and a convention, which have earned a form each; the procedure's id."""
    known = heard(world, DEPLOY, "a", category=Category.PATTERN)
    heard(world, CONVENTION, "a", category=Category.PATTERN)
    heard(world, DEPLOY, *"bc", category=Category.PATTERN)
    heard(world, CONVENTION, *"bcde", category=Category.PATTERN)
    return known


def _forms(ran):
    return [one.destination.value for one in ran.proposed]


# what was heard


def test_the_same_in_three_sessions_was_heard_three_times(careful):
    heard(careful, FACT, "s1", "s2", "s3", "s3")
    assert heard_now(careful, "Postgres keeps dead rows until a vacuum removes them").sessions == 3


def test_what_an_agent_reinforced_counts_for_nothing(careful):
    known = heard(careful, FACT, "s1")
    _agent_reinforces(careful, known, "a1", "a2", "a3", "a4", "a5")
    assert careful.here.call().vault.baseline.standings()[0].evidence_count == 6
    assert heard_now(careful, known).sessions == 1


def test_what_an_agent_proposed_and_the_person_approved_was_not_said_by_the_user(careful):
    from vaultmem.notes.candidate import Decision
    from vaultmem.services.inbox import decide

    app = careful.here.app(agent="pi")
    done = add(app.call(), app.engine, Wish(text=FACT, category=Category.LESSON))
    decide(careful.here.call(), done.id, Decision.APPROVE)
    assert heard_now(careful, "Postgres keeps dead rows until a vacuum removes them").sessions == 0


def test_what_the_person_typed_counts_each_time(careful):
    for _ in range(3):
        app = careful.here.app()
        add(app.call(), app.engine, Wish(text=FACT, category=Category.LESSON))
    assert heard_now(careful, "Postgres keeps dead rows until a vacuum removes them").sessions == 3


def test_projects_are_those_in_which_it_was_said(careful):
    known = heard(careful, FACT, "s1", project="x/a")
    heard(careful, FACT, "s2", project="x/b")
    assert heard_now(careful, known).projects == ("x/a", "x/b")


def test_evidence_that_was_altered_counts_for_nothing_and_is_told(careful):
    known = heard(careful, FACT, "s1")
    (note,) = careful.path("Memory/System/Evidence").rglob("*.md")
    note.write_text(note.read_text().replace("dead rows", "old rows"))
    found = heard_now(careful, known)
    assert (found.sessions, found.intact) == (0, False)


# what is proposed


def test_topic_row_069_a_rule_that_spells_out_its_guardrail_is_enforced_by_itself(careful):
    known = heard(careful, BAN, "s1", "s2", "s3")
    ran = run(careful.here.call())
    (one,) = ran.applied
    assert (one.destination, one.memory, ran.proposed) == (Destination.ENFORCEMENT, known, ())
    memory = memory_of(careful, known)
    assert (memory.trigger, memory.action) == ("bash_contains git add .", "block")
    assert careful.here.call().vault.baseline.standing(memory.id).force == 1, "policy signed for it"
    assert not careful.path("Memory/Promotions").exists()
    (told,) = applied_alone(careful.here.call())[-1:]
    assert told.revert == f"vaultmem patch revert {one.patch}"
    assert careful.here.sync().findings == ()
    assert run(careful.here.call()).applied == ()


def test_topic_row_070_a_rule_of_a_project_is_only_proposed(careful):
    heard(careful, CONVENTION, *"abcde", category=Category.PATTERN)
    ran = run(careful.here.call())
    assert _forms(ran) == ["project_rule"]
    assert "- Always follow the project release convention" in careful.read(ran.proposed[0].path)


def test_topic_row_071_a_procedure_is_proposed_as_a_skill(careful):
    heard(careful, DEPLOY, *"abcd", category=Category.PATTERN)
    ran = run(careful.here.call())
    assert _forms(ran) == ["skill"]
    text = careful.read(ran.proposed[0].path)
    assert "skill: deploy-workflow\n" in text
    assert "1. Build\n2. Test\n3. Tag\n4. Push\n" in text


def test_topic_row_072_what_was_rejected_is_not_proposed_again(careful):
    heard(careful, CONVENTION, *"abcde", category=Category.PATTERN)
    (first,) = run(careful.here.call()).proposed
    reject(careful.here.call(), first.id)
    heard(careful, CONVENTION, *"fgh", category=Category.PATTERN)
    assert run(careful.here.call()).proposed == ()
    assert [one.status for one in listed(careful, everything=True)] == ["rejected"]


def test_topic_row_074_a_second_run_proposes_nothing_new(careful):
    _both(careful)
    assert len(run(careful.here.call()).proposed) == 2
    before = careful.snapshot()
    again = run(careful.here.call())
    assert (again.proposed, again.applied) == ((), ())
    assert careful.snapshot() == before


def test_a_proposal_that_the_person_deleted_is_rejected(careful):
    heard(careful, DEPLOY, *"abc", category=Category.PATTERN)
    (one,) = run(careful.here.call()).proposed
    careful.path(one.path).unlink()
    careful.here.sync()
    assert run(careful.here.call()).proposed == ()
    assert [two.status for two in listed(careful, everything=True)] == ["deleted"]


def test_a_proposal_that_an_agent_deleted_comes_back(careful):
    heard(careful, DEPLOY, *"abc", category=Category.PATTERN)
    (one,) = run(careful.here.call()).proposed
    careful.path(one.path).unlink()
    careful.here.sync(agent="pi")
    assert [two.id for two in run(careful.here.call()).proposed] == [one.id]


@pytest.mark.parametrize("status", ["superseded", "deprecated", "deleted"])
def test_a_proposal_of_a_memory_that_is_out_of_use_waits_no_more(careful, status):
    known = heard(careful, DEPLOY, *"abc", category=Category.PATTERN)
    (one,) = run(careful.here.call()).proposed
    careful.replace(path_of(careful, known), "type: memory", f"type: memory\nstatus: {status}")
    assert listed(careful) == []
    assert [two.status for two in listed(careful, everything=True)] == ["over"]
    careful.here.pass_time(minutes=3)
    assert run(careful.here.call()).proposed == ()
    assert not careful.path(one.path).exists()
    assert listed(careful, everything=True) == []
    assert careful.here.sync().findings == ()


def test_what_was_withdrawn_is_proposed_anew_when_its_memory_is_back(careful):
    known = heard(careful, DEPLOY, *"abc", category=Category.PATTERN)
    (one,) = run(careful.here.call()).proposed
    path = path_of(careful, known)
    careful.replace(path, "type: memory", "type: memory\nstatus: deprecated")
    careful.here.pass_time(minutes=3)
    careful.here.sync()
    run(careful.here.call())
    careful.replace(path, "status: deprecated", "status: active")
    careful.here.sync()
    assert [two.id for two in run(careful.here.call()).proposed] == [one.id]


def test_a_proposal_in_which_the_person_wrote_is_not_taken_away(careful):
    known = heard(careful, DEPLOY, *"abc", category=Category.PATTERN)
    (one,) = run(careful.here.call()).proposed
    careful.write(one.path, careful.read(one.path) + "\nMy own thoughts.\n")
    careful.replace(path_of(careful, known), "type: memory", "type: memory\nstatus: deprecated")
    careful.here.sync()
    careful.here.pass_time(minutes=3)
    run(careful.here.call())
    assert "My own thoughts." in careful.read(one.path)
    assert listed(careful) == []


def test_a_proposal_of_a_contested_memory_still_waits(careful):
    known = heard(careful, DEPLOY, *"abc", category=Category.PATTERN)
    run(careful.here.call())
    careful.replace(path_of(careful, known), "type: memory", "type: memory\nstatus: contested")
    careful.here.pass_time(minutes=3)
    careful.here.sync()
    run(careful.here.call())
    assert len(listed(careful)) == 1


def test_a_proposal_that_the_person_moved_still_waits(careful):
    heard(careful, DEPLOY, *"abc", category=Category.PATTERN)
    (one,) = run(careful.here.call()).proposed
    careful.path("Memory/Promotions/Mine").mkdir()
    careful.path(one.path).rename(careful.path("Memory/Promotions/Mine/Skill.md"))
    assert [two.path for two in listed(careful)] == ["Memory/Promotions/Mine/Skill.md"]
    assert run(careful.here.call()).proposed == ()


def test_knowledge_that_held_in_two_projects_for_a_month_is_proposed_as_a_note(careful):
    heard(careful, FACT, "s1", project="x/a")
    heard(careful, FACT, "s2", project="x/b")
    assert run(careful.here.call()).proposed == ()
    careful.here.pass_time(days=31)
    ran = run(careful.here.call())
    assert _forms(ran) == ["vault_ref"]
    text = careful.read(ran.proposed[0].path)
    assert "- yes: Seen in 2 projects or said in 5 sessions (2 projects, 2 sessions)" in text
    assert "note:\n" in text
    assert "## Sources" in text
    assert "{{" not in text
    assert text.count("![[") == 2, "both pieces of evidence"


def test_what_was_earned_is_proposed_when_a_session_ends(careful):
    heard(careful, DEPLOY, *"abc", category=Category.PATTERN)
    session_end(careful.here.call(agent="pi"))
    assert [(one.destination, one.by) for one in listed(careful)] == [(Destination.SKILL, "policy")]
    assert run(careful.here.call()).proposed == ()


def test_only_the_memories_that_are_named_are_looked_at(careful):
    known = _both(careful)
    assert _forms(run(careful.here.call(), only=(known,))) == ["skill"]


def test_promotion_is_looked_at_when_the_evidence_comes_to_a_threshold(careful):
    known = heard(careful, DEPLOY, "a", "b", category=Category.PATTERN)
    assert consider(careful.here.call(), known).proposed == ()
    heard(careful, DEPLOY, "c", category=Category.PATTERN)
    assert _forms(consider(careful.here.call(), known)) == ["skill"]
    assert consider(careful.here.call(), careful.new_id()).proposed == ()


# what policy may


@pytest.mark.parametrize("how", ["off", "agent", "unsure"])
def test_a_guardrail_is_only_proposed_where_policy_may_not_act(world, how):
    world.here.sync()
    heard(world, BAN, "s1", "s2", "s3")
    agent = None
    if how == "off":
        world.replace(
            "Memory/Settings.md", "type: settings\n", 'type: settings\ncurator_auto_curate: "off"\n'
        )
    elif how == "unsure":
        world.replace(
            "Memory/Lessons/Never use git add.md", "confidence: 0.9\n", "confidence: 0.8\n"
        )
    elif how == "agent":
        agent = "pi"
    ran = run(world.here.call(agent=agent))
    assert ran.applied == ()
    assert _forms(ran) == ["enforcement"]
    assert "trigger: bash_contains git add .\naction: block\n" in world.read(ran.proposed[0].path)
    assert memory_of(world, "Never use git add").trigger is None


# decisions


def test_accepting_a_guardrail_is_the_persons_signature(world):
    world.here.sync()
    known = heard(world, "Never commit generated files", "s1", "s2", "s3")
    (one,) = run(world.here.call()).proposed
    with pytest.raises(EditRefusedError, match="Write a `trigger` and an `action`"):
        accept(world.here.call(), one.id)
    with pytest.raises(EditRefusedError, match="never fires"):
        accept(world.here.call(), one.id, filling=Filling(trigger="tool_name git", action="block"))
    filling = Filling(trigger="bash_contains git add gen/", action="warn")
    decided = accept(world.here.call(), one.id, filling=filling)
    memory = memory_of(world, known)
    assert (memory.trigger, memory.action) == ("bash_contains git add gen/", "warn")
    assert world.here.call().vault.baseline.standing(memory.id).force == 1
    assert not world.path(one.path).exists()
    assert world.here.sync().findings == ()
    revert(world.here.call(), decided.patch)
    assert memory_of(world, known).trigger is None
    assert run(world.here.call()).proposed == (), "what was accepted is not proposed again"


def test_what_was_decided_is_not_decided_again(careful):
    heard(careful, CONVENTION, *"abcde", category=Category.PATTERN)
    (one,) = run(careful.here.call()).proposed
    done = accept(careful.here.call(), one.id)
    assert (done.outcome, done.patch) == ("accepted", "")
    assert done.text == "- Always follow the project release convention\n"
    assert "status: accepted\n" in careful.read(one.path), "its text is still of use"
    for decide in (accept, reject):
        with pytest.raises(EditRefusedError, match="decided before"):
            decide(careful.here.call(), one.id)
    assert listed(careful) == []
    careful.path(one.path).unlink()
    careful.here.sync()
    with pytest.raises(NoteNotFoundError, match="was accepted"):
        accept(careful.here.call(), one.id)


def test_accepting_a_skill_writes_it_and_never_over_another(careful):
    heard(careful, DEPLOY, *"abc", category=Category.PATTERN)
    (one,) = run(careful.here.call()).proposed
    careful.write("Memory/Skills/deploy-workflow/SKILL.md", "mine\n")
    careful.here.sync()
    with pytest.raises(EditRefusedError, match="A skill of that name is there"):
        accept(careful.here.call(), one.id)
    done = accept(careful.here.call(), one.id, filling=Filling(skill="ship-it"))
    assert done.path == "Memory/Skills/ship-it/SKILL.md"
    text = careful.read(done.path)
    assert text.startswith("---\nname: ship-it\ndescription: ")
    assert careful.read("Memory/Skills/deploy-workflow/SKILL.md") == "mine\n"
    assert careful.here.sync().findings == ()


def test_the_skill_is_written_as_the_person_left_it_in_the_note(careful):
    heard(careful, DEPLOY, *"abc", category=Category.PATTERN)
    (one,) = run(careful.here.call()).proposed
    careful.replace(one.path, "1. Build\n", "1. Build it twice\n")
    careful.replace(one.path, "decision:\n", "decision: yes\n")
    assert careful.here.sync().applied == 1
    assert "1. Build it twice\n" in careful.read("Memory/Skills/deploy-workflow/SKILL.md")


def test_a_skill_with_a_secret_is_not_written(careful):
    from tests.core.fakes import fake

    heard(careful, DEPLOY, *"abc", category=Category.PATTERN)
    (one,) = run(careful.here.call()).proposed
    careful.replace(one.path, "1. Build\n", f"1. Use gh{'p_'}{fake(36)}\n")
    careful.here.sync()
    with pytest.raises(CaptureRefusedError, match="secret"):
        accept(careful.here.call(), one.id)
    assert not careful.path("Memory/Skills").exists()


def test_discarding_takes_the_memory_out_of_use(careful):
    known = heard(careful, FACT, "s1")
    one = propose_one(careful.here.call(agent="pi"), known, Destination.DISCARD, reason="Old.")
    assert "Old." in careful.read(one.path)
    accept(careful.here.call(), one.id)
    assert memory_of(careful, known).status is Status.DEPRECATED
    assert not careful.path(one.path).exists()


def test_keeping_a_memory_closes_the_question(careful):
    known = heard(careful, FACT, "s1")
    before = careful.read(path_of(careful, known))
    one = propose_one(careful.here.call(), known, Destination.MEMORY)
    assert accept(careful.here.call(), one.id).patch == ""
    assert careful.read(path_of(careful, known)) == before
    with pytest.raises(EditRefusedError, match="proposed before"):
        propose_one(careful.here.call(), one.memory, Destination.MEMORY)


def test_a_person_links_the_note_that_they_wrote_and_the_memory_becomes_it(careful):
    known = heard(careful, FACT, "s1")
    one = propose_one(careful.here.call(), known, Destination.VAULT_REF)
    careful.replace(one.path, "note:\n", 'note: "[[Vacuum]]"\n')
    found = careful.here.sync()
    assert "VM833" in [each.code for each in found.findings], "the note is not there yet"
    assert memory_of(careful, one.memory).status is Status.ACTIVE
    careful.write("Notes/Vacuum.md", "# Vacuum\n")
    assert careful.here.sync().applied == 1
    memory = memory_of(careful, one.memory)
    assert (memory.status, memory.vault_ref) == (Status.PROMOTED, "[[Notes/Vacuum|Vacuum]]")
    assert careful.read("Notes/Vacuum.md") == "# Vacuum\n"
    assert "status: accepted" in careful.read(one.path)
    assert careful.here.sync().findings == ()


def test_a_promotion_to_a_note_can_be_reverted(careful):
    known = heard(careful, FACT, "s1")
    careful.write("Notes/Vacuum.md", "# Vacuum\n")
    one = propose_one(careful.here.call(), known, Destination.VAULT_REF)
    with pytest.raises(EditRefusedError, match="which knowledge note you wrote"):
        accept(careful.here.call(), one.id)
    with pytest.raises(NoteNotFoundError, match="No note of the vault"):
        accept(careful.here.call(), one.id, filling=Filling(note="Memory/Settings"))
    decided = accept(careful.here.call(), one.id, filling=Filling(note="Notes/Vacuum.md"))
    assert decided.path == "Notes/Vacuum.md"
    revert(careful.here.call(), decided.patch)
    memory = memory_of(careful, one.memory)
    assert (memory.status, memory.vault_ref) == (Status.ACTIVE, None)


ELSEWHERE = "[Vacuum](obsidian://open?vault=Wiki&file=Vacuum)"


def _wiki(world):
    """Another vault, which the user config names as one of knowledge."""
    wiki = world.folder / "Wiki"
    wiki.mkdir()
    config = world.here.home / "config/config.yaml"
    config.parent.mkdir(parents=True, exist_ok=True)
    config.write_text(f"knowledge_vaults: ['{wiki}']\n")
    return wiki


def test_a_note_of_another_vault_is_linked_as_it_was_named(careful):
    known = heard(careful, FACT, "s1")
    one = propose_one(careful.here.call(), known, Destination.VAULT_REF)
    (_wiki(careful) / "Vacuum.md").write_text("# Vacuum\n")
    accept(careful.here.call(), one.id, filling=Filling(note=ELSEWHERE))
    assert memory_of(careful, one.memory).vault_ref == ELSEWHERE


@pytest.mark.parametrize("note", [ELSEWHERE, ELSEWHERE[len("[Vacuum](") : -1]])
@pytest.mark.parametrize(("known_here", "why"), [(False, "knows no vault"), (True, "has no note")])
def test_a_memory_is_not_promoted_to_a_note_that_nobody_can_find(careful, note, known_here, why):
    known = heard(careful, FACT, "s1")
    one = propose_one(careful.here.call(), known, Destination.VAULT_REF)
    if known_here:
        _wiki(careful)
    with pytest.raises((EditRefusedError, NoteNotFoundError), match=why):
        accept(careful.here.call(), one.id, filling=Filling(note=note))
    careful.replace(one.path, "note:\n", f'note: "{note}"\n')
    (problem,) = (each for each in careful.here.sync().findings if each.code == "VM833")
    assert why in problem.message
    assert memory_of(careful, one.memory).status is Status.ACTIVE
    assert [each.id for each in listed(careful)] == [one.id]


@pytest.mark.parametrize("note", ["Vacuum#When", "[[Vacuum#When]]", "[[Notes/Vacuum#When|x]]"])
def test_the_heading_of_the_note_is_kept_however_it_is_named(careful, note):
    known = heard(careful, FACT, "s1")
    careful.write("Notes/Vacuum.md", "# Vacuum\n\n## When\n")
    one = propose_one(careful.here.call(), known, Destination.VAULT_REF)
    decided = accept(careful.here.call(), one.id, filling=Filling(note=note))
    assert decided.path == "Notes/Vacuum.md"
    assert memory_of(careful, one.memory).vault_ref == "[[Notes/Vacuum#When|Vacuum]]"


def test_two_notes_at_once_are_refused(careful):
    known = heard(careful, FACT, "s1")
    careful.write("Notes/Vacuum.md", "# Vacuum\n")
    one = propose_one(careful.here.call(), known, Destination.VAULT_REF)
    with pytest.raises(EditRefusedError, match="2 notes"):
        accept(careful.here.call(), one.id, filling=Filling(note="[[Vacuum]] [[Settings]]"))


@pytest.mark.parametrize("word", ["accept", "Accepted", "ok", "yes."])
def test_a_decision_in_the_note_does_the_same_at_the_next_sync(careful, word):
    known = heard(careful, FACT, "s1")
    one = propose_one(careful.here.call(), known, Destination.DISCARD)
    careful.replace(one.path, "decision:\n", f"decision: {word}\n")
    assert careful.here.sync().applied == 1
    assert memory_of(careful, one.memory).status is Status.DEPRECATED
    assert not careful.path(one.path).exists()
    assert careful.here.sync().changes == ()


def test_a_rejection_in_the_note_takes_it_away(careful):
    known = heard(careful, FACT, "s1")
    one = propose_one(careful.here.call(), known, Destination.DISCARD)
    careful.replace(one.path, "decision:\n", "decision: reject\n")
    found = careful.here.sync()
    assert [(each.change, each.outcome) for each in found.changes] == [("decided", "rejected")]
    assert not careful.path(one.path).exists()
    assert memory_of(careful, one.memory).status is Status.ACTIVE


def test_a_rejection_that_was_cut_short_is_ended_when_it_is_said_again(careful, monkeypatch):
    known = heard(careful, FACT, "s1")
    one = propose_one(careful.here.call(), known, Destination.DISCARD)

    def fail(*_):
        raise OSError(errno.EIO, "broken")

    call = careful.here.call()
    with monkeypatch.context() as broken:
        broken.setattr(DISK, "replace", fail)  # it is said; then its note cannot go
        with pytest.raises(DiskFailedError):
            reject(call, one.id)
    careful.here.sync()
    assert reject(careful.here.call(), one.id).outcome == "rejected"
    assert not careful.path(one.path).exists()
    assert careful.ledger().count(f" rejected {one.id} ") == 1
    assert careful.here.sync().findings == ()


def test_a_word_that_decides_nothing_is_a_finding(careful):
    known = heard(careful, FACT, "s1")
    one = propose_one(careful.here.call(), known, Destination.DISCARD)
    careful.replace(one.path, "decision:\n", "decision: perhaps\n")
    assert [each.code for each in careful.here.sync().findings] == ["VM830"]
    careful.replace(one.path, "decision: perhaps\n", "decision: [a, b]\n")
    assert [each.code for each in careful.here.sync().findings] == ["VM110", "VM830"]
    careful.replace(one.path, "destination: discard\n", "destination: elsewhere\n")
    assert sorted(each.code for each in careful.here.sync().findings) == [
        "VM110",
        "VM110",
        "VM830",
        "VM831",
    ]


def test_a_decision_that_an_agent_wrote_decides_nothing(careful):
    known = heard(careful, FACT, "s1")
    one = propose_one(careful.here.call(), known, Destination.DISCARD)
    careful.replace(one.path, "decision:\n", "decision: accept\n")
    assert "VM832" in [each.code for each in careful.here.sync(agent="pi").findings]
    assert "VM832" in [each.code for each in careful.here.sync().findings]
    assert memory_of(careful, one.memory).status is Status.ACTIVE
    assert accept(careful.here.call(), one.id).outcome == "accepted", "the person says so"
    assert memory_of(careful, one.memory).status is Status.DEPRECATED


@pytest.mark.parametrize("saved", ["\nI read it.\n", "\n"])
def test_a_decision_that_an_agent_wrote_is_nobodys_when_the_note_is_saved_again(careful, saved):
    known = heard(careful, FACT, "s1")
    one = propose_one(careful.here.call(), known, Destination.DISCARD)
    careful.replace(one.path, "decision:\n", "decision: accept\n")
    careful.here.sync(agent="pi")
    for _ in range(2):
        careful.write(one.path, careful.read(one.path) + saved)
        for _ in range(2):
            assert "VM832" in codes(careful.here.sync())
    assert memory_of(careful, one.memory).status is Status.ACTIVE
    careful.replace(one.path, "decision: accept\n", "decision:\n")
    assert "VM832" not in codes(careful.here.sync())
    careful.write(one.path, careful.read(one.path) + "\nIt is right.\n")
    careful.replace(one.path, "decision:\n", "decision: accept\n")
    assert careful.here.sync().applied == 1, "the person took it out and wrote it anew"


def test_a_person_who_decides_otherwise_than_an_agent_wrote_is_heard(careful):
    known = heard(careful, FACT, "s1")
    one = propose_one(careful.here.call(), known, Destination.DISCARD)
    careful.replace(one.path, "decision:\n", "decision: accept\n")
    careful.here.sync(agent="pi")
    careful.replace(one.path, "decision: accept\n", "decision: reject\n")
    assert careful.here.sync().applied == 1
    assert memory_of(careful, known).status is Status.ACTIVE


@pytest.mark.parametrize("at", ["here", "there"])
def test_a_command_accepts_what_an_agent_decided_and_somebody_saved_again(careful, at):
    known = heard(careful, FACT, "s1")
    one = propose_one(careful.here.call(), known, Destination.DISCARD)
    there = careful.device()
    there.sync()
    careful.replace(one.path, "decision:\n", "decision: accept\n")
    careful.here.sync(agent="pi")
    careful.write(one.path, careful.read(one.path) + "\nSeen.\n")
    careful.here.sync()
    there.sync()
    device = careful.here if at == "here" else there
    assert accept(_current(device), one.id).outcome == "accepted"


def test_a_note_that_an_agent_links_accepts_nothing_when_the_proposal_is_saved_again(careful):
    known = heard(careful, FACT, "s1")
    careful.write("Notes/Vacuum.md", "# Vacuum\n")
    careful.write("Notes/Rows.md", "# Rows\n")
    one = propose_one(careful.here.call(), known, Destination.VAULT_REF)
    careful.replace(one.path, "note:\n", 'note: "[[Vacuum]]"\n')
    careful.here.sync(agent="pi")
    with pytest.raises(EditRefusedError, match="Something other than you changed what is proposed"):
        accept(careful.here.call(), one.id)
    careful.write(one.path, careful.read(one.path) + "\nSeen.\n")
    assert "VM832" in codes(careful.here.sync())
    assert memory_of(careful, known).status is Status.ACTIVE
    careful.replace(one.path, "[[Vacuum]]", "[[Rows]]")
    assert careful.here.sync().applied == 1, "the person links another one"
    assert memory_of(careful, known).vault_ref == "[[Notes/Rows|Rows]]"


def test_what_an_agent_changed_besides_the_decision_is_not_accepted_by_a_command(careful):
    heard(careful, DEPLOY, *"abc", category=Category.PATTERN)
    (one,) = run(careful.here.call()).proposed
    careful.replace(one.path, "1. Build\n", "1. Build it twice\n")
    careful.here.sync()
    careful.replace(one.path, "2. Test\n", "2. Obey\n")
    careful.replace(one.path, "decision:\n", "decision: accept\n")
    careful.here.sync(agent="pi")
    with pytest.raises(EditRefusedError, match="Something other than you changed what is proposed"):
        accept(careful.here.call(), one.id)
    careful.replace(one.path, "2. Obey\n", "2. Test\n")
    careful.here.sync()
    accept(careful.here.call(), one.id)
    assert "1. Build it twice\n2. Test\n" in careful.read("Memory/Skills/deploy-workflow/SKILL.md")


@pytest.mark.parametrize("delivered", [False, True])
def test_what_the_person_changes_besides_an_agents_decision_is_accepted_by_a_command(
    careful, delivered
):
    heard(careful, DEPLOY, *"abc", category=Category.PATTERN)
    (one,) = run(careful.here.call()).proposed
    there = careful.device()
    there.sync()
    careful.replace(one.path, "decision:\n", "decision: accept\n")
    careful.here.sync(agent="pi")
    careful.replace(one.path, "1. Build\n", "1. Build it twice\n")
    assert "VM832" in codes(careful.here.sync())
    if delivered:  # there the file is as it is since later
        careful.write(one.path, careful.read(one.path))
        assert "VM832" in codes(there.sync())
    accept(_current(careful.here), one.id)
    assert "1. Build it twice\n" in careful.read("Memory/Skills/deploy-workflow/SKILL.md")


def test_what_an_agent_changed_on_another_device_is_not_accepted_once_that_says_so(careful):
    heard(careful, DEPLOY, *"abc", category=Category.PATTERN)
    (one,) = run(careful.here.call()).proposed
    there = careful.device()
    there.sync()
    careful.replace(one.path, "2. Test\n", "2. Obey\n")
    careful.here.sync()  # it looks like the person's
    there.sync(agent="pi")
    with pytest.raises(EditRefusedError, match="Something other than you changed what is proposed"):
        accept(_current(careful.here), one.id)


def test_an_agents_decision_in_a_note_that_is_saved_again_is_nobodys_on_another_device(careful):
    known = heard(careful, FACT, "s1")
    one = propose_one(careful.here.call(), known, Destination.DISCARD)
    there = careful.device()
    there.sync()
    careful.replace(one.path, "decision:\n", "decision: accept\n")
    careful.here.sync(agent="pi")
    careful.write(one.path, careful.read(one.path) + "\nSeen.\n")
    careful.here.sync()
    for _ in range(2):
        assert "VM832" in codes(there.sync())
        there.pass_time(minutes=20)
    assert memory_of(careful, known).status is Status.ACTIVE


def _current(device):
    device.sync()
    return device.call()


def test_topic_row_075_a_proposal_of_nothing_we_know_decides_nothing(careful):
    known = heard(careful, FACT, "s1")
    one = propose_one(careful.here.call(), known, Destination.DISCARD)
    careful.replace(one.path, "destination: discard\n", "destination: nope\n")
    careful.replace(one.path, "decision:\n", "decision: accept\n")
    assert {each.code for each in careful.here.sync().findings} == {"VM110", "VM831"}
    assert memory_of(careful, known).status is Status.ACTIVE


def test_topic_row_073_what_is_enforced_already_is_not_enforced_again(careful):
    known = heard(careful, BAN, "s1")
    one = propose_one(careful.here.call(), known, Destination.ENFORCEMENT)
    guard = Filling(trigger="bash_contains git add .", action="block")
    put(careful.here.call(), path_of(careful, known), "trigger", [guard.trigger])
    put(careful.here.call(), path_of(careful, known), "action", [guard.action])
    ratify(careful.here.call(), known)
    before = careful.read(path_of(careful, known))
    assert accept(careful.here.call(), one.id, filling=guard).patch == ""
    assert careful.read(path_of(careful, known)) == before


def test_an_agent_may_propose_and_not_decide(careful):
    known = heard(careful, FACT, "s1")
    one = propose_one(careful.here.call(agent="pi"), known, Destination.SKILL)
    for decide in (accept, reject):
        with pytest.raises(AgentRefusedError, match="promote"):
            decide(careful.here.call(agent="pi"), one.id)
    assert [each.by for each in listed(careful)] == ["agent"]


def test_a_persons_decision_that_an_agents_command_meets_waits(careful):
    known = heard(careful, FACT, "s1")
    one = propose_one(careful.here.call(), known, Destination.DISCARD)
    careful.here.pass_time(minutes=20)
    other = careful.device()
    other.pass_time(minutes=40)
    other.sync()
    careful.replace(one.path, "decision:\n", "decision: accept\n")
    assert other.sync().applied == 1, "ten quiet minutes have passed on its clock"


def test_another_device_acts_on_a_decision_only_after_ten_quiet_minutes(careful):
    known = heard(careful, FACT, "s1")
    one = propose_one(careful.here.call(), known, Destination.DISCARD)
    other = careful.device()
    other.sync()
    careful.replace(one.path, "decision:\n", "decision: accept\n")
    assert other.sync().applied == 0
    other.pass_time(minutes=11)
    assert other.sync().applied == 1
    assert memory_of(careful, one.memory).status is Status.ACTIVE, "here nothing was looked at yet"


def test_a_memory_that_says_something_else_by_now_is_not_promoted(careful):
    known = heard(careful, FACT, "s1")
    path = path_of(careful, known)
    one = propose_one(careful.here.call(), path, Destination.DISCARD)
    careful.replace(path, "dead rows", "old rows")
    careful.here.sync()
    with pytest.raises(EditRefusedError, match="says something else"):
        accept(careful.here.call(), one.id)


def test_topic_row_076_a_proposal_whose_memory_or_destination_was_changed_is_not_accepted(careful):
    known = heard(careful, FACT, "s1")
    path = path_of(careful, known)
    one = propose_one(careful.here.call(), path, Destination.MEMORY)
    careful.replace(one.path, "destination: memory\n", "destination: discard\n")
    careful.here.sync()
    with pytest.raises(NoteNotFoundError, match="Undo the edit"):
        accept(careful.here.call(), one.id)
    assert reject(careful.here.call(), one.id).outcome == "rejected"


def test_a_broken_proposal_stops_nothing(careful):
    known = heard(careful, FACT, "s1")
    path = path_of(careful, known)
    one = propose_one(careful.here.call(), path, Destination.DISCARD)
    careful.write("Memory/Promotions/broken.md", "---\na: [\n---\n")
    careful.write(
        "Memory/Promotions/conflict.md",
        careful.read(one.path) + "\n<<<<<<< a\nx\n=======\ny\n>>>>>>> b\n",
    )
    careful.write("Memory/Promotions/bare.md", "A thought of mine.\n")
    codes = {each.code for each in careful.here.sync().findings}
    assert {"VM103", "VM108"} <= codes
    assert [each.id for each in listed(careful)] == [one.id]


def test_what_cannot_be_promoted_says_why(careful):
    identity = careful.memory("Memory/Identity/Me.md", "I am Ada.", layer="L1")
    careful.here.sync()
    with pytest.raises(EditRefusedError, match="Only an active memory"):
        propose_one(careful.here.call(), identity, Destination.SKILL)
    with pytest.raises(NoteNotFoundError):
        propose_one(careful.here.call(), "nothing", Destination.SKILL)


# what is shown


def test_the_report_is_told_what_waits_from_the_baseline_alone(careful):
    assert proposed(careful.here.call()) == ()
    heard(careful, DEPLOY, *"abc", category=Category.PATTERN)
    (one,) = run(careful.here.call()).proposed
    short = one.id[-8:].lower()
    assert proposed(careful.here.call()) == (f"a skill: {DEPLOY} ({short})",)
    reject(careful.here.call(), one.id)
    assert proposed(careful.here.call()) == ()


def test_the_report_is_not_told_of_another_projects_memory_nor_of_one_out_of_force(careful):
    known = heard(careful, DEPLOY, *"abc", category=Category.PATTERN)
    run(careful.here.call())
    path = path_of(careful, known)
    careful.replace(path, "category: pattern\n", "category: pattern\nproject: x/a\n")
    careful.here.sync()
    assert proposed(careful.here.call()) == ()
    assert len(proposed(careful.here.call(), project="X/a")) == 1
    deprecate(careful.here.call(), known)
    assert proposed(careful.here.call(), project="x/a") == ()
    careful.path(path).unlink()
    careful.here.sync()
    assert proposed(careful.here.call(), project="x/a") == ()


def test_an_old_note_that_a_sync_program_brings_back_goes_again(careful):
    known = heard(careful, FACT, "s1")
    one = propose_one(careful.here.call(), known, Destination.DISCARD)
    text = careful.read(one.path)
    reject(careful.here.call(), one.id)
    careful.write(one.path, text)
    assert careful.here.sync(agent="pi").findings == ()
    assert careful.path(one.path).exists(), "an agent's command follows nothing"
    careful.write(one.path, text.replace("decision:\n", "decision: accept\n"))
    careful.here.sync()
    assert not careful.path(one.path).exists()
    careful.write(one.path, text + "A thought of mine.\n")
    careful.here.sync()
    assert careful.path(one.path).exists(), "what somebody wrote into it stays"
    assert listed(careful) == []


def test_a_proposal_shows_what_was_heard_until_now(careful):
    known = heard(careful, DEPLOY, *"abc", category=Category.PATTERN)
    (one,) = run(careful.here.call()).proposed
    heard(careful, DEPLOY, "d", category=Category.PATTERN)
    shown = show(careful.here.call(), one.id)
    assert (shown.listed.sessions, shown.heard.sessions) == (3, 4)
    assert shown.promotion.skill == "deploy-workflow"
    assert shown.listed.memory == known


# what lies in the way


def _proposed_again(world, known):
    """A second patch that asks for a knowledge note of a memory."""
    from tests.services.patching import apply_now, operation
    from vaultmem.core.operation import Op

    return apply_now(world, operation(world, Op.PROMOTE, known))


def test_an_operation_makes_the_same_proposal_once(careful):
    known = heard(careful, FACT, "s1")
    (first,) = _proposed_again(careful, known).applied
    text = careful.read(first.path)
    (second,) = _proposed_again(careful, known).applied
    assert (second.path, careful.read(first.path)) == (first.path, text)
    assert len(listed(careful)) == 1
    with pytest.raises(EditRefusedError, match="waits for a decision"):
        propose_one(careful.here.call(), known, Destination.VAULT_REF)


def test_policy_leaves_a_note_alone_that_just_changed_and_makes_the_guardrail_later(careful):
    known = heard(careful, BAN, "s1", "s2", "s3")
    careful.replace(path_of(careful, known), "review:", "reviewed_by: me\nreview:")
    now = careful.here.call().nanoseconds
    os.utime(careful.path(path_of(careful, known)), ns=(now, now))
    ran = run(careful.here.call())
    assert (ran.applied, ran.proposed) == ((), ())
    careful.here.pass_time(minutes=3)
    assert len(run(careful.here.call()).applied) == 1


def test_while_a_tool_runs_and_without_the_key_no_guardrail_is_made(careful):
    heard(careful, BAN, "s1", "s2", "s3")
    call = careful.here.call()
    careful.here.open_window(call.nanoseconds)
    assert "tool" in run(careful.here.call()).kept_back
    careful.here.close_windows(call.nanoseconds)
    for key in (careful.here.home / "state").glob("vault_*/key"):
        key.unlink()
    assert "no key" in run(careful.here.call()).kept_back


def test_where_all_that_is_eligible_may_be_applied_the_usual_confidence_is_enough(careful):
    known = heard(careful, BAN, "s1", "s2", "s3")
    config = careful.here.home / "config/config.yaml"
    config.parent.mkdir(parents=True, exist_ok=True)
    config.write_text("curator_auto_curate: all-eligible\n")
    careful.replace(path_of(careful, known), "confidence: 0.9\n", "confidence: 0.8\n")
    careful.here.sync()
    careful.here.pass_time(minutes=5)
    assert len(run(careful.here.call()).applied) == 1


def test_what_was_done_already_is_only_closed(careful):
    known = heard(careful, FACT, "s1")
    one = propose_one(careful.here.call(), known, Destination.DISCARD)
    deprecate(careful.here.call(), known)
    assert accept(careful.here.call(), one.id).patch == ""


def test_a_skill_that_is_there_as_it_should_be_is_only_closed(careful):
    heard(careful, DEPLOY, *"abc", category=Category.PATTERN)
    (one,) = run(careful.here.call()).proposed
    draft = show(careful.here.call(), one.id).promotion.draft
    careful.write("Memory/Skills/deploy-workflow/SKILL.md", draft)
    careful.here.sync()
    assert accept(careful.here.call(), one.id).outcome == "accepted"


def test_a_note_that_is_linked_already_is_only_closed(careful):
    known = heard(careful, FACT, "s1")
    careful.write("Notes/Vacuum.md", "# Vacuum\n")
    one = propose_one(careful.here.call(), known, Destination.VAULT_REF)
    link = 'status: promoted\nvault_ref: "[[Notes/Vacuum|Vacuum]]"\n'
    careful.replace(path_of(careful, known), "category: lesson\n", f"category: lesson\n{link}")
    careful.here.sync()
    assert accept(careful.here.call(), one.id, filling=Filling(note="Vacuum")).patch == ""


def test_what_the_patch_refuses_stays_proposed(careful):
    known = heard(careful, FACT, "s1")
    careful.write("Notes/Vacuum.md", "# Vacuum\n")
    one = propose_one(careful.here.call(), known, Destination.VAULT_REF)
    contest(careful.here.call(), known)
    with pytest.raises(EditRefusedError, match="contested"):
        accept(careful.here.call(), one.id, filling=Filling(note="Vacuum"))
    assert [each.id for each in listed(careful)] == [one.id]


def test_a_filling_with_a_secret_is_refused(careful):
    from tests.core.fakes import fake

    known = heard(careful, FACT, "s1")
    one = propose_one(careful.here.call(), known, Destination.ENFORCEMENT)
    secret = Filling(trigger=f"bash_contains gh{'p_'}{fake(36)}", action="block")
    with pytest.raises(CaptureRefusedError, match="secret"):
        accept(careful.here.call(), one.id, filling=secret)
    with pytest.raises(CaptureRefusedError, match="secret"):
        propose_one(careful.here.call(), known, Destination.SKILL, reason=secret.trigger)


def test_a_memory_of_a_project_was_seen_there_and_one_without_a_date_is_not_stable(careful):
    known = careful.memory("Memory/Lessons/a.md", "Dead rows stay.", project="x/a", scope="project")
    careful.here.sync()
    found = heard_now(careful, known)
    assert (found.projects, found.sessions) == (("x/a",), 1)
    assert found.since is not None
    careful.replace("Memory/Lessons/a.md", "stay.", "stay a while.")
    careful.here.pass_time(days=40)
    assert heard_now(careful, known).since > found.since


def test_a_proposal_that_the_person_wrote_by_hand_is_one(careful):
    known = heard(careful, FACT, "s1")
    title = path_of(careful, known).rpartition("/")[2].removesuffix(".md")
    identifier = promotion_id(Destination.DISCARD, known)
    note = (
        f"---\nid: {identifier}\ntype: promotion\ndestination: discard\n"
        f'memory: "[[{title}]]"\n---\n> {FACT}\n'
    )
    careful.write("Memory/Promotions/Mine.md", note)
    careful.write(
        "Memory/Promotions/Other.md", note.replace(title, "Gone").replace("prom_", "prom_0")[:-1]
    )
    assert [one.memory for one in listed(careful)] == [known]
    assert proposed(careful.here.call()) == (), "no device proposed it"
    assert accept(careful.here.call(), "Mine").outcome == "accepted"


def test_a_proposal_that_names_no_memory_is_told_and_can_only_be_rejected(careful):
    known = heard(careful, FACT, "s1")
    identifier = promotion_id(Destination.DISCARD, known)
    head = f"---\nid: {identifier}\ntype: promotion\ndestination: discard\n"
    careful.write("Memory/Promotions/Mine.md", f'{head}memory: "[[Gone]]"\n---\n> {FACT}\n')
    assert [one.memory for one in listed(careful)] == [""]
    assert show(careful.here.call(), "Mine").heard.sessions == 0
    with pytest.raises(NoteNotFoundError, match="gone"):
        accept(careful.here.call(), "Mine")
    assert reject(careful.here.call(), "Mine").outcome == "rejected"


def test_a_name_that_no_proposal_had_is_told(careful):
    heard(careful, DEPLOY, *"abc", category=Category.PATTERN)
    run(careful.here.call())
    for name in ("nothing", "prom_0000000000000000000000000X"):
        with pytest.raises(NoteNotFoundError, match="promote list"):
            show(careful.here.call(), name)


def test_what_an_agent_was_shown_is_not_learned_from(careful):
    from vaultmem.services.capturing.shown import was_shown

    heard(careful, DEPLOY, *"abc", category=Category.PATTERN)
    (one,) = run(careful.here.call()).proposed
    call = careful.here.call(agent="pi")
    assert not was_shown(call, DEPLOY)
    list_(call)
    assert was_shown(call, DEPLOY)
    assert not was_shown(call, "Deploy workflow")
    show(call, one.id)
    assert was_shown(call, "Deploy workflow")


def test_a_proposal_whose_line_was_lost_is_not_made_twice(careful):
    known = heard(careful, DEPLOY, *"abc", category=Category.PATTERN)
    identifier = promotion_id(Destination.SKILL, known)
    note = f"---\nid: {identifier}\ntype: promotion\ndestination: skill\n---\n> {DEPLOY}\n"
    careful.write("Memory/Promotions/Mine.md", note)
    assert run(careful.here.call()).proposed == ()


def test_the_draft_follows_the_template_of_the_vault(careful):
    known = heard(careful, FACT, "s1")
    careful.write(".obsidian/templates.json", '{"folder": "Templates"}')
    careful.write(
        "Templates/Concept template.md", '---\nkind: concept\nup: "{{title}}"\n---\n## Definition\n'
    )
    careful.write("Templates/Daily.md", "# {{date}}\n")
    one = propose_one(careful.here.call(), known, Destination.VAULT_REF)
    draft = show(careful.here.call(), one.id).promotion.draft
    assert draft.startswith('---\nkind: concept\nup: "Postgres keeps dead rows until a vacuum')
    assert f"## Definition\n\n{FACT}\n" in draft
    careful.path("Templates/Concept template.md").unlink()
    reject(careful.here.call(), one.id)
    memory = memory_of(careful, known)
    form = Promoted(Destination.VAULT_REF, "")
    plain = build(careful.here.call(), memory, path_of(careful, known), form, Heard())
    assert plain.draft.startswith("---\naliases: []\n"), "it vanished after the last look"
    careful.here.sync()
    again = build(careful.here.call(), memory, path_of(careful, known), form, Heard())
    assert again.draft == plain.draft, "a template for days is none for knowledge"


def test_suggested_notes_stand_in_the_proposal(careful):
    known = heard(careful, FACT, "s1")
    notes = (
        Suggestion("[[Notes/Vacuum|Vacuum]]", "Notes/Vacuum.md", "Vacuum", 0.8, "words: rows"),
        Suggestion("[V](obsidian://open?vault=W&file=V)", "V.md", "V", 0.5, "words: #dead", "W"),
    )
    form = Promoted(Destination.VAULT_REF, "")
    made = build(
        careful.here.call(),
        memory_of(careful, known),
        path_of(careful, known),
        form,
        Heard(),
        suggested=notes,
    )
    assert made.suggested == (
        "[[Notes/Vacuum|Vacuum]]: 0.80, words: rows",
        "[V](obsidian://open?vault=W&file=V) in W: 0.50, words: \\#dead",
    )


def test_what_the_person_reinforces_is_proposed_at_the_threshold(careful):
    from vaultmem.services.confirm import confirm

    known = heard(careful, DEPLOY, "a", category=Category.PATTERN)
    confirm(careful.here.call(), known)
    assert listed(careful) == []
    confirm(careful.here.call(), known)
    assert [one.destination for one in listed(careful)] == [Destination.SKILL]
