"""Whether a session may become part of the notebook: its mode, and the person's `ignore`."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple

from vaultmem.store.notebook.job_rows import mark_dirty

if TYPE_CHECKING:
    import sqlite3

    from vaultmem.store.notebook.tables import Database


class Mode(StrEnum):
    """What a session is to the notebook (facts/notebook.md, sections 2 and 3)."""

    ENABLED = "enabled"
    DISABLED = "disabled"
    """It began while capture was switched off."""
    POLLUTED = "polluted"
    """It read what others wrote: the web, or a tool of another server."""


class SessionMode(NamedTuple):
    """The mode of a session, and whether the person wants it ignored."""

    mode: Mode = Mode.ENABLED
    ignored: bool = False

    @property
    def counts(self) -> bool:
        """Whether it may be extracted, and its card consumed."""
        return self.mode is Mode.ENABLED and not self.ignored


class Modes:
    """The sessions that are not simply enabled; methods raise as `Database` says."""

    def __init__(self, db: Database) -> None:
        self._db = db

    def get(self, session: str) -> SessionMode:
        """What holds for a session; one that nobody said anything of is enabled."""
        with self._db.reading() as sql:
            return _get(sql, session)

    def all(self) -> dict[str, SessionMode]:
        """Every session of which something was said."""
        with self._db.reading() as sql:
            rows = sql.execute("SELECT session, mode, ignored FROM modes").fetchall()
        return {session: _mode_of(mode, ignored) for session, mode, ignored in rows}

    def set(self, session: str, mode: Mode, now: float) -> None:
        """Set the mode of a session."""
        with self._db.changing() as sql:
            _put(sql, session, _get(sql, session)._replace(mode=mode), now)

    def ignore(self, session: str, now: float, *, ignored: bool = True) -> None:
        """Let a session be ignored, or not any more; its mode stays."""
        with self._db.changing() as sql:
            _put(sql, session, _get(sql, session)._replace(ignored=ignored), now)


def _get(sql: sqlite3.Connection, session: str) -> SessionMode:
    found = sql.execute("SELECT mode, ignored FROM modes WHERE session = ?", (session,)).fetchone()
    return SessionMode() if found is None else _mode_of(*found)


def _mode_of(mode: str, ignored: int) -> SessionMode:
    # What cannot be read is not taken for a permission.
    return SessionMode(Mode(mode) if mode in {*Mode} else Mode.DISABLED, bool(ignored))


def _put(sql: sqlite3.Connection, session: str, new: SessionMode, now: float) -> None:
    old = _get(sql, session)
    sql.execute(
        "INSERT OR REPLACE INTO modes VALUES(?, ?, ?)", (session, new.mode, int(new.ignored))
    )
    known = sql.execute(
        "SELECT 1 FROM cards WHERE session = ?1 UNION SELECT 1 FROM selected WHERE session = ?1",
        (session,),
    ).fetchone()
    if known is not None and old.counts != new.counts:
        mark_dirty(sql, now)
