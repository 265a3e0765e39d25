"""A dream's steps come in their order: review and reorganisation, provenance, promotion."""

from __future__ import annotations

from itertools import count

import pytest

from tests.pi.model_server import ModelServer
from tests.services.notebook.dreams import MAKE, Sleeper, answer
from tests.services.notebook.test_dreaming_steps import learned
from tests.services.promoting import DEPLOY, heard
from vaultmem.services.notebook.dream import DreamOutcome


@pytest.fixture
def sleeper(world):
    """A vault in which every step of a dream has something to do."""
    world.here.sync()
    with ModelServer() as server:
        made = Sleeper(world, server)
        made.lessons()
        learned(world)
        heard(world, DEPLOY, "a", "b", "c")
        yield made


def test_what_is_proposed_comes_before_provenance_and_promotion(sleeper):
    inbox = sleeper.world.vault / "Memory/Inbox"

    def is_proposed() -> bool:
        return any("type: patch" in one.read_text() for one in inbox.glob("*.md"))

    sleeper.script(answer(stale=[{"id": sleeper.shown(MAKE), "reason": "Over."}]))
    done = sleeper.dream(stop=is_proposed)
    assert done.outcome is DreamOutcome.STOPPED
    assert (done.patch is not None, done.merged, done.promoted) == (True, 0, 0)


def test_provenance_comes_before_promotion(sleeper):
    steps = count(1)
    done = sleeper.dream(model=None, stop=lambda: next(steps) > 1)
    assert (done.outcome, done.merged, done.promoted) == (DreamOutcome.STOPPED, 1, 0)
    assert sleeper.dream(model=None).promoted == 1
