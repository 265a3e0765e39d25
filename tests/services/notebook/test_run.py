"""A run prunes, looks at the model's allowance, extracts, and consolidates, in this order."""

from __future__ import annotations

import pytest

from tests.pi.model_server import Reply
from tests.services.notebook.extracting import answer
from tests.services.notebook.rewriting import (
    DAY,
    FIRST,
    SECOND,
    Notebook,
    endpoint,
    good,
    handbook,
)
from tests.services.sessioning import Sessions
from vaultmem.core.notebook.settings import NotebookSettings
from vaultmem.services.notebook.consolidated import Outcome
from vaultmem.services.notebook.enable import enable
from vaultmem.services.notebook.run import TRIES, prune, run
from vaultmem.store.notebook.jobs import GLOBAL, JobKind


@pytest.fixture
def book(world):
    world.here.sync()
    made = Notebook(world)
    app = world.here.app()
    enable(world.here.call(), app.home, "shop")
    made.restart()
    return made


@pytest.fixture
def sessions(world, book):
    made = Sessions(world)
    yield made
    made.close()


class Scarce:
    """The scripted endpoint, with an allowance."""

    def __init__(self, model, *left):
        self._model, self._left = model, list(left)

    def __getattr__(self, name):
        return getattr(self._model, name)

    def remaining_percent(self):
        return self._left.pop(0) if len(self._left) > 1 else self._left[0]


def do(book, sessions, model, *, stop=lambda: False, rewriter=None, stage=str):
    app = book.device.app()
    call = app.call()
    return run(
        call,
        sessions.opened(),
        app.engine,
        app.notebook,
        NotebookSettings(),
        extract_model=model,
        consolidation_model=rewriter or model,
        projects=("shop",),
        worker="test",
        stop=stop,
        stage=stage,
    )


def talk(book, sessions):
    """A session that rested for a day."""
    at = book.device.app().now.astimezone(tz=None).timestamp() - DAY
    from datetime import UTC, datetime

    moment = datetime.fromtimestamp(at, UTC).strftime("%Y-%m-%dT%H:%M:%S.000Z")
    made = sessions.talk("Always use make here, not ninja.", at=moment)
    made.answered("Understood, make it is.")
    return made


def test_a_session_becomes_a_card_and_the_card_the_notebook(book, sessions, server):
    talk(book, sessions)
    server.script(Reply(text=answer(), when_system=("transcript",)))
    done = do(book, sessions, endpoint(server), stop=lambda: len(server.requests) > 0)
    assert done.extracted is not None
    assert done.consolidated is None
    assert done.skipped == "It was told to stop."
    (card,) = book.catalog.cards.all()
    server.script(*good(card))
    done = do(book, sessions, endpoint(server))
    assert (done.extracted.claimed, done.consolidated.outcome) == (0, Outcome.DONE)
    assert book.published()["MEMORY.md"].decode() == handbook(card)


def test_below_the_rate_nothing_is_asked(book, sessions, server):
    talk(book, sessions)
    done = do(book, sessions, Scarce(endpoint(server), 24.0))
    assert (done.extracted, done.consolidated, done.rate) == (None, None, 24.0)
    assert "notebook_rate_percent" in done.skipped
    assert server.requests == []


def test_what_is_left_after_the_first_phase_decides_on_the_second(book, sessions, server):
    book.card(project="shop")
    done = do(book, sessions, Scarce(endpoint(server), 25.0, 25.0, 25.0, 24.0))
    assert done.extracted is not None
    assert done.consolidated is None
    assert "24 %" in done.skipped


def test_an_allowance_that_is_not_told_is_enough(book, sessions, server):
    card = book.card(project="shop")
    server.script(*good(card))
    done = do(book, sessions, endpoint(server))
    assert (done.rate, done.consolidated.outcome) == (None, Outcome.DONE)


def test_a_rewrite_whose_input_moves_begins_again_and_not_for_ever(book, sessions, server):
    book.card(project="shop")
    model = endpoint(server)

    class Moving:
        tried = 0

        def __getattr__(self, name):
            return getattr(model, name)

        def work(self, task):
            self.tried += 1
            book.catalog.jobs.mark_dirty(book.now)
            model.work(task)

    moving = Moving()
    server.script(Reply(text="Done.", repeat=True))
    told = []
    done = do(book, sessions, model, rewriter=moving, stage=told.append)
    assert done.consolidated.outcome is Outcome.OUTDATED
    anew = "Rewriting the notebook anew, for what it is made from changed"
    assert told == ["Rewriting the notebook", anew, anew]
    assert moving.tried == TRIES
    assert done.consolidated.usage.output == 10 * TRIES


def test_cards_that_nobody_used_go_with_their_notes_unless_the_notebook_has_them(book, server):
    cited = book.card(FIRST)
    server.script(*good(cited))
    assert book.rewrite(endpoint(server)).outcome is Outcome.DONE
    unused = book.card(SECOND)
    book.device.pass_time(days=40)
    book.restart()
    done = prune(book.call, book.catalog, NotebookSettings(), book.now)
    assert done.sessions == (unused.session,)
    assert [one.session for one in book.catalog.cards.all()] == [cited.session]
    notes = [path for path in book.world.notes() if "System/Sessions" in path]
    assert len(notes) == 1


def test_on_a_device_that_does_not_rewrite_what_the_notebook_cites_stays(book, server):
    """It has not consumed anything itself; the published handbook says what is still in use."""
    card = book.card(FIRST)
    server.script(*good(card))
    book.rewrite(endpoint(server))
    book.catalog.jobs.claim(JobKind.CONSOLIDATE, GLOBAL, 0.0, book.now, "x", force=True)
    with book.catalog._db.changing() as sql:
        sql.execute("DELETE FROM selected")
    book.device.pass_time(days=40)
    book.restart()
    assert prune(book.call, book.catalog, NotebookSettings(), book.now).sessions == ()
