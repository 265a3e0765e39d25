"""Verbs to be killed: the vault each begins with, what it does, and what its success promises."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from vaultmem.core.model import Category
from vaultmem.notes.candidate import Decision
from vaultmem.services.capture import Wish, add
from vaultmem.services.edit import edit
from vaultmem.services.inbox import decide, waiting
from vaultmem.services.note_property import put
from vaultmem.services.ratify import ratify

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.world import World

KNOWN = "Memory/Lessons/Add files by name.md"
STATEMENT = "Add files by name."
"""A memory that is there when a scene begins."""
WISHED = "Use UTC in every table."
"""What the scenes add."""


@dataclass(frozen=True, kw_only=True)
class Scene:
    """One verb.

    Attributes:
        name: of the verb.
        prepare: writes what it needs; its answer, an id or a path, is given to the others.
        act: the verb, in a process of its own; its answer is what it reports.
        kept: whether the vault holds what a success promised.
        undone: whether it holds nothing of it; after a kill and one sync it is one or the other.
        answers: whether it answers also where nothing can be written, so that its answer promises
            nothing of what it could keep.
        unseen: whether the last thing that is prepared waits for the first look.
        persons: how many changes the next sync may call the person's: those that they made by hand.
    """

    name: str
    prepare: Callable[[World], str]
    act: Callable[[World, str], object]
    kept: Callable[[World, str], bool]
    undone: Callable[[World, str], bool] = lambda world, name: True
    persons: int = 0
    unseen: bool = False
    answers: bool = False


def standing(world: World, identifier: str):
    """The memory as the report sees it, or None."""
    baseline = world.here.call().vault.baseline
    row = baseline.memory(identifier)
    found = baseline.standing(identifier)
    return found if row is not None and row.state == "live" else None


def statements(world: World) -> set[str]:
    """What is in force."""
    live = world.here.call().vault.baseline.standings()
    return {one.statement for one in live if one.status in ("active", "contested")}


def wish(world: World, *, agent: str | None = None, override: bool = False, **options: object):
    """Add what the scenes add."""
    app = world.here.app(agent=agent)
    wanted = Wish(text=WISHED, category=Category.DECISION, **options)
    return add(app.call(), app.engine, wanted, override_conflicts=override)


def known(world: World) -> str:
    return world.memory(KNOWN, STATEMENT, category="lesson", pinned="true")


def _candidate(world: World) -> str:
    known(world)
    world.here.sync()
    return wish(world, agent="pi").id


def _decided(word: str) -> Callable[[World], str]:
    def prepare(world: World) -> str:
        identifier = _candidate(world)
        world.here.sync()
        (one,) = waiting(world.here.call())
        world.replace(one.path, "decision:", f"decision: {word}")
        return identifier

    return prepare


def _dropped(world: World) -> str:
    identifier = known(world)
    world.here.sync()
    world.write("Memory/Decisions/new.md", f"{WISHED}\n")
    return identifier


def _decide(decision: Decision) -> Callable[[World, str], object]:
    return lambda world, name: decide(world.here.call(), name, decision).outcome


def _gone(world: World, identifier: str) -> bool:
    return all(one.id != identifier for one in waiting(world.here.call()))


SCENES: tuple[Scene, ...] = (
    Scene(
        name="add",
        prepare=known,
        act=lambda world, _: wish(world, pin=True).outcome,
        kept=lambda world, _: WISHED in statements(world),
        undone=lambda world, _: WISHED not in statements(world),
    ),
    Scene(
        name="propose",
        prepare=known,
        act=lambda world, _: wish(world, agent="pi").outcome,
        kept=lambda world, _: (
            [one.candidate.memory.statement for one in waiting(world.here.call())] == [WISHED]
        ),
        undone=lambda world, _: waiting(world.here.call()) == [],
    ),
    Scene(
        name="sync",
        prepare=_dropped,
        act=lambda world, _: world.here.sync().created,
        kept=lambda world, _: WISHED in statements(world),
        persons=1,
        unseen=True,
        undone=lambda world, _: False,
    ),
    Scene(
        name="approve",
        prepare=_candidate,
        act=_decide(Decision.APPROVE),
        kept=lambda world, name: WISHED in statements(world) and _gone(world, name),
        undone=lambda world, name: WISHED not in statements(world) and not _gone(world, name),
    ),
    Scene(
        name="reject",
        prepare=_candidate,
        act=_decide(Decision.REJECT),
        kept=lambda world, name: WISHED not in statements(world) and _gone(world, name),
        undone=lambda world, name: not _gone(world, name),
    ),
    Scene(
        name="defer",
        prepare=_candidate,
        act=_decide(Decision.DEFER),
        kept=lambda world, _: (
            [one.candidate.state for one in waiting(world.here.call())] == ["deferred"]
        ),
    ),
    Scene(
        name="decision in the note",
        prepare=_decided("approve"),
        act=lambda world, _: world.here.sync().applied,
        unseen=True,
        kept=lambda world, name: WISHED in statements(world) and _gone(world, name),
        undone=lambda world, _: False,
    ),
    Scene(
        name="ratify",
        prepare=lambda world: world.memory("Memory/Identity/Me.md", "I am Ada.", layer="L1"),
        act=lambda world, name: ratify(world.here.call(), name).accepted,
        kept=lambda world, name: standing(world, name).force == 1,
    ),
    Scene(
        name="set",
        prepare=known,
        act=lambda world, _: put(world.here.call(), KNOWN, "stability", ["stable"]).changed,
        kept=lambda world, _: "stability: stable" in world.read(KNOWN),
        persons=1,
    ),
    Scene(
        name="edit",
        prepare=known,
        act=lambda world, name: (
            edit(world.here.call(), name, statement=WISHED, properties={}).changed
        ),
        kept=lambda world, name: standing(world, name).statement == WISHED,
        persons=1,
    ),
)
