"""Eight processes that propose and apply patches to one vault at once: none is lost or doubled."""

from __future__ import annotations

import multiprocessing
import re
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

from tests.faults.catalogue import fault
from tests.world import World
from vaultmem.core.ids import MemoryId
from vaultmem.core.model import Category, Memory
from vaultmem.core.operation import Op, Operation
from vaultmem.core.patch_rules import Applier
from vaultmem.core.patch_status import PatchStatus
from vaultmem.errors import BusyError
from vaultmem.services.apply import apply
from vaultmem.services.capture import Wish, add
from vaultmem.services.patches import new, open_patches, save
from vaultmem.services.report import report
from vaultmem.services.sync import ensure_current

if TYPE_CHECKING:
    from multiprocessing.synchronize import Event

PROCESSES = 8
READERS = 2
WAITS = 20
"""How often a process that was told "busy" tries again, as a person would."""


SAID = re.compile(r"Process \d+ states the fact numbered \d+\.")


def _statement(number: int, item: int) -> str:
    return f"Process {number} states the fact numbered {item}."


def _work(vault: str, home: str, number: int, patches: int) -> None:
    """Propose a patch, save it, apply it from its note; every tenth time a person adds instead."""
    world = World.attach(Path(vault), Path(home), seed=100 + number)
    app = world.here.app()
    for item in range(patches):
        for _ in range(WAITS):
            try:
                if item % 10 == 9:
                    wish = Wish(text=_statement(number, item), category=Category.LESSON)
                    assert add(app.call(), app.engine, wish).outcome == "added"
                else:
                    _propose_and_apply(app.call, _statement(number, item))
                break
            except BusyError:
                continue
        else:
            raise AssertionError("always busy")
    world.close()


def _read(vault: str, home: str, number: int, over: Event) -> None:
    """Ask for the report and the list until the writers are done: what is told was said, whole."""
    world = World.attach(Path(vault), Path(home), seed=200 + number)
    looks = 0
    while not over.is_set() or not looks:
        app = world.here.app()
        told = report(app.call())
        assert told.tokens <= told.budget
        for one in app.call().vault.baseline.standings():
            assert SAID.fullmatch(one.statement), one
        world.here.close()
        looks += 1


def _propose_and_apply(call_of, statement: str) -> None:
    call = call_of()
    memory = Memory(
        id=MemoryId(call.new_id("mem")),
        statement=statement,
        category=Category.LESSON,
        created=call.local,
        reinforced=call.local,
    )
    patch = new(call, [(Operation(op=Op.ADD, memory=memory), None)])
    path = save(call, patch)
    call = call_of()
    ensure_current(call)
    (opened,) = [one for one in open_patches(call) if one.path == path]
    chosen = frozenset(one.id for one in opened.patch.operations)
    done = apply(
        call, opened.patch, applier=Applier.PERSON, selected=chosen, via="patch", opened=opened
    )
    assert done.status == PatchStatus.APPLIED, done
    assert [one.memory for one in done.applied] == [memory.id]


@fault("writers")
def test_none_of_eight_processes_loses_or_doubles_a_patch(tmp_path, effort, trials):
    world = World(tmp_path)
    world.here.sync()
    context = multiprocessing.get_context("spawn")
    places = (str(world.vault), str(world.here.home))
    workers = [
        context.Process(target=_work, args=(*places, number, effort.patches))
        for number in range(PROCESSES)
    ]
    over = context.Event()
    readers = [context.Process(target=_read, args=(*places, one, over)) for one in range(READERS)]
    for process in (*workers, *readers):
        process.start()
    for worker in workers:
        worker.join(1_200)
    over.set()
    for reader in readers:
        reader.join(120)
    assert [one.exitcode for one in (*workers, *readers)] == [0] * (PROCESSES + READERS)
    trials.add(PROCESSES * effort.patches)
    done = world.here.sync()
    assert (done.changes, done.applied) == ((), 0)
    wanted = Counter(
        _statement(number, item) for number in range(PROCESSES) for item in range(effort.patches)
    )
    standings = world.here.call().vault.baseline.standings()
    assert Counter(one.statement for one in standings) == wanted
    notes = list(world.path("Memory/Lessons").iterdir())
    assert len(notes) == sum(wanted.values()), "each has one note, and nothing else is left"
    assert list(world.path("Memory/Inbox").iterdir()) == []
    adds = PROCESSES * (effort.patches // 10)
    assert world.ledger().count(" applied patch_") == sum(wanted.values()) - adds
    world.close()
