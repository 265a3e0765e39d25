"""Lists the agent's earlier sessions, the newest first, from the catalog alone."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from vaultmem.services.sessions.choosing import EVERY, Wanted, chosen, moment_of
from vaultmem.services.sessions.sync import sync_sessions
from vaultmem.services.switch import READ, switched_off

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime

    from vaultmem.services.call import Call
    from vaultmem.services.sessions.index import SessionIndex
    from vaultmem.store.sessions.rows import SessionRow


class SessionLine(NamedTuple):
    """A session in a list; `started` and `ended` are local, the rest as in `SessionRecord`."""

    id: str
    project: str
    cwd: str
    started: datetime
    ended: datetime
    title: str
    first: str
    messages: int
    models: tuple[str, ...]
    tools: tuple[str, ...]
    files: tuple[str, ...]
    decisions: int
    cost: float
    tokens: int
    archived: bool
    file: str


class SessionList(NamedTuple):
    """The sessions that were asked for.

    Attributes:
        sessions: the newest first.
        total: how many there are, with those beyond the limit.
        degraded: a sentence where the list may not be complete, else None.
    """

    sessions: tuple[SessionLine, ...]
    total: int
    degraded: str | None = None


def list_sessions(
    call: Call,
    sessions: SessionIndex,
    *,
    limit: int = 20,
    wanted: Wanted = EVERY,
    session: str | None = None,
    progress: Callable[[int], object] = int,
) -> SessionList:
    """The sessions that are asked for, the newest first.

    Args:
        call: the circumstances; an agent sees sessions of `wanted.own_project` only.
        sessions: the index, which is brought up to the files first.
        limit: how many at most.
        wanted: which ones.
        session: the agent's session that is told, None outside of any.
        progress: as for `sync_sessions`.

    Raises:
        BusyError, ReadOnlyError, SearchError: if the catalog cannot be read.
    """
    if off := switched_off(call, READ, project=wanted.own_project, session=session):
        return SessionList((), 0, off.sentence)
    synced = sync_sessions(call, sessions, progress=progress)
    rows = chosen(call, sessions.catalog.rows(), wanted)
    lines = tuple(_line(call, row) for row in rows[: max(limit, 0)])
    return SessionList(lines, len(rows), synced.trouble)


def _line(call: Call, row: SessionRow) -> SessionLine:
    record = row.record
    return SessionLine(
        id=record.id,
        project=row.project,
        cwd=record.cwd,
        started=moment_of(call, record.started),
        ended=moment_of(call, record.ended),
        title=record.title,
        first=record.first,
        messages=record.messages,
        models=record.models,
        tools=record.tools,
        files=record.files,
        decisions=len(record.decisions),
        cost=round(record.cost, 6),
        tokens=record.tokens,
        archived=row.archived,
        file=row.file,
    )
