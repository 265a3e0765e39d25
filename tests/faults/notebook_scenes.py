"""Verbs of the notebook to be killed: switching it on and off, and going back.

A reset that is cut short is run again by the person, so it is none of them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.faults.scenes import Scene
from tests.services.notebook import noting
from vaultmem.services.notebook.enable import disable, enable, is_consolidating, is_enabled
from vaultmem.services.notebook.restore import restore

if TYPE_CHECKING:
    from tests.world import World

PROJECT = "acme/tide"


def _nothing(_: World) -> str:
    return ""


def _on(world: World, _: str = "") -> str:
    app = world.here.app()
    return str(enable(world.here.call(), app.home, PROJECT).changed)


def _off(world: World, _: str = "") -> str:
    app = world.here.app()
    return str(disable(world.here.call(), app.home, PROJECT).changed)


def _is_on(world: World, _: str) -> bool:
    return is_enabled(world.here.app().config.config, PROJECT)


def _two_versions(world: World) -> str:
    noting.switch_on(world.here)
    world.here.sync()
    first = noting.put(world.here)
    noting.put(world.here, noting.NEXT)
    return first


def _holds(world: World, files: dict[str, bytes]) -> bool:
    """Whether the vault and the history hold the same, and that."""
    return noting.on_disk(world) == files == noting.in_force(world.here)


NOTEBOOK_SCENES: tuple[Scene, ...] = (
    Scene(
        name="notebook on",
        prepare=_nothing,
        act=_on,
        kept=lambda world, name: _is_on(world, name) and is_consolidating(world.here.call()),
        undone=lambda world, name: not is_consolidating(world.here.call()),
        persons=1,
    ),
    Scene(
        name="notebook off",
        prepare=_on,
        act=_off,
        kept=lambda world, name: not _is_on(world, name),
        undone=_is_on,
    ),
    Scene(
        name="notebook restore",
        prepare=_two_versions,
        act=lambda world, name: restore(world.here.call(), name).paths,
        kept=lambda world, name: _holds(world, noting.FILES),
        undone=lambda world, name: _holds(world, noting.NEXT),
    ),
)
