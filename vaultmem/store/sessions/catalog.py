"""What this machine knows of the session files: how far each was read, and its pieces.

One SQLite file in the cache, which can be made anew. It holds places in the session files; of the
talk itself only titles, first messages and decisions, without secrets. Changes of pieces have
numbers, so that an index can be told what is new since it was fed last.
"""

from __future__ import annotations

import os
import sqlite3
import threading
from contextlib import contextmanager
from typing import TYPE_CHECKING, NamedTuple

from vaultmem.core.session_record import Piece, PieceKind
from vaultmem.errors import BusyError, ReadOnlyError, SearchError, VaultmemError
from vaultmem.store.disk import DISK
from vaultmem.store.private import private_folder
from vaultmem.store.sessions.rows import (
    PIECE,
    SESSION,
    TABLES,
    PieceRow,
    SessionRow,
    piece_row,
    session_row,
    store_piece,
    store_session,
)
from vaultmem.store.sqlite_failures import failure_name, is_busy
from vaultmem.store.sqlite_file import leave_no_trace

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from pathlib import Path
    from typing import TypeVar

    Row = TypeVar("Row", SessionRow, PieceRow)

NAME = "catalog.sqlite"

_FORMAT = "1"
_WAIT_SECONDS = 5.0
_REFUSED = ("SQLITE_FULL", "SQLITE_READONLY", "SQLITE_CANTOPEN", "SQLITE_PERM")


class Changes(NamedTuple):
    """What is new or changed, and the paths of what is gone."""

    pieces: list[PieceRow]
    gone: list[str]


