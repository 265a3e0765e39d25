"""What every test may rely on: a clean environment and no way out of the temporary folder."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, settings

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests.world import World

# A slow machine is no fault: speed is measured in benchmarks.
settings.register_profile("untimed", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("untimed")

_CLEARED = ("AI_AGENT", "PI_CODING_AGENT")


def not_a_persons() -> list[str]:
    """The variables here that say that an agent runs us, or that are this machine's own settings."""
    return [
        name for name in os.environ if name in _CLEARED or name.startswith(("PI_", "VAULTMEM_"))
    ]


@pytest.fixture(autouse=True)
def _clean_environment(
    monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory
) -> None:
    for name in not_a_persons():
        monkeypatch.delenv(name)
    monkeypatch.setenv("VAULTMEM_HOME", str(tmp_path_factory.mktemp("home")))


@pytest.fixture
def world(tmp_path: Path) -> Iterator[World]:
    """A vault of its own, with one device."""
    from tests.world import World  # most tests need none

    made = World(tmp_path)
    yield made
    made.close()


@pytest.fixture
def known(world: World) -> str:
    """The id of a memory in force, `NOTE` of `tests.world`, without any force of its own."""
    from tests.world import NOTE, SAYS

    identifier = world.memory(NOTE, SAYS, category="lesson")
    world.here.sync()
    return identifier
