"""When a memory held: stated, deleted, superseded, in this order."""

from __future__ import annotations

from datetime import datetime

import pytest

from vaultmem.core.ids import MemoryId
from vaultmem.core.model import Memory, Status
from vaultmem.core.validity import Successor, Validity, validity

OLD = MemoryId("mem_01JDR3Z8Q4M5N6P7R8S9T0V1W2")
NEW = Successor("mem_01JDR3Z8Q4M5N6P7R8S9T0V1W3", datetime(2026, 7, 1))
MADE, SINCE, UNTIL, GONE = (datetime(2026, month, 1) for month in (1, 2, 8, 9))


def memory(**changes):
    return Memory(id=OLD, statement="Use npm.", **changes)


def test_governed_row_112_a_superseded_memory_held_until_its_successor_was_made():
    held = validity(memory(status=Status.SUPERSEDED, created=MADE), successor=NEW)
    assert held == Validity(MADE, datetime(2026, 7, 1), NEW.id, "superseded")


def test_governed_row_113_a_deleted_memory_held_until_its_tombstone():
    held = validity(memory(status=Status.DELETED, created=MADE), deleted=GONE)
    assert held == Validity(MADE, GONE, "", "deleted")


@pytest.mark.parametrize(
    ("changes", "deleted", "successor", "expected"),
    [
        ({}, None, None, Validity(None, None)),
        ({"created": MADE}, None, None, Validity(MADE, None)),
        ({"created": MADE, "valid_from": SINCE}, None, None, Validity(SINCE, None)),
        # What the note states wins over everything.
        ({"valid_to": UNTIL}, GONE, NEW, Validity(None, UNTIL, NEW.id, "stated")),
        ({"valid_to": UNTIL}, None, None, Validity(None, UNTIL, "", "stated")),
        # A tombstone wins over a successor.
        ({"status": Status.SUPERSEDED}, GONE, NEW, Validity(None, GONE, "", "deleted")),
        # A successor ends only what is superseded, and one that is not there ends nothing.
        ({"status": Status.ACTIVE}, None, NEW, Validity(None, None)),
        ({"status": Status.SUPERSEDED}, None, None, Validity(None, None)),
        (
            {"status": Status.SUPERSEDED},
            None,
            Successor(NEW.id, None),
            Validity(None, None, NEW.id, "superseded"),
        ),
    ],
)
def test_the_first_that_says_an_end_ends_it(changes, deleted, successor, expected):
    assert validity(memory(**changes), deleted=deleted, successor=successor) == expected
