"""Learnings: browse what was learned, the pinned and the strongest first."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from vaultmem.core.selection import age_seconds, is_unreviewed, score_on, today, why_nowhere
from vaultmem.core.standing import DAY
from vaultmem.core.topics import category_name
from vaultmem.core.words import content_stems, stems
from vaultmem.services.capturing.shown import remember_shown
from vaultmem.services.lookup import find_memory
from vaultmem.services.sync import catch_up

if TYPE_CHECKING:
    from vaultmem.core.standing import Standing
    from vaultmem.services.call import Call

AGE_MARKS = (90, 30)
"""Days since a memory was last reinforced from which its age is marked; from the governed memory,
whose panel marks what is older than 30 and 90 days."""


class Learning(NamedTuple):
    """One memory as it is listed.

    Attributes:
        project: its project's identity, "" for none.
        force: whether it may act on this device.
        unreviewed: it wants to act, and this device has not seen it signed.
        age_days: whole days since it was reinforced or else made; None where no date says.
        mark: the days of `AGE_MARKS` that it is older than, 0 for none.
        out: why it is in force nowhere now, as the report names it; "" if it is in force.
    """

    id: str
    path: str
    statement: str
    category: str
    layer: str
    status: str
    project: str
    confidence: float
    pinned: bool
    force: bool
    unreviewed: bool
    age_days: int | None
    mark: int
    out: str


def learnings(
    call: Call, query: str = "", *, kind: str = "", everything: bool = False
) -> list[Learning]:
    """The memories of all projects, the pinned first, then by score.

    Args:
        call: the circumstances.
        query: words that the statement must hold, in any inflection; "" for all.
        kind: only those of this category, or `identity`, which stands apart; "" for all.
        everything: also those that are not in force: deprecated, superseded, expired.
    """
    catch_up(call)
    day = today(call.seconds)
    found = [
        one
        for one in call.vault.baseline.standings()
        if kind in ("", category_name(one.layer, one.category)) and _holds(one, query)
    ]
    found.sort(key=lambda one: (not one.pinned, -score_on(one, day), one.id))
    listed = [one for one in (_learning(call, one) for one in found) if everything or not one.out]
    if call.agent is not None:
        remember_shown(call, (one.statement for one in listed))
    return listed


def learning(call: Call, name: str) -> Learning:
    """One memory as it is now.

    Raises:
        NoteNotFoundError, AmbiguousIdError: as `find_memory`.
    """
    return _learning(call, find_memory(call, name).standing)


def _learning(call: Call, one: Standing) -> Learning:
    day = today(call.seconds)
    known = bool(one.reinforced or one.created)
    days = int(age_seconds(one, day) // DAY) if known else None
    return Learning(
        id=one.id,
        path=one.path,
        statement=one.statement,
        category=one.category,
        layer=one.layer,
        status=one.status,
        project=one.project,
        confidence=one.confidence,
        pinned=bool(one.pinned),
        force=bool(one.force),
        unreviewed=is_unreviewed(one),
        age_days=days,
        mark=next((mark for mark in AGE_MARKS if days is not None and days >= mark), 0),
        out=why_nowhere(one, call.seconds),
    )


def _holds(one: Standing, query: str) -> bool:
    wanted = " ".join(query.split()).casefold()
    return (
        wanted in one.statement.casefold()
        or content_stems(wanted) <= stems(one.statement)
        or wanted == one.id.casefold()
    )
