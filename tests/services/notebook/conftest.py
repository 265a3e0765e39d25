"""What the tests of the published notebook begin with."""

from __future__ import annotations

import pytest

from tests.pi.model_server import ModelServer
from tests.services.notebook import noting
from tests.services.notebook.dreams import Sleeper
from tests.services.notebook.rewriting import Notebook


@pytest.fixture
def noted(world):
    """A vault in which the notebook is on and nothing is published yet."""
    noting.switch_on(world.here)
    world.here.sync()
    return world


@pytest.fixture
def published(noted):
    """A vault with a published notebook."""
    noting.put(noted.here)
    noted.here.sync()
    return noted


@pytest.fixture
def server():
    """A model with a script."""
    with ModelServer() as made:
        yield made


@pytest.fixture
def book(world):
    """The notebook of a vault in which it is on, without a card."""
    world.here.sync()
    return Notebook(world)


@pytest.fixture
def sleeper(world):
    """A vault in which a scripted model dreams."""
    world.here.sync()
    with ModelServer() as server:
        yield Sleeper(world, server)
