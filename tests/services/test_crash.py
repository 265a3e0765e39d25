"""kill -9 between any two steps of a write, and many processes at once: nothing reported is lost."""

from __future__ import annotations

import multiprocessing
import subprocess
import sys
from pathlib import Path

import pytest

from tests.world import World
from vaultmem.core.model import Category
from vaultmem.notes.frontmatter import get_properties
from vaultmem.services.capture import Wish, add
from vaultmem.services.doctor import doctor
from vaultmem.store.disk import STEPS

DRIVER = Path(__file__).with_name("crash_driver.py")
VERBS = ("add", "sync", "ratify", "set")


def _run(world: World, verb: str, step: str, number: int) -> int:
    """Run a verb in a process of its own that dies before the `number`th call of `step`."""
    done = subprocess.run(
        [
            sys.executable,
            str(DRIVER),
            str(world.vault),
            str(world.here.home),
            verb,
            step,
            str(number),
        ],
        cwd=Path(__file__).parents[2],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode in (0, 9), done.stderr
    return done.returncode


@pytest.mark.parametrize("verb", VERBS)
def test_killed_before_any_step_every_note_is_old_or_new_and_the_next_sync_is_clean(tmp_path, verb):
    trials = 0
    for step in STEPS:
        for number in range(1, 12):
            world = World(tmp_path / f"{step}-{number}")
            identifier = world.memory("Memory/Lessons/a.md", "Add files by name.", pinned="true")
            world.here.sync()
            if verb == "sync":
                world.write("Memory/Decisions/new.md", "We use UTC.\n")
            old = world.notes()
            code = _run(world, verb, step, number)
            for path, data in world.notes().items():
                if path.endswith(".md") and data != old.get(path):
                    get_properties(data)
            done = world.here.sync()
            assert [one.code for one in done.findings if one.code not in ("VM408", "VM411")] == []
            assert world.here.sync().changes == ()
            by_person = [one for one in done.changes if one.by == "person"]
            assert len(by_person) <= (1 if verb in ("sync", "set") else 0), (
                "our write is no person's"
            )
            app = world.here.app()
            state = doctor(app.call(), set_up=(), crash_log=Path("none"))
            assert {one.code for one in state.findings} <= {"VM330"}
            assert world.here.call().vault.baseline.standing(identifier) is not None
            world.close()
            trials += 1
            if code == 0:
                break
    assert trials > len(STEPS)


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
