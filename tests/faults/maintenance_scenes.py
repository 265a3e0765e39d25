"""Verbs of maintenance and of questions to be killed, in the manner of `scenes`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.faults.scenes import KNOWN, STATEMENT, Scene, standing
from vaultmem.core.patch_rules import Applier
from vaultmem.services.apply import apply
from vaultmem.services.inquiries import answer, ask, inquiries
from vaultmem.services.maintain import maintain
from vaultmem.services.patches import open_patches
from vaultmem.services.undo import undo

if TYPE_CHECKING:
    from tests.world import World

QUESTION = "Which of the two tables is the right one?"
AWAY = "Memory/System/Archive/Add files by name.md"


def _cold(world: World) -> str:
    """A memory that nobody has needed for years."""
    return world.memory(KNOWN, STATEMENT, category="lesson", created="2020-01-01T10:00:00")


def _proposed(world: World) -> str:
    identifier = _cold(world)
    world.here.sync()
    maintain(world.here.call())
    return identifier


def _apply(world: World, _: str = "") -> str:
    call = world.here.call()
    (opened,) = open_patches(call)
    chosen = frozenset(one.id for one in opened.patch.operations)
    by = Applier.PERSON
    done = apply(call, opened.patch, applier=by, selected=chosen, via="patch", opened=opened)
    return str([one.op for one in done.applied])


def _put_away(world: World) -> str:
    identifier = _proposed(world)
    _apply(world)
    return identifier


def _lies(world: World, identifier: str, path: str, status: str) -> bool:
    found = standing(world, identifier)
    there = world.path(path).exists()
    return bool(there and found and (found.path, found.status) == (path, status))


def _asked(world: World) -> str:
    _cold(world)
    world.here.sync()
    return ask(world.here.call(), QUESTION).id


def _statuses(world: World) -> list[str]:
    return [one.inquiry.status.value for one in inquiries(world.here.call())]


MAINTENANCE: tuple[Scene, ...] = (
    Scene(
        name="maintain",
        prepare=_cold,
        act=lambda world, _: maintain(world.here.call()).proposed,
        kept=lambda world, _: len(open_patches(world.here.call())) == 1,
        undone=lambda world, _: open_patches(world.here.call()) == [],
    ),
    Scene(
        name="archive",
        prepare=_proposed,
        act=_apply,
        kept=lambda world, name: (
            _lies(world, name, AWAY, "deprecated") and open_patches(world.here.call()) == []
        ),
        undone=lambda world, name: (
            _lies(world, name, KNOWN, "active") and len(open_patches(world.here.call())) == 1
        ),
    ),
    Scene(
        name="undo an archive",
        prepare=_put_away,
        act=lambda world, _: undo(world.here.call()).status,
        kept=lambda world, name: _lies(world, name, KNOWN, "active"),
        undone=lambda world, name: _lies(world, name, AWAY, "deprecated"),
    ),
    Scene(
        name="ask",
        prepare=_cold,
        act=lambda world, _: ask(world.here.call(), QUESTION).outcome,
        kept=lambda world, _: _statuses(world) == ["open"],
        undone=lambda world, _: _statuses(world) == [],
    ),
    Scene(
        name="answer",
        prepare=_asked,
        act=lambda world, name: answer(world.here.call(), name, KNOWN).outcome,
        kept=lambda world, _: _statuses(world) == ["answered"],
        undone=lambda world, _: _statuses(world) == ["open"],
    ),
)
