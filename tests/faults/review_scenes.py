"""Guidelines for reviews, to be killed: a line more in the note, or its box ticked."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.faults.scenes import Scene, known
from vaultmem.core.reviewing.guidelines import Standing
from vaultmem.services.reviewing.guidelines import add_guideline, list_guidelines

if TYPE_CHECKING:
    from tests.world import World

PROJECT, NOTE = "github.com/acme/tide", "Memory/Review/tide.md"
FIRST, SECOND = "Generated files are not reviewed.", "Ask for a test of every repair."


def _noted(world: World) -> str:
    identifier = known(world)
    world.write(NOTE, f"Mine.\n- {FIRST}\n\nBelow.\n")
    world.here.sync()
    return identifier


def _proposed(world: World) -> str:
    _noted(world)
    add_guideline(world.here.call(agent="pi"), SECOND, PROJECT)
    return NOTE


def _held(world: World) -> list[str]:
    placed = list_guidelines(world.here.call(), PROJECT).guidelines
    return [one.guideline.text for one in placed if one.guideline.standing is Standing.HOLDS]


def _add(world: World, _: str) -> str:
    return add_guideline(world.here.call(), SECOND, PROJECT).outcome


REVIEW_SCENES: tuple[Scene, ...] = (
    Scene(
        name="guideline add",
        prepare=_noted,
        act=_add,
        kept=lambda world, _: (
            world.read(NOTE) == f"Mine.\n- {FIRST}\n- {SECOND}\n\nBelow.\n"
            and _held(world) == [FIRST, SECOND]
        ),
        undone=lambda world, _: FIRST in _held(world) and f"[ ] {SECOND}" not in world.read(NOTE),
    ),
    Scene(
        name="guideline propose",
        prepare=_noted,
        act=lambda world, _: add_guideline(world.here.call(agent="pi"), SECOND, PROJECT).outcome,
        kept=lambda world, _: (
            world.read(NOTE) == f"Mine.\n- {FIRST}\n- [ ] {SECOND}\n\nBelow.\n"
            and _held(world) == [FIRST]
        ),
        undone=lambda world, _: world.read(NOTE) == f"Mine.\n- {FIRST}\n\nBelow.\n",
    ),
    Scene(
        name="guideline accept",
        prepare=_proposed,
        act=_add,
        kept=lambda world, _: (
            f"- [x] {SECOND}\n" in world.read(NOTE) and _held(world) == [FIRST, SECOND]
        ),
        undone=lambda world, _: FIRST in _held(world),
    ),
)
