"""What most tests of the hooks begin with."""

from __future__ import annotations

import pytest

from tests.hooks.serving import Serving


@pytest.fixture
def serving(world):
    """Our process over a vault that was looked at; no bug may be left in its log."""
    world.here.sync()
    made = Serving(world)
    yield made
    made.close()
    assert made.crash == ""
