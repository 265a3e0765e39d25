"""Which text is where: the SQLite side of the vectors (documents, waiting texts, rows)."""

from __future__ import annotations

import hashlib
import os
import sqlite3
from contextlib import contextmanager
from typing import TYPE_CHECKING, NamedTuple

from vaultmem.index.documents import Source
from vaultmem.index.signals import IndexLockedError, VectorsTornError, unwritable
from vaultmem.store.sqlite_failures import failure_name, is_busy
from vaultmem.store.sqlite_file import leave_no_trace

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from pathlib import Path

    from vaultmem.index.documents import Document

_FORMAT = "1"
_TABLES = """
CREATE TABLE IF NOT EXISTS documents(
  key TEXT PRIMARY KEY, source TEXT, id TEXT, path TEXT, title TEXT, heading TEXT, hash BLOB
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS documents_path ON documents(path);
CREATE INDEX IF NOT EXISTS documents_hash ON documents(hash);
CREATE TABLE IF NOT EXISTS waiting(hash BLOB PRIMARY KEY, rank INTEGER, text TEXT) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS waiting_rank ON waiting(rank, hash);
CREATE TABLE IF NOT EXISTS vectors(hash BLOB PRIMARY KEY, row INTEGER UNIQUE) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS meta(name TEXT PRIMARY KEY, value TEXT) WITHOUT ROWID;
"""
_UNWRITABLE = (
    "SQLITE_FULL",
    "SQLITE_IOERR_SHM",
    "SQLITE_READONLY",
    "SQLITE_CANTOPEN",
    "SQLITE_PERM",
)
_RANK = {source: rank for rank, source in enumerate(Source)}
_MOST_TOUCHED = 500
"""Documents that one write may change before all are read anew."""
_MOST_OWN = 64
"""Writes of this process that are remembered, for a view that follows them."""
_PLACED = (
    "SELECT key, source, id, path, title, heading, row FROM documents JOIN vectors USING (hash)"
)


class Placed(NamedTuple):
    """A document whose text has a vector, and the row of that vector."""

    key: str
    source: str
    id: str | None
    path: str
    title: str
    heading: str
    row: int


def text_hash(text: str) -> bytes:
    """What makes two texts one vector: the sha256 of the text that is embedded."""
    return hashlib.sha256(text.encode("utf-8", "replace")).digest()


