"""The notebook's SQLite file: its tables, how it is opened, and what its failures mean.

It is this machine's working state, in the state folder. A damaged file is set aside as
`catalog.broken` and begun anew; `services.notebook.card_notes.settle_notes` reads the cards back
from the notes of the sessions.
"""

from __future__ import annotations

import sqlite3
import threading
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING

from vaultmem.errors import BusyError, VaultError
from vaultmem.store.sqlite_failures import (
    UNREADABLE,
    is_busy,
    set_aside,
    set_opened_aside,
    sqlite_refusal,
)
from vaultmem.store.sqlite_file import leave_no_trace, make_private, version_of

if TYPE_CHECKING:
    import os
    from collections.abc import Iterator
    from pathlib import Path

    from vaultmem.errors import VaultmemError

NAME = "catalog.sqlite"

VERSION = 1
_WAIT_SECONDS = 10.0

_TABLES = f"""
CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE cards (
  session TEXT PRIMARY KEY, device TEXT NOT NULL, project TEXT NOT NULL, cwd TEXT NOT NULL,
  branch TEXT NOT NULL, file TEXT NOT NULL, watermark REAL NOT NULL, slug TEXT,
  stem TEXT NOT NULL, summary TEXT NOT NULL, card TEXT NOT NULL, made REAL NOT NULL,
  noted REAL, noted_used INTEGER NOT NULL, noted_at REAL NOT NULL
) WITHOUT ROWID;
CREATE TABLE uses (
  session TEXT PRIMARY KEY, used INTEGER NOT NULL, last_used REAL
) WITHOUT ROWID;
CREATE TABLE selected (
  session TEXT PRIMARY KEY, stem TEXT NOT NULL, watermark REAL NOT NULL
) WITHOUT ROWID;
CREATE TABLE dropped (session TEXT PRIMARY KEY) WITHOUT ROWID;
CREATE TABLE jobs (
  kind TEXT NOT NULL, key TEXT NOT NULL, status TEXT NOT NULL, worker TEXT NOT NULL,
  token TEXT NOT NULL, started REAL, finished REAL, lease_until REAL, retry_at REAL,
  retries INTEGER NOT NULL, error TEXT NOT NULL, watermark REAL NOT NULL, succeeded REAL,
  pid INTEGER NOT NULL, pid_started TEXT NOT NULL, place TEXT NOT NULL,
  PRIMARY KEY (kind, key)
) WITHOUT ROWID;
CREATE TABLE modes (
  session TEXT PRIMARY KEY, mode TEXT NOT NULL, ignored INTEGER NOT NULL
) WITHOUT ROWID;
CREATE TABLE usage (
  day TEXT NOT NULL, purpose TEXT NOT NULL, model TEXT NOT NULL, calls INTEGER NOT NULL,
  input INTEGER NOT NULL, output INTEGER NOT NULL, cost REAL NOT NULL, unpriced INTEGER NOT NULL,
  PRIMARY KEY (day, purpose, model)
) WITHOUT ROWID;
CREATE TABLE maintenance (
  only INTEGER PRIMARY KEY CHECK (only = 1), worker TEXT NOT NULL, token TEXT NOT NULL,
  pid INTEGER NOT NULL, started TEXT NOT NULL
);
PRAGMA user_version = {VERSION};
"""
"""`cards.noted` is the watermark of the version that stands in a note, `noted_used` how many uses
that tells, `noted_at` when it was written; `dropped` are sessions whose notes are to be deleted;
`selected` is what the last consolidation consumed, of all devices."""