class Catalog:
    """The file; safe to use from several threads and processes.

    Methods raise `BusyError` where another process writes for longer than a few seconds,
    `ReadOnlyError` where the cache cannot be written, and `SearchError` where the file is damaged;
    it is removed then, and the next call begins a new one.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._guard = threading.RLock()
        self._db: sqlite3.Connection | None = None

    def close(self) -> None:
        """Close the file; the next call opens it again."""
        with self._guard:
            if self._db is not None:
                self._db.close()
            self._db = None

    @property
    def exists(self) -> bool:
        """Whether anything was ever kept."""
        return (self._folder / NAME).is_file()

    @property
    def stamp(self) -> str:
        """What names the state of the pieces: this file, and the number of its last change."""
        with self.using() as sql:
            return f"{_meta(sql, 'uid')}:{_meta(sql, 'seq')}"

    def folders(self) -> tuple[str, ...]:
        """The folders of sessions that were looked into last."""
        with self.using() as sql:
            return tuple(filter(None, _meta(sql, "folders").split("\n")))

    def set_folders(self, folders: Sequence[str]) -> None:
        """Remember the folders that are looked into."""
        told = "\n".join(folders)
        if tuple(folders) != self.folders():
            with self.changing() as sql:
                _note(sql, "folders", told)

    # Sessions

    def rows(self) -> list[SessionRow]:
        """All sessions, by their files."""
        return self._sessions("1 ORDER BY file")

    def count(self) -> int:
        """How many sessions there are."""
        with self.using() as sql:
            return int(sql.execute("SELECT count(*) FROM sessions").fetchone()[0])

    def row(self, number: int) -> SessionRow | None:
        """The session of that number."""
        return next(iter(self._sessions("number = ?", number)), None)

    def family(self, identifier: str) -> frozenset[int]:
        """The numbers of a session's files, and of those it was forked from or that forked it."""
        with self.using() as sql:
            found = sql.execute(
                "WITH own AS (SELECT number, file, parent FROM sessions WHERE id = ?)"
                " SELECT number FROM own"
                " UNION SELECT number FROM sessions WHERE file IN (SELECT parent FROM own)"
                " UNION SELECT number FROM sessions WHERE parent IN (SELECT file FROM own)",
                (identifier,),
            ).fetchall()
        return frozenset(number for (number,) in found)

    def put(
        self,
        row: SessionRow,
        pieces: Iterable[Piece],
        dropped: Iterable[int],
        *,
        before: SessionRow | None,
    ) -> bool:
        """Store what was read of a file; False if another process stored something meanwhile.

        Args:
            row: the session now.
            pieces: those that are new or changed.
            dropped: numbers of pieces that are not told any more.
            before: the session as it was when more of it was read; None where it was read from its
                beginning, so that all of its pieces are replaced.
        """
        with self.changing() as sql:
            found = sql.execute(
                "SELECT number, done, changed FROM sessions WHERE file = ?", (row.file,)
            ).fetchone()
            if before is not None and found != (before.number, before.done, before.changed):
                return False
            seq = _next(sql)
            if before is None and found is not None:
                _bury(sql, found[0], seq)
            number = store_session(sql, row)
            folder = row._replace(number=number).folder
            head = Piece(number=0, kind=PieceKind.HEAD, entry="", at=row.record.started)
            for piece in (head, *pieces):
                store_piece(sql, f"{folder}/{piece.number}", number, piece, seq)
            for gone in dropped:
                _bury_piece(sql, f"{folder}/{gone}", seq)
        return True

    def drop(self, numbers: Iterable[int]) -> None:
        """Forget sessions, with their pieces."""
        with self.changing() as sql:
            seq = _next(sql)
            for number in numbers:
                _bury(sql, number, seq)
                sql.execute("DELETE FROM sessions WHERE number = ?", (number,))

    def wipe(self) -> None:
        """Forget everything but the projects of folders, which may not be there any more."""
        with self.changing() as sql:
            for table in ("sessions", "pieces", "told", "meta"):
                sql.execute(f"DELETE FROM {table}")  # noqa: S608 - names from the line above
            _begin(sql)

    def project(self, cwd: str) -> str | None:
        """The project that a folder was found to belong to before."""
        with self.using() as sql:
            found = sql.execute("SELECT project FROM projects WHERE cwd = ?", (cwd,)).fetchone()
        return None if found is None else str(found[0])

    def remember_project(self, cwd: str, project: str) -> None:
        """Keep the project of a folder, for when it is gone."""
        with self.changing() as sql:
            sql.execute("INSERT OR REPLACE INTO projects VALUES(?, ?)", (cwd, project))

    # Pieces

    def pieces(self) -> list[PieceRow]:
        """The live pieces of all sessions, those of a file in their order."""
        return self._pieces("live = 1 ORDER BY session, number")

    def piece(self, path: str) -> PieceRow | None:
        """The live piece of that path."""
        return next(iter(self._pieces("path = ? AND live = 1", path)), None)

    def changes_since(self, seq: int) -> Changes:
        """What changed after the change of that number."""
        gone = self._pieces("seq > ? AND live = 0", seq)
        new = self._pieces("seq > ? AND live = 1 ORDER BY session, number", seq)
        return Changes(new, [one.path for one in gone])

    def scrub(self) -> None:
        """Rewrite the file without what was deleted, and empty its write-ahead log."""
        with self.using() as sql:
            sql.execute("DELETE FROM pieces WHERE live = 0")
            sql.execute("VACUUM")
            busy, _, _ = sql.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
        if busy:
            raise BusyError(
                "Another vaultmem is still reading the earlier sessions. "
                "End it, then run `vaultmem sync`."
            )

    # The file

    @contextmanager
    def changing(self) -> Iterator[sqlite3.Connection]:
        """One transaction; leaving it with an exception undoes it."""
        with self.using() as sql:
            sql.execute("BEGIN IMMEDIATE")
            try:
                yield sql
            except BaseException:
                sql.execute("ROLLBACK")
                raise
            sql.execute("COMMIT")

    @contextmanager
    def using(self) -> Iterator[sqlite3.Connection]:
        """The connection, one thread at a time."""
        with self._guard:
            try:
                yield self._opened()
            except sqlite3.OperationalError as error:
                raise self._translated(error) from error
            except (sqlite3.DatabaseError, UnicodeDecodeError) as error:
                raise self._damaged() from error

    def _opened(self) -> sqlite3.Connection:
        if self._db is None:
            private_folder(self._folder)
            path = self._folder / NAME
            try:
                os.close(os.open(path, os.O_CREAT | os.O_RDWR, 0o600))
            except OSError as error:
                raise _unwritable(str(error.strerror)) from error
            db = sqlite3.connect(
                path, timeout=_WAIT_SECONDS, isolation_level=None, check_same_thread=False
            )
            try:
                _prepare(db)
            except BaseException:
                db.close()
                raise
            self._db = db
        return self._db

    def _translated(self, error: sqlite3.OperationalError) -> VaultmemError:
        if is_busy(error):
            return BusyError(
                "Another vaultmem is reading the session files. Run the command again later."
            )
        if failure_name(error).startswith(_REFUSED):
            return _unwritable(str(error))
        return self._damaged()

    def _damaged(self) -> SearchError:
        self.close()
        for name in (NAME, f"{NAME}-wal", f"{NAME}-shm"):
            DISK.unlink(self._folder / name)
        return SearchError(
            "What was known of earlier sessions was damaged and is removed. "
            "Run the command again; it is read anew."
        )

    def _sessions(self, where: str, *values: object) -> list[SessionRow]:
        question = f"SELECT {SESSION} FROM sessions WHERE {where}"  # noqa: S608 - our own names
        return self._read(question, values, session_row)

    def _pieces(self, where: str, *values: object) -> list[PieceRow]:
        question = f"SELECT {PIECE} FROM pieces WHERE {where}"  # noqa: S608 - our own names
        return self._read(question, values, piece_row)

    def _read(
        self, question: str, values: Sequence[object], row_of: Callable[[tuple[object, ...]], Row]
    ) -> list[Row]:
        with self.using() as sql:
            found = sql.execute(question, values).fetchall()
        try:
            return [row_of(one) for one in found]
        except (ValueError, KeyError, TypeError) as error:
            raise self._damaged() from error


