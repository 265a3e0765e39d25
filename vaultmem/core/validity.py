"""From when until when a memory held: what its note says, else what happened to it."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from vaultmem.core.model import Status

if TYPE_CHECKING:
    from datetime import datetime

    from vaultmem.core.model import Memory


class Successor(NamedTuple):
    """A memory that replaced another one, and when it was made."""

    id: str
    created: datetime | None


class Validity(NamedTuple):
    """The time in which a memory held; moments are the person's clock time, without a zone.

    Attributes:
        start: from when; None where nothing says it.
        end: until when; None as long as it holds.
        ended_by: the id of the memory that replaced it, "" where none did.
        reason: stated (the note says so), deleted, superseded, or "" as long as it holds.
    """

    start: datetime | None
    end: datetime | None
    ended_by: str = ""
    reason: str = ""


def validity(
    memory: Memory, *, deleted: datetime | None = None, successor: Successor | None = None
) -> Validity:
    """When a memory held.

    An end that the note names wins; else the tombstone ends it; else, where it was superseded, the
    day on which its successor was made. The order is that of the governed memory.

    Args:
        memory: the memory.
        deleted: when its standing tombstone was made.
        successor: the memory that `superseded_by` names, if it is there.
    """
    start = memory.valid_from or memory.created
    if memory.valid_to is not None:
        by = successor.id if successor is not None else ""
        return Validity(start, memory.valid_to, by, "stated")
    if deleted is not None:
        return Validity(start, deleted, reason="deleted")
    if memory.status is Status.SUPERSEDED and successor is not None:
        return Validity(start, successor.created, successor.id, "superseded")
    return Validity(start, None)
