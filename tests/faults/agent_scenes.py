"""What an agent's tools write, to be killed: log, scratchpad, a note, a proposal, a queued session."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING

from tests.faults.scenes import KNOWN, STATEMENT, Scene, known, statements
from tests.services.candidates import captured
from vaultmem.core.operation import Op
from vaultmem.core.place import SCRATCHPAD
from vaultmem.services.agent_log import read_log, write_log
from vaultmem.services.patches import open_patches
from vaultmem.services.propose_change import propose_change
from vaultmem.services.remember_note import remember_note
from vaultmem.services.scratchpad import add_item, scratchpad, tick
from vaultmem.services.session_queue import queue_session, settle_queued
from vaultmem.store.ended import read_ended

if TYPE_CHECKING:
    from tests.world import World

FIRST, SECOND = "Read the runbook first.", "Measure the pooler."
NOTE = "Memory/Notes/2026-05-26T13-42-08-pooler.md"
ASKED = ("Remember how the pooler works.",)
PAD = f"Memory/{SCRATCHPAD}"


def _agent(world: World):
    return world.here.call(agent="pi")


def _logged(world: World) -> list[str]:
    """What stands in the logs of all days, so that it does not matter what day it was."""
    call, folder = world.here.call(), world.path("Memory/System/Log")
    days = sorted({date.fromisoformat(one.name[:10]) for one in folder.glob("*.md")})
    lines = [line for day in days for line in read_log(call, day).splitlines()]
    return [line.split(" ", 2)[2] for line in lines]


def _log(world: World) -> str:
    identifier = known(world)
    world.here.sync()
    write_log(_agent(world), FIRST)
    return identifier


def _pad(world: World) -> str:
    world.write(PAD, f"Mine.\n- [ ] {FIRST}\n")
    world.here.sync()
    return PAD


def _items(world: World) -> list[tuple[str, bool]]:
    return [(one.text, one.done) for one in scratchpad(world.here.call()).items]


def _looked(world: World) -> str:
    identifier = known(world)
    world.here.sync()
    return identifier


def _queued(world: World) -> str:
    _looked(world)
    queue_session(_agent(world), "s0")
    return "s0"


def _heard(world: World) -> str:
    """A correction waits as a candidate when its session ends."""
    _queued(world)
    captured(world.here.call(), SECOND)
    return "s0"


def _waiting(world: World) -> list[str]:
    return sorted(one.session for one in read_ended(world.here.call().vault.state.folder))


AGENT_SCENES: tuple[Scene, ...] = (
    Scene(
        name="log",
        prepare=_log,
        act=lambda world, _: write_log(_agent(world), SECOND).path,
        kept=lambda world, _: sorted(_logged(world)) == sorted([FIRST, SECOND]),
        undone=lambda world, _: _logged(world) == [FIRST],
    ),
    Scene(
        name="scratchpad add",
        prepare=_pad,
        act=lambda world, _: add_item(_agent(world), SECOND).changed,
        kept=lambda world, _: _items(world) == [(FIRST, False), (SECOND, False)],
        undone=lambda world, _: world.read(PAD) == f"Mine.\n- [ ] {FIRST}\n",
    ),
    Scene(
        name="scratchpad tick",
        prepare=_pad,
        act=lambda world, _: tick(_agent(world), "runbook", done=True).changed,
        kept=lambda world, _: world.read(PAD) == f"Mine.\n- [x] {FIRST}\n",
        undone=lambda world, _: world.read(PAD) == f"Mine.\n- [ ] {FIRST}\n",
    ),
    Scene(
        name="leave a note",
        prepare=_looked,
        act=lambda world, _: remember_note(_agent(world), NOTE[13:], SECOND, said=ASKED),
        kept=lambda world, _: world.path(NOTE).exists() and SECOND in world.read(NOTE),
        undone=lambda world, _: not world.path(NOTE).exists(),
    ),
    Scene(
        name="propose a change",
        prepare=_looked,
        act=lambda world, name: (
            propose_change(
                _agent(world), name, Op.UPDATE, statement=SECOND, reason="It changed."
            ).patch
        ),
        kept=lambda world, _: len(open_patches(world.here.call())) == 1,
        undone=lambda world, _: (
            open_patches(world.here.call()) == [] and STATEMENT in world.read(KNOWN)
        ),
    ),
    Scene(
        name="queue a session",
        prepare=_queued,
        act=lambda world, _: queue_session(_agent(world), "s1"),
        kept=lambda world, _: _waiting(world) == ["s0", "s1"],
        undone=lambda world, _: _waiting(world) == ["s0"],
    ),
    Scene(
        name="settle a session",
        prepare=_heard,
        act=lambda world, _: settle_queued(world.here.call().by_policy()),
        kept=lambda world, _: _waiting(world) == [] and SECOND in statements(world),
        undone=lambda world, _: _waiting(world) == ["s0"],
    ),
)
