"""Which pieces of earlier sessions a session has in its section, so that they keep their places."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence

    from vaultmem.store.sessions.catalog import Catalog

MOST_SESSIONS = 64
"""Sessions whose section is kept, the ones that were told something last."""


class Told(NamedTuple):
    """A piece in a section.

    Attributes:
        path: the piece's.
        entry: the entry that it begins with.
        at: the character around which it is told.
    """

    path: str
    entry: str
    at: int


def read_told(catalog: Catalog, session: str) -> tuple[Told, ...]:
    """The section of a session, the oldest piece first.

    Raises:
        BusyError, ReadOnlyError, SearchError: as methods of `Catalog`.
    """
    with catalog.using() as sql:
        found = sql.execute(
            "SELECT path, entry, at FROM told WHERE session = ? ORDER BY place", (session,)
        ).fetchall()
    return tuple(Told(str(path), str(entry), int(at)) for path, entry, at in found)


def keep_told(catalog: Catalog, session: str, told: Sequence[Told], now: float) -> None:
    """Keep the section of a session, and forget those that were told something longest ago.

    Args:
        catalog: where it is kept.
        session: the agent's session.
        told: the section, the oldest piece first.
        now: in seconds.

    Raises:
        BusyError, ReadOnlyError, SearchError: as methods of `Catalog`.
    """
    with catalog.changing() as sql:
        sql.execute("DELETE FROM told WHERE session = ?", (session,))
        sql.executemany(
            "INSERT INTO told VALUES(?, ?, ?, ?, ?, ?)",
            [(session, place, *one, int(now)) for place, one in enumerate(told)],
        )
        sql.execute(
            "DELETE FROM told WHERE session NOT IN (SELECT session FROM told GROUP BY session"
            " ORDER BY max(used) DESC, session = ? DESC LIMIT ?)",
            (session, MOST_SESSIONS),
        )