class VectorTable:
    """Documents by key, rows by text hash, and the texts that wait for a vector.

    Every change is one transaction, which is also the lock between processes: whoever appends
    vectors to the file beside does it inside one. Every method raises `VectorsTornError` when the
    file is damaged and `IndexLockedError` when another process writes for more than `wait` seconds.
    """

    def __init__(self, path: Path, *, wait: float) -> None:
        self._path = path
        self._touched: set[str] | None = None
        self._own: dict[int, frozenset[str]] = {}
        try:
            path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            os.close(os.open(path, os.O_CREAT | os.O_RDWR, 0o600))
        except OSError as error:
            raise unwritable(error) from error
        self._db = sqlite3.connect(
            path, timeout=wait, isolation_level=None, check_same_thread=False
        )
        try:
            with _errors():
                self._db.execute("PRAGMA journal_mode=WAL")
                self._db.execute("PRAGMA synchronous=NORMAL")
                leave_no_trace(self._db)
                self._db.executescript(_TABLES)
        except BaseException:
            self._db.close()
            raise

    def close(self) -> None:
        """Close the file."""
        self._db.close()

    @contextmanager
    def change(self) -> Iterator[None]:
        """One transaction; leaving it with an exception undoes it."""
        with _errors():
            self._db.execute("BEGIN IMMEDIATE")
            self._touched = set()
            try:
                yield
            except BaseException:
                self._db.execute("ROLLBACK")
                raise
            generation = int(self.noted("generation") or 0) + 1
            self.note("generation", str(generation))
            self._db.execute("COMMIT")
        self._remember(generation)

    def changed(self, since: str, until: str) -> frozenset[str] | None:
        """Keys that differ between two generations; None if others wrote, or too much changed."""
        own = [self._own.get(number) for number in range(int(since) + 1, int(until) + 1)]
        known = [keys for keys in own if keys is not None]
        return frozenset().union(*known) if len(known) == len(own) else None

    def _remember(self, generation: int) -> None:
        """Keep what this write touched; only once it stands, else the number may be another's."""
        if self._touched is not None:
            self._own[generation] = frozenset(self._touched)
            self._own.pop(generation - _MOST_OWN, None)

    def _touch(self, question: str, value: str | bytes) -> None:
        """Note which documents a write changes, by a question for their keys."""
        if self._touched is None:
            return
        found = self._db.execute(question, (value,))
        self._touched.update(str(key) for (key,) in found)
        if len(self._touched) > _MOST_TOUCHED:
            self._touched = None

    def noted(self, name: str) -> str | None:
        """A remembered value: `stamp`, `model`, `file`, `generation`."""
        with _errors():
            row = self._db.execute("SELECT value FROM meta WHERE name=?", (name,)).fetchone()
        return None if row is None else str(row[0])

    def note(self, name: str, value: str | None) -> None:
        """Remember a value, or forget it; inside `change`."""
        if value is None:
            self._db.execute("DELETE FROM meta WHERE name=?", (name,))
        else:
            self._db.execute("INSERT OR REPLACE INTO meta VALUES(?,?)", (name, value))

    def reset(self, model: str, file: str) -> None:
        """Forget everything and start for another model; inside `change`."""
        self._touched = None
        for table in ("documents", "waiting", "vectors"):
            self._db.execute(f"DELETE FROM {table}")  # noqa: S608 - names from the line above
        self.note("stamp", None)
        self.note("model", model)
        self.note("file", file)
        self.note("format", _FORMAT)

    def usable(self, model: str) -> bool:
        """Whether what is stored was made by this program for this model."""
        return self.noted("model") == model and self.noted("format") == _FORMAT

    # Inside `change`

    def clear_documents(self) -> None:
        """Forget the documents; vectors stay, for the texts that come again."""
        self._touched = None
        self._db.execute("DELETE FROM documents")

    def drop(self, key_or_path: str) -> None:
        """Forget the documents with that key or path."""
        self._touch("SELECT key FROM documents WHERE key=?1 OR path=?1", key_or_path)
        self._db.execute("DELETE FROM documents WHERE key=?1 OR path=?1", (key_or_path,))

    def put(self, document: Document) -> None:
        """Place a document in place of the one with its key; an unknown text starts waiting."""
        text = document.meaning
        digest = text_hash(text)
        self._db.execute(
            "INSERT OR REPLACE INTO documents VALUES(?,?,?,?,?,?,?)",
            (
                document.key,
                document.source.value,
                document.id,
                document.path,
                _sayable(document.title),
                _sayable(document.heading),
                digest,
            ),
        )
        self._touch("SELECT ?", document.key)
        self._db.execute(
            "INSERT OR IGNORE INTO waiting SELECT ?1,?2,?3"
            " WHERE NOT EXISTS (SELECT 1 FROM vectors WHERE hash=?1)",
            (digest, _RANK[document.source], _sayable(text)),
        )

    def forget_unneeded(self) -> None:
        """Stop waiting for texts that no document has any more."""
        self._db.execute("DELETE FROM waiting WHERE hash NOT IN (SELECT hash FROM documents)")

    def arrived(self, hashes: Sequence[bytes], first_row: int) -> None:
        """Record rows for texts, which then wait no longer."""
        rows = [(digest, first_row + at) for at, digest in enumerate(hashes)]
        self._db.executemany("INSERT OR REPLACE INTO vectors VALUES(?,?)", rows)
        self._db.executemany("DELETE FROM waiting WHERE hash=?", [(digest,) for digest in hashes])
        for digest in hashes:
            self._touch("SELECT key FROM documents WHERE hash=?", digest)

    def renumber(self, kept: Iterable[bytes], file: str) -> None:
        """After compaction: these texts, in this order, are the rows of `file`."""
        self._touched = None
        self._db.execute("DELETE FROM vectors")
        self.note("file", file)
        self._db.executemany(
            "INSERT INTO vectors VALUES(?,?)", ((digest, row) for row, digest in enumerate(kept))
        )

    # Reading

    @contextmanager
    def snapshot(self) -> Iterator[None]:
        """Several questions about one state."""
        with _errors():
            self._db.execute("BEGIN")
            try:
                yield
            finally:
                self._db.execute("COMMIT")

    def known(self, hashes: Sequence[bytes]) -> set[bytes]:
        """Which of these texts have a vector."""
        with _errors():
            return {
                digest
                for digest in hashes
                if self._db.execute("SELECT 1 FROM vectors WHERE hash=?", (digest,)).fetchone()
            }

    def waiting(self, limit: int) -> list[str]:
        """Texts without a vector, memories first."""
        with _errors():
            rows = self._db.execute(
                "SELECT text FROM waiting ORDER BY rank, hash LIMIT ?", (limit,)
            ).fetchall()
        return [str(row[0]) for row in rows]

    def documents(self) -> int:
        """How many documents there are."""
        return self._number("SELECT count(*) FROM documents")

    def keys(self) -> frozenset[str]:
        """The key of every document, also of one that waits for its vector."""
        with _errors():
            return frozenset(str(row[0]) for row in self._db.execute("SELECT key FROM documents"))

    def waiting_count(self) -> int:
        """How many texts wait; asked by every search, so it counts only those."""
        return self._number("SELECT count(*) FROM waiting")

    def rows(self) -> int:
        """How many rows are in use or were."""
        return self._number("SELECT coalesce(max(row) + 1, 0) FROM vectors")

    def _number(self, question: str) -> int:
        with _errors():
            return int(self._db.execute(question).fetchone()[0])

    def placed(self) -> list[Placed]:
        """Every document with a vector, by key."""
        with _errors():
            return [Placed(*row) for row in self._db.execute(f"{_PLACED} ORDER BY key")]

    def placed_among(self, keys: Iterable[str]) -> list[Placed]:
        """The documents with these keys that have a vector."""
        with _errors():
            return [
                Placed(*row)
                for key in keys
                for row in self._db.execute(f"{_PLACED} WHERE key=?", (key,))
            ]

    def needed(self) -> list[tuple[bytes, int]]:
        """Text hashes that a document has, with their rows, by row."""
        with _errors():
            return self._db.execute(
                "SELECT hash, row FROM vectors"
                " WHERE hash IN (SELECT hash FROM documents) ORDER BY row"
            ).fetchall()

    def shrink(self) -> None:
        """Give free pages back and empty the write-ahead log, which a reader may not allow."""
        with _errors():
            self._db.execute("VACUUM")
            busy, _, _ = self._db.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
        if busy:
            raise IndexLockedError("is being read by another process")


def _sayable(text: str) -> str:
    """What SQLite can store: lone surrogates replaced."""
    return text.encode("utf-8", "replace").decode("utf-8")


@contextmanager
def _errors() -> Iterator[None]:
    try:
        yield
    except sqlite3.OperationalError as error:
        if is_busy(error):
            raise IndexLockedError from error
        if failure_name(error).startswith(_UNWRITABLE):
            raise IndexLockedError(f"cannot be written ({error})") from error
        raise VectorsTornError("vectors") from error
    except (sqlite3.DatabaseError, UnicodeDecodeError) as error:
        raise VectorsTornError("vectors") from error
