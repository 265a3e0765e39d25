"""Status counts what is in force, and what is not apart."""

from __future__ import annotations

import pytest

from tests.services.candidates import captured
from vaultmem.notes.candidate import Decision
from vaultmem.services.forget import forget
from vaultmem.services.inbox import decide
from vaultmem.services.revert import revert
from vaultmem.services.status import status


def counted(world):
    return status(world.here.call(), why="", model="")


def total(world) -> tuple[int, int]:
    found = counted(world)
    return sum(found.memories.values()), sum(found.lifecycle.values())


@pytest.fixture
def known(ready):
    """One memory in force."""
    ready.memory("Memory/Lessons/Tea.md", "Tea is hot.", category="lesson")
    ready.here.sync()
    return ready


def test_what_is_in_force_is_counted(known):
    assert total(known) == (1, 1)
    assert (counted(known).out, counted(known).held) == ({}, 0)


@pytest.mark.parametrize(
    ("properties", "word"),
    [
        ({"status": "deleted"}, "deleted"),
        ({"status": "deprecated"}, "deprecated"),
        ({"status": "superseded"}, "superseded"),
        ({"expires": "2020-01-01T00:00:00"}, "expired"),
    ],
)
def test_what_is_not_in_force_is_counted_apart(known, properties, word):
    known.memory("Memory/Lessons/Old.md", "Old.", category="lesson", pinned=True, **properties)
    known.here.sync()

    assert total(known) == (1, 1)
    assert counted(known).out == {word: 1}
    assert counted(known).unreviewed == 0, "it does not want to act any more"


def test_what_was_forgotten_or_reverted_is_not_counted_any_more(known):
    path = captured(known.here.call(), "Use uv.")
    done = decide(known.here.call(), path, Decision.APPROVE)
    assert total(known) == (2, 2)

    revert(known.here.call(), done.patch)
    forget(known.here.call(), "Tea")

    assert total(known) == (0, 0)
    assert counted(known).out == {"archived": 1, "deleted": 1}


def test_what_is_held_back_is_told_and_the_version_in_force_is_counted(known):
    path = "Memory/Lessons/Tea.md"
    known.here.open_window(known.here.call().nanoseconds - 10**9)
    known.replace(path, "Tea is hot.", "Tea is cold.")
    known.here.close_windows(known.here.call().nanoseconds + 10**9)
    known.here.sync()

    assert counted(known).held == 1
    assert total(known) == (1, 1)
