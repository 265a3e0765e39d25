"""Watch looks when a note changes and when it is time, and outlives another command's long write."""

from __future__ import annotations

import threading
import time
from typing import TYPE_CHECKING

import pytest

from tests.world import NOTE
from vaultmem.errors import BusyError
from vaultmem.services import watch as watching

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.world import World

LAST = 30.0
"""Seconds after which a watch that found nothing is stopped; a good one needs about one."""


@pytest.fixture
def stop():
    """Ends the watch, at last by itself, so that no failure hangs."""
    made = threading.Event()
    timer = threading.Timer(LAST, made.set)
    timer.start()
    yield made
    timer.cancel()


@pytest.fixture
def start(world: World, known: str, stop: threading.Event):
    """Starts a watch of the vault that has looked once."""
    started = []

    def one():
        started.append(watching.watch(world.here.call, world.vault, stop=stop))
        assert next(started[-1]).changes == ()
        return started[-1]

    yield one
    for found in started:
        found.close()


@pytest.fixture
def busy_with():
    """Does something again and again in another thread until the test ends."""
    done = threading.Event()
    threads: list[threading.Thread] = []

    def start(action: Callable[[], object]) -> None:
        def again() -> None:
            while not done.wait(0.2):
                action()

        threads.append(threading.Thread(target=again))
        threads[-1].start()

    yield start
    done.set()
    for thread in threads:
        thread.join()


def test_an_edit_is_found_and_no_byte_of_it_is_written(world, start):
    found = start()
    world.replace(NOTE, "Add files by name.", "Add each file by name.")
    edited = world.read(NOTE)

    assert [one.path for one in next(found).changes] == [NOTE]
    assert world.read(NOTE) == edited


def test_it_ends_when_it_is_told_to(start, stop):
    found = start()
    stop.set()

    assert list(found) == []


def test_a_new_note_gets_its_id_when_it_was_left_alone_also_while_other_files_keep_changing(
    world, start, busy_with, monkeypatch
):
    monkeypatch.setattr(watching, "TICK_SECONDS", 0.5)
    world.write("Memory/Lessons/x.md", "Use UTC.\n")
    found = start()
    assert world.read("Memory/Lessons/x.md") == "Use UTC.\n"  # it may be in somebody's editor
    world.here.pass_time(seconds=121)
    busy_with(lambda: world.write(".obsidian/workspace.json", str(time.monotonic())))

    assert next(found).applied == 1
    assert "id: mem_" in world.read("Memory/Lessons/x.md")


def test_another_commands_long_write_delays_it_and_does_not_end_it(world, start, monkeypatch):
    found = start()
    held = iter([BusyError("Another vaultmem is writing to this vault.")] * 2)
    looked = watching.sync

    def sync(*arguments, **options):
        for error in held:
            raise error
        return looked(*arguments, **options)

    monkeypatch.setattr(watching, "sync", sync)
    world.replace(NOTE, "Add files by name.", "Add each file by name.")

    assert [one.path for one in next(found).changes] == [NOTE]
    assert list(held) == []