class Database:
    """The file; safe to use from several threads and processes.

    What uses it raises `BusyError` where another process writes for longer than ten seconds,
    `ReadOnlyError`, `DiskFullError` and `DiskFailedError` where the state folder cannot be written,
    and `VaultError` where the file is damaged; it is set aside then, and the next call begins a new
    one.
    """

    def __init__(self, folder: Path) -> None:
        """Name the state folder; nothing is opened yet."""
        self.path = folder / NAME
        self._guard = threading.RLock()
        self._db: sqlite3.Connection | None = None
        self._opened: os.stat_result | None = None
        self._within = 0

    @property
    def set_aside(self) -> Path:
        """Where a damaged file is kept, if there was one."""
        return self.path.with_suffix(".broken")

    def close(self) -> None:
        """Close the file; the next call opens it again."""
        with self._guard:
            if self._db is not None:
                self._db.close()
            self._db = None

    @contextmanager
    def reading(self) -> Iterator[sqlite3.Connection]:
        """The connection, one thread at a time."""
        with self._guard:
            try:
                yield self._connection()
            except sqlite3.OperationalError as error:
                if UNREADABLE in str(error):
                    raise self._damaged() from error
                raise self._refusal(error) from error
            except (sqlite3.IntegrityError, sqlite3.ProgrammingError, sqlite3.NotSupportedError):
                raise  # a mistake of ours
            except (sqlite3.DatabaseError, UnicodeDecodeError) as error:
                raise self._damaged() from error

    @contextmanager
    def changing(self) -> Iterator[sqlite3.Connection]:
        """One transaction, which may stand in another one; an exception undoes all of it."""
        with self.reading() as sql:
            if self._within:
                yield sql
                return
            sql.execute("BEGIN IMMEDIATE")
            self._within = 1
            try:
                yield sql
                sql.execute("COMMIT")
            except BaseException:
                if sql.in_transaction:
                    sql.execute("ROLLBACK")
                raise
            finally:
                self._within = 0

    def meta(self, name: str) -> str:
        """A value of the table `meta`; "" where there is none."""
        with self.reading() as sql:
            found = sql.execute("SELECT value FROM meta WHERE name = ?", (name,)).fetchone()
        return "" if found is None else str(found[0])

    def set_meta(self, name: str, value: str) -> None:
        """Set a value of the table `meta`."""
        with self.changing() as sql:
            sql.execute("INSERT OR REPLACE INTO meta VALUES(?, ?)", (name, value))

    def scrub(self) -> None:
        """Rewrite the file without what was deleted, and empty its write-ahead log."""
        with self.reading() as sql:
            sql.execute("VACUUM")
            busy, _, _ = sql.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
        if busy:
            raise BusyError(
                "Another vaultmem is still reading the notebook's cards. "
                "End it, then run `vaultmem sync`."
            )

    def _connection(self) -> sqlite3.Connection:
        if self._db is None:
            try:
                self._db = self._open()
            except sqlite3.OperationalError:
                raise
            except (sqlite3.DatabaseError, UnicodeDecodeError):
                set_aside(self.path)
                self._db = self._open()
            self._opened = self.path.stat()
        return self._db

    def _open(self) -> sqlite3.Connection:
        make_private(self.path)
        db = sqlite3.connect(
            self.path, timeout=_WAIT_SECONDS, isolation_level=None, check_same_thread=False
        )
        try:
            _prepare(db, self.path)
        except BaseException:
            db.close()
            raise
        return db

    def _refusal(self, error: sqlite3.OperationalError) -> VaultmemError:
        refused = sqlite_refusal(error, self.path)
        # else a table or a column that is there in every file of ours
        return self._damaged() if refused is None else refused

    def _damaged(self) -> VaultError:
        """Set the file aside, unless another process has done so already."""
        self.close()
        if self._opened is not None:
            set_opened_aside(self.path, self._opened)
        return VaultError(
            f"What this machine knew of the notebook was damaged; it is set aside as "
            f"{self.set_aside}. Run the command again; it reads the cards from their notes."
        )


def _prepare(db: sqlite3.Connection, path: Path) -> None:
    """Bring a file up to this version; several processes may make the first one at once."""
    leave_no_trace(db)
    db.execute("PRAGMA synchronous = NORMAL")
    if version_of(db, path, newest=VERSION) == VERSION:
        return
    _write_ahead(db)
    db.execute("BEGIN IMMEDIATE")
    if version_of(db, path, newest=VERSION) != VERSION:
        for statement in _TABLES.split(";"):
            db.execute(statement)
    db.execute("COMMIT")


def _write_ahead(db: sqlite3.Connection) -> None:
    """Switch to a write-ahead log; SQLite does not wait for others by itself here."""
    limit = time.monotonic() + _WAIT_SECONDS
    while True:
        try:
            db.execute("PRAGMA journal_mode = WAL")
        except sqlite3.OperationalError as error:
            if not is_busy(error) or time.monotonic() > limit:
                raise
            time.sleep(0.02)
        else:
            return
