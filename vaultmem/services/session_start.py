"""A session starts: look at the vault, say what was applied by itself and how many wait."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from vaultmem.notes.candidate import State
from vaultmem.services.call import Actor
from vaultmem.services.curating.applied_alone import applied_alone, mark_told
from vaultmem.services.curating.candidates import waiting
from vaultmem.services.maintaining.daily import maintain_daily
from vaultmem.services.sync import sync

if TYPE_CHECKING:
    from collections.abc import Sequence

    from vaultmem.services.call import Call
    from vaultmem.services.curating.applied_alone import AppliedAlone
    from vaultmem.services.curating.candidates import Waiting
    from vaultmem.services.maintain import Maintained
    from vaultmem.services.sync import SyncResult

MOST_EXPLAINED = 3
"""Candidates of which it is said why they wait."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionStart:
    """What the person is told when a session starts.

    Attributes:
        sync: what changed since the last look.
        applied: what policy applied by itself since they were last told; each is told once.
        waiting: candidates in the inbox that nobody put off.
        why: what the first of them say, and why they wait; "" where a session's end decides.
        opens_inbox: whether so many wait that the inbox opens (`curator_inbox_prompt_threshold`).
        maintained: what the day's maintenance proposes; None where it ran before.
    """

    sync: SyncResult
    applied: tuple[AppliedAlone, ...]
    waiting: int
    why: tuple[tuple[str, str], ...]
    opens_inbox: bool
    maintained: Maintained | None


def session_start(call: Call, *, tell: bool = True, daily: bool = True) -> SessionStart:
    """Look at the vault and say what is new; what is told now is not told again.

    Args:
        call: the circumstances.
        tell: whether somebody sees it; what policy applied is told by the next call otherwise.
        daily: whether to do the day's work as well, which reads many notes where it is due; False
            where the caller does it when nobody waits.

    Raises:
        BusyError, VaultError, ReadOnlyError, DiskFailedError: as `sync`.
    """
    found = sync(call, typed=call.actor is Actor.PERSON)
    maintained = daily_work(call) if daily else None
    applied = tuple(applied_alone(call)) if tell else ()
    mark_told(call, applied)
    new = [one for one in waiting(call) if one.candidate.state is State.NEW]
    return SessionStart(
        sync=found,
        applied=applied,
        waiting=len(new),
        why=_why(call, new[:MOST_EXPLAINED]) if tell else (),
        opens_inbox=call.governance.asks_at(len(new)),
        maintained=maintained,
    )


def _why(call: Call, candidates: Sequence[Waiting]) -> tuple[tuple[str, str], ...]:
    if not candidates:
        return ()
    from vaultmem.services.curating.foresee import foresee  # often nothing waits

    seen = foresee(call, candidates)
    return tuple(
        (one.candidate.memory.statement, said.reasons[0] if said.reasons else "")
        for one, said in zip(candidates, seen, strict=True)
    )


def daily_work(call: Call) -> Maintained | None:
    """What is due once a day or week; what maintenance proposes, None where it ran before.

    Raises:
        BusyError, DiskFailedError: as `write_notes`.
    """
    if call.governance.meta_enabled:
        from vaultmem.services.meta_consolidation import consolidate_if_due  # reads every note

        consolidate_if_due(call)
    return maintain_daily(call)
