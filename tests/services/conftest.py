"""What most tests of a service begin with."""

from __future__ import annotations

import pytest


@pytest.fixture
def ready(world):
    """A vault that its device looked at."""
    world.here.sync()
    return world
