"""The baseline's SQLite file: how it is opened and made newer, and what its failures mean."""

from __future__ import annotations

import sqlite3
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING

from vaultmem.errors import VaultError
from vaultmem.store.baseline_tables import INDEXES, TABLES
from vaultmem.store.sqlite_failures import (
    UNREADABLE,
    failure_name,
    set_aside,
    set_opened_aside,
    sqlite_refusal,
)

if TYPE_CHECKING:
    import os
    from collections.abc import Iterable, Iterator
    from pathlib import Path
    from sqlite3 import _Parameters
    from typing import Any  # what sqlite3 itself promises of a row

    from vaultmem.store.baseline_tables import Table

VERSION = 4
"""The rows of an older version are copied into the tables as they are now; their columns never
changed. Version 4 is the first whose tables refuse what no column may hold."""
BUSY_SECONDS = 10.0
_NO_SUCH = "SQLITE_ERROR"
"""How SQLite says that a statement names what is not there: in an older file, a column of ours."""
_NO_ROOM = ("SQLITE_FULL", "SQLITE_IOERR_SHM")
"""How SQLite says that it cannot make the files beside the baseline that even a reader needs."""


class Connection(sqlite3.Connection):
    """A connection that raises our errors, and knows its file."""

    place: tuple[Path, os.stat_result] | None = None
    """The file as it was opened."""
    full = False
    """Whether it was opened for reading only, because its disk is full."""

    def execute(self, sql: str, parameters: _Parameters = (), /) -> Cursor:
        """As sqlite3's."""
        with _failures(self):
            return self.cursor(Cursor).execute(sql, parameters)

    def damaged(self, where: str) -> VaultError:
        """The error to raise where a cell holds what it cannot hold; the file is set aside.

        Args:
            where: the column, as `table.column`.
        """
        return _damaged(self, f" (`{where}`)")

    def executemany(self, sql: str, parameters: Iterable[_Parameters], /) -> Cursor:
        """As sqlite3's."""
        with _failures(self):
            return self.cursor(Cursor).executemany(sql, parameters)


class Cursor(sqlite3.Cursor):
    """Raises our errors while rows are read, and reads all before it gives the first one out."""

    connection: Connection

    def fetchone(self) -> Any:
        """As sqlite3's."""
        with _failures(self.connection):
            return super().fetchone()

    def fetchall(self) -> list[Any]:
        """As sqlite3's."""
        with _failures(self.connection):
            return super().fetchall()

    def __iter__(self) -> Iterator[Any]:  # type: ignore[override] # a list's, not the cursor
        """Every row that is left."""
        return iter(self.fetchall())


def connect(path: Path) -> Connection:
    """Open the file, making it and its tables where there is none.

    Raises:
        VaultError: as `baseline.open_baseline`.
    """
    try:
        return _connect(path)
    except sqlite3.OperationalError as error:
        if failure_name(error) == _NO_SUCH:
            set_aside(path)
            return _connect(path)
        if failure_name(error).startswith(_NO_ROOM):
            with suppress(sqlite3.Error, OSError):
                return _connect_reading(path)
        raise VaultError(
            f"{path} cannot be opened ({error}). Check the folder, its disk and the free space."
        ) from error
    except (sqlite3.DatabaseError, UnicodeDecodeError):
        set_aside(path)
        return _connect(path)


def _connect(path: Path) -> Connection:
    connection = sqlite3.connect(
        path, timeout=BUSY_SECONDS, isolation_level=None, factory=Connection
    )
    plain = sqlite3.Connection.cursor(connection, sqlite3.Cursor)
    try:
        plain.execute("PRAGMA secure_delete = ON")  # what is deleted is overwritten, not only freed
        if _version_of(plain) < VERSION:
            plain.execute("PRAGMA journal_mode = WAL").fetchall()
            _bring_up_to_date(plain)
        plain.execute("PRAGMA synchronous = NORMAL")
    except BaseException:
        connection.close()
        raise
    connection.place = (path, path.stat())
    return connection


def _bring_up_to_date(plain: sqlite3.Cursor) -> None:
    """Make the tables as they are now, with every row of those that are there.

    Raises:
        IntegrityError: if a row holds what it cannot hold, or is there twice.
        OperationalError: if a column is missing.
    """
    plain.execute("BEGIN IMMEDIATE")
    if _version_of(plain) < VERSION:  # else another process was faster
        names = plain.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall()
        for table in TABLES:
            _make(plain, table, known=(table.name,) in names)
        for index in INDEXES:
            plain.execute(f"CREATE INDEX {index}")
        plain.execute(f"PRAGMA user_version = {VERSION}")
    plain.execute("COMMIT")


def _make(plain: sqlite3.Cursor, table: Table, *, known: bool) -> None:
    if known:
        plain.execute(f"ALTER TABLE {table.name} RENAME TO old_{table.name}")
    plain.execute(table.definition)
    if known:
        columns = ", ".join(table.columns)
        copied = f"SELECT {columns} FROM old_{table.name}"  # noqa: S608 - our words
        plain.execute(f"INSERT INTO {table.name} {copied}")
        plain.execute(f"DROP TABLE old_{table.name}")  # and its indexes


def _connect_reading(path: Path) -> Connection:
    """Open the file as it is, without the files beside it for which there is no room.

    Raises:
        OperationalError: if what another process or a crash wrote is not in it yet, or it lacks
            tables.
    """
    log = path.with_name(f"{path.name}-wal")
    if log.exists() and log.stat().st_size:
        raise sqlite3.OperationalError(f"{log} is not merged")
    connection = sqlite3.connect(
        f"{path.absolute().as_uri()}?mode=ro&immutable=1",
        uri=True,
        isolation_level=None,
        factory=Connection,
    )
    plain = sqlite3.Connection.cursor(connection, sqlite3.Cursor)
    try:
        version = _version_of(plain)
    except BaseException:
        connection.close()
        raise
    if version != VERSION:
        connection.close()
        raise sqlite3.OperationalError(f"version {version}")
    connection.place = (path, path.stat())
    connection.full = True
    return connection


def _version_of(plain: sqlite3.Cursor) -> int:
    """The version of an opened file; 0 for a new one.

    Raises:
        DatabaseError: if it is none that we know.
    """
    ((version,),) = plain.execute("PRAGMA user_version").fetchall()
    if not 0 <= version <= VERSION:
        raise sqlite3.DatabaseError(f"baseline version {version}, not {VERSION}")
    return int(version)


@contextmanager
def _failures(connection: Connection) -> Iterator[None]:
    """Turn what SQLite answers about the file and its disk into our errors."""
    try:
        yield
    except sqlite3.OperationalError as error:
        if UNREADABLE in str(error):
            raise _damaged(connection) from error
        raise _refusal(error, connection) from error
    except (sqlite3.IntegrityError, sqlite3.ProgrammingError, sqlite3.NotSupportedError):
        raise  # a mistake of ours
    except (sqlite3.DatabaseError, UnicodeDecodeError) as error:
        raise _damaged(connection) from error


def _refusal(error: sqlite3.OperationalError, connection: Connection) -> Exception:
    path = connection.place[0] if connection.place is not None else "The baseline"
    refused = sqlite_refusal(error, path, full=connection.full)
    # else a table or a column that is there in every file of ours
    return _damaged(connection) if refused is None else refused


def _damaged(connection: Connection, where: str = "") -> VaultError:
    """Set a damaged file aside, unless another process has done so already."""
    if connection.place is not None:
        set_opened_aside(*connection.place)
    return VaultError(
        f"What this machine knew of the vault is damaged{where} and was set aside. "
        "Run the command again; it reads the notes anew."
    )
