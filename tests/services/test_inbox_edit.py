"""A candidate that is changed before it is decided goes on waiting, with the person's words."""

from __future__ import annotations

import pytest

from tests.core.fakes import fake
from vaultmem.core.model import Category
from vaultmem.errors import (
    AgentRefusedError,
    CaptureRefusedError,
    EditRefusedError,
    NoteNotFoundError,
)
from vaultmem.notes.candidate import Decision
from vaultmem.services.capture import Wish, add
from vaultmem.services.curate import session_end
from vaultmem.services.curating.candidates import waiting
from vaultmem.services.curating.foresee import list_waiting
from vaultmem.services.inbox import decide
from vaultmem.services.inbox_edit import edit_candidate, open_candidate, take_in_candidate


@pytest.fixture
def proposed(world):
    """A candidate that an agent proposed."""
    world.here.sync()
    app = world.here.app(agent="pi")
    wish = Wish(text="Use UTC in every table.", category=Category.PATTERN)
    return add(app.call(), app.engine, wish)


def _edit(world, name, statement=None, **properties):
    return edit_candidate(world.here.call(), name, statement=statement, properties=properties)


def test_the_statement_and_properties_change_and_it_still_waits(world, proposed):
    done = _edit(world, proposed.id, "Use UTC in every view.", category="lesson", confidence="0.9")
    assert (done.id, done.path, done.changed) == (proposed.id, proposed.path, True)
    (one,) = waiting(world.here.call())
    memory = one.candidate.memory
    assert (memory.statement, memory.category) == ("Use UTC in every view.", Category.LESSON)
    assert memory.confidence == 0.9
    assert one.candidate.decision is None
    assert f" edited {proposed.id} " in world.ledger()
    done = world.here.sync()
    assert (done.applied, done.changes) == (0, ())
    assert decide(world.here.call(), proposed.id, Decision.APPROVE).statement == (
        "Use UTC in every view."
    )


def test_what_else_stands_in_the_note_stays(world, proposed):
    world.write(proposed.path, world.read(proposed.path) + "\nMy own words.\n")
    body = world.read(proposed.path).rpartition("---\n")[2]
    _edit(world, proposed.id, "Use UTC in every view.")
    after = world.read(proposed.path).rpartition("---\n")[2]
    (embed,) = set(after.splitlines()) - {*body.splitlines(), "Use UTC in every view."}
    assert after.replace(f"{embed}\n\n", "") == body.replace("in every table", "in every view")


def test_the_same_again_changes_nothing(world, proposed):
    before = world.snapshot()
    assert not _edit(world, proposed.id, "Use UTC in every table.").changed
    assert world.snapshot() == before


def test_a_decision_after_an_edit_counts_in_the_note_as_well(world, proposed):
    _edit(world, proposed.id, "Use UTC in every view.")
    world.replace(proposed.path, "decision:", "decision: approve")
    assert world.here.sync().applied == 1
    assert waiting(world.here.call()) == []


@pytest.mark.parametrize(
    ("properties", "words"),
    [
        ({"decision": "approve"}, "--approve"),
        ({"state": "deferred"}, "kept by vaultmem"),
        ({"trust": "direct_user_instruction"}, "kept by vaultmem"),
        ({"verification": "verified"}, "kept by vaultmem"),
        ({"evidence": "[[x#^ev-1]]"}, "kept by vaultmem"),
        ({"id": "cand_1"}, "kept by vaultmem"),
        ({"confidence": "8"}, "from 0 to 1"),
    ],
)
def test_what_the_machine_keeps_and_wrong_values_are_refused(world, proposed, properties, words):
    before = world.read(proposed.path)
    with pytest.raises(EditRefusedError, match=words):
        _edit(world, proposed.id, **properties)
    assert world.read(proposed.path) == before


@pytest.mark.parametrize(
    ("statement", "words"),
    [("<!-- x -->", "Nothing is left"), (" ", "Nothing is left"), ("SECRET", "secret")],
)
def test_an_empty_statement_and_a_secret_are_refused(world, proposed, statement, words):
    statement = statement.replace("SECRET", f"Use gh{'p_'}{fake(36)}.")
    before = world.snapshot()
    with pytest.raises(CaptureRefusedError, match=words):
        _edit(world, proposed.id, statement)
    with pytest.raises(CaptureRefusedError, match="secret"):
        _edit(world, proposed.id, project=f"gh{'p_'}{fake(36)}")
    assert world.snapshot() == before


def test_an_editor_shows_the_note_and_a_decision_in_it_counts(world, proposed):
    opened = open_candidate(world.here.call(), "Use UTC in every table")
    assert opened.path == proposed.path
    assert not take_in_candidate(world.here.call(), opened).changed
    world.replace(opened.path, "decision:", "decision: approve")
    assert take_in_candidate(world.here.call(), opened).changed
    assert waiting(world.here.call()) == []


def test_an_agent_edits_no_candidate(world, proposed):
    call = world.here.call(agent="pi")
    with pytest.raises(AgentRefusedError, match="inbox edit"):
        edit_candidate(call, proposed.id, statement="Obey.", properties={})
    with pytest.raises(AgentRefusedError, match="inbox edit"):
        open_candidate(call, proposed.id)


def test_a_name_that_no_candidate_has_is_not_found(world, proposed):
    with pytest.raises(NoteNotFoundError, match="vaultmem inbox"):
        _edit(world, "nothing", "Say it.")


@pytest.mark.parametrize("way", ["options", "editor"])
def test_words_that_the_person_wrote_are_the_persons_and_still_wait(world, proposed, way):
    assert _trust(world) == "agent_inference"
    if way == "options":
        _edit(world, proposed.id, "Store every moment in UTC.")
    else:
        opened = open_candidate(world.here.call(), proposed.id)
        world.replace(opened.path, "Use UTC in every table.", "Store every moment in UTC.")
        assert take_in_candidate(world.here.call(), opened).changed

    assert _trust(world) == "direct_user_instruction"
    assert session_end(world.here.call(agent="pi")).applied == ()
    (one,) = waiting(world.here.call())
    assert one.candidate.memory.statement == "Store every moment in UTC."
    made = decide(world.here.call(), proposed.id, Decision.APPROVE)
    standing = world.here.call().vault.baseline.standing(made.id)
    assert standing.trust != "agent_inference"


def test_other_properties_make_the_words_nobody_elses(world, proposed):
    _edit(world, proposed.id, category="lesson")
    opened = open_candidate(world.here.call(), proposed.id)
    world.replace(opened.path, "category: lesson", "category: mistake")
    take_in_candidate(world.here.call(), opened)

    assert _trust(world) == "agent_inference"


def _trust(world):
    ((_, seen),) = list_waiting(world.here.call())
    return seen.trust
