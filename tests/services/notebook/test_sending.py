"""Where remembering is switched off, no step of the notebook's work sends, reads or writes."""

from __future__ import annotations

import pytest

from tests.services.notebook.dreams import LATER, SUITE
from tests.services.notebook.dreams import PROJECT as DREAMT
from tests.services.notebook.extracting import PROJECT as SHOP
from tests.services.notebook.extracting import Extracting, ScriptedModel, answer
from tests.services.notebook.rewriting import (
    FIRST,
    PROJECT,
    SECOND,
    Notebook,
    endpoint,
    good,
    says,
)
from tests.services.sessioning import Sessions
from vaultmem.core.notebook.settings import NotebookSettings
from vaultmem.services.notebook.consolidated import Outcome
from vaultmem.services.notebook.copying import selected
from vaultmem.services.notebook.dream import DreamOutcome
from vaultmem.services.notebook.due import what_is_due
from vaultmem.services.notebook.run import Ran, run
from vaultmem.services.notebook.sending import MaySend, why_nothing
from vaultmem.services.switch import READ, WRITE, Place, switch

EVERYWHERE = Place()


def turn(device, place=EVERYWHERE, what=(WRITE, READ), *, off=True):
    switch(device.call(), what, place, off=off)


@pytest.fixture
def extracting(world):
    world.here.sync()
    sessions = Sessions(world)
    made = Extracting(sessions)
    yield made
    made.close()
    sessions.close()


@pytest.mark.parametrize("dry", [True, False])
def test_nothing_is_rewritten_and_it_is_said_why(book, server, dry):
    book.card()
    before = book.world.notes()
    turn(book.device)
    done = book.rewrite(endpoint(server), force=True, dry=dry)
    assert (done.outcome, done.task) == (Outcome.OFF, None)
    assert "Remembering is switched off" in done.message
    assert "vaultmem on --write" in done.message
    assert server.requests == []
    assert book.world.notes() == before
    turn(book.device, off=False)
    assert book.rewrite(endpoint(server), dry=True).outcome is Outcome.PLANNED


@pytest.mark.parametrize("dry", [True, False])
def test_no_session_is_read_and_it_is_said_why(extracting, dry):
    extracting.talk("Use make here.")
    turn(extracting.world.here)
    model = ScriptedModel(answer())
    done = extracting.run(model, dry=dry, force=True)
    assert [one.code for one in done.findings] == ["VM623"]
    assert (model.asked, done.asks, done.claimed) == ([], (), 0)


@pytest.mark.parametrize("dry", [True, False])
def test_nothing_is_dreamed_and_it_is_said_why(sleeper, dry):
    sleeper.lessons()
    turn(sleeper.world.here)
    done = sleeper.dream(dry=dry)
    assert (done.outcome, done.asks, sleeper.sent) == (DreamOutcome.OFF, (), [])
    assert [one.code for one in done.findings] == ["VM623"]


def test_a_whole_run_does_nothing_not_even_prune(book, server):
    book.card(made=1.0, watermark=1.0)
    turn(book.device)
    book.restart()
    sessions = Sessions(book.world)
    done = run(
        book.call,
        sessions.opened(),
        book.device.app().engine,
        book.catalog,
        NotebookSettings(),
        extract_model=endpoint(server),
        consolidation_model=endpoint(server),
        projects=(PROJECT,),
        worker="test",
    )
    sessions.close()
    assert done == Ran(skipped=done.skipped)
    assert "Remembering is switched off" in done.skipped
    assert len(book.catalog.cards.all()) == 1


def test_nothing_is_due_for_a_timer_nor_for_an_agent_that_rests(book):
    book.card()
    book.restart()
    assert what_is_due(book.call, (), book.catalog, NotebookSettings(), projects=(PROJECT,))
    turn(book.device)
    assert not what_is_due(book.call, (), book.catalog, NotebookSettings(), projects=(PROJECT,))


@pytest.mark.parametrize("place", [Place(project="Acme/Billing"), Place(session=FIRST)])
def test_cards_of_a_project_or_session_that_is_off_are_not_sent_and_come_back(book, place):
    book.card(FIRST)
    book.card(SECOND, project="acme/billing" if place.session else "shop")
    turn(book.device, place)
    book.restart()
    chosen = selected(book.call, book.catalog, NotebookSettings(), book.now)
    assert FIRST not in {one.session for one in chosen}
    turn(book.device, place, off=False)
    chosen = selected(book.call, book.catalog, NotebookSettings(), book.now)
    assert FIRST in {one.session for one in chosen}


def test_what_belongs_to_a_project_that_is_off_is_not_dreamed_of(sleeper):
    world = sleeper.world
    world.memory("Memory/Lessons/a.md", SUITE, category="lesson", review=LATER, project=DREAMT)
    world.memory("Memory/Lessons/b.md", "Tabs are wide.", category="lesson", review=LATER)
    world.here.sync()
    sleeper.card("one", 5.0)
    (ask,) = sleeper.dream(dry=True).asks
    assert SUITE in ask.prompt
    assert "Recap of one." in ask.prompt
    turn(world.here, Place(project=DREAMT))
    (ask,) = sleeper.dream(dry=True).asks
    assert SUITE not in ask.prompt
    assert "Recap of one." not in ask.prompt
    assert "Tabs are wide." in ask.prompt


def test_recalling_that_is_off_stops_no_work(book, server):
    card = book.card()
    turn(book.device, what=(READ,))
    server.script(*good(card))
    assert book.rewrite(endpoint(server)).outcome is Outcome.DONE


def test_where_the_notebook_is_on_nowhere_nothing_may_be_sent(world):
    call = world.here.call()
    off = why_nothing(call, ())
    assert off is not None
    assert "vaultmem notebook on" in off.remedy
    assert not MaySend(call, ()).of(SHOP)
    assert MaySend(call, ("Shop",)).of("shop", "a")


def test_a_second_device_is_off_by_itself(book, server):
    other = Notebook(book.world, book.world.device())
    turn(other.device)
    card = book.card()
    server.script(*good(card), says("Done."))
    assert book.rewrite(endpoint(server)).outcome is Outcome.DONE
