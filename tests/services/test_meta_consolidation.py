"""Identity candidates: proposed once, never applied, and each setting changes what happens."""

from __future__ import annotations

import shutil

import pytest

from vaultmem.core.governance import Governance
from vaultmem.core.model import Layer
from vaultmem.errors import AgentRefusedError
from vaultmem.notes.candidate import Decision
from vaultmem.services.call import Actor
from vaultmem.services.curating.candidates import waiting
from vaultmem.services.inbox import decide
from vaultmem.services.meta_consolidation import (
    OFF,
    Consolidated,
    consolidate,
    consolidate_if_due,
    is_due,
)
from vaultmem.services.reinforce import reinforce
from vaultmem.services.session_start import session_start
from vaultmem.services.switch import WRITE, Place, switch

FIRST = "Rebase a branch before it is merged."
SECOND = "Name every file when staging, and look at the whole difference first."


@pytest.fixture
def stable(world):
    """Two stable memories on one thing, and one that is not stable; the ids of the two."""
    world.here.sync()
    ids = [
        world.memory(f"Memory/Lessons/{name}.md", text, tags="memory/git", stability=stability)
        for name, text, stability in (
            ("First", FIRST, "stable"),
            ("Second", SECOND, "stable"),
            ("Third", "Squash nothing.", "low"),
        )
    ]
    world.here.sync()
    return ids[:2]


def calling(world, *, agent=None, **settings):
    """A call in which these settings of meta-consolidation hold."""
    call = world.here.call(agent=agent)
    named = {f"meta_{key}": value for key, value in {"enabled": True, **settings}.items()}
    call.vault.governance = Governance()._replace(**named)
    return call


def run(world, **settings):
    return consolidate(calling(world, **settings))


def test_governed_row_116_a_run_leaves_candidates_and_no_identity(world, stable):
    before = world.here.call().vault.baseline.standings()
    (found,) = run(world).proposed
    (one,) = waiting(world.here.call())
    memory = one.candidate.memory
    assert one.path == found.path
    assert memory.layer is Layer.IDENTITY
    assert memory.statement == SECOND
    assert sorted(memory.derived_from) == ["[[First]]", "[[Second]]"]
    assert memory.tags == ("memory/git",)
    assert (one.candidate.trust, one.candidate.verification) == (
        "generated_content",
        "review_required",
    )
    assert world.here.call().vault.baseline.standings() == before
    assert world.here.sync().findings == ()


def test_the_note_says_what_it_was_drawn_from_and_what_speaks_against_it(world, stable):
    world.memory(
        "Memory/Lessons/Doubt.md", "Merge it.", tags="memory/git", status="contested", rule=""
    )
    world.here.sync()
    (found,) = run(world).proposed
    text = world.read(found.path)
    assert "2 stable memories" in text
    assert "is contested." in text
    assert f"> - [[First]]: {FIRST}" in text


def test_the_second_run_proposes_nothing(world, stable):
    run(world)
    before = world.notes()
    again = run(world)
    assert again.proposed == ()
    assert {one.reason for one in again.left if one.id in stable} == {"drawn_before"}
    assert world.notes() == before


def test_a_run_that_was_killed_before_its_line_proposes_nothing_twice(world, stable, monkeypatch):
    monkeypatch.setattr("vaultmem.services.meta_consolidation.ABSTRACTED", "lost")
    run(world)
    monkeypatch.undo()
    assert run(world).proposed == ()
    assert len(waiting(world.here.call())) == 1


def test_what_a_person_rejected_is_not_proposed_again(world, stable):
    (found,) = run(world).proposed
    world.replace(found.path, "decision:", "decision: reject")
    world.here.sync()
    assert waiting(world.here.call()) == []
    assert run(world).proposed == ()


def test_a_run_is_off_until_the_setting_says_so(world, stable):
    done = run(world, enabled=False)
    assert done.off == OFF
    assert done.proposed == ()
    assert waiting(world.here.call()) == []


def test_min_l2_records_changes_what_is_proposed(world, stable):
    assert run(world, min_l2_records=3).proposed == ()
    assert len(run(world, min_l2_records=2).proposed) == 1


