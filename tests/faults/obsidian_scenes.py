"""The companion plugin comes or goes and is killed: what is half there comes whole, or goes whole."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.faults.scenes import Scene, known
from vaultmem.services.obsidian_plugin import (
    FOLDER,
    install_plugin,
    plan_install,
    plugin_status,
    uninstall_plugin,
)

if TYPE_CHECKING:
    from tests.world import World


def _known(world: World) -> str:
    identifier = known(world)
    world.here.sync()
    return identifier


def _install(world: World, _: str = "") -> int:
    call = world.here.call()
    return len(install_plugin(call, plan_install(call)))


def _installed(world: World) -> str:
    identifier = _known(world)
    _install(world)
    return identifier


def _goes_whole(world: World, _: str) -> bool:
    """Whatever is there now was recorded before, so that all of it goes."""
    uninstall_plugin(world.here.call())
    return not world.path(FOLDER).exists()


OBSIDIAN_SCENES: tuple[Scene, ...] = (
    Scene(
        name="obsidian install",
        prepare=_known,
        act=_install,
        kept=lambda world, _: plugin_status(world.vault).complete,
        undone=_goes_whole,
    ),
    Scene(
        name="obsidian uninstall",
        prepare=_installed,
        act=lambda world, _: len(uninstall_plugin(world.here.call()).removed),
        kept=lambda world, _: not world.path(FOLDER).exists(),
        undone=_goes_whole,
    ),
)
