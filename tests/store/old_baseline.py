"""A baseline as version 3 made it: the same columns, which refused little."""

from __future__ import annotations

import contextlib
import sqlite3
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

_TABLES = """
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE notes (
  path TEXT PRIMARY KEY, mtime_ns INTEGER NOT NULL, size INTEGER NOT NULL, inode INTEGER NOT NULL,
  ctime_ns INTEGER NOT NULL, recorded_ns INTEGER NOT NULL, etag TEXT NOT NULL, kind TEXT NOT NULL,
  id TEXT NOT NULL, state TEXT NOT NULL, stem TEXT NOT NULL, findings TEXT NOT NULL
) WITHOUT ROWID;
CREATE INDEX notes_by_stem ON notes (stem);
CREATE INDEX notes_in_trouble ON notes (path) WHERE findings <> '';
CREATE INDEX notes_external ON notes (path) WHERE state = 'external';
CREATE INDEX notes_waiting ON notes (path) WHERE state = 'waiting';
CREATE INDEX notes_by_id ON notes (id) WHERE id <> '';
CREATE INDEX notes_by_kind ON notes (kind);
CREATE TABLE memories (
  id TEXT NOT NULL, path TEXT NOT NULL, statement TEXT NOT NULL, category TEXT NOT NULL,
  layer TEXT NOT NULL, status TEXT NOT NULL, scope TEXT NOT NULL, project TEXT NOT NULL,
  cue TEXT NOT NULL, confidence REAL NOT NULL, evidence_count REAL NOT NULL, pinned REAL NOT NULL,
  enforced REAL NOT NULL, reinforced REAL NOT NULL, created REAL NOT NULL, review REAL NOT NULL,
  valid_from REAL NOT NULL, valid_to REAL NOT NULL, expires REAL NOT NULL,
  applies_when TEXT NOT NULL, not_when TEXT NOT NULL, rule TEXT NOT NULL, trust TEXT NOT NULL,
  force REAL NOT NULL, session TEXT NOT NULL,
  state TEXT NOT NULL, since REAL NOT NULL, etag TEXT NOT NULL, evidence_base REAL NOT NULL,
  statement_key TEXT NOT NULL, force_mac TEXT NOT NULL,
  PRIMARY KEY (id)
) WITHOUT ROWID;
CREATE INDEX memories_missing ON memories (id) WHERE state = 'missing';
CREATE INDEX memories_deleted ON memories (id) WHERE status = 'deleted' OR state = 'gone';
CREATE INDEX memories_by_path ON memories (path);
CREATE INDEX memories_by_statement ON memories (statement_key);
CREATE TABLE contents (id TEXT PRIMARY KEY, bytes BLOB NOT NULL);
CREATE TABLE wordings (
  id TEXT NOT NULL, text TEXT NOT NULL, PRIMARY KEY (id, text)
) WITHOUT ROWID;
CREATE TABLE changes (path TEXT PRIMARY KEY, seq INTEGER NOT NULL) WITHOUT ROWID;
CREATE INDEX changes_by_seq ON changes (seq);
CREATE TABLE ledger (
  line TEXT PRIMARY KEY, kind TEXT NOT NULL, device TEXT NOT NULL, at TEXT NOT NULL,
  act TEXT NOT NULL, note TEXT NOT NULL, data TEXT NOT NULL, after TEXT NOT NULL,
  signed INTEGER NOT NULL, file TEXT NOT NULL
) WITHOUT ROWID;
CREATE INDEX ledger_by_note ON ledger (note, kind);
CREATE INDEX ledger_unwritten ON ledger (line) WHERE file = 'unwritten';
CREATE INDEX ledger_by_after ON ledger (after) WHERE after <> '';
CREATE TABLE pending (
  id TEXT NOT NULL, act TEXT NOT NULL, keys TEXT NOT NULL, after TEXT NOT NULL, at REAL NOT NULL,
  PRIMARY KEY (id, act)
) WITHOUT ROWID;
CREATE TABLE patches (
  id TEXT PRIMARY KEY, status TEXT NOT NULL, at REAL NOT NULL, actor TEXT NOT NULL,
  via TEXT NOT NULL, ratified INTEGER NOT NULL, note BLOB NOT NULL, opened TEXT NOT NULL,
  steps TEXT NOT NULL
) WITHOUT ROWID;
CREATE INDEX patches_unfinished ON patches (id)
  WHERE status IN ('applying', 'reverting');
PRAGMA user_version = 3;
"""


def make_old(path: Path, rows: dict[str, list[tuple]]) -> None:
    """Make the file with these rows, by table."""
    with contextlib.closing(sqlite3.connect(path)) as sql, sql:
        sql.execute("PRAGMA journal_mode = WAL")
        sql.executescript(_TABLES)
        for table, found in rows.items():
            marks = ",".join("?" * len(found[0]))
            sql.executemany(f"INSERT INTO {table} VALUES ({marks})", found)
