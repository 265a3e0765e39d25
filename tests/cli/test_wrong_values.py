"""Values that no column of the baseline holds: a command says that the state is damaged, or is not concerned.

SQLite refuses to write them, so they are written with its checks off, as a faulty disk does it.
"""

from __future__ import annotations

import contextlib
import sqlite3
from datetime import UTC, datetime
from itertools import cycle, islice
from typing import TYPE_CHECKING, NamedTuple

import pytest

from tests.cli.terminal import Terminal
from tests.fuzz.stage import stage
from vaultmem.store.baseline_tables import TABLES

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests.world import World

BUG, DAMAGED = 3, 10
DOCTOR = ("doctor",)
"""Says it as a finding."""
COMMANDS = (
    ("status",),
    ("report", "--explain", "--prompt", "which files are staged?"),
    ("search", "--mode", "keyword", "--in", "all", "files"),
    ("topics",),
    ("inbox",),
    ("patch", "list"),
    ("why", "Add files by name"),
    DOCTOR,
    ("forget", "--purge", "Use Postgres"),
    ("sync",),
)
"""What a person looks with; the purge asks before it does anything."""
AT_ONCE = 4
"""Commands that each value meets; the next one meets those that follow, so that each meets many."""
VALUES = {
    "TEXT": (b"\xff\x00", "no such word"),
    "BLOB": ("no such word",),
    "INTEGER": (b"\xff\x00", "no such word", 1e300),
    "REAL": (b"\xff\x00", "no such word", 1e300),
}
"""What is tried in a column, by its type."""


class Machine(NamedTuple):
    """A vault in which some things happened, and what its machine knows."""

    world: World
    terminal: Terminal
    place: Path
    known: bytes

    def lie(self, *statements: tuple[str, tuple]) -> None:
        """What the machine knew, but for this."""
        for extra in ("-wal", "-shm"):
            self.place.with_name(self.place.name + extra).unlink(missing_ok=True)
        self.place.write_bytes(self.known)
        with contextlib.closing(sqlite3.connect(self.place)) as sql, sql:
            sql.execute("PRAGMA ignore_check_constraints = ON")
            for statement, values in statements:
                sql.execute(statement, values)

    def told(self, *command: str) -> str:
        """What a command says of damage, which comes with what to do; "" where it meets none."""
        done = self.terminal.run("--vault", ".", *command)
        assert done.code != BUG, (command, done)
        said = " ".join((done.out if command == DOCTOR else done.err).split())
        if "set aside" not in said:
            return ""
        assert done.code == (1 if command == DOCTOR else DAMAGED)
        assert "Run the command again; it reads the notes anew." in said
        return said


@pytest.fixture(scope="module")
def machine() -> Iterator[Machine]:
    """The machine; each of its tables has a row."""
    with stage().set() as world:
        terminal = Terminal(world.vault, world.here.home)
        terminal.now = datetime.now(UTC) + world.here.ahead
        patch = next(path for path in stage().paths if path.startswith("Memory/Inbox/Patch"))
        terminal.ok("--vault", ".", "patch", "apply", "--yes", patch)
        for command in COMMANDS:
            terminal.run("--vault", ".", *command)
        (place,) = world.here.home.rglob("baseline.sqlite")
        with contextlib.closing(sqlite3.connect(place)) as sql, sql:
            sql.execute("INSERT INTO pending SELECT id, 'edited', 'tags', '', 0 FROM memories")
            sql.execute("PRAGMA journal_mode = DELETE")
            for table in TABLES:
                assert sql.execute(f"SELECT count(*) FROM {table.name}").fetchone() != (0,)
        yield Machine(world, terminal, place, place.read_bytes())


@pytest.mark.parametrize("table", TABLES, ids=[table.name for table in TABLES])
def test_no_wrong_value_is_a_bug_or_changes_a_note(machine, table):
    before, commands = machine.world.notes(), cycle(COMMANDS)
    for column, cells in table.columns.items():
        for value in VALUES[cells.sql.split()[0]]:
            lie = (f"UPDATE OR IGNORE {table.name} SET {column} = ?", (value,))
            machine.lie(lie)
            for command in islice(commands, AT_ONCE):
                if told := machine.told(*command):
                    assert f"`{table.name}.{column}`" in told
                    machine.lie(lie)
    assert machine.world.notes() == before


@pytest.mark.parametrize("name", [table.name for table in TABLES])
def test_no_rows_that_are_gone_are_a_bug_or_change_a_note(machine, name):
    before = machine.world.notes()
    for harm in (f"DELETE FROM {name}", f"DROP TABLE {name}"):
        machine.lie((harm, ()))
        for command in COMMANDS:
            if machine.told(*command):
                machine.lie((harm, ()))
    assert machine.world.notes() == before


@pytest.mark.parametrize("command", COMMANDS, ids=[command[0] for command in COMMANDS])
def test_what_was_damaged_is_known_again(machine, command):
    machine.lie(("UPDATE notes SET size = 'many'", ()))
    assert machine.told(*command)
    assert not machine.told(*command)
    machine.terminal.ok("--vault", ".", "sync")
    assert (
        "Use Postgres for readings."
        in machine.terminal.ok("--vault", ".", "show", "Use Postgres").out
    )
