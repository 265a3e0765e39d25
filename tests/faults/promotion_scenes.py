"""Verbs of promotions to be killed, in the manner of `scenes`."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from tests.faults.scenes import Scene, standing
from vaultmem.core.model import Category
from vaultmem.core.promotion_words import Destination
from vaultmem.services.capture import Wish, add
from vaultmem.services.promote import accept, list_, propose_one, run

if TYPE_CHECKING:
    from tests.world import World

BAN = "Never run `git add .`"
STEPS = "Release workflow: build → test → tag"
SKILL = "Memory/Skills/release-workflow/SKILL.md"


def _said(world: World, text: str, category: Category, times: int) -> str:
    world.here.sync()
    done = None
    for _ in range(times):
        app = world.here.app()
        done = add(app.call(), app.engine, Wish(text=text, category=category))
    assert done is not None
    assert done.id is not None
    assert done.path is not None
    os.utime(world.path(done.path), (0, 0))  # policy leaves a note alone that just changed
    world.here.sync()
    return done.id


def _discard(world: World) -> str:
    return propose_one(
        world.here.call(), _said(world, BAN, Category.LESSON, 1), Destination.DISCARD
    ).memory


def _skill(world: World) -> str:
    _said(world, STEPS, Category.PATTERN, 3)
    return run(world.here.call()).proposed[0].id


def _decided(world: World) -> str:
    memory = _discard(world)
    world.here.sync()
    (one,) = list_(world.here.call())
    world.replace(one.path, "decision:", "decision: accept")
    return memory


def _accept(world: World, _: str) -> str:
    world.here.sync()
    (one,) = list_(world.here.call())
    return accept(world.here.call(), one.id).outcome


def _waits(world: World) -> bool:
    return bool(list_(world.here.call()))


PROMOTIONS: tuple[Scene, ...] = (
    Scene(
        name="promote by itself",
        prepare=lambda world: _said(world, BAN, Category.LESSON, 3),
        act=lambda world, _: len(run(world.here.call()).applied),
        kept=lambda world, name: standing(world, name).enforced and standing(world, name).force,
        undone=lambda world, name: not standing(world, name).enforced,
    ),
    Scene(
        name="promote run",
        prepare=lambda world: _said(world, STEPS, Category.PATTERN, 3),
        act=lambda world, _: len(run(world.here.call()).proposed),
        kept=lambda world, _: _waits(world) and not run(world.here.call()).proposed,
        undone=lambda world, _: not _waits(world) and bool(run(world.here.call()).proposed),
    ),
    Scene(
        name="promote accept",
        prepare=_discard,
        act=_accept,
        kept=lambda world, name: standing(world, name).status == "deprecated",
        undone=lambda world, name: standing(world, name).status == "active" and _waits(world),
    ),
    Scene(
        name="promote accept a skill",
        prepare=_skill,
        act=_accept,
        kept=lambda world, _: world.path(SKILL).exists(),
        undone=lambda world, _: not world.path(SKILL).exists() and _waits(world),
    ),
    Scene(
        name="promotion decided in the note",
        prepare=_decided,
        act=lambda world, _: world.here.sync().applied,
        kept=lambda world, name: standing(world, name).status == "deprecated" and not _waits(world),
        undone=lambda world, _: False,
        unseen=True,
    ),
)
