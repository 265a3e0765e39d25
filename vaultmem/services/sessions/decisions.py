"""What was decided lately: lines with `#decision` in sessions and in the daily logs."""

from __future__ import annotations

import re
from datetime import date, timedelta
from typing import TYPE_CHECKING, NamedTuple

from vaultmem.core.comments import without_comments
from vaultmem.core.session_decision import decisions_of_log
from vaultmem.services.capturing.secret_scan import redact
from vaultmem.services.log_notes import log_notes
from vaultmem.services.sessions.choosing import EVERY, Wanted, chosen, moment_of
from vaultmem.services.sessions.sync import sync_sessions
from vaultmem.services.switch import READ, switched_off
from vaultmem.store.bounded import Unread, read_inside

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from vaultmem.services.call import Call
    from vaultmem.services.sessions.index import SessionIndex

MAX_LOG = 262_144
"""Bytes of a log note that is read; a longer one is passed over."""
_TAG = re.compile(r"#(?:decision|key)\b\s*", re.IGNORECASE)


class DecisionLine(NamedTuple):
    """Something that was decided.

    Attributes:
        day: by the person's clock.
        text: the line with its tag, inert and without secrets.
        session: in which the user said it; "" for a line of a log.
        entry: the message's, likewise.
        path: of the log note, relative to the vault; "" for a session's.
        project: the session's project; "" for a line of a log.
    """

    day: date
    text: str
    session: str = ""
    entry: str = ""
    path: str = ""
    project: str = ""


class Decided(NamedTuple):
    """The decisions that were asked for, the newest first; `degraded` as in `SessionList`."""

    decisions: tuple[DecisionLine, ...]
    degraded: str | None = None


def decisions(
    call: Call,
    sessions: SessionIndex,
    *,
    days: int = 7,
    limit: int = 30,
    wanted: Wanted = EVERY,
    session: str | None = None,
    progress: Callable[[int], object] = int,
) -> Decided:
    """What was decided in the last days, each once: by users in sessions, and in the logs.

    Args:
        call: the circumstances; an agent sees sessions of `wanted.own_project` only.
        sessions: the index, which is brought up to the files first.
        days: how many, today counts.
        limit: how many at most.
        wanted: which sessions; with a `project` asked for, logs tell nothing, as they have none.
        session: the agent's session that is told, None outside of any.
        progress: as for `sync_sessions`.

    Raises:
        BusyError, ReadOnlyError, SearchError: if the catalog cannot be read.
    """
    if off := switched_off(call, READ, project=wanted.own_project, session=session):
        return Decided((), off.sentence)
    synced = sync_sessions(call, sessions, progress=progress)
    first = call.local.date() - timedelta(days=max(days, 1) - 1)
    found = list(_in_sessions(call, sessions, first, wanted))
    if wanted.project is None:
        found += _in_logs(call, first)
    found.sort(key=lambda one: one.day, reverse=True)
    return Decided(tuple(_each_once(found))[: max(limit, 0)], synced.trouble)


def _in_sessions(
    call: Call, sessions: SessionIndex, first: date, wanted: Wanted
) -> Iterator[DecisionLine]:
    for row in chosen(call, sessions.catalog.rows(), wanted._replace(after=first)):
        for one in reversed(row.record.decisions):
            day = moment_of(call, one.at or row.record.started).date()
            if day >= first:
                yield DecisionLine(
                    day, one.text, session=row.id, entry=one.entry, project=row.project
                )


def _in_logs(call: Call, first: date) -> Iterator[DecisionLine]:
    for day, path in log_notes(call, first, date.max):
        data = read_inside(call.vault.path, path, limit=MAX_LOG)
        if isinstance(data, Unread):
            continue
        text = without_comments(data.decode("utf-8", "replace"))
        for line in reversed(decisions_of_log(text)):
            yield DecisionLine(day, redact(line), path=path)


def _each_once(found: Iterable[DecisionLine]) -> Iterator[DecisionLine]:
    """Without what another line says as well: an agent may log what the user decided."""
    said: set[str] = set()
    for one in found:
        key = " ".join(_TAG.sub("", one.text).casefold().split()).rstrip(".")
        if key not in said:
            said.add(key)
            yield one