def _prepare(db: sqlite3.Connection) -> None:
    db.execute("PRAGMA journal_mode = WAL")
    db.execute("PRAGMA synchronous = NORMAL")
    leave_no_trace(db)
    db.executescript(TABLES)
    if _meta(db, "format") != _FORMAT:
        db.execute("BEGIN IMMEDIATE")
        for table in ("sessions", "pieces", "told", "projects", "meta"):
            db.execute(f"DELETE FROM {table}")  # noqa: S608 - names from the line above
        _begin(db)
        db.execute("COMMIT")


def _begin(sql: sqlite3.Connection) -> None:
    _note(sql, "format", _FORMAT)
    _note(sql, "uid", os.urandom(8).hex())
    _note(sql, "seq", "0")


def _next(sql: sqlite3.Connection) -> int:
    seq = int(_meta(sql, "seq")) + 1
    _note(sql, "seq", str(seq))
    return seq


def _bury(sql: sqlite3.Connection, session: int, seq: int) -> None:
    sql.execute(
        "UPDATE pieces SET live = 0, seq = ? WHERE session = ? AND live = 1", (seq, session)
    )


def _bury_piece(sql: sqlite3.Connection, path: str, seq: int) -> None:
    sql.execute("UPDATE pieces SET live = 0, seq = ? WHERE path = ?", (seq, path))


def _meta(sql: sqlite3.Connection, name: str) -> str:
    found = sql.execute("SELECT value FROM meta WHERE name = ?", (name,)).fetchone()
    return "" if found is None else str(found[0])


def _note(sql: sqlite3.Connection, name: str, value: str) -> None:
    sql.execute("INSERT OR REPLACE INTO meta VALUES(?, ?)", (name, value))


def _unwritable(why: str) -> ReadOnlyError:
    return ReadOnlyError(
        f"What is known of earlier sessions cannot be kept ({why}). "
        "Check the permissions and the free space of the cache folder."
    )
