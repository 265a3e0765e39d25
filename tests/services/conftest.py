"""A vault of its own for each test of a service."""

from __future__ import annotations

import pytest

from tests.world import World


@pytest.fixture
def world(tmp_path):
    made = World(tmp_path)
    yield made
    made.close()
