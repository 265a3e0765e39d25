"""Many processes at once, and an editor in between: nothing that was reported is lost.

What a kill leaves at every step is in `tests/faults`.
"""

from __future__ import annotations

import multiprocessing
from pathlib import Path

import pytest

from tests.world import World
from vaultmem.core.model import Category
from vaultmem.services.capture import Wish, add


def _add_many(vault: str, home: str, number: int) -> None:
    world = World.attach(Path(vault), Path(home), seed=100 + number)
    for item in range(6):
        app = world.here.app()
        text = f"Process {number} states the fact numbered {item}."
        done = add(app.call(), app.engine, Wish(text=text, category=Category.LESSON))
        assert done.outcome == "added", done
        world.here.close()


def test_many_processes_add_at_once_and_none_is_lost(world):
    world.here.sync()
    context = multiprocessing.get_context("spawn")
    workers = [
        context.Process(target=_add_many, args=(str(world.vault), str(world.here.home), number))
        for number in range(4)
    ]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join(120)
    assert [worker.exitcode for worker in workers] == [0] * 4
    assert world.here.sync().changes == ()
    standings = world.here.call().vault.baseline.standings()
    assert len(standings) == 24
    assert len({one.statement for one in standings}) == 24
    assert len(list(world.path("Memory/Lessons").iterdir())) == 24
    assert len(world.ledger().splitlines()) == 24


def test_an_editor_that_saves_in_between_wins(world, monkeypatch):
    from vaultmem.errors import NoteChangedError
    from vaultmem.services.note_property import put
    from vaultmem.store.disk import DISK

    world.memory("Memory/Lessons/a.md", "Add files by name.")
    world.here.sync()
    place = world.path("Memory/Lessons/a.md")
    mine = place.read_bytes() + b"typed in between\n"
    write = DISK.write

    def write_then_save(descriptor: int, data: bytes) -> None:
        write(descriptor, data)
        if b"stability" in data:  # the new version, before it takes the name
            place.write_bytes(mine)

    monkeypatch.setattr(DISK, "write", write_then_save)
    with pytest.raises(NoteChangedError):
        put(world.here.call(), "Memory/Lessons/a.md", "stability", ["stable"])
    monkeypatch.undo()
    assert place.read_bytes() == mine
    assert [p for p in place.parent.iterdir() if p.name.startswith(".")] == []
    assert world.here.sync().edited == 1
