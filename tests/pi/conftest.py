"""A Pi, a vault, and the model behind it."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import pytest

from tests.pi.driver import Pi
from tests.pi.installed import NEWEST, Installed, install, or_skip
from tests.pi.model_server import ModelServer

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests.world import World


@pytest.fixture(scope="session")
def installed() -> Installed:
    """Node and both versions of Pi; where they cannot be had, CI fails and others skip."""
    return or_skip(install, "Pi cannot be installed here")


@pytest.fixture
def model() -> Iterator[ModelServer]:
    """The model, without a script yet."""
    with ModelServer() as server:
        yield server


@pytest.fixture
def version() -> str:
    """The newest Pi; a test of what differs is parametrized with `BOTH`."""
    return NEWEST


@pytest.fixture
def pi(installed: Installed, model: ModelServer, version: str, world: World, tmp_path: Path) -> Pi:
    """A Pi into which vaultmem is installed, with the vault of `world` and plenty of time."""
    return make_pi(installed, world, tmp_path / "pi", model, version)


def make_pi(
    installed: Installed, world: World, folder: Path, model: ModelServer, version: str = NEWEST
) -> Pi:
    """The same, as many as a test needs."""
    from vaultmem.services.pi_package import install_package

    made = Pi(installed.node, installed.cli(version), folder, model.url)
    made.variables |= {
        "NODE_COMPILE_CACHE": str(installed.compile_cache),
        "VAULTMEM_HOME": str(world.here.home),
        "VAULTMEM_VAULT": str(world.vault),
        "VAULTMEM_PI_LIMIT_MS": "45000",
    }
    home = world.here.app().home
    install_package(home, made.agent, interpreter=sys.executable, agent=None)
    return made
