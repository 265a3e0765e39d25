"""Many notes, a huge one, and one with thousands of properties: read, told and written all the same."""

from __future__ import annotations

import resource
import time

import pytest

from tests.faults.catalogue import fault
from tests.faults.scenes import statements
from tests.faults.trial import settles
from tests.world import World
from vaultmem.core.model import Category
from vaultmem.services.capture import Wish, add
from vaultmem.services.doctor import doctor
from vaultmem.services.edit import edit
from vaultmem.services.forget import forget
from vaultmem.services.note_property import put
from vaultmem.services.report import report

SHARE = 10
"""One note of so many is a memory; the others are the person's."""
SAYS = "Use UTC in every table."


@pytest.fixture
def world(memory):
    made = World(memory)
    yield made
    made.close()


def _add(world):
    app = world.here.app()
    return add(app.call(), app.engine, Wish(text=SAYS, category=Category.DECISION, pin=True))


def _in_order(world) -> None:
    """DESIGN §12 nos. 10, 18: the report keeps its budget, a second sync has nothing to do."""
    settles(world)
    told = report(world.here.call())
    assert told.tokens <= told.budget


@fault("many_notes")
def test_a_vault_of_many_notes_is_synced_told_and_written(world, effort, trials):
    began = time.perf_counter()
    for number in range(effort.notes):
        if number % SHARE:
            world.write(f"Notes/{number % 100}/Note {number}.md", f"Fact {number}.\n")
        else:
            world.memory(f"Memory/Lessons/Rule {number}.md", f"Rule {number} of case {number}.")
    made = time.perf_counter()
    world.here.sync()
    synced = time.perf_counter()
    done = _add(world)
    _in_order(world)
    assert len(statements(world)) == len(range(0, effort.notes, SHARE)) + 1
    edit(world.here.call(), done.id, statement="Use UTC everywhere.", properties={})
    forget(world.here.call(), done.id)
    _in_order(world)
    found = doctor(world.here.call(), set_up=(), crash_log=world.folder / "none")
    assert {one.severity.value for one in found.findings} <= {"info"}, found.findings[:3]
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    print(
        f"{effort.notes} notes: made in {made - began:.0f} s, first sync {synced - made:.0f} s, "
        f"the rest {time.perf_counter() - synced:.0f} s, at most {memory} MB"
    )
    trials.add(effort.notes)


@fault("large_note")
@pytest.mark.parametrize("folder", ["Memory/Lessons", "Memory/Inbox", "Notes"])
@pytest.mark.parametrize("lines", [True, False])
def test_a_huge_note_stops_nothing_and_keeps_its_bytes(world, effort, folder, lines):
    """In one line or in many; where a memory's property is set, all else stays."""
    text = ("Words of a long note.\n" if lines else "Words without an end ") * 50_000
    big = (text * effort.megabytes)[: effort.megabytes * 1_000_000]
    path = f"{folder}/Big.md"
    world.write(path, f"---\nrating: 3\n---\nThe big one says this.\n\n{big}\n")
    before = world.path(path).read_bytes()
    world.here.sync()
    _add(world)
    put(world.here.call(), path, "rating", ["4"])
    _in_order(world)
    after = world.path(path).read_bytes()
    assert b"rating: 4\n" in after
    assert after.endswith(before[before.index(b"The big one") :])
    doctor(world.here.call(), set_up=(), crash_log=world.folder / "none")


@fault("properties")
@pytest.mark.parametrize(
    ("folder", "count"),
    [
        ("Memory/Lessons", 5_000),
        ("Memory/Inbox", 600),
        ("Notes", 5_000),
        ("Memory/Lessons", 20_000),
    ],
)
def test_thousands_of_properties_are_a_finding_and_keep_their_bytes(world, folder, count):
    """Beyond 256 KiB a note is not read; before, one line is all that changes."""
    lines = "".join(f"key{number}: value {number}\n" for number in range(count))
    path = f"{folder}/Many.md"
    world.write(path, f"---\nrating: 3\n{lines}---\nThe note with many says this.\n")
    before = world.path(path).read_bytes()
    world.here.sync()
    _add(world)
    if len(lines) < 200_000:
        put(world.here.call(), path, "rating", ["4"])
        after = world.path(path).read_bytes()
        kept = [line for line in before.splitlines() if line != b"rating: 3"]
        assert [line for line in after.splitlines() if line in set(kept)] == kept
    else:
        assert world.path(path).read_bytes() == before
    _in_order(world)
    doctor(world.here.call(), set_up=(), crash_log=world.folder / "none")