def test_min_reinforcement_score_changes_what_is_proposed(world, stable):
    assert run(world, min_reinforcement_score=0.5).proposed == ()
    for one in stable:
        reinforce(world.here.call(), one, session="s1", by=Actor.PERSON, via="test")
    assert len(run(world, min_reinforcement_score=0.5).proposed) == 1


def test_max_candidates_per_run_changes_how_many_are_proposed(world, stable):
    for name in ("Fourth", "Fifth"):
        world.memory(
            f"Memory/Lessons/{name}.md", f"{name} of css.", tags="memory/css", stability="stable"
        )
    world.here.sync()
    assert len(run(world, max_candidates_per_run=1).proposed) == 1
    assert len(run(world, max_candidates_per_run=5).proposed) == 1


def test_max_input_records_changes_what_is_read(world, stable):
    done = run(world, max_input_records=1)
    assert done.proposed == ()
    assert "beyond_the_input" in {one.reason for one in done.left}
    assert len(run(world, max_input_records=2).proposed) == 1


def test_require_counterexample_search_changes_what_is_looked_for(world, stable):
    world.memory("Memory/Lessons/Doubt.md", "Merge it.", tags="memory/git", status="contested")
    world.here.sync()
    (found,) = run(world, require_counterexample_search=False).proposed
    assert found.counterexamples == ()
    assert "was not looked for" in world.read(found.path)


@pytest.mark.parametrize(
    ("cadence", "after"),
    [
        ("manual", {0: False, 1: False, 7: False}),
        ("session", {0: True, 1: True, 7: True}),
        ("daily", {0: False, 1: True, 7: True}),
        ("weekly", {0: False, 6: False, 7: True}),
    ],
)
def test_the_cadence_says_when_a_run_is_due(world, stable, cadence, after):
    assert is_due(calling(world, cadence=cadence)) is (cadence != "manual")
    run(world)
    for days, due in after.items():
        world.here.pass_time(days=days)
        assert is_due(calling(world, cadence=cadence)) is due
        world.here.pass_time(days=-days)


def test_a_run_that_is_due_proposes_as_policy(world, stable):
    done = consolidate_if_due(calling(world, agent="pi", cadence="daily"))
    assert len(done.proposed) == 1
    assert '"by":"policy"' in world.ledger()
    assert consolidate_if_due(calling(world, cadence="daily")).proposed == ()


@pytest.mark.parametrize(
    "settings", [{"enabled": False, "cadence": "session"}, {"cadence": "manual"}]
)
def test_nothing_happens_by_itself_where_it_is_off_or_manual(world, stable, settings):
    assert consolidate_if_due(calling(world, **settings)).proposed == ()
    assert waiting(world.here.call()) == []


def _off(world):
    switch(world.here.call(), [WRITE], Place(), off=True)


def _without_key(world):
    for key in world.here.home.glob("state/vault_*/key"):
        key.unlink()


def _while_a_tool_runs(world):
    world.here.open_window(world.here.call().nanoseconds)


def _where_the_inbox_is_a_file(world):
    shutil.rmtree(world.path("Memory/Inbox"), ignore_errors=True)
    world.write("Memory/Inbox", "in the way")


@pytest.mark.parametrize(
    "hinder", [_off, _without_key, _while_a_tool_runs, _where_the_inbox_is_a_file]
)
def test_nothing_is_drawn_by_itself_where_it_may_or_can_not(world, stable, hinder):
    hinder(world)
    assert consolidate_if_due(calling(world, cadence="daily")) == Consolidated()


def test_a_session_draws_at_its_start_what_is_due(world, stable):
    started = session_start(calling(world, agent="pi", cadence="session"))
    assert started.waiting == 1
    assert session_start(calling(world, agent="pi", cadence="session")).waiting == 1


def test_a_session_draws_nothing_where_it_is_off(world, stable):
    assert session_start(calling(world, enabled=False, cadence="session")).waiting == 0


def test_a_candidate_that_was_approved_is_identity_beside_its_members(world, stable):
    (found,) = run(world).proposed
    decide(world.here.call(), found.id, Decision.APPROVE, ratified=True)
    rows = world.here.call().vault.baseline.standings()
    assert sorted(one.layer for one in rows if one.statement == SECOND) == ["L1", "L2"]


def test_an_agent_draws_nothing(world, stable):
    with pytest.raises(AgentRefusedError, match="maintain identity"):
        run(world, agent="pi")
