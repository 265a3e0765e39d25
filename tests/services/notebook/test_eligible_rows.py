"""Which sessions are not even looked into: no model is asked, and no job begins."""

from __future__ import annotations

import pytest

from tests.core.fakes import fake
from tests.services.notebook.extracting import (
    PROJECT,
    Extracting,
    ScriptedModel,
    answer,
    remembered,
)
from vaultmem.core.notebook.settings import NotebookSettings
from vaultmem.llm.model import Ask, Purpose, never
from vaultmem.services.notebook.asking import Asking
from vaultmem.services.notebook.eligible import SCAN_LIMIT, eligible
from vaultmem.services.switch import WRITE, Place, switch

TOKEN = "gh" + "p_" + fake(36)


@pytest.fixture
def world_of(sessions):
    """A vault with sessions and nothing extracted."""
    made = Extracting(sessions)
    yield made
    made.close()


def found(world_of, rows) -> list[str]:
    """Those of the sessions that may be extracted by what holds now."""
    call, settings = world_of.world.here.call(), NotebookSettings()
    return [row.id for row in eligible(call, rows, world_of.catalog, settings, projects=[PROJECT])]


def known(world_of):
    """The sessions as their index knows them now."""
    world_of.sessions.sync()
    return world_of.sessions.index.catalog.rows()


def test_a_session_in_which_no_user_spoke_is_not_eligible(world_of):
    talk = world_of.talk()
    talk.answered("Nobody is there.")
    assert found(world_of, known(world_of)) == []
    assert world_of.run(ScriptedModel()).claimed == 0
    assert world_of.catalog.jobs.all() == []


@pytest.mark.parametrize("where", ["all", "project", "session"])
def test_where_remembering_is_off_no_session_is_eligible(world_of, where):
    talk = world_of.talk("Fix the importer.")
    rows = known(world_of)
    assert found(world_of, rows) == [talk.id]
    places = {"all": Place(), "project": Place(project=PROJECT), "session": Place(session=talk.id)}
    switch(world_of.world.here.call(), [WRITE], places[where], off=True)
    assert found(world_of, rows) == [], "whatever the index still knows"
    assert world_of.run(ScriptedModel()).claimed == 0
    assert world_of.catalog.jobs.all() == []


def test_the_number_of_sessions_that_are_looked_at_is_that_of_the_facts():
    assert SCAN_LIMIT == 5_000


def test_no_field_of_an_answer_keeps_a_secret(world_of):
    told = answer(
        f"Log in with {TOKEN}.",
        rollout_slug=f"login {TOKEN}",
        raw_memory=f"# Log in with {TOKEN}",
        memories=[remembered(f"Log in with {TOKEN}.", f"I log in with {TOKEN}.")],
    )
    asking = Asking(world_of.world.here.call(), ScriptedModel(told), world_of.catalog)
    answered = asking.answer(Ask(Purpose.EXTRACT, "", "", None, 1), never)
    assert TOKEN not in repr(answered)
    assert answered.memories[0].quote == "I log in with [REDACTED_SECRET]."


def test_a_secret_in_the_name_of_a_folder_is_in_no_card(world_of):
    world_of.talk("Fix the importer.", cwd=f"/projects/{TOKEN}/{PROJECT}")
    assert world_of.run(ScriptedModel(answer())).written == 1
    (card,) = world_of.cards()
    assert card.cwd == f"/projects/[REDACTED_SECRET]/{PROJECT}"


def test_what_an_agent_starts_is_written_by_policy(world_of):
    world_of.talk("Fix the importer.")
    before = set(world_of.world.ledger().splitlines())
    assert world_of.run(ScriptedModel(answer()), agent="pi").written == 1
    written = [one for one in world_of.world.ledger().splitlines() if one not in before]
    acts = [one for one in written if "notebook" in one]
    assert acts
    assert all('"by":"policy"' in one for one in acts), acts
