"""Verbs that save exports, to be killed: what each promises, and what is never lost."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.faults.scenes import Scene, known
from vaultmem.core.governance import Governance
from vaultmem.notes.canvas import decode_canvas
from vaultmem.services.curating.candidates import waiting
from vaultmem.services.exporting.canvas import export_canvas
from vaultmem.services.exporting.handoff import export_handoff, handoff_lines
from vaultmem.services.exporting.saved import save_by_person
from vaultmem.services.exporting.way_back import export_topics
from vaultmem.services.meta_consolidation import consolidate
from vaultmem.services.render import Outcome, render

if TYPE_CHECKING:
    from tests.world import World

REPORTS = "Memory/System/Reports"


def _known(world: World) -> str:
    identifier = known(world)
    world.here.sync()
    return identifier


def _stable(world: World) -> str:
    for name in ("Rebase first", "Name every file"):
        world.memory(f"Memory/Lessons/{name}.md", f"{name}.", tags="memory/git", stability="stable")
    return _known(world)


def _files(world: World, ending: str) -> list[str]:
    return sorted(one.name for one in world.path(REPORTS).glob(f"*{ending}"))


def _handoff(world: World, _: str) -> str:
    call = world.here.call()
    return save_by_person(call, "handoff", handoff_lines(export_handoff(call), in_note=True))


def _topics(world: World, _: str = "") -> bool:
    """Write them, twice: what was begun and killed is nobody else's, so nothing is asked."""
    out = world.folder / "out"
    export_topics(world.here.call(), out)
    return (out / "topics/lessons.md").exists() and (out / "memory-scores.jsonl").exists()


def _identity(world: World, _: str) -> int:
    call = world.here.call()
    call.vault.governance = Governance(meta_enabled=True)
    return len(consolidate(call).proposed)


def _drawn(world: World) -> list[str]:
    found = (one.candidate.memory for one in waiting(world.here.call()))
    return [one.layer for one in found if one.derived_from]


EXPORT_SCENES: tuple[Scene, ...] = (
    Scene(
        name="export handoff",
        prepare=_known,
        act=_handoff,
        kept=lambda world, _: len(_files(world, ".md")) == 1,
        undone=lambda world, _: _files(world, ".md") == [],
    ),
    Scene(
        name="export canvas",
        prepare=_known,
        act=lambda world, _: export_canvas(world.here.call(), save=True).written,
        kept=lambda world, _: any(
            decode_canvas(world.path(f"{REPORTS}/{name}").read_bytes(), path=name).cards
            for name in _files(world, ".canvas")
        ),
        undone=lambda world, _: _files(world, ".canvas") == [],
    ),
    Scene(name="export topics", prepare=_known, act=_topics, kept=_topics),
    Scene(
        name="render",
        prepare=_known,
        act=lambda world, _: [one.outcome.value for one in render(world.here.call())],
        kept=lambda world, _: (
            len(_files(world, ".md")) == 1
            and [one.outcome for one in render(world.here.call())] == [Outcome.UNCHANGED]
        ),
        undone=lambda world, _: _files(world, ".md") == [],
    ),
    Scene(
        name="maintain identity",
        prepare=_stable,
        act=_identity,
        kept=lambda world, name: _drawn(world) == ["L1"] and _identity(world, name) == 0,
        undone=lambda world, _: _drawn(world) == [],
    ),
)
