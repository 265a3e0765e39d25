"""Outcomes to be killed: a confirmation with its evidence, a correction, the end of a session."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.faults.scenes import Scene, known
from vaultmem.core.ids import MemoryId
from vaultmem.core.reinforcement import Outcome
from vaultmem.services.confirm import confirm
from vaultmem.services.outcomes import link_correction, outcomes_of
from vaultmem.services.session_outcomes import session_ended
from vaultmem.services.telemetry import Told, injected, replied

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.world import World

REPLY = "I looked at the tree first. Add files by name, you said, so I staged two of them by hand."


def _looked(world: World) -> str:
    identifier = known(world)
    world.here.sync()
    return identifier


def _told(world: World) -> str:
    identifier = _looked(world)
    told = [Told(MemoryId(identifier), "pinned")]
    injected(world.here.call(), session="s1", query_class="general", told=told)
    return identifier


def _used(world: World) -> str:
    identifier = _told(world)
    replied(world.here.call(), REPLY, session="s1")
    return identifier


def _happened(*outcomes: Outcome) -> Callable[[World, str], bool]:
    return lambda world, name: outcomes_of(world.here.call(), name) == outcomes


OUTCOME_SCENES: tuple[Scene, ...] = (
    Scene(
        name="reinforce",
        prepare=_looked,
        act=lambda world, name: (
            confirm(world.here.call(), name, session="s1", note="Nothing was lost.").outcome
        ),
        kept=_happened(Outcome.REINFORCED),
        undone=_happened(),
    ),
    Scene(
        name="correct",
        prepare=_told,
        act=lambda world, _: link_correction(
            world.here.call(), "Do not add files by name.", session="s1"
        ),
        kept=_happened(Outcome.CORRECTED),
        undone=_happened(),
    ),
    Scene(
        name="end of a session",
        prepare=_used,
        act=lambda world, _: len(session_ended(world.here.call(), "s1")),
        kept=_happened(Outcome.SUCCESS),
        undone=_happened(),
    ),
)
