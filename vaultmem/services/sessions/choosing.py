"""Which sessions a question is about: by project and day, and what an agent may see."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING, NamedTuple

from vaultmem.services.call import Actor

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import date

    from vaultmem.services.call import Call
    from vaultmem.store.sessions.rows import SessionRow


class Wanted(NamedTuple):
    """Which sessions are asked for.

    Attributes:
        project: a part of the project's identity, in any case; None for all.
        after: the first day on which something was said, by the person's clock; None for any.
        before: the last day on which the session began; None for any.
        archived: whether archived ones count too.
        own_project: the project in which it is asked: an agent finds its sessions only.
    """

    project: str | None = None
    after: date | None = None
    before: date | None = None
    archived: bool = False
    own_project: str = ""


EVERY = Wanted()
"""All sessions that are not archived; none for an agent, which must say where it asks."""


def chosen(call: Call, rows: Iterable[SessionRow], wanted: Wanted) -> list[SessionRow]:
    """The sessions that are asked for and may be seen, the newest first."""
    found = [row for row in rows if _is_wanted(call, row, wanted)]
    return sorted(found, key=lambda row: (-row.record.ended, row.file))


def may_see(call: Call, row: SessionRow, own_project: str) -> bool:
    """Whether whoever calls may see a session: a person all, an agent those of its project."""
    return call.actor is not Actor.AGENT or (bool(own_project) and row.project == own_project)


def day_of(call: Call, at: float) -> date:
    """The day of a moment, by the person's clock."""
    return moment_of(call, at).date()


def moment_of(call: Call, at: float) -> datetime:
    """A moment as notes show it: local, without a zone, to the second."""
    local = datetime.fromtimestamp(at, UTC).astimezone(call.now.tzinfo)
    return local.replace(tzinfo=None, microsecond=0)


def _is_wanted(call: Call, row: SessionRow, wanted: Wanted) -> bool:
    record = row.record
    return (
        (wanted.archived or not row.archived)
        and may_see(call, row, wanted.own_project)
        and (wanted.project is None or wanted.project.casefold() in row.project.casefold())
        and (wanted.after is None or day_of(call, record.ended) >= wanted.after)
        and (wanted.before is None or day_of(call, record.started) <= wanted.before)
    )
