"""Verbs of candidates, patches and deletion to be killed, in the manner of `scenes`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.faults.agent_scenes import AGENT_SCENES
from tests.faults.dream_scenes import DREAM_SCENES
from tests.faults.export_scenes import EXPORT_SCENES
from tests.faults.import_scenes import IMPORT_SCENES
from tests.faults.knowledge_scenes import KNOWLEDGE
from tests.faults.maintenance_scenes import MAINTENANCE
from tests.faults.notebook_scenes import NOTEBOOK_SCENES
from tests.faults.obsidian_scenes import OBSIDIAN_SCENES
from tests.faults.outcome_scenes import OUTCOME_SCENES
from tests.faults.promotion_scenes import PROMOTIONS
from tests.faults.review_scenes import REVIEW_SCENES
from tests.faults.scenes import SCENES, STATEMENT, WISHED, Scene, known, standing, statements, wish
from vaultmem.core.model import Category
from vaultmem.core.operation import Op, Operation
from vaultmem.core.patch_rules import Applier
from vaultmem.notes.candidate import Decision
from vaultmem.services.apply import apply
from vaultmem.services.capture import Wish, add
from vaultmem.services.curate import curate, session_end
from vaultmem.services.forget import forget
from vaultmem.services.inbox import decide, waiting
from vaultmem.services.lookup import find_memory
from vaultmem.services.message import capture_message
from vaultmem.services.patches import new, open_patches, save
from vaultmem.services.purge import purge
from vaultmem.services.standing_change import contest, deprecate
from vaultmem.services.undo import undo

if TYPE_CHECKING:
    from pathlib import Path

    from tests.world import World

SAID = "Always run the mibbler before you commit."
WORD = "mibbler"
"""Stands in what a message says, and nowhere else."""
ALSO_SAID = "Never push to the dravok branch without asking me."
ALSO_WORD = "dravok"


def _message(world: World) -> str:
    known(world)
    world.here.sync()
    _hear(world)
    return ""


def _hear(world: World) -> str:
    app = world.here.app()
    heard = capture_message(app.call(), app.engine, SAID, session="monday")
    return str([one.done.outcome for one in heard if one.done])


def _patch(world: World) -> str:
    _message(world)
    return str(curate(world.here.call(), mode="propose").proposed)


def _two_in_a_patch(world: World) -> str:
    _message(world)
    app = world.here.app()
    capture_message(app.call(), app.engine, ALSO_SAID, session="monday")
    return str(curate(world.here.call(), mode="propose").proposed)


def _both(world: World) -> bool:
    return all(any(word in one for one in statements(world)) for word in (WORD, ALSO_WORD))


def _everywhere(world: World) -> str:
    """A memory with evidence, a decided patch, and an open one that names it."""
    _added(world)
    (one,) = [one for one in world.here.call().vault.baseline.standings() if WORD in one.statement]
    call = world.here.call()
    target = find_memory(call, one.id).decoded.memory
    save(call, new(call, [(Operation(op=Op.CONTEST, target=target.id), target)]))
    return one.id


def _ticked(world: World) -> str:
    path = _patch(world)
    world.here.sync()
    world.replace(path, "decision:", "decision: apply")
    return path


def _added(world: World) -> str:
    _patch(world)
    _apply(world, "")
    return ""


def _apply(world: World, _: str) -> str:
    call = world.here.call()
    (opened,) = open_patches(call)
    everything = frozenset(one.id for one in opened.patch.operations)
    by = Applier.PERSON
    done = apply(call, opened.patch, applier=by, selected=everything, via="patch", opened=opened)
    return str([one.op for one in done.applied])


def _heard_statement(world: World) -> bool:
    return any(WORD in one for one in statements(world))


def _no_patch_waits(world: World) -> bool:
    return open_patches(world.here.call()) == []


def _bytes_of(world: World, text: str) -> list[Path]:
    """Every file of the vault and of the home that holds a text, or is named after it."""
    return [
        place
        for place in world.folder.rglob("*")
        if text in place.name or (place.is_file() and text.encode() in place.read_bytes())
    ]


def _stays_away(world: World, text: str) -> bool:
    """Whether an agent cannot bring a deleted text back."""
    app = world.here.app(agent="pi")
    wanted = Wish(text=text, category=Category.LESSON)
    return add(app.call(), app.engine, wanted).outcome == "refused"


def _rejected(world: World) -> str:
    known(world)
    world.here.sync()
    identifier = str(wish(world, agent="pi").id)
    decide(world.here.call(), identifier, Decision.REJECT)
    return identifier


def _deprecated(world: World) -> str:
    identifier = known(world)
    world.here.sync()
    deprecate(world.here.call(), identifier)
    return identifier


def _contradicted(world: World) -> str:
    identifier = world.memory("Memory/Lessons/old.md", "Never use UTC in every table.")
    world.here.sync()
    return identifier


GOVERNED: tuple[Scene, ...] = (
    Scene(
        name="message",
        prepare=known,
        act=lambda world, _: _hear(world),
        kept=lambda world, _: any(
            WORD in one.candidate.memory.statement for one in waiting(world.here.call())
        ),
        undone=lambda world, _: waiting(world.here.call()) == [],
    ),
    Scene(
        name="session end",
        prepare=_message,
        act=lambda world, _: len(session_end(world.here.call()).applied),
        kept=lambda world, _: _heard_statement(world) and waiting(world.here.call()) == [],
        undone=lambda world, _: (
            not _heard_statement(world) and len(waiting(world.here.call())) == 1
        ),
    ),
    Scene(
        name="propose a patch",
        prepare=_message,
        act=lambda world, _: curate(world.here.call(), mode="propose").proposed,
        kept=lambda world, _: len(open_patches(world.here.call())) == 1,
        undone=lambda world, _: len(waiting(world.here.call())) == 1,
    ),
    Scene(
        name="apply",
        prepare=_patch,
        act=_apply,
        kept=lambda world, _: _heard_statement(world) and _no_patch_waits(world),
        undone=lambda world, _: not _heard_statement(world) and not _no_patch_waits(world),
    ),
    Scene(
        name="apply two",
        prepare=_two_in_a_patch,
        act=_apply,
        kept=lambda world, _: _both(world) and _no_patch_waits(world),
        undone=lambda world, _: not _both(world) and not _no_patch_waits(world),
    ),
    Scene(
        name="ticks in the note",
        prepare=_ticked,
        act=lambda world, _: world.here.sync().applied,
        unseen=True,
        kept=lambda world, _: _heard_statement(world) and _no_patch_waits(world),
        undone=lambda world, _: False,
    ),
    Scene(
        name="undo an add",
        prepare=_added,
        act=lambda world, _: undo(world.here.call()).status,
        kept=lambda world, _: not _heard_statement(world),
        undone=lambda world, _: _heard_statement(world),
    ),
    Scene(
        name="undo a rejection",
        prepare=_rejected,
        act=lambda world, _: undo(world.here.call()).status,
        kept=lambda world, name: [one.id for one in waiting(world.here.call())] == [name],
        undone=lambda world, _: waiting(world.here.call()) == [],
    ),
    Scene(
        name="contest",
        prepare=known,
        act=lambda world, name: contest(world.here.call(), name).status,
        kept=lambda world, name: standing(world, name).status == "contested",
        undone=lambda world, name: standing(world, name).status == "active",
    ),
    Scene(
        name="undo a change",
        prepare=_deprecated,
        act=lambda world, _: undo(world.here.call()).status,
        kept=lambda world, name: standing(world, name).status == "active",
        undone=lambda world, name: standing(world, name).status == "deprecated",
    ),
    Scene(
        name="override",
        prepare=_contradicted,
        act=lambda world, _: wish(world, override=True).outcome,
        kept=lambda world, name: (
            WISHED in statements(world) and standing(world, name).status == "superseded"
        ),
        undone=lambda world, name: (
            WISHED not in statements(world) and standing(world, name).status == "active"
        ),
    ),
    Scene(
        name="forget",
        prepare=known,
        act=lambda world, name: forget(world.here.call(), name).changed,
        kept=lambda world, _: STATEMENT not in statements(world) and _stays_away(world, STATEMENT),
        undone=lambda world, _: STATEMENT in statements(world),
    ),
    Scene(
        name="purge everywhere",
        prepare=_everywhere,
        act=lambda world, name: purge(world.here.call(), name).finished,
        kept=lambda world, _: _bytes_of(world, WORD) == [] and _stays_away(world, SAID),
        undone=lambda world, _: _heard_statement(world),
    ),
    Scene(
        name="purge",
        prepare=known,
        act=lambda world, name: purge(world.here.call(), name).finished,
        kept=lambda world, _: (
            _bytes_of(world, STATEMENT.rstrip(".")) == [] and _stays_away(world, STATEMENT)
        ),
        undone=lambda world, _: STATEMENT in statements(world),
    ),
)
"""The verbs of candidates, patches and deletion."""

EVERY_SCENE = (
    *(*SCENES, *GOVERNED, *MAINTENANCE, *EXPORT_SCENES, *IMPORT_SCENES),
    *(*REVIEW_SCENES, *OBSIDIAN_SCENES),
    *(*PROMOTIONS, *OUTCOME_SCENES, *KNOWLEDGE, *AGENT_SCENES, *NOTEBOOK_SCENES, *DREAM_SCENES),
)
