"""What most tests of a service begin with."""

from __future__ import annotations

import pytest

from tests.index.fake import FakeEmbedder
from tests.services.sessioning import Sessions


@pytest.fixture
def ready(world):
    """A vault that its device looked at."""
    world.here.sync()
    return world


@pytest.fixture
def sessions(ready):
    """A vault that its device looked at, and no session so far."""
    made = Sessions(ready)
    yield made
    made.close()


@pytest.fixture
def fake():
    """A model for which texts that share words are near each other."""
    return FakeEmbedder()


@pytest.fixture
def by_meaning(ready, fake):
    """As `sessions`, with `fake` as the model."""
    made = Sessions(ready, embedder=fake)
    yield made
    made.close()
