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
    from vaultmem.services.call import Call
    from vaultmem.services.curating.applied_alone import AppliedAlone
    from vaultmem.services.maintain import Maintained
    from vaultmem.services.sync import SyncResult


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionStart:
    """What the person is told when a session starts.

    Attributes:
        sync: what changed since the last look.
        applied: what policy applied by itself since they were last told; each is told once.
        waiting: candidates in the inbox that nobody put off.
        opens_inbox: whether so many wait that the inbox opens (`curator_inbox_prompt_threshold`).
        maintained: what the day's maintenance proposes; None where it ran before.
    """

    sync: SyncResult
    applied: tuple[AppliedAlone, ...]
    waiting: int
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
    new = sum(one.candidate.state is State.NEW for one in waiting(call))
    return SessionStart(
        sync=found,
        applied=applied,
        waiting=new,
        opens_inbox=call.governance.asks_at(new),
        maintained=maintained,
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
