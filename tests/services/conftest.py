"""What most tests of a service begin with."""

from __future__ import annotations

import pytest

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
