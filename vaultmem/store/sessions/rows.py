"""The rows of the session catalog: its tables, and what stands in them."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import quote

from vaultmem.core.session_record import (
    Compaction,
    Decision,
    Piece,
    PieceKind,
    SessionRecord,
    Span,
)

if TYPE_CHECKING:
    from sqlite3 import Connection

TABLES = """
CREATE TABLE IF NOT EXISTS sessions(
  number INTEGER PRIMARY KEY AUTOINCREMENT, file TEXT UNIQUE, id TEXT, parent TEXT,
  project TEXT, archived INTEGER, size INTEGER, changed INTEGER, done INTEGER, guard TEXT,
  passed INTEGER, record TEXT
);
CREATE INDEX IF NOT EXISTS sessions_id ON sessions(id);
CREATE TABLE IF NOT EXISTS pieces(
  path TEXT PRIMARY KEY, session INTEGER, number INTEGER, kind TEXT, entry TEXT, at REAL,
  said_start INTEGER, said_length INTEGER, answer_start INTEGER, answer_length INTEGER,
  live INTEGER, seq INTEGER
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS pieces_seq ON pieces(seq);
CREATE INDEX IF NOT EXISTS pieces_session ON pieces(session);
CREATE TABLE IF NOT EXISTS projects(cwd TEXT PRIMARY KEY, project TEXT) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS told(
  session TEXT, place INTEGER, path TEXT, entry TEXT, at INTEGER, used INTEGER,
  PRIMARY KEY(session, place)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS meta(name TEXT PRIMARY KEY, value TEXT) WITHOUT ROWID;
"""
SESSION = "number, file, project, archived, size, changed, done, guard, passed, record"
PIECE = (
    "path, session, number, kind, entry, at, said_start, said_length, answer_start, answer_length"
)


class SessionRow(NamedTuple):
    """A session file, as far as it was read.

    Attributes:
        number: of this file, for as long as the catalog lives; 0 before it is stored.
        file: its absolute path.
        project: the project's identity.
        size: of the file when it was read last, in bytes; `changed` likewise, in nanoseconds.
        done: bytes that were read; what comes behind is new.
        guard: what tells whether the file still begins with them.
        passed: lines that were passed over because they are broken or too long.
    """

    number: int
    file: str
    project: str
    archived: bool
    size: int
    changed: int
    done: int
    guard: str
    passed: int
    record: SessionRecord

    @property
    def id(self) -> str:
        """The session's id, as the agent has it."""
        return self.record.id

    @property
    def folder(self) -> str:
        """The folder of its pieces, below that of its project."""
        return f"{project_folder(self.project, archived=self.archived)}/{self.number}"


class PieceRow(NamedTuple):
    """A piece with the path that names it in the index, and the number of its session."""

    path: str
    session: int
    piece: Piece


def project_folder(project: str, *, archived: bool = False) -> str:
    """The folder of a project's pieces: one name, so that no project lies in another.

    Archived sessions lie in another one, so that a search that does not ask leaves them out.
    """
    return quote(project or "-", safe="") + ("!archived" if archived else "")


def session_row(values: tuple[object, ...]) -> SessionRow:
    """The row of the columns `SESSION`.

    Raises:
        ValueError, KeyError, TypeError: if this program did not write it.
    """
    number, file, project, archived, size, changed, done, guard, passed, record = values
    return SessionRow(
        int(str(number)),
        str(file),
        str(project),
        bool(archived),
        int(str(size)),
        int(str(changed)),
        int(str(done)),
        str(guard),
        int(str(passed)),
        _record(str(record)),
    )


def store_session(sql: Connection, row: SessionRow) -> int:
    """Insert or replace the row of a file; returns its number."""
    values = (
        row.id,
        row.record.parent,
        row.project,
        row.archived,
        row.size,
        row.changed,
        row.done,
        row.guard,
        row.passed,
        json.dumps(asdict(row.record)),
        row.file,
    )
    done = sql.execute(
        "UPDATE sessions SET id = ?, parent = ?, project = ?, archived = ?, size = ?, changed = ?,"
        " done = ?, guard = ?, passed = ?, record = ? WHERE file = ?",
        values,
    )
    if not done.rowcount:
        sql.execute(
            "INSERT INTO sessions(id, parent, project, archived, size, changed, done, guard,"
            " passed, record, file) VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            values,
        )
    found = sql.execute("SELECT number FROM sessions WHERE file = ?", (row.file,)).fetchone()
    return int(found[0])


def piece_row(values: tuple[object, ...]) -> PieceRow:
    """The row of the columns `PIECE`."""
    path, session, number, kind, entry, at, *places = values
    start, length, answer_start, answer_length = places
    piece = Piece(
        number=int(str(number)),
        kind=PieceKind(str(kind)),
        entry=str(entry),
        at=float(str(at)),
        said=_span(start, length),
        answer=_span(answer_start, answer_length),
    )
    return PieceRow(str(path), int(str(session)), piece)


def store_piece(sql: Connection, path: str, session: int, piece: Piece, seq: int) -> None:
    """Insert or replace a live piece."""
    said, answer = piece.said or (None, None), piece.answer or (None, None)
    sql.execute(
        f"INSERT OR REPLACE INTO pieces({PIECE}, live, seq)"
        " VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 1, ?)",
        (path, session, piece.number, piece.kind, piece.entry, piece.at, *said, *answer, seq),
    )


def _span(start: object, length: object) -> Span | None:
    return None if start is None else Span(int(str(start)), int(str(length)))


def _record(text: str) -> SessionRecord:
    """The record that `asdict` took apart."""
    raw = json.loads(text)
    turn, last = raw["turn"], raw["compaction"]
    raw |= {key: tuple(raw[key]) for key in ("models", "tools", "files", "digests")}
    raw["decisions"] = tuple(Decision(**one) for one in raw["decisions"])
    raw["calls"] = tuple((call, path) for call, path in raw["calls"])
    raw["turn"] = turn and _turn(turn)
    raw["compaction"] = last and Compaction(**{**last, "chain": tuple(last["chain"])})
    return SessionRecord(**raw)


def _turn(raw: dict[str, object]) -> Piece:
    said, answer = raw["said"], raw["answer"]
    return Piece(
        number=int(str(raw["number"])),
        kind=PieceKind(str(raw["kind"])),
        entry=str(raw["entry"]),
        at=float(str(raw["at"])),
        said=Span(*said) if isinstance(said, list) else None,
        answer=Span(*answer) if isinstance(answer, list) else None,
    )
