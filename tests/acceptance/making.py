"""Patches, candidates and what came of them, for acceptance tests on a real vault."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vaultmem.core.ids import MemoryId, with_prefix
from vaultmem.core.model import Category, Memory
from vaultmem.core.operation import Op, Operation
from vaultmem.core.patch_rules import Applier
from vaultmem.core.trust import Durability, TrustClass
from vaultmem.services import patches
from vaultmem.services.apply import apply
from vaultmem.services.capture import Captured, Channel, Source, Wish, add
from vaultmem.services.inbox import waiting
from vaultmem.services.lookup import find_memory
from vaultmem.services.report import report

if TYPE_CHECKING:
    from tests.world import World
    from vaultmem.services.apply import Applied
    from vaultmem.services.inbox import Waiting


def say(world: World, text: str, *, agent: str | None = None, **wish: object) -> Captured:
    """`vaultmem add` by the person, or by an agent."""
    app = world.here.app(agent=agent)
    wanted = Wish(text=text, **({"category": Category.LESSON} | wish))  # type: ignore[arg-type]
    return add(app.call(), app.engine, wanted)


USER = Source(channel=Channel.MESSAGE, session="s1", ref="m1", trust=TrustClass.USER_CORRECTION)
"""A message that the user wrote to their agent, handed over by the agent's extension."""


def hear(world: World, text: str) -> Captured:
    """A correction in a user's message; policy applies it when the session ends."""
    app = world.here.app()
    wish = Wish(text=text, category=Category.LESSON, confidence=0.9, durability=Durability.PROJECT)
    return add(app.call(), app.engine, wish, source=USER)


def candidate(world: World, text: str, **wish: object) -> Waiting:
    """What an agent proposed and a person has not decided."""
    done = say(world, text, agent="pi", **wish)
    assert done.outcome == "candidate", done
    return next(one for one in waiting(world.here.call()) if one.id == done.id)


def memory(world: World, identifier: str) -> Memory:
    """A memory as it is in force now."""
    return find_memory(world.here.call(), identifier).decoded.memory


def adds(one: Waiting) -> Operation:
    """The operation that makes a memory of a candidate."""
    from dataclasses import replace

    new = replace(one.candidate.memory, id=MemoryId(with_prefix(one.id, "mem")))
    return Operation(op=Op.ADD, memory=new, candidate=one.id)


def supersedes(one: Waiting, old: str) -> Operation:
    """The operation that replaces a memory by what a candidate says."""
    new = adds(one).memory
    return Operation(op=Op.SUPERSEDE, target=MemoryId(old), memory=new, candidate=one.id)


def on(old: str, op: Op, **parts: object) -> Operation:
    """An operation on a memory."""
    return Operation(op=op, target=MemoryId(old), **parts)  # type: ignore[arg-type]


def proposed(world: World, *operations: Operation) -> patches.OpenPatch:
    """A patch of these in the inbox, nothing ticked."""
    call = world.here.call()
    pairs = [(one, memory(world, one.target) if one.target else None) for one in operations]
    patch = patches.new(call, pairs)
    patches.save(call, patch)
    world.here.sync()
    return patches.find_patch(world.here.call(), patch.id)


def applied(
    world: World, opened: patches.OpenPatch, *names: str, applier: Applier = Applier.PERSON
) -> Applied:
    """A person applies operations of a patch by their names, or all of them."""
    chosen = names or [one.id for one in opened.patch.operations]
    return apply(
        world.here.call(),
        opened.patch,
        applier=applier,
        selected=frozenset(chosen),
        via="patch",
        opened=opened,
    )


def told(world: World, prompt: str = "") -> str:
    """The report, with room for everything."""
    return report(world.here.call(), prompt=prompt, budget=10_000).text


def inbox(world: World) -> list[str]:
    """The ids of the candidates that wait."""
    return [one.id for one in waiting(world.here.call())]
