"""The baseline's SQLite file: its tables, how it is opened, and what its failures mean."""

from __future__ import annotations

import sqlite3
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING

from vaultmem.core.standing import STANDING_COLUMNS
from vaultmem.errors import VaultError
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

VERSION = 3
"""A file of an older version gets the tables that it lacks; none that was there ever changed."""
BUSY_SECONDS = 10.0
_NO_ROOM = ("SQLITE_FULL", "SQLITE_IOERR_SHM")
"""How SQLite says that it cannot make the files beside the baseline that even a reader needs."""

_NUMBERS = frozenset(
    (
        "confidence",
        "evidence_count",
        "pinned",
        "enforced",
        "force",
        "reinforced",
        "created",
        "review",
        "valid_from",
        "valid_to",
        "expires",
    )
)
_COLUMNS = ", ".join(
    f"{name} {'REAL' if name in _NUMBERS else 'TEXT'} NOT NULL" for name in STANDING_COLUMNS
)
_SCHEMA = f"""
CREATE TABLE IF NOT EXISTS meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS notes (
  path TEXT PRIMARY KEY, mtime_ns INTEGER NOT NULL, size INTEGER NOT NULL, inode INTEGER NOT NULL,
  ctime_ns INTEGER NOT NULL, recorded_ns INTEGER NOT NULL, etag TEXT NOT NULL, kind TEXT NOT NULL,
  id TEXT NOT NULL, state TEXT NOT NULL, stem TEXT NOT NULL, findings TEXT NOT NULL
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS notes_by_stem ON notes (stem);
CREATE INDEX IF NOT EXISTS notes_in_trouble ON notes (path) WHERE findings <> '';
CREATE INDEX IF NOT EXISTS notes_external ON notes (path) WHERE state = 'external';
CREATE INDEX IF NOT EXISTS notes_waiting ON notes (path) WHERE state = 'waiting';
CREATE INDEX IF NOT EXISTS notes_by_id ON notes (id) WHERE id <> '';
CREATE INDEX IF NOT EXISTS notes_by_kind ON notes (kind);
CREATE TABLE IF NOT EXISTS memories (
  {_COLUMNS},
  state TEXT NOT NULL, since REAL NOT NULL, etag TEXT NOT NULL, evidence_base REAL NOT NULL,
  statement_key TEXT NOT NULL, force_mac TEXT NOT NULL,
  PRIMARY KEY (id)
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS memories_missing ON memories (id) WHERE state = 'missing';
CREATE INDEX IF NOT EXISTS memories_deleted ON memories (id)
  WHERE status = 'deleted' OR state = 'gone';
CREATE INDEX IF NOT EXISTS memories_by_path ON memories (path);
CREATE INDEX IF NOT EXISTS memories_by_statement ON memories (statement_key);
CREATE TABLE IF NOT EXISTS contents (id TEXT PRIMARY KEY, bytes BLOB NOT NULL);
CREATE TABLE IF NOT EXISTS wordings (
  id TEXT NOT NULL, text TEXT NOT NULL, PRIMARY KEY (id, text)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS changes (path TEXT PRIMARY KEY, seq INTEGER NOT NULL) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS changes_by_seq ON changes (seq);
CREATE TABLE IF NOT EXISTS ledger (
  line TEXT PRIMARY KEY, kind TEXT NOT NULL, device TEXT NOT NULL, at TEXT NOT NULL,
  act TEXT NOT NULL, note TEXT NOT NULL, data TEXT NOT NULL, after TEXT NOT NULL,
  signed INTEGER NOT NULL, file TEXT NOT NULL
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS ledger_by_note ON ledger (note, kind);
CREATE INDEX IF NOT EXISTS ledger_unwritten ON ledger (line) WHERE file = 'unwritten';
CREATE INDEX IF NOT EXISTS ledger_by_after ON ledger (after) WHERE after <> '';
CREATE TABLE IF NOT EXISTS pending (
  id TEXT NOT NULL, act TEXT NOT NULL, keys TEXT NOT NULL, after TEXT NOT NULL, at REAL NOT NULL,
  PRIMARY KEY (id, act)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS patches (
  id TEXT PRIMARY KEY, status TEXT NOT NULL, at REAL NOT NULL, actor TEXT NOT NULL,
  via TEXT NOT NULL, ratified INTEGER NOT NULL, note BLOB NOT NULL, opened TEXT NOT NULL,
  steps TEXT NOT NULL
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS patches_unfinished ON patches (id)
  WHERE status IN ('applying', 'reverting');
PRAGMA user_version = {VERSION};
"""


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

    def __iter__(self) -> Iterator[Any]:  # type: ignore[override] # a list's, not the cursor
        """Every row that is left."""
        with _failures(self.connection):
            return iter(self.fetchall())


def connect(path: Path) -> Connection:
    """Open the file, making it and its tables where there is none.

    Raises:
        VaultError: as `baseline.open_baseline`.
    """
    try:
        return _connect(path)
    except sqlite3.OperationalError as error:
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
        ((version,),) = plain.execute("PRAGMA user_version").fetchall()
        _check_version(version)
        if version < VERSION:
            plain.execute("PRAGMA journal_mode = WAL").fetchall()
            plain.executescript(f"BEGIN IMMEDIATE; {_SCHEMA} COMMIT;")
        plain.execute("PRAGMA synchronous = NORMAL")
        plain.execute("PRAGMA secure_delete = ON")  # what is deleted is overwritten, not only freed
    except BaseException:
        connection.close()
        raise
    connection.place = (path, path.stat())
    return connection


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
        ((version,),) = plain.execute("PRAGMA user_version").fetchall()
    except BaseException:
        connection.close()
        raise
    if version != VERSION:
        connection.close()
        raise sqlite3.OperationalError(f"version {version}")
    connection.place = (path, path.stat())
    connection.full = True
    return connection


def _check_version(version: int) -> None:
    if not 0 <= version <= VERSION:
        raise sqlite3.DatabaseError(f"baseline version {version}, not {VERSION}")


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


def _damaged(connection: Connection) -> VaultError:
    """Set a damaged file aside, unless another process has done so already."""
    if connection.place is not None:
        set_opened_aside(*connection.place)
    return VaultError(
        "What this machine knew of the vault is damaged and was set aside. "
        "Run the command again; it reads the notes anew."
    )
