"""The tables of another tool's database: which of them, and what of each, may be read."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import sqlite3

_TABLE = "SELECT 1 FROM sqlite_schema WHERE type = 'table' AND rootpage > 0 AND name = ?"


def columns(sql: sqlite3.Connection, table: str) -> tuple[str, ...]:
    """The columns that the rows of a table hold; none of a view, a virtual table, no table at all.

    A column that is computed is none either: from a small file it gives as much as it likes.

    Raises:
        sqlite3.DatabaseError: if it is no database.
    """
    if sql.execute(_TABLE, (table,)).fetchone() is None:
        return ()
    found = sql.execute("SELECT name FROM pragma_table_info(?)", (table,))  # no computed ones
    return tuple(str(name) for (name,) in found)
