"""What counts as saying again what was deleted."""

from __future__ import annotations

import pytest

from vaultmem.core.deletion import said_before
from vaultmem.core.ids import MemoryId
from vaultmem.core.likeness import known
from vaultmem.core.model import Memory


def _memory(statement):
    return Memory(id=MemoryId(""), statement=statement)


DELETED = known(_memory("Always use UTC in every table of the database."))


@pytest.mark.parametrize(
    ("statement", "again"),
    [
        ("Always use UTC in every table of the database.", True),
        ("In every table of the database, always use UTC.", True),
        ("Never use UTC in every table of the database.", False),
        ("Always use UTC in every table of the database unless it is a log.", False),
        ("Prefer tabs.", False),
    ],
)
def test_only_the_same_in_other_words_is_said_again(statement, again):
    assert (said_before(_memory(statement), [DELETED]) is DELETED) is again


def test_nothing_deleted_is_nothing_said_again():
    assert said_before(_memory("Prefer tabs."), []) is None
